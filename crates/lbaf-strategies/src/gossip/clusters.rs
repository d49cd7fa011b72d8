// SPDX-License-Identifier: MIT OR Apache-2.0
//! Clusters: the migratable objects of a rank that share a block.

use std::collections::BTreeMap;

use lbaf_model::{BlockIdx, RankId, Slot, View};

/// Returns the clusters of a rank by block. As in LBAF and vt, objects without a block are in no
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
