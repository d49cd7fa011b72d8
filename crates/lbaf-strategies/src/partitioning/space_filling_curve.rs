// SPDX-License-Identifier: MIT OR Apache-2.0
//! `SpaceFillingCurve`: pieces of equal load of a curve through all objects.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::parameters::parameters;
use crate::partitioning::geometry::place;
use crate::{Context, Outcome, Problem, Strategy, StrategyError};

mod chain_partition;
mod curve;

pub use curve::Curve;

/// Cuts a curve through all objects into one piece of equal load for each rank.
///
/// The curve visits the objects by their `index` in their collection. The cuts minimize the maximum time of a rank,
/// given the speed and the non-migratable objects of each rank. Among equally good cuts, cuts near an even division
/// are used. On equal ranks without sentinels, no rank has more than the mean load plus the load of the largest
/// object.
///
/// Several collections share one box. The collections are aligned to one corner, and each is scaled to the length
/// of the longest, by the same factor in all directions. Objects with load but without an `index` are placed last, the
/// largest first, each on the rank where it ends soonest. A note reports the number of objects without an `index`.
///
/// **When to use it.** Where objects that communicate are close to each other in space, such as the elements of a
/// grid, and loads change from phase to phase. The cuts are as even as whole objects allow. When loads change,
/// objects move along the curve to adjacent ranks. The off-rank volume is larger than with
/// [`RecursiveCoordinateBisection`](crate::RecursiveCoordinateBisection), because pieces have longer borders. The
/// communication graph is never used.
///
/// **Bounds.** If a rank exceeds a bound after the cuts, its objects move to ranks of neighbouring pieces or else
/// to any rank, the largest first. If that does not suffice, every object moves from its current rank as close to
/// its piece as the bounds allow. A feasible placement therefore stays feasible.
///
/// **Cost.** O(n (log n + b)) for n objects whose coordinates have b bits in total, and O(P log n) for each of a
/// few dozen trials of cuts for P ranks. Coordinates are rounded to 128 bits in total. With `remap`, the cuts are
/// made twice if ranks differ. After a violation of bounds, the additional cost is the same as for `Greedy`.
///
/// **Reference.** Curves: J. Skilling, Programming the Hilbert curve, AIP Conf. Proc. 707 (2004),
/// doi:10.1063/1.1751381. Cuts: A. Pinar, C. Aykanat, Fast optimal load balancing algorithms for 1D
/// partitioning, J. Parallel Distrib. Comput. 64 (2004), doi:10.1016/j.jpdc.2004.05.003 (exact bisection), here
/// extended to ranks that differ.
///
/// **Other implementations.** LBAF and vt have none. `HSFC` of Zoltan cuts a Hilbert curve through rounded
/// coordinates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SpaceFillingCurve {
    /// Space-filling curve: `hilbert`, or `morton`, on which consecutive objects can be far apart in space
    /// (hilbert).
    pub curve: Curve,
    /// Assigns to each rank a piece of which it already has many objects, so that few objects migrate. Otherwise
    /// pieces are assigned to ranks in order, so that neighbours on the curve are on adjacent ranks (true).
    pub remap: bool,
}

impl Default for SpaceFillingCurve {
    fn default() -> Self {
        SpaceFillingCurve { curve: Curve::Hilbert, remap: true }
    }
}

impl Strategy for SpaceFillingCurve {
    fn name(&self) -> &'static str {
        "SpaceFillingCurve"
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
        place(self.name(), problem, self.remap, context, |points, capacities| {
            let strung = self.curve.strung(points);
            let weights = strung.iter().map(|&point| points.weights[point as usize]);
            let mut part_of = vec![0; points.len()];
            let mut start = 0;
            for (part, end) in (0..).zip(chain_partition::cut(weights, capacities, context.cancel())) {
                for &point in &strung[start..end] {
                    part_of[point as usize] = part;
                }
                start = end;
            }
            part_of
        })
    }
}
