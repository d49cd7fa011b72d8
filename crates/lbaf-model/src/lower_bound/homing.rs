// SPDX-License-Identifier: MIT OR Apache-2.0
//! Blocks that have to be away from home.
//!
//! At maximum work `W` a rank has room for `C_r` seconds of items. Of the load `l_r` whose blocks are at home on
//! rank `r`, at least `e_r = l_r - C_r` is elsewhere, and with it blocks, each of which costs `delta x size` on the
//! rank where it is, in the place of load. How many bytes that is at least, for a rank:
//!
//! * blocks are taken by bytes per second of load, the last one in part (the fractional knapsack);
//! * blocks of most load are taken until there are enough: so many blocks it is at least, and so many of the
//!   smallest;
//! * a rank with a block of another has at most `C - delta x (the smallest size)` left for its load, so that `e_r`
//!   over this is a number of times that a block is away, the smallest each time at least.
//!
//! `W` is refuted if the rooms of all ranks do not hold all items beside the bytes of all homes. With `W` the rooms
//! grow, and what is away falls, so the end is found by bisection. Blocks that a sentinel has away from home cost
//! nothing more there. O(blocks log blocks) to sort, O(ranks log blocks) for each step.

use super::certain::Certain;
use super::instance::Instance;
use super::items::movable_by_block;
use super::level::{ROUNDING, fill, highest_refuted};
use super::{Limit, LowerBound};
use crate::WorkModel;

/// The smallest work at which all that is away from home can be paid.
pub(super) fn bound(instance: &Instance<'_>, model: &dyn WorkModel) -> Option<LowerBound> {
    let price = model.terms()?.homing;
    let certain = instance.certain.as_ref()?;
    if price <= 0.0 || instance.phase.blocks().is_empty() || instance.cheapest <= 0.0 {
        return None;
    }
    let homes = homes(instance, certain);
    let ranks: Vec<(f64, f64)> = instance.base.iter().copied().zip(instance.cost.iter().copied()).collect();
    let level = fill(ranks, instance.items.total);
    let least = instance.least();
    let dearest = instance.cost.iter().copied().fold(0.0, f64::max);
    let rooms = |work: f64| {
        let rooms = instance.base.iter().zip(&instance.cost);
        rooms.map(move |(&base, &cost)| Instance::room(base, cost, work))
    };
    let is_refuted = |work: f64| {
        // On a rank with a block of another; of the cheapest rank with least, so no less than on any.
        let beside = |bytes: f64| Instance::room(least + price * bytes, instance.cheapest, work);
        let (mut room, mut away) = (0.0, 0.0);
        for (capacity, home) in rooms(work).zip(homes.iter()) {
            room += capacity;
            away += home.least_away(home.load - capacity, beside);
        }
        (instance.items.total + price * away / dearest) * (1.0 - ROUNDING) > room
    };
    let all_home = homes.iter().zip(instance.base.iter().zip(&instance.cost));
    let all_home = all_home.map(|(home, (base, cost))| base + cost * home.load).fold(level, f64::max);
    let work = highest_refuted(level, all_home, is_refuted).unwrap_or(level);
    Some(instance.bound(Limit::Homing, work, None))
}

/// Blocks of all homes that have load that may move, in one piece, because every step looks at all.
#[derive(Default)]
struct Homes {
    /// Where the blocks of each rank end.
    ends: Vec<usize>,
    /// Loads and bytes of the first blocks of a home together, ascending by bytes per load.
    by_density: Vec<(f64, f64)>,
    /// Loads of the first blocks together, descending by load.
    by_load: Vec<f64>,
    /// Bytes of the first blocks together, ascending.
    by_size: Vec<f64>,
}

impl Homes {
    /// Appends the next rank, with loads and bytes of its blocks.
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

    /// Of every rank.
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

/// Those of a rank.
struct Home<'a> {
    /// Load of all.
    load: f64,
    by_density: &'a [(f64, f64)],
    by_load: &'a [f64],
    by_size: &'a [f64],
    /// The smallest size.
    smallest: f64,
}

impl Home<'_> {
    /// Bytes that are away at least if so much load is. `beside` is the room for load beside bytes of a block.
    fn least_away(&self, load: f64, beside: impl Fn(f64) -> f64) -> f64 {
        if load <= ROUNDING * self.load {
            return 0.0;
        }
        let whole = self.by_density.partition_point(|block| block.0 <= load);
        let before = if whole == 0 { (0.0, 0.0) } else { self.by_density[whole - 1] };
        let in_part = self.by_density.get(whole).map_or(before.1, |next| {
            // No product of bytes and seconds, which may be beyond all numbers.
            before.1 + (next.1 - before.1) * ((load - before.0) / (next.0 - before.0))
        });
        let load = load * (1.0 - ROUNDING);
        let n_blocks = self.by_load.partition_point(|&sum| sum < load) + 1;
        let in_number = self.by_size[n_blocks.min(self.by_size.len()) - 1];
        if self.smallest <= 0.0 {
            return in_part.max(in_number);
        }
        // Infinite where there is no room at all.
        let in_shares = (load / beside(self.smallest)).ceil() * self.smallest;
        in_part.max(in_number).max(in_shares)
    }
}

/// The blocks of every rank.
fn homes(instance: &Instance<'_>, certain: &Certain) -> Homes {
    let blocks = instance.phase.blocks();
    let mut is_away = vec![false; blocks.len()];
    for &(block, rank) in &certain.blocks {
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
