// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lower bounds on the maximum work of any placement: how good could it be?
//!
//! All rest on what is certain of a rank wherever objects go: the work of what may not move on it, and what each
//! second of load ([`LoadFloor`](crate::LoadFloor)) and each byte ([`WorkTerms`](crate::WorkTerms)) costs at
//! least. So they hold for every model. One file for each kind, with its proof.
//!
//! How near they come in 10,000 random phases of up to 4 ranks and 9 objects with everything in them, each with
//! four models, against all placements (`cargo test --release -p lbaf-model bounds_at_length -- --nocapture`
//! prints it). Bound over optimum where neither is 0; optimal: bound and optimum are the same; best: cases in which
//! none is more. Fastest ranks need more ranks than these to be the best.
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
//! | best, against those within bounds | 18463 | 1.00 | 80 % | |
//!
//! Of 12,186 cases without a placement within bounds, [`infeasibility`] proves 11,646.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{BlockIdx, Phase, RankId, Slot, WorkModel};

mod certain;
mod communication;
mod fastest_ranks;
mod fitting;
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

/// What keeps every placement from being better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// The total load over the total speed of the ranks.
    Mean,
    /// One object, on the fastest rank.
    LargestObject,
    /// One block, whose objects stay together.
    LargestBlock,
    /// Objects that may not move.
    Sentinels,
    /// The largest objects, of which only so many have room on one rank, beside objects that may not move.
    LargeObjects,
    /// The same of blocks whose objects stay together.
    LargeBlocks,
    /// The largest objects, on as many of the fastest and emptiest ranks.
    FastestRanks,
    /// All objects, which cannot be packed into the ranks.
    Packing,
    /// Memory, in which blocks have no room on as many ranks as would share their load.
    Memory,
    /// Communication that cannot be avoided.
    Communication,
    /// Blocks that have to be away from home.
    Homing,
    /// All arrangements, of which a search has proven that none is better.
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

/// The one thing that a bound comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Culprit {
    /// An object, the first of the largest.
    Object(Slot),
    /// A block with all of its objects.
    Block(BlockIdx),
    /// So many of the largest objects or blocks; the seconds are those of the smallest of them.
    Objects(usize),
    /// Two objects that communicate; the seconds are those of both.
    Pair(Slot, Slot),
    /// A rank with objects that may not move.
    Rank(RankId),
}

/// A proven lower bound on the maximum work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LowerBound {
    /// What it comes from.
    pub limit: Limit,
    /// No placement has a smaller maximum work.
    pub work: f64,
    /// The work before it was rounded down by what floating-point sums may lose: no placement has less in real numbers.
    pub unrounded: f64,
    /// What of the phase it comes from and the seconds of load there, where that is one thing.
    pub culprit: Option<(Culprit, f64)>,
    /// Whether it holds only for placements that keep the bounds of the work model. What breaks them may cost less,
    /// and yet orders after all that keep them.
    pub within_bounds: bool,
}

impl LowerBound {
    /// The largest of some bounds; of equal ones the first. `None` of none.
    pub fn best_of(bounds: impl IntoIterator<Item = LowerBound>) -> Option<LowerBound> {
        // Different orders of summation: only a difference beyond rounding is a limit of its own.
        let clearly_more = |a: f64, b: f64| a > b + 1e-12 * b.abs();
        bounds
            .into_iter()
            .reduce(|best, bound| if clearly_more(bound.work, best.work) { bound } else { best })
    }
}

/// All bounds that are known for a phase and apply to it, in the order of [`Limit`]; the first is the mean.
///
/// Those that are [`within_bounds`](LowerBound::within_bounds) hold for placements that keep the bounds of the model, the others for
/// all. So no placement has less work than the largest of all, in the order of [`Work`](crate::Work).
///
/// O((objects + ranks) log(objects + ranks) + edges) for all together; what cannot apply is not looked at.
pub fn lower_bounds(phase: &Phase, model: &dyn WorkModel) -> Vec<LowerBound> {
    lower_bounds_for(phase, model, Units::Objects)
}

/// The same for placements that take only `units` apart.
pub fn lower_bounds_for(phase: &Phase, model: &dyn WorkModel, units: Units<'_>) -> Vec<LowerBound> {
    let instance = Instance::new(phase, model, Items::new(phase, units));
    let mut bounds = on_load(&instance);
    bounds.extend(memory::bound(&instance, model));
    bounds.extend(communication::bound(&instance, model));
    bounds.extend(homing::bound(&instance, model));
    bounds
}

/// The largest of [`lower_bounds`]; of equal ones the first, so that `Mean` means that nothing else limits.
pub fn best_lower_bound(phase: &Phase, model: &dyn WorkModel) -> LowerBound {
    best(lower_bounds(phase, model))
}

/// The best lower bound on the maximum load, as if all ranks were equally fast and nothing but load counted.
pub fn load_bound(phase: &Phase) -> LowerBound {
    load_bound_for(phase, Units::Objects)
}

/// The same for placements that take only `units` apart.
pub fn load_bound_for(phase: &Phase, units: Units<'_>) -> LowerBound {
    best(on_load(&Instance::of_load(phase, Items::new(phase, units))))
}

/// Bounds that load alone is the reason for.
fn on_load(instance: &Instance<'_>) -> Vec<LowerBound> {
    let mut bounds = vec![mean(instance), large_objects::largest(instance)];
    bounds.extend([sentinels::bound(instance), large_objects::bound(instance)]);
    bounds.extend(fastest_ranks::bound(instance));
    let known = bounds.iter().map(|bound| bound.work).fold(0.0, f64::max);
    bounds.extend(packing::bound(instance, known - instance.constant));
    bounds
}

/// The total load over the total speed of the ranks: the mean of work, if only load counted and could be cut.
///
/// With `W_r = a_r L_r`, the loads sum up to all of it, so some rank has `W_r >= (sum of loads) / (sum of 1 / a_r)`: if
/// all had less, `sum of W_r / a_r` would be less than the sum of loads. O(ranks log ranks).
fn mean(instance: &Instance<'_>) -> LowerBound {
    let total = instance.items.total + instance.sentinels.iter().sum::<f64>();
    let empty = instance.cost.iter().map(|&cost| (0.0, cost)).collect();
    instance.bound(Limit::Mean, fill(empty, total), None)
}

fn best(bounds: Vec<LowerBound>) -> LowerBound {
    LowerBound::best_of(bounds).expect("invariant: there is always a mean")
}
