// SPDX-License-Identifier: MIT OR Apache-2.0
//! Phases that repeat the measurements of others.

use std::collections::BTreeMap;

use lbaf_model::{DataSet, Phase, PhaseId};

/// Position of the phase that each phase repeats.
#[derive(Clone, Debug)]
pub(crate) struct Bases(Vec<usize>);

impl Bases {
    /// Finds the phase that each phase repeats. Of a phase and its repetitions, the first one in the data set counts as
    /// measured and the others as its repetitions, even if `repeats` names a phase that is missing.
    pub(crate) fn of(data: &DataSet, repeats: &BTreeMap<PhaseId, PhaseId>) -> Self {
        let mut firsts: BTreeMap<PhaseId, usize> = BTreeMap::new();
        let first = |(at, phase): (usize, &Phase)| {
            let repeated = repeats.get(&phase.id()).copied().unwrap_or(phase.id());
            *firsts.entry(repeated).or_insert(at)
        };
        Bases(data.phases().iter().enumerate().map(first).collect())
    }

    /// Returns the phase that a phase repeats, or itself.
    pub(crate) fn base(&self, at: usize) -> usize {
        self.0[at]
    }

    /// True if a phase does not repeat another one.
    pub(crate) fn is_measured(&self, at: usize) -> bool {
        self.0[at] == at
    }
}
