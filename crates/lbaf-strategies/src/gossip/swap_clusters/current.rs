// SPDX-License-Identifier: MIT OR Apache-2.0
//! Current clusters of all ranks.

use lbaf_model::{BlockIdx, RankId, Slot, Totals, Vertex, View};

use super::clusters::Clusters;
use crate::gossip::turn::Made;

/// Clusters of all ranks, which are updated when a rank is locked. An exchange changes few clusters of a rank, so most
/// bundles are kept.
pub(super) struct Current(Vec<Known>);

/// Earlier clusters of a rank.
#[derive(Default)]
pub(super) struct Known {
    /// Clusters at the last lock; `None` before the first lock, which takes those at the start of the iteration.
    clusters: Option<Clusters>,
    /// Blocks of clusters whose objects or partners have moved since then. Blocks may be repeated.
    changed: Vec<BlockIdx>,
    /// Objects that have left or reached the rank since then, with their blocks. Objects may be repeated.
    moved: Vec<(BlockIdx, Slot)>,
}

/// Consequences of an exchange for the clusters of all ranks.
pub(super) struct Changes {
    /// Moved objects with their blocks.
    moved: Vec<(BlockIdx, Slot)>,
    /// Clusters of the moved objects and of their partners: rank and block.
    clusters: Vec<(RankId, BlockIdx)>,
}

impl Changes {
    /// Returns the consequences of an exchange that is not made yet. O(edges of the moved objects).
    ///
    /// Partners may be moved by other exchanges of the same round. The consequences of those exchanges include the
    /// clusters of the partners on their old and new ranks.
    pub(super) fn of(made: &Made, totals: &Totals<'_>) -> Self {
        let (phase, graph) = (totals.phase(), totals.phase().communication());
        let block = |slot: Slot| phase.memory(slot).block;
        let objects = made.objects.iter().chain(&made.returned);
        let moved: Vec<_> = objects.filter_map(|&slot| Some((block(slot)?, slot))).collect();
        let mut clusters = Vec::with_capacity(16 * moved.len());
        for &(of_moved, slot) in &moved {
            for rank in [made.from, made.to] {
                clusters.push((rank, of_moved));
            }
            let mut change = |partner: Vertex| {
                if let Vertex::Object(partner) = partner
                    && let Some(block) = block(partner)
                {
                    let cluster = (totals.rank_of(partner), block);
                    if clusters.last() != Some(&cluster) {
                        clusters.push(cluster);
                    }
                }
            };
            graph.outgoing(slot).for_each(|(partner, _)| change(partner));
            graph.incoming(slot).for_each(|(partner, _)| change(partner));
        }
        Changes { moved, clusters }
    }
}

impl Current {
    pub(super) fn new(n_ranks: usize) -> Self {
        Current(std::iter::repeat_with(Known::default).take(n_ranks).collect())
    }

    /// Takes the earlier clusters of two ranks.
    pub(super) fn take(&mut self, ranks: [RankId; 2]) -> [Known; 2] {
        ranks.map(|rank| std::mem::take(&mut self.0[rank.index()]))
    }

    /// Stores the current clusters of two ranks.
    pub(super) fn keep(&mut self, both: [Clusters; 2]) {
        for clusters in both {
            let rank = clusters.rank();
            self.0[rank.index()] = Known { clusters: Some(clusters), ..Known::default() };
        }
    }

    /// Records the consequences of an exchange.
    pub(super) fn record(&mut self, made: &Made, changes: &Changes) {
        for rank in [made.from, made.to] {
            self.0[rank.index()].moved.extend_from_slice(&changes.moved);
        }
        for &(rank, block) in &changes.clusters {
            let changed = &mut self.0[rank.index()].changed;
            changed.extend(Some(block).filter(|_| changed.last() != Some(&block)));
        }
    }
}

impl Known {
    /// Returns the current clusters of the rank, whose clusters at the start of the iteration were `first`.
    pub(super) fn renewed(self, first: &Clusters, totals: &Totals<'_>) -> Clusters {
        let mut clusters = self.clusters.unwrap_or_else(|| first.clone());
        clusters.renew(self.changed, self.moved, totals);
        clusters
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::charge::Charge;
    use super::super::test_phases::{N_RANKS, OWNERS, phases};
    use super::*;

    /// Objects of the clusters of a rank, and all numbers that follow from the clusters.
    fn facts(clusters: &Clusters, totals: &Totals<'_>) -> (Vec<Vec<Slot>>, Vec<f64>) {
        let objects = (0..clusters.len()).map(|at| clusters.bundle(at).objects().to_vec()).collect();
        let others = (0..N_RANKS).map(RankId).filter(|&rank| rank != clusters.rank());
        let brought = others.flat_map(|rank| clusters.brought(rank, totals).collect::<Vec<_>>());
        let charges = clusters.kept(totals).chain(brought);
        let numbers = charges.flat_map(|Charge { load, sent_bytes, received_bytes, homing_bytes }| {
            [load, sent_bytes, received_bytes, homing_bytes]
        });
        (objects, numbers.chain(clusters.loads()).collect())
    }

    proptest! {
        /// In each round, two pairs of ranks exchange random clusters at the same time.
        #[test]
        fn renewed_clusters_are_those_of_the_current_placement(
            phase in phases(),
            rounds in prop::collection::vec((Just(OWNERS).prop_shuffle(), any::<[[u16; 2]; 2]>()), 1..10),
        ) {
            let mut totals = Totals::new(&phase, phase.recorded_assignment().clone());
            let first = Clusters::of_all(&totals);
            let mut current = Current::new(first.len());
            for (ranks, chosen) in rounds {
                let fresh = Clusters::of_all(&totals);
                let mut made = Vec::new();
                for (pair, chosen) in ranks.as_chunks::<2>().0.iter().zip(chosen) {
                    let pair = pair.map(RankId);
                    let mut known = current.take(pair).into_iter();
                    let clusters =
                        pair.map(|rank| known.next().unwrap().renewed(&first[rank.index()], &totals));
                    for clusters in &clusters {
                        prop_assert_eq!(facts(clusters, &totals), facts(&fresh[clusters.rank().index()], &totals));
                    }
                    let [objects, returned] = [0, 1].map(|end| {
                        let at = usize::from(chosen[end]) % clusters[end].len();
                        clusters[end].bundle(at).objects().to_vec()
                    });
                    let exchange = Made { from: pair[0], to: pair[1], objects, returned };
                    made.push((Changes::of(&exchange, &totals), exchange));
                    current.keep(clusters);
                }
                for (changes, exchange) in made {
                    totals.apply(&exchange.transfer());
                    current.record(&exchange, &changes);
                }
            }
        }
    }
}
