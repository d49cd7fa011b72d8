// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects leave overloaded ranks, and no others.

use lbaf_model::{Assignment, Totals, Work, best_lower_bound, works};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::parameters::parameters;
use crate::primitives::list_scheduling::{longest_first, relieved};
use crate::primitives::migration_reduction::tolerance::{check_tolerance, limit};
use crate::primitives::works::largest_work;
use crate::{Cancel, Context, Outcome, Problem, Strategy, StrategyError};

mod unloading;

use unloading::Unloading;

/// Moves objects off overloaded ranks alone: from the rank with most work the largest object for which a light rank has
/// room below a threshold, until no rank is above it. The threshold is the least that works, between `tolerance` times
/// what LPT comes to and what ranks have now.
///
/// **When to use it.** Where a placement is nearly good: whatever is on ranks below the threshold stays, so migrations
/// are few. It exchanges nothing, so a few large objects stop it.
///
/// **Bounds.** Ranks over a bound first hand out what they have, as Greedy does, until they are within it; then none
/// gets further over a bound than it is.
///
/// **Cost.** O(n log n + edges) to begin with, O((degree + log n + log P)) for each object that moves, and that for each
/// of at most ten thresholds.
///
/// **Guarantee.** From a start within bounds the largest work never rises, and what is on a rank at or below the
/// threshold stays.
///
/// **Other implementations.** Charm++'s `RefineA` and `RefineB`, which are `light: any` and `light: lightest` here, seek
/// the threshold between what greedy comes to and half as much again, in steps of a hundredth, and look at load alone.
/// Where they take the first rank that has room, `any` takes the one that has least. LBAF and vt have no such strategy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Refine {
    /// Which light rank gets an object (lightest).
    pub light: Light,
    /// The least threshold, as a multiple of the largest work that LPT comes to, from 1 on (1).
    pub tolerance: f64,
}

/// Which of the ranks with room gets an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Light {
    /// Any that has room: the one with least of it, so that others keep theirs for larger objects. As `RefineA`.
    Any,
    /// That with least work: heaviest to lightest. As `RefineB`.
    #[default]
    Lightest,
}

impl Default for Refine {
    fn default() -> Self {
        Refine { light: Light::default(), tolerance: 1.0 }
    }
}

impl Strategy for Refine {
    fn name(&self) -> &'static str {
        "Refine"
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
        check_tolerance(self.name(), self.tolerance)?;
        let refined = self.refined(problem, context.cancel());
        context.check()?;
        Ok(Outcome::at_once(refined))
    }
}

impl Refine {
    /// The placement under the threshold after which the largest work is least, the first that was tried of equal ones.
    fn refined(&self, problem: &Problem<'_>, cancel: &Cancel) -> Assignment {
        /// Thresholds that are tried at most.
        const MOST: usize = 10;
        /// Nearer than this two thresholds are one.
        const NEAR: f64 = 1.01;
        let mut best = relieved(problem, problem.initial, cancel);
        let mut least = largest_work(problem, &best);
        let totals = Totals::new(problem.phase, best.clone());
        let now = works(problem.model, problem.phase, totals.ranks());
        let greedy = longest_first(problem, f64::NEG_INFINITY, cancel);
        let mut unloading = Unloading::new(problem, totals, now, self.light);
        let mut low = limit(problem, &greedy, self.tolerance).cost();
        let mut high = least.cost();
        low = low.max(best_lower_bound(problem.phase, problem.model).work);
        let mut threshold = low;
        for _ in 0..MOST {
            if low >= high || cancel.is_cancelled() {
                break;
            }
            let all_below = unloading.unload(threshold, cancel);
            let placement = unloading.placement();
            let work: Work = largest_work(problem, &placement);
            if work < least {
                (best, least) = (placement, work);
            }
            unloading.undo(cancel);
            *(if all_below { &mut high } else { &mut low }) = threshold;
            if high <= low * NEAR {
                break;
            }
            threshold = f64::midpoint(low, high);
        }
        best
    }
}
