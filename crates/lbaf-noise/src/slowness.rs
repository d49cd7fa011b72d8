// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ranks and nodes on which the same work takes longer for the whole run.
//!
//! Loads of ranks do not show this, because ranks have different work. Times of the same object on several ranks do:
//! the effects of objects and ranks are estimated together. A rank is slow if its effect is not explained by chance and
//! exceeds a tolerance, and if enough tasks of the run belong to objects that migrated. Siblings of a collection only
//! give a hint, because they can differ. Slow-node detection by micro-benchmarks has a similar condition: there, the
//! time of a slow rank exceeds the mean of all ranks by a tolerance. Here, no benchmark is needed, and the median
//! replaces the mean, because a few slow ranks barely change it.

mod siblings;

use std::collections::BTreeMap;

use lbaf_model::{NodeId, RankId};

use crate::Labels;
use crate::median::median;
use crate::rank_effects::{Center, MIN_OBJECTS, RankEffect};

/// Conditions for a rank or a node to be slow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// A slow rank takes more than (1 + `slowdown`) times the time of the median rank.
    pub slowdown: f64,
    /// Number of sockets of a node. A node is slow if it has at least as many slow ranks as a socket
    /// has ranks.
    pub sockets_per_node: usize,
}

impl Default for Tolerance {
    fn default() -> Self {
        Tolerance { slowdown: 0.05, sockets_per_node: 2 }
    }
}

/// Slow ranks and nodes of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slowness {
    /// Slowness of each rank.
    pub ranks: Vec<RankSlowness>,
    /// Slowness of each node, ascending.
    pub nodes: Vec<NodeSlowness>,
    /// Number of tasks with a time above 0, without skipped ones; 0 if times were judged as measured.
    pub n_tasks: usize,
    /// Number of tasks of objects that ran on several ranks.
    pub n_migrated: usize,
    /// Number of tasks that cannot be compared: skipped tasks of objects that migrated; tasks with a time of 0; and
    /// tasks of objects that never migrated, unless another rank also has such an object of the same collection.
    pub n_incomparable: usize,
    /// Number of groups of ranks, connected by objects that ran on several ranks. Each rank is compared with the
    /// median rank of its group.
    pub n_groups: usize,
}

/// Slowness of a rank.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankSlowness {
    /// Rank.
    pub rank: RankId,
    /// Node of the rank.
    pub node: NodeId,
    /// Time of objects on this rank relative to the median rank; `None` if no object ran on this rank and another one.
    pub factor: Option<f64>,
    /// Standard error, as a fraction of the factor.
    pub error: Option<f64>,
    /// Number of objects that ran on this rank and another one.
    pub n_objects: usize,
    /// Number of tasks on this rank of objects that ran on several ranks.
    pub n_migrated: usize,
    /// Time of the objects that stayed on this rank, relative to the median of all objects of their collection that
    /// never migrated; divided by the same ratio for the median rank. `None` without such objects on other ranks.
    pub sibling_factor: Option<f64>,
    /// Number of tasks compared with their siblings.
    pub n_siblings: usize,
    /// True if the rank is slow.
    pub is_slow: bool,
    /// True if the rank may be slow, for one of two reasons. Objects that migrated show it, but too few tasks of the
    /// run belong to such objects. Or siblings suggest it, and too few objects migrated for an estimate.
    pub may_be_slow: bool,
    /// True if siblings are the reason for `may_be_slow`.
    pub by_siblings: bool,
}

/// Slowness of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeSlowness {
    /// Node.
    pub node: NodeId,
    /// Number of its ranks.
    pub n_ranks: usize,
    /// Number of its slow ranks.
    pub n_slow_ranks: usize,
    /// Median of the factors of its ranks; `None` if no rank has one.
    pub factor: Option<f64>,
    /// True if the node is slow.
    pub is_slow: bool,
}

impl Slowness {
    /// Minimum fraction of the tasks that must belong to objects that ran on several ranks; otherwise, no rank is
    /// reported as slow. A slow rank is slow for most of its tasks, but a few objects that migrate may be exceptional.
    pub const LEAST_MIGRATED: f64 = 1.0 / 3.0;

