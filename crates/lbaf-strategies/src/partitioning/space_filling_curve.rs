// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pieces of equal load of a curve through all objects.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::parameters::parameters;
use crate::partitioning::geometry::place;
use crate::{Context, Outcome, Problem, Strategy, StrategyError};

mod chain_partition;
mod curve;

pub use curve::Curve;

/// Strings all objects on a curve through space, by the `index` that each has in its collection, and cuts it into as
/// many pieces as there are ranks, so that the last of them ends as soon as it can.
///
/// No other cuts of the same curve leave the most loaded rank less, given what each has of objects that may not migrate
/// and its speed; among the cuts that do as well, those near an even division are taken. Without sentinels, on ranks
/// that are alike, no rank has more than the mean and the largest object. Several collections share one box: each
/// begins at its corner and is stretched, evenly in all directions, until it is as long as the longest. An object
/// without an index goes, the largest first, to the rank where it ends soonest; a note says how many there are.
///
/// **When to use it.** Where objects that talk to each other are near each other, as the elements of a grid, and loads
/// change from phase to phase: a curve keeps neighbours together, cuts of it are as even as whole objects allow, and
/// when loads change, objects move along it to ranks next by. Parts have longer edges than those of
/// [`RecursiveCoordinateBisection`](crate::RecursiveCoordinateBisection), so that more is sent between ranks. The graph
/// of communication is never looked at.
///
/// **Bounds.** If a rank is over a bound after the cuts, its objects move to ranks of neighbouring pieces, the largest
/// first, or to others. If that does not help, every object moves from where it started as close to its piece as it
/// can, so that a placement within bounds stays within them.
///
/// **Cost.** O(n (log n + b)) for n objects with b bits in all their coordinates, at most 128 (longer ones are rounded),
/// and O(P log n) for each of a few dozen cuts for P ranks; the cuts twice with `remap` where ranks are not alike. What
/// bounds cost when the cuts break them is said at Greedy.
///
/// **Reference.** Curves: J. Skilling, Programming the Hilbert curve, AIP Conf. Proc. 707 (2004),
/// doi:10.1063/1.1751381. Cuts: A. Pinar, C. Aykanat, Fast optimal load balancing algorithms for 1D partitioning,
/// J. Parallel Distrib. Comput. 64 (2004), doi:10.1016/j.jpdc.2004.05.003 (exact bisection), here also for ranks that
/// differ.
///
/// **Other implementations.** LBAF and vt have none; `HSFC` of Zoltan cuts a Hilbert curve of rounded coordinates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SpaceFillingCurve {
    /// The curve: `hilbert`, or `morton`, which jumps (hilbert).
    pub curve: Curve,
    /// Whether each rank gets a piece of which it has much already, so that few objects migrate; else pieces go to
    /// ranks in order, and neighbours on the curve are on ranks side by side (true).
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

    fn draws(&self) -> bool {
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
