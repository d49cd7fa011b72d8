// SPDX-License-Identifier: MIT OR Apache-2.0
//! Relabels parts to minimise migration.

use lbaf_model::RankId;

use super::graph::Graph;
use super::refinement::Stay;
use super::shares::Shares;
use crate::primitives::relabelling::relabel;

/// Gives parts the names of ranks that have most of what is in them, by what it would cost to migrate: the pair of part
/// and rank with most in common first. Only parts that should have and may have the same change names with each other,
/// and none that has an anchor. O(vertices log vertices).
pub(super) fn renamed(graph: &Graph, shares: &Shares, stay: Stay<'_>, mut parts: Vec<u32>) -> Vec<u32> {
    let n_parts = shares.targets.len();
    let mut is_anchored = vec![false; n_parts];
    for (_, part) in graph.anchored() {
        is_anchored[part as usize] = true;
    }
    // An anchored part is of a kind of its own.
    let kind = |part: RankId| {
        let loads = [&shares.targets, &shares.limits].map(|loads| loads[part.index()].to_bits());
        (loads, is_anchored[part.index()].then_some(part))
    };
    let common = (0..graph.n_free())
        .map(|vertex| (RankId(parts[vertex]), RankId(stay.home[vertex]), stay.cost[vertex]));
    let names = relabel(n_parts, common, kind);
    for part in &mut parts {
        *part = names[*part as usize].0;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_named_after_those_who_have_most_of_them() {
        let graph = Graph::new(vec![1.0; 6], vec![], &[]);
        let shares = Shares::new(&graph, &[1.0; 3], 0.0);
        let stay = Stay { home: &[2, 2, 0, 0, 1, 1], cost: &[1.0; 6] };
        assert_eq!(renamed(&graph, &shares, stay, vec![0, 0, 1, 1, 2, 2]), [2, 2, 0, 0, 1, 1]);
        // What costs more decides.
        let stay = Stay { cost: &[1.0, 5.0, 1.0, 1.0, 1.0, 1.0], ..stay };
        assert_eq!(renamed(&graph, &shares, stay, vec![1, 0, 1, 1, 2, 2]), [0, 2, 0, 0, 1, 1]);
    }

    #[test]
    fn only_ranks_of_the_same_speed_change_names() {
        let graph = Graph::new(vec![1.0; 4], vec![], &[]);
        let shares = Shares::new(&graph, &[1.0, 3.0], 0.0);
        let stay = Stay { home: &[1, 1, 1, 0], cost: &[1.0; 4] };
        assert_eq!(renamed(&graph, &shares, stay, vec![0, 0, 0, 1]), [0, 0, 0, 1]);
    }
}
