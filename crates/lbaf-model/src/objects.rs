// SPDX-License-Identifier: MIT OR Apache-2.0
//! Set of the objects of a data set that a phase has.

use std::sync::Arc;

use crate::{ObjectIdx, Slot};

/// The objects of a phase by slot, ascending. Most runs have the same objects in every phase and need no
/// list. Copies share the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Objects {
    /// All objects of the data set; the value is their number.
    All(usize),
    /// The listed objects.
    Listed(Arc<[ObjectIdx]>),
}

impl Objects {
    /// Returns the number of objects.
    pub fn len(&self) -> usize {
        match self {
            Objects::All(n) => *n,
            Objects::Listed(objects) => objects.len(),
        }
    }

    /// True if there are no objects.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the object in a slot.
    ///
    /// # Panics
    /// If the slot is out of range.
    pub fn at(&self, slot: Slot) -> ObjectIdx {
        match self {
            Objects::All(n) => {
                assert!(slot.index() < *n, "slot {slot} does not exist: there are {n} objects");
                ObjectIdx(slot.0)
            }
            Objects::Listed(objects) => objects[slot.index()],
        }
    }

    /// Returns the slot of an object; `None` if it is not in the set. O(1) for [`Objects::All`], O(log n) for
    /// [`Objects::Listed`].
    pub fn slot_of(&self, object: ObjectIdx) -> Option<Slot> {
        match self {
            Objects::All(n) => (object.index() < *n).then_some(Slot(object.0)),
            Objects::Listed(objects) => objects.binary_search(&object).ok().map(Slot::from),
        }
    }

    /// True if the objects ascend strictly, as required.
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
