// SPDX-License-Identifier: MIT OR Apache-2.0
//! The clusters of a rank, each bundled: what its peers are told of them.

use lbaf_model::{Bundle, RankId, Totals, View};
use rayon::prelude::*;

use crate::gossip::clusters::clusters;

/// The clusters of a rank, "no objects" first, then by block.
pub(super) struct Clusters(pub(super) Vec<Bundle>);

impl Clusters {
    /// As they are. O(degree of the objects).
    pub(super) fn of(rank: RankId, view: &impl View) -> Self {
        let none = view.bundle(rank, &[]);
        let shared = clusters(view, rank);
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
