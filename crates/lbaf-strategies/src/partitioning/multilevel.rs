// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parts of the communication graph: even loads, and little volume between ranks.

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

/// Cuts the graph of who talks to whom into a part for each rank, so that loads are even within a tolerance and
/// little volume crosses between ranks: multilevel partitioning, from scratch or from where the objects are.
///
/// Objects that talk much are joined, again and again, until few are left (coarsening); those are cut in halves of
/// halves (initial partition); then every step is taken back, and each time objects on borders go where they talk
/// more, also through a loss where a gain follows (refinement). From scratch, parts are then given to the ranks that
/// have most of their objects, and objects that talk to nobody are handed out as by `Greedy`. With `repartition`
/// objects are joined within their ranks alone, and one that leaves its rank costs `migration_cost`; where loads are
/// so uneven that parts from scratch cost less, migrations counted, those are taken.
///
/// **When to use it.** Where communication counts, as the least volume that balanced loads can have: what gossip and
/// other local decisions can be measured against. It minimizes the sum of volumes; where the work model counts
/// communication or homing, exchanges at the end take something off the largest work, as long as they can; where load is
/// all that counts, as long as it is above the `tolerance`, because objects are few. Objects that share a block count as
/// talking to each other where the work model counts memory or homing. It moves nearly everything; `repartition` moves
/// what `migration_cost` says is worth it: at 0.01 still much, at 1 little. If all loads are 0, or neither the largest
/// work nor the volume gets less, nothing moves; if the largest work would rise by more than the tolerance, because homes
/// cost more than volume saves, exchanges start from where objects are instead.
///
/// **Bounds.** A placement within bounds is taken as it is. Else objects go from where they were to where they should,
/// as long as no rank or node gets further over a bound, and ranks over a bound hand out their objects as `Greedy`
/// does. Sentinels stay, and with them what is said to a rank itself pulls objects to it.
///
/// **Cost.** O((n + m) log P) for n objects, m edges, P ranks, about 300 bytes for an object with four partners. A
/// million objects on a grid over 1024 ranks take about a second.
///
/// **Reference.** G. Karypis, V. Kumar, Multilevel k-way partitioning scheme for irregular graphs, J. Parallel Distrib.
/// Comput. 48 (1998), doi:10.1006/jpdc.1997.1404, and A fast and high quality multilevel scheme, SIAM J. Sci. Comput.
/// 20 (1998), doi:10.1137/S1064827595287997, for heavy-edge matching, graph growing and recursive bisection; C. M.
/// Fiduccia, R. M. Mattheyses, DAC 1982, doi:10.1109/DAC.1982.1585498; P. Sanders, C. Schulz, Engineering multilevel
/// graph partitioning algorithms, ESA 2011, doi:10.1007/978-3-642-23719-5_40, for the rating of edges, room on
/// coarse levels and localized search; K. Schloegel, G. Karypis, V. Kumar, Multilevel diffusion schemes for
/// repartitioning, J. Parallel Distrib. Comput. 47 (1997), doi:10.1006/jpdc.1997.1410.
///
/// **Other implementations.** METIS is serial and has no localized search, fixed vertices or migrations; on grids and
/// random geometric graphs of a million vertices over 64 to 4096 ranks the volume here is 0.89 to 1.07 times its
/// own. `KaMinPar` (L. Gottesbueren et al., ESA 2021, doi:10.4230/LIPIcs.ESA.2021.48) joins by label propagation (H.
/// Meyerhenke, P. Sanders, C. Schulz, SEA 2014, doi:10.1007/978-3-319-07959-2_30), in parallel; here rows of coarse
/// graphs and halves are made in parallel, and matching and refinement are not, so that every number of threads
/// gives the same. Neither LBAF nor vt has such a strategy, but for vt's `ZoltanLB`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Multilevel {
    /// By which part of the mean a rank may take longer, where objects are small enough (0.03).
    pub tolerance: f64,
    /// Whether to start from where the objects are, and to count migrations (false).
    pub repartition: bool,
    /// Bytes of off-rank volume that a byte of a migrated object weighs as much as, with `repartition`: 0.01 where a
    /// hundred phases come before the next time, 1 where a migration has to pay in one. Its bytes are those of its
    /// serialized form, else of its footprint, else one (0.01).
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

    fn draws(&self) -> bool {
        true
    }

    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        for (key, value) in [("tolerance", self.tolerance), ("migration_cost", self.migration_cost)] {
            if !(value >= 0.0 && value.is_finite()) {
                let (key, message) = (key.to_owned(), format!("must be a number from 0 on, not {value}"));
                return Err(StrategyError::Parameter { strategy: self.name(), key, message });
            }
        }
        Ok(Outcome::at_once(self.placement(problem, context)?))
    }
}

impl Multilevel {
    /// The placement, whatever the name of the strategy.
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
