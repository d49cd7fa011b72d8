// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packing of all items into the rooms of the ranks, as bins of different capacity.
//!
//! At maximum work `W`, rank `r` has room for `C_r` seconds of items. Let `f` be a function on `[0, C]`, where `C`
//! is the largest room, that never falls and is superadditive: `f(a) + f(b) <= f(a + b)`. What is packed into a
//! room then has `sum of f(items) <= f(sum of items) <= f(C_r)`. So if the sum of `f` over all items is more than
//! that over all rooms, there is no such packing, and every placement costs more than `W`. Three families:
//!
//! * For an item `t > C / 2`: `f(x) = C` from `t` on, since nothing above `C - t` fits beside; `x` between; 0 up to
//!   `C - t`. On equal rooms this is the bound L2 of Martello and Toth.
//! * For an item `t`: `f(x)` = how often `t` goes into `x`.
//! * For `t = C / (k + 1)`: `f(x) = ceil(x / t) - 1`, which counts how many items of more than `t` fit.
//!
//! Levels are searched by bisection from the best of the simpler bounds up to twice that. For a level the items
//! are looked up in their sorted sums, and ranks with the same work to begin with are looked at once; the number
//! of functions is limited, so that a level takes O(`EFFORT` + ranks).
//!
//! S. Martello, P. Toth, Lower bounds and reduction procedures for the bin packing problem, Discrete Applied
//! Mathematics 28 (1990), doi:10.1016/0166-218X(90)90094-S; S. P. Fekete, J. Schepers, New classes of fast lower
//! bounds for bin packing problems, Mathematical Programming 91 (2001), doi:10.1007/s101070100243. Both have equal
//! bins.

use super::instance::Instance;
use super::items::Items;
use super::level::{ROUNDING, highest_refuted};
use super::{Limit, LowerBound};

/// So many rooms are looked at for a level, over all functions, and so many functions at most and at least.
const EFFORT: usize = 100_000;
const MOST_FUNCTIONS: usize = 64;
const LEAST_FUNCTIONS: usize = 4;
/// Of the functions that count items, those with rooms for up to so many.
const MOST_IN_ROOM: usize = 64;

/// Rooms of the same size, and how many.
pub(super) type Rooms = Vec<(f64, usize)>;

/// The best that is more than `known`, both without the constant.
pub(super) fn bound(instance: &Instance<'_>, known: f64) -> Option<LowerBound> {
    /// Levels from which to search, relative to what is known: refutations may skip some.
    const STARTS: [f64; 8] = [1.5, 1.3, 1.2, 1.12, 1.07, 1.03, 1.01, 1.0];
    if instance.cheapest <= 0.0 || known <= 0.0 || instance.items.len() <= 1 {
        return None;
    }
    let ranks = kinds(instance);
    let is_refuted = |work: f64| {
        let room = |&((base, cost), n): &((f64, f64), usize)| (Instance::room(base, cost, work), n);
        is_overfull(&instance.items, &ranks.iter().map(room).collect())
    };
    // Where no two items are as large as the rooms, nothing but their sum counts; one look says so.
    let found = STARTS.iter().find_map(|start| highest_refuted(known * start, known * 2.0, is_refuted));
    found.map(|work| instance.bound(Limit::Packing, work, None))
}

/// What is certain of ranks and their cost for load, each combination once, and how many ranks have it.
fn kinds(instance: &Instance<'_>) -> Vec<((f64, f64), usize)> {
    let mut ranks: Vec<(f64, f64)> =
        instance.base.iter().copied().zip(instance.cost.iter().copied()).collect();
    ranks.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    ranks.chunk_by(|a, b| a == b).map(|alike| (alike[0], alike.len())).collect()
}

/// Whether the items have no room, by one of the functions.
pub(super) fn is_overfull(items: &Items, rooms: &Rooms) -> bool {
    let largest = rooms.iter().map(|room| room.0).fold(0.0, f64::max);
    let n_rooms = rooms.iter().map(|room| room.1).sum();
    if !largest.is_finite() || items.len() == 0 {
        return false;
    }
    if items.loads[0] > largest {
        return true;
    }
    let n_functions = (EFFORT / rooms.len()).clamp(LEAST_FUNCTIONS, MOST_FUNCTIONS);
    beside_large(items, rooms, largest, n_functions)
        || counted_by_item(items, rooms, n_rooms, n_functions)
        || counted_by_part(items, rooms, largest, n_functions)
}

/// The sum over rooms.
fn over(rooms: &Rooms, f: impl Fn(f64) -> f64) -> f64 {
    rooms.iter().map(|&(room, n)| n as f64 * f(room)).sum()
}

/// Positions below `n`, all if they are few, else evenly spread.
fn spread(n: usize, most: usize) -> impl Iterator<Item = usize> {
    let n_taken = n.min(most);
    (0..n_taken).map(move |i| if n <= most { i } else { (i + 1) * (n - 1) / most })
}

fn beside_large(items: &Items, rooms: &Rooms, largest: f64, n_functions: usize) -> bool {
    let n_large = items.n_above(largest / 2.0);
    let no_smaller = |t: f64| {
        let (n_full, n_counted) = (items.n_from(t), items.n_above(largest - t));
        let between = items.sums[n_counted] - items.sums[n_full];
        let packed = n_full as f64 * largest + between;
        packed * (1.0 - ROUNDING)
            > over(rooms, |x| {
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

fn counted_by_item(items: &Items, rooms: &Rooms, n_rooms: usize, n_functions: usize) -> bool {
    let overfull = |t: f64| {
        // Whole numbers, of which some may be left out on this side.
        let packed: usize =
            (1..=MOST_IN_ROOM).map(|n| items.n_from(n as f64 * t)).take_while(|&n| n > 0).sum();
        packed as f64 > over(rooms, |x| (x / t).floor())
    };
    let few = (items.len() <= n_functions).then_some(0..items.len());
    let by_rooms = (1..n_functions).map(|k| k * n_rooms).take_while(|&position| position < items.len());
    let mut positions: Vec<usize> = few.into_iter().flatten().chain(by_rooms).collect();
    positions.dedup();
    positions.into_iter().map(|position| items.loads[position]).filter(|&t| t > 0.0).any(overfull)
}

fn counted_by_part(items: &Items, rooms: &Rooms, largest: f64, n_functions: usize) -> bool {
    (1..=n_functions.min(MOST_IN_ROOM)).any(|k| {
        let t = largest / (k + 1) as f64;
        let packed: usize = (1..=k).map(|n| items.n_above(n as f64 * t)).sum();
        packed as f64 > over(rooms, |x| ((x / t).ceil() - 1.0).clamp(0.0, k as f64))
    })
}
