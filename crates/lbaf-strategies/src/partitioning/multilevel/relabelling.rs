// SPDX-License-Identifier: MIT OR Apache-2.0
//! Relabelling of parts to minimize migrations.

use lbaf_model::RankId;

use super::graph::Graph;
use super::refinement::Stay;
use super::shares::Shares;
use crate::primitives::relabelling::relabel;

/// Relabels parts to minimize the cost of migrations.
///
/// A part and a rank have a common cost: the total cost of the vertices of the part whose home is the rank. Pairs
/// with the largest common cost are matched first. Only parts with equal targets and limits are interchanged. Parts
/// with an anchor keep their label. O(vertices log vertices).
pub(super) fn renamed(graph: &Graph, shares: &Shares, stay: Stay<'_>, mut parts: Vec<u32>) -> Vec<u32> {
    let n_parts = shares.targets.len();
    let mut is_anchored = vec![false; n_parts];
    for (_, part) in graph.anchored() {
        is_anchored[part as usize] = true;
    }
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
    fn parts_get_the_label_of_the_rank_with_the_largest_common_cost() {
        let graph = Graph::new(vec![1.0; 6], vec![], &[]);
        let shares = Shares::new(&graph, &[1.0; 3], 0.0);
        let stay = Stay { home: &[2, 2, 0, 0, 1, 1], cost: &[1.0; 6] };
        assert_eq!(renamed(&graph, &shares, stay, vec![0, 0, 1, 1, 2, 2]), [2, 2, 0, 0, 1, 1]);
        let stay = Stay { cost: &[1.0, 5.0, 1.0, 1.0, 1.0, 1.0], ..stay };
        assert_eq!(renamed(&graph, &shares, stay, vec![1, 0, 1, 1, 2, 2]), [0, 2, 0, 0, 1, 1]);
    }

    #[test]
    fn only_parts_of_ranks_of_equal_speed_are_relabelled() {
        let graph = Graph::new(vec![1.0; 4], vec![], &[]);
        let shares = Shares::new(&graph, &[1.0, 3.0], 0.0);
        let stay = Stay { home: &[1, 1, 1, 0], cost: &[1.0; 4] };
        assert_eq!(renamed(&graph, &shares, stay, vec![0, 0, 0, 1]), [0, 0, 0, 1]);
    }
}
