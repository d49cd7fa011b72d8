// SPDX-License-Identifier: MIT OR Apache-2.0
//! Results of strategies.

use lbaf_model::Assignment;

use crate::{Communication, IterationStats, Problem, Protocol};

/// Result of a strategy.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The rank of every object.
    pub assignment: Assignment,
    /// The way in which ranks of a real run would come to it.
    pub protocol: Protocol,
    /// One entry for each iteration. Strategies that place everything at once leave it empty; the driver fills
    /// in the only one.
    pub iterations: Vec<IterationStats>,
    /// The iteration that the assignment was found in, 0 if it is where the strategy started: iterations may end
    /// worse than the best of them. Without iterations of no meaning.
    pub best_iteration: usize,
    /// A maximum work that no placement is below, where the strategy has proven one; if it
    /// [keeps blocks whole](crate::Strategy::keeps_blocks_whole), no placement with all migratable objects of each block on one rank.
    pub proven_bound: Option<f64>,
    /// True if the strategy has proven that no placement is better, or none by more than it was asked for, of those that
    /// [`proven_bound`](Self::proven_bound) is about; `None` where it proves nothing of the kind.
    pub is_proven: Option<bool>,
    /// Best results with fewer migrations, as far as the strategy saw them: by number of migrations, each
    /// point with less work than the one before. Empty where a strategy does not say.
    pub front: Vec<FrontPoint>,
    /// Notes for the user on the run, one sentence each.
    pub notes: Vec<String>,
}

/// A placement on the way to the last one, that none with as few migrations was better than.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrontPoint {
    /// Objects on another rank than at the start.
    pub n_migrations: usize,
    /// Maximum work over ranks.
    pub max_work: f64,
    /// Imbalance of rank loads.
    pub load_imbalance: f64,
}

impl Outcome {
    /// The outcome of a strategy without iterations that decides in one place ([`Protocol::Central`]), proves nothing and has
    /// no notes. Other fields can be set with `Outcome { notes, ..Outcome::at_once(assignment) }`.
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

    /// The same for a strategy in which each rank knows its part without a message ([`Protocol::Silent`]).
    pub fn silent(assignment: Assignment) -> Self {
        Outcome { protocol: Protocol::Silent, ..Outcome::at_once(assignment) }
    }

    /// Messages and bytes by which ranks of a real run come to this outcome. O(objects + ranks).
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
