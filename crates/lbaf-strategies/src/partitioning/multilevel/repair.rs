// SPDX-License-Identifier: MIT OR Apache-2.0
//! Repair of a partition: upper bounds and maximum work.

use std::slice;

use lbaf_model::{Aspects, Assignment, Totals, Transfer, View, Work, best_lower_bound, rank_totals, works};

use crate::primitives::exchange_search::Search;
use crate::primitives::list_scheduling::relieved;
use crate::primitives::works::largest_work;
use crate::{Cancel, Problem};

/// Maximum number of passes that try to move each object to the rank of its part.
const PASSES: usize = 4;

/// Minimum reduction of the maximum work by an exchange, as a fraction of the mean work.
const LEAST_GAIN: f64 = 0.001;

/// Maximum number of evaluated exchanges (see [`Search::n_looks`]), divided by the number of ranks.
const LOOKS_PER_RANK: usize = 1 << 13;

/// Repairs violations of upper bounds, and reduces the maximum work by exchanges.
///
/// If work is load alone and there are no upper bounds, exchanges end when the maximum work is within the tolerance of
/// its lower bound.
///
/// The result is the first of these that applies:
///
/// * the repaired placement, if the initial placement is infeasible or has a larger maximum work;
/// * the initial placement improved by exchanges, if the repair leaves a maximum work that is larger by more than the
///   tolerance, for instance because of homing costs;
/// * the placement with less off-rank volume, or the initial placement if the volumes are equal.
///
/// O(objects log objects + edges), plus the evaluation of exchanges (see [`LOOKS_PER_RANK`]).
pub(super) fn repaired(
    problem: &Problem<'_>,
    wished: Assignment,
    tolerance: f64,
    cancel: &Cancel,
) -> Assignment {
    let Problem { phase, model, initial, .. } = *problem;
    let totals = Totals::new(phase, wished);
    if cancel.is_cancelled() {
        return totals.into_assignment();
    }
    let is_over = over_bounds(problem, &totals).contains(&true);
    let totals = if is_over { within_bounds(problem, &totals, cancel) } else { totals };
    if cancel.is_cancelled() {
        return totals.into_assignment();
    }
    // Once work that is load alone is within the tolerance, further exchanges would only add off-rank volume.
    let is_load = model.bounds().is_empty() && model.aspects() == Aspects::NONE;
    let enough = best_lower_bound(phase, model).work * (1.0 + tolerance);
    let placement = exchanged(problem, totals, if is_load { enough } else { 0.0 }, cancel).into_assignment();
    if cancel.is_cancelled() {
        return placement;
    }
    let [now, before] = [&placement, initial].map(|placement| largest_work(problem, placement));
    let volume = |placement: &Assignment| {
        rank_totals(phase, placement).iter().map(|rank| rank.sent_bytes).sum::<f64>()
    };
    if before.is_over_bound() || now < before {
        placement
    } else if now.cost() > before.cost() * (1.0 + tolerance) {
        exchanged(problem, Totals::new(phase, initial.clone()), 0.0, cancel).into_assignment()
    } else if volume(&placement) >= volume(initial) {
        initial.clone()
    } else {
        placement
    }
}

/// Exchanges objects until the maximum work is at most `enough`, no exchange reduces it by [`LEAST_GAIN`], the maximum
/// number of evaluations is reached, or the run is cancelled.
fn exchanged<'a>(problem: &Problem<'a>, totals: Totals<'a>, enough: f64, cancel: &Cancel) -> Totals<'a> {
    let works = works(problem.model, problem.phase, totals.ranks());
    if works.iter().all(|work| work.cost() <= enough) {
        return totals;
    }
    let mean = works.iter().map(|work| work.cost()).sum::<f64>() / works.len().max(1) as f64;
    let most = LOOKS_PER_RANK * works.len();
    let mut search = Search::new(problem, totals, works);
    while search.n_looks() < most
        && search.largest() > enough
        && !cancel.is_cancelled()
        && search.exchange(LEAST_GAIN * mean)
    {}
    search.into_parts().0
}

/// Returns a flag for each rank that is true if the rank or its node exceeds an upper bound.
fn over_bounds(problem: &Problem<'_>, totals: &Totals<'_>) -> Vec<bool> {
    works(problem.model, problem.phase, totals.ranks())
        .iter()
        .map(|work: &Work| work.is_over_bound())
        .collect()
}

/// Moves objects from their initial rank to the rank of their part, unless a move would increase an excess over an
/// upper bound. Ranks that still exceed an upper bound then give objects away.
fn within_bounds<'a>(problem: &Problem<'a>, wished: &Totals<'a>, cancel: &Cancel) -> Totals<'a> {
    let Problem { phase, initial, model, .. } = *problem;
    let mut totals = Totals::new(phase, initial.clone());
    for _ in 0..PASSES {
        let mut is_done = true;
        for slot in cancel.polled(phase.slots()) {
            let [from, to] = [&totals, wished].map(|placed| placed.assignment().rank_of(slot));
            if from == to {
                continue;
            }
            let transfer = Transfer { from, to, objects: slice::from_ref(&slot), returned: &[] };
            let before = [from, to].map(|rank| totals.work(model, rank).excess());
            let after = totals.works_after(model, &transfer);
            if after.0.excess() <= before[0] && after.1.excess() <= before[1] {
                totals.apply(&transfer);
                is_done = false;
            }
        }
        if is_done {
            break;
        }
    }
    totals.renew();
    if over_bounds(problem, &totals).contains(&true) {
        totals = Totals::new(phase, relieved(problem, totals.assignment(), cancel));
    }
    totals
}
