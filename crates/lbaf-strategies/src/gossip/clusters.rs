// SPDX-License-Identifier: MIT OR Apache-2.0
//! Clusters: the migratable objects of a rank that share a block.

use std::collections::BTreeMap;

use lbaf_model::{BlockIdx, Bundle, RankId, Slot, Totals, View};
use rayon::prelude::*;

/// Returns the objects of each cluster of a rank, by block. As in LBAF and vt, objects without a block are in no
/// cluster.
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

/// Bundles of the clusters of a rank: first the empty bundle ("no objects"), then the clusters in ascending order
/// of block; and their loads in ascending order.
pub(super) struct Clusters(pub(super) Vec<Bundle>, pub(super) Vec<f64>);

impl Clusters {
    /// Bundles the current clusters of a rank. O(objects + their edges).
    pub(super) fn of(rank: RankId, view: &impl View) -> Self {
        let none = view.bundle(rank, &[]);
        let shared = clusters(view, rank);
        let bundles = shared.values().map(|objects| view.bundle(rank, objects));
        let bundles: Vec<Bundle> = std::iter::once(none).chain(bundles).collect();
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
