// SPDX-License-Identifier: MIT OR Apache-2.0
//! `RecursiveCoordinateBisection`: boxes of equal load.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::parameters::parameters;
use crate::partitioning::geometry::place;
use crate::{Context, Outcome, Problem, Strategy, StrategyError};

mod bisection;

/// Cuts space into boxes of equal load, by halving the set of objects again and again.
///
/// The position of an object is its `index` in its collection. Each cut is made along the axis in which the
/// objects extend farthest. Cuts are repeated until every rank has a part.
///
/// Each side of a cut belongs to half of the ranks; if their number is odd, the upper side has one rank more. The
/// capacity of a side follows from the speeds of its ranks and from the loads of their non-migratable objects. Each
/// cut minimizes the load relative to capacity of the fuller side. Objects with equal coordinates along a cut are
/// divided by their other coordinates. Several collections share one box: each is aligned to the same corner and
/// scaled, by one factor in all directions, to the length of the longest. Objects without an `index` are placed
/// last, the largest first, each on the rank where it ends soonest; a note reports their number.
///
/// **When to use it.** Where objects that communicate are close to each other in space, such as the elements of a
/// grid. Parts are compact boxes, so the off-rank volume is small although the communication graph is never used.
/// Where objects are large, [`Greedy`](crate::Greedy) is more even: a cut is no finer than one object, and the
/// errors of successive cuts add up.
///
/// **Bounds.** If a rank exceeds a bound after the cuts, its objects move until the rank is within the bound: the
/// largest first, to ranks of neighbouring parts, or else to any other rank. If that does not suffice, every
/// object moves from its current rank as close to its part as the bounds allow. A placement that is within its
/// bounds at the start therefore stays within them.
///
/// **Cost.** O(d n (log n + log P)) for n objects in d dimensions and P ranks, with halves in parallel; twice
/// that with `remap` if ranks differ. The additional cost after a violation of bounds is described in `Greedy`.
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
