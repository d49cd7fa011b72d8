// SPDX-License-Identifier: MIT OR Apache-2.0
//! Run of a search: order of exchanges, limits, statistics.

use lbaf_model::{Assignment, Totals, works};
use rand::RngExt;

use super::LocalSearch;
use super::front::Front;
use crate::primitives::exchange_search::{Reach, Search};
use crate::primitives::list_scheduling::relieved;
use crate::{Context, IterationStats, Problem};

/// Minimum gain of an exchange, as a fraction of the best lower bound.
const LEAST_GAIN: f64 = 1e-7;

/// An iteration ends when the gap to the lower bound has fallen to this fraction of the gap at its start.
const ITERATION: f64 = 0.5;

/// Decrease of the cost that counts as progress, as a fraction of the difference from the lower bound.
const PROGRESS: f64 = 0.01;

/// Extents of searches over pairs of ranks. `FAR` is used if `NEAR` finds nothing.
const NEAR: Reach = Reach { n_ranks: 4, n_subsets: 512 };
const FAR: Reach = Reach { n_ranks: 32, n_subsets: 4096 };

/// Exchanges that a search tries first if blocks count towards bounded memory. Single objects require fewer
/// migrations; whole blocks lead to a better balance if memory is tight.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum First {
    Objects,
    Blocks,
}

/// Largest excess over a bound, then cost; less is better.
pub(super) type Standing = (f64, Cost);

/// Maximum work plus the price of all migrations, then number of migrations; less is better.
type Cost = (f64, usize);

/// Start of a search after the repair of bounds.
pub(super) struct Relieved {
    assignment: Assignment,
    /// Number of objects moved by the repair.
    n_moved: usize,
    /// True if the time limit expired or a stop was requested during the repair.
    pub(super) is_late: bool,
}

impl Relieved {
    /// Brings a placement back within bounds as far as possible.
    pub(super) fn new(
        limits: &LocalSearch,
        problem: &Problem<'_>,
        start: Assignment,
        bound: f64,
        context: &Context<'_>,
    ) -> Self {
        if problem.model.bounds().is_empty() {
            return Relieved { assignment: start, n_moved: 0, is_late: false };
        }
        let mut search = begun(limits, problem, &start, bound);
        let is_late = !search.relieve(&|| context.is_late(limits.time_limit) || context.check().is_err());
        let mut assignment = search.placement().clone();
        if search.excess() > 0.0 && !is_late {
            // Last resort, within the limit on migrations.
            let handed_out = relieved(problem, &assignment, context.cancel());
            if handed_out.migrations_from(problem.initial).count() <= search.most_away {
                assignment = handed_out;
            }
        }
        let n_moved = assignment.migrations_from(&start).count();
        Relieved { assignment, n_moved, is_late }
    }
}

fn cost_of(search: &Search<'_>) -> Cost {
    (search.largest() + search.price * search.n_away() as f64, search.n_away())
}

/// Creates a search.
fn begun<'p>(limits: &LocalSearch, problem: &Problem<'p>, start: &Assignment, bound: f64) -> Search<'p> {
    let totals = Totals::new(problem.phase, start.clone());
    let works = works(problem.model, problem.phase, totals.ranks());
    let mut search = Search::new(problem, totals, works);
    search.goal = bound * (1.0 + limits.gap);
    search.price = bound * limits.min_gain_per_migration;
    search.most_away = limits.most_away(problem.phase.n_objects());
    search
}

/// A running search.
pub(super) struct Run<'r, 'p> {
    limits: &'r LocalSearch,
    /// Lower bound of the maximum work.
    bound: f64,
    first: First,
    search: Search<'p>,
    /// Cost of the best placement so far, and number of exchanges up to this placement.
    best: Cost,
    n_exchanges_to_best: usize,
    /// Number of objects moved before the search, part of the first iteration.
    n_relieved: usize,
    iterations: Vec<(IterationStats, Assignment)>,
    /// Number of exchanges up to the end of each iteration.
    n_in_iterations: Vec<usize>,
    /// Maximum work after the last iteration.
    last: f64,
    is_late: bool,
}

/// Result of a search.
pub(super) struct End {
    pub(super) assignment: Assignment,
    pub(super) standing: Standing,
    pub(super) iterations: Vec<(IterationStats, Assignment)>,
    pub(super) is_late: bool,
}

