// SPDX-License-Identifier: MIT OR Apache-2.0
//! `CentralizedPrefixOptimizer`: the most loaded rank gives away objects that share a block.

use lbaf_model::Transfer;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::parameters::parameters;
use crate::{Cancel, Cancelled, Context, IterationStats, Outcome, Problem, Strategy, StrategyError};

mod bound_repair;
mod gifts;
mod groups;
mod placement;
mod swaps;

use placement::{Placement, gift};

/// Repeatedly takes the most loaded rank and moves objects that share a block from it to other ranks.
///
/// The migratable objects of a rank are grouped by their block; objects without a block form a group of their own.
/// Each group is sorted by load. A bracket is a contiguous part of a group in this order.
///
/// In the first stage, the rank gives a bracket whose load brings the rank or the receiver to the mean. The bracket
/// goes to the least loaded rank that already holds the block. If no such rank can receive the bracket, it goes to
/// the rank that can receive the most load and has room for the block. A gift must lower the larger work of giver
/// and receiver by at least a hundredth of the giver's surplus over the mean, or of the mean if that is less. The
/// stage ends when the most loaded rank is at the mean, or when no gift is large enough.
///
/// In the second stage, a rank that cannot give a bracket exchanges objects instead. It exchanges a group or a
/// bracket for a whole group on another rank, so that the block of this group makes room. It can also exchange one
/// object for another. Then the rank gives again.
///
/// **When to use it.** If objects share memory blocks, memory limits the copies of a block, and whole blocks are
/// too large for a good balance. The strategy moves far fewer objects than [`Greedy`](crate::Greedy).
///
/// **Work model and bounds.** Every transfer is evaluated with the work model, so communication and homing count.
/// The maximum work never rises. No transfer increases the excess of a rank over a bound. Ranks that are over a
/// bound at the start are relieved first, as far as other ranks have room.
///
/// **Statistics.** One iteration for each stage. Rejections are evaluated transfers that gain too little or would
/// exceed a bound.
///
/// **Cost.** There are P ranks with n objects in b groups each, and p = min(P, 256) candidate receivers. A transfer
/// costs at most O(n + b p log P) in the first stage and O(b (n + b) p) in the second. There are about ten
/// transfers per rank, and at most 100 per rank and stage. For each rank over a bound, each pass tries every object
/// of the rank once.
///
/// **Other implementations.** LBAF's optimizer of this name always uses phase 0, balances load alone, and counts
/// blocks instead of bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CentralizedPrefixOptimizer {
    /// Enables the second stage: ranks exchange objects when no object can be given without return (false).
    pub do_second_stage: bool,
}

/// Fraction of the desired effect at which the search for a better transfer ends. The desired effect is the load to
/// be given (see `Placement::aim`) or, for exchanges, the surplus over the mean.
const CLOSE: f64 = 0.9;

/// Factor on the mean below which the work of the most loaded rank counts as even.
const EVEN: f64 = 1.0 + 1e-6;

/// Maximum number of candidate receivers for one transfer, the least loaded ranks.
const MOST_TAKERS: usize = 256;

/// Maximum number of transfers per rank and stage, about ten times the number that recorded data need.
const MOST_TRANSFERS: usize = 100;

/// Returns the work below which a transfer from a rank with work `cost` must bring both ranks; `level` is the mean.
fn worth_while(cost: f64, level: f64) -> f64 {
    const LEAST_GAIN: f64 = 0.01;
    cost - LEAST_GAIN * (cost - level).min(level)
}

impl Strategy for CentralizedPrefixOptimizer {
    fn name(&self) -> &'static str {
        "CentralizedPrefixOptimizer"
    }

    fn parameters(&self) -> Value {
        parameters(self)
    }

    fn honours_bounds(&self) -> bool {
        true
    }

    fn uses_random_numbers(&self) -> bool {
        false
    }

    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        let cancel = context.cancel().clone();
        let mut placement = Placement::new(problem, &cancel);
        let mut iterations: Vec<IterationStats> = Vec::new();
        let mut end_stage = |placement: &mut Placement<'_>| {
            let assignment = placement.totals().assignment();
            let stats = IterationStats {
                iteration: iterations.len() + 1,
                n_transfers: placement.n_transfers,
                n_rejections: placement.n_rejections,
                ..IterationStats::of(problem, assignment)
            };
            context.iteration(&stats, assignment);
            iterations.push(stats);
            (placement.n_transfers, placement.n_rejections) = (0, 0);
        };
        bound_repair::relieve(&mut placement, &cancel);
        improve(&mut placement, false, &cancel)?;
        end_stage(&mut placement);
        if self.do_second_stage {
            improve(&mut placement, true, &cancel)?;
            end_stage(&mut placement);
        }
        let assignment = placement.into_totals().into_assignment();
        Ok(Outcome { best_iteration: iterations.len(), iterations, ..Outcome::at_once(assignment) })
    }
}

/// Relieves the most loaded rank repeatedly, until this rank is at the mean, no transfer helps, or the maximum number
/// of transfers is reached.
fn improve(placement: &mut Placement<'_>, may_swap: bool, cancel: &Cancel) -> Result<(), Cancelled> {
    for _ in 0..MOST_TRANSFERS * placement.phase().n_ranks() {
        cancel.check()?;
        let level = placement.level();
        let Some(from) = placement.most_loaded().filter(|&rank| placement.cost(rank) > level * EVEN) else {
            break;
        };
        if let Some(best) = gifts::best_gift(placement, from, level) {
            placement.apply(&gift(from, best.to, &best.objects));
        } else if let Some(best) = may_swap.then(|| swaps::best_swap(placement, from, level)).flatten() {
            let (objects, returned) = (&best.objects, &best.returned);
            placement.apply(&Transfer { from, to: best.to, objects, returned });
        } else {
            break;
        }
    }
    Ok(())
}
