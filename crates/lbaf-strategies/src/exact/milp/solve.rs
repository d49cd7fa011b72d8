// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls of solvers.

use lbaf_milp::{Formulated, VariableId};
use lbaf_model::{Assignment, Work};

use super::MilpSolver;
use super::end::{End, Limits, Stop};
use super::scaled::Scaled;
use crate::Cancel;

/// Solves a program, given a start and its maximum work.
///
/// `keeps_bounds` checks the placement found. If the placement exceeds a bound, which the tolerance of the solver
/// permits, the solver runs again with a stricter bound, a limited number of times. The lower bound of the first run
/// remains valid.
///
/// # Errors
/// If lbaf was built without the solver.
pub(super) fn solve(
    solver: MilpSolver,
    formulated: &Formulated<'_>,
    (work, start): &(Work, Assignment),
    limits: Limits,
    keeps_bounds: impl Fn(&Assignment) -> bool,
    cancel: &Cancel,
) -> Result<End, String> {
    /// Maximum number of repetitions.
    const MOST: usize = 4;
    let mut scaled = Scaled::new(formulated.program(), work.cost());
    let start = formulated.values_of_placement(start);
    let mut end = ask(solver, &scaled, &start, limits, cancel)?;
    let proven = end.bound.map(|bound| scaled.proven(bound));
    end.bound = proven.filter(|bound| *bound > 0.0 && bound.is_finite());
    if end.stop == Stop::Infeasible && !work.is_over_bound() {
        let message = "it found no solution, although the start is one".to_owned();
        return Ok(End { stop: Stop::Failed, message, ..end });
    }
    for _ in 0..MOST {
        if cancel.is_cancelled() {
            break;
        }
        let Some(values) = &end.values else { break };
        if keeps_bounds(&formulated.placement_of_values(values)) || !scaled.keep_clear_of_missed(values) {
            break;
        }
        let left = Limits { max_nodes: limits.max_nodes.saturating_sub(end.n_nodes), ..limits };
        let again = ask(solver, &scaled, &start, left, cancel)?;
        end.n_nodes += again.n_nodes;
        if matches!(again.stop, Stop::Gap | Stop::Nodes | Stop::Time | Stop::Failed) {
            (end.stop, end.message) = (again.stop, again.message);
        }
        end.values = again.values;
    }
    Ok(end)
}

fn ask(
    solver: MilpSolver,
    scaled: &Scaled<'_>,
    start: &[(VariableId, f64)],
    limits: Limits,
    cancel: &Cancel,
) -> Result<End, String> {
    match solver {
        MilpSolver::Microlp => Ok(super::microlp::solve(scaled, start, limits, cancel)),
        #[cfg(feature = "highs")]
        MilpSolver::Highs => Ok(super::highs::solve(scaled, start, limits)),
        #[cfg(not(feature = "highs"))]
        MilpSolver::Highs => Err("this lbaf was built without HiGHS".to_owned()),
    }
}
