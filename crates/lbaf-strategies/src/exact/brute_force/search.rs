// SPDX-License-Identifier: MIT OR Apache-2.0
//! Depth-first branch and bound that can be interrupted, continued and shared out.

use lbaf_model::{Assignment, Work};

use super::comparison::beats;
use super::instance::Instance;
use super::partial::Partial;
use crate::Cancel;

/// A search through the arrangements below some beginnings.
#[derive(Clone)]
pub(super) struct Search {
    partial: Partial,
    /// What is still to be tried, by depth.
    levels: Vec<Level>,
    choices: Vec<Choice>,
    /// The best that is known, here or elsewhere.
    best: Work,
    /// The best found here, if it is that.
    found: Option<Assignment>,
    n_steps: u64,
}

/// The choices for one unit: a part of `choices`.
#[derive(Clone, Copy)]
struct Level {
    next: usize,
    end: usize,
}

/// A rank for the next unit, and a lower bound on what comes of it.
#[derive(Clone, Copy)]
struct Choice {
    rank: usize,
    least: Work,
    /// What the rank itself costs then.
    here: Work,
}

impl Search {
    /// Through all arrangements, for one that is better than `best`.
    pub(super) fn new(instance: &Instance<'_>, best: Work) -> Self {
        let partial = Partial::new(instance);
        let mut search =
            Search { partial, levels: Vec::new(), choices: Vec::new(), best, found: None, n_steps: 0 };
        if search.partial.bound(instance, best).is_some() {
            search.branch(instance);
        }
        search
    }

    /// Searches until about so many units more were tried somewhere, or to the end, or until it is cancelled.
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

    /// Whether nothing is left to be tried.
    pub(super) fn is_done(&self) -> bool {
        self.levels.iter().all(|level| level.next == level.end)
    }

    /// Tells of something better that was found elsewhere.
    pub(super) fn tell(&mut self, best: Work) {
        self.best = best;
    }

    /// What was found since the last time.
    pub(super) fn take_found(&mut self) -> Option<(Work, Assignment)> {
        self.found.take().map(|assignment| (self.best, assignment))
    }

    /// Number of times that a unit was tried on a rank.
    pub(super) fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// The depth at which it could be shared out, if it could.
    pub(super) fn divisible_at(&self) -> Option<usize> {
        let depth = self.levels.iter().position(|level| level.next < level.end)?;
        let level = self.levels[depth];
        (depth + 1 < self.levels.len() || level.end - level.next > 1).then_some(depth)
    }

    /// Gives away what is still to be tried at its first such depth. If that is all there is, keeps the first.
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

    /// Lists the choices for the next unit, the most promising first.
    fn branch(&mut self, instance: &Instance<'_>) {
        let unit = self.partial.depth();
        // Of two units that nothing tells apart, the first has the first rank.
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

    /// Leaves the last level, with the unit that led there.
    fn leave(&mut self, instance: &Instance<'_>) {
        self.levels.pop();
        self.choices.truncate(self.levels.last().map_or(0, |level| level.end));
        self.partial.take_back(instance);
    }

    /// All units have a rank: is it better?
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
