// SPDX-License-Identifier: MIT OR Apache-2.0
//! Passing objects up the tree and back down.

use std::ops::Range;

use rayon::prelude::*;

use super::exchange::Group;
use super::tree::Tree;
use crate::primitives::list_scheduling::RankTree;
use crate::primitives::pool::Pooled;
use crate::{Cancel, Communication, Problem};

/// Objects that nodes keep and pass up, as positions in the pool. The objects of the pool are in descending order of
/// load.
pub(super) struct Traversal<'a> {
    tree: &'a Tree,
    /// Load of each object.
    loads: &'a [f64],
    cancel: &'a Cancel,
    /// Nodes by level.
    nodes: Vec<Vec<Node>>,
}

/// Node of the tree.
struct Node {
    /// Load of the subtree: objects that are not offered, and objects kept by this node or a descendant.
    load: f64,
    /// Objects that the node keeps.
    kept: Vec<u32>,
    /// Objects that the node passes up.
    passed: Vec<u32>,
}

impl<'a> Traversal<'a> {
    /// Passes the objects up. A node fills its child subtrees up to `threshold` times the time at which all ranks would
    /// end with evenly distributed load. The root keeps all objects that arrive.
    pub(super) fn new(
        problem: &Problem<'_>,
        pool: &'a Pooled,
        tree: &'a Tree,
        threshold: f64,
        cancel: &'a Cancel,
    ) -> Self {
        let whole: f64 = pool.loads.iter().chain(&pool.object_loads).sum();
        let most = threshold * tree.alpha() * whole;
        let ranks = pool.loads.iter().map(|&load| Node { load, kept: Vec::new(), passed: Vec::new() });
        let mut ranks: Vec<Node> = ranks.collect();
        for (position, &slot) in (0..).zip(&pool.objects) {
            ranks[problem.initial.rank_of(slot).index()].passed.push(position);
        }
        let mut traversal = Traversal { tree, loads: &pool.object_loads, cancel, nodes: vec![ranks] };
        for level in 1..tree.n_levels() {
            let nodes =
                (0..tree.n_nodes(level)).into_par_iter().map(|node| traversal.keep(level, node, most));
            let nodes = nodes.collect();
            traversal.nodes.push(nodes);
        }
        traversal
    }

    /// Returns the communication between all levels. The first child of a node also acts as that node, so it needs no
    /// message. As many objects are assumed to come down as are passed up.
    pub(super) fn communication(&self) -> Communication {
        let mut communication = Communication::default();
        for level in 1..self.tree.n_levels() {
            communication.add_level((0..self.tree.n_nodes(level)).map(|node| {
                let children = self.tree.children(level, node);
                let others = self.nodes[level - 1][children.clone()].iter().skip(1);
                (children.len(), others.map(|child| child.passed.len()).sum())
            }));
        }
        communication
    }

    /// Returns the objects of each rank, after exchanges within groups if `exchange` is true.
    pub(super) fn down_to_ranks(&self, exchange: bool) -> Vec<Vec<u32>> {
        let groups = self.down_to_groups().into_par_iter().enumerate();
        let ranks = groups.map(|(group, objects)| {
            let for_ranks = self.hand_out(1, group, &objects);
            if exchange { self.exchanged(group, for_ranks) } else { for_ranks }
        });
        ranks.flatten_iter().collect()
    }

    /// Returns the objects of each group of ranks.
    pub(super) fn down_to_groups(&self) -> Vec<Vec<u32>> {
        let mut arrived = vec![Vec::new()];
        for level in (2..self.tree.n_levels()).rev() {
            let objects = self.with_kept(level, arrived).enumerate();
            arrived = objects.flat_map_iter(|(node, objects)| self.hand_out(level, node, &objects)).collect();
        }
        self.with_kept(1, arrived).collect()
    }

    /// Merges the objects that arrive at each node of a level with those that it kept.
    fn with_kept(
        &self,
        level: usize,
        arrived: Vec<Vec<u32>>,
    ) -> impl IndexedParallelIterator<Item = Vec<u32>> + use<'_, 'a> {
        let nodes = self.nodes[level].par_iter().zip(arrived);
        nodes.map(|(node, from_above)| merged([&node.kept[..], &from_above].into_iter()))
    }

    /// Computes the objects that a node keeps and passes up. `most` is the threshold in seconds.
    fn keep(&self, level: usize, node: usize, most: f64) -> Node {
        let children = self.tree.children(level, node);
        let below = &self.nodes[level - 1][children.clone()];
        let mut kept = merged(below.iter().map(|child| &child.passed[..]));
        let mut passed = Vec::new();
        if level + 1 < self.tree.n_levels() {
            let mut subtrees = self.subtrees(level, children);
            let is_over = |&position: &u32| {
                let load = self.loads[position as usize];
                let (end, subtree) = subtrees.soonest(load);
                subtrees.add_load(subtree, load);
                end.0 > most
            };
            let n_kept = kept.iter().position(is_over).unwrap_or(kept.len());
            passed = kept.split_off(n_kept);
        }
        let below: f64 = below.iter().map(|child| child.load).sum();
        let own: f64 = kept.iter().map(|&position| self.loads[position as usize]).sum();
        Node { load: below + own, kept, passed }
    }

    /// Returns the objects of each child subtree of a node; each object goes to the subtree where it ends earliest.
    fn hand_out(&self, level: usize, node: usize, objects: &[u32]) -> Vec<Vec<u32>> {
        let children = self.tree.children(level, node);
        let mut for_subtrees = vec![Vec::new(); children.len()];
        let mut subtrees = self.subtrees(level, children);
        for &position in self.cancel.polled(objects) {
            for_subtrees[subtrees.take(self.loads[position as usize]).index()].push(position);
        }
        for_subtrees
    }

    /// Returns the objects of the ranks of a group after exchanges.
    fn exchanged(&self, group: usize, objects: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
        let ranks = self.tree.children(1, group);
        let own = |objects: &Vec<u32>| objects.iter().map(|&at| self.loads[at as usize]).sum::<f64>();
        let fixed = self.nodes[0][ranks.clone()].iter().map(|rank| rank.load);
        let mut group = Group {
            alphas: self.tree.alphas(0, ranks),
            loads: fixed.zip(&objects).map(|(load, objects)| load + own(objects)).collect(),
            object_loads: self.loads,
            objects,
        };
        group.exchange(self.cancel);
        group.objects
    }

    /// Returns the child subtrees of a node with the loads that they keep.
    fn subtrees(&self, level: usize, children: Range<usize>) -> RankTree {
        let loads = self.nodes[level - 1][children.clone()].iter().map(|child| child.load).collect();
        RankTree::new(self.tree.alphas(level - 1, children).to_vec(), loads)
    }
}

/// Merges ascending lists.
#[expect(clippy::stable_sort_primitive, reason = "a stable sort detects and merges ascending runs")]
fn merged<'l>(lists: impl Iterator<Item = &'l [u32]>) -> Vec<u32> {
    let mut merged: Vec<u32> = lists.flatten().copied().collect();
    merged.sort();
    merged
}
