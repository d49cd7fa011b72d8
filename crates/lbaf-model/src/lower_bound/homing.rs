// SPDX-License-Identifier: MIT OR Apache-2.0
//! Blocks that must be away from home.
//!
//! At maximum work `W`, rank `r` has capacity for `C_r` seconds of items. Let `l_r` be the migratable load of the
//! blocks whose home is rank `r`. At least `e_r = l_r - C_r` seconds of this load are on other ranks, together with the
//! blocks. Let `delta` be the cost of a byte. Each block away from home costs `delta x size` on the rank that holds the
//! block, which leaves less capacity for load on this rank. The number of bytes of these blocks on other ranks is at
//! least the largest of three values:
//!
//! * Fractional knapsack: blocks leave in ascending order of bytes per second of load until `e_r` seconds
//!   have left. Only a fraction of the last block counts.
//! * Number of blocks: let `n` be the least number of blocks whose loads sum up to `e_r`, in descending order
//!   of load. Then at least `n` blocks leave, with at least the bytes of the `n` smallest blocks.
//! * Shares: let `c` be the largest capacity of any rank for load at maximum work `W - delta x s`, where `s`
//!   is the smallest size of these blocks. A rank with one of these blocks away from home has at most `c`
//!   seconds of their load. So these blocks are on at least `e_r / c` other ranks, rounded up, with at least
//!   `s` bytes on each.
//!
//! `W` is refuted if the capacities of all ranks cannot hold all items and the bytes away from all homes.
//! When `W` grows, capacities grow and bytes away from home shrink, so the largest refuted `W` is found by
//! bisection. A block that a sentinel already has away from home counts with 0 bytes. O(blocks log blocks) to
//! sort, O(ranks log blocks) for each step.

use super::fixed_part::FixedPart;
use super::instance::Instance;
use super::items::movable_by_block;
use super::level::{ROUNDING, fill, highest_refuted};
use super::{Limit, LowerBound};
use crate::WorkModel;

/// Returns the smallest work at which the ranks have capacity for all items and for the bytes away from home.
/// `None` if the cost of homing is 0 or unknown, if load has no cost on some rank, or if the phase has no blocks.
pub(super) fn bound(instance: &Instance<'_>, model: &dyn WorkModel) -> Option<LowerBound> {
    let price = model.terms()?.homing;
    let fixed = instance.fixed.as_ref()?;
    if price <= 0.0 || instance.phase.blocks().is_empty() || instance.cheapest <= 0.0 {
        return None;
    }
    let homes = homes(instance, fixed);
    let ranks: Vec<(f64, f64)> = instance.base.iter().copied().zip(instance.cost.iter().copied()).collect();
    let level = fill(ranks, instance.items.total);
    let least = instance.least();
    let dearest = instance.cost.iter().copied().fold(0.0, f64::max);
    let capacities = |work: f64| {
        let capacities = instance.base.iter().zip(&instance.cost);
        capacities.map(move |(&base, &cost)| Instance::capacity(base, cost, work))
    };
    let is_refuted = |work: f64| {
        // Capacity for load of a rank that also holds these bytes away from their home. No rank has more,
        // because the smallest cost and the least base work of all ranks are used.
        let beside = |bytes: f64| Instance::capacity(least + price * bytes, instance.cheapest, work);
        let (mut total, mut away) = (0.0, 0.0);
        for (capacity, home) in capacities(work).zip(homes.iter()) {
            total += capacity;
            away += home.least_away(home.load - capacity, beside);
        }
        (instance.items.total + price * away / dearest) * (1.0 - ROUNDING) > total
    };
    let all_home = homes.iter().zip(instance.base.iter().zip(&instance.cost));
    let all_home = all_home.map(|(home, (base, cost))| base + cost * home.load).fold(level, f64::max);
    let work = highest_refuted(level, all_home, is_refuted).unwrap_or(level);
    Some(instance.bound(Limit::Homing, work, None))
}

