// SPDX-License-Identifier: MIT OR Apache-2.0
//! Repair of a partition of the graph: makes the placement feasible and reduces its maximum work.

use std::slice;

use lbaf_model::{Aspects, Assignment, Totals, Transfer, View, Work, best_lower_bound, rank_totals, works};

use crate::primitives::exchange_search::Search;
use crate::primitives::list_scheduling::relieved;
use crate::primitives::works::largest_work;
use crate::{Cancel, Problem};

/// Maximum number of passes over all objects. A pass tries to move each object to the rank of its part.
const PASSES: usize = 4;

/// Minimum reduction of the maximum work by an exchange, as a fraction of the mean work.
const LEAST_GAIN: f64 = 0.001;

/// Maximum number of evaluated exchanges, divided by the number of ranks.
const LOOKS_PER_RANK: usize = 1 << 13;

/// Repairs violations of upper bounds and reduces the maximum work by exchanges.
///
/// If work is load alone, exchanges end when the maximum work is within the tolerance of its lower bound. With
/// other work models, exchanges continue as long as they reduce the maximum work.
///
/// If the initial placement is infeasible or has more maximum work than the repaired placement, the repaired
/// placement is the result. If the maximum work increased by more than the tolerance, for instance because homing
/// costs exceed the saved volume, the result is the initial placement improved by exchanges. Otherwise, the result
/// is the repaired placement if it has less off-rank volume than the initial placement, and else the initial
/// placement.
///
/// O(objects + edges), plus O(log objects) for each exchange.
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
    // If work is load alone, exchanges within the tolerance would only add off-rank volume.
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

/// Exchanges objects as long as the maximum work is larger than `enough` and an exchange reduces it.
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

/// Returns, for each rank, true if the rank or its node exceeds an upper bound.
fn over_bounds(problem: &Problem<'_>, totals: &Totals<'_>) -> Vec<bool> {
    works(problem.model, problem.phase, totals.ranks())
        .iter()
        .map(|work: &Work| work.is_over_bound())
        .collect()
}

/// Moves objects from their initial rank to the rank of their part, except where this would increase the excess
/// over an upper bound. Ranks that still exceed an upper bound afterwards give objects away.
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
