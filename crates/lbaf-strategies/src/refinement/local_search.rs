// SPDX-License-Identifier: MIT OR Apache-2.0
//! `LocalSearch`: exchanges from the current placement towards the lower bound.

use lbaf_model::best_lower_bound;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::constructive::multifit::multifit;
use crate::parameters::parameters;
use crate::primitives::exchange_search::has_bounded_blocks;
use crate::{Context, Multifit, Outcome, Problem, Strategy, StrategyError};

mod front;
mod run;

use front::Front;
use run::{First, Relieved, Run};

/// Improves the current placement by exchanges of the rank with the most work.
///
/// In each step, this rank gives objects to a rank with less work or exchanges objects: one, several, or the
/// objects of memory blocks. In an ejection chain, an object goes to a second rank, and an object of the second
/// rank goes to a third rank.
///
/// **When to use it.** If few migrations are wanted. The exchange with the largest gain per migration comes first,
/// and the search stops when the maximum work is within `gap` of a proven lower bound. All terms of the work model
/// count. The strategy also reports a Pareto front of migrations and maximum work, which other strategies may
/// improve. For up to about 22 objects, `BruteForce` finds and proves the optimum.
///
/// **Bounds.** If possible, ranks over a bound are first brought back within the bound. After that, no exchange
/// takes a rank or node further over a bound. If a bound on the memory of ranks includes blocks, ranks also
/// exchange blocks and parts of blocks. The strategy then runs two searches, one with blocks first and one with
/// single objects first. The better result counts, and the front covers both searches.
///
/// **Cost.** O(n log n) once, for n objects. An exchange takes at least about ten thousand evaluations of O(log n)
/// each, and at most a few milliseconds. `patience`, `max_steps` and `time_limit` limit the cost. Exchanges are made one after the
/// other. Threads share the evaluation of long lists of exchanges, which follows if the few ranks with the least work
/// offer none; each short list takes less time than its distribution to threads.
///
/// **Reference.** Moves and swaps between the most loaded machine and others: G. Finn, E. Horowitz, A linear time
/// approximation algorithm for multiprocessor scheduling, BIT 19 (1979), doi:10.1007/BF01930985. Subsets of two
/// ranks: E. Horowitz, S. Sahni, J. ACM 21 (1974), doi:10.1145/321812.321823. Ejection chains: F. Glover, Discrete
/// Appl. Math. 65 (1996), doi:10.1016/0166-218X(94)00037-E. Perturbation of local optima: H. Lourenço, O. Martin,
/// T. Stützle, Iterated local search (2003), doi:10.1007/0-306-48056-5_11. Few migrations: G. Aggarwal, R.
/// Motwani, A. Zhu, The load rebalancing problem, J. Algorithms 60 (2006), doi:10.1016/j.jalgor.2004.10.002.
///
/// **Other implementations.** LBAF and vt have none. Charm++'s refinement strategies never exchange objects.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LocalSearch {
    /// Placement from which the search starts: the `present` one, or the result of `multifit`, in which nearly all
    /// objects have migrated (present). `multifit` cannot be combined with a limit on migrations.
    pub start: SearchStart,
    /// Relative gap to the best lower bound at which the search ends (5e-4).
    pub gap: f64,
    /// Maximum number of objects that may migrate; no limit if absent (absent).
    pub max_migrations: Option<usize>,
    /// Maximum number of objects that may migrate, as a fraction of all objects from 0 to 1; no limit if absent
    /// (absent).
    pub max_migrated_fraction: Option<f64>,
    /// Minimum gain of a migration, as a fraction of the best lower bound (0). An exchange is not made if it
    /// reduces the work of a rank by less than this gain for each additional migration. Of the placements
    /// found, the result is the one with the smallest sum of the maximum work and this gain times the number of
    /// migrations.
    pub min_gain_per_migration: f64,
    /// Number of perturbations without progress after which the search ends (20). When no exchange gains any more,
    /// the search exchanges a few random objects and continues from there. Progress resets the count.
    pub patience: usize,
    /// Maximum number of exchanges, not counting exchanges that restore bounds; no limit if absent (absent). An
    /// ejection chain or a perturbation at the end may exceed the limit by a few exchanges.
    pub max_steps: Option<usize>,
    /// Seconds after which the search ends with its best result; no limit if absent (absent). A search that is cut
    /// off is not reproducible.
    pub time_limit: Option<f64>,
}

