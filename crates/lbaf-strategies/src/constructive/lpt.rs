// SPDX-License-Identifier: MIT OR Apache-2.0
//! Longest processing time first, on the work of ranks or on times by subphase.

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

/// Longest processing time first: takes all objects, largest first, and gives each to the rank with the least work
/// after receiving it.
///
/// **When to use it.** The textbook reference. Unlike `Greedy`, it takes communication and homing into account: if
/// they add to work, objects go where they cost least. It is close to the optimum with eight or more objects per
/// rank. With two or three objects on each of hundreds of ranks, `MULTIFIT` is much closer. If only load adds to
/// work, it equals `Greedy` with all objects in the pool.
///
/// **Bounds.** An object goes to the best rank that can hold it. Objects that have not been handed out yet count
/// as being on their initial rank. An object can therefore always go back, and a feasible placement stays
/// feasible.
///
/// **Cost.** O(n log n + n log P) for n objects and P ranks. With upper bounds, an object may cost O(P) if it fits
/// on almost no rank. If communication or homing adds to work, an object costs O(degree + log P), and up to about
/// twenty ranks are evaluated for it: the eight ranks with the least work, the ranks of the partners with the largest
/// volume, and the ranks of its block. If the maximum work of the result is then not below that of the start, only
/// objects on ranks over an upper bound migrate.
/// One thread places objects: each changes the costs of about ten ranks, on which the choice for the next object
/// depends. Another thread gathers the edges of the next objects at the same time.
///
/// **Subphases.** If ranks wait for each other after every subphase, the time of a phase is the sum over
/// subphases of the time of the slowest rank. Even if a phase is balanced as a whole, ranks may still wait:
/// some in one subphase, others in another. With `subphases`, an object goes to the rank on which this sum
/// grows least. In each subphase, time up to the lower bound of the subphase does not count as growth,
/// because every placement needs that time. Among ranks with equal growth, the object goes to the rank whose
/// fullness grows least. Fullness is a sum over subphases: the time of the rank divided by the lower bound of
/// the subphase, to the fourth power, times the time of the slowest rank so far (at least the lower bound).
/// Because of the fourth power, the subphases in which the rank is already busiest count most. Objects are
/// sorted by the Euclidean norm of their times. On synthetic data, sorting by the sum of times gave up to 1.7
/// times the imbalance, and sorting by the maximum more than four times; neither was ever better by much. If
/// each object runs in only one subphase and all ranks are equally fast, every subphase is balanced
/// independently by LPT. Communication and homing are ignored; upper bounds are respected. The result must
/// have a smaller excess over upper bounds than the start, or take less time with the same excess. Otherwise
/// only objects on ranks over an upper bound migrate. The cost is O(n (log n + P s)) in the worst case for s
/// subphases per object, typically half of that, and O(n s log P) for objects of one subphase each. Memory is
/// 16 to 32 P S bytes for S subphases.
///
/// **Reference.** R. L. Graham, Bounds on multiprocessing timing anomalies, SIAM J. Appl. Math. 17 (1969),
/// doi:10.1137/0117039: at most 4/3 - 1/(3 P) times the optimum if only load adds to work, without sentinels or
/// bounds, on equal ranks. Objects with several loads: C. Chekuri, S. Khanna, On multidimensional packing
/// problems, SIAM J. Comput. 33 (2004), doi:10.1137/S0097539799356265, which minimizes the largest of all loads
/// instead of the sum of the maxima.
///
/// **Other implementations.** LBAF has no such strategy; vt's `GreedyLB` and Charm++'s `Greedy` consider load
/// alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Lpt {
    /// Reduces migrations after the strategy (false). Candidates are the result, the result with its equal ranks
    /// relabelled, and placements in which objects that fit on their initial rank stay there. Of the candidates
    /// within `tolerance`, the one with the fewest migrations is taken, and its objects return to their initial
    /// ranks where this does not raise its maximum work.
    pub homeward: bool,
    /// With `homeward`: maximum work allowed after the reduction, as a factor of at least 1 on the maximum work of
    /// the original result (1). With few objects, a factor of 1 saves few migrations, because ranks have no spare
    /// capacity.
    pub tolerance: f64,
    /// Balances the time of every subphase, for applications in which ranks wait for each other after each
    /// subphase (false). Requires data with times of subphases. Cannot be combined with `homeward`.
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

    fn uses_random_numbers(&self) -> bool {
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
            let message = "cannot be combined with `subphases`, because it considers only the work of ranks";
            return refuse("homeward", message.to_owned());
        }
        let is_idle = || problem.phase.columns().load.iter().all(|&load| load == 0.0);
        let found = subphases::longest_first(problem, context.cancel());
        context.check()?;
        match found {
            Some(assignment) => Ok(Outcome::at_once(assignment)),
            // Without load, missing times of subphases are not an error.
            None if is_idle() => Ok(Outcome::at_once(problem.initial.clone())),
            None => refuse(
                "subphases",
                format!(
                    "no task of phase {} has times of subphases; without `subphases`, the phase is balanced as a whole",
                    problem.phase.id()
                ),
            ),
        }
    }
}
