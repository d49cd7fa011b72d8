// SPDX-License-Identifier: MIT OR Apache-2.0
//! Handing out the objects of a pool, the largest first, each to the rank where it ends soonest.

use lbaf_model::{Assignment, Totals};

use crate::Problem;
use crate::pool::Pooled;

mod bounded;
mod rank_tree;

pub(crate) use rank_tree::RankTree;

/// Gives each object of `pool` to the rank that ends it soonest, of those that can hold it if there are bounds.
pub(crate) fn hand_out(pool: Pooled, problem: &Problem<'_>) -> Assignment {
    let Problem { phase, initial, model, .. } = *problem;
    if model.bounds().is_empty() {
        let alpha = phase.ranks().iter().map(|rank| rank.alpha).collect();
        let mut ranks = RankTree::new(alpha, pool.loads, vec![f64::INFINITY; phase.n_ranks()]);
        let mut assignment = initial.clone();
        for slot in pool.objects {
            assignment.set(slot, ranks.take(phase.load(slot)));
        }
        return assignment;
    }
    let mut totals = Totals::new(phase, initial.clone());
    bounded::hand_out(pool, model, &mut totals);
    totals.into_assignment()
}
