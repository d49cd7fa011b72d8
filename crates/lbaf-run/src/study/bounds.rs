// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lower bounds: one for each problem, from which all of its competitors are measured.

use std::collections::BTreeMap;

use crate::summary::PhaseResult;
use crate::summary::bounds::Restriction;
use crate::summary::rounding::same;
use serde::{Deserialize, Serialize};

use super::cell_result::{CellResult, Values, exceeds_bounds};

/// The bound of a problem, and the distance of a result from it.
const LOWER_BOUND: &str = "lower_bound";
const ABOVE_BOUND: &str = "above_bound";

/// Lower bounds on the maximum work of a phase, whatever the strategy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Bounds {
    /// Holds for every placement.
    any: f64,
    /// Holds for placements that keep the upper bounds of the work model.
    within: f64,
}

impl Bounds {
    /// Those that a result brings along.
    pub(super) fn of(phase: &PhaseResult) -> Self {
        let general = phase.lower_bounds.iter().filter(|bound| bound.restriction.is_none());
        let bounds = general.map(|bound| {
            let any = if bound.within_bounds { 0.0 } else { bound.work };
            Bounds { any, within: bound.work }
        });
        bounds.fold(Bounds { any: 0.0, within: 0.0 }, Bounds::best)
    }

    /// The same as quantities of a result.
    pub(super) fn named(self) -> [(&'static str, f64); 2] {
        [self.any, self.within].map(|bound| (LOWER_BOUND, bound))
    }

    /// The better ones of both.
    fn best(self, other: Self) -> Self {
        Bounds { any: self.any.max(other.any), within: self.within.max(other.within) }
    }
}

/// A bound under a restriction of the strategy: that blocks stay whole.
pub(super) fn with_whole_blocks(phase: &PhaseResult) -> Option<f64> {
    let restricted = phase.restricted_bound.as_ref()?;
    (restricted.restriction == Restriction::WholeBlocks).then_some(restricted.bound.work)
}

/// What is known of a problem from all of its results.
struct ProblemBounds {
    bounds: Bounds,
    /// True if a result keeps the upper bounds of the work model.
    is_kept: bool,
}

impl ProblemBounds {
    /// The bound that a result with these values is measured from. One that exceeds upper bounds that others keep has
    /// none: it may cost less than any of them.
    fn bound(&self, values: &Values) -> Option<f64> {
        let Bounds { any, within } = self.bounds;
        if self.is_kept { (!exceeds_bounds(values)).then_some(within) } else { Some(any) }
    }
}

/// Measures all results from the bound of their problem: data, work model and phase. `problems` has the data of each cell.
pub(super) fn share(cells: &mut [CellResult], problems: &[Option<&str>]) {
    let mut known: BTreeMap<(Option<&str>, String, Option<u64>), ProblemBounds> = BTreeMap::new();
    for (cell, of) in cells.iter().zip(problems) {
        for row in &cell.rows {
            let Some(bounds) = row.bounds else { continue };
            let problem = known
                .entry((*of, cell.work_model.clone(), row.phase))
                .or_insert(ProblemBounds { bounds, is_kept: !exceeds_bounds(&row.values) });
            problem.bounds = problem.bounds.best(bounds);
            problem.is_kept |= !exceeds_bounds(&row.values);
        }
    }
    for (cell, of) in cells.iter_mut().zip(problems) {
        for row in &mut cell.rows {
            let Some(problem) = known.get(&(*of, cell.work_model.clone(), row.phase)) else { continue };
            for values in [&mut row.values, &mut row.start] {
                let Some(bound) = problem.bound(values) else { continue };
                let above = values.get("max_work").and_then(|&work| distance(work, bound));
                values.insert(LOWER_BOUND.to_owned(), bound);
                values.extend(above.map(|above| (ABOVE_BOUND.to_owned(), above)));
            }
        }
    }
}

/// The excess of work over a bound, relative to it.
fn distance(work: f64, bound: f64) -> Option<f64> {
    (bound > 0.0).then(|| if same(work, bound) { 0.0 } else { work / bound - 1.0 })
}
