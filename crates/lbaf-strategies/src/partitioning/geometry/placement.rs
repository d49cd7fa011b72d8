// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conversion of parts into a placement within bounds.

use lbaf_model::{Assignment, RankId, Slot, Work, rank_totals, works};

use super::Points;
use crate::primitives::list_scheduling::{hand_out, hand_out_within_bounds};
use crate::primitives::pool::Pooled;
use crate::{Cancel, Outcome, Problem};

/// Neighbouring parts on each side to which an object may go before all ranks are tried.
const NEIGHBOURS: usize = 4;

/// Returns the placement that assigns part i to the rank `order[i]`.
///
/// Afterwards, places objects without a position by load, and repairs violations of bounds.
pub(super) fn outcome(
    problem: &Problem<'_>,
    points: &Points,
    parts: &[u32],
    order: &[RankId],
    cancel: &Cancel,
) -> Outcome {
    let mut assignment = problem.initial.clone();
    for (&slot, &part) in points.slots.iter().zip(parts) {
        assignment.set(slot, order[part as usize]);
    }
    let (rest, n_nowhere) = without_place(problem, points);
    if n_nowhere > 0 {
        let rest_of = Problem { initial: &assignment, ..*problem };
        assignment = hand_out(&Pooled::new(&rest_of, &rest), &rest_of, f64::NEG_INFINITY, cancel);
    }
    let mut outcome = Outcome::at_once(within_bounds(problem, order, assignment, cancel));
    if n_nowhere > 0 {
        let n_movable = n_nowhere + points.len();
        outcome.notes.push(format!(
            "{n_nowhere} of {n_movable} migratable objects have no `index`; those with load are placed by load alone"
        ));
    }
    outcome
}

/// Finds the migratable objects without a position.
///
/// Returns a flag for each slot, and the number of all objects without a position. The flag is true for those with a
/// load above 0; the others stay on their rank.
fn without_place(problem: &Problem<'_>, points: &Points) -> (Vec<bool>, usize) {
    let phase = problem.phase;
    let mut is_nowhere: Vec<bool> = phase.slots().map(|slot| phase.is_migratable(slot)).collect();
    for slot in &points.slots {
        is_nowhere[slot.index()] = false;
    }
    let n_nowhere = is_nowhere.iter().filter(|&&is_nowhere| is_nowhere).count();
    for slot in phase.slots() {
        is_nowhere[slot.index()] &= phase.load(slot) > 0.0;
    }
    (is_nowhere, n_nowhere)
}

/// Repairs violations of bounds by moving objects to ranks near their part.
///
/// There are two attempts. First, objects leave ranks that exceed a bound, preferably for neighbouring parts. If ranks
/// still exceed bounds, every object moves from its initial rank as close to its part as the bounds allow. This second
/// attempt succeeds if the initial placement is within bounds. If both fail, the result is the placement with the least
/// excess.
fn within_bounds(problem: &Problem<'_>, order: &[RankId], cut: Assignment, cancel: &Cancel) -> Assignment {
    if problem.model.bounds().is_empty() {
        return cut;
    }
    let phase = problem.phase;
    let of = |assignment: &Assignment| works(problem.model, phase, &rank_totals(phase, assignment));
    let excess = |works: &[Work]| works.iter().map(|work| work.excess()).fold(0.0, f64::max);
    let at_once = of(&cut);
    if excess(&at_once) == 0.0 {
        return cut;
    }
    let near = Near::new(order);
    let is_over = |slot: Slot| at_once[cut.rank_of(slot).index()].is_over_bound();
    let relieved = near.hand_out(&Problem { initial: &cut, ..*problem }, &cut, is_over, cancel);
    let after_relief = excess(&of(&relieved));
    if after_relief == 0.0 {
        return relieved;
    }
    let careful = near.hand_out(problem, &cut, |_| true, cancel);
    let (after_care, before) = (excess(&of(&careful)), excess(&at_once));
    if after_care < after_relief.min(before) {
        careful
    } else if after_relief < before {
        relieved
    } else {
        cut
    }
}

/// Ranks in the order of their parts.
struct Near<'a> {
    order: &'a [RankId],
    part_of: Vec<usize>,
}

impl<'a> Near<'a> {
    fn new(order: &'a [RankId]) -> Self {
        let mut part_of = vec![0; order.len()];
        for (part, rank) in order.iter().enumerate() {
            part_of[rank.index()] = part;
        }
        Near { order, part_of }
    }

    /// Iterates over a rank and the ranks of up to [`NEIGHBOURS`] parts on each side, the nearest first.
    fn around(&self, rank: RankId) -> impl Iterator<Item = RankId> + use<'_> {
        let part = self.part_of[rank.index()];
        let sides = (1..=NEIGHBOURS).flat_map(move |far| [part.checked_sub(far), part.checked_add(far)]);
        let parts = std::iter::once(Some(part)).chain(sides).flatten();
        parts.filter_map(|part| self.order.get(part).copied())
    }

    /// Moves the migratable objects for which `is_pooled` is true, starting from the initial placement of `problem`.
    /// Each object gets a rank near its rank in `wanted`, or else any rank, within bounds. An object that no rank can
    /// hold stays.
    fn hand_out(
        &self,
        problem: &Problem<'_>,
        wanted: &Assignment,
        is_pooled: impl Fn(Slot) -> bool,
        cancel: &Cancel,
    ) -> Assignment {
        let phase = problem.phase;
        let chosen =
            phase.slots().map(|slot| phase.is_migratable(slot) && is_pooled(slot)).collect::<Vec<_>>();
        let pool = Pooled::new(problem, &chosen);
        let all = 0..phase.n_ranks();
        let among = |position: usize| {
            let near = self.around(wanted.rank_of(pool.objects[position]));
            near.map(|rank| rank.index()..rank.index() + 1).chain(std::iter::once(all.clone()))
        };
        hand_out_within_bounds(&pool, problem, f64::NEG_INFINITY, among, cancel)
    }
}
