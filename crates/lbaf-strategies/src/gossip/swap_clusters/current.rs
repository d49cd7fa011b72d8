// SPDX-License-Identifier: MIT OR Apache-2.0
//! Current clusters of all ranks.

use lbaf_model::{BlockIdx, RankId, Slot, Totals, Vertex, View};

use super::clusters::Clusters;
use crate::gossip::turn::Made;

/// Clusters of all ranks, which are updated when a rank is locked. An exchange changes few clusters of a rank, so
/// most bundles are kept.
pub(super) struct Current(Vec<Known>);

/// Earlier clusters of a rank.
#[derive(Default)]
pub(super) struct Known {
    /// Clusters, `None` before the first lock, which takes those at the start of the iteration.
    clusters: Option<Clusters>,
    /// Moves of partners since the clusters were bundled, in any order.
    partner_moves: Vec<PartnerMove>,
    /// Objects that have left or reached the rank since the last lock, with their blocks. Objects may be repeated.
    moved: Vec<(BlockIdx, Slot)>,
}

/// Largest number of moves that a rank keeps when it is locked. With more, all clusters with moved partners are
/// updated.
const MOST_MOVES: usize = 256;

/// Move of partners of a cluster from one rank to another, or in both directions.
#[derive(Clone, Copy)]
struct PartnerMove {
    block: BlockIdx,
    between: [RankId; 2],
}

/// Consequences of an exchange for the clusters of all ranks.
pub(super) struct Changes {
    /// Moved objects with their blocks.
    moved: Vec<(BlockIdx, Slot)>,
    /// Clusters of the partners of the moved objects: rank and block. Clusters may be repeated.
    clusters: Vec<(RankId, BlockIdx)>,
}

/// Number of last clusters that are searched for duplicates of a cluster.
const N_SEARCHED: usize = 8;

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
        for &(_, slot) in &moved {
            let mut change = |partner: Vertex| {
                if let Vertex::Object(partner) = partner
                    && let Some(block) = block(partner)
                {
                    let cluster = (totals.rank_of(partner), block);
                    let last = clusters.len().saturating_sub(N_SEARCHED);
                    if !clusters[last..].contains(&cluster) {
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

    /// Stores the clusters of two ranks.
    pub(super) fn keep(&mut self, ranks: [RankId; 2], both: [Known; 2]) {
        for (rank, known) in ranks.into_iter().zip(both) {
            self.0[rank.index()] = known;
        }
    }

    /// Records the consequences of an exchange.
    pub(super) fn record(&mut self, made: &Made, changes: &Changes) {
        let between = [made.from, made.to];
        for rank in between {
            self.0[rank.index()].moved.extend_from_slice(&changes.moved);
        }
        for &(rank, block) in &changes.clusters {
            self.0[rank.index()].partner_moves.push(PartnerMove { block, between });
        }
    }
}

impl Known {
    /// Updates the clusters of a rank for exchanges with another rank, and returns them. The clusters of the rank at
    /// the start of the iteration were `first`.
    ///
    /// An exchange depends on which partners of a cluster are on the two ranks, not on where all others are. So clusters
    /// whose partners have moved between other ranks are not updated.
    pub(super) fn renew(&mut self, first: &Clusters, other: RankId, totals: &Totals<'_>) -> &Clusters {
        let clusters = self.clusters.get_or_insert_with(|| first.clone());
        let ends = [clusters.rank(), other];
        let updates_all = self.partner_moves.len() > MOST_MOVES;
        let matters =
            |moved: &&PartnerMove| updates_all || moved.between.iter().any(|rank| ends.contains(rank));
        let mut blocks: Vec<BlockIdx> =
            self.partner_moves.iter().filter(matters).map(|moved| moved.block).collect();
        blocks.extend(self.moved.iter().map(|&(block, _)| block));
        blocks.sort_unstable();
        blocks.dedup();
        self.partner_moves.retain(|moved| blocks.binary_search(&moved.block).is_err());
        clusters.renew(&blocks, std::mem::take(&mut self.moved), totals);
        clusters
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::charge::Charge;
    use super::super::test_phases::{N_RANKS, OWNERS, phases};
    use super::*;

    /// Objects of the clusters of a rank, and all numbers that follow from the clusters for exchanges with another
    /// rank.
    fn facts(clusters: &Clusters, other: RankId, totals: &Totals<'_>) -> (Vec<Vec<Slot>>, Vec<f64>) {
        let objects = (0..clusters.len()).map(|at| clusters.bundle(at).objects().to_vec()).collect();
        let charges = clusters.kept(totals).chain(clusters.brought(other, totals));
        let numbers = charges.flat_map(|Charge { load, sent_bytes, received_bytes, homing_bytes }| {
            [load, sent_bytes, received_bytes, homing_bytes]
        });
        (objects, numbers.chain(clusters.loads()).collect())
    }

    proptest! {
        /// In each round, two pairs of ranks exchange random clusters at the same time.
        #[test]
        fn renewed_clusters_give_the_exchanges_of_the_current_placement(
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
                    let mut known = current.take(pair);
                    let mut objects = [Vec::new(), Vec::new()];
                    let mut bundles = Vec::new();
                    for (end, other) in [(0, pair[1]), (1, pair[0])] {
                        let (first, fresh) = (&first[pair[end].index()], &fresh[pair[end].index()]);
                        let clusters = known[end].renew(first, other, &totals);
                        prop_assert_eq!(facts(clusters, other, &totals), facts(fresh, other, &totals));
                        let at = usize::from(chosen[end]) % clusters.len();
                        objects[end] = clusters.bundle(at).objects().to_vec();
                        bundles.push((clusters.bundle(at).clone(), fresh.bundle(at)));
                    }
                    let [(given, fresh_given), (returned, fresh_returned)] = &bundles[..] else { unreachable!() };
                    let after = totals.exchange(given, returned);
                    prop_assert_eq!(after, totals.exchange(fresh_given, fresh_returned));
                    let [objects, returned] = objects;
                    let exchange = Made { from: pair[0], to: pair[1], objects, returned };
                    made.push((Changes::of(&exchange, &totals), exchange));
                    current.keep(pair, known);
                }
                for (changes, exchange) in made {
                    totals.apply(&exchange.transfer());
                    current.record(&exchange, &changes);
                }
            }
            // With too many moves, clusters are updated for all other ranks.
            let fresh = Clusters::of_all(&totals);
            for rank in OWNERS.map(RankId) {
                let others = (0..N_RANKS).map(RankId).filter(|&other| other != rank);
                let Known { clusters, partner_moves, moved } = std::mem::take(&mut current.0[rank.index()]);
                let partner_moves = partner_moves.iter().copied().cycle().take(MOST_MOVES + 1).collect();
                let mut known = Known { clusters, partner_moves, moved };
                known.renew(&first[rank.index()], others.clone().next().unwrap(), &totals);
                prop_assert!(known.partner_moves.is_empty());
                let clusters = known.clusters.as_ref().unwrap();
                for other in others {
                    prop_assert_eq!(facts(clusters, other, &totals), facts(&fresh[rank.index()], other, &totals));
                }
            }
        }
    }
}
