// SPDX-License-Identifier: MIT OR Apache-2.0
//! Handing out the objects of a pool, the largest first, each to the rank where it ends soonest.

use std::ops::Range;

use lbaf_model::{Assignment, Totals};

use crate::Problem;
use crate::pool::Pooled;

mod bounded;
mod rank_tree;

pub(crate) use rank_tree::RankTree;

/// Gives each object of `pool` to the rank that ends it soonest.
pub(crate) fn hand_out(pool: Pooled, problem: &Problem<'_>) -> Assignment {
    let Problem { phase, initial, .. } = *problem;
    let alpha = phase.ranks().iter().map(|rank| rank.alpha).collect();
    let mut ranks = RankTree::new(alpha, pool.loads);
    let mut assignment = initial.clone();
    for slot in pool.objects {
        assignment.set(slot, ranks.take(phase.load(slot)));
    }
    assignment
}

/// Gives each object of `pool` to the rank that ends it soonest among those that can hold it, given that
/// everything not yet handed out is still where it was. `among` names ranges of ranks for the position of an
/// object in the pool: the first of them counts in which one can. An object that nobody can hold stays.
pub(crate) fn hand_out_within_bounds<R: Iterator<Item = Range<usize>>>(
    pool: &Pooled,
    problem: &Problem<'_>,
    among: impl Fn(usize) -> R,
) -> Assignment {
    let mut totals = Totals::new(problem.phase, problem.initial.clone());
    bounded::hand_out(pool, problem.model, &mut totals, among);
    totals.into_assignment()
}
