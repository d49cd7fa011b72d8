// SPDX-License-Identifier: MIT OR Apache-2.0
//! Dictionary-encoded column with few distinct values.

use std::ops::Index;
use std::sync::Arc;

use crate::Slot;
use crate::shared::shared;

/// A column in which few values occur many times: the values, and for each slot the position of its value.
///
/// A position takes 4 bytes, an [`ObjectMemory`](crate::ObjectMemory) 32. Equal values may be stored more
/// than once. Copies share values and positions.
#[derive(Clone, Debug)]
pub struct Dictionary<T> {
    values: Arc<[T]>,
    positions: Arc<[u32]>,
}

impl<T> Dictionary<T> {
    /// Creates a column in which slot `s` has the value at `positions[s]`. `None` if a position is out of
    /// range.
    pub fn new(values: Vec<T>, positions: Vec<u32>) -> Option<Self> {
        // A fold without early exit can be vectorized.
        let n_named = positions.iter().fold(0, |most, &position| most.max(u64::from(position) + 1));
        (n_named <= values.len() as u64)
            .then(|| Dictionary { values: values.into(), positions: positions.into() })
    }

    /// Returns the column. If all its values equal those of `earlier`, both columns share them in memory; likewise for
    /// positions.
    #[must_use]
    pub fn sharing(self, earlier: &Self) -> Self
    where
        T: PartialEq,
    {
        Dictionary {
            values: shared(self.values, &earlier.values),
            positions: shared(self.positions, &earlier.positions),
        }
    }

    /// Returns the number of slots.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// True if there are no slots.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Returns the stored values, including unused ones.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// Returns the position of the value of every slot, ascending by slot.
    pub fn positions(&self) -> &[u32] {
        &self.positions
    }

    /// Returns the value of every slot, ascending by slot.
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
    /// Creates a column in which every slot has its own value.
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let values: Arc<[T]> = values.into_iter().collect();
        let positions = (0..values.len()).map(|position| Slot::from(position).0).collect();
        Dictionary { values, positions }
    }
}
