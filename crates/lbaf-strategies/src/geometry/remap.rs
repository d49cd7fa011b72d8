// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which rank gets which part, so that few objects migrate.

use lbaf_model::RankId;

use super::Points;
use crate::Problem;
use crate::remap::remap;

/// The rank of each part: that which has most of its objects, as far as all can have that. O(n log n).
pub(super) fn order(problem: &Problem<'_>, points: &Points, parts: &[u32]) -> Vec<RankId> {
    let common = points.slots.iter().zip(parts);
    let common = common.map(|(&slot, &part)| (RankId(part), problem.initial.rank_of(slot), 1.0));
    remap(problem.phase.n_ranks(), common, |_| ())
}
