// SPDX-License-Identifier: MIT OR Apache-2.0
//! Repartitioning under vt's name for it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::parameters::parameters;
use crate::{Context, Multilevel, Outcome, Problem, Strategy, StrategyError};

/// `Multilevel` from where the objects are, with what vt tells Zoltan: loads as even as objects allow, and a byte of
/// communication as much as a hundred bytes that migrate.
///
/// **When to use it.** To ask of recorded data what `ZoltanLB` of vt would be worth; where a little imbalance does no
/// harm, `Multilevel` with `repartition` and its tolerance leaves less volume and fewer migrations.
///
/// **Bounds.** As `Multilevel`.
///
/// **Cost.** As `Multilevel`.
///
/// **Reference.** U. V. Catalyurek, E. G. Boman, K. D. Devine, D. Bozdag, R. T. Heaphy, L. A. Riesen, A repartitioning
/// hypergraph model for dynamic load balancing, J. Parallel Distrib. Comput. 69 (2009), doi:10.1016/j.jpdc.2009.04.011.
///
/// **Other implementations.** Zoltan cuts hypergraphs, in which a message to many counts once for each rank; what is
/// recorded is from one object to one, and here a graph is cut. Placements differ, what they aim at does not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ZoltanLB {
    /// The largest load as a multiple of the mean that is even enough, from 1 (1.0).
    pub imbalance_tolerance: f64,
    /// Bytes that migrate and weigh as much as a byte of off-rank volume in a phase: phases until the next rebalancing
    /// (100).
    pub repart_multiplier: f64,
}

impl Default for ZoltanLB {
    fn default() -> Self {
        ZoltanLB { imbalance_tolerance: 1.0, repart_multiplier: 100.0 }
    }
}

impl Strategy for ZoltanLB {
    fn name(&self) -> &'static str {
        "ZoltanLB"
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
        let ZoltanLB { imbalance_tolerance, repart_multiplier } = *self;
        let refused = |key: &str, message| {
            Err(StrategyError::Parameter { strategy: self.name(), key: key.to_owned(), message })
        };
        if !(imbalance_tolerance >= 1.0 && imbalance_tolerance.is_finite()) {
            return refused(
                "imbalance_tolerance",
                format!("must be a number from 1 on, not {imbalance_tolerance}"),
            );
        }
        if !(repart_multiplier > 0.0 && repart_multiplier.recip().is_finite()) {
            return refused(
                "repart_multiplier",
                format!("must be a number above 0, not {repart_multiplier}"),
            );
        }
        let multilevel = Multilevel {
            tolerance: imbalance_tolerance - 1.0,
            repartition: true,
            migration_cost: repart_multiplier.recip(),
        };
        Ok(Outcome::at_once(multilevel.placement(problem, context)?))
    }
}
