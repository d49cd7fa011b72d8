// SPDX-License-Identifier: MIT OR Apache-2.0
//! MULTIFIT: bin packing with the smallest capacity of ranks.

use std::iter;

use lbaf_model::{Assignment, Work, best_lower_bound};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::parameters::{beyond, parameters};
use crate::primitives::list_scheduling::{PlacingOrder, Terrain, UnderWay, hand_out, longest_first};
use crate::primitives::migration_reduction::near_home;
use crate::primitives::migration_reduction::tolerance::{check_tolerance, limit};
use crate::primitives::pool::Pooled;
use crate::primitives::works::largest_work;
use crate::{Cancel, Context, Outcome, Problem, Strategy, StrategyError};

mod packing;

use packing::Packing;

/// Searches for the smallest capacity, the work allowed on a rank, for which all objects can be packed into the
/// ranks. The search is a bisection between a lower bound and the result of LPT. For each capacity, objects are
/// packed in descending order of load, each into the rank that it fills best (bin packing, best fit decreasing).
///
/// **When to use it.** To see how good a placement could be. With thousands of objects of different loads and
/// two or three objects per rank, the result is within a thousandth of the lower bound; that of LPT is a tenth
/// above the bound. With a dozen objects on each of a few ranks, the result is up to a few hundredths above the
/// lower bound. With tight upper bounds on memory, it is no better than that of Greedy. In the last two cases,
/// `LocalSearch` is better. MULTIFIT migrates almost every object.
///
/// **Bounds.** Objects that have not been placed yet count as being on their initial rank, so a feasible
/// placement stays feasible. A rank whose bound an object would violate is skipped.
///
/// **Cost.** O(n log n + b n log P) for n objects, P ranks and b bisections: exact best fit with a stack and a
/// heap. With upper bounds, or if communication or homing adds to work, each packing tries up to about twenty
/// ranks for each object: the ranks that the object fills best, those of its partners and those of its block. A
/// try costs O(degree). The rank with the least additional cost is preferred. Up to four threads try capacities at
/// the same time: one and those that follow if it fails. This saves time if packings fail, as they mostly do near the
/// lower bound.
///
/// **Reference.** E. G. Coffman, M. R. Garey, D. S. Johnson, An application of bin-packing to multiprocessor
/// scheduling, SIAM J. Comput. 7 (1978), doi:10.1137/0207001, with first fit. Proof that the maximum load is at
/// most 13/11 times the optimum on equal ranks: M. Yue, On the exact upper bound for the multifit processor
/// scheduling algorithm, Ann. Oper. Res. 24 (1990), doi:10.1007/BF02216826. For ranks of different speed: D. K.
/// Friesen, M. A. Langston, SIAM J. Comput. 12 (1983), doi:10.1137/0212004. This implementation uses best fit
/// instead of first fit. The result is never worse than that of LPT or than the start.
///
/// **Other implementations.** Neither LBAF nor vt has this strategy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Multifit {
    /// Maximum number of capacities tried (20). The first is the lower bound; each further one halves the interval
    /// that contains the smallest capacity. The search ends earlier when the interval is a ten-millionth of the
    /// capacity, or a ten-thousandth if communication or homing adds to work.
    pub bisections: u32,
    /// Reduces migrations after the strategy (false). Candidates are the result, the result with its equal ranks
    /// relabelled, and placements in which objects that fit on their initial rank stay there. Of the candidates
    /// within `tolerance`, the one with the fewest migrations is taken, and its objects return to their initial
    /// ranks where this does not raise its maximum work.
    pub homeward: bool,
    /// With `homeward`: maximum work allowed after the reduction, as a factor of at least 1 on the maximum work of
    /// the original result (1). With few objects, a factor of 1 saves few migrations, because ranks have no spare
    /// capacity.
    pub tolerance: f64,
}

impl Default for Multifit {
    fn default() -> Self {
        Multifit { bisections: 20, homeward: false, tolerance: 1.0 }
    }
}

impl Strategy for Multifit {
    fn name(&self) -> &'static str {
        "MULTIFIT"
    }

    fn parameters(&self) -> Value {
        parameters(self)
    }

    fn additions(&self) -> Vec<String> {
        beyond(&self.parameters(), &[("homeward", json!(false)), ("tolerance", json!(1.0))])
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
        let found = multifit(problem, self.bisections, cancel);
        context.check()?;
        if !self.homeward {
            return Ok(Outcome::at_once(found));
        }
        let limit = limit(problem, &found, self.tolerance);
        let is_open = Terrain::of(problem) == Terrain::Open;
        let staying =
            is_open.then(|| Packing::new(problem).keeping(limit.cost()).pack(limit.cost(), cancel)).flatten();
        let staying = staying.map(|(placement, _)| placement);
        let near = near_home(problem, found, staying, limit, cancel);
        context.check()?;
        Ok(Outcome::at_once(near))
    }
}

