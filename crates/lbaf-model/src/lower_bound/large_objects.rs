// SPDX-License-Identifier: MIT OR Apache-2.0
//! The largest objects, of which only so many have room on one rank.
//!
//! One: an item of load `l` costs at least `l x (smallest a_r)` wherever it goes. O(1).
//!
//! Many: take the `k m + 1` largest items. Either some rank has `k + 1` of them, so no less than the `k + 1`
//! smallest of them, beside the least that any rank has already. Or no rank has more than `k`; then they are on
//! more than `m` ranks, one of which has no less already than the rank with the `m + 1`-th least, and an item
//! no smaller than the smallest. The bound is the lesser of both, and the best over all `k` and all `m` up to the
//! number of ranks, where only the first case is left: the sum of the `k + 1` smallest of the `k P + 1` largest.
//! Of ranks that have equally much only the first `m` counts, as both cases get better with fewer items. For the
//! same `m` the second case falls with `k`, and the search ends where it is no better than what is known. So it
//! takes O(objects / ranks) where no rank has anything, and at most O(objects log ranks).
//!
//! On ranks of different speed, items are taken to cost what they cost on the fastest.
//!
//! M. Dell'Amico, S. Martello, Optimal scheduling of tasks on identical parallel processors, ORSA Journal on
//! Computing 7 (1995), doi:10.1287/ijoc.7.2.191, for `m = P`.

use super::instance::Instance;
use super::{Culprit, Limit, LowerBound};

/// The largest item by itself.
pub(super) fn largest(instance: &Instance<'_>) -> LowerBound {
    let load = instance.items.loads.first().copied().unwrap_or(0.0);
    let culprit = instance.items.largest;
    let (work, said) = (load * instance.cheapest, culprit.map(|culprit| (culprit, load)));
    if let Some(Culprit::Block(_)) = culprit {
        // A block is a sum itself, of which work has the terms in between others.
        instance.bound(Limit::LargestBlock, work, said)
    } else {
        instance.bound_by_term(Limit::LargestObject, work, said)
    }
}

/// The best that several items give, or one beside what is certain.
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

/// The bound, and of how many items it is. `bases` is the work that ranks have already, ascending; a second of an
/// item costs `cheapest` or more.
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
    // Differences of sums are good enough for finding it.
    let (work, n, k) = best;
    let exact = if k == 0 { work } else { work.min(least + cheapest * items.smallest(k + 1, n)) };
    Some((exact, n))
}
