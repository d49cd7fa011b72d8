// SPDX-License-Identifier: MIT OR Apache-2.0
//! Blocks that have no room on as many ranks as would share their load.
//!
//! Every block that somebody works on is on one rank at least. Beside that, a bound on a quantity that blocks
//! count in leaves room for so many *copies*: bytes up to what all places have left, and in number up to what the
//! smallest blocks, one after the other, take of every place. A rank has no more than `C` seconds of any block,
//! where `C` is the largest room for load at maximum work `W`; so a block of load `l` has at least
//! `ceil(l / C) - 1` copies, and `W` is refuted if all have no room. And with `x` copies at most `x` blocks are
//! divided. The others are whole, in the best case all but the `x` largest, and so the bounds of large objects
//! hold for them. O(blocks log blocks) and bisection over the blocks of more than `C`.
//!
//! Blocks that a sentinel has somewhere cost nothing there, and are left out.

use super::case::Case;
use super::infeasible::{Demand, demands, infeasibility_of};
use super::items::{Items, movable_by_block};
use super::large_objects::most;
use super::level::{ROUNDING, highest_refuted};
use super::{Limit, LowerBound};
use crate::{BlockIdx, WorkModel};

/// The best over the bounds of the model; nothing if no placement keeps them.
pub(super) fn bound(case: &Case<'_>, model: &dyn WorkModel) -> Option<LowerBound> {
    if model.bounds().is_empty() || case.phase.blocks().is_empty() || case.cheapest <= 0.0 {
        return None;
    }
    let demands = demands(case.phase, model);
    if infeasibility_of(case.phase, &demands).is_some() {
        return None;
    }
    let loads = movable_by_block(case.phase);
    let works = demands.iter().filter_map(|demand| of_demand(case, demand, &loads));
    let work = works.reduce(f64::max)?;
    Some(case.bound(Limit::Memory, work, None))
}

/// Work that a single bound of the model forces.
fn of_demand(case: &Case<'_>, demand: &Demand, loads: &[f64]) -> Option<f64> {
    if demand.blocks.is_empty() {
        return None;
    }
    let mut blocks: Vec<(f64, f64)> =
        demand.blocks.iter().map(|&(BlockIdx(block), weight)| (loads[block as usize], weight)).collect();
    blocks.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.total_cmp(&b.1)));
    let fitting = Fitting::new(blocks.iter().map(|block| block.1).collect());
    let spare = demand.spare();
    let n_copies = n_copies(demand, &fitting, spare);
    let n_divided = n_copies.min(fitting.n_in(1, spare));
    let whole = Items::of_loads(blocks.iter().map(|block| block.0).skip(n_divided).collect());
    let mut bases = case.base.clone();
    bases.sort_unstable_by(f64::total_cmp);
    let undivided = most(&whole, &bases, case.cheapest).map(|(work, _)| work);

    let level = super::level::fill(
        case.base.iter().copied().zip(case.cost.iter().copied()).collect(),
        case.items.total,
    );
    let known = undivided.unwrap_or(0.0).max(level);
    let largest_room = |work: f64| {
        let rooms = case.base.iter().zip(&case.cost).map(|(&base, &cost)| Case::room(base, cost, work));
        rooms.fold(0.0, f64::max)
    };
    let is_refuted = |work: f64| {
        let room = largest_room(work);
        let (mut n, mut bytes) = (0.0, 0.0);
        for &(load, weight) in blocks.iter().take_while(|block| block.0 > room) {
            let copies = (load / room).ceil() - 1.0;
            n += copies;
            bytes += copies * weight;
        }
        n > n_copies as f64 || bytes * (1.0 - ROUNDING) > spare
    };
    let dearest = blocks.first().map_or(0.0, |block| block.0);
    let whole_on_one = case.base.iter().zip(&case.cost).map(|(base, cost)| base + cost * dearest);
    let divided = highest_refuted(known, whole_on_one.fold(f64::INFINITY, f64::min), is_refuted);
    [undivided, divided].into_iter().flatten().reduce(f64::max)
}

/// How many copies of blocks all places have room for beside one of each, by number.
fn n_copies(demand: &Demand, fitting: &Fitting, spare: f64) -> usize {
    if fitting.weights[0] <= 0.0 {
        return if spare < 0.0 { 0 } else { usize::MAX };
    }
    let n = demand.places.iter().map(|place| fitting.n_in(place.n_ranks, place.room));
    n.fold(0, usize::saturating_add).saturating_sub(fitting.weights.len())
}

/// How many blocks fit into rooms, the smallest first.
pub(super) struct Fitting {
    /// Ascending, and what the first ones have together.
    weights: Vec<f64>,
    sums: Vec<f64>,
}

impl Fitting {
    pub(super) fn new(mut weights: Vec<f64>) -> Self {
        weights.sort_unstable_by(f64::total_cmp);
        let mut sum = 0.0;
        let sums = weights.iter().map(|weight| {
            sum += weight;
            sum
        });
        Fitting { sums: sums.collect(), weights }
    }

    /// Of a room in which each block may be so many times. O(log blocks), and the number of times.
    pub(super) fn n_in(&self, times: usize, room: f64) -> usize {
        let room = room * (1.0 + ROUNDING);
        let whole = self.sums.partition_point(|sum| sum * times as f64 <= room);
        let filled = if whole == 0 { 0.0 } else { self.sums[whole - 1] * times as f64 };
        let in_part = self
            .weights
            .get(whole)
            .map_or(0, |weight| (1..times).take_while(|&more| filled + weight * more as f64 <= room).count());
        whole * times + in_part
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_are_filled_with_the_smallest_blocks_in_layers() {
        let fitting = Fitting::new(vec![3.0, 1.0, 2.0]);
        let n_in = |times, room| fitting.n_in(times, room);
        assert_eq!([n_in(1, 0.5), n_in(1, 1.0), n_in(1, 5.9), n_in(1, 6.0), n_in(1, 99.0)], [0, 1, 2, 3, 3]);
        // 1 + 1 + 2, then 2 more would be 6.
        assert_eq!([n_in(2, 5.0), n_in(2, 6.0), n_in(2, 9.0), n_in(2, 12.0)], [3, 4, 5, 6]);
        assert_eq!(n_in(2, -1.0), 0);
    }
}