/// Returns the result of MULTIFIT, never worse than LPT or the start.
pub(crate) fn multifit(problem: &Problem<'_>, bisections: u32, cancel: &Cancel) -> Assignment {
    let best = |lpt: Assignment| best_of(problem, [problem.initial.clone(), lpt]);
    match Terrain::of(problem) {
        Terrain::Open => {
            let packing = Packing::new(problem);
            let start = best(hand_out(&packing.pool, problem, f64::NEG_INFINITY, cancel));
            bisect(problem, start, bisections, |capacity| packing.pack(capacity, cancel), cancel)
        }
        Terrain::Bounded | Terrain::Costly => {
            let order = PlacingOrder::new(problem.phase, &Pooled::all(problem).objects);
            let empty = UnderWay::new(problem, &order);
            let start = best(longest_first(problem, f64::NEG_INFINITY, cancel));
            let pack = |capacity| {
                let fitting = |under_way: &mut UnderWay<'_>, slot| under_way.best_fit(slot, capacity, None);
                let placement = empty.clone().place_all(&order, cancel, fitting)?;
                let work = largest_work(problem, &placement);
                Some((placement, work))
            };
            bisect(problem, start, bisections, pack, cancel)
        }
    }
}

/// Returns the placement with the smaller maximum work, and this work; in a tie, the first.
fn best_of(problem: &Problem<'_>, [first, second]: [Assignment; 2]) -> (Assignment, Work) {
    let works = [&first, &second].map(|placement| largest_work(problem, placement));
    if works[1] < works[0] { (second, works[1]) } else { (first, works[0]) }
}

/// Maximum number of capacities tried concurrently. Tries after a success are discarded, so most of the further tries
/// would be wasted.
const TRIES: usize = 4;

/// Returns the best placement of `pack` for a series of capacities, starting from a known placement.
///
/// The capacity after a failed packing is known in advance. So each thread tries one of the capacities that follow if
/// all tries before it fail. Tries after a success are discarded.
fn bisect(
    problem: &Problem<'_>,
    start: (Assignment, Work),
    bisections: u32,
    pack: impl Fn(f64) -> Option<(Assignment, Work)> + Sync,
    cancel: &Cancel,
) -> Assignment {
    /// Factor on a capacity: sums of loads that fill it exactly may exceed it by rounding.
    const ROUNDING: f64 = 1.0 + 1e-12;
    // Relative difference below which two capacities count as equal; larger if communication or homing adds to work,
    // because packings then take long.
    let near = if Terrain::of(problem) == Terrain::Costly { 1e-4 } else { 1e-7 };
    let is_near = |low: f64, high: Work| high.cost() - low <= near * high.cost();
    let (mut best, mut high) = start;
    let mut low = best_lower_bound(problem.phase, problem.model).work;
    // The lower bound comes first: with many small or with equal objects, it can be reached.
    let mut capacity = low * ROUNDING;
    let mut left = bisections as usize;
    while left > 0 && !is_near(low, high) && !cancel.is_cancelled() {
        let after = |&failed: &f64| (!is_near(failed, high)).then(|| middle(failed, high));
        let n_tries = rayon::current_num_threads().min(TRIES).min(left);
        let tries: Vec<f64> = iter::successors(Some(capacity), after).take(n_tries).collect();
        let packed =
            |(at, &capacity): (usize, &f64)| Some((at, pack(capacity).filter(|(_, work)| *work < high)?));
        if let Some((n_failed, (placement, work))) = tries.par_iter().enumerate().find_map_first(packed) {
            if let Some(&failed) = tries[..n_failed].last() {
                low = failed;
            }
            (best, high) = (placement, work);
            left -= n_failed + 1;
        } else {
            low = tries[tries.len() - 1];
            left -= tries.len();
        }
        capacity = middle(low, high);
    }
    best
}

/// Returns the capacity halfway between `low`, which is a failed capacity or the lower bound, and the best work.
fn middle(low: f64, high: Work) -> f64 {
    low + (high.cost() - low) / 2.0
}
