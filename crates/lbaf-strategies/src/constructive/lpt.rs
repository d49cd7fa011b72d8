// SPDX-License-Identifier: MIT OR Apache-2.0
//! Longest processing time first, on what a work model makes of it, or on what objects take in each subphase.

mod rank_fills;
mod subphases;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::parameters::{beyond, parameters};
use crate::primitives::list_scheduling::longest_first;
use crate::primitives::migration_reduction::brought_near;
use crate::primitives::migration_reduction::tolerance::check_tolerance;
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
/// **Subphases.** Where ranks wait for each other behind every subphase, a phase takes the sum over subphases of the slowest
/// rank of each, and a phase that is even as a whole may still have ranks waiting in turn. With `subphases` an object goes
/// where that sum grows least; what a subphase takes in any case, by its lower bound, does not count as growth. Of equal
/// ranks it goes to the one that gets least full: the sum over subphases of fourth powers of what a rank has, in parts of
/// that bound, so that the fullest subphase counts most. The largest object is that of the largest Euclidean norm: on made data
/// the sum of times came to up to 1.7 times the imbalance and the maximum to more than four times, and where they were better it
/// was by little. Objects that run in one subphase each are handed out as without the option, subphase by
/// subphase. Communication and homing do not count, bounds hold. If what comes of it takes no less than the start, nothing moves.
/// The cost is O(n (log n + P s)) at worst for s subphases of an object, most often half of that, and n s log P for objects
/// of one subphase each; 16 to 32 P S bytes for S subphases.
///
/// **Reference.** R. L. Graham, Bounds on multiprocessing timing anomalies, SIAM J. Appl. Math. 17 (1969),
/// doi:10.1137/0117039: at most 4/3 - 1/(3 P) times the optimum where load alone costs, without sentinels or bounds, on
/// equal ranks. Objects of several loads: C. Chekuri, S. Khanna, On multidimensional packing problems, SIAM J. Comput. 33
/// (2004), doi:10.1137/S0097539799356265, for the largest load of all instead of the sum of the largest.
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
    /// Whether what objects take in each subphase is balanced, for ranks that wait for each other behind every one. The data
    /// have to say it; not with `homeward` (false).
    pub subphases: bool,
}

impl Default for Lpt {
    fn default() -> Self {
        Lpt { homeward: false, tolerance: 1.0, subphases: false }
    }
}

impl Strategy for Lpt {
    fn name(&self) -> &'static str {
        "LPT"
    }

    fn parameters(&self) -> Value {
        parameters(self)
    }

    fn additions(&self) -> Vec<String> {
        beyond(
            &self.parameters(),
            &[("homeward", json!(false)), ("tolerance", json!(1.0)), ("subphases", json!(false))],
        )
    }

    fn honours_bounds(&self) -> bool {
        true
    }

    fn needs_subphases(&self) -> bool {
        self.subphases
    }

    fn draws(&self) -> bool {
        false
    }

    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        check_tolerance(self.name(), self.tolerance)?;
        if self.subphases {
            return self.by_subphases(problem, context);
        }
        let mut found = longest_first(problem, f64::NEG_INFINITY, context.cancel());
        if self.homeward {
            found = brought_near(problem, found, self.tolerance, context.cancel());
        }
        context.check()?;
        Ok(Outcome::at_once(found))
    }
}

impl Lpt {
    fn by_subphases(&self, problem: &Problem<'_>, context: &Context<'_>) -> Result<Outcome, StrategyError> {
        let refuse = |key: &str, message: String| {
            Err(StrategyError::Parameter { strategy: self.name(), key: key.to_owned(), message })
        };
        if self.homeward {
            let message = "it looks at the work of ranks alone, and does not go with `subphases`";
            return refuse("homeward", message.to_owned());
        }
        let is_idle = || problem.phase.columns().load.iter().all(|&load| load == 0.0);
        let found = subphases::longest_first(problem, context.cancel());
        context.check()?;
        match found {
            Some(assignment) => Ok(Outcome::at_once(assignment)),
            // Nothing says nothing of subphases either.
            None if is_idle() => Ok(Outcome::at_once(problem.initial.clone())),
            None => refuse(
                "subphases",
                format!(
                    "no task of phase {} says what it took in subphases; without this, the phase is balanced as a whole",
                    problem.phase.id()
                ),
            ),
        }
    }
}
