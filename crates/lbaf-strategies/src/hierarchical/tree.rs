// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tree over ranks.

use std::ops::Range;

use lbaf_model::Rank;

/// Tree of at least two levels: level 0 has the ranks in ascending order, the last level only the root.
pub(super) struct Tree {
    arity: usize,
    /// Seconds of work per second of load for each node, by level, if the ranks below it share the load in proportion
    /// to their speeds.
    alphas: Vec<Vec<f64>>,
}

impl Tree {
    pub(super) fn new(arity: usize, ranks: &[Rank]) -> Self {
        let mut alphas = vec![ranks.iter().map(|rank| rank.alpha).collect::<Vec<f64>>()];
        while let Some(below) = alphas.last().filter(|below| alphas.len() < 2 || below.len() > 1) {
            alphas.push(below.chunks(arity).map(together).collect());
        }
        Tree { arity, alphas }
    }

    /// Returns the number of levels.
    pub(super) fn n_levels(&self) -> usize {
        self.alphas.len()
    }

    /// Returns the number of nodes of a level.
    pub(super) fn n_nodes(&self, level: usize) -> usize {
        self.alphas[level].len()
    }

    /// Returns the children of a node: a range of nodes on the level below.
    pub(super) fn children(&self, level: usize, node: usize) -> Range<usize> {
        let first = node * self.arity;
        first..self.n_nodes(level - 1).min(first.saturating_add(self.arity))
    }

    /// Returns the seconds of work per second of load for a range of nodes of a level.
    pub(super) fn alphas(&self, level: usize, nodes: Range<usize>) -> &[f64] {
        &self.alphas[level][nodes]
    }

    /// Returns the seconds of work per second of load for all ranks together.
    pub(super) fn alpha(&self) -> f64 {
        self.alphas[self.n_levels() - 1][0]
    }

    /// Iterates over ranges of ranks: those of a group (a node of level 1), of its parent, and so on up to the root.
    pub(super) fn around(&self, group: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        let (arity, n_ranks) = (self.arity, self.n_nodes(0));
        let mut size = arity;
        let mut next = Some(group * arity);
        std::iter::from_fn(move || {
            let first = next?;
            let ranks = first..n_ranks.min(first.saturating_add(size));
            size = size.saturating_mul(arity);
            next = (ranks != (0..n_ranks)).then(|| first / size * size);
            Some(ranks)
        })
    }
}

/// Returns the seconds of work per second of load for several nodes together.
fn together(alphas: &[f64]) -> f64 {
    // Equal values, the typical case, are rounded only once.
    if alphas.iter().all(|alpha| *alpha == alphas[0]) {
        alphas[0] / alphas.len() as f64
    } else {
        1.0 / alphas.iter().map(|alpha| 1.0 / alpha).sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use lbaf_model::NodeId;

    use super::*;

    fn tree(arity: usize, alphas: &[f64]) -> Tree {
        let rank = |&alpha| Rank { alpha, node: NodeId(0), working_bytes: 0.0 };
        Tree::new(arity, &alphas.iter().map(rank).collect::<Vec<_>>())
    }

    #[test]
    fn levels_end_with_a_single_root() {
        let tree = tree(3, &[1.0; 11]);
        let sizes: Vec<usize> = (0..tree.n_levels()).map(|level| tree.n_nodes(level)).collect();
        assert_eq!(sizes, [11, 4, 2, 1]);
        assert_eq!([0, 1].map(|node| tree.children(2, node)), [0..3, 3..4]);
        assert_eq!(tree.children(1, 3), 9..11);
        let around = |group| tree.around(group).collect::<Vec<_>>();
        assert_eq!(around(1), [3..6, 0..9, 0..11]);
        assert_eq!(around(3), [9..11, 9..11, 0..11]);
    }

    #[test]
    fn a_tree_has_at_least_one_inner_node() {
        for n_ranks in 1..4 {
            let tree = tree(usize::MAX, &vec![1.0; n_ranks]);
            assert_eq!((tree.n_levels(), tree.children(1, 0)), (2, 0..n_ranks));
            assert!(tree.around(0).eq(std::iter::once(0..n_ranks)));
        }
    }

    /// A rank with alpha 2 has half the speed of a rank with alpha 1. A rank with alpha 0 is infinitely fast.
    #[test]
    fn a_group_is_as_fast_as_its_ranks_together() {
        assert_eq!(tree(8, &[1.0; 8]).alpha(), 0.125);
        assert_eq!(tree(2, &[1.0, 2.0, 2.0]).alpha(), 0.5);
        assert_eq!(tree(2, &[1.0, 0.0, 2.0]).alpha(), 0.0);
        assert_eq!(tree(2, &[0.0, 0.0]).alpha(), 0.0);
    }
}
