// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects of a phase by the rank that owns them.

use lbaf_model::{Assignment, RankId, Slot};

/// Slots of the objects of each rank, ascending.
#[derive(Debug)]
pub(super) struct ByRank {
    slots: Vec<Slot>,
    /// Position of the first object of each rank in `slots`, followed by the number of objects.
    starts: Vec<usize>,
}

impl ByRank {
    /// Sorts the objects by counting. O(objects + ranks).
    pub(super) fn new(assignment: &Assignment, n_ranks: usize) -> Self {
        let mut starts = vec![0; n_ranks + 1];
        for rank in assignment.as_slice() {
            starts[rank.index() + 1] += 1;
        }
        for rank in 0..n_ranks {
            starts[rank + 1] += starts[rank];
        }
        let mut next = starts.clone();
        let mut slots = vec![Slot(0); assignment.len()];
        for (slot, rank) in assignment.as_slice().iter().enumerate() {
            let next = &mut next[rank.index()];
            slots[*next] = Slot::from(slot);
            *next += 1;
        }
        ByRank { slots, starts }
    }

    /// Returns the objects of a rank.
    pub(super) fn on(&self, rank: RankId) -> &[Slot] {
        &self.slots[self.starts[rank.index()]..self.starts[rank.index() + 1]]
    }
}
