// SPDX-License-Identifier: MIT OR Apache-2.0
//! All phases of a recorded run.

use crate::{ObjectIdx, ObjectKey, Phase, PhaseId};

/// The phases that were read, ascending, over one set of objects and ranks.
#[derive(Clone, Debug)]
pub struct DataSet {
    objects: Vec<ObjectKey>,
    n_ranks: usize,
    phases: Vec<Phase>,
}

impl DataSet {
    /// Puts phases together. `objects` holds every object of every phase, strictly ascending.
    ///
    /// # Panics
    /// If phases are out of order or a phase has more ranks; readers build them so. In debug builds, if objects are
    /// out of order: there may be millions, and readers have just ordered them.
    pub fn new(objects: Vec<ObjectKey>, n_ranks: usize, phases: Vec<Phase>) -> Self {
        debug_assert!(objects.is_sorted_by(|a, b| a < b), "objects ascend");
        assert!(phases.is_sorted_by(|a, b| a.id() < b.id()), "phases ascend");
        assert!(phases.iter().all(|phase| phase.n_ranks() <= n_ranks), "no ranks beyond all");
        DataSet { objects, n_ranks, phases }
    }

    /// Number of ranks. All phases of recorded data have as many; where it is assumed that ranks were lost, later
    /// phases have fewer.
    pub fn n_ranks(&self) -> usize {
        self.n_ranks
    }

    /// Number of different objects in all phases.
    pub fn n_objects(&self) -> usize {
        self.objects.len()
    }

    /// The phases, ascending.
    pub fn phases(&self) -> &[Phase] {
        &self.phases
    }

    /// The phase of a number.
    pub fn phase(&self, id: PhaseId) -> Option<&Phase> {
        self.phases.binary_search_by_key(&id, Phase::id).ok().map(|position| &self.phases[position])
    }

    /// What identifies an object.
    pub fn key(&self, object: ObjectIdx) -> ObjectKey {
        self.objects[object.index()]
    }

    /// The object of a key. O(log n).
    pub fn object(&self, key: ObjectKey) -> Option<ObjectIdx> {
        self.objects.binary_search(&key).ok().map(ObjectIdx::from)
    }

    /// All keys, by object.
    pub fn keys(&self) -> &[ObjectKey] {
        &self.objects
    }
}
