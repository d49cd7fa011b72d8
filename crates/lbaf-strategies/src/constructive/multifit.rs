// SPDX-License-Identifier: MIT OR Apache-2.0
//! MULTIFIT: the least capacity of ranks into which all objects can be packed.

use lbaf_model::{Assignment, Work, best_lower_bound};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::parameters::{beyond, parameters};
use crate::primitives::list_scheduling::{Terrain, UnderWay, hand_out, longest_first};
use crate::primitives::migration_reduction::near_home;
use crate::primitives::migration_reduction::tolerance::{check_tolerance, limit};
use crate::primitives::pool::Pooled;
use crate::primitives::works::largest_work;
use crate::{Cancel, Context, Outcome, Problem, Strategy, StrategyError};

mod packing;

use packing::Packing;

/// Seeks the least work into which all objects can be packed: bisection between what no placement can beat and what
/// LPT comes to; into each try objects go in descending order, each to the rank that it fills best.
///
/// **When to use it.** To see how good a placement could be: with thousands of objects of unlike loads it ends within a
/// thousandth of the bound, where LPT ends a tenth above it with two or three for each rank; with a dozen objects for
/// each of a few ranks it ends up to some hundredths above it, and under tight bounds on memory no better than Greedy:
/// `LocalSearch` is closer there. It moves nearly everything.
///
/// **Bounds.** Whatever has not been placed yet counts as being where it was, so a placement within bounds stays within
/// them; a rank that an object would break a bound of is passed over.
///
/// **Cost.** O(n log n + b n log P) for n objects, P ranks and b bisections: exact best fit on a stack and a heap. Under
/// bounds, or where communication or homing costs, each try asks up to about twenty ranks for each object, O(degree)
/// each: those that it fills best, those of its partners and of its block; that which it adds least to goes first.
///
/// **Reference.** E. G. Coffman, M. R. Garey, D. S. Johnson, An application of bin-packing to multiprocessor scheduling,
/// SIAM J. Comput. 7 (1978), doi:10.1137/0207001, with first fit; at most 13/11 times the optimum on equal ranks:
/// M. Yue, On the exact upper bound for the multifit processor scheduling algorithm, Ann. Oper. Res. 24 (1990),
/// doi:10.1007/BF02216826. For ranks of different speed D. K. Friesen, M. A. Langston, SIAM J. Comput. 12 (1983),
/// doi:10.1137/0212004. Here the best fit takes the place of the first. Never worse than LPT, or than the start.
///
/// **Other implementations.** Neither LBAF nor vt has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Multifit {
    /// Capacities that are tried at most; each halves what is uncertain, until that is a ten-millionth of them, or a
    /// ten-thousandth where communication or homing costs (20).
    pub bisections: u32,
    /// Whether fewer migrations are sought: a placement near the start takes the place of the one that was found, in
    /// which objects stay that fit at home and equal ranks have exchanged their names (false).
    pub homeward: bool,
    /// With `homeward`: how much more than the largest work that was found a rank may have then, as a factor from 1 on
    /// (1). With 1 it saves little where objects are few, because what was found leaves no room.
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

    fn draws(&self) -> bool {
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

/// What MULTIFIT comes to; no worse than longest first, and than the start.
pub(crate) fn multifit(problem: &Problem<'_>, bisections: u32, cancel: &Cancel) -> Assignment {
    let best = |lpt: Assignment| best_of(problem, [problem.initial.clone(), lpt]);
    match Terrain::of(problem) {
        Terrain::Open => {
            let packing = Packing::new(problem);
            let start = best(hand_out(&packing.pool, problem, f64::NEG_INFINITY, cancel));
            bisect(problem, start, bisections, |capacity| packing.pack(capacity, cancel), cancel)
        }
        Terrain::Bounded | Terrain::Costly => {
            let pool = Pooled::all(problem);
            let empty = UnderWay::new(problem);
            let start = best(longest_first(problem, f64::NEG_INFINITY, cancel));
            let pack = |capacity| {
                let mut under_way = empty.clone();
                for &slot in &pool.objects {
                    if cancel.is_cancelled() {
                        return None;
                    }
                    under_way.place(slot, under_way.best_fit(slot, capacity, None)?);
                }
                let placement = under_way.into_assignment();
                let work = largest_work(problem, &placement);
                Some((placement, work))
            };
            bisect(problem, start, bisections, pack, cancel)
        }
    }
}

/// The placement with the smallest largest work, of equal ones the first.
fn best_of(problem: &Problem<'_>, [first, second]: [Assignment; 2]) -> (Assignment, Work) {
    let works = [&first, &second].map(|placement| largest_work(problem, placement));
    if works[1] < works[0] { (second, works[1]) } else { (first, works[0]) }
}

/// The best of what `pack` makes of capacities, starting from a placement that is known.
fn bisect(
    problem: &Problem<'_>,
    start: (Assignment, Work),
    bisections: u32,
    pack: impl Fn(f64) -> Option<(Assignment, Work)>,
    cancel: &Cancel,
) -> Assignment {
    /// Sums of what fits exactly may be more by rounding.
    const ROUNDING: f64 = 1.0 + 1e-12;
    // Nearer than this part of them two capacities are one. Where communication costs, each takes long.
    let near = if Terrain::of(problem) == Terrain::Costly { 1e-4 } else { 1e-7 };
    let (mut best, mut high) = start;
    let mut low = best_lower_bound(problem.phase, problem.model).work;
    // The bound itself first: with many small objects, or equal ones, it can be reached.
    let mut capacity = low * ROUNDING;
    for _ in 0..bisections {
        if high.cost() - low <= near * high.cost() || cancel.is_cancelled() {
            break;
        }
        match pack(capacity).filter(|(_, work)| *work < high) {
            Some((placement, work)) => (best, high) = (placement, work),
            None => low = capacity,
        }
        capacity = low + (high.cost() - low) / 2.0;
    }
    best
}
