// SPDX-License-Identifier: MIT OR Apache-2.0
//! Greedy in groups of ranks, and groups of groups.

use lbaf_model::Assignment;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::parameters::{beyond, parameters};
use crate::primitives::list_scheduling::hand_out_within_bounds;
use crate::primitives::pool::{OfferOrder, Pool, Pooled, Pooling};
use crate::{Cancel, Context, Outcome, Problem, Protocol, Strategy, StrategyError};

mod exchange;
mod tree;
mod tree_traversal;

use tree::Tree;
use tree_traversal::Traversal;

/// Greedy in groups of consecutive ranks, groups of groups, and so on up to one: a tree with the ranks as leaves.
///
/// Ranks offer objects, which travel up the tree. Each inner node tries the largest on its least loaded subtree
/// (load per rank), keeps them while that stays within the threshold, and passes the others on upwards; the root
/// keeps what arrives. Then every node, from the root down, hands out what it kept and what it got from above:
/// the largest first, each to the subtree where it ends soonest. At last, as long as that makes the most loaded
/// rank of a group end sooner, one of its objects is exchanged for a smaller one of another rank, or none.
///
/// **When to use it.** Where [`Greedy`](crate::Greedy) is too central for a real machine: no node of the tree sees
/// more than the offers of its subtree, and large objects stay near the rank that they were on. Placements are
/// about as good; with no more ranks than `arity` they are the same but for exchanges. Blind to communication.
/// Objects of load 0 stay where they are, unless their rank is over a bound.
///
/// **Speeds and bounds.** As in Greedy; a subtree is as fast as its ranks together. Under bounds the tree finds
/// the smallest group that each object goes to, and there it goes to the best rank that can hold it; if none can,
/// to the best of the next larger group in which one can. An object can always go back, so a placement within
/// bounds stays within them.
///
/// **Cost.** O(n (log n + k log P)) for n objects, P ranks and k levels of the tree, spread over threads level by
/// level; the root is one of them. Exchanges cost O(n log n) more for a given `arity`. Under bounds, instead of them,
/// that of Greedy comes to it.
///
/// **Reference.** G. Zheng, E. Meneses, A. Bhatele, L. V. Kale, Hierarchical load balancing for Charm++
/// applications on large supercomputers, ICPPW 2010, doi:10.1109/ICPPW.2010.65.
///
/// **Other implementations.** vt's `HierarchicalLB` sorts loads into bins of 10 ms, so that smaller objects all
/// weigh the same, and compares seconds with milliseconds, so that nearly every object is offered whatever the
/// threshold; it has no exchanges. Here loads are exact, `pool: all` is what vt does in effect, `pool: excess` is
/// what it documents, and the sizes of `LoadOverOneEach` are powers of two instead of bins. LBAF has no such
/// strategy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct HierarchicalLB {
    /// Which objects are taken from their ranks: `all`, or only the `excess` over the threshold (all).
    pub pool: Pool,
    /// Threshold as a multiple of the mean when `auto` is false; else its lower limit (0.8).
    pub min: f64,
    /// Upper limit of the threshold (1.004).
    pub max: f64,
    /// Threshold 1 - imbalance, within `min` and `max` (true).
    pub auto: bool,
    /// What a rank offers first with `pool: excess`: `LoadOverLessThan`, `LoadOverGreaterThan` or
    /// `LoadOverOneEach` (`LoadOverLessThan`).
    pub strategy: OfferOrder,
    /// Subtrees of a node, at least 2 (8).
    pub arity: u32,
    /// Whether ranks of a group exchange objects at the end; under bounds they do not (true).
    pub exchange: bool,
}

impl Default for HierarchicalLB {
    fn default() -> Self {
        HierarchicalLB {
            pool: Pool::All,
            min: 0.8,
            max: 1.004,
            auto: true,
            strategy: OfferOrder::LoadOverLessThan,
            arity: 8,
            exchange: true,
        }
    }
}

impl Strategy for HierarchicalLB {
    fn name(&self) -> &'static str {
        "HierarchicalLB"
    }

    fn parameters(&self) -> Value {
        parameters(self)
    }

    fn additions(&self) -> Vec<String> {
        beyond(&self.parameters(), &[("exchange", json!(false))])
    }

    fn honours_bounds(&self) -> bool {
        true
    }

    fn draws(&self) -> bool {
        false
    }

    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        let HierarchicalLB { pool, min, max, auto, strategy: order, arity, exchange: _ } = *self;
        let pooling = Pooling { pool, min, max, auto, order };
        pooling.check(self.name())?;
        if arity < 2 {
            let message = format!("a node needs at least 2 subtrees, not {arity}");
            return Err(StrategyError::Parameter { strategy: self.name(), key: "arity".to_owned(), message });
        }
        let pool = pooling.fill(problem);
        if pool.objects.is_empty() {
            return Ok(Outcome::at_once(problem.initial.clone()));
        }
        let tree = Tree::new(arity as usize, problem.phase.ranks());
        let cancel = context.cancel();
        let traversal = Traversal::new(problem, &pool, &tree, pooling.initial_threshold(problem), cancel);
        let assignment = if problem.model.bounds().is_empty() {
            placed(problem, &pool, &traversal.down_to_ranks(self.exchange))
        } else {
            placed_within_bounds(problem, &pool, &tree, &traversal.down_to_groups(), cancel)
        };
        context.check()?;
        let protocol = Protocol::Stated(traversal.communication());
        Ok(Outcome { protocol, ..Outcome::at_once(assignment) })
    }
}

/// The placement with the objects of each rank, given by their positions in the pool.
fn placed(problem: &Problem<'_>, pool: &Pooled, ranks: &[Vec<u32>]) -> Assignment {
    let mut assignment = problem.initial.clone();
    for (rank, positions) in problem.phase.rank_ids().zip(ranks) {
        for &position in positions {
            assignment.set(pool.objects[position as usize], rank);
        }
    }
    assignment
}

/// Objects on the best ranks that can hold them, as near as possible to the group that they belong to.
fn placed_within_bounds(
    problem: &Problem<'_>,
    pool: &Pooled,
    tree: &Tree,
    groups: &[Vec<u32>],
    cancel: &Cancel,
) -> Assignment {
    let mut group_of = vec![0; pool.objects.len()];
    for (group, positions) in groups.iter().enumerate() {
        for &position in positions {
            group_of[position as usize] = group;
        }
    }
    let around = |position: usize| tree.around(group_of[position]);
    hand_out_within_bounds(pool, problem, f64::NEG_INFINITY, around, cancel)
}
