// SPDX-License-Identifier: MIT OR Apache-2.0
//! The most loaded rank gives parts of its blocks away, or exchanges them.

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

/// Takes the most loaded rank again and again, and moves objects that share a block from it to others.
///
/// The objects of a rank that may migrate are grouped by the block they work on (those without one are a group
/// of their own) and sorted by load within their group. In the first stage the rank gives a bracket of a group,
/// objects contiguous in that order, whose load brings it or the taker to the mean. It goes to the least loaded
/// rank that holds the block already; if no holder can be given anything, to the rank that can be given most
/// among those with room for the block. The stage ends when the most loaded rank is at the mean, or can give
/// nothing that lowers the larger work of the two by a hundredth of what it has too much (or of the mean if that
/// is less).
/// In the second stage a rank that can give nothing exchanges: a group or a bracket of one for all objects of
/// another group, whose block makes room, or one object for another; then it gives again.
///
/// **When to use it.** For loads that sit on memory blocks, where memory limits how often a block may be copied
/// and whole blocks are too large to balance. It moves far fewer objects than [`Greedy`](crate::Greedy).
///
/// **Work model and bounds.** Every transfer is judged by the work model, so communication and homing count. The
/// maximum work never rises. No transfer takes a rank over a bound or further beyond it; ranks that are over a
/// bound at the start are relieved first, as far as others have room.
///
/// **Statistics.** One iteration for each stage. Its rejections are the transfers that were looked at in vain.
///
/// **Cost.** For P ranks with n objects in b groups each, and p = min(P, 256) ranks looked at, a transfer costs
/// O(n + b p log P) in the first stage and O(b (n + b) p) in the second, less by far where one of the first ranks
/// looked at will do; there are some ten transfers for each rank. They end at the latest after 100 for each rank
/// and stage. Relief looks at every object of a rank over a bound once in a pass.
///
/// **Other implementations.** LBAF's optimizer of this name ignores `phase_id` and the work model: it takes
/// phase 0, balances load alone, and counts blocks instead of the bytes that a rank has room for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CentralizedPrefixOptimizer {
    /// Whether ranks exchange objects where none can be given for nothing (false).
    pub do_second_stage: bool,
}

/// A part that counts as nearly all.
const CLOSE: f64 = 0.9;

/// Work that is above the mean by less is not worth another transfer.
const EVEN: f64 = 1.0 + 1e-6;

/// Ranks looked at for one transfer, the least loaded.
const MOST_TAKERS: usize = 256;

/// Transfers for each rank and stage, ten times what real data need.
const MOST_TRANSFERS: usize = 100;

/// The work that a rank must come below for a transfer to be worth while: by a hundredth of what it has too much,
/// or of the mean if that is less.
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

    fn draws(&self) -> bool {
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

/// Takes the most loaded rank until it is at the mean, or can do nothing.
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