    /// Minimum number of objects that ran on a rank and another one for the rank to be judged.
    pub const LEAST_OBJECTS: usize = MIN_OBJECTS;

    /// Compares the ranks of a run. O(tasks).
    pub fn of(labels: &Labels<'_>, tolerance: Tolerance) -> Self {
        let effects = labels.rank_effects();
        let siblings = siblings::Siblings::of(labels);
        let n_migrated = effects.ranks.iter().map(|effect| effect.n_migrated_tasks).sum();
        let migrate = n_migrated as f64 >= Self::LEAST_MIGRATED * effects.n_tasks as f64;
        let phases = labels.data().phases();
        let measured = phases.iter().enumerate().filter(|(at, _)| labels.is_measured(*at));
        let n_all: usize = measured.map(|(_, phase)| phase.n_objects()).sum();
        let is_beyond = |center: Center| libm::exp(center.value) > 1.0 + tolerance.slowdown;
        let rank = |(rank, effect): (usize, &RankEffect)| {
            let is_slower = effect.factor > 1.0 + tolerance.slowdown;
            let is_estimated = migrate && effect.estimate.is_some_and(|center| center.n >= MIN_OBJECTS);
            let by_siblings = siblings.ranks[rank];
            let is_hinted = !is_slower
                && !is_estimated
                && by_siblings.is_some_and(|center| is_beyond(center) && siblings.stands_out(center));
            RankSlowness {
                rank: RankId::from(rank),
                node: phases.first().map_or(NodeId(rank as u32), |phase| phase.ranks()[rank].node),
                factor: effect.estimate.map(|center| libm::exp(center.value)),
                error: effect.estimate.map(|center| center.error),
                n_objects: effect.estimate.map_or(0, |center| center.n),
                n_migrated: effect.n_migrated_tasks,
                sibling_factor: by_siblings.map(|center| libm::exp(center.value)),
                n_siblings: siblings.n_tasks[rank],
                is_slow: is_slower && migrate,
                may_be_slow: (is_slower && !migrate) || is_hinted,
                by_siblings: is_hinted,
            }
        };
        let ranks: Vec<RankSlowness> = effects.ranks.iter().enumerate().map(rank).collect();
        let mut groups: Vec<usize> = effects
            .ranks
            .iter()
            .filter(|effect| effect.estimate.is_some())
            .map(|effect| effect.group)
            .collect();
        groups.sort_unstable();
        groups.dedup();
        Slowness {
            nodes: nodes(&ranks, tolerance),
            n_tasks: effects.n_tasks,
            n_migrated,
            n_incomparable: n_all - n_migrated - siblings.n_tasks.iter().sum::<usize>(),
            n_groups: groups.len(),
            ranks,
        }
    }

    /// True if enough tasks belong to objects that ran on several ranks to find slow ranks; also true without tasks.
    pub fn has_enough_migrated(&self) -> bool {
        self.n_migrated as f64 >= Self::LEAST_MIGRATED * self.n_tasks as f64
    }

    /// Returns the slow nodes.
    pub fn slow_nodes(&self) -> impl Iterator<Item = NodeId> {
        self.nodes.iter().filter(|node| node.is_slow).map(|node| node.node)
    }
}

fn nodes(ranks: &[RankSlowness], tolerance: Tolerance) -> Vec<NodeSlowness> {
    let mut by_node: BTreeMap<NodeId, Vec<&RankSlowness>> = BTreeMap::new();
    for rank in ranks {
        by_node.entry(rank.node).or_default().push(rank);
    }
    let node = |(node, ranks): (NodeId, Vec<&RankSlowness>)| {
        let n_slow_ranks = ranks.iter().filter(|rank| rank.is_slow).count();
        let of_socket = ranks.len().div_ceil(tolerance.sockets_per_node.max(1));
        let mut factors: Vec<f64> = ranks.iter().filter_map(|rank| rank.factor).collect();
        NodeSlowness {
            node,
            n_ranks: ranks.len(),
            n_slow_ranks,
            factor: median(&mut factors),
            is_slow: n_slow_ranks >= of_socket,
        }
    };
    by_node.into_iter().map(node).collect()
}
