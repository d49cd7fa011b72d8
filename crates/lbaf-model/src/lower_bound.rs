// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lower bounds on the maximum work of any placement.
//!
//! The bounds rest on the guaranteed part of the work of a rank: the work of its non-migratable objects, and
//! the least cost of each second of load ([`LoadFloor`](crate::LoadFloor)) and each byte
//! ([`WorkTerms`](crate::WorkTerms)). They therefore hold for every work model. The proof of a bound is in the
//! file that computes it.
//!
//! Terms of the proofs: The *fixed part* of a rank is the same in every placement: its sentinels, their
//! blocks, and communication among sentinels and ranks. The *base work* of a rank is the work of its fixed
//! part. *Items* are placed as a whole: migratable objects, or clusters of them. `a_r` is the work of rank
//! `r` per second of load, and `W` is a maximum work. `W` is *refuted* if every placement provably has a
//! larger maximum work.
//!
//! The table compares the bounds with the optimum of all placements, for 10,000 random phases of up to 4 ranks and 9
//! objects with memory, blocks, sentinels and communication, each with four models (`cargo test --release -p
//! lbaf-model bounds_at_length -- --nocapture` prints it). *Cases* is the number of cases in which both the bound and
//! the optimum are positive; in the two rows of best bounds, only the optimum must be positive. *Median* is the
//! median of bound / optimum over these cases, and *optimal* the share of these cases in which the bound equals the
//! optimum. *Best in* is the number of cases in which [`LowerBound::best_of`] selects this bound. The bound on
//! fastest ranks is never the best here, because these phases have too few ranks.
//!
//! | kind | cases | median | optimal | best in |
//! |---|---|---|---|---|
//! | mean | 24495 | 0.93 | 41 % | 11088 |
//! | largest object | 23299 | 0.59 | 31 % | 3655 |
//! | sentinels | 25667 | 1.00 | 51 % | 3018 |
//! | large objects | 23950 | 1.00 | 60 % | 1874 |
//! | fastest ranks | 9280 | 0.64 | 24 % | 0 |
//! | packing | 3386 | 1.00 | 48 % | 2710 |
//! | memory | 1208 | 0.73 | 33 % | 25 |
//! | communication | 10791 | 1.00 | 52 % | 4740 |
//! | homing | 5468 | 0.99 | 49 % | 503 |
//! | best, against all placements | 28172 | 1.00 | 77 % | |
//! | best, against placements within bounds | 18463 | 1.00 | 80 % | |
//!
//! [`infeasibility`] detects 11,646 of the 12,186 infeasible cases.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{BlockIdx, Phase, RankId, Slot, WorkModel};

mod communication;
mod fastest_ranks;
mod fitting;
mod fixed_part;
mod homing;
mod infeasible;
mod instance;
mod items;
mod large_objects;
mod level;
mod memory;
mod packing;
mod rounding;
mod sentinels;
mod synchronised;

use instance::Instance;
use items::Items;
use level::fill;

pub use infeasible::{Infeasible, Reason, infeasibility};
pub use items::Units;
pub use level::water_level;
pub use synchronised::{SynchronisedBound, synchronised_bound};

/// The term that determines a lower bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Total load divided by the total speed of the ranks.
    Mean,
    /// A single object, on the fastest rank.
    LargestObject,
    /// The objects of a single block, which stay together.
    LargestBlock,
    /// Non-migratable objects.
    Sentinels,
    /// The largest objects: some rank owns several of them, or one in addition to its sentinels.
    LargeObjects,
    /// The largest blocks, if the objects of a block stay together: some rank owns several of these blocks,
    /// or one in addition to its sentinels.
    LargeBlocks,
    /// The `k` largest objects, placed on the `k` fastest and emptiest ranks.
    FastestRanks,
    /// Bin packing: with less maximum work, the objects would not fit into the ranks.
    Packing,
    /// Memory: so few copies of a block fit that its load cannot be divided among enough ranks.
    Memory,
    /// Unavoidable communication.
    Communication,
    /// Blocks that must be away from home.
    Homing,
    /// Exhaustive search: no placement has less work.
    Search,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Mean => "mean",
            Limit::LargestObject => "largest object",
            Limit::LargestBlock => "largest block",
            Limit::Sentinels => "sentinels",
            Limit::LargeObjects => "large objects",
            Limit::LargeBlocks => "large blocks",
            Limit::FastestRanks => "fastest ranks",
            Limit::Packing => "packing",
            Limit::Memory => "memory",
            Limit::Communication => "communication",
            Limit::Homing => "homing",
            Limit::Search => "search",
        })
    }
}

