// SPDX-License-Identifier: MIT OR Apache-2.0
//! List scheduling, largest object first.

use std::iter;
use std::ops::Range;

use lbaf_model::{Assignment, Slot, Totals, Work, rank_totals, works};

use crate::primitives::pool::Pooled;
use crate::primitives::works::largest_work;
use crate::{Cancel, Problem};

mod bounded;
mod by_work;
mod certain_cost;
mod cost_heap;
mod cost_order;
mod placing_order;
mod rank_tree;

pub(crate) use by_work::UnderWay;
pub(crate) use placing_order::PlacingOrder;
pub(crate) use rank_tree::RankTree;

/// Class of a problem by the quantities that add to work, and by bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Terrain {
    /// Load and speed alone, without bounds.
    Open,
    /// Load and speed alone, with bounds.
    Bounded,
    /// Communication or homing in addition to load, with or without bounds.
    Costly,
}

impl Terrain {
    pub(crate) fn of(problem: &Problem<'_>) -> Self {
        let Problem { phase, model, .. } = *problem;
        let aspects = model.aspects();
        let talks = aspects.communication && phase.communication().n_edges() > 0;
        let leaves_home = aspects.homing && !phase.blocks().is_empty();
        match (talks || leaves_home, model.bounds().is_empty()) {
            (true, _) => Terrain::Costly,
            (false, true) => Terrain::Open,
            (false, false) => Terrain::Bounded,
        }
    }
}

/// Hands out all migratable objects, largest first, each to the rank with the least work after receiving it.
///
/// An object stays if its current rank is within bounds and, with the object, has work of at most `stay_within`. Unless
/// communication or homing adds to work, objects of load 0 stay on ranks within bounds.
///
/// O(n log n + n log P). With bounds, each object also costs evaluations of ranks. If communication or homing adds to
/// work, each object costs a few evaluations (see [`UnderWay`]), and only objects on ranks over a bound move if the
/// maximum work would not fall.
pub(crate) fn longest_first(problem: &Problem<'_>, stay_within: f64, cancel: &Cancel) -> Assignment {
    if cancel.is_cancelled() {
        return problem.initial.clone();
    }
    let all_ranks = 0..problem.phase.n_ranks();
    match Terrain::of(problem) {
        Terrain::Open => hand_out(&Pooled::with_load(problem), problem, stay_within, cancel),
        Terrain::Bounded => {
            let pool = Pooled::with_load(problem);
            hand_out_within_bounds(&pool, problem, stay_within, |_| iter::once(all_ranks.clone()), cancel)
        }
        Terrain::Costly => {
            let (placement, before) = rayon::join(
                || by_work::hand_out(problem, stay_within, cancel),
                || largest_work(problem, problem.initial),
            );
            let now = largest_work(problem, &placement);
            relieved(problem, if now < before { &placement } else { problem.initial }, cancel)
        }
    }
}

/// Gives each object of `pool` to the rank that finishes it first, by load and speed alone. An object stays if the work
/// of its current rank with the object is at most `stay_within`.
pub(crate) fn hand_out(
    pool: &Pooled,
    problem: &Problem<'_>,
    stay_within: f64,
    cancel: &Cancel,
) -> Assignment {
    let Problem { phase, initial, .. } = *problem;
    let alpha = phase.ranks().iter().map(|rank| rank.alpha).collect();
    let stay = load_work(problem, stay_within);
    // A check of the current rank costs as much as the search for a new one.
    let may_stay = stay > f64::NEG_INFINITY;
    let mut ranks = RankTree::new(alpha, pool.loads.clone());
    let mut assignment = initial.clone();
    for (slot, load) in cancel.polled(pool.iter()) {
        let stays = |home| ranks.candidate(home, load).0.0 <= stay;
        match may_stay.then(|| initial.rank_of(slot)).filter(|&home| stays(home)) {
            Some(home) => ranks.add_load(home, load),
            None => assignment.set(slot, ranks.take(load)),
        }
    }
    assignment
}

/// Gives each object of `pool` to the rank that finishes it first, of those that can hold it.
///
/// An object stays if its current rank is within its bounds and, with the object, has work of at most `stay_within`, by
/// load and speed alone. For bounds, objects not yet handed out count on their current ranks. `among` returns ranges of
/// ranks for a position in the pool; the first range with a suitable rank is used. An object that no rank can hold
/// stays.
pub(crate) fn hand_out_within_bounds<R: Iterator<Item = Range<usize>>>(
    pool: &Pooled,
    problem: &Problem<'_>,
    stay_within: f64,
    among: impl Fn(usize) -> R,
    cancel: &Cancel,
) -> Assignment {
    let mut totals = Totals::new(problem.phase, problem.initial.clone());
    if cancel.is_cancelled() {
        return totals.into_assignment();
    }
    bounded::hand_out(pool, problem.model, &mut totals, load_work(problem, stay_within), among, cancel);
    totals.into_assignment()
}

/// Hands out the objects of ranks over a bound, largest first, until the ranks are within the bound.
///
/// Returns the original placement if no rank is over a bound, or if the largest excess would rise. If it would not
/// change, the sum of the excesses over ranks decides.
pub(crate) fn relieved(problem: &Problem<'_>, placement: &Assignment, cancel: &Cancel) -> Assignment {
    let Problem { phase, model, .. } = *problem;
    let works_of = |placement: &Assignment| works(model, phase, &rank_totals(phase, placement));
    if model.bounds().is_empty() || cancel.is_cancelled() {
        return placement.clone();
    }
    let before = works_of(placement);
    if !before.iter().any(|work| work.is_over_bound()) {
        return placement.clone();
    }
    let leaves =
        |slot: Slot| phase.is_migratable(slot) && before[placement.rank_of(slot).index()].is_over_bound();
    let problem = Problem { initial: placement, ..*problem };
    let pool = Pooled::new(&problem, &phase.slots().map(leaves).collect::<Vec<bool>>());
    if cancel.is_cancelled() {
        return placement.clone();
    }
    let all_ranks = |_| iter::once(0..phase.n_ranks());
    let relieved = hand_out_within_bounds(&pool, &problem, f64::INFINITY, all_ranks, cancel);
    if cancel.is_cancelled() {
        return relieved;
    }
    let excess = |works: &[Work]| {
        let of_ranks = works.iter().map(|work| work.excess());
        (of_ranks.clone().fold(0.0, f64::max), of_ranks.sum::<f64>())
    };
    let after = works_of(&relieved);
    if excess(&after) < excess(&before) { relieved } else { placement.clone() }
}

/// Returns the part of a work due to load, as alpha x seconds; plus or minus infinity if load adds nothing to work.
fn load_work(problem: &Problem<'_>, work: f64) -> f64 {
    let floor = problem.model.load_floor();
    let of_load = work - floor.constant;
    if floor.slope > 0.0 { of_load / floor.slope } else { of_load.signum() * f64::INFINITY }
}
