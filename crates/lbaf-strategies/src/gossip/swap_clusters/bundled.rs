// SPDX-License-Identifier: MIT OR Apache-2.0
//! Clusters of a rank, ready for the evaluation of exchanges.

use lbaf_model::{BlockIdx, Bundle, RankId, Totals, View};
use rayon::prelude::*;

use super::charge::Charge;
use crate::gossip::clusters::clusters;

/// Bundles of the clusters of a rank: the empty bundle ("no objects"), then the clusters in ascending order of block.
#[derive(Default)]
pub(super) struct Clusters {
    pub(super) bundles: Vec<Bundle>,
    /// Loads of all bundles, ascending.
    pub(super) loads: Vec<f64>,
    /// Load and volumes of the rank without each bundle.
    pub(super) left: Vec<Charge>,
}

impl Clusters {
    /// Bundles the current clusters of all ranks.
    pub(super) fn of_all(totals: &Totals<'_>) -> Vec<Self> {
        (0..totals.ranks().len())
            .into_par_iter()
            .map(|rank| Clusters::default().renewed(RankId::from(rank), totals, &[]))
            .collect()
    }

    /// Bundles the current clusters of a rank, given earlier ones. Keeps bundles with the same objects, except those of
    /// the blocks `changed` (ascending), whose partners moved. O(objects + edges of new bundles).
    pub(super) fn renewed(self, rank: RankId, totals: &Totals<'_>, changed: &[BlockIdx]) -> Self {
        let block_of =
            |bundle: &Bundle| bundle.objects().first().and_then(|&slot| totals.phase().memory(slot).block);
        let mut earlier = self.bundles.into_iter().peekable();
        let mut bundles = vec![totals.bundle(rank, &[])];
        for (block, objects) in clusters(totals, rank) {
            while earlier.next_if(|bundle| block_of(bundle) < Some(block)).is_some() {}
            let is_same =
                |bundle: &Bundle| bundle.objects() == objects && changed.binary_search(&block).is_err();
            bundles.push(earlier.next_if(is_same).unwrap_or_else(|| totals.bundle(rank, &objects)));
        }
        let mut loads: Vec<f64> = bundles.iter().map(Bundle::load).collect();
        loads.sort_unstable_by(f64::total_cmp);
        let left = bundles.iter().map(|bundle| Charge::of(&totals.without(bundle))).collect();
        Clusters { bundles, loads, left }
    }
}
