// SPDX-License-Identifier: MIT OR Apache-2.0
//! `GreedyRefine`: list scheduling in which most objects stay on their ranks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::parameters::{beyond, parameters};
use crate::primitives::list_scheduling::longest_first;
use crate::primitives::migration_reduction::near_home;
use crate::primitives::migration_reduction::tolerance::{check_tolerance, limit, refined};
use crate::{Context, Outcome, Problem, Strategy, StrategyError};

/// Hands out objects like LPT, largest first, but most objects stay.
///
/// An object stays unless the work of its rank would exceed `tolerance` times the maximum work of LPT.
///
/// **When to use it.** If migrations are expensive. The result is nearly as good as with LPT, with far fewer
/// migrations. A larger tolerance saves more migrations.
///
/// **Bounds.** As for `LPT`: a feasible placement stays feasible.
///
/// **Cost.** Twice the cost of LPT, or up to five times if staying objects leave too little room for other objects.
///
/// **Guarantee.** The maximum work is at most `tolerance` times the maximum work of LPT. The only exception is a
/// result that violates upper bounds less than LPT does. If staying objects leave too little room for other
/// objects, the limit for staying is lowered, and finally no object stays.
///
/// **Other implementations.** LBAF and vt have none. Charm++'s strategy of this name considers load alone, and
/// raises its limit if an object does not fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GreedyRefine {
    /// Maximum work allowed for a rank, as a factor of at least 1 on the maximum work of LPT (1.02). Charm++ uses
    /// 1, which often leaves no room for the objects that must migrate, so that all objects migrate.
    pub tolerance: f64,
    /// Reduces migrations further after the strategy: objects return to their initial rank and other objects leave
    /// it to make room, as long as the maximum work does not rise (false).
    pub homeward: bool,
}

impl Default for GreedyRefine {
    fn default() -> Self {
        GreedyRefine { tolerance: 1.02, homeward: false }
    }
}

impl Strategy for GreedyRefine {
    fn name(&self) -> &'static str {
        "GreedyRefine"
    }

    fn parameters(&self) -> Value {
        parameters(self)
    }

    fn additions(&self) -> Vec<String> {
        beyond(&self.parameters(), &[("homeward", json!(false))])
    }

    fn honours_bounds(&self) -> bool {
        true
    }

    fn uses_random_numbers(&self) -> bool {
        false
    }

    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        check_tolerance(self.name(), self.tolerance)?;
        let cancel = context.cancel();
        let greedy = longest_first(problem, f64::NEG_INFINITY, cancel);
        let limit = limit(problem, &greedy, self.tolerance);
        let mut found = refined(problem, limit, cancel).unwrap_or(greedy);
        if self.homeward {
            found = near_home(problem, found, None, limit, cancel);
        }
        context.check()?;
        Ok(Outcome::at_once(found))
    }
}
