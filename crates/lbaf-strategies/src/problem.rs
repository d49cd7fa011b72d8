// SPDX-License-Identifier: MIT OR Apache-2.0
//! Problem of a strategy.

use lbaf_model::{Assignment, ObjectKey, Phase, Slot, WorkModel};

/// Phase to be balanced, with its initial placement and the work model.
#[derive(Clone, Copy)]
pub struct Problem<'a> {
    /// Objects, loads, communication and ranks.
    pub phase: &'a Phase,
    /// Rank of every object at the start.
    pub initial: &'a Assignment,
    /// Work model: cost and upper bounds of placements.
    pub model: &'a dyn WorkModel,
    /// Keys of all objects of the data set, indexed by [`ObjectIdx`](lbaf_model::ObjectIdx). If empty, objects are
    /// numbered by index.
    pub keys: &'a [ObjectKey],
}

impl<'a> Problem<'a> {
    /// Creates a problem that starts from the recorded placement of a phase.
    pub fn recorded(phase: &'a Phase, model: &'a dyn WorkModel, keys: &'a [ObjectKey]) -> Self {
        Problem { phase, initial: phase.recorded_assignment(), model, keys }
    }

    /// Returns the key of an object. If `keys` has none, the number in the key is the index of the object.
    pub fn key(&self, slot: Slot) -> ObjectKey {
        let object = self.phase.object(slot);
        self.keys.get(object.index()).copied().unwrap_or_else(|| {
            let rank = (!self.phase.is_migratable(slot)).then(|| self.initial.rank_of(slot));
            ObjectKey::new(false, object.index() as u64, rank)
        })
    }
}
