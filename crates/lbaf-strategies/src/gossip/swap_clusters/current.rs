// SPDX-License-Identifier: MIT OR Apache-2.0
//! Clusters of ranks that were locked in an iteration.

use lbaf_model::{BlockIdx, Bundle, RankId, Slot, Totals, Vertex, View};

use super::bundled::Clusters;
use crate::gossip::turn::Made;

/// Clusters of ranks as of their last lock, before its exchange, and changes since then. An exchange changes few
/// clusters of a rank, so most bundles are kept.
pub(super) struct Current(Vec<Known>);

/// Earlier clusters of a rank; empty before its first lock.
#[derive(Default)]
pub(super) struct Known {
    clusters: Clusters,
    /// Blocks of clusters with partners that moved since then.
    changed: Vec<BlockIdx>,
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
            if let Some(rank) = clusters.bundles.first().map(Bundle::rank) {
                self.0[rank.index()] = Known { clusters, changed: Vec::new() };
            }
        }
    }

    /// Records the clusters of the partners of exchanged objects as changed.
    pub(super) fn record(&mut self, made: &Made, totals: &Totals<'_>) {
        let (phase, graph) = (totals.phase(), totals.phase().communication());
        let mut change = |slot: Slot| {
            let known = &mut self.0[totals.rank_of(slot).index()];
            let block = phase.memory(slot).block.filter(|_| !known.clusters.bundles.is_empty());
            known.changed.extend(block.filter(|&block| known.changed.last() != Some(&block)));
        };
        for &moved in made.objects.iter().chain(&made.returned) {
            for (partner, _) in graph.outgoing(moved).chain(graph.incoming(moved)) {
                if let Vertex::Object(partner) = partner {
                    change(partner);
                }
            }
        }
    }
}

impl Known {
    /// Returns the current clusters of the rank.
    pub(super) fn renewed(mut self, rank: RankId, totals: &Totals<'_>) -> Clusters {
        self.changed.sort_unstable();
        self.clusters.renewed(rank, totals, &self.changed)
    }
}
