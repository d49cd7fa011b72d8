// SPDX-License-Identifier: MIT OR Apache-2.0
//! A search under way: what is tried in which order, when it ends, and what it tells.

use lbaf_model::{Assignment, Totals, works};
use rand::RngExt;

use super::LocalSearch;
use super::front::Front;
use super::pairs::Reach;
use super::search::Search;
use crate::driver::standing;
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

/// The excess of the rank that is furthest over a bound, the largest work, and what it took: less is better.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub(super) struct Standing {
    excess: f64,
    largest: f64,
    n_away: usize,
}

impl Standing {
    /// O(ranks) where anything is bounded.
    fn of(search: &Search<'_>) -> Self {
        let excess = search.works.iter().map(|work| work.excess()).fold(0.0, f64::max);
        Standing { excess, largest: search.largest(), n_away: search.n_away() }
    }
}

/// A search under way.
pub(super) struct Run<'r, 'p> {
    limits: &'r LocalSearch,
    /// No placement has a smaller maximum work.
    bound: f64,
    first: First,
    search: Search<'p>,
    /// How it stood when it was best, and after how many exchanges.
    best: (f64, usize),
    n_exchanges_to_best: usize,
    /// Exchanges that brought ranks back within bounds.
    n_relieved: usize,
    iterations: Vec<(IterationStats, Assignment)>,
    /// Exchanges in the iterations so far, and the largest work after them.
    n_in_iterations: usize,
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
    /// Starts from a placement, of which ranks over a bound are brought back within it.
    pub(super) fn new(
        limits: &'r LocalSearch,
        problem: &Problem<'p>,
        start: &Assignment,
        bound: f64,
        first: First,
    ) -> Self {
        let totals = Totals::new(problem.phase, start.clone());
        let works = works(problem.model, problem.phase, totals.ranks());
        let mut search = Search::new(problem, totals, works);
        search.goal = bound * (1.0 + limits.gap);
        search.price = bound * limits.min_gain_per_migration;
        search.most_away = limits.most_away(problem.phase.n_objects());
        search.relieve();
        Run {
            limits,
            bound,
            first,
            best: (search.largest(), search.n_away()),
            n_exchanges_to_best: search.n_exchanges(),
            n_relieved: search.n_exchanges(),
            iterations: Vec::new(),
            n_in_iterations: 0,
            last: search.largest(),
            is_late: false,
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
            let (made, before) = (self.search.n_exchanges(), self.standing());
            left -= 1;
            if !self.search.kick(&mut || random.random()) {
                continue;
            }
            while !self.is_over(context) && self.step() {}
            let now = self.standing();
            let price = self.search.price * now.1.saturating_sub(before.1) as f64;
            if now > before || now.0 > before.0 - price {
                self.search.back_to(made);
                continue;
            }
            if now.0 < before.0 - PROGRESS * (before.0 - self.bound) {
                left = self.limits.patience;
            }
            self.note(front);
        }
        // What came after the best moved objects for nothing.
        self.search.back_to(self.n_exchanges_to_best);
        front.add(&self.search);
        if self.search.n_exchanges() != self.n_in_iterations {
            self.end_iteration();
        }
        End {
            standing: Standing::of(&self.search),
            assignment: self.search.into_parts().0.into_assignment(),
            iterations: self.iterations,
            is_late: self.is_late,
        }
    }

    /// The largest work, and what it took: less of either is better.
    fn standing(&self) -> (f64, usize) {
        (self.search.largest(), self.search.n_away())
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
        let n_steps = self.search.n_exchanges() - self.n_relieved;
        self.is_late = self.is_late || context.is_late(self.limits.time_limit);
        self.is_late
            || self.search.largest() <= self.search.goal
            || self.limits.max_steps.is_some_and(|most| n_steps >= most)
    }

    fn note(&mut self, front: &mut Front) {
        if self.standing() < self.best {
            (self.best, self.n_exchanges_to_best) = (self.standing(), self.search.n_exchanges());
        }
        front.note(&self.search, self.bound);
        if self.search.largest() - self.bound <= ITERATION * (self.last - self.bound) {
            self.end_iteration();
        }
    }

    /// Tells how things stand. O(objects + edges).
    fn end_iteration(&mut self) {
        let assignment = self.search.placement();
        let mut stats = standing(&self.search.problem, assignment);
        stats.iteration = self.iterations.len() + 1;
        stats.n_transfers = self.search.n_moved_since(self.n_in_iterations);
        self.iterations.push((stats, assignment.clone()));
        self.n_in_iterations = self.search.n_exchanges();
        self.last = self.search.largest();
    }
}
