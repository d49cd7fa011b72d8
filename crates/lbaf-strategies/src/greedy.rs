// SPDX-License-Identifier: MIT OR Apache-2.0
//! Largest object first, to the least loaded rank.

use std::cmp::Reverse;

use lbaf_model::{Assignment, Slot, Totals};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::seconds::Seconds;
use crate::{Context, Outcome, Problem, Strategy, StrategyError};

mod bounded;
mod pool;
mod rank_tree;

use rank_tree::RankTree;

/// Takes objects from their ranks into a pool, and hands them out again, the largest first, each to the rank
/// where it ends soonest: the least loaded one where all ranks are equally fast.
///
/// **When to use it.** The reference that everything else is measured against: fast and close to the optimum
/// when objects are many and small, blind to communication, and it moves nearly everything. Objects of load 0
/// stay where they are, unless their rank is over a bound.
///
/// **Bounds.** An object goes to the best rank that can hold it. Whatever has not been handed out yet counts
/// as being where it was, so an object can always go back, and a placement within bounds stays within them.
///
/// **Cost.** O(n log n + n log P) for n objects and P ranks. Under bounds an object may cost O(P), if it fits
/// almost nowhere or its block is on almost every rank, and O(k log P) under bounds on nodes of k ranks.
///
/// **Reference.** R. L. Graham, Bounds on multiprocessing timing anomalies, SIAM J. Appl. Math. 17 (1969),
/// doi:10.1137/0117039: at most 4/3 - 1/(3 P) times the optimum without sentinels; for ranks of different
/// speed T. Gonzalez, O. Ibarra, S. Sahni, SIAM J. Comput. 6 (1977), doi:10.1137/0206013.
///
/// **Other implementations.** vt's `GreedyLB` offers almost every object whatever its threshold, because it
/// compares seconds with milliseconds, and sorts loads into bins of 10 ms. Here loads are exact, `pool: all`
/// is what vt does in effect, and `pool: excess` is what it documents. LBAF has no such strategy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Greedy {
    /// Which objects are taken from their ranks: `all`, or only the `excess` over the threshold (all).
    pub pool: Pool,
    /// Threshold as a multiple of the mean when `auto` is false; else its lower limit (0.8).
    pub min: f64,
    /// Upper limit of the threshold (1.004).
    pub max: f64,
    /// Threshold 1 - imbalance, within `min` and `max` (true).
    pub auto: bool,
    /// How vt collects the offers (scatter). Accepted for vt's sake; there is nothing to collect here.
    pub strategy: Collection,
}

/// Which objects are handed out anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Pool {
    /// All that may migrate.
    #[default]
    All,
    /// Of each rank its smallest objects, until what remains is within the threshold.
    Excess,
}

/// How vt's GreedyLB sends decisions to ranks. Without meaning here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Collection {
    /// Scatter from the root.
    #[default]
    Scatter,
    /// Broadcast from the root.
    Bcast,
    /// Point to point.
    Pt2pt,
}

impl Default for Greedy {
    fn default() -> Self {
        Greedy { pool: Pool::All, min: 0.8, max: 1.004, auto: true, strategy: Collection::Scatter }
    }
}

impl Strategy for Greedy {
    fn name(&self) -> &'static str {
        "Greedy"
    }

    fn honours_bounds(&self) -> bool {
        true
    }

    fn rebalance(&self, problem: &Problem<'_>, _: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        self.check()?;
        let Problem { phase, initial, model, .. } = *problem;
        let is_pooled = self.pooled(problem);
        let mut pool: Vec<Slot> = phase.slots().filter(|slot| is_pooled[slot.index()]).collect();
        pool.sort_by_key(|&slot| (Reverse(Seconds(phase.load(slot))), slot));
        let mut loads = vec![0.0; phase.n_ranks()];
        for slot in phase.slots().filter(|slot| !is_pooled[slot.index()]) {
            loads[initial.rank_of(slot).index()] += phase.load(slot);
        }
        if model.bounds().is_empty() {
            return Ok(Outcome::at_once(hand_out_freely(&pool, loads, problem)));
        }
        let mut totals = Totals::new(phase, initial.clone());
        bounded::hand_out(&pool, loads, model, &mut totals);
        Ok(Outcome::at_once(totals.into_assignment()))
    }
}

impl Greedy {
    fn check(&self) -> Result<(), StrategyError> {
        let in_order = self.min >= 0.0 && self.min <= self.max && self.max.is_finite();
        if in_order {
            return Ok(());
        }
        Err(StrategyError::Parameters {
            strategy: self.name(),
            message: format!("`min` {} and `max` {} must satisfy 0 <= min <= max", self.min, self.max),
        })
    }
}

/// Gives each object of `pool` to the rank that ends it soonest.
fn hand_out_freely(pool: &[Slot], loads: Vec<f64>, problem: &Problem<'_>) -> Assignment {
    let Problem { phase, initial, .. } = *problem;
    let alpha = phase.ranks().iter().map(|rank| rank.alpha).collect();
    let mut ranks = RankTree::new(alpha, loads, vec![f64::INFINITY; phase.n_ranks()]);
    let mut assignment = initial.clone();
    for &slot in pool {
        let load = phase.load(slot);
        let (_, rank) = ranks
            .search(load, 0.0, None, |_| true)
            .expect("invariant: an object was recorded on a rank, so there is one");
        assignment.set(slot, rank);
        ranks.add_load(rank, load);
    }
    assignment
}
