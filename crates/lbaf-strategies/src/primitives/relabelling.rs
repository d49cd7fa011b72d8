// SPDX-License-Identifier: MIT OR Apache-2.0
//! Relabelling of parts to minimize migrations.
//!
//! Greedy matching of parts and ranks, in descending order of common cost. It keeps in place at least half of the cost
//! that an optimal matching keeps. L. Oliker, R. Biswas, PLUM: parallel load balancing for adaptive unstructured
//! meshes, J. Parallel Distrib. Comput. 52 (1998), doi:10.1006/jpdc.1998.1469.

use std::cmp::Reverse;

use lbaf_model::RankId;
use rayon::prelude::*;

use crate::primitives::seconds::Seconds;

/// Returns the rank of each part, for as many parts as ranks.
///
/// `common` yields triples of part, rank and the cost of not mapping the part to the rank. Costs of the same pair are
/// added in order. Part `i` has the `kind` of rank `i`; parts are mapped only to ranks of their kind. Parts with
/// nothing in common with a free rank get the remaining ranks of their kind in ascending order.
///
/// O(n log n + ranks log ranks) for n triples.
pub(crate) fn relabel<K: Ord>(
    n_ranks: usize,
    common: impl Iterator<Item = (RankId, RankId, f64)>,
    kind: impl Fn(RankId) -> K,
) -> Vec<RankId> {
    let mut common: Vec<_> = common.filter(|&(part, rank, _)| kind(part) == kind(rank)).collect();
    // A stable sort keeps the order of additions.
    common.par_sort_by_key(|&(part, rank, _)| (part, rank));
    common.dedup_by(|next, kept| {
        let same = (next.0, next.1) == (kept.0, kept.1);
        if same {
            kept.2 += next.2;
        }
        same
    });
    common.par_sort_by_key(|&(part, rank, cost)| (Reverse(Seconds(cost)), part, rank));
    let mut names: Vec<Option<RankId>> = vec![None; n_ranks];
    let mut is_taken = vec![false; n_ranks];
    for (part, rank, _) in common {
        if names[part.index()].is_none() && !is_taken[rank.index()] {
            names[part.index()] = Some(rank);
            is_taken[rank.index()] = true;
        }
    }
    let all = (0..n_ranks).map(RankId::from);
    let mut nameless: Vec<RankId> = all.clone().filter(|part| names[part.index()].is_none()).collect();
    let mut left: Vec<RankId> = all.filter(|rank| !is_taken[rank.index()]).collect();
    nameless.sort_by_key(|&part| kind(part));
    left.sort_by_key(|&rank| kind(rank));
    for (part, rank) in nameless.into_iter().zip(left) {
        names[part.index()] = Some(rank);
    }
    names.into_iter().map(|name| name.expect("invariant: there are as many ranks as parts")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(n_ranks: usize, common: &[(u32, u32, f64)], kinds: &[u8]) -> Vec<u32> {
        let common = common.iter().map(|&(part, rank, cost)| (RankId(part), RankId(rank), cost));
        relabel(n_ranks, common, |rank| kinds[rank.index()]).into_iter().map(|rank| rank.0).collect()
    }

    #[test]
    fn parts_are_mapped_to_the_ranks_with_the_largest_common_cost() {
        let common = [(0, 2, 2.0), (1, 0, 2.0), (2, 1, 2.0)];
        assert_eq!(named(3, &common, &[0; 3]), [2, 0, 1]);
        // Costs of part 0: 1.5 + 1.5 for rank 1, 2 for rank 0.
        assert_eq!(named(2, &[(0, 1, 1.5), (0, 0, 2.0), (0, 1, 1.5)], &[0; 2]), [1, 0]);
    }

    #[test]
    fn labels_are_exchanged_only_between_ranks_of_one_kind() {
        let common = [(0, 1, 9.0), (1, 2, 1.0), (2, 1, 1.0)];
        assert_eq!(named(3, &common, &[1, 0, 0]), [0, 2, 1]);
        assert_eq!(named(3, &[], &[1, 0, 1]), [0, 1, 2]);
    }
}
