// SPDX-License-Identifier: MIT OR Apache-2.0
//! The largest objects, several of which must share a rank.
//!
//! A single item of load `l` costs at least `l x (smallest a_r)` on every rank. O(1).
//!
//! Several items: take the `k m + 1` largest ones. Either some rank has `k + 1` of them; its work is then at
//! least the `k + 1` smallest of them plus the least base work of any rank. Or no rank has more than `k`;
//! they are then on more than `m` ranks, one of which has at least the `m + 1`-th smallest base work and an
//! item at least as large as the smallest. The bound is the smaller of both. It is maximized over all `k`,
//! and all `m` up to the number of ranks `P`. For `m = P` only the first case is possible: the sum of the `k
//! + 1` smallest of the `k P + 1` largest items. Among ranks of equal base work only the first `m` counts,
//! since both cases improve with fewer items. For fixed `m` the second case falls with `k`, and the search
//! stops where it no longer exceeds the best bound found. It takes O(objects / ranks) if no rank has base
//! work, and at most O(objects log ranks).
//!
//! On ranks of different speed, items count with their cost on the fastest rank.
//!
//! M. Dell'Amico, S. Martello, Optimal scheduling of tasks on identical parallel processors, ORSA Journal on
//! Computing 7 (1995), doi:10.1287/ijoc.7.2.191, for `m = P`.

use super::instance::Instance;
use super::{Culprit, Limit, LowerBound};

/// Returns the bound of the largest item.
pub(super) fn largest(instance: &Instance<'_>) -> LowerBound {
    let load = instance.items.loads.first().copied().unwrap_or(0.0);
    let culprit = instance.items.largest;
    let (work, said) = (load * instance.cheapest, culprit.map(|culprit| (culprit, load)));
    if let Some(Culprit::Block(_)) = culprit {
        // The load of a block is itself a sum, whose terms may be interleaved with others in the work of a
        // rank.
        instance.bound(Limit::LargestBlock, work, said)
    } else {
        instance.bound_by_term(Limit::LargestObject, work, said)
    }
}

/// Returns the best bound of several items, or of one in addition to base work.
pub(super) fn bound(instance: &Instance<'_>) -> LowerBound {
    let limit = if instance.items.are_clusters() { Limit::LargeBlocks } else { Limit::LargeObjects };
    let mut bases = instance.base.clone();
    bases.sort_unstable_by(f64::total_cmp);
    let Some((work, n)) = most(&instance.items, &bases, instance.cheapest) else {
        return instance.bound(limit, 0.0, None);
    };
    let culprit = if n == 1 { instance.items.largest } else { Some(Culprit::Objects(n)) };
    instance.bound(limit, work, culprit.map(|culprit| (culprit, instance.items.loads[n - 1])))
}

/// Returns the bound and its number of items. `bases` is the base work of ranks, ascending; a second of an
/// item costs at least `cheapest`.
pub(super) fn most(items: &super::Items, bases: &[f64], cheapest: f64) -> Option<(f64, usize)> {
    let (loads, n_ranks) = (&items.loads, bases.len());
    let least = *bases.first()?;
    let mut best = (least + cheapest * loads.first().copied().filter(|&load| load > 0.0)?, 1, 0);
    let firsts = (1..n_ranks).filter(|&m| bases[m] > bases[m - 1]);
    for m in firsts.chain([n_ranks]) {
        for (k, n) in (1..).map(|k| (k, k * m + 1)).take_while(|&(_, n)| n <= items.len()) {
            let apart = bases.get(m).map_or(f64::INFINITY, |base| base + cheapest * loads[n - 1]);
            if apart <= best.0 {
                break;
            }
            let shared = least + cheapest * (items.sums[n] - items.sums[n - k - 1]);
            if shared.min(apart) > best.0 {
                best = (shared.min(apart), n, k);
            }
        }
    }
    // Differences of sums are accurate enough to find the best, but not for its value.
    let (work, n, k) = best;
    let exact = if k == 0 { work } else { work.min(least + cheapest * items.smallest(k + 1, n)) };
    Some((exact, n))
}
