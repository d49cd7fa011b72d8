// SPDX-License-Identifier: MIT OR Apache-2.0
//! Transfers from the most loaded rank without return.

use lbaf_model::{RankId, Slot};

use super::groups::{Group, Shared};
use super::placement::{Placement, gift};
use super::{CLOSE, MOST_TAKERS, worth_while};

/// Bracket of objects with its receiver.
pub(super) struct Gift {
    pub(super) to: RankId,
    pub(super) objects: Vec<Slot>,
    load: f64,
}

/// Returns the evaluated gift with the most load, or `None` if no gift is worthwhile.
///
/// Ranks that already hold the block of a group come first, because they need no memory for the block.
pub(super) fn best_gift(placement: &mut Placement<'_>, from: RankId, level: f64) -> Option<Gift> {
    let groups = placement.groups_of(from);
    let limit = worth_while(placement.cost(from), level);
    let mut search = Search { from, level, limit, best: None };
    for (shared, group) in &groups {
        if let Some(to) = search.holder(placement, *shared) {
            search.consider(placement, to, group);
        }
    }
    if search.best.is_none() {
        search.among_all(placement, &groups);
    }
    search.best
}

struct Search {
    from: RankId,
    level: f64,
    /// Upper limit of the work of both ranks after a gift.
    limit: f64,
    best: Option<Gift>,
}

impl Search {
    /// Returns the least loaded rank that needs no additional memory for the shared block, if its work is below the
    /// limit. Without bounds or a block, this is the least loaded rank.
    fn holder(&self, placement: &Placement<'_>, shared: Shared) -> Option<RankId> {
        let cost = |rank: &RankId| placement.cost(*rank);
        let may = |rank: &RankId| *rank != self.from && cost(rank) < self.limit;
        match shared {
            Some(block) if placement.has_bounds() => {
                let holders = placement.totals().holders(block).map(|(rank, _)| rank);
                holders.filter(may).min_by(|a, b| cost(a).total_cmp(&cost(b)))
            }
            _ => placement.next_taker(None, self.from).filter(may),
        }
    }

    /// Searches the least loaded ranks, as long as these can receive more than the best gift.
    fn among_all(&mut self, placement: &mut Placement<'_>, groups: &[(Shared, Group)]) {
        let mut last = None;
        for _ in 0..MOST_TAKERS {
            let taker = placement.next_taker(last, self.from);
            let Some(to) = taker.filter(|&rank| placement.cost(rank) < self.limit) else { return };
            last = Some(to);
            let aim = placement.aim(self.from, to, self.level);
            if self.best.as_ref().is_some_and(|best| best.load >= CLOSE * aim) {
                return;
            }
            for (_, group) in groups {
                if self.best.as_ref().is_some_and(|best| best.load >= aim.min(group.load())) {
                    break;
                }
                // If the smallest object does not fit, a bracket hardly does.
                if placement.consider(&gift(self.from, to, &group.objects()[..1]), f64::INFINITY).is_some() {
                    self.consider(placement, to, group);
                }
            }
        }
    }

    /// Evaluates brackets whose load is near the load to be given (see [`aim`](Placement::aim)), and near a half, a
    /// quarter and an eighth of it. The first accepted bracket becomes the best gift if its load is larger than that
    /// of the best gift so far.
    fn consider(&mut self, placement: &mut Placement<'_>, to: RankId, group: &Group) {
        const TIMES: usize = 4;
        let phase = placement.phase();
        let mut aim = placement.aim(self.from, to, self.level);
        for _ in 0..TIMES {
            let objects = group.bracket(phase, aim);
            let load = objects.iter().map(|&slot| phase.load(slot)).sum();
            if self.best.as_ref().is_some_and(|best| best.load >= load) {
                return;
            }
            if placement.consider(&gift(self.from, to, objects), self.limit).is_some() {
                self.best = Some(Gift { to, objects: objects.to_vec(), load });
                return;
            }
            aim /= 2.0;
        }
    }
}