/// Start of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SearchStart {
    /// The current placement.
    #[default]
    Present,
    /// The placement of MULTIFIT.
    Multifit,
}

impl Default for LocalSearch {
    fn default() -> Self {
        LocalSearch {
            start: SearchStart::Present,
            gap: 5e-4,
            max_migrations: None,
            max_migrated_fraction: None,
            min_gain_per_migration: 0.0,
            patience: 20,
            max_steps: None,
            time_limit: None,
        }
    }
}

impl Strategy for LocalSearch {
    fn name(&self) -> &'static str {
        "LocalSearch"
    }

    fn parameters(&self) -> Value {
        parameters(self)
    }

    fn honours_bounds(&self) -> bool {
        true
    }

    fn repairs_bounds(&self) -> bool {
        true
    }

    fn limits_migrations(&self) -> bool {
        self.max_migrations.is_some() || self.max_migrated_fraction.is_some()
    }

    fn time_limit(&self) -> Option<f64> {
        self.time_limit
    }

    fn uses_random_numbers(&self) -> bool {
        self.patience > 0
    }

    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        self.check()?;
        let start = match self.start {
            SearchStart::Present => problem.initial.clone(),
            SearchStart::Multifit => multifit(problem, Multifit::default().bisections, context.cancel()),
        };
        context.check()?;
        let bound = best_lower_bound(problem.phase, problem.model).work;
        let mut front = Front::default();
        let start = Relieved::new(self, problem, start, bound, context);
        let mut searched = |first| Run::new(self, problem, &start, bound, first).go(context, &mut front);
        let mut best = searched(First::Objects);
        let mut is_late = best.is_late;
        if has_bounded_blocks(problem) {
            let other = searched(First::Blocks);
            is_late |= other.is_late;
            if other.standing < best.standing {
                best = other;
            }
        }
        context.check()?;
        for (stats, assignment) in &best.iterations {
            context.iteration(stats, assignment);
        }
        let n_migrations = best.assignment.migrations_from(problem.initial).count();
        let mut outcome = Outcome::at_once(best.assignment);
        outcome.best_iteration = best.iterations.len();
        outcome.iterations = best.iterations.into_iter().map(|(stats, _)| stats).collect();
        outcome.front = front.into_points(n_migrations);
        if let Some(limit) = self.time_limit.filter(|_| is_late) {
            outcome.notes.push(format!(
                "the search was stopped after {limit} s; another run may find a different placement"
            ));
        }
        Ok(outcome)
    }
}

impl LocalSearch {
    fn check(&self) -> Result<(), StrategyError> {
        let wrong = |key: &str, message: &str| {
            let (key, message) = (key.to_owned(), message.to_owned());
            Err(StrategyError::Parameter { strategy: self.name(), key, message })
        };
        let is_number = |value: f64| value >= 0.0 && value.is_finite();
        if !is_number(self.gap) {
            return wrong("gap", "must be a finite, non-negative number");
        }
        if !is_number(self.min_gain_per_migration) {
            return wrong("min_gain_per_migration", "must be a finite, non-negative number");
        }
        if self.max_migrated_fraction.is_some_and(|part| !(0.0..=1.0).contains(&part)) {
            return wrong("max_migrated_fraction", "must be a number from 0 to 1");
        }
        if self.start == SearchStart::Multifit && self.limits_migrations() {
            return wrong(
                "start",
                "a limit on migrations requires `present`, because MULTIFIT migrates nearly all objects",
            );
        }
        if self.time_limit.is_some_and(|seconds| !is_number(seconds)) {
            return wrong("time_limit", "must be a finite, non-negative number of seconds");
        }
        Ok(())
    }

    /// Returns the number of objects that may migrate, the smaller of both limits; `usize::MAX` without a limit.
    fn most_away(&self, n_objects: usize) -> usize {
        #[expect(clippy::cast_sign_loss, reason = "a fraction of a number of objects, checked above")]
        let part = self.max_migrated_fraction.map(|part| (part * n_objects as f64).floor() as usize);
        part.into_iter().chain(self.max_migrations).min().unwrap_or(usize::MAX)
    }
}
