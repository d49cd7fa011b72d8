// SPDX-License-Identifier: MIT OR Apache-2.0
//! Greedy: the largest object first, to the rank that finishes it first.

use std::iter;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::parameters::parameters;
use crate::primitives::list_scheduling::{hand_out, hand_out_within_bounds};
use crate::primitives::pool::{OfferOrder, Pool, Pooling};
use crate::{Context, Outcome, Problem, Strategy, StrategyError};

/// Takes objects off their ranks into a pool, then hands them out again, largest first. Each object goes to the
/// rank that finishes it first; if all ranks are equally fast, that is the least loaded rank.
///
/// **When to use it.** The reference for all other strategies. It is fast and close to the optimum when objects
/// are many and small. It ignores communication and migrates almost every object. Objects of load 0 stay on their
/// rank, unless the rank exceeds an upper bound.
///
/// **Bounds.** An object goes to the best rank that can hold it. Objects that have not been handed out yet count
/// as being on their initial rank. An object can therefore always go back, and a feasible placement stays
/// feasible.
///
/// **Cost.** O(n log n + n log P) for n objects and P ranks. With upper bounds, an object may cost O(P) if it fits
/// on almost no rank or if its block is on almost every rank, and O(k log P) with bounds on nodes of k ranks.
///
/// **Reference.** R. L. Graham, Bounds on multiprocessing timing anomalies, SIAM J. Appl. Math. 17 (1969),
/// doi:10.1137/0117039: on equal ranks without sentinels and bounds, the maximum load is at most 4/3 - 1/(3 P)
/// times the optimum. For ranks of different speed: T. Gonzalez, O. Ibarra, S. Sahni, SIAM J. Comput. 6 (1977),
/// doi:10.1137/0206013.
///
/// **Other implementations.** vt's `GreedyLB` offers almost every object at any threshold, because it compares
/// seconds with milliseconds. It also sorts loads into bins of 10 ms. Here loads are exact. `pool: all` has the
/// effect of vt's code, and `pool: excess` follows vt's documentation with one difference: the default of `min`
/// is 0.3, as in vt's code, and not 0.8, as in vt's help. With `auto: false`, vt ignores `min` and uses a
/// threshold of zero. LBAF has no such strategy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Greedy {
    /// Objects that are taken off their ranks (all).
    pub pool: Pool,
    /// Threshold as a multiple of the mean load; with `auto`, its smallest value (0.3).
    pub min: f64,
    /// Largest value of the threshold with `auto` (1.004).
    pub max: f64,
    /// Computes the threshold as 1 - imbalance, limited to the range from `min` to `max` (true).
    pub auto: bool,
    /// vt's method of distributing decisions (scatter). Accepted for compatibility with vt, without effect here.
    pub strategy: Collection,
}

/// Method by which vt's `GreedyLB` sends decisions to ranks. Without effect here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Collection {
    /// Scatter from the root rank.
    #[default]
    Scatter,
    /// Broadcast from the root rank.
    Bcast,
    /// Point-to-point messages.
    Pt2pt,
}

impl Default for Greedy {
    fn default() -> Self {
        Greedy { pool: Pool::All, min: 0.3, max: 1.004, auto: true, strategy: Collection::Scatter }
    }
}

impl Strategy for Greedy {
    fn name(&self) -> &'static str {
        "Greedy"
    }

    fn parameters(&self) -> Value {
        parameters(self)
    }

    fn honours_bounds(&self) -> bool {
        true
    }

    fn uses_random_numbers(&self) -> bool {
        false
    }

    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        let Greedy { pool, min, max, auto, strategy: _ } = *self;
        let pooling = Pooling { pool, min, max, auto, order: OfferOrder::LoadOverLessThan };
        pooling.check(self.name())?;
        let pool = pooling.fill(problem);
        let assignment = if problem.model.bounds().is_empty() {
            hand_out(&pool, problem, f64::NEG_INFINITY, context.cancel())
        } else {
            let all_ranks = |_| iter::once(0..problem.phase.n_ranks());
            hand_out_within_bounds(&pool, problem, f64::NEG_INFINITY, all_ranks, context.cancel())
        };
        context.check()?;
        Ok(Outcome::at_once(assignment))
    }
}
