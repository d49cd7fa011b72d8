// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is asked of a solver, and what it ends with.

use lbaf_milp::Formulated;
use lbaf_model::Assignment;

use super::MilpSolver;
use super::scaled::Scaled;

/// A bound of a solver is this part of it too high at most: solvers miss rows by about 1e-7, and whole numbers by 1e-6.
const TOLERANCE: f64 = 1e-6;

/// When to stop before everything is proven.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// Distance from the proven bound, as a part.
    pub(super) gap: f64,
    /// Nodes of the search tree.
    pub(super) max_nodes: u64,
    /// Seconds.
    pub(super) seconds: Option<f64>,
}

/// Why a solver stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// All is proven.
    Complete,
    /// There is no solution.
    Infeasible,
    Gap,
    Nodes,
    Time,
    /// Numbers that it could not cope with.
    Failed,
}

/// What a solver ended with.
pub(super) struct End {
    pub(super) stop: Stop,
    /// Of all columns, where it has a solution.
    pub(super) values: Option<Vec<f64>>,
    /// No solution has a smaller largest work.
    pub(super) bound: Option<f64>,
    pub(super) n_nodes: u64,
    /// Why it failed.
    pub(super) message: String,
}

/// Solves a program from a start.
///
/// # Errors
/// If the solver is not there.
pub(super) fn solve(
    solver: MilpSolver,
    formulated: &Formulated<'_>,
    start: &Assignment,
    limits: Limits,
) -> Result<End, String> {
    let scaled = Scaled::new(formulated.program());
    let start = formulated.values_of_placement(start);
    let mut end = match solver {
        MilpSolver::Microlp => super::microlp::solve(&scaled, &start, limits),
        #[cfg(feature = "highs")]
        MilpSolver::Highs => super::highs::solve(&scaled, &start, limits),
        #[cfg(not(feature = "highs"))]
        MilpSolver::Highs => return Err("HiGHS is not built in".to_owned()),
    };
    let finite = end.bound.filter(|bound| bound.is_finite());
    end.bound = finite.map(|bound| scaled.objective(bound)).map(|bound| bound - TOLERANCE * bound.abs());
    Ok(end)
}
