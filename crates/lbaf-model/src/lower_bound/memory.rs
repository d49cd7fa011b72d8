// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory: so few copies of a block fit that its load cannot be divided among enough ranks.
//!
//! Every block in use is on at least one rank and, as *copies*, on further ranks if its objects are divided. The
//! weight of a block is the amount that it adds to a quantity. An upper bound on this quantity limits the copies of
//! all blocks in two ways. Let a *place* be a rank or, if the upper bound applies to nodes, a node. First, the total
//! weight of the copies is at most the capacity that remains on all places after every object and block is placed
//! once. Second, the number of copies is at most the number of blocks that fit on the places, smallest first, minus
//! the number of distinct blocks. A rank has at most `C` seconds of any block, where `C` is the largest capacity for
//! load at maximum work `W`. So a block of load `l` needs at least `ceil(l / C) - 1` copies, and `W` is refuted if
//! the copies of all blocks do not fit. Besides, if at most `x` copies fit, at most `x` blocks are divided, at best
//! those with the largest loads. The other blocks stay whole, and the bound of large objects applies to them.
//! O(blocks log blocks), plus O(ranks + blocks with a load above `C`) for each step of a bisection.
//!
//! Blocks that a sentinel works on are left out, because they are on its rank in every placement.

use super::fitting::Fitting;
use super::infeasible::{Demand, demands, infeasibility_of};
use super::instance::Instance;
use super::items::{Items, movable_by_block};
use super::large_objects::most;
use super::level::{ROUNDING, highest_refuted};
use super::{Limit, LowerBound};
use crate::{BlockIdx, WorkModel};

/// Returns the largest lower bound that follows from a single upper bound of the model. `None` if no upper
/// bound limits blocks, if load has no cost on some rank, or if the phase is proven infeasible.
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

/// Returns the lower bound that follows from a single upper bound of the model.
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
    let largest_capacity = |work: f64| {
        let capacities = instance
            .base
            .iter()
            .zip(&instance.cost)
            .map(|(&base, &cost)| Instance::capacity(base, cost, work));
        capacities.fold(0.0, f64::max)
    };
    let is_refuted = |work: f64| {
        let capacity = largest_capacity(work);
        let (mut n, mut bytes) = (0.0, 0.0);
        for &(load, weight) in blocks.iter().take_while(|block| block.0 > capacity) {
            let copies = (load / capacity).ceil() - 1.0;
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

/// Returns an upper limit on the number of copies of blocks that fit on all places in addition to one of each block.
fn n_copies(demand: &Demand, fitting: &Fitting, spare: f64) -> usize {
    if fitting.weights[0] <= 0.0 {
        return if spare < 0.0 { 0 } else { usize::MAX };
    }
    let n = demand.places.iter().map(|place| fitting.n_in(place.n_ranks, place.capacity));
    n.fold(0, usize::saturating_add).saturating_sub(fitting.weights.len())
}
