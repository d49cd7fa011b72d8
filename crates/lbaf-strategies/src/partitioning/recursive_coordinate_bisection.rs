// SPDX-License-Identifier: MIT OR Apache-2.0
//! `RecursiveCoordinateBisection`: boxes of equal load.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::parameters::parameters;
use crate::partitioning::geometry::place;
use crate::{Context, Outcome, Problem, Strategy, StrategyError};

mod bisection;

/// Cuts space into boxes of equal load by recursive bisection.
///
/// The position of an object is its `index` in its collection. Each cut is made along the axis in which the objects
/// extend farthest.
///
/// Each side of a cut belongs to half of the ranks; an odd rank goes to the upper side. The capacity of a side
/// follows from the speeds and the non-migratable objects of its ranks. A cut minimizes the load relative to
/// capacity of the fuller side. Objects with equal coordinates along a cut are divided by their other coordinates.
///
/// Several collections share one box. The collections are aligned to one corner, and each is scaled to the length
/// of the longest, by the same factor in all directions. Objects with load but without an `index` are placed last, the
/// largest first, each on the rank where it ends soonest. A note reports the number of objects without an `index`.
///
/// **When to use it.** Where objects that communicate are close to each other in space, such as the elements of a
/// grid. Parts are compact boxes, so the off-rank volume is small although the communication graph is never used.
/// Where objects are large, [`Greedy`](crate::Greedy) is more even, because the errors of successive cuts add up.
///
/// **Bounds.** If a rank exceeds a bound after the cuts, its objects move to ranks of neighbouring parts or else to
/// any rank, the largest first. If that does not suffice, every object moves from its current rank as close to its
/// part as the bounds allow. A feasible placement therefore stays feasible.
///
/// **Cost.** O(d n (log n + log P)) for n objects in d dimensions and P ranks, with halves in parallel. With
/// `remap`, the cost doubles if ranks differ. After a violation of bounds, the additional cost is the same as for
/// `Greedy`.
///
/// **Reference.** M. J. Berger, S. H. Bokhari, A partitioning strategy for nonuniform problems on
/// multiprocessors, IEEE Trans. Computers C-36 (1987), doi:10.1109/TC.1987.1676942.
///
/// **Other implementations.** LBAF and vt have none. Zoltan has `RCB`, with a parameter `REMAP`, but vt's
/// `ZoltanLB` uses the hypergraph partitioner of Zoltan instead.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RecursiveCoordinateBisection {
    /// Assigns to each rank a part of which it already has many objects, so that few objects migrate. Otherwise
    /// parts are assigned to ranks in order, so that the two parts on either side of a final cut are on adjacent
    /// ranks (true).
    pub remap: bool,
}

impl Default for RecursiveCoordinateBisection {
    fn default() -> Self {
        RecursiveCoordinateBisection { remap: true }
    }
}

impl Strategy for RecursiveCoordinateBisection {
    fn name(&self) -> &'static str {
        "RecursiveCoordinateBisection"
    }

    fn parameters(&self) -> Value {
        parameters(self)
    }

    fn honours_bounds(&self) -> bool {
        true
    }

    fn needs_coordinates(&self) -> bool {
        true
    }

    fn uses_random_numbers(&self) -> bool {
        false
    }

    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        let cancel = context.cancel();
        place(self.name(), problem, self.remap, context, |points, capacities| {
            bisection::bisect(points, capacities, cancel)
        })
    }
}
