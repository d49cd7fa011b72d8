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

use super::fitting::Fitting;
use super::infeasible::{Demand, demands, infeasibility_of};
use super::instance::Instance;
use super::items::{Items, movable_by_block};
use super::large_objects::most;
use super::level::{ROUNDING, highest_refuted};
use super::{Limit, LowerBound};
use crate::{BlockIdx, WorkModel};

/// The best over the bounds of the model; nothing if no placement keeps them.
pub(super) fn bound(instance: &Instance<'_>, model: &dyn WorkModel) -> Option<LowerBound> {
    if model.bounds().is_empty() || instance.phase.blocks().is_empty() || instance.cheapest <= 0.0 {
        return None;
    }
    let demands = demands(instance.phase, model);
    if infeasibility_of(instance.phase, &demands).is_some() {
        return None;
    }
    let loads = movable_by_block(instance.phase);
    let works = demands.iter().filter_map(|demand| of_demand(instance, demand, &loads));
    let work = works.reduce(f64::max)?;
    Some(instance.bound(Limit::Memory, work, None))
}

/// Work that a single bound of the model forces.
fn of_demand(instance: &Instance<'_>, demand: &Demand, loads: &[f64]) -> Option<f64> {
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
    let mut bases = instance.base.clone();
    bases.sort_unstable_by(f64::total_cmp);
    let undivided = most(&whole, &bases, instance.cheapest).map(|(work, _)| work);

    let level = super::level::fill(
        instance.base.iter().copied().zip(instance.cost.iter().copied()).collect(),
        instance.items.total,
    );
    let known = undivided.unwrap_or(0.0).max(level);
    let largest_room = |work: f64| {
        let rooms =
            instance.base.iter().zip(&instance.cost).map(|(&base, &cost)| Instance::room(base, cost, work));
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
    let whole_on_one = instance.base.iter().zip(&instance.cost).map(|(base, cost)| base + cost * dearest);
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
