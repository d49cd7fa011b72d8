// SPDX-License-Identifier: MIT OR Apache-2.0
//! Orders in which a rank offers its objects.

use lbaf_model::Slot;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Problem;

/// Order of the objects of a rank, with LBAF's names.
///
/// As in LBAF, objects are taken from the end of the ordered list, so that `increasing_loads` offers the largest
/// first. [`End::Start`] reverses this.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Order of the data: ascending number of the object, objects with packed ids first. (LBAF: arbitrary order of
    /// its hash table.)
    #[default]
    Arbitrary,
    /// Ascending number of the object.
    ElementId,
    /// Smallest load first.
    IncreasingLoads,
    /// Largest load first.
    DecreasingLoads,
    /// First the objects whose load is at most the excess of the rank over its target load, the largest first. Then
    /// the other objects, the smallest first: any of them removes the excess with one migration.
    FewestMigrations,
    /// The smallest objects whose sum exceeds the excess, as few as necessary and the largest of them first; then
    /// the others, the smallest first.
    SmallObjects,
}

/// End of the list from which objects are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// Last object first, as in LBAF.
    #[default]
    End,
    /// First object first.
    Start,
}

impl Order {
    /// Sorts `objects`, which are in ascending order. `excess` is the load of their rank above its target load, in
    /// seconds. Objects of equal load keep their order. `marginal` selects objects as in vt. With `FewestMigrations`,
    /// the objects of the smallest load that is at least `excess` then also come first. With `SmallObjects`, the sum
    /// may then also equal `excess`, and all objects as large as the last object of the sum are included. O(n log n).
    pub(super) fn list(self, objects: &mut [Slot], problem: &Problem<'_>, excess: f64, marginal: bool) {
        let load = |slot: &Slot| problem.phase.load(*slot);
        let ascending = |a: &Slot, b: &Slot| load(a).total_cmp(&load(b));
        let descending = |a: &Slot, b: &Slot| load(b).total_cmp(&load(a));
        match self {
            Order::Arbitrary => {}
            Order::ElementId => objects.sort_by_key(|&slot| problem.key(slot).number),
            Order::IncreasingLoads => objects.sort_by(ascending),
            Order::DecreasingLoads => objects.sort_by(descending),
            Order::FewestMigrations => {
                let enough = objects.iter().map(load).filter(|&load| load >= excess).reduce(f64::min);
                let most = if marginal { enough.unwrap_or(excess) } else { excess };
                objects.sort_by(|a, b| {
                    let (small, other_small) = (load(a) <= most, load(b) <= most);
                    let within = if small { descending(a, b) } else { ascending(a, b) };
                    other_small.cmp(&small).then(within)
                });
            }
            Order::SmallObjects => {
                objects.sort_by(ascending);
                let mut sum = 0.0;
                let is_enough = objects.iter().position(|slot| {
                    sum += load(slot);
                    sum > excess || (marginal && sum == excess)
                });
                let n_small = is_enough.map_or(objects.len(), |at| {
                    let equal = |slot: &&Slot| marginal && load(slot) == load(&objects[at]);
                    at + 1 + objects[at + 1..].iter().take_while(equal).count()
                });
                objects[..n_small].sort_by(descending);
            }
        }
    }
}
