// SPDX-License-Identifier: MIT OR Apache-2.0
//! Single objects: the rank with most work gives one away, or exchanges it for another one.

use std::cmp::Ordering;
use std::ops::Range;
use std::slice;

use lbaf_model::{RankId, Slot, Transfer};

use super::Search;

/// Of the most loaded rank so many of the heaviest objects may leave, and those that fit best.
const HEAVIEST: usize = 16;

/// So many of the ranks with least work may take one; and if none of them does, so many after them.
const FEW: usize = 16;
const VERY_FEW: usize = 3;
const MANY: usize = 1024;

/// With each of them so many exchanges, those worth most by load alone, are asked for all that they change: a rank may
/// be short of something else.
const ASKED_OF_RANK: usize = 2;

/// An object that leaves a rank, for another one or none.
#[derive(Clone, Copy)]
struct Exchange {
    from: RankId,
    to: RankId,
    given: Slot,
    taken: Option<Slot>,
    /// By how many more objects are not where the problem has them.
    more_away: isize,
    /// What it takes off the larger work of the two by load alone, for each of them.
    worth: f64,
}

impl Exchange {
    /// The one that is worth most first, of equal ones the one that makes fewer migrations.
    fn order(&self, other: &Self) -> Ordering {
        other.worth.total_cmp(&self.worth).then(self.more_away.cmp(&other.more_away))
    }

    fn transfer(&self) -> Transfer<'_> {
        let Exchange { from, to, given, taken, .. } = self;
        Transfer { from: *from, to: *to, objects: slice::from_ref(given), returned: taken.as_slice() }
    }
}

/// The gain for each object more that is away; where none is, for a quarter of one: what costs nothing is worth
/// much, but not anything.
pub(super) fn worth(gain: f64, more_away: isize) -> f64 {
    gain / (more_away.max(0) as f64).max(0.25)
}

impl Search<'_> {
    /// Makes an exchange that takes at least `least_gain` off the rank with most work, of those that were asked the
    /// one that takes most for each migration more; whether there was one. No rank gets further over a bound, and
    /// none more than the largest work was.
    ///
    /// O(log objects) for about a thousand [looks](Self::n_looks), a hundred thousand where the ranks with least
    /// cannot take anything, and up to two what-ifs for each rank.
    pub(crate) fn exchange(&mut self, least_gain: f64) -> bool {
        self.exchange_with_few(least_gain) || self.exchange_with_many(least_gain)
    }

    /// The same with the very few ranks that have least, if that is enough to come to the goal.
    pub(crate) fn exchange_at_once(&mut self, least_gain: f64) -> bool {
        let excess = self.largest() - self.goal;
        excess >= least_gain && self.exchange_with(0..VERY_FEW, excess)
    }

    /// The same with the ranks alone that have least.
    pub(crate) fn exchange_with_few(&mut self, least_gain: f64) -> bool {
        self.exchange_with(0..FEW, least_gain)
    }

    /// The same with those that come after them.
    pub(crate) fn exchange_with_many(&mut self, least_gain: f64) -> bool {
        self.exchange_with(FEW..FEW + MANY, least_gain)
    }

    fn exchange_with(&mut self, places: Range<usize>, least_gain: f64) -> bool {
        let Some(from) = self.ladder.highest() else { return false };
        let mut exchanges = self.exchanges(from, places, least_gain);
        exchanges.sort_by(Exchange::order);
        exchanges.into_iter().any(|exchange| self.attempt(&exchange.transfer(), least_gain))
    }

    /// The best exchanges with each of the ranks at these places from the one that has least, as far as load alone
    /// tells.
    fn exchanges(&mut self, from: RankId, places: Range<usize>, least_gain: f64) -> Vec<Exchange> {
        let ranks = self.ladder.ascending().filter(|&to| to != from).take(places.end).skip(places.start);
        let (mut found, mut n_looks) = (Vec::new(), 0);
        for to in ranks.take_while(|&to| self.cost(to) < self.cost(from)) {
            let n_found = found.len();
            n_looks += self.exchanges_with(from, to, least_gain, |exchange| {
                // Few are kept, so that they need not be sorted.
                let better = |other: &Exchange| other.order(&exchange).is_le();
                let place = n_found + found[n_found..].partition_point(better);
                if place < n_found + ASKED_OF_RANK {
                    found.truncate(n_found + ASKED_OF_RANK - 1);
                    found.insert(place, exchange);
                }
            });
        }
        self.n_looks += n_looks;
        found
    }

    /// Exchanges of two ranks, each once, that gain so much; how many were looked at.
    fn exchanges_with(
        &self,
        from: RankId,
        to: RankId,
        least_gain: f64,
        mut take: impl FnMut(Exchange),
    ) -> usize {
        let slopes = (self.slopes[from.index()], self.slopes[to.index()]);
        // Seconds of load after whose move both have the same.
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

    /// Of objects in order those on both sides of a load.
    pub(super) fn nearest<'s>(&self, objects: &'s [Slot], load: f64) -> &'s [Slot] {
        let above = objects.partition_point(|&object| self.load(object) < load);
        &objects[above.saturating_sub(1)..objects.len().min(above + 1)]
    }
}
