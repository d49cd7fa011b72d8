// SPDX-License-Identifier: MIT OR Apache-2.0
//! `Multilevel`: multilevel partitioning of the communication graph.

use lbaf_model::Assignment;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::parameters::parameters;
use crate::{Cancelled, Context, Outcome, Problem, Strategy, StrategyError};

mod bisection;
mod candidate;
mod coarsening;
mod graph;
mod initial;
mod objects;
mod partition;
mod refinement;
mod relabelling;
mod repair;
mod shares;

use objects::Objects;

pub use graph::Graph as PartitioningGraph;
pub use partition::equal_parts;

/// Partitions the communication graph into one part for each rank, with even loads and little off-rank volume.
///
/// Loads are even within `tolerance`. Partitioning has three stages:
///
/// * Coarsening merges pairs of objects that communicate most, until few vertices remain.
/// * Recursive bisection cuts the coarsest graph into an initial partition.
/// * Refinement undoes the merges level by level. On each level, objects at the border of a part move to the part
///   with which they communicate most. A move may increase the volume if later moves outweigh the increase.
///
/// By default, partitioning starts from scratch. Each part is then assigned to a rank that already has many of its
/// objects, and objects without communication are placed as by `Greedy`.
///
/// With `repartition`, partitioning starts from the current placement. Only objects of the same rank are merged,
/// and an object that leaves its rank costs its bytes times `migration_cost`. A partition from scratch is also
/// computed. The result is the partition whose loads exceed their limits less. If the excesses are equal, the
/// result is the partition with the smaller sum of volume and cost of migrations.
///
/// **When to use it.** Where communication matters. The volume of the result estimates the least volume of a
/// balanced placement, a reference for local strategies such as gossip. The objective is the sum of volumes over
/// all pairs of ranks. If the work model counts memory or homing, objects that share a block count as
/// communicating.
///
/// Exchanges at the end reduce the maximum work, which matters if objects are few. Without upper bounds and with
/// work that is load alone, exchanges stop once the maximum work is within `tolerance` of its lower bound.
///
/// Without `repartition`, nearly all objects migrate. With `repartition`, objects migrate if this evens the loads
/// or saves more volume than the migration costs. If the current placement is feasible, no object migrates unless
/// the maximum work or the volume decreases. If the maximum work would rise by more than the tolerance, the result
/// is the current placement after exchanges. Homing costs can cause this. If no migratable object has a load, only
/// the exchanges and the repair of bounds move objects.
///
/// **Bounds.** If a partition exceeds a bound, objects move from their current rank to the rank of their part one
/// by one. A move must not increase the excess of a rank or node. Ranks that still exceed a bound then give objects
/// away as in `Greedy`. Sentinels stay. Objects are attracted to the rank of a sentinel with which they
/// communicate, and to a rank that is itself an endpoint of their communication.
///
/// **Cost.** O((n + m) log P) for n objects, m edges and P ranks. An object with four edges needs about 300 bytes.
/// A million objects on a grid over 1024 ranks take about a second.
///
/// **Reference.** G. Karypis, V. Kumar, Multilevel k-way partitioning scheme for irregular graphs, J. Parallel
/// Distrib. Comput. 48 (1998), doi:10.1006/jpdc.1997.1404, and A fast and high quality multilevel scheme, SIAM
/// J. Sci. Comput. 20 (1998), doi:10.1137/S1064827595287997, for heavy-edge matching, graph growing and
/// recursive bisection; C. M. Fiduccia, R. M. Mattheyses, DAC 1982, doi:10.1109/DAC.1982.1585498, for
/// refinement; P. Sanders, C. Schulz, Engineering multilevel graph partitioning algorithms, ESA 2011,
/// doi:10.1007/978-3-642-23719-5_40, for edge ratings, relaxed limits on coarse levels and localized search; K.
/// Schloegel, G. Karypis, V. Kumar, Multilevel diffusion schemes for repartitioning, J. Parallel Distrib.
/// Comput. 47 (1997), doi:10.1006/jpdc.1997.1410, for repartitioning.
///
/// **Other implementations.** METIS is serial and has no localized search, fixed vertices or migrations. On grids
/// and random geometric graphs of a million vertices over 64 to 4096 ranks, the volume of this strategy is 0.89 to
/// 1.07 times the volume of METIS. `KaMinPar` (L. Gottesbueren et al., ESA 2021, doi:10.4230/LIPIcs.ESA.2021.48)
/// coarsens by label propagation (H. Meyerhenke, P. Sanders, C. Schulz, SEA 2014,
/// doi:10.1007/978-3-319-07959-2_30), in parallel. This strategy builds coarse graphs and bisects halves in
/// parallel. Matching and refinement are serial, so the result does not depend on the number of threads. LBAF has
/// no graph partitioning; vt has `ZoltanLB`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Multilevel {
    /// Accepted excess of the load of a rank over the mean, as a fraction of the mean, where objects are small
    /// enough (0.03).
    pub tolerance: f64,
    /// True: starts from the current placement, and migrations have a cost. False: partitions from scratch (false).
    pub repartition: bool,
    /// With `repartition`, bytes of off-rank volume per phase that weigh as much as one migrated byte (0.01).
    ///
    /// Use 0.01 if a hundred phases follow before the next rebalancing, and 1 if a migration must pay off within
    /// one phase. The size of a migrating object is its serialized size, or else its footprint, or else one
    /// byte.
    pub migration_cost: f64,
}

impl Default for Multilevel {
    fn default() -> Self {
        Multilevel { tolerance: 0.03, repartition: false, migration_cost: 0.01 }
    }
}

impl Strategy for Multilevel {
    fn name(&self) -> &'static str {
        "Multilevel"
    }

    fn parameters(&self) -> Value {
        parameters(self)
    }

    fn honours_bounds(&self) -> bool {
        true
    }

    fn uses_random_numbers(&self) -> bool {
        true
    }

    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        for (key, value) in [("tolerance", self.tolerance), ("migration_cost", self.migration_cost)] {
            if !(value >= 0.0 && value.is_finite()) {
                let (key, message) = (key.to_owned(), format!("must be a number of at least 0, not {value}"));
                return Err(StrategyError::Parameter { strategy: self.name(), key, message });
            }
        }
        Ok(Outcome::at_once(self.placement(problem, context)?))
    }
}

impl Multilevel {
    /// Computes the placement, also for `ZoltanLB`.
    pub(crate) fn placement(
        &self,
        problem: &Problem<'_>,
        context: &Context<'_>,
    ) -> Result<Assignment, Cancelled> {
        let objects = Objects::new(problem, context.cancel());
        context.check()?;
        let wished = if objects.is_trivial() {
            problem.initial.clone()
        } else if self.repartition {
            objects.repartitioned(self.tolerance, self.migration_cost, context)
        } else {
            objects.partitioned(self.tolerance, context)
        };
        context.check()?;
        let placement = repair::repaired(problem, wished, self.tolerance, context.cancel());
        context.check()?;
        Ok(placement)
    }
}
