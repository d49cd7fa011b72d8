// SPDX-License-Identifier: MIT OR Apache-2.0
//! Indices of migratable objects in their collections, independent of the phase.

use lbaf_model::{BlockIdx, DataSet, ObjectIdx, Phase, Slot};

use super::Regrouped;

/// Places of objects: for each object, the first phase in which it is migratable. Its index and block in that
/// phase apply to all phases.
pub(super) struct Places<'a> {
    phases: &'a [Phase],
    /// By object: position of the phase, and the slot in it; `None` for an object that is non-migratable in a
    /// phase.
    first: Vec<Option<(usize, Slot)>>,
    along: usize,
    n_sentinels: usize,
}

/// Number of a collection, and an index in it.
pub(super) type Place<'a> = (Option<u64>, &'a [i64]);

impl<'a> Places<'a> {
    /// Collects the places of all objects that are migratable in all their phases.
    pub(super) fn of(data: &'a DataSet, along: usize) -> Self {
        let phases = data.phases();
        let mut first = vec![None; data.n_objects()];
        let mut is_fixed = vec![false; data.n_objects()];
        for (position, phase) in phases.iter().enumerate() {
            for slot in phase.slots() {
                let object = phase.object(slot).index();
                if phase.is_migratable(slot) {
                    first[object].get_or_insert((position, slot));
                } else {
                    is_fixed[object] = true;
                }
            }
        }
        // An object that is non-migratable in one phase stays unchanged in all phases.
        for (first, _) in first.iter_mut().zip(&is_fixed).filter(|(_, is_fixed)| **is_fixed) {
            *first = None;
        }
        let n_sentinels = is_fixed.iter().filter(|&&is_fixed| is_fixed).count();
        Places { phases, first, along, n_sentinels }
    }

    /// Returns the place of a migratable object; `None` if it has no index, or none with dimension `along`.
    pub(super) fn of_object(&self, object: ObjectIdx) -> Option<Place<'a>> {
        let (phase, slot) = self.first[object.index()]?;
        let coordinates = self.phases[phase].coordinates()?;
        let (space, index) = coordinates.of(slot)?;
        (index.len() > self.along).then(|| (coordinates.spaces()[space].collection, index))
    }

    /// Returns the number of the block that a migratable object works on, if any.
    pub(super) fn block_of(&self, object: ObjectIdx) -> Option<u64> {
        let (phase, slot) = self.first[object.index()]?;
        let phase = &self.phases[phase];
        phase.memory(slot).block.map(|BlockIdx(block)| phase.blocks()[block as usize].id)
    }

    /// Returns the summary of a regrouping of `n_taken` objects into `n_made`, with the numbers of unchanged
    /// objects.
    pub(super) fn regrouped(&self, n_taken: usize, n_made: usize) -> Regrouped {
        let n_migratable = self.first.iter().flatten().count();
        Regrouped {
            n_taken,
            n_made,
            n_without_index: n_migratable - n_taken,
            n_sentinels: self.n_sentinels,
            bytes_within: 0.0,
        }
    }
}
