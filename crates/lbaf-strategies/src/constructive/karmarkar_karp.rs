// SPDX-License-Identifier: MIT OR Apache-2.0
//! The largest differencing method of Karmarkar and Karp, for any number of ranks.

use lbaf_model::{Assignment, LoadFloor, best_lower_bound};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::parameters::{beyond, parameters};
use crate::primitives::list_scheduling::{PlacingOrder, Terrain, UnderWay};
use crate::primitives::migration_reduction::brought_near;
use crate::primitives::migration_reduction::tolerance::check_tolerance;
use crate::primitives::pool::Pooled;
use crate::primitives::works::largest_work;
use crate::{Cancel, Context, Outcome, Problem, Strategy, StrategyError};

mod differencing;
mod tuple;

use differencing::difference;

/// Largest differencing: first distributes the objects over parts, and assigns the parts to ranks only at the end.
/// Each object starts as a tuple with one part for each rank; all parts but one are empty. The difference of a tuple
/// is its largest part minus its smallest part. The two tuples with the largest differences are merged until one
/// tuple is left. In a merge, the largest part of one tuple joins the smallest part of the other, the second largest
/// joins the second smallest, and so on.
///
/// **When to use it.** Beside `LPT` and `MULTIFIT`, to see how good a placement could be. With many objects per
/// rank, or with few ranks, its result is closer to the optimum than that of LPT. With two or three objects on
/// each of many ranks, it is about as good as LPT, and `MULTIFIT` is much closer to the optimum.
/// `KarmarkarKarp` migrates almost every object, and groups objects by load alone.
///
/// **Bounds.** With upper bounds, or if communication or homing adds to work, the parts do not decide alone.
/// Objects are then placed in descending order of load. Candidates for an object are ranks that can hold it and
/// whose work with the object is at most the largest work of a part. The object goes to the candidate with the
/// least additional cost beyond its load, which is lower on ranks with its communication partners or its block.
/// In a tie, it goes to the rank of its part, or else to the candidate with the most work. Without candidates,
/// it goes to the rank with the least work that can hold it. Objects that have not been placed yet count as
/// being on their initial rank, so a feasible placement stays feasible. If communication or homing adds to work
/// and the maximum work does not fall, no object migrates.
///
/// **Cost.** At most O(n log n log P) for n objects and P ranks, and memory of O(n + P). A tuple stores only its
/// non-empty parts, and a merge moves only the parts of the tuple that has fewer of them, so each part is moved
/// O(log n) times. Tuples that also store their empty parts would need P times the time and memory. With upper
/// bounds, or if communication or homing adds to work, about twenty ranks are tried for each object, O(degree)
/// each.
///
/// **Reference.** N. Karmarkar, R. M. Karp, The differencing method of set partitioning, Report UCB/CSD 82/113
/// (1982). Proof that the maximum load is at most 4/3 - 1/(3 P) times the optimum on equal ranks: W. Michiels,
/// J. Korst, E. Aarts, J. van Leeuwen, Performance ratios for the Karmarkar-Karp differencing method, J. Comb.
/// Optim. 13 (2007), doi:10.1007/s10878-006-9010-z. This implementation has two extensions: non-migratable
/// objects form a tuple with parts that are bound to ranks, and a slower rank starts with an extra load. The
/// extra load is the difference of two loads: those that give the fastest rank and the slower rank a work equal
/// to the lower bound of the maximum work.
///
/// **Other implementations.** Neither LBAF nor vt has this strategy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct KarmarkarKarp {
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

impl Default for KarmarkarKarp {
    fn default() -> Self {
        KarmarkarKarp { homeward: false, tolerance: 1.0 }
    }
}

impl Strategy for KarmarkarKarp {
    fn name(&self) -> &'static str {
        "KarmarkarKarp"
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
        let mut found = karmarkar_karp(problem, context.cancel());
        if self.homeward {
            found = brought_near(problem, found, self.tolerance, context.cancel());
        }
        context.check()?;
        Ok(Outcome::at_once(found))
    }
}

fn karmarkar_karp(problem: &Problem<'_>, cancel: &Cancel) -> Assignment {
    let pool = Pooled::with_load(problem);
    let mut wished = problem.initial.clone();
    let handicapped = handicapped(problem, &pool);
    for (slot, rank) in difference(problem.phase, &pool.objects, &handicapped, cancel) {
        wished.set(slot, rank);
    }
    if Terrain::of(problem) == Terrain::Open {
        return wished;
    }
    let placement = placed(problem, &wished, cancel);
    let gains = || largest_work(problem, &placement) < largest_work(problem, problem.initial);
    if Terrain::of(problem) == Terrain::Bounded || gains() { placement } else { problem.initial.clone() }
}

/// Returns the load of each rank without the objects of `pool`, plus a handicap for slower ranks. The handicap of a
/// rank is the difference of two loads: those that give the fastest rank and this rank a work equal to the lower
/// bound. If the lower bound is reached, parts of equal load then give equal works.
fn handicapped(problem: &Problem<'_>, pool: &Pooled) -> Vec<f64> {
    let LoadFloor { slope, constant } = problem.model.load_floor();
    let work = best_lower_bound(problem.phase, problem.model).work - constant;
    let seconds = |alpha: f64| work / (slope * alpha);
    let alphas = problem.phase.ranks().iter().map(|rank| rank.alpha);
    let fastest = alphas.clone().fold(f64::INFINITY, f64::min);
    let less = |alpha: f64| match alpha == fastest {
        true => 0.0,
        // Load adds nothing to the work of the fastest rank, so slower ranks should get as little as possible.
        false if slope * fastest == 0.0 => f64::MAX,
        false => seconds(fastest) - seconds(alpha),
    };
    alphas.zip(&pool.loads).map(|(alpha, &load)| (load + less(alpha)).min(f64::MAX)).collect()
}

/// Places objects on their desired ranks (`wished`). The capacity of a rank is the largest work of a rank in
/// `wished`, by load alone. An object may go to another rank if the desired rank cannot hold it or would exceed the
/// capacity, or if another rank is cheaper. Returns the initial placement after a cancellation.
fn placed(problem: &Problem<'_>, wished: &Assignment, cancel: &Cancel) -> Assignment {
    let phase = problem.phase;
    let floor = problem.model.load_floor();
    let mut loads = vec![0.0; phase.n_ranks()];
    for slot in phase.slots() {
        loads[wished.rank_of(slot).index()] += phase.load(slot);
    }
    let costs =
        phase.ranks().iter().zip(loads).map(|(rank, load)| floor.slope * rank.alpha * load + floor.constant);
    let capacity = costs.fold(0.0, f64::max);
    let order = PlacingOrder::new(phase, &Pooled::all(problem).objects);
    let placed = UnderWay::new(problem, &order).place_all(&order, cancel, |under_way, slot| {
        let fits = under_way.best_fit(slot, capacity, Some(wished.rank_of(slot)));
        Some(fits.unwrap_or_else(|| under_way.least_worked(slot)))
    });
    placed.unwrap_or_else(|| problem.initial.clone())
}
