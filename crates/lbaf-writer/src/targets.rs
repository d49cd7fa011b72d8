// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ranks whose files get a record.

use lbaf_model::{Assignment, Slot};

use crate::plan::Plan;

/// Written placements, by position of the records of their phase.
pub(crate) struct Targets<'a>(Vec<Vec<&'a Assignment>>);

impl<'a> Targets<'a> {
    /// Collects the placements of a plan, with those of iterations if they are written. `sources` has the position of
    /// the records of each planned phase.
    pub(crate) fn new(plan: &'a Plan<'a>, sources: &[usize], with_iterations: bool) -> Self {
        let n = sources.iter().map(|source| source + 1).max().unwrap_or(0);
        let mut placements: Vec<Vec<&Assignment>> = vec![Vec::new(); n];
        for (phase, &source) in plan.phases.iter().zip(sources) {
            placements[source].push(&phase.assignment);
            placements[source].extend(phase.iterations.iter().filter(|_| with_iterations));
        }
        Targets(placements)
    }

    /// Returns the rank of a record in each written placement, possibly several times. The record belongs to `owner`,
    /// or stays in the file of rank `origin`.
    pub(crate) fn of(
        &self,
        source: usize,
        owner: Option<Slot>,
        origin: usize,
    ) -> impl Iterator<Item = usize> + '_ {
        let placements = self.0.get(source).map_or(&[][..], Vec::as_slice);
        placements.iter().map(move |placement| owner.map_or(origin, |slot| placement.rank_of(slot).index()))
    }
}
