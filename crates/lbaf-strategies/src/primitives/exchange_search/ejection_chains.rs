// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ejection chains: an object goes to a second rank, and an object of the second rank goes to a third rank.
//!
//! F. Glover, Ejection chains, reference structures and alternating path methods for traveling salesman problems,
//! Discrete Appl. Math. 65 (1996), doi:10.1016/0166-218X(94)00037-E.

use lbaf_model::{RankId, Slot, Transfer, Work};
use rayon::prelude::*;

use super::Search;
use crate::primitives::works::{concerned, gets_over};

/// Ranks with the least work that are tried in the middle and at the end of a chain.
const OTHERS: usize = 16;

/// Heaviest objects that are tried as the first and as the second object.
const FIRST: usize = 8;
const SECOND: usize = 64;

/// Chain of two moves: first object to the middle rank, second object from the middle to the last rank.
#[derive(Clone, Copy)]
struct Chain {
    ranks: [RankId; 3],
    objects: [Slot; 2],
    gain: f64,
    more_away: isize,
}

impl Search<'_> {
    /// Makes a chain that starts at the rank with the most work. Afterwards, all ranks whose work it changes have less
    /// work than this rank had, by at least `least_gain` and the price of additional migrations. Returns true on
    /// success. Middle ranks are evaluated in parallel.
    pub(crate) fn chain(&mut self, least_gain: f64) -> bool {
        let Some(from) = self.ladder.highest() else { return false };
        let others: Vec<RankId> = self.ladder.ascending().filter(|&rank| rank != from).take(OTHERS).collect();
        let over = |&middle: &RankId| {
            let ends = others.iter().filter(|&&end| end != middle);
            ends.flat_map(|&end| self.chains([from, middle, end], least_gain)).collect()
        };
        let found: Vec<Vec<Chain>> = others.par_iter().map(over).collect();
        let mut found: Vec<Chain> = found.into_iter().flatten().collect();
        let order = |chain: &Chain| super::exchanges::worth(chain.gain, chain.more_away);
        found.sort_by(|a, b| order(b).total_cmp(&order(a)));
        found.into_iter().take(OTHERS * FIRST).any(|chain| self.attempt_chain(&chain, least_gain))
    }

    /// Returns for each of the heaviest objects of the first rank the chain over these ranks with the largest gain, if
    /// it is at least `least_gain`. Gains are estimated from the changes of load.
    fn chains(&self, ranks: [RankId; 3], least_gain: f64) -> Vec<Chain> {
        let [from, middle, end] = ranks;
        let costs = ranks.map(|rank| self.cost(rank));
        let slopes = ranks.map(|rank| self.slopes[rank.index()]);
        let last = |rank: RankId, n: usize| self.objects[rank.index()].iter().rev().take(n).copied();
        let best_of = |first: Slot| {
            let mut best: Option<Chain> = None;
            for second in last(middle, SECOND) {
                let (came, left) = (self.load(first), self.load(second));
                let ends = [
                    costs[0] - slopes[0] * came,
                    costs[1] + slopes[1] * (came - left),
                    costs[2] + slopes[2] * left,
                ];
                let gain = costs[0] - ends.into_iter().fold(self.goal, f64::max);
                if gain >= least_gain && best.is_none_or(|best| gain > best.gain) {
                    let more_away = self.more_away(first, from, middle) + self.more_away(second, middle, end);
                    best = Some(Chain { ranks, objects: [first, second], gain, more_away });
                }
            }
            best
        };
        last(from, FIRST).filter_map(best_of).collect()
    }

    /// Makes a chain if it gains enough and neither bounds nor the limit on migrations forbid it.
    fn attempt_chain(&mut self, chain: &Chain, least_gain: f64) -> bool {
        let ([from, middle, end], [first, second]) = (chain.ranks, chain.objects);
        let model = self.problem.model;
        let mut ranks = concerned(&self.totals, model, [from, middle]);
        ranks.extend(concerned(&self.totals, model, [middle, end]));
        let before: Vec<Work> = ranks.iter().map(|rank| self.works[rank.index()]).collect();
        let (cost, n_away) = (self.cost(from), self.n_away());
        let [first, second] = [[first], [second]];
        // The second object leaves first, so the middle rank never needs room for both.
        let legs = [
            Transfer { from: middle, to: end, objects: &second, returned: &[] },
            Transfer { from, to: middle, objects: &first, returned: &[] },
        ];
        for leg in &legs {
            self.make(leg);
        }
        let end_cost = ranks.iter().map(|&rank| self.cost(rank)).fold(f64::NEG_INFINITY, f64::max);
        let is_further_over =
            ranks.iter().zip(before).any(|(rank, before)| gets_over(before, self.works[rank.index()]));
        let asked = least_gain.max(self.price * chain.more_away.max(0) as f64);
        let gains = end_cost <= cost - asked && end_cost < cost;
        if gains && !is_further_over && self.n_away() <= self.most_away.max(n_away) {
            self.record(&legs);
            return true;
        }
        for leg in legs.iter().rev() {
            let &Transfer { from, to, objects, returned } = leg;
            self.make(&Transfer { from, to, objects: returned, returned: objects });
        }
        false
    }
}
