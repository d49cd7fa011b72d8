// SPDX-License-Identifier: MIT OR Apache-2.0
//! Longest processing time first if ranks wait for each other after every subphase.

use std::cmp::Reverse;

use lbaf_model::{
    Assignment, RankId, Slot, Subphases, Synchronised, Totals, Transfer, View, WorkModel, rank_totals,
    synchronised_bound, works,
};
use rayon::prelude::*;

use super::rank_fills::{RankFills, Times};
use crate::primitives::list_scheduling::relieved;
use crate::primitives::seconds::Seconds;
use crate::primitives::works::largest_work;
use crate::{Cancel, Problem};

/// Hands out the pooled objects (see `pooled`) in descending order of the Euclidean norm of their times, each to the
/// rank on which the sum of maxima grows least: the sum over subphases of the time of the slowest rank. The result must
/// have a smaller excess over bounds than the start, or take less time with the same excess. Otherwise only objects on
/// ranks over a bound migrate.
///
/// `None` if the phase has no times of subphases.
pub(super) fn longest_first(problem: &Problem<'_>, cancel: &Cancel) -> Option<Assignment> {
    let subphases = problem.phase.subphases()?;
    let placement = hand_out(problem, subphases, cancel)?;
    let standing = |placement: &Assignment| {
        let seconds = Synchronised::of(problem.phase, placement)?.seconds();
        Some((Seconds(largest_work(problem, placement).excess()), Seconds(seconds)))
    };
    let is_better = standing(&placement)? < standing(problem.initial)?;
    Some(if is_better { placement } else { relieved(problem, problem.initial, cancel) })
}

fn hand_out(problem: &Problem<'_>, subphases: &Subphases, cancel: &Cancel) -> Option<Assignment> {
    let Problem { phase, initial, model, .. } = *problem;
    // Every placement needs the time of the lower bound, which therefore does not count as growth.
    let marks = synchronised_bound(phase)?.by_subphase.iter().map(|bound| bound.work).collect();
    let mut ranks = RankFills::new(phase.ranks().iter().map(|rank| rank.alpha), marks);
    let is_pooled = pooled(problem, subphases);
    let times = |slot: Slot| subphases.of(slot).collect::<Vec<_>>();
    for slot in phase.slots().filter(|slot| !is_pooled[slot.index()]) {
        ranks.add(initial.rank_of(slot), &times(slot));
    }
    let norm = |slot: Slot| subphases.of(slot).map(|(_, seconds)| seconds * seconds).sum::<f64>();
    let mut pool: Vec<_> = phase.slots().filter(|slot| is_pooled[slot.index()]).collect();
    pool.par_sort_by_cached_key(|&slot| (Reverse(Seconds(norm(slot))), slot));
    let mut assignment = initial.clone();
    let mut totals = (!model.bounds().is_empty()).then(|| Totals::new(phase, initial.clone()));
    for slot in pool {
        if cancel.is_cancelled() {
            break;
        }
        let (home, times) = (initial.rank_of(slot), times(slot));
        let found = match &totals {
            None => ranks.best(&times, (home, true), &|_| true),
            Some(totals) => best_within_bounds(&ranks, &times, slot, home, (model, totals)),
        };
        let rank = found.unwrap_or(home);
        ranks.add(rank, &times);
        if let Some(totals) = totals.as_mut().filter(|_| rank != home) {
            totals.apply(&gift(home, rank, &[slot]));
        }
        assignment.set(slot, rank);
    }
    Some(assignment)
}

/// Returns the rank on which the phase grows least, among the ranks that an object can join without more excess over
/// bounds on this rank or on `home`, its initial rank. Objects not yet handed out count as being on their initial rank.
/// If `home` exceeds a bound, only other ranks are considered, first those that reduce its excess; `None` if none of
/// them is suitable.
fn best_within_bounds(
    ranks: &RankFills,
    times: &Times,
    slot: Slot,
    home: RankId,
    (model, totals): (&dyn WorkModel, &Totals<'_>),
) -> Option<RankId> {
    let excess = |rank| totals.work(model, rank).excess();
    let excess_at_home = excess(home);
    let can_hold = |rank: RankId, is_good: &dyn Fn(f64) -> bool| {
        if rank == home {
            return false;
        }
        let (from, to) = totals.works_after(model, &gift(home, rank, &[slot]));
        to.excess() <= excess(rank) && is_good(from.excess())
    };
    let relieves = |rank| can_hold(rank, &|from| from < excess_at_home);
    let keeps_bounds = |rank| can_hold(rank, &|from| from <= excess_at_home);
    let relief = (excess_at_home > 0.0).then(|| ranks.best(times, (home, false), &relieves));
    relief.flatten().or_else(|| ranks.best(times, (home, excess_at_home == 0.0), &keeps_bounds))
}

/// Marks, by slot, the migratable objects that run in a subphase or are on a rank over a bound. Others gain
/// nothing by migrating.
fn pooled(problem: &Problem<'_>, subphases: &Subphases) -> Vec<bool> {
    let Problem { phase, initial, model, .. } = *problem;
    let works = works(model, phase, &rank_totals(phase, initial));
    let is_over = |slot: Slot| works[initial.rank_of(slot).index()].is_over_bound();
    let pooled = |slot: Slot| phase.is_migratable(slot) && (subphases.of(slot).len() > 0 || is_over(slot));
    phase.slots().map(pooled).collect()
}

/// Transfer of objects without return.
fn gift(from: RankId, to: RankId, objects: &[Slot]) -> Transfer<'_> {
    Transfer { from, to, objects, returned: &[] }
}
