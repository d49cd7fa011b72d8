// SPDX-License-Identifier: MIT OR Apache-2.0
//! A search under way: the order of its moves, its limits, its statistics.

use lbaf_model::{Assignment, Totals, works};
use rand::RngExt;

use super::LocalSearch;
use super::front::Front;
use crate::primitives::exchange_search::{Reach, Search};
use crate::primitives::list_scheduling::relieved;
use crate::{Context, IterationStats, Problem};

/// A gain below this part of the best possible is none.
const LEAST_GAIN: f64 = 1e-7;

/// An iteration ends when the distance to the bound is this part of what it was.
const ITERATION: f64 = 0.5;

/// So much of the distance to the bound is progress, after which patience begins anew.
const PROGRESS: f64 = 0.01;

/// Looks at pairs of ranks: short ones, and longer ones where those found nothing.
const NEAR: Reach = Reach { n_ranks: 4, n_subsets: 512 };
const FAR: Reach = Reach { n_ranks: 32, n_subsets: 4096 };

/// What a search tries first where blocks count in memory that is bounded: single objects, which takes fewer migrations
/// on the way, or whole blocks, which gets further where memory is tight.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum First {
    Objects,
    Blocks,
}

/// The excess of the rank that is furthest over a bound, then what the rest costs: less is better.
pub(super) type Standing = (f64, Cost);

/// The largest work and the price of all migrations, then their number: less is better.
type Cost = (f64, usize);

/// Where searches start: ranks over a bound are back within it, as far as they can be.
pub(super) struct Relieved {
    assignment: Assignment,
    /// Objects that changed rank for that.
    n_moved: usize,
    /// Whether time ran out.
    pub(super) is_late: bool,
}

impl Relieved {
    /// Brings a placement back within bounds.
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
            // The last resort, if no more objects migrate than may.
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

/// A search that has not made anything yet.
fn begun<'p>(limits: &LocalSearch, problem: &Problem<'p>, start: &Assignment, bound: f64) -> Search<'p> {
    let totals = Totals::new(problem.phase, start.clone());
    let works = works(problem.model, problem.phase, totals.ranks());
    let mut search = Search::new(problem, totals, works);
    search.goal = bound * (1.0 + limits.gap);
    search.price = bound * limits.min_gain_per_migration;
    search.most_away = limits.most_away(problem.phase.n_objects());
    search
}

/// A search under way.
pub(super) struct Run<'r, 'p> {
    limits: &'r LocalSearch,
    /// No placement has a smaller maximum work.
    bound: f64,
    first: First,
    search: Search<'p>,
    /// What the best cost, and after how many exchanges.
    best: Cost,
    n_exchanges_to_best: usize,
    /// Objects that changed rank before the search, which the first iteration tells of.
    n_relieved: usize,
    iterations: Vec<(IterationStats, Assignment)>,
    /// Exchanges up to the end of every iteration.
    n_in_iterations: Vec<usize>,
    /// The largest work after the last one.
    last: f64,
    is_late: bool,
}

/// Where a search ended.
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

    /// Descends; then leaves where nothing gains by a kick, and descends again.
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
        // What came after the best moved objects for nothing, and no iteration tells of it.
        self.search.back_to(self.n_exchanges_to_best);
        self.n_in_iterations.retain(|&n_exchanges| n_exchanges <= self.n_exchanges_to_best);
        self.iterations.truncate(self.n_in_iterations.len());
        front.add(&self.search);
        let is_untold = self.search.n_exchanges() != self.n_told();
        if is_untold || self.n_relieved > 0 && self.iterations.is_empty() {
            self.end_iteration();
        }
        End {
            standing: (self.search.excess(), cost_of(&self.search)),
            assignment: self.search.into_parts().0.into_assignment(),
            iterations: self.iterations,
            is_late: self.is_late,
        }
    }

    /// Makes the next exchange: of what is looked for quickly first.
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

    /// Exchanges that iterations have told of.
    fn n_told(&self) -> usize {
        self.n_in_iterations.last().copied().unwrap_or(0)
    }

    /// Tells how things stand. O(objects + edges).
    fn end_iteration(&mut self) {
        let assignment = self.search.placement();
        let mut stats = IterationStats::of(&self.search.problem, assignment);
        stats.iteration = self.iterations.len() + 1;
        let n_relieved = if self.iterations.is_empty() { self.n_relieved } else { 0 };
        stats.n_transfers = n_relieved + self.search.n_moved_since(self.n_told());
        self.iterations.push((stats, assignment.clone()));
        self.n_in_iterations.push(self.search.n_exchanges());
        self.last = self.search.largest();
    }
}
