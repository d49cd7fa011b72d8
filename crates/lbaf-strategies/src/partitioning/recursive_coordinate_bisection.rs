// SPDX-License-Identifier: MIT OR Apache-2.0
//! Boxes of equal load, cut in two again and again.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::parameters::parameters;
use crate::partitioning::geometry::place;
use crate::{Context, Outcome, Problem, Strategy, StrategyError};

mod bisection;

/// Cuts the objects in two where they extend farthest, by the `index` that each has in its collection, then both
/// halves, and so on, until every rank has a part of its own.
///
/// A cut is where both sides come nearest to ending together; each side is for half of the ranks (one more on the
/// upper side where their number is odd) and gets what they have room for: a rank's speed counts, and what it has of
/// objects that may not migrate. Objects with equal coordinates along a cut are divided by their other coordinates.
/// Several collections share one box: each begins at its corner and is stretched, evenly in all directions, until it
/// is as long as the longest. An object without an index goes, the largest first, to the rank where it ends soonest;
/// a note says how many there are.
///
/// **When to use it.** Where objects that talk to each other are near each other, as the elements of a grid: parts are
/// boxes with short edges, so that little is sent between ranks, and the graph of communication is never looked at.
/// Where loads are coarse, [`Greedy`](crate::Greedy) is more even: a cut can be no finer than an object, and errors
/// of cuts add up.
///
/// **Bounds.** If a rank is over a bound after the cuts, its objects move to ranks of neighbouring parts, the largest
/// first, or to others. If that does not help, every object moves from where it started as close to its part as it
/// can, so that a placement within bounds stays within them.
///
/// **Cost.** O(d n (log n + log P)) for n objects in d dimensions and P ranks, halves in parallel; twice that with
/// `remap` where ranks are not alike. What bounds cost when the cuts break them is said at Greedy.
///
/// **Reference.** M. J. Berger, S. H. Bokhari, A partitioning strategy for nonuniform problems on multiprocessors,
/// IEEE Trans. Computers C-36 (1987), doi:10.1109/TC.1987.1676942.
///
/// **Other implementations.** LBAF has none. vt has none of its own; its `ZoltanLB` uses the hypergraph partitioner of
/// Zoltan, not its `RCB`, which has the parameter `REMAP` too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RecursiveCoordinateBisection {
    /// Whether each rank gets a part of which it has much already, so that few objects migrate; else parts go to ranks
    /// in order, and parts that came apart last are on ranks side by side (true).
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

    fn draws(&self) -> bool {
        false
    }

    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        let cancel = context.cancel();
        place(self.name(), problem, self.remap, context, |points, capacities| {
            bisection::bisect(points, capacities, cancel)
        })
    }
}
