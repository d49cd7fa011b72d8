// SPDX-License-Identifier: MIT OR Apache-2.0
//! Greedy that leaves objects where they are, as far as it ends no worse.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::parameters::{beyond, parameters};
use crate::primitives::list_scheduling::longest_first;
use crate::primitives::migration_reduction::near_home;
use crate::primitives::migration_reduction::tolerance::{check_tolerance, limit, refined};
use crate::{Context, Outcome, Problem, Strategy, StrategyError};

/// Hands out objects as LPT does, the largest first; but one stays where it is unless its rank would have more than
/// `tolerance` times the largest work that LPT comes to.
///
/// **When to use it.** Where migrations cost: nearly as good as LPT, with far fewer of them. A larger tolerance saves
/// more of them.
///
/// **Bounds.** As `LPT`: a placement within bounds stays within them.
///
/// **Cost.** Twice that of LPT; up to five times that where what stayed leaves no room for what must go.
///
/// **Guarantee.** The largest work is at most `tolerance` times that of LPT, unless LPT ends over bounds and this does not,
/// or less so. Where objects that stayed leave too little room for the others, fewer may stay: those on ranks below a part
/// of the limit, at last none.
///
/// **Other implementations.** Charm++'s strategy of this name raises its limit instead where something does not fit, and
/// may end above it; it looks at load alone. LBAF and vt have no such strategy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GreedyRefine {
    /// How much more than the largest work of LPT a rank may have, as a factor from 1 on (1.02). Charm++ has
    /// 1, with which there is often no room for what must go, and everything goes.
    pub tolerance: f64,
    /// Whether still fewer migrations are sought: objects go home and others leave in their stead, as far as no rank
    /// ends above the limit (false).
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

    fn draws(&self) -> bool {
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
