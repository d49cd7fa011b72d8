// SPDX-License-Identifier: MIT OR Apache-2.0
//! List scheduling of objects without a rank: the largest first, to the rank with the least load times alpha.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use lbaf_model::{Assignment, Rank, RankId, Slot};

/// Assigns the objects of `homeless` to `ranks`, in the order of descending load; objects of equal load keep
/// their order. Each goes to the rank with the least load times alpha, or to the lowest of several such
/// ranks. `load_of_ranks` contains the loads of ranks without these objects. O((objects + ranks) log ranks),
/// plus a sort of the objects.
pub(super) fn hand_out(
    mut homeless: Vec<(Slot, f64)>,
    ranks: &[Rank],
    load_of_ranks: Vec<f64>,
    assignment: &mut Assignment,
) {
    homeless.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let mut load = load_of_ranks;
    let mut heap: BinaryHeap<_> = (0..ranks.len()).map(|rank| entry(rank, ranks, &load)).collect();
    for (slot, seconds) in homeless {
        let mut least = heap.peek_mut().expect("invariant: a machine has ranks");
        let rank = least.0.1;
        assignment.set(slot, RankId::from(rank));
        load[rank] += seconds;
        *least = entry(rank, ranks, &load);
    }
}

/// Returns the key of a rank in the heap. Non-negative floating-point numbers order as their bits.
fn entry(rank: usize, ranks: &[Rank], load: &[f64]) -> Reverse<(u64, usize)> {
    Reverse(((ranks[rank].alpha * load[rank]).to_bits(), rank))
}

/// Returns the numbers of `ranks`, ascending by load times alpha; equal ranks ascending by number.
pub(super) fn ascending(ranks: &[Rank], load: &[f64]) -> Vec<RankId> {
    let mut order: Vec<usize> = (0..ranks.len()).collect();
    order.sort_by(|&a, &b| (ranks[a].alpha * load[a]).total_cmp(&(ranks[b].alpha * load[b])));
    order.into_iter().map(RankId::from).collect()
}
