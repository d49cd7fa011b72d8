// SPDX-License-Identifier: MIT OR Apache-2.0
//! `Refine`: moves of objects off overloaded ranks.

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

/// Moves objects off ranks above a threshold.
///
/// The rank with the most work gives its largest object that fits to a light rank, which stays within the
/// threshold, until no rank is above the threshold. The strategy searches for the smallest attainable threshold,
/// between `tolerance` times the maximum work of LPT and the current maximum work.
///
/// **When to use it.** If a placement is nearly good. Objects on ranks within the threshold stay, so migrations are
/// few. There are no exchanges, so a few large objects can block the search.
///
/// **Bounds.** Ranks over a bound first hand out objects like `Greedy` until they are within the bound. After that,
/// no transfer takes a rank further over a bound.
///
/// **Cost.** O(n log n + edges) once, and O(degree + log n + log P) for each moving object and each of at most ten
/// thresholds.
///
/// **Guarantee.** From a feasible start, the maximum work never rises, and objects on a rank at or below the
/// threshold stay.
///
/// **Other implementations.** Charm++'s `RefineA` and `RefineB` correspond to `light: any` and `light: lightest`.
/// They consider load alone, and search in steps of 1 % from the maximum load of a greedy placement to 1.5 times
/// this load. `RefineA` uses the first rank with room, but `any` uses the rank with the least sufficient room. LBAF
/// and vt have none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Refine {
    /// Choice of the light rank that receives an object (lightest).
    pub light: Light,
    /// Smallest threshold, as a factor of at least 1 on the maximum work of LPT (1).
    pub tolerance: f64,
}

/// Rank that receives an object, among the ranks with room for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Light {
    /// Rank with the least room that suffices, so that other ranks keep room for larger objects. Similar to
    /// `RefineA`.
    Any,
    /// Rank with the least work: objects move from the heaviest to the lightest rank, as in `RefineB`.
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

    fn uses_random_numbers(&self) -> bool {
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
    /// Returns the placement with the smallest maximum work, or the repaired start if no threshold improves it.
    fn refined(&self, problem: &Problem<'_>, cancel: &Cancel) -> Assignment {
        /// Maximum number of thresholds tried.
        const MOST: usize = 10;
        /// Ratio below which two thresholds count as equal.
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
