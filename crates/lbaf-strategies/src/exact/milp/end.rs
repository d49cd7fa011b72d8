// SPDX-License-Identifier: MIT OR Apache-2.0
//! Limits of solvers, and the state in which they end.

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

/// Reason for which a solver stopped.
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

/// Result of a solver.
pub(super) struct End {
    pub(super) stop: Stop,
    /// Of all variables, where it has a solution.
    pub(super) values: Option<Vec<f64>>,
    /// No solution has a smaller largest work.
    pub(super) bound: Option<f64>,
    pub(super) n_nodes: u64,
    /// Reason for its failure.
    pub(super) message: String,
}

impl End {
    /// This one after another one about the same placements: what either proved holds.
    pub(super) fn after(self, before: &End) -> End {
        let bound = self.bound.into_iter().chain(before.bound).reduce(f64::max);
        End { bound, n_nodes: before.n_nodes + self.n_nodes, ..self }
    }
}
