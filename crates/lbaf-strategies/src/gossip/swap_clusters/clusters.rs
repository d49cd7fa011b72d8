// SPDX-License-Identifier: MIT OR Apache-2.0
//! Clusters of a rank, ready for the evaluation of exchanges.

use lbaf_model::{BlockIdx, Bundle, RankId, Slot, Totals, View};
use rayon::prelude::*;
use smallvec::SmallVec;

use super::charge::Charge;
use crate::gossip::clusters::clusters;

/// Clusters of a rank: first that without objects, then all others in ascending order of block.
#[derive(Clone, Default)]
pub(super) struct Clusters {
    rank: RankId,
    bundles: Vec<Bundle>,
    /// Facts of each bundle, close together in memory for the passes over all clusters.
    facts: Vec<Facts>,
}

/// Facts of a cluster.
#[derive(Clone, Copy)]
struct Facts {
    /// Block of the objects. `None`, which is less than any block, without objects.
    block: Option<BlockIdx>,
    /// Load and volumes that the rank loses when the cluster leaves.
    loss: Charge,
    /// Load and volumes that a rank without partners of the cluster gains when it arrives, without homing volumes.
    gain: Charge,
    /// Ranks of the partners, modulo 64, as bits.
    partners: u64,
}

impl Facts {
    fn of(bundle: &Bundle, block: Option<BlockIdx>, totals: &Totals<'_>) -> Self {
        Facts {
            block,
            loss: Charge::of(totals.rank(bundle.rank())) - Charge::of(&totals.without(bundle)),
            gain: Charge::alone(bundle),
            partners: bundle.partner_ranks().fold(0, |bits, rank| bits | bit(rank)),
        }
    }
}

impl Clusters {
    /// Bundles the current clusters of all ranks.
    pub(super) fn of_all(totals: &Totals<'_>) -> Vec<Self> {
        (0..totals.ranks().len())
            .into_par_iter()
            .map(|rank| Clusters::of(RankId::from(rank), totals))
            .collect()
    }

    fn of(rank: RankId, totals: &Totals<'_>) -> Self {
        let mut of_rank = Clusters { rank, ..Clusters::default() };
        of_rank.insert(0, None, totals.bundle(rank, &[]), totals);
        for (block, objects) in clusters(totals, rank) {
            of_rank.insert(of_rank.len(), Some(block), totals.bundle(rank, &objects), totals);
        }
        of_rank
    }

    /// Updates the clusters of the `changed` blocks, strictly ascending, after the objects in `moved`, given with their
    /// blocks, have left or reached the rank. `changed` contains all of these blocks; objects may be repeated, in any
    /// order. Other clusters must still have the same objects. O(n log n + edges of the objects in the updated
    /// clusters).
    pub(super) fn renew(
        &mut self,
        changed: &[BlockIdx],
        mut moved: Vec<(BlockIdx, Slot)>,
        totals: &Totals<'_>,
    ) {
        debug_assert!(changed.is_sorted_by(|one, other| one < other));
        moved.sort_unstable();
        for &block in changed {
            let at = self.facts.partition_point(|facts| facts.block < Some(block));
            let is_known = self.facts.get(at).is_some_and(|facts| facts.block == Some(block));
            let first = moved.partition_point(|&(other, _)| other < block);
            let of_block = moved[first..].iter().take_while(|&&(other, _)| other == block);
            let mut objects: SmallVec<[Slot; 16]> = of_block.map(|&(_, slot)| slot).collect();
            if objects.is_empty() {
                // Only partners have moved.
                if is_known {
                    self.bundles[at].recount_edges(totals);
                    self.facts[at] = Facts::of(&self.bundles[at], Some(block), totals);
                }
                continue;
            }
            if is_known {
                objects.extend_from_slice(self.bundles[at].objects());
            }
            objects.retain(|slot| totals.rank_of(*slot) == self.rank);
            objects.sort_unstable();
            objects.dedup();
            match (is_known, objects.is_empty()) {
                (false, true) => {}
                (false, false) => self.insert(at, Some(block), totals.bundle(self.rank, &objects), totals),
                (true, false) => {
                    self.bundles[at] = totals.bundle(self.rank, &objects);
                    self.facts[at] = Facts::of(&self.bundles[at], Some(block), totals);
                }
                (true, true) => {
                    self.bundles.remove(at);
                    self.facts.remove(at);
                }
            }
        }
    }

    fn insert(&mut self, at: usize, block: Option<BlockIdx>, bundle: Bundle, totals: &Totals<'_>) {
        self.facts.insert(at, Facts::of(&bundle, block, totals));
        self.bundles.insert(at, bundle);
    }

    /// Returns the rank that has the clusters.
    pub(super) fn rank(&self) -> RankId {
        self.rank
    }

    /// Returns the number of clusters, including that without objects.
    pub(super) fn len(&self) -> usize {
        self.bundles.len()
    }

    /// Returns the bundle of a cluster.
    pub(super) fn bundle(&self, at: usize) -> &Bundle {
        &self.bundles[at]
    }

    /// Returns the loads of all clusters, ascending.
    pub(super) fn loads(&self) -> Vec<f64> {
        let mut loads: Vec<f64> = self.bundles.iter().map(Bundle::load).collect();
        loads.sort_unstable_by(f64::total_cmp);
        loads
    }

    /// Iterates over load and volumes of the rank without each cluster.
    pub(super) fn kept<'a>(&'a self, totals: &'a Totals<'_>) -> impl ExactSizeIterator<Item = Charge> + 'a {
        let now = Charge::of(totals.rank(self.rank));
        self.facts.iter().map(move |facts| now - facts.loss)
    }

    /// Iterates over the changes that each cluster causes on another rank that receives it, or smaller changes: homing
    /// volumes count only if the cluster has partners on that rank.
    pub(super) fn brought<'a>(
        &'a self,
        to: RankId,
        totals: &'a Totals<'_>,
    ) -> impl ExactSizeIterator<Item = Charge> + 'a {
        let now = Charge::of(totals.rank(to));
        self.facts.iter().zip(&self.bundles).map(move |(Facts { gain, partners, .. }, bundle)| {
            if partners & bit(to) != 0 && bundle.partner_ranks().any(|partner| partner == to) {
                Charge::of(&totals.with(to, bundle)) - now
            } else {
                *gain
            }
        })
    }
}

fn bit(rank: RankId) -> u64 {
    1 << (rank.0 % u64::BITS)
}
