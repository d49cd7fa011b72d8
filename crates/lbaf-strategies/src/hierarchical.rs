// SPDX-License-Identifier: MIT OR Apache-2.0
//! HierarchicalLB: Greedy on a tree of ranks.

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

/// Greedy on a tree whose leaves are the ranks: groups of consecutive ranks, groups of groups, and so on up to one
/// root.
///
/// Ranks offer objects, which move up the tree. Each inner node considers the objects that its children pass up. In
/// descending order of load, the node assigns each object to the child subtree in which the object would end
/// earliest. The first object that would end after the threshold, and all objects after it, are passed up; the node
/// keeps the objects before it. The root keeps all objects that arrive. Then every node, from the root down,
/// distributes the objects that it kept or received from its parent: the largest first, each to the child subtree
/// where the object ends earliest. Finally, the ranks of each lowest-level group exchange objects: an object of the
/// rank that ends last is swapped for a smaller object of another rank, or moves there without return. Exchanges
/// continue as long as both ranks then end earlier than the last rank did before the exchange, up to 8 exchanges per
/// rank of the group.
///
/// **When to use it.** As a decentralized alternative to [`Greedy`](crate::Greedy) on a real machine: a node of
/// the tree handles only the offers of its subtree, and large objects stay near their rank. Placements are about
/// as good as Greedy's; with at most `arity` ranks they are the same, apart from exchanges. Communication is
/// ignored. Objects of load 0 stay on their rank, unless it exceeds a bound.
///
/// **Speeds and bounds.** As in Greedy. The speed of a subtree is the sum of the speeds of its ranks. Under
/// bounds, the tree determines the smallest group of ranks for each object. Within this group the object goes to
/// the best rank that can hold it. If no rank can, the next larger group is searched. An object can always return
/// to its rank, so a feasible start gives a feasible result.
///
/// **Cost.** O(n (log n + k log P)) for n objects, P ranks and k levels of the tree. The nodes of a level run in
/// parallel; the root, the only node of its level, is not parallel. Exchanges add O(n log n) for a given `arity`.
/// Under bounds there are no exchanges; the cost of Greedy is added instead.
///
/// **Reference.** G. Zheng, E. Meneses, A. Bhatele, L. V. Kale, Hierarchical load balancing for Charm++
/// applications on large supercomputers, ICPPW 2010, doi:10.1109/ICPPW.2010.65.
///
/// **Other implementations.** vt's `HierarchicalLB` has no exchanges. It sorts loads into bins of 10 ms, so that
/// all smaller objects count as equal, and compares seconds with milliseconds, so that nearly every object is
/// offered regardless of the threshold. Here loads are exact: `pool: all` is vt's effective behaviour, `pool:
/// excess` the documented one. For `LoadOverOneEach`, loads with the same power of two have the same size; in vt,
/// loads in the same bin have the same size. LBAF has no hierarchical strategy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct HierarchicalLB {
    /// Objects that a rank offers (all).
    pub pool: Pool,
    /// Threshold as a multiple of the mean load; with `auto`, its smallest value (0.8).
    pub min: f64,
    /// Largest value of the threshold with `auto` (1.004).
    pub max: f64,
    /// True: the threshold is 1 - imbalance, limited to the range from `min` to `max` (true).
    pub auto: bool,
    /// Objects that a rank offers first with `pool: excess`: `LoadOverLessThan`, `LoadOverGreaterThan` or
    /// `LoadOverOneEach` (`LoadOverLessThan`).
    pub strategy: OfferOrder,
    /// Number of subtrees of a node, at least 2 (8).
    pub arity: u32,
    /// True: ranks of a group exchange objects at the end. Has no effect under bounds (true).
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

    fn uses_random_numbers(&self) -> bool {
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

/// Returns the placement in which each rank has the objects listed in `ranks`, as positions in the pool. Objects
/// outside the pool stay.
fn placed(problem: &Problem<'_>, pool: &Pooled, ranks: &[Vec<u32>]) -> Assignment {
    let mut assignment = problem.initial.clone();
    for (rank, positions) in problem.phase.rank_ids().zip(ranks) {
        for &position in positions {
            assignment.set(pool.objects[position as usize], rank);
        }
    }
    assignment
}

/// Places each object on the best rank of its group that can hold it. If no rank of the group can, the ranks of the
/// next ancestor in the tree are tried, and so on. `groups` lists the objects of each group of ranks, as positions in
/// the pool.
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
