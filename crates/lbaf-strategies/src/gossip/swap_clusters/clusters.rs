// SPDX-License-Identifier: MIT OR Apache-2.0
//! Clusters of a rank, ready for the evaluation of exchanges.

use lbaf_model::{BlockIdx, Bundle, RankId, Slot, Totals, View};
use rayon::prelude::*;

use super::charge::Charge;
use crate::gossip::clusters::clusters;

/// Clusters of a rank: first that without objects, then all others in ascending order of block.
#[derive(Clone, Default)]
pub(super) struct Clusters {
    rank: RankId,
    all: Vec<Cluster>,
    /// Loads of all clusters, ascending.
    loads: Vec<f64>,
}

#[derive(Clone)]
struct Cluster {
    bundle: Bundle,
    /// Load and volumes that the rank loses when the cluster leaves.
    loss: Charge,
    /// Load and volumes that a rank without partners of the cluster gains when it arrives, without homing volumes.
    gain: Charge,
    /// Ranks of the partners, modulo 64, as bits.
    partners: u64,
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
        of_rank.all.push(Cluster::new(rank, &[], totals));
        for objects in clusters(totals, rank, |_| true).into_values() {
            of_rank.all.push(Cluster::new(rank, &objects, totals));
        }
        of_rank.sort_loads();
        of_rank
    }

    /// Updates the clusters of some blocks, in any order. Other clusters must still have the same objects, with partners
    /// on the same ranks. O(objects of the rank + edges of the objects in the updated clusters).
    pub(super) fn renew(&mut self, mut changed: Vec<BlockIdx>, totals: &Totals<'_>) {
        if changed.is_empty() {
            return;
        }
        changed.sort_unstable();
        changed.dedup();
        let mut objects = clusters(totals, self.rank, |block| changed.binary_search(&block).is_ok());
        for block in changed {
            let at = self.all.partition_point(|cluster| cluster.block(totals) < Some(block));
            if self.all.get(at).is_some_and(|cluster| cluster.block(totals) == Some(block)) {
                self.all.remove(at);
            }
            if let Some(objects) = objects.remove(&block) {
                self.all.insert(at, Cluster::new(self.rank, &objects, totals));
            }
        }
        self.sort_loads();
    }

    fn sort_loads(&mut self) {
        self.loads.clear();
        self.loads.extend(self.all.iter().map(|cluster| cluster.bundle.load()));
        self.loads.sort_unstable_by(f64::total_cmp);
    }

    /// Returns the rank that has the clusters.
    pub(super) fn rank(&self) -> RankId {
        self.rank
    }

    /// Returns the number of clusters, including that without objects.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns the bundle of a cluster.
    pub(super) fn bundle(&self, at: usize) -> &Bundle {
        &self.all[at].bundle
    }

    /// Returns the loads of all clusters, ascending.
    pub(super) fn loads(&self) -> &[f64] {
        &self.loads
    }

    /// Iterates over load and volumes of the rank without each cluster.
    pub(super) fn kept<'a>(&'a self, totals: &'a Totals<'_>) -> impl ExactSizeIterator<Item = Charge> + 'a {
        let now = Charge::of(totals.rank(self.rank));
        self.all.iter().map(move |cluster| now - cluster.loss)
    }

    /// Iterates over the changes that each cluster causes on another rank that receives it, or smaller changes: homing
    /// volumes count only if the cluster has partners on that rank.
    pub(super) fn brought<'a>(
        &'a self,
        to: RankId,
        totals: &'a Totals<'_>,
    ) -> impl ExactSizeIterator<Item = Charge> + 'a {
        let now = Charge::of(totals.rank(to));
        self.all.iter().map(move |Cluster { bundle, gain, partners, .. }| {
            if partners & bit(to) != 0 && bundle.partner_ranks().any(|partner| partner == to) {
                Charge::of(&totals.with(to, bundle)) - now
            } else {
                *gain
            }
        })
    }
}

impl Cluster {
    fn new(rank: RankId, objects: &[Slot], totals: &Totals<'_>) -> Self {
        let bundle = totals.bundle(rank, objects);
        Cluster {
            loss: Charge::of(totals.rank(rank)) - Charge::of(&totals.without(&bundle)),
            gain: Charge::alone(&bundle),
            partners: bundle.partner_ranks().fold(0, |bits, rank| bits | bit(rank)),
            bundle,
        }
    }

    /// Returns the block. `None`, which is less than any block, without objects.
    fn block(&self, totals: &Totals<'_>) -> Option<BlockIdx> {
        self.bundle.objects().first().and_then(|&slot| totals.phase().memory(slot).block)
    }
}

fn bit(rank: RankId) -> u64 {
    1 << (rank.0 % u64::BITS)
}
