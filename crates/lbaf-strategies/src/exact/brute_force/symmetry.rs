// SPDX-License-Identifier: MIT OR Apache-2.0
//! Symmetry breaking: interchangeable ranks.

use super::instance::Instance;
use super::partial::{Partial, Side};

impl Partial {
    /// True if this rank is interchangeable with a rank of lower index. The search then skips this rank.
    pub(super) fn has_interchangeable(&self, instance: &Instance<'_>, rank: usize) -> bool {
        (0..rank).any(|other| self.are_interchangeable(instance, other, rank))
    }

    /// True if two ranks, without the other ranks of their nodes, can swap all units still to be placed on them
    /// without an effect on the maximum work.
    pub(super) fn may_exchange(&self, instance: &Instance<'_>, a: usize, b: usize) -> bool {
        a == b
            || self.look_alike(instance, a, b)
                && (instance.nodes.is_empty() || instance.node_of[a].0 == instance.node_of[b].0)
    }

    /// True if two ranks, or two nodes rank by rank, can swap all units still to be placed on them without an effect on
    /// the maximum work.
    fn are_interchangeable(&self, instance: &Instance<'_>, a: usize, b: usize) -> bool {
        if self.may_exchange(instance, a, b) {
            return true;
        }
        // Ranks of two nodes are exchanged pairwise in order, so both must have the same position.
        let ((node_a, place_a), (node_b, place_b)) = (instance.node_of[a], instance.node_of[b]);
        let (Some(of_a), Some(of_b)) = (instance.nodes.get(node_a), instance.nodes.get(node_b)) else {
            return false;
        };
        place_a == place_b
            && of_a.len() == of_b.len()
            && of_a.iter().zip(of_b).all(|(&a, &b)| self.look_alike(instance, a, b))
    }

    /// True if two ranks have the same totals and are equivalent for all remaining units: none of these units
    /// communicates with the ranks, has a block whose home is one of them, or has a block that only one of them holds.
    fn look_alike(&self, instance: &Instance<'_>, a: usize, b: usize) -> bool {
        let depth = self.depth();
        let is_free =
            |rank: usize, side: &Side| side.tied_until <= depth && instance.home_until[rank] <= depth;
        let (side_a, side_b) = (&self.ranks[a], &self.ranks[b]);
        side_a.totals == side_b.totals
            && is_free(a, side_a)
            && is_free(b, side_b)
            && (0..instance.n_words).all(|word| {
                let differ =
                    self.blocks[a * instance.n_words + word] ^ self.blocks[b * instance.n_words + word];
                differ & instance.blocks_ahead[depth * instance.n_words + word] == 0
            })
    }
}
