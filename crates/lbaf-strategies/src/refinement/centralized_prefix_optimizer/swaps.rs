// SPDX-License-Identifier: MIT OR Apache-2.0
//! Second stage: exchanges of the most loaded rank with other ranks.

use lbaf_model::{Phase, RankId, Slot, Transfer};

use super::groups::Group;
use super::placement::Placement;
use super::{CLOSE, MOST_TAKERS, worth_while};

/// Exchange of objects between two groups.
pub(super) struct Swap {
    pub(super) to: RankId,
    pub(super) objects: Vec<Slot>,
    pub(super) returned: Vec<Slot>,
    /// Larger work of the two ranks after the exchange.
    cost: f64,
}

/// Returns the best exchange, or `None` if no exchange is worthwhile.
///
/// Searches other ranks, the least loaded first, until the best exchange leaves at most a tenth of the surplus over
/// the level.
pub(super) fn best_swap(placement: &mut Placement<'_>, from: RankId, level: f64) -> Option<Swap> {
    let excess = placement.cost(from) - level;
    let limit = worth_while(placement.cost(from), level);
    let mine = placement.groups_of(from);
    let mut best: Option<Swap> = None;
    let mut last = None;
    for _ in 0..MOST_TAKERS {
        let taker = placement.next_taker(last, from);
        let Some(to) = taker.filter(|&rank| placement.cost(rank) < limit) else { break };
        last = Some(to);
        let aim = placement.aim(from, to, level);
        let theirs = placement.groups_of(to);
        for (mine, theirs) in
            mine.iter().flat_map(|(_, mine)| theirs.iter().map(move |(_, theirs)| (mine, theirs)))
        {
            for (objects, returned) in candidates(placement.phase(), mine, theirs, aim) {
                let below = best.as_ref().map_or(limit, |best| best.cost);
                let transfer = Transfer { from, to, objects, returned };
                if let Some(cost) = placement.consider(&transfer, below) {
                    best = Some(Swap { to, objects: objects.to_vec(), returned: returned.to_vec(), cost });
                }
            }
        }
        if best.as_ref().is_some_and(|best| best.cost - level <= (1.0 - CLOSE) * excess) {
            return best;
        }
    }
    best
}

/// Returns pairs of selections whose loads differ by about `aim`.
///
/// Selections are the whole `mine` or a bracket of `mine` for the whole `theirs`, and one object for another.
fn candidates<'a>(
    phase: &Phase,
    mine: &'a Group,
    theirs: &'a Group,
    aim: f64,
) -> impl Iterator<Item = (&'a [Slot], &'a [Slot])> + use<'a> {
    let target = theirs.load() + aim;
    let is_whole = mine.load() >= theirs.load() && mine.load() <= theirs.load() + 2.0 * aim;
    let whole = is_whole.then(|| (mine.objects(), theirs.objects()));
    let bracket = (mine.load() > target).then(|| (mine.bracket(phase, target), theirs.objects()));
    let single = mine.closest_pair(phase, theirs, aim);
    whole.into_iter().chain(bracket).chain(single)
}
