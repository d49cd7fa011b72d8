// SPDX-License-Identifier: MIT OR Apache-2.0
//! Clusters: the migratable objects of a rank that share a block.

use std::collections::BTreeMap;

use lbaf_model::{BlockIdx, Bundle, RankId, Slot, Totals, View};
use rayon::prelude::*;

/// Returns the clusters of a rank, by block. As in LBAF and vt, objects without a block are in no cluster.
pub(super) fn clusters(view: &impl View, rank: RankId) -> BTreeMap<BlockIdx, Vec<Slot>> {
    let phase = view.phase();
    let mut clusters: BTreeMap<BlockIdx, Vec<Slot>> = BTreeMap::new();
    for slot in view.objects(rank).into_iter().filter(|&slot| phase.is_migratable(slot)) {
        if let Some(block) = phase.memory(slot).block {
            clusters.entry(block).or_default().push(slot);
        }
    }
    clusters
}

/// Bundles of the clusters of a rank: the empty bundle ("no objects"), then the clusters in ascending order of block;
/// and the loads of all bundles in ascending order.
#[derive(Default)]
pub(super) struct Clusters(pub(super) Vec<Bundle>, pub(super) Vec<f64>);

impl Clusters {
    /// Bundles the current clusters of a rank. O(objects + their edges).
    pub(super) fn of(rank: RankId, view: &impl View) -> Self {
        Clusters::default().renewed(rank, view, &[])
    }

    /// Bundles the current clusters of a rank, given earlier ones. Keeps bundles with the same objects, except those of
    /// the blocks `changed` (ascending), whose partners moved. O(objects + edges of new bundles).
    pub(super) fn renewed(self, rank: RankId, view: &impl View, changed: &[BlockIdx]) -> Self {
        let block_of =
            |bundle: &Bundle| bundle.objects().first().and_then(|&slot| view.phase().memory(slot).block);
        let mut earlier = self.0.into_iter().peekable();
        let mut bundles = vec![view.bundle(rank, &[])];
        for (block, objects) in clusters(view, rank) {
            while earlier.next_if(|bundle| block_of(bundle) < Some(block)).is_some() {}
            let is_same =
                |bundle: &Bundle| bundle.objects() == objects && changed.binary_search(&block).is_err();
            bundles.push(earlier.next_if(is_same).unwrap_or_else(|| view.bundle(rank, &objects)));
        }
        let mut loads: Vec<f64> = bundles.iter().map(Bundle::load).collect();
        loads.sort_unstable_by(f64::total_cmp);
        Clusters(bundles, loads)
    }

    /// Bundles the clusters of all ranks.
    pub(super) fn of_all(totals: &Totals<'_>) -> Vec<Self> {
        (0..totals.ranks().len())
            .into_par_iter()
            .map(|rank| Clusters::of(RankId::from(rank), totals))
            .collect()
    }
}
