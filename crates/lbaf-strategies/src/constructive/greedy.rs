// SPDX-License-Identifier: MIT OR Apache-2.0
//! Largest object first, to the least loaded rank.

use std::iter;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::parameters::parameters;
use crate::primitives::list_scheduling::{hand_out, hand_out_within_bounds};
use crate::primitives::pool::{OfferOrder, Pool, Pooling};
use crate::{Context, Outcome, Problem, Strategy, StrategyError};

/// Takes objects from their ranks into a pool, and hands them out again, the largest first, each to the rank
/// where it ends soonest: the least loaded one where all ranks are equally fast.
///
/// **When to use it.** The reference that everything else is measured against: fast and close to the optimum
/// when objects are many and small, blind to communication, and it moves nearly everything. Objects of load 0
/// stay where they are, unless their rank is over a bound.
///
/// **Bounds.** An object goes to the best rank that can hold it. Whatever has not been handed out yet counts
/// as being where it was, so an object can always go back, and a placement within bounds stays within them.
///
/// **Cost.** O(n log n + n log P) for n objects and P ranks. Under bounds an object may cost O(P), if it fits
/// almost nowhere or its block is on almost every rank, and O(k log P) under bounds on nodes of k ranks.
///
/// **Reference.** R. L. Graham, Bounds on multiprocessing timing anomalies, SIAM J. Appl. Math. 17 (1969),
/// doi:10.1137/0117039: at most 4/3 - 1/(3 P) times the optimum without sentinels; for ranks of different
/// speed T. Gonzalez, O. Ibarra, S. Sahni, SIAM J. Comput. 6 (1977), doi:10.1137/0206013.
///
/// **Other implementations.** vt's `GreedyLB` offers almost every object whatever its threshold, because it
/// compares seconds with milliseconds, and sorts loads into bins of 10 ms. Here loads are exact, `pool: all`
/// is what vt does in effect, and `pool: excess` is what it documents, with one difference: the default of `min` is
/// that of its code, 0.3, where its help says 0.8. With `auto: false` vt ignores `min`, and its threshold is 0. LBAF
/// has no such strategy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Greedy {
    /// Which objects are taken from their ranks: `all`, or only the `excess` over the threshold (all).
    pub pool: Pool,
    /// Threshold as a multiple of the mean when `auto` is false; else its lower limit (0.3).
    pub min: f64,
    /// Upper limit of the threshold (1.004).
    pub max: f64,
    /// Threshold 1 - imbalance, within `min` and `max` (true).
    pub auto: bool,
    /// How vt collects the offers (scatter). Accepted for vt's sake; there is nothing to collect here.
    pub strategy: Collection,
}

/// How vt's GreedyLB sends decisions to ranks. Without meaning here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Collection {
    /// Scatter from the root.
    #[default]
    Scatter,
    /// Broadcast from the root.
    Bcast,
    /// Point to point.
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

    fn draws(&self) -> bool {
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
