// SPDX-License-Identifier: MIT OR Apache-2.0
//! Phases of a run, and the keys of their objects.

use crate::{ObjectIdx, ObjectKey, Phase, PhaseId};

/// Phases in ascending order, with the keys of all their objects.
#[derive(Clone, Debug)]
pub struct DataSet {
    objects: Vec<ObjectKey>,
    n_ranks: usize,
    phases: Vec<Phase>,
}

impl DataSet {
    /// Creates a data set from phases. `objects` contains the key of every object of every phase, strictly
    /// ascending.
    ///
    /// # Panics
    /// If the phases are not in ascending order, or a phase has more than `n_ranks` ranks; in debug builds,
    /// also if the objects are not in ascending order.
    pub fn new(objects: Vec<ObjectKey>, n_ranks: usize, phases: Vec<Phase>) -> Self {
        debug_assert!(objects.is_sorted_by(|a, b| a < b), "objects must be in ascending order");
        assert!(phases.is_sorted_by(|a, b| a.id() < b.id()), "phases must be in ascending order");
        assert!(
            phases.iter().all(|phase| phase.n_ranks() <= n_ranks),
            "a phase has more than `n_ranks` ranks"
        );
        DataSet { objects, n_ranks, phases }
    }

    /// Returns the number of ranks. Phases may have fewer ranks, such as after a simulated loss of ranks.
    pub fn n_ranks(&self) -> usize {
        self.n_ranks
    }

    /// Returns the number of different objects in all phases.
    pub fn n_objects(&self) -> usize {
        self.objects.len()
    }

    /// Returns the phases, ascending.
    pub fn phases(&self) -> &[Phase] {
        &self.phases
    }

    /// Returns the phase with this number, if any.
    pub fn phase(&self, id: PhaseId) -> Option<&Phase> {
        self.phases.binary_search_by_key(&id, Phase::id).ok().map(|position| &self.phases[position])
    }

    /// Returns the key of an object.
    pub fn key(&self, object: ObjectIdx) -> ObjectKey {
        self.objects[object.index()]
    }

    /// Returns the object with this key, if any. O(log n).
    pub fn object(&self, key: ObjectKey) -> Option<ObjectIdx> {
        self.objects.binary_search(&key).ok().map(ObjectIdx::from)
    }

    /// Returns the keys of all objects, by [`ObjectIdx`].
    pub fn keys(&self) -> &[ObjectKey] {
        &self.objects
    }

    /// Returns the keys of all objects, by [`ObjectIdx`], without the phases.
    pub fn into_keys(self) -> Vec<ObjectKey> {
        self.objects
    }
}