/// The part of a phase that determines a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Culprit {
    /// A single object: the first of the largest ones, or one that communicates with sentinels or ranks.
    Object(Slot),
    /// The objects of a block, which stay together.
    Block(BlockIdx),
    /// This number of the largest objects or blocks; the load in [`LowerBound::culprit`] is that of the
    /// smallest one.
    Objects(usize),
    /// Two objects that communicate; the load in [`LowerBound::culprit`] is the sum of their loads.
    Pair(Slot, Slot),
    /// The rank with the most work of non-migratable objects.
    Rank(RankId),
}

/// A proven lower bound on the maximum work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LowerBound {
    /// Limiting factor.
    pub limit: Limit,
    /// Lower bound on the maximum work of every placement or, with `within_bounds`, of every feasible one.
    pub work: f64,
    /// The bound before it was rounded down by the possible rounding errors of floating-point sums.
    pub unrounded: f64,
    /// The part of the phase that determines the bound, and its load in seconds, unless [`Culprit`] defines
    /// another load. `None` if no single part determines the bound.
    pub culprit: Option<(Culprit, f64)>,
    /// True if the bound holds only for placements within the upper bounds of the work model. Infeasible
    /// placements may cost less, but order after all feasible ones.
    pub within_bounds: bool,
}

impl LowerBound {
    /// Returns the largest lower bound; `None` if there are none. Of bounds that differ only by rounding,
    /// returns the first.
    pub fn best_of(bounds: impl IntoIterator<Item = LowerBound>) -> Option<LowerBound> {
        // Bounds are sums in different orders, so a later bound must be larger by more than rounding errors.
        let clearly_more = |a: f64, b: f64| a > b + 1e-12 * b.abs();
        bounds
            .into_iter()
            .reduce(|best, bound| if clearly_more(bound.work, best.work) { bound } else { best })
    }
}

/// Returns all applicable lower bounds for a phase, in the order of [`Limit`]; the first is the mean.
///
/// Lower bounds with [`within_bounds`](LowerBound::within_bounds) hold for placements within the upper bounds
/// of the model, the others for all placements. In the order of [`Work`](crate::Work), the maximum work of
/// every placement, feasible or not, is at least the largest of these bounds.
///
/// O((objects + ranks) log(objects + ranks) + edges) if the model has a fixed number of upper bounds.
pub fn lower_bounds(phase: &Phase, model: &dyn WorkModel) -> Vec<LowerBound> {
    lower_bounds_for(phase, model, Units::Objects)
}

/// Like [`lower_bounds`], for placements in which `units` are not divided.
pub fn lower_bounds_for(phase: &Phase, model: &dyn WorkModel, units: Units<'_>) -> Vec<LowerBound> {
    let instance = Instance::new(phase, model, Items::new(phase, units));
    let mut bounds = on_load(&instance);
    bounds.extend(memory::bound(&instance, model));
    bounds.extend(communication::bound(&instance, model));
    bounds.extend(homing::bound(&instance, model));
    bounds
}

/// Returns the best of [`lower_bounds`], as selected by [`LowerBound::best_of`]. It is [`Limit::Mean`] only
/// if no other bound is larger by more than rounding errors.
pub fn best_lower_bound(phase: &Phase, model: &dyn WorkModel) -> LowerBound {
    best(lower_bounds(phase, model))
}

/// Returns the best lower bound on the maximum load. Speeds of ranks and other terms of work are ignored.
pub fn load_bound(phase: &Phase) -> LowerBound {
    load_bound_for(phase, Units::Objects)
}

/// Like [`load_bound`], for placements in which `units` are not divided.
pub fn load_bound_for(phase: &Phase, units: Units<'_>) -> LowerBound {
    best(on_load(&Instance::of_load(phase, Items::new(phase, units))))
}

/// Returns the bounds that follow from migratable load and base work.
fn on_load(instance: &Instance<'_>) -> Vec<LowerBound> {
    let mut bounds = vec![mean(instance), large_objects::largest(instance)];
    bounds.extend([sentinels::bound(instance), large_objects::bound(instance)]);
    bounds.extend(fastest_ranks::bound(instance));
    let known = bounds.iter().map(|bound| bound.work).fold(0.0, f64::max);
    bounds.extend(packing::bound(instance, known - instance.constant));
    bounds
}

/// Returns the total load divided by the total speed of the ranks: the mean work if only load counted and
/// objects could be split.
///
/// Rank `r` with load `L_r` has work `W_r = a_r L_r`, so `sum of W_r / a_r` is the total load. If all ranks
/// had less work than `(total load) / (sum of 1 / a_r)`, this sum would be less than the total load. So at
/// least one rank has this work or more. O(ranks log ranks).
fn mean(instance: &Instance<'_>) -> LowerBound {
    let total = instance.items.total + instance.sentinels.iter().sum::<f64>();
    let empty = instance.cost.iter().map(|&cost| (0.0, cost)).collect();
    instance.bound(Limit::Mean, fill(empty, total), None)
}

fn best(bounds: Vec<LowerBound>) -> LowerBound {
    LowerBound::best_of(bounds).expect("invariant: the mean always applies")
}
