// SPDX-License-Identifier: MIT OR Apache-2.0
//! Local search from the present placement, exchange by exchange, towards the lower bound.

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

/// Improves the placement that there is: again and again the rank with most work gives something away or exchanges
/// it, with a rank that has less: an object, a few, parts of memory blocks, or an object that makes room for another.
///
/// **When to use it.** Where few migrations have to do: it moves what is worth most for each migration first, and stops
/// as soon as the largest work is within `gap` of a proven bound. It counts all that the work model counts, and says
/// what fewer migrations came to on its way: a front of migrations against work, on which others may still be better.
/// On a few dozen objects `BruteForce` finds, and proves, what is best.
///
/// **Bounds.** What is over a bound is brought back within it first, where possible, by giving and by exchange. After that no rank and no node
/// gets further over a bound. Where memory holds few blocks, ranks exchange whole blocks and parts of blocks: two
/// searches, of which one tries these first and the other single objects; the better counts, and the front is of both.
///
/// **Cost.** O(n log n) for n objects, O(log n) for each of some ten thousand looks per exchange where one is found at
/// once. An exchange that no rank finds easily takes up to some milliseconds; `patience`, `max_steps` and `time_limit`
/// bound it.
///
/// **Reference.** Moves and swaps between the most loaded machine and others: G. Finn, E. Horowitz, A linear time
/// approximation algorithm for multiprocessor scheduling, BIT 19 (1979), doi:10.1007/BF01930985. Subsets of two
/// ranks: E. Horowitz, S. Sahni, J. ACM 21 (1974), doi:10.1145/321812.321823. Chains: F. Glover, Discrete Appl.
/// Math. 65 (1996), doi:10.1016/0166-218X(94)00037-E. Going on from where nothing gains: H. Lourenço, O. Martin,
/// T. Stützle, Iterated local search (2003), doi:10.1007/0-306-48056-5_11. Few migrations: G. Aggarwal, R. Motwani,
/// A. Zhu, The load rebalancing problem, J. Algorithms 60 (2006), doi:10.1016/j.jalgor.2004.10.002.
///
/// **Other implementations.** LBAF and vt have none. Charm++'s refining balancers move single objects off ranks
/// that are above a threshold, and never exchange.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LocalSearch {
    /// Where it starts: from the `present` placement, or from what `multifit` makes of it, with nearly all objects
    /// migrated, which no limit of migrations goes with (present).
    pub start: SearchStart,
    /// It ends when the largest work is at most so much above the best lower bound, relative to it (5e-4).
    pub gap: f64,
    /// Objects that may be on another rank than at the start, at most; no limit if absent (absent).
    pub max_migrations: Option<usize>,
    /// The same as a part of all objects, from 0 to 1; no limit if absent (absent).
    pub max_migrated_fraction: Option<f64>,
    /// What a migration has to gain, as a part of the best lower bound: exchanges that take less off the work of a rank for
    /// each object more that migrates are not made, and the search ends where the largest work and that much for each
    /// migration are least (0).
    pub min_gain_per_migration: f64,
    /// Where nothing gains any more, so many times some objects are exchanged all the same, and the search goes on
    /// from there; each time it comes to something, the count begins anew (20).
    pub patience: usize,
    /// Exchanges, at most, without those that bring ranks back within bounds; a chain at the end may be some more; no
    /// limit if absent (absent).
    pub max_steps: Option<usize>,
    /// Seconds after which it ends with what it has; no limit if absent. What was cut off so is not repeatable
    /// (absent).
    pub time_limit: Option<f64>,
}

/// Where a search starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SearchStart {
    /// Where objects are.
    #[default]
    Present,
    /// Where MULTIFIT puts them.
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

    fn draws(&self) -> bool {
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
                "the search was cut off after {limit} s, so that another run may find another placement"
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
            return wrong("gap", "must be a finite number that is not negative");
        }
        if !is_number(self.min_gain_per_migration) {
            return wrong("min_gain_per_migration", "must be a finite number that is not negative");
        }
        if self.max_migrated_fraction.is_some_and(|part| !(0.0..=1.0).contains(&part)) {
            return wrong("max_migrated_fraction", "must be a number from 0 to 1");
        }
        if self.start == SearchStart::Multifit && self.limits_migrations() {
            return wrong("start", "a limit of migrations needs `present`: MULTIFIT moves nearly everything");
        }
        if self.time_limit.is_some_and(|seconds| !is_number(seconds)) {
            return wrong("time_limit", "must be a finite number of seconds that is not negative");
        }
        Ok(())
    }

    /// How many of so many objects may migrate.
    fn most_away(&self, n_objects: usize) -> usize {
        #[expect(clippy::cast_sign_loss, reason = "a part of a number of objects, checked above")]
        let part = self.max_migrated_fraction.map(|part| (part * n_objects as f64).floor() as usize);
        part.into_iter().chain(self.max_migrations).min().unwrap_or(usize::MAX)
    }
}
