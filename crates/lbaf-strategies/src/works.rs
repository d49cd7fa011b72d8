// SPDX-License-Identifier: MIT OR Apache-2.0
//! Work of every rank, kept up to date as a rank sees it.

use lbaf_model::{BoundScope, RankId, View, Work, WorkModel};
use rustc_hash::FxHashMap;

/// Whether the work of a rank depends on what its node has.
pub(crate) fn bounds_nodes(model: &dyn WorkModel) -> bool {
    model.bounds().iter().any(|bound| bound.scope == BoundScope::Node)
}

/// The ranks whose work changes when two exchange something.
pub(crate) fn concerned(view: &impl View, model: &dyn WorkModel, ends: [RankId; 2]) -> Vec<RankId> {
    if !bounds_nodes(model) {
        return ends.to_vec();
    }
    let mut ranks: Vec<RankId> =
        ends.iter().flat_map(|&end| view.node_of(end)).copied().map(RankId::from).collect();
    ranks.sort_unstable();
    ranks.dedup();
    ranks
}

/// Work of every rank.
pub(crate) enum Works<'a> {
    /// As it is.
    Live(&'a mut [Work]),
    /// As it was, but for what the rank itself changed.
    Believed(&'a [Work], FxHashMap<RankId, Work>),
}

impl Works<'_> {
    pub(crate) fn of(&self, rank: RankId) -> Work {
        match self {
            Works::Live(works) => works[rank.index()],
            Works::Believed(works, changed) => changed.get(&rank).copied().unwrap_or(works[rank.index()]),
        }
    }

    /// Two ranks exchanged objects; where nodes are bounded, that concerns the ranks beside them too.
    pub(crate) fn update(&mut self, view: &impl View, model: &dyn WorkModel, ends: [RankId; 2]) {
        for rank in concerned(view, model, ends) {
            self.set(rank, view.work(model, rank));
        }
    }

    fn set(&mut self, rank: RankId, work: Work) {
        match self {
            Works::Live(works) => works[rank.index()] = work,
            Works::Believed(_, changed) => drop(changed.insert(rank, work)),
        }
    }
}
