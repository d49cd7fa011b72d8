// SPDX-License-Identifier: MIT OR Apache-2.0
//! Moves and exchanges of single objects of the rank with the most work.

use std::cmp::Ordering;
use std::ops::Range;
use std::slice;

use lbaf_model::{RankId, Slot, Transfer};
use rayon::prelude::*;

use super::Search;

/// Heaviest objects that may leave the rank with the most work, besides the best fitting objects.
const HEAVIEST: usize = 16;

/// Ranks with the least work that are tried as receivers.
///
/// `VERY_FEW` are tried for an exchange that reaches the goal at once, otherwise `FEW`, then the next `MANY`.
const FEW: usize = 16;
const VERY_FEW: usize = 3;
const MANY: usize = 1024;

/// Minimum number of ranks for each thread, because the evaluation of a rank takes about a microsecond.
const GRAIN: usize = 64;

/// Maximum number of exchanges with each rank that are evaluated with the complete work model. The best by load
/// alone may be rejected, for instance for lack of memory.
const ASKED_OF_RANK: usize = 2;

/// Move of one object, or exchange of two objects.
#[derive(Clone, Copy)]
struct Exchange {
    from: RankId,
    to: RankId,
    given: Slot,
    taken: Option<Slot>,
    /// Change in the number of migrated objects.
    more_away: isize,
    /// Gain by load alone per additional migration (see [`worth`]).
    worth: f64,
}

impl Exchange {
    /// Orders by descending worth, then by added migrations.
    fn order(&self, other: &Self) -> Ordering {
        other.worth.total_cmp(&self.worth).then(self.more_away.cmp(&other.more_away))
    }

    fn transfer(&self) -> Transfer<'_> {
        let Exchange { from, to, given, taken, .. } = self;
        Transfer { from: *from, to: *to, objects: slice::from_ref(given), returned: taken.as_slice() }
    }
}

/// Returns the gain per additional migrated object. An exchange without additional migrations counts as a quarter of a
/// migration.
pub(super) fn worth(gain: f64, more_away: isize) -> f64 {
    gain / (more_away.max(0) as f64).max(0.25)
}

impl Search<'_> {
    /// Makes an exchange that lowers the work of the rank with the most work by at least `least_gain`. Returns true
    /// on success.
    ///
    /// The exchanges with sufficient gain by load alone are tried in descending order of this gain per additional
    /// migration. No excess over bounds grows, and no rank exceeds the previous maximum work.
    ///
    /// O(log objects) for each of about a thousand [looks](Self::n_looks), or of about fifty thousand if the ranks
    /// with the least work cannot receive objects. Each rank also takes up to two evaluations with the complete work
    /// model.
    pub(crate) fn exchange(&mut self, least_gain: f64) -> bool {
        self.exchange_with_few(least_gain) || self.exchange_with_many(least_gain)
    }

    /// Makes an exchange with one of the `VERY_FEW` ranks with the least work, if both ranks then reach the goal.
    pub(crate) fn exchange_at_once(&mut self, least_gain: f64) -> bool {
        let excess = self.largest() - self.goal;
        excess >= least_gain && self.exchange_with(0..VERY_FEW, excess)
    }

    /// Makes an exchange with one of the `FEW` ranks with the least work.
    pub(crate) fn exchange_with_few(&mut self, least_gain: f64) -> bool {
        self.exchange_with(0..FEW, least_gain)
    }

    /// Makes an exchange with one of the `MANY` ranks that follow the `FEW` ranks with the least work.
    pub(crate) fn exchange_with_many(&mut self, least_gain: f64) -> bool {
        self.exchange_with(FEW..FEW + MANY, least_gain)
    }

    fn exchange_with(&mut self, places: Range<usize>, least_gain: f64) -> bool {
        let Some(from) = self.ladder.highest() else { return false };
        let mut exchanges = self.exchanges(from, places, least_gain);
        exchanges.sort_by(Exchange::order);
        exchanges.into_iter().any(|exchange| self.attempt(&exchange.transfer(), least_gain))
    }

    /// Returns the best exchanges, by load alone, with the ranks at `places` in ascending order of work.
    fn exchanges(&mut self, from: RankId, places: Range<usize>, least_gain: f64) -> Vec<Exchange> {
        let ranks = self.ladder.ascending().filter(|&to| to != from).take(places.end).skip(places.start);
        let ranks: Vec<RankId> = ranks.take_while(|&to| self.cost(to) < self.cost(from)).collect();
        let best = |&to: &RankId| self.best_exchanges(from, to, least_gain);
        let best: Vec<(Vec<Exchange>, usize)> = ranks.par_iter().with_min_len(GRAIN).map(best).collect();
        let (found, n_looks): (Vec<Vec<Exchange>>, Vec<usize>) = best.into_iter().unzip();
        self.n_looks += n_looks.into_iter().sum::<usize>();
        found.into_iter().flatten().collect()
    }

    /// Returns the best exchanges of two ranks, by load alone, and the number of evaluated exchanges.
    fn best_exchanges(&self, from: RankId, to: RankId, least_gain: f64) -> (Vec<Exchange>, usize) {
        let mut found: Vec<Exchange> = Vec::new();
        let n_looks = self.exchanges_with(from, to, least_gain, |exchange| {
            let place = found.partition_point(|other| other.order(&exchange).is_le());
            if place < ASKED_OF_RANK {
                found.truncate(ASKED_OF_RANK - 1);
                found.insert(place, exchange);
            }
        });
        (found, n_looks)
    }

    /// Calls `take` with each exchange of sufficient gain. Returns the number of evaluated exchanges.
    fn exchanges_with(
        &self,
        from: RankId,
        to: RankId,
        least_gain: f64,
        mut take: impl FnMut(Exchange),
    ) -> usize {
        let slopes = (self.slopes[from.index()], self.slopes[to.index()]);
        // Load in seconds that must move so that both ranks have equal work.
        let ideal = (self.cost(from) - self.cost(to)) / (slopes.0 + slopes.1);
        let objects = &self.objects[from.index()];
        let (rest, heaviest) = objects.split_at(objects.len().saturating_sub(HEAVIEST));
        let mut n_looks = 0;
        for &given in heaviest.iter().chain(self.nearest(rest, ideal)) {
            let counterparts = self.nearest(&self.objects[to.index()], self.load(given) - ideal);
            for taken in counterparts.iter().copied().map(Some).chain([None]) {
                n_looks += 1;
                let moved = self.load(given) - taken.map_or(0.0, |slot| self.load(slot));
                let ends = (self.cost(from) - slopes.0 * moved, self.cost(to) + slopes.1 * moved);
                let gain = self.cost(from) - ends.0.max(ends.1).max(self.goal);
                if gain >= least_gain {
                    let more_away = self.more_away(given, from, to)
                        + taken.map_or(0, |slot| self.more_away(slot, to, from));
                    take(Exchange { from, to, given, taken, more_away, worth: worth(gain, more_away) });
                }
            }
        }
        n_looks
    }

    /// Returns the last object below `load` and the first object of at least `load` in an ascending list, if present.
    pub(super) fn nearest<'s>(&self, objects: &'s [Slot], load: f64) -> &'s [Slot] {
        let above = objects.partition_point(|&object| self.load(object) < load);
        &objects[above.saturating_sub(1)..objects.len().min(above + 1)]
    }
}
