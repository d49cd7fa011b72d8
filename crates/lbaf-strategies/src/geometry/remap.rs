// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which rank gets which part, so that few objects migrate.

use std::cmp::Reverse;

use lbaf_model::RankId;
use rayon::prelude::*;

use super::Points;
use crate::Problem;

/// The rank of each part: of all pairs of a part and a rank the one with most objects in common is taken first, which
/// keeps at least half as many objects as could be kept. Ranks that have nothing of any part left get the other parts
/// in order. O(n log n).
pub(super) fn order(problem: &Problem<'_>, points: &Points, parts: &[u32]) -> Vec<RankId> {
    let ranks = points.slots.iter().map(|&slot| problem.initial.rank_of(slot));
    let mut pairs: Vec<(u32, RankId)> = parts.iter().copied().zip(ranks).collect();
    pairs.par_sort_unstable();
    let counted = pairs.chunk_by(|a, b| a == b).map(|alike| (Reverse(alike.len()), alike[0]));
    let mut counted: Vec<_> = counted.collect();
    counted.par_sort_unstable();
    let n_ranks = problem.phase.n_ranks();
    let mut rank_of = vec![None; n_ranks];
    let mut is_taken = vec![false; n_ranks];
    for (_, (part, rank)) in counted {
        let rank_of = &mut rank_of[part as usize];
        if rank_of.is_none() && !is_taken[rank.index()] {
            (*rank_of, is_taken[rank.index()]) = (Some(rank), true);
        }
    }
    let mut others = problem.phase.rank_ids().filter(|rank| !is_taken[rank.index()]);
    let rank = |rank: Option<RankId>| {
        rank.or_else(|| others.next()).expect("invariant: there are as many ranks as parts")
    };
    rank_of.into_iter().map(rank).collect()
}
