// SPDX-License-Identifier: MIT OR Apache-2.0
//! The largest differencing method of Karmarkar and Karp, for any number of ranks.

use lbaf_model::{Assignment, LoadFloor, best_lower_bound};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::parameters::{beyond, parameters};
use crate::primitives::list_scheduling::{Terrain, UnderWay};
use crate::primitives::migration_reduction::brought_near;
use crate::primitives::migration_reduction::tolerance::check_tolerance;
use crate::primitives::pool::Pooled;
use crate::primitives::works::largest_work;
use crate::{Cancel, Context, Outcome, Problem, Strategy, StrategyError};

mod differencing;
mod tuple;

use differencing::difference;

/// Decides first which objects are apart, and last where they are: a tuple of parts, one for each rank, stands for each
/// object, and the two tuples whose parts differ most become one, the largest part of either with the smallest of the
/// other, until one is left.
///
/// **When to use it.** Beside `LPT` and `MULTIFIT`, to see how good a placement could be. With many objects for each rank, or
/// with few ranks, it ends nearer to the best than LPT; with two or three objects for each of many ranks as LPT, and
/// `MULTIFIT` is much closer. It moves nearly everything, and groups objects by load alone.
///
/// **Bounds.** Objects go to the ranks of their parts in descending order. One that its rank cannot hold, or that adds
/// less to another beyond its load, because its partners or its block are there, goes where it fits best below what the
/// parts come to. Whatever has not been placed yet counts as being where it was, so a placement within bounds stays
/// within them. Where communication or homing costs and nothing is gained, nothing moves.
///
/// **Cost.** O(n log n log P) for n objects and P ranks at most, and memory of O(n + P): tuples have only the parts
/// that have objects, all others are empty and alike, and when two become one, only so many parts change as the smaller
/// one has; each of its objects joins one at least twice as large, so that happens to it at most log n times. A full
/// tuple for each object would take P times as much of both. Under bounds, or where communication or homing costs, up
/// to about twenty ranks are asked for each object, O(degree) each.
///
/// **Reference.** N. Karmarkar, R. M. Karp, The differencing method of set partitioning, Report UCB/CSD 82/113 (1982).
/// At most 4/3 - 1/(3 P) times the optimum on equal ranks: W. Michiels, J. Korst, E. Aarts, J. van Leeuwen, Performance
/// ratios for the Karmarkar-Karp differencing method, J. Comb. Optim. 13 (2007), doi:10.1007/s10878-006-9010-z. What
/// may not move is a tuple whose parts know their ranks; a slower rank has a load beside that, what it could do less
/// than the fastest until the best possible work.
///
/// **Other implementations.** Neither LBAF nor vt has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct KarmarkarKarp {
    /// Whether fewer migrations are sought: a placement near the start takes the place of the one that was found, in
    /// which objects stay that fit at home and equal ranks have exchanged their names (false).
    pub homeward: bool,
    /// With `homeward`: how much more than the largest work that was found a rank may have then, as a factor from 1 on
    /// (1). With 1 it saves little where objects are few, because what was found leaves no room.
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

    fn draws(&self) -> bool {
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

/// What ranks have beside the pool, and what slower ranks could do less than the fastest until the best possible work:
/// parts that are alike with that are so much load as each should have.
fn handicapped(problem: &Problem<'_>, pool: &Pooled) -> Vec<f64> {
    let LoadFloor { slope, constant } = problem.model.load_floor();
    let work = best_lower_bound(problem.phase, problem.model).work - constant;
    let seconds = |alpha: f64| work / (slope * alpha);
    let alphas = problem.phase.ranks().iter().map(|rank| rank.alpha);
    let fastest = alphas.clone().fold(f64::INFINITY, f64::min);
    let less = |alpha: f64| match alpha == fastest {
        true => 0.0,
        // Where load costs nothing, a part of any size is as good as none.
        false if slope * fastest == 0.0 => f64::MAX,
        false => seconds(fastest) - seconds(alpha),
    };
    alphas.zip(&pool.loads).map(|(alpha, &load)| (load + less(alpha)).min(f64::MAX)).collect()
}

/// Objects where they are wished as far as possible, where that is no worse than elsewhere.
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
    let mut under_way = UnderWay::new(problem);
    for slot in Pooled::all(problem).objects {
        if cancel.is_cancelled() {
            break;
        }
        let fits = under_way.best_fit(slot, capacity, Some(wished.rank_of(slot)));
        under_way.place(slot, fits.unwrap_or_else(|| under_way.least_worked(slot)));
    }
    under_way.into_assignment()
}
