// SPDX-License-Identifier: MIT OR Apache-2.0
//! Results of strategies.

use lbaf_model::Assignment;

use crate::{Communication, IterationStats, Problem, Protocol};

/// Result of a strategy.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Rank of every object.
    pub assignment: Assignment,
    /// Communication pattern by which ranks would obtain the assignment.
    pub protocol: Protocol,
    /// Statistics of each iteration. If empty, the driver adds a single entry.
    pub iterations: Vec<IterationStats>,
    /// Number of the iteration that found the assignment, from 1; 0 for the initial assignment, if no iteration was
    /// better. Meaningless if `iterations` is empty.
    pub best_iteration: usize,
    /// Proven lower bound on the maximum work of any placement. If the strategy [keeps blocks
    /// whole](crate::Strategy::keeps_blocks_whole), it applies only to placements with the migratable objects of each
    /// block on one rank.
    pub proven_bound: Option<f64>,
    /// True if the strategy has proven that, among the placements to which [`proven_bound`](Self::proven_bound)
    /// applies, none is better by more than the requested gap. `None` for strategies that prove nothing.
    pub is_proven: Option<bool>,
    /// Pareto front of the placements found with at most as many migrations as the assignment, in ascending order of
    /// migrations and descending order of maximum work. Empty for strategies without a front.
    pub front: Vec<FrontPoint>,
    /// Notes for the user on the run, one sentence each.
    pub notes: Vec<String>,
}

/// Point of the Pareto front of migrations and maximum work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrontPoint {
    /// Number of objects on another rank than at the start.
    pub n_migrations: usize,
    /// Maximum work over ranks.
    pub max_work: f64,
    /// Imbalance of rank loads.
    pub load_imbalance: f64,
}

impl Outcome {
    /// Creates the outcome of a strategy without iterations that computes the placement on one rank
    /// ([`Protocol::Central`]), without proofs, front and notes. Other fields can be set with `Outcome { notes,
    /// ..Outcome::at_once(assignment) }`.
    pub fn at_once(assignment: Assignment) -> Self {
        Outcome {
            assignment,
            protocol: Protocol::Central,
            iterations: Vec::new(),
            best_iteration: 0,
            proven_bound: None,
            is_proven: None,
            front: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Creates the outcome of a strategy without messages ([`Protocol::Silent`]).
    pub fn silent(assignment: Assignment) -> Self {
        Outcome { protocol: Protocol::Silent, ..Outcome::at_once(assignment) }
    }

    /// Returns the messages and bytes that ranks would exchange to obtain this outcome. O(objects + iterations).
    pub(crate) fn communication(&self, problem: &Problem<'_>) -> Communication {
        match self.protocol {
            Protocol::Central => {
                let n_migrations = self.assignment.migrations_from(problem.initial).count();
                Communication::central(problem, n_migrations)
            }
            Protocol::Peers => {
                let messages = self.iterations.iter().map(|iteration| iteration.n_messages);
                Communication::between_peers(problem.phase.n_ranks(), messages.fold(0, u64::saturating_add))
            }
            Protocol::Silent => Communication::default(),
            Protocol::Stated(communication) => communication,
        }
    }
}
