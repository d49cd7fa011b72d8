// SPDX-License-Identifier: MIT OR Apache-2.0
//! Descent to a better start, which allows the search to prune more.

use lbaf_model::{Assignment, Slot, Totals, Transfer, View, Work};

use super::instance::Instance;
use crate::Cancel;

/// Number of evaluated exchanges after which the descent ends. They take about a second.
const MOST_QUESTIONS: usize = 1 << 19;

/// Exchanges units of the critical rank with other ranks, or moves them away, as long as that reduces its work.
pub(super) fn descent(instance: &Instance<'_>, start: Assignment, cancel: &Cancel) -> Assignment {
    let mut totals = Totals::new(instance.problem.phase, start);
    let mut n_questions = 0;
    while n_questions < MOST_QUESTIONS && step(instance, &mut totals, &mut n_questions, cancel) {}
    totals.into_assignment()
}

/// Finds the exchange or move after which the larger work of the critical rank and its partner is least. Makes it and
/// returns true if this work is less than the work of the critical rank before.
fn step(instance: &Instance<'_>, totals: &mut Totals<'_>, n_questions: &mut usize, cancel: &Cancel) -> bool {
    let model = instance.problem.model;
    let most = instance.problem.phase.rank_ids().max_by_key(|&rank| (totals.work(model, rank), rank));
    let Some(from) = most else { return false };
    let rank_of = |slots: &[Slot], totals: &Totals<'_>| totals.assignment().rank_of(slots[0]);
    let mut best: Option<(Work, Transfer<'_>)> = None;
    for unit in instance.units.iter().filter(|unit| rank_of(&unit.slots, totals) == from) {
        if cancel.is_cancelled() {
            return false;
        }
        let others =
            instance.units.iter().map(|other| (Some(other.slots.as_slice()), rank_of(&other.slots, totals)));
        let gifts = instance.problem.phase.rank_ids().map(|rank| (None, rank));
        for (returned, to) in others.chain(gifts).filter(|&(_, to)| to != from) {
            *n_questions += 1;
            let objects = unit.slots.as_slice();
            let transfer = Transfer { from, to, objects, returned: returned.unwrap_or_default() };
            let (source, target) = totals.works_after(model, &transfer);
            let work = source.max(target);
            if best.is_none_or(|(least, _)| work < least) {
                best = Some((work, transfer));
            }
        }
    }
    let helpful = best.filter(|&(work, _)| work < totals.work(model, from));
    if let Some((_, transfer)) = helpful {
        totals.apply(&transfer);
    }
    helpful.is_some()
}
