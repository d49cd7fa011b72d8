// SPDX-License-Identifier: MIT OR Apache-2.0
//! Longest processing time first, on what a work model makes of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::handout::longest_first;
use crate::near_home::brought_near;
use crate::tolerance::check_tolerance;
use crate::{Context, Outcome, Problem, Strategy, StrategyError};

/// Takes all objects, the largest first, each to the rank that has least work with it.
///
/// **When to use it.** The textbook reference, and where `Greedy` is blind: where communication or homing costs,
/// objects go where they cost least. Close to the optimum with eight objects or more for each rank; with two or three
/// for each of hundreds of ranks `MULTIFIT` is much closer. Where load alone costs it is `Greedy` with everything in the pool.
///
/// **Bounds.** An object goes to the best rank that can hold it. Whatever has not been handed out yet counts as being
/// where it was, so an object can always go back, and a placement within bounds stays within them.
///
/// **Cost.** O(n log n + n log P) for n objects and P ranks. Under bounds an object may cost O(P), if it fits almost
/// nowhere. Where communication or homing costs, a what-if, O(degree), for each of about twenty ranks: eight with least
/// work, those of the partners that it talks to most, and those of its block; if what comes of that has no less work
/// than the start, nothing moves.
///
/// **Reference.** R. L. Graham, Bounds on multiprocessing timing anomalies, SIAM J. Appl. Math. 17 (1969),
/// doi:10.1137/0117039: at most 4/3 - 1/(3 P) times the optimum where load alone costs, without sentinels or bounds, on
/// equal ranks.
///
/// **Other implementations.** LBAF has no such strategy; vt's `GreedyLB` and Charm++'s `Greedy` look at load alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Lpt {
    /// Whether fewer migrations are sought: a placement near the start takes the place of the one that was found, in
    /// which objects stay that fit at home and equal ranks have exchanged their names (false).
    pub homeward: bool,
    /// With `homeward`: how much more than the largest work that was found a rank may have then, as a factor from 1 on
    /// (1). With 1 it saves little where objects are few, because what was found leaves no room.
    pub tolerance: f64,
}

impl Default for Lpt {
    fn default() -> Self {
        Lpt { homeward: false, tolerance: 1.0 }
    }
}

impl Strategy for Lpt {
    fn name(&self) -> &'static str {
        "LPT"
    }

    fn honours_bounds(&self) -> bool {
        true
    }

    fn rebalance(&self, problem: &Problem<'_>, _: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        check_tolerance(self.name(), self.tolerance)?;
        let found = longest_first(problem, f64::NEG_INFINITY);
        Ok(Outcome::at_once(if self.homeward { brought_near(problem, found, self.tolerance) } else { found }))
    }
}
