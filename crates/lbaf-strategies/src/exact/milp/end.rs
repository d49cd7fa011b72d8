// SPDX-License-Identifier: MIT OR Apache-2.0
//! Limits of solvers, and their results.

/// Limits at which a solver stops before the proof is complete.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// Relative gap between the solution and the proven lower bound.
    pub(super) gap: f64,
    /// Nodes of the search tree.
    pub(super) max_nodes: u64,
    /// Seconds of wall-clock time.
    pub(super) seconds: Option<f64>,
}

/// Reason why a solver stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The solution is proven to be optimal.
    Complete,
    /// The program has no solution.
    Infeasible,
    Gap,
    Nodes,
    Time,
    /// Numerical failure.
    Failed,
}

/// Result of a solver.
pub(super) struct End {
    pub(super) stop: Stop,
    /// Values of all variables, if there is a solution.
    pub(super) values: Option<Vec<f64>>,
    /// Lower bound on the maximum work of every solution. Solvers return it in scaled units; `solve` converts it.
    pub(super) bound: Option<f64>,
    pub(super) n_nodes: u64,
    /// Reason for a failure.
    pub(super) message: String,
}

impl End {
    /// Combines this result with that of an earlier program for the same placements: both proven bounds hold.
    pub(super) fn after(self, before: &End) -> End {
        let bound = self.bound.into_iter().chain(before.bound).reduce(f64::max);
        End { bound, n_nodes: before.n_nodes + self.n_nodes, ..self }
    }
}
