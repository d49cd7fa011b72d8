// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ZoltanLB`: repartitioning of the communication graph, with the name and the parameters of vt's strategy.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::parameters::parameters;
use crate::{Context, Multilevel, Outcome, Problem, Strategy, StrategyError};

/// Repartitions the communication graph from the current placement, with the parameters that vt passes to
/// Zoltan.
///
/// Runs [`Multilevel`](crate::Multilevel) with `repartition`. By default, loads are as even as the objects allow,
/// and one byte of off-rank volume weighs as much as a hundred migrated bytes.
///
/// **When to use it.** To estimate on recorded data the effect of vt's `ZoltanLB`. Where a small imbalance is
/// acceptable, `Multilevel` with `repartition` leaves less off-rank volume and needs fewer migrations.
///
/// **Bounds.** As `Multilevel`.
///
/// **Cost.** As `Multilevel`.
///
/// **Reference.** U. V. Catalyurek, E. G. Boman, K. D. Devine, D. Bozdag, R. T. Heaphy, L. A. Riesen, A
/// repartitioning hypergraph model for dynamic load balancing, J. Parallel Distrib. Comput. 69 (2009),
/// doi:10.1016/j.jpdc.2009.04.011.
///
/// **Other implementations.** Zoltan partitions hypergraphs, in which a message to several receivers counts once
/// for each receiving rank. Recorded edges have one sender and one receiver, so this strategy partitions a graph.
/// The objective is the same, but the placements differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ZoltanLB {
    /// Largest acceptable load, as a multiple of the mean load; at least 1 (1.0).
    pub imbalance_tolerance: f64,
    /// Number of migrated bytes that weigh as much as one byte of off-rank volume per phase: the number of
    /// phases until the next rebalancing (100).
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

    fn uses_random_numbers(&self) -> bool {
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
                format!("must be a number of at least 1, not {imbalance_tolerance}"),
            );
        }
        let is_finite = repart_multiplier.is_finite() && repart_multiplier.recip().is_finite();
        if !(repart_multiplier > 0.0 && is_finite) {
            return refused(
                "repart_multiplier",
                format!(
                    "must be a finite number above 0 with a finite reciprocal, not {repart_multiplier:?}"
                ),
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