/// Blocks with migratable load, grouped by home. They are contiguous because each step of the bisection
/// visits all of them.
#[derive(Default)]
struct Homes {
    /// End of the blocks of each rank.
    ends: Vec<usize>,
    /// Prefix sums of load and bytes per home, ascending by bytes per load.
    by_density: Vec<(f64, f64)>,
    /// Prefix sums of load per home, descending by load.
    by_load: Vec<f64>,
    /// Prefix sums of bytes per home, ascending by bytes.
    by_size: Vec<f64>,
}

impl Homes {
    /// Appends the next rank, with load and bytes of each block whose home is this rank.
    fn push(&mut self, blocks: &mut [(f64, f64)]) {
        let (mut load, mut bytes) = (0.0, 0.0);
        blocks.sort_unstable_by(|a, b| (a.1 / a.0).total_cmp(&(b.1 / b.0)));
        self.by_density.extend(blocks.iter().map(|block| {
            load += block.0;
            bytes += block.1;
            (load, bytes)
        }));
        let (mut load, mut bytes) = (0.0, 0.0);
        blocks.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        self.by_load.extend(blocks.iter().map(|block| {
            load += block.0;
            load
        }));
        blocks.sort_unstable_by(|a, b| a.1.total_cmp(&b.1));
        self.by_size.extend(blocks.iter().map(|block| {
            bytes += block.1;
            bytes
        }));
        self.ends.push(self.by_load.len());
    }

    /// Returns the blocks of every rank, by home.
    fn iter(&self) -> impl Iterator<Item = Home<'_>> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| Home {
            load: if end > start { self.by_density[end - 1].0 } else { 0.0 },
            by_density: &self.by_density[start..end],
            by_load: &self.by_load[start..end],
            by_size: &self.by_size[start..end],
            smallest: if end > start { self.by_size[start] } else { 0.0 },
        })
    }
}

/// Blocks with the same home.
struct Home<'a> {
    /// Load of all blocks.
    load: f64,
    by_density: &'a [(f64, f64)],
    by_load: &'a [f64],
    by_size: &'a [f64],
    /// The smallest size.
    smallest: f64,
}

impl Home<'_> {
    /// Returns the least bytes of these blocks away from home if `load` seconds of their load are away.
    /// `beside` returns the capacity for load of a rank that also holds the given bytes.
    fn least_away(&self, load: f64, beside: impl Fn(f64) -> f64) -> f64 {
        if load <= ROUNDING * self.load {
            return 0.0;
        }
        let whole = self.by_density.partition_point(|block| block.0 <= load);
        let before = if whole == 0 { (0.0, 0.0) } else { self.by_density[whole - 1] };
        let in_part = self.by_density.get(whole).map_or(before.1, |next| {
            // A product of bytes and seconds might overflow.
            before.1 + (next.1 - before.1) * ((load - before.0) / (next.0 - before.0))
        });
        let load = load * (1.0 - ROUNDING);
        let n_blocks = self.by_load.partition_point(|&sum| sum < load) + 1;
        let in_number = self.by_size[n_blocks.min(self.by_size.len()) - 1];
        if self.smallest <= 0.0 {
            return in_part.max(in_number);
        }
        // Infinite if there is no capacity besides the smallest block.
        let in_shares = (load / beside(self.smallest)).ceil() * self.smallest;
        in_part.max(in_number).max(in_shares)
    }
}

/// Returns the blocks with migratable load, grouped by home.
fn homes(instance: &Instance<'_>, fixed: &FixedPart) -> Homes {
    let blocks = instance.phase.blocks();
    let mut is_away = vec![false; blocks.len()];
    for &(block, rank) in &fixed.blocks {
        is_away[block.index()] |= blocks[block.index()].home != rank;
    }
    let mut of_ranks = vec![Vec::new(); instance.n_ranks()];
    for (block, load) in movable_by_block(instance.phase).into_iter().enumerate() {
        if load > 0.0 {
            let bytes = if is_away[block] { 0.0 } else { blocks[block].size_bytes };
            of_ranks[blocks[block].home.index()].push((load, bytes));
        }
    }
    let mut homes = Homes::default();
    for blocks in &mut of_ranks {
        homes.push(blocks);
    }
    homes
}
