// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `k` largest objects on the `k` fastest and emptiest ranks.
//!
//! The `k` largest items are on at most `k` ranks. Let `a_r` be the work of rank `r` per second of load, and
//! `b_r` its base work divided by `a_r`. At maximum work `W`, which is at least the base work of every rank,
//! these ranks hold at most `sum of (W / a_r - b_r)` seconds of items. This is at most the sum of the `k`
//! largest `W / a_r` minus the sum of the `k` smallest `b_r`. So `W >= (sum of the k largest loads + sum of
//! the k smallest b_r) / (sum of the k largest 1 / a_r)` for every `k` below the number of ranks. (If `k` is
//! the number of ranks, the bound by the total load and the base work is at least as good.) On ranks of the
//! same speed and base work, `k = 1` is best: the work of the largest object plus the base work. This case is
//! left out, because the bound of large objects includes it. O(ranks log ranks).
//!
//! J. W. S. Liu, C. L. Liu, Bounds on scheduling algorithms for heterogeneous computing systems, IFIP 1974,
//! for ranks without sentinels.

use super::instance::Instance;
use super::{Culprit, Limit, LowerBound};

/// Returns the best bound over all `k`; `None` if all ranks have the same speed and base work, if load has no
/// cost on some rank, or if no item has load.
pub(super) fn bound(instance: &Instance<'_>) -> Option<LowerBound> {
    let alike = |numbers: &[f64]| numbers.windows(2).all(|pair| pair[0] == pair[1]);
    if instance.cheapest <= 0.0 || alike(&instance.cost) && alike(&instance.base) {
        return None;
    }
    let mut costs = instance.cost.clone();
    costs.sort_unstable_by(f64::total_cmp);
    // Speeds are relative to the highest one: the inverse of a cost may overflow.
    let share = |cost: f64| instance.cheapest / cost;
    let mut bases: Vec<f64> =
        instance.base.iter().zip(&instance.cost).map(|(base, &cost)| base * share(cost)).collect();
    bases.sort_unstable_by(f64::total_cmp);
    let (mut speed, mut filled) = (0.0, 0.0);
    let mut best: Option<(f64, usize, f64)> = None;
    for (k, (&load, (cost, base))) in instance.items.loads.iter().zip(costs.iter().zip(&bases)).enumerate() {
        if k + 1 == instance.n_ranks() {
            break;
        }
        speed += share(*cost);
        filled += base;
        let work = (instance.items.sums[k + 1] * instance.cheapest + filled) / speed;
        if load > 0.0 && best.is_none_or(|(most, ..)| work > most) {
            best = Some((work, k + 1, load));
        }
    }
    best.map(|(work, n, load)| instance.bound(Limit::FastestRanks, work, Some((Culprit::Objects(n), load))))
}
