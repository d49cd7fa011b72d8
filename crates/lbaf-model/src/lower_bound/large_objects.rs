// SPDX-License-Identifier: MIT OR Apache-2.0
//! The largest objects: several of them must share a rank, or one must join sentinels.
//!
//! A single item of load `l` costs at least `l x (smallest a_r)` on every rank, where `a_r` is the work of
//! rank `r` per second of load. O(1).
//!
//! For the `k m + 1` largest items, there are two cases:
//!
//! * Some rank has at least `k + 1` of them. Its work is at least the work of the `k + 1` smallest of them
//!   plus the least base work of any rank.
//! * No rank has more than `k` of them. They are then on at least `m + 1` ranks. One of these ranks has at
//!   least the `m + 1`-th smallest base work, in addition to an item at least as large as the smallest of the
//!   `k m + 1` items.
//!
//! The bound is the smaller work of the two cases, maximized over all `k`, and all `m` up to the number of
//! ranks `P`. For `m = P`, only the first case is possible. A value of `m` below `P` is tried only if the
//! `m + 1`-th smallest base work exceeds the `m`-th: otherwise a smaller `m` gives at least the same bound,
//! with fewer and larger items. For fixed `m`, the work of the second case falls as `k` grows, and the search
//! stops once this work no longer exceeds the best bound. O(objects / ranks) if all ranks have the same base
//! work, and at most O(objects log ranks).
//!
//! On ranks of different speeds, items count with their work on the fastest rank.
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
        // The load of a block is itself a sum. The work of a rank may contain its terms in another order,
        // interleaved with loads of other objects, so the bound has to be rounded down.
        instance.bound(Limit::LargestBlock, work, said)
    } else {
        instance.bound_by_term(Limit::LargestObject, work, said)
    }
}

/// Returns the best bound of several items on a rank, or of the largest item in addition to base work; 0 plus the
/// constant of the model if no item has load.
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

/// Returns the bound and the number of largest items that determine it; `None` if there are no ranks or no
/// item has load. `bases` is the base work of ranks, ascending; a second of an item costs at least
/// `cheapest`.
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
    // Differences of prefix sums are accurate enough to select the best bound, but not for its value.
    let (work, n, k) = best;
    let exact = if k == 0 { work } else { work.min(least + cheapest * items.smallest(k + 1, n)) };
    Some((exact, n))
}
