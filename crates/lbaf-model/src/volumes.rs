// SPDX-License-Identifier: MIT OR Apache-2.0
//! How much ranks send each other under a placement.

use std::collections::BTreeMap;

use crate::totals::rank_of_vertex;
use crate::{Assignment, Phase, RankId};

/// For each pair of ranks that communicate the larger of the volumes that they send each other, in bytes: LBAF's
/// undirected edges between ranks. Pairs ascending; O(edges x log pairs).
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

/// Volume between groups of ranks, in bytes. What stays on a rank is in none of it; what goes to another rank of the same
/// group is.
#[derive(Clone, Debug, PartialEq)]
pub struct RankVolumes {
    ranks_per_group: usize,
    n_groups: usize,
    /// From the group of a row to the group of a column, row by row.
    bytes: Vec<f64>,
}

impl RankVolumes {
    /// Volumes under `assignment`, with so many ranks in a group, of which the last may have fewer. O(edges + groups²); in
    /// the order of edges, so that sums depend on the assignment alone.
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

    /// Ranks of a group.
    pub fn ranks_per_group(&self) -> usize {
        self.ranks_per_group
    }

    /// Number of groups.
    pub fn n_groups(&self) -> usize {
        self.n_groups
    }

    /// Bytes from the ranks of a group to those of another.
    pub fn between(&self, from: usize, to: usize) -> f64 {
        self.bytes[from * self.n_groups + to]
    }
}
