// SPDX-License-Identifier: MIT OR Apache-2.0
//! Longest processing time first where ranks wait for each other after every subphase.

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

/// Hands out all objects that take time in a subphase, those of the largest Euclidean norm first, each to the rank on which
/// the sum of the maxima grows least. If that takes no less than the start, nothing moves but what is over bounds.
///
/// `None` if nobody knows the subphases of the phase.
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
    // What no placement can be below need not be saved while it is not reached.
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

/// The best rank after which neither end exceeds its bounds by more than it does, given that everything not yet handed out
/// is still where it was; if its own rank is over a bound, of those by which that gets less.
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
    let harms_nobody = |rank| can_hold(rank, &|from| from <= excess_at_home);
    let relief = (excess_at_home > 0.0).then(|| ranks.best(times, (home, false), &relieves));
    relief.flatten().or_else(|| ranks.best(times, (home, excess_at_home == 0.0), &harms_nobody))
}

/// What may move and takes time in a subphase, or is on a rank over a bound, by slot. The rest gains nothing by moving.
fn pooled(problem: &Problem<'_>, subphases: &Subphases) -> Vec<bool> {
    let Problem { phase, initial, model, .. } = *problem;
    let works = works(model, phase, &rank_totals(phase, initial));
    let is_over = |slot: Slot| works[initial.rank_of(slot).index()].is_over_bound();
    let pooled = |slot: Slot| phase.is_migratable(slot) && (subphases.of(slot).len() > 0 || is_over(slot));
    phase.slots().map(pooled).collect()
}

/// The transfer of objects for nothing.
fn gift(from: RankId, to: RankId, objects: &[Slot]) -> Transfer<'_> {
    Transfer { from, to, objects, returned: &[] }
}
