// SPDX-License-Identifier: MIT OR Apache-2.0
//! Phases that repeat the measurements of others.

use std::collections::BTreeMap;

use lbaf_model::{DataSet, Phase, PhaseId};

/// Phase that each phase repeats, by position among all.
#[derive(Clone, Debug)]
pub(crate) struct Bases(Vec<usize>);

impl Bases {
    /// Of phases recorded as identical to the same one, the first that is there stands for all, also if that one is not.
    pub(crate) fn of(data: &DataSet, repeats: &BTreeMap<PhaseId, PhaseId>) -> Self {
        let mut firsts: BTreeMap<PhaseId, usize> = BTreeMap::new();
        let first = |(at, phase): (usize, &Phase)| {
            let repeated = repeats.get(&phase.id()).copied().unwrap_or(phase.id());
            *firsts.entry(repeated).or_insert(at)
        };
        Bases(data.phases().iter().enumerate().map(first).collect())
    }

    /// Phase that a phase repeats: itself if it repeats none.
    pub(crate) fn base(&self, at: usize) -> usize {
        self.0[at]
    }

    /// True if a phase repeats none.
    pub(crate) fn is_measured(&self, at: usize) -> bool {
        self.0[at] == at
    }
}
