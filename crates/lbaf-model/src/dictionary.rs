// SPDX-License-Identifier: MIT OR Apache-2.0
//! A column of few different values.

use std::ops::Index;

use crate::Slot;

/// A column in which few values occur many times: the values, and for each slot the position of its value.
///
/// What objects say of their memory takes 32 bytes, and the objects of a rank mostly say the same; so a
/// column of millions takes 4 bytes an object. The same value may stand there more than once.
#[derive(Clone, Debug)]
pub struct Dictionary<T> {
    values: Vec<T>,
    positions: Vec<u32>,
}

impl<T> Dictionary<T> {
    /// A column of `values`, where slot `s` has the one at `positions[s]`. `None` if a position is out of range.
    pub fn new(values: Vec<T>, positions: Vec<u32>) -> Option<Self> {
        // A fold without an early end takes no time.
        let n_named = positions.iter().fold(0, |most, &position| most.max(u64::from(position) + 1));
        (n_named <= values.len() as u64).then_some(Dictionary { values, positions })
    }

    /// Number of slots.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are no slots.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The values that occur. Some may belong to no slot.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The position of its value for every slot, ascending.
    pub fn positions(&self) -> &[u32] {
        &self.positions
    }

    /// The value of every slot, ascending.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &T> + Clone {
        self.positions.iter().map(|&position| &self.values[position as usize])
    }
}

impl<T> Index<Slot> for Dictionary<T> {
    type Output = T;

    #[inline]
    fn index(&self, slot: Slot) -> &T {
        &self.values[self.positions[slot.index()] as usize]
    }
}

impl<T> FromIterator<T> for Dictionary<T> {
    /// A column in which every slot has a value of its own.
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let values: Vec<T> = values.into_iter().collect();
        let positions = (0..values.len()).map(|position| Slot::from(position).0).collect();
        Dictionary { values, positions }
    }
}
