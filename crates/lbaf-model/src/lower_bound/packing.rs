// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bin packing: all items into ranks as bins of different capacity.
//!
//! At maximum work `W`, rank `r` has capacity for `C_r` seconds of items. Let `C` be the largest capacity,
//! and let `f` be a nondecreasing and superadditive function on `[0, C]`: `f(a) + f(b) <= f(a + b)`. The
//! items in a bin then satisfy `sum of f(items) <= f(sum of items) <= f(C_r)`. If the sum of `f` over all
//! items exceeds the sum of `f(C_r)` over all bins, no packing exists, and every placement has a maximum work
//! above `W`. Three families of functions are used:
//!
//! * For an item `t > C / 2`: `f(x) = 0` up to `C - t`; `f(x) = x` between `C - t` and `t`; `f(x) = C` from
//!   `t` on, since no item above `C - t` fits beside `t`. For equal bins this is the bound L2 of Martello and
//!   Toth.
//! * For an item `t`: `f(x) = floor(x / t)`.
//! * For `t = C / (k + 1)`: `f(x) = ceil(x / t) - 1`, the largest number of items above `t` that fit into
//!   `x`.
//!
//! Bisection searches levels from the best of the simpler bounds up to twice its value. For each level, items
//! are counted by binary search in their sorted loads and summed by prefix sums. Ranks with the same base
//! work and cost are evaluated once. The number of functions is limited, so a level takes O(`EFFORT` +
//! ranks).
//!
//! S. Martello, P. Toth, Lower bounds and reduction procedures for the bin packing problem, Discrete Applied
//! Mathematics 28 (1990), doi:10.1016/0166-218X(90)90094-S; S. P. Fekete, J. Schepers, New classes of fast
//! lower bounds for bin packing problems, Mathematical Programming 91 (2001), doi:10.1007/s101070100243. Both
//! assume equal bins.

use super::instance::Instance;
use super::items::Items;
use super::level::{ROUNDING, highest_refuted};
use super::{Limit, LowerBound};

/// Largest number of evaluations of the functions of one family on bins, for one level. Accordingly, a family has
/// `EFFORT` functions divided by the number of kinds of bins, but at least `LEAST_FUNCTIONS` and at most
/// `MOST_FUNCTIONS`.
const EFFORT: usize = 100_000;
const MOST_FUNCTIONS: usize = 64;
const LEAST_FUNCTIONS: usize = 4;
/// Largest value of `f(x)` for an item in the second and third family, whose functions count items.
const MOST_PER_BIN: usize = 64;

/// Capacities of bins, and the number of bins with each.
pub(super) type Bins = Vec<(f64, usize)>;

/// Returns a bound above `known`, if the search finds one. `known` excludes the constant.
pub(super) fn bound(instance: &Instance<'_>, known: f64) -> Option<LowerBound> {
    /// Initial levels of the search, relative to `known`. There are several because a level that is not
    /// refuted may be below refuted ones.
    const STARTS: [f64; 8] = [1.5, 1.3, 1.2, 1.12, 1.07, 1.03, 1.01, 1.0];
    if instance.cheapest <= 0.0 || known <= 0.0 || instance.items.len() <= 1 {
        return None;
    }
    let ranks = kinds(instance);
    let is_refuted = |work: f64| {
        let bin = |&((base, cost), n): &((f64, f64), usize)| (Instance::capacity(base, cost, work), n);
        is_overfull(&instance.items, &ranks.iter().map(bin).collect())
    };
    // An initial level that is not refuted takes a single evaluation.
    let found = STARTS.iter().find_map(|start| highest_refuted(known * start, known * 2.0, is_refuted));
    found.map(|work| instance.bound(Limit::Packing, work, None))
}

/// Returns each combination of base work and cost of load, and the number of its ranks.
fn kinds(instance: &Instance<'_>) -> Vec<((f64, f64), usize)> {
    let mut ranks: Vec<(f64, f64)> =
        instance.base.iter().copied().zip(instance.cost.iter().copied()).collect();
    ranks.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    ranks.chunk_by(|a, b| a == b).map(|alike| (alike[0], alike.len())).collect()
}

/// True if the largest item exceeds the largest bin, or a function proves that the items do not fit.
pub(super) fn is_overfull(items: &Items, bins: &Bins) -> bool {
    let largest = bins.iter().map(|bin| bin.0).fold(0.0, f64::max);
    let n_bins = bins.iter().map(|bin| bin.1).sum();
    if !largest.is_finite() || items.len() == 0 {
        return false;
    }
    if items.loads[0] > largest {
        return true;
    }
    let n_functions = (EFFORT / bins.len()).clamp(LEAST_FUNCTIONS, MOST_FUNCTIONS);
    beside_large(items, bins, largest, n_functions)
        || counted_by_item(items, bins, n_bins, n_functions)
        || counted_by_part(items, bins, largest, n_functions)
}

/// Returns the sum of `f` over all bins.
fn over(bins: &Bins, f: impl Fn(f64) -> f64) -> f64 {
    bins.iter().map(|&(bin, n)| n as f64 * f(bin)).sum()
}

/// Returns positions below `n`: all of them, or `most` evenly spread ones if there are more.
fn spread(n: usize, most: usize) -> impl Iterator<Item = usize> {
    let n_taken = n.min(most);
    (0..n_taken).map(move |i| if n <= most { i } else { (i + 1) * (n - 1) / most })
}

fn beside_large(items: &Items, bins: &Bins, largest: f64, n_functions: usize) -> bool {
    let n_large = items.n_above(largest / 2.0);
    let no_smaller = |t: f64| {
        let (n_full, n_counted) = (items.n_from(t), items.n_above(largest - t));
        let between = items.sums[n_counted] - items.sums[n_full];
        let packed = n_full as f64 * largest + between;
        packed * (1.0 - ROUNDING)
            > over(bins, |x| {
                if x >= t {
                    largest
                } else if x <= largest - t {
                    0.0
                } else {
                    x
                }
            })
    };
    spread(n_large, n_functions).any(|position| no_smaller(items.loads[position]))
}

fn counted_by_item(items: &Items, bins: &Bins, n_bins: usize, n_functions: usize) -> bool {
    let overfull = |t: f64| {
        // Both sides are integers. The tolerance of capacities covers the rounding of `n * t` and `x / t`.
        // The limit `MOST_PER_BIN` only reduces the left-hand side, so the proof stays valid.
        let packed: usize =
            (1..=MOST_PER_BIN).map(|n| items.n_from(n as f64 * t)).take_while(|&n| n > 0).sum();
        packed as f64 > over(bins, |x| (x / t).floor())
    };
    let few = (items.len() <= n_functions).then_some(0..items.len());
    let by_bins = (1..n_functions).map(|k| k * n_bins).take_while(|&position| position < items.len());
    let mut positions: Vec<usize> = few.into_iter().flatten().chain(by_bins).collect();
    positions.dedup();
    positions.into_iter().map(|position| items.loads[position]).filter(|&t| t > 0.0).any(overfull)
}

fn counted_by_part(items: &Items, bins: &Bins, largest: f64, n_functions: usize) -> bool {
    (1..=n_functions.min(MOST_PER_BIN)).any(|k| {
        let t = largest / (k + 1) as f64;
        let packed: usize = (1..=k).map(|n| items.n_above(n as f64 * t)).sum();
        packed as f64 > over(bins, |x| ((x / t).ceil() - 1.0).clamp(0.0, k as f64))
    })
}
