// SPDX-License-Identifier: MIT OR Apache-2.0
//! Greedy that leaves objects where they are, as far as it ends no worse.

use lbaf_model::{Assignment, Work};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::handout::longest_first;
use crate::near_home::near_home;
use crate::works::largest_work;
use crate::{Context, Outcome, Problem, Strategy, StrategyError};

/// Hands out objects as LPT does, the largest first; but one stays where it is unless its rank would have more than
/// `tolerance` times the largest work that LPT comes to.
///
/// **When to use it.** Where migrations cost: nearly as good as LPT, with far fewer of them. A larger tolerance saves
/// more of them.
///
/// **Bounds.** As `LPT`: a placement within bounds stays within them.
///
/// **Cost.** Twice that of LPT; more where what stayed leaves no room for what must go.
///
/// **Guarantee.** The largest work is at most `tolerance` times that of LPT. Where objects that stayed leave too little
/// room for the others, fewer may stay: those on ranks below a part of the limit, at last none.
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

    fn honours_bounds(&self) -> bool {
        true
    }

    fn rebalance(&self, problem: &Problem<'_>, _: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        check_tolerance(self.name(), self.tolerance)?;
        let greedy = longest_first(problem, f64::NEG_INFINITY);
        let limit = limit(problem, &greedy, self.tolerance);
        let found = refined(problem, limit).unwrap_or(greedy);
        if !self.homeward {
            return Ok(Outcome::at_once(found));
        }
        Ok(Outcome::at_once(near_home(problem, found, None, limit)))
    }
}

/// What no rank may have more than, given a placement whose largest work may be exceeded by a factor.
pub(crate) fn limit(problem: &Problem<'_>, placement: &Assignment, tolerance: f64) -> Work {
    /// Sums of the same loads in another order differ.
    const ROUNDING: f64 = 1.0 + 1e-12;
    let largest = largest_work(problem, placement);
    Work::with_excess(largest.cost() * tolerance * ROUNDING, largest.excess())
}

/// Objects handed out, of which those stay that may, if no rank ends above a limit.
pub(crate) fn refined(problem: &Problem<'_>, limit: Work) -> Option<Assignment> {
    /// Parts of the limit below which objects may stay.
    const PARTS: [f64; 4] = [1.0, 31.0 / 32.0, 7.0 / 8.0, 1.0 / 2.0];
    let mut placements = PARTS.into_iter().map(|part| longest_first(problem, part * limit.cost()));
    placements.find(|placement| largest_work(problem, placement) <= limit)
}

pub(crate) fn check_tolerance(strategy: &'static str, tolerance: f64) -> Result<(), StrategyError> {
    if tolerance >= 1.0 && tolerance.is_finite() {
        return Ok(());
    }
    let message = format!("`tolerance` must be a number from 1 on, not {tolerance}");
    Err(StrategyError::Parameters { strategy, message })
}
