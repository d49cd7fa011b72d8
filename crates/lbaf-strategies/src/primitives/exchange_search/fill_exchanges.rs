// SPDX-License-Identifier: MIT OR Apache-2.0
//! Exchanges of one heavy object for several light objects, and transfers of several objects without return.
//!
//! The lists of subsets in `subset_exchanges` cover only a few objects at a time, but one object may have the load of
//! ten light objects. The light objects are an approximate solution of a subset-sum problem: greedy, the heaviest
//! first.

use std::cmp::Ordering;

use lbaf_model::{RankId, Slot};
use rayon::prelude::*;

use super::exchanges::worth;
use super::{Search, Swap};

/// Ranks with the least work that are tried, and heaviest objects that are tried on either rank.
const RANKS: usize = 32;
const HEAVIEST: usize = 8;

/// Maximum number of exchanges that are evaluated completely.
const ASKED: usize = 32;

/// Exchange with its gain by load alone.
struct Fill {
    swap: Swap,
    gain: f64,
    more_away: isize,
}

impl Fill {
    fn order(&self, other: &Self) -> Ordering {
        worth(other.gain, other.more_away).total_cmp(&worth(self.gain, self.more_away))
    }
}

impl Search<'_> {
    /// Exchanges one object for several objects, several for one, or several for none.
    ///
    /// Conditions and result are as for [`exchange`](Search::exchange). O(objects of both ranks) for each of up to
    /// 17 exchanges with each of up to 32 ranks, which are evaluated in parallel.
    pub(crate) fn exchange_for_many(&mut self, least_gain: f64) -> bool {
        let Some(from) = self.ladder.highest() else { return false };
        let ranks = self.ladder.ascending().filter(|&to| to != from).take(RANKS);
        let ranks: Vec<RankId> = ranks.take_while(|&to| self.cost(to) < self.cost(from)).collect();
        let found: Vec<Vec<Fill>> = ranks.par_iter().map(|&to| self.fills(from, to, least_gain)).collect();
        let mut found: Vec<Fill> = found.into_iter().flatten().collect();
        found.sort_by(Fill::order);
        found.into_iter().take(ASKED).any(|fill| self.attempt(&fill.swap.transfer(), least_gain))
    }

    /// Moves many objects at once from the rank with the most work to the rank with the least work. Returns true on
    /// success.
    ///
    /// By load alone, the receiver then has at most the goal, and the giver at least the goal. Does nothing unless
    /// more than twice the load of the heaviest object can move.
    pub(crate) fn give_many(&mut self, least_gain: f64) -> bool {
        let Some(from) = self.ladder.highest() else { return false };
        let Some(to) = self.ladder.ascending().next().filter(|&to| to != from) else { return false };
        let room = |rank: RankId| (self.goal - self.cost(rank)) / self.slopes[rank.index()];
        let load = room(to).min(-room(from));
        let heaviest = self.objects[from.index()].last().map_or(0.0, |&slot| self.load(slot));
        if !(load > 2.0 * heaviest && load.is_finite()) {
            return false;
        }
        let objects = self.fill(from, load);
        let swap = Swap { from, to, given: objects, taken: Vec::new() };
        swap.given.len() > 1 && self.attempt(&swap.transfer(), least_gain)
    }

    /// Returns the exchanges of two ranks with sufficient gain by load alone.
    fn fills(&self, from: RankId, to: RankId, least_gain: f64) -> Vec<Fill> {
        let mut found = Vec::new();
        let slopes = (self.slopes[from.index()], self.slopes[to.index()]);
        let ideal = (self.cost(from) - self.cost(to)) / (slopes.0 + slopes.1);
        let heaviest = |rank: RankId| self.objects[rank.index()].iter().rev().take(HEAVIEST).copied();
        let mut offer = |given: Vec<Slot>, taken: Vec<Slot>| {
            let load = |slots: &[Slot]| slots.iter().map(|&slot| self.load(slot)).sum::<f64>();
            let moved = load(&given) - load(&taken);
            let ends = (self.cost(from) - slopes.0 * moved, self.cost(to) + slopes.1 * moved);
            let gain = self.cost(from) - ends.0.max(ends.1).max(self.goal);
            if gain >= least_gain && gain > 0.0 {
                let more = |slots: &[Slot], from, to| -> isize {
                    slots.iter().map(|&slot| self.more_away(slot, from, to)).sum()
                };
                let more_away = more(&given, from, to) + more(&taken, to, from);
                found.push(Fill { swap: Swap { from, to, given, taken }, gain, more_away });
            }
        };
        for given in heaviest(from).filter(|&given| self.load(given) > ideal) {
            offer(vec![given], self.fill(to, self.load(given) - ideal));
        }
        for taken in heaviest(to) {
            offer(self.fill(from, self.load(taken) + ideal), vec![taken]);
        }
        offer(self.fill(from, ideal), Vec::new());
        found
    }

    /// Selects objects of a rank with load above 0, the heaviest first, with a total of at most `load`.
    fn fill(&self, rank: RankId, load: f64) -> Vec<Slot> {
        let mut room = load;
        let mut chosen = Vec::new();
        for &slot in self.objects[rank.index()].iter().rev() {
            let load = self.load(slot);
            if load > 0.0 && load <= room {
                room -= load;
                chosen.push(slot);
            }
        }
        chosen
    }
}