impl<'r, 'p> Run<'r, 'p> {
    pub(super) fn new(
        limits: &'r LocalSearch,
        problem: &Problem<'p>,
        start: &Relieved,
        bound: f64,
        first: First,
    ) -> Self {
        let search = begun(limits, problem, &start.assignment, bound);
        Run {
            limits,
            bound,
            first,
            best: cost_of(&search),
            n_exchanges_to_best: 0,
            n_relieved: start.n_moved,
            iterations: Vec::new(),
            n_in_iterations: Vec::new(),
            last: search.largest(),
            is_late: start.is_late,
            search,
        }
    }

    /// Descends to a local optimum, then repeatedly perturbs the placement and descends again. Returns to the best
    /// placement at the end.
    pub(super) fn go(mut self, context: &mut Context<'_>, front: &mut Front) -> End {
        front.add(&self.search);
        while !self.is_over(context) && self.step() {
            self.note(front);
        }
        let mut random = context.stream(0);
        let mut left = self.limits.patience;
        while left > 0 && !self.is_over(context) {
            let (made, before) = (self.search.n_exchanges(), cost_of(&self.search));
            left -= 1;
            if !self.search.perturb(&mut || random.random()) {
                continue;
            }
            while !self.is_over(context) && self.step() {}
            let now = cost_of(&self.search);
            if now > before {
                self.search.back_to(made);
                continue;
            }
            if now.0 < before.0 - PROGRESS * (before.0 - self.bound) {
                left = self.limits.patience;
            }
            self.note(front);
        }
        // Exchanges after the best placement are undone and belong to no iteration.
        self.search.back_to(self.n_exchanges_to_best);
        self.n_in_iterations.retain(|&n_exchanges| n_exchanges <= self.n_exchanges_to_best);
        self.iterations.truncate(self.n_in_iterations.len());
        front.add(&self.search);
        let is_unrecorded = self.search.n_exchanges() != self.n_recorded();
        if is_unrecorded || self.n_relieved > 0 && self.iterations.is_empty() {
            self.end_iteration();
        }
        End {
            standing: (self.search.excess(), cost_of(&self.search)),
            assignment: self.search.into_parts().0.into_assignment(),
            iterations: self.iterations,
            is_late: self.is_late,
        }
    }

    /// Makes the next exchange, cheap kinds first (or blocks first, see [`First`]). Returns false if no exchange gains
    /// enough.
    fn step(&mut self) -> bool {
        let least = LEAST_GAIN * self.bound;
        let slack = self.search.goal - self.bound;
        let first = self.first;
        let search = &mut self.search;
        (first == First::Blocks && search.share_blocks(slack, least))
            || search.exchange_at_once(least)
            || search.exchange_with_few(least)
            || search.give_many(least)
            || search.share_blocks(slack, least)
            || search.join_partners(least)
            || search.exchange_subsets(NEAR, least)
            || search.exchange_subsets(FAR, least)
            || search.exchange_for_many(least)
            || search.exchange_with_many(least)
            || search.chain(least)
    }

    fn is_over(&mut self, context: &Context<'_>) -> bool {
        let is_done = self.search.largest() <= self.search.goal
            || self.limits.max_steps.is_some_and(|most| self.search.n_exchanges() >= most);
        if !is_done && context.is_late(self.limits.time_limit) {
            self.is_late = true;
        }
        is_done || self.is_late || context.check().is_err()
    }

    fn note(&mut self, front: &mut Front) {
        let now = cost_of(&self.search);
        if now < self.best {
            (self.best, self.n_exchanges_to_best) = (now, self.search.n_exchanges());
        }
        front.note(&self.search, self.bound);
        if self.search.largest() - self.bound <= ITERATION * (self.last - self.bound) {
            self.end_iteration();
        }
    }

    /// Returns the number of exchanges that belong to recorded iterations.
    fn n_recorded(&self) -> usize {
        self.n_in_iterations.last().copied().unwrap_or(0)
    }

    /// Records the statistics of an iteration. O(objects + edges).
    fn end_iteration(&mut self) {
        let assignment = self.search.placement();
        let mut stats = IterationStats::of(&self.search.problem, assignment);
        stats.iteration = self.iterations.len() + 1;
        let n_relieved = if self.iterations.is_empty() { self.n_relieved } else { 0 };
        stats.n_transfers = n_relieved + self.search.n_moved_since(self.n_recorded());
        self.iterations.push((stats, assignment.clone()));
        self.n_in_iterations.push(self.search.n_exchanges());
        self.last = self.search.largest();
    }
}
