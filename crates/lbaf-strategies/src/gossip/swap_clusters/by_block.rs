// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects sorted by block.

use lbaf_model::{BlockIdx, Phase, Slot};

/// Migratable objects by block.
pub(super) struct ByBlock {
    objects: Vec<Slot>,
    /// Position after the last object of each block.
    ends: Vec<usize>,
}

impl ByBlock {
    /// Sorts all migratable objects by block. O(objects + blocks).
    pub(super) fn new(phase: &Phase) -> Self {
        let block_of = |slot: Slot| phase.memory(slot).block.filter(|_| phase.is_migratable(slot));
        let mut objects: Vec<Slot> = phase.slots().filter(|&slot| block_of(slot).is_some()).collect();
        objects.sort_by_key(|&slot| block_of(slot));
        let mut ends = vec![0; phase.blocks().len()];
        for block in objects.iter().filter_map(|&slot| block_of(slot)) {
            ends[block.index()] += 1;
        }
        let mut end = 0;
        for of_block in &mut ends {
            end += *of_block;
            *of_block = end;
        }
        ByBlock { objects, ends }
    }

    /// Returns the migratable objects of a block, ascending.
    pub(super) fn of(&self, block: BlockIdx) -> &[Slot] {
        let start = block.index().checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.objects[start..self.ends[block.index()]]
    }
}
