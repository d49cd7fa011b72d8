// SPDX-License-Identifier: MIT OR Apache-2.0
//! Depth-first branch and bound that can be paused, continued and divided.

use lbaf_model::{Assignment, Work};

use super::comparison::beats;
use super::instance::Instance;
use super::partial::Partial;
use crate::Cancel;

/// Search over the completions of some partial placements.
#[derive(Clone)]
pub(super) struct Search {
    partial: Partial,
    /// Remaining choices, by depth.
    levels: Vec<Level>,
    choices: Vec<Choice>,
    /// Best known work: of the start, or found here or by another search.
    best: Work,
    /// Best placement found since the last call of [`take_found`](Self::take_found).
    found: Option<Assignment>,
    n_steps: u64,
}

/// Choices for one unit: a range of `choices`.
#[derive(Clone, Copy)]
struct Level {
    next: usize,
    end: usize,
}

/// Rank for the next unit, with a lower bound on all completions.
#[derive(Clone, Copy)]
struct Choice {
    rank: usize,
    least: Work,
    /// Lower bound on the work of the rank itself after this choice.
    here: Work,
}

impl Search {
    /// Creates a search over all placements for one better than `best`.
    pub(super) fn new(instance: &Instance<'_>, best: Work) -> Self {
        let partial = Partial::new(instance);
        let mut search =
            Search { partial, levels: Vec::new(), choices: Vec::new(), best, found: None, n_steps: 0 };
        if search.partial.bound(instance, best).is_some() {
            search.branch(instance);
        }
        search
    }

    /// Continues the search for about `n_steps` tries of a unit on a rank, or until it is complete or cancelled.
    pub(super) fn run(&mut self, instance: &Instance<'_>, n_steps: u64, cancel: &Cancel) {
        let until = self.n_steps + n_steps;
        while self.n_steps < until && !cancel.is_cancelled() {
            let Some(level) = self.levels.last_mut() else { return };
            if level.next == level.end {
                self.leave(instance);
                continue;
            }
            let choice = self.choices[level.next];
            level.next += 1;
            if !beats(choice.least, self.best) {
                continue;
            }
            self.partial.place(instance, choice.rank);
            if self.levels.len() < instance.units.len() {
                self.branch(instance);
            } else {
                self.arrive(instance);
                self.partial.take_back(instance);
            }
        }
    }

    /// True if no choice remains.
    pub(super) fn is_done(&self) -> bool {
        self.levels.iter().all(|level| level.next == level.end)
    }

    /// Receives the best known work of all searches.
    pub(super) fn tell(&mut self, best: Work) {
        self.best = best;
    }

    /// Takes the best placement found since the last call, with its maximum work.
    pub(super) fn take_found(&mut self) -> Option<(Work, Assignment)> {
        self.found.take().map(|assignment| (self.best, assignment))
    }

    /// Returns the number of tries of a unit on a rank.
    pub(super) fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// Returns the depth at which the search can be divided, if any.
    pub(super) fn divisible_at(&self) -> Option<usize> {
        let depth = self.levels.iter().position(|level| level.next < level.end)?;
        let level = self.levels[depth];
        (depth + 1 < self.levels.len() || level.end - level.next > 1).then_some(depth)
    }

    /// Moves remaining choices to a new search: those at the first depth with remaining choices. If this search has
    /// no deeper levels, it keeps the first of these choices.
    pub(super) fn divide(&mut self, instance: &Instance<'_>) -> Option<Search> {
        let depth = self.divisible_at()?;
        let mut other = self.clone();
        other.found = None;
        other.n_steps = 0;
        while other.levels.len() > depth + 1 {
            other.leave(instance);
        }
        let kept = usize::from(depth + 1 == self.levels.len());
        other.levels[depth].next += kept;
        self.levels[depth].end = self.levels[depth].next + kept;
        Some(other)
    }

    /// Lists the choices for the next unit, the smallest lower bound first.
    fn branch(&mut self, instance: &Instance<'_>) {
        let unit = self.partial.depth();
        // Symmetry breaking: of two interchangeable units, the second is not on a lower rank.
        let first = instance.units[unit].twin.map_or(0, |twin| self.partial.rank_of(twin));
        let start = self.choices.len();
        for rank in first..instance.n_ranks() {
            if self.partial.has_interchangeable(instance, rank) {
                continue;
            }
            self.n_steps += 1;
            self.partial.place(instance, rank);
            if let Some(least) = self.partial.bound(instance, self.best) {
                self.choices.push(Choice { rank, least, here: self.partial.ranks[rank].least });
            }
            self.partial.take_back(instance);
        }
        self.choices[start..].sort_by_key(|choice| (choice.least, choice.here, choice.rank));
        self.levels.push(Level { next: start, end: self.choices.len() });
    }

    /// Leaves the last level and takes back the last unit placed.
    fn leave(&mut self, instance: &Instance<'_>) {
        self.levels.pop();
        self.choices.truncate(self.levels.last().map_or(0, |level| level.end));
        self.partial.take_back(instance);
    }

    /// Records a complete placement if it is better than the best known.
    fn arrive(&mut self, instance: &Instance<'_>) {
        if !beats(self.partial.max_work(instance), self.best) {
            return;
        }
        let assignment = self.partial.assignment(instance);
        let work = instance.max_work(&assignment);
        if beats(work, self.best) {
            (self.best, self.found) = (work, Some(assignment));
        }
    }
}
