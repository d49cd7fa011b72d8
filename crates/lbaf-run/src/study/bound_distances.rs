// SPDX-License-Identifier: MIT OR Apache-2.0
//! Gaps of results: relative distances from the lower bound of their problem, which competitors share.

use std::collections::BTreeMap;

use super::bounds::{Bounds, LOWER_BOUND};
use super::cell_result::{CellResult, Values, exceeds_bounds};
use crate::summary::rounding::same;

/// Name of the gap among the quantities of a result.
const ABOVE_BOUND: &str = "above_bound";

/// Highest lower bounds in the results of a problem.
struct ProblemBounds {
    bounds: Bounds,
    /// True if a result satisfies the upper bounds of the work model.
    is_kept: bool,
}

impl ProblemBounds {
    /// Returns the lower bound for a result with these values. `None` for an infeasible result if another is feasible:
    /// an infeasible result may have less work than every feasible one.
    fn bound(&self, values: &Values) -> Option<f64> {
        let Bounds { any, within } = self.bounds;
        if self.is_kept { (!exceeds_bounds(values)).then_some(within) } else { Some(any) }
    }
}

/// Adds lower bound and gap to the results of phases. Results with the same data, work model and phase share a bound.
/// `problems` identifies the data of each cell.
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

/// Returns the excess of work over a bound, relative to the bound; `None` if the bound is 0.
fn distance(work: f64, bound: f64) -> Option<f64> {
    (bound > 0.0).then(|| if same(work, bound) { 0.0 } else { work / bound - 1.0 })
}
