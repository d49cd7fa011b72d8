// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which objects of a data set a phase has.

use crate::{ObjectIdx, Slot};

/// The objects of a phase by slot, ascending. Most runs have the same objects in every phase, and then nothing
/// is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Objects {
    /// All of the data set, this many.
    All(usize),
    /// These.
    Listed(Vec<ObjectIdx>),
}

impl Objects {
    /// Number of objects.
    pub fn len(&self) -> usize {
        match self {
            Objects::All(n) => *n,
            Objects::Listed(objects) => objects.len(),
        }
    }

    /// Whether there are no objects.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The object in a slot.
    ///
    /// # Panics
    /// If there is no such slot.
    pub fn at(&self, slot: Slot) -> ObjectIdx {
        match self {
            Objects::All(n) => {
                assert!(slot.index() < *n, "slot {slot} of {n}");
                ObjectIdx(slot.0)
            }
            Objects::Listed(objects) => objects[slot.index()],
        }
    }

    /// The slot of an object, `None` if it is not among them. O(1) for all, O(log n) for listed ones.
    pub fn slot_of(&self, object: ObjectIdx) -> Option<Slot> {
        match self {
            Objects::All(n) => (object.index() < *n).then_some(Slot(object.0)),
            Objects::Listed(objects) => objects.binary_search(&object).ok().map(Slot::from),
        }
    }

    /// Whether they ascend strictly, as they must.
    pub(crate) fn ascend(&self) -> bool {
        match self {
            Objects::All(_) => true,
            Objects::Listed(objects) => objects.is_sorted_by(|a, b| a < b),
        }
    }
}

impl FromIterator<ObjectIdx> for Objects {
    fn from_iter<I: IntoIterator<Item = ObjectIdx>>(objects: I) -> Self {
        Objects::Listed(objects.into_iter().collect())
    }
}
