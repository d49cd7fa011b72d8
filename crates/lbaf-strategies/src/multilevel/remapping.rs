// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which part is which rank, so that little migrates.

use std::cmp::Reverse;

use super::graph::Graph;
use super::refinement::Stay;
use super::shares::Shares;
use crate::seconds::Seconds;

/// Gives parts the names of ranks that have most of what is in them, by what it would cost to migrate: the pair of part
/// and rank with most in common first. Only parts that should have and may have the same change names with each other,
/// and none that has an anchor. O(vertices log vertices).
pub(super) fn remap(graph: &Graph, shares: &Shares, stay: Stay<'_>, mut parts: Vec<u32>) -> Vec<u32> {
    let n_parts = shares.targets.len();
    let mut is_anchored = vec![false; n_parts];
    for (_, part) in graph.anchored() {
        is_anchored[part as usize] = true;
    }
    let alike = |one: u32, other: u32| {
        let of = |part: u32| [&shares.targets, &shares.limits].map(|loads| loads[part as usize].to_bits());
        one == other || (of(one) == of(other) && !is_anchored[one as usize] && !is_anchored[other as usize])
    };
    let mut common: Vec<(u32, u32, f64)> = (0..graph.n_free())
        .map(|vertex| (parts[vertex], stay.home[vertex], stay.cost[vertex]))
        .filter(|&(part, home, _)| alike(part, home))
        .collect();
    // A stable sort, so that costs are summed in the order of vertices.
    common.sort_by_key(|&(part, home, _)| (part, home));
    common.dedup_by(|next, kept| {
        let same = (next.0, next.1) == (kept.0, kept.1);
        if same {
            kept.2 += next.2;
        }
        same
    });
    common.sort_by_key(|&(part, home, cost)| (Reverse(Seconds(cost)), part, home));
    let mut names: Vec<Option<u32>> =
        (0..n_parts as u32).map(|part| is_anchored[part as usize].then_some(part)).collect();
    let mut is_taken = is_anchored.clone();
    for (part, home, _) in common {
        if names[part as usize].is_none() && !is_taken[home as usize] {
            names[part as usize] = Some(home);
            is_taken[home as usize] = true;
        }
    }
    // The rest in order, among those that are alike.
    let class = |part: u32| [&shares.targets, &shares.limits].map(|loads| loads[part as usize].to_bits());
    let mut left: Vec<u32> = (0..n_parts as u32).filter(|&part| names[part as usize].is_none()).collect();
    let mut free: Vec<u32> = (0..n_parts as u32).filter(|&name| !is_taken[name as usize]).collect();
    left.sort_by_key(|&part| class(part));
    free.sort_by_key(|&name| class(name));
    for (part, name) in left.into_iter().zip(free) {
        names[part as usize] = Some(name);
    }
    for part in &mut parts {
        *part = names[*part as usize].unwrap_or(*part);
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
        assert_eq!(remap(&graph, &shares, stay, vec![0, 0, 1, 1, 2, 2]), [2, 2, 0, 0, 1, 1]);
        // What costs more decides.
        let stay = Stay { cost: &[1.0, 5.0, 1.0, 1.0, 1.0, 1.0], ..stay };
        assert_eq!(remap(&graph, &shares, stay, vec![1, 0, 1, 1, 2, 2]), [0, 2, 0, 0, 1, 1]);
    }

    #[test]
    fn only_ranks_of_the_same_speed_change_names() {
        let graph = Graph::new(vec![1.0; 4], vec![], &[]);
        let shares = Shares::new(&graph, &[1.0, 3.0], 0.0);
        let stay = Stay { home: &[1, 1, 1, 0], cost: &[1.0; 4] };
        assert_eq!(remap(&graph, &shares, stay, vec![0, 0, 0, 1]), [0, 0, 0, 1]);
    }
}
