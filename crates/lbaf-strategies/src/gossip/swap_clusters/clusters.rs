// SPDX-License-Identifier: MIT OR Apache-2.0
//! The clusters of a rank: migratable objects that share a block, and what is known of them together.

use std::collections::BTreeMap;

use lbaf_model::{BlockIdx, Bundle, RankId, Slot, Totals, View};
use rayon::prelude::*;

/// The clusters of a rank, "no objects" first, then by block.
pub(super) struct Clusters(pub(super) Vec<Bundle>);

impl Clusters {
    /// As they are. O(degree of the objects).
    pub(super) fn of(rank: RankId, view: &impl View) -> Self {
        let mut shared: BTreeMap<BlockIdx, Vec<Slot>> = BTreeMap::new();
        for slot in view.objects(rank) {
            if let Some(block) = view.phase().memory(slot).block.filter(|_| view.phase().is_migratable(slot))
            {
                shared.entry(block).or_default().push(slot);
            }
        }
        let none = view.bundle(rank, &[]);
        Clusters(
            std::iter::once(none).chain(shared.values().map(|objects| view.bundle(rank, objects))).collect(),
        )
    }

    /// Those of all ranks.
    pub(super) fn of_all(totals: &Totals<'_>) -> Vec<Self> {
        (0..totals.ranks().len())
            .into_par_iter()
            .map(|rank| Clusters::of(RankId::from(rank), totals))
            .collect()
    }
}
