// SPDX-License-Identifier: MIT OR Apache-2.0
//! Work of every rank, kept up to date as a rank sees it.

use lbaf_model::{BoundScope, RankId, View, Work, WorkModel};
use rustc_hash::FxHashMap;

/// Work of every rank.
pub(super) enum Works<'a> {
    /// As it is.
    Live(&'a mut [Work]),
    /// As it was, but for what the rank itself changed.
    Believed(&'a [Work], FxHashMap<RankId, Work>),
}

impl Works<'_> {
    pub(super) fn of(&self, rank: RankId) -> Work {
        match self {
            Works::Live(works) => works[rank.index()],
            Works::Believed(works, changed) => changed.get(&rank).copied().unwrap_or(works[rank.index()]),
        }
    }

    /// Two ranks exchanged objects; where nodes are bounded, that concerns the ranks beside them too.
    pub(super) fn update(&mut self, view: &impl View, model: &dyn WorkModel, ends: [RankId; 2]) {
        let bounds_nodes = model.bounds().iter().any(|bound| bound.scope == BoundScope::Node);
        for end in ends {
            if bounds_nodes {
                for rank in view.node_of(end).iter().copied().map(RankId::from) {
                    self.set(rank, view.work(model, rank));
                }
            } else {
                self.set(end, view.work(model, end));
            }
        }
    }

    fn set(&mut self, rank: RankId, work: Work) {
        match self {
            Works::Live(works) => works[rank.index()] = work,
            Works::Believed(_, changed) => drop(changed.insert(rank, work)),
        }
    }
}
