// SPDX-License-Identifier: MIT OR Apache-2.0
//! Communication volumes between ranks under a placement.

use std::collections::BTreeMap;

use crate::totals::rank_of_vertex;
use crate::{Assignment, Phase, RankId};

/// Returns LBAF's undirected edges between ranks: for each pair of ranks that communicate, the larger of the volumes in
/// both directions, in bytes. Ascending by pair. O(edges x log pairs).
pub fn largest_volumes(phase: &Phase, assignment: &Assignment) -> Vec<f64> {
    let mut pairs: BTreeMap<[RankId; 2], [f64; 2]> = BTreeMap::new();
    for (sender, receiver, volume) in phase.communication().edges() {
        let (from, to) = (rank_of_vertex(assignment, sender), rank_of_vertex(assignment, receiver));
        if from != to {
            let both_ways = pairs.entry([from.min(to), from.max(to)]).or_default();
            both_ways[usize::from(from > to)] += volume.bytes;
        }
    }
    pairs.into_values().map(|[up, down]| up.max(down)).collect()
}

/// Volume between groups of ranks, in bytes. Includes volume between different ranks of one group, but no on-rank
/// volume.
#[derive(Clone, Debug, PartialEq)]
pub struct RankVolumes {
    ranks_per_group: usize,
    n_groups: usize,
    /// Matrix, stored row by row: rows are sending groups, columns are receiving groups.
    bytes: Vec<f64>,
}

impl RankVolumes {
    /// Computes the volumes under `assignment`, with `ranks_per_group` consecutive ranks in each group (0 counts as 1);
    /// the last group may have fewer. O(edges + groups²). Edges are summed in their order, so the result depends only
    /// on the phase and the assignment.
    pub fn new(phase: &Phase, assignment: &Assignment, ranks_per_group: usize) -> Self {
        let ranks_per_group = ranks_per_group.max(1);
        let n_groups = phase.ranks().len().div_ceil(ranks_per_group);
        let mut bytes = vec![0.0; n_groups * n_groups];
        for (sender, receiver, volume) in phase.communication().edges() {
            let (from, to) = (rank_of_vertex(assignment, sender), rank_of_vertex(assignment, receiver));
            if from != to {
                let row = from.index() / ranks_per_group;
                bytes[row * n_groups + to.index() / ranks_per_group] += volume.bytes;
            }
        }
        Self { ranks_per_group, n_groups, bytes }
    }

    /// Returns the number of ranks in a group.
    pub fn ranks_per_group(&self) -> usize {
        self.ranks_per_group
    }

    /// Returns the number of groups.
    pub fn n_groups(&self) -> usize {
        self.n_groups
    }

    /// Returns the bytes from the ranks of group `from` to the ranks of group `to`.
    pub fn between(&self, from: usize, to: usize) -> f64 {
        self.bytes[from * self.n_groups + to]
    }
}
