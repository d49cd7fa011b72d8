// SPDX-License-Identifier: MIT OR Apache-2.0
//! Indices of objects in their collections.

use std::collections::BTreeMap;

use crate::Slot;

/// Indices of the objects of a phase. An `index` is a list of integers that locates an object in its
/// collection.
///
/// Indices of the same collection and length are stored together in a [`Space`]. Memory: 8 bytes per integer,
/// 8 bytes per object, and 16 more for an object that has a collection but no index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coordinates {
    spaces: Vec<Space>,
    /// By slot: number of the space, and position in it; [`NO_INDEX`] for objects without an index.
    places: Vec<(u32, u32)>,
    /// Objects that have a collection but no index, ascending, and these collections. Usually there are few.
    without_index: Vec<(Slot, u64)>,
}

const NO_INDEX: (u32, u32) = (u32::MAX, 0);

/// The indices of one length in one collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Space {
    /// Number of the collection in the files; `None` for objects with an index but no collection.
    pub collection: Option<u64>,
    /// Number of integers in an index, at least 1.
    pub dimension: usize,
    /// The integers, `dimension` for each object, ascending by slot.
    pub numbers: Vec<i64>,
}

impl Space {
    /// Returns the index at a position.
    fn at(&self, position: u32) -> &[i64] {
        let first = position as usize * self.dimension;
        &self.numbers[first..first + self.dimension]
    }

    /// Returns all indices, ascending by slot.
    pub fn indices(&self) -> impl ExactSizeIterator<Item = &[i64]> {
        self.numbers.chunks_exact(self.dimension)
    }
}

impl Coordinates {
    /// Returns the number of objects, with and without an index.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// True if there are no objects.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Returns the spaces, in the order in which their first objects were added.
    pub fn spaces(&self) -> &[Space] {
        &self.spaces
    }

    /// Returns the index of an object, if any, and the position of its space in [`Coordinates::spaces`].
    pub fn of(&self, slot: Slot) -> Option<(usize, &[i64])> {
        let (space, position) = self.places[slot.index()];
        ((space, position) != NO_INDEX).then(|| (space as usize, self.spaces[space as usize].at(position)))
    }

    /// Returns the numbers of all collections of the phase. A number may occur more than once.
    pub fn collections(&self) -> impl Iterator<Item = u64> {
        let of_spaces = self.spaces.iter().filter_map(|space| space.collection);
        of_spaces.chain(self.without_index.iter().map(|&(_, collection)| collection))
    }

    /// Returns the number of the collection of an object, if any. O(log n) for objects without an index.
    pub fn collection(&self, slot: Slot) -> Option<u64> {
        if let Some((space, _)) = self.of(slot) {
            return self.spaces[space].collection;
        }
        let found = self.without_index.binary_search_by_key(&slot, |&(slot, _)| slot);
        found.ok().map(|at| self.without_index[at].1)
    }
}

impl<'a> FromIterator<Option<(Option<u64>, &'a [i64])>> for Coordinates {
    /// Collects collection and index of each object, by slot. An empty index counts as none.
    fn from_iter<I: IntoIterator<Item = Option<(Option<u64>, &'a [i64])>>>(indices: I) -> Self {
        let mut coordinates = Coordinates::default();
        let mut known: BTreeMap<(Option<u64>, usize), usize> = BTreeMap::new();
        for object in indices {
            let Some((collection, index)) = object.filter(|(_, index)| !index.is_empty()) else {
                let slot = Slot::from(coordinates.places.len());
                let collection = object.and_then(|(collection, _)| collection);
                coordinates.without_index.extend(collection.map(|collection| (slot, collection)));
                coordinates.places.push(NO_INDEX);
                continue;
            };
            let dimension = index.len();
            let space = *known.entry((collection, dimension)).or_insert_with(|| {
                coordinates.spaces.push(Space { collection, dimension, numbers: Vec::new() });
                coordinates.spaces.len() - 1
            });
            let numbers = &mut coordinates.spaces[space].numbers;
            coordinates.places.push((space as u32, (numbers.len() / dimension) as u32));
            numbers.extend_from_slice(index);
        }
        coordinates
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_keep_their_collection_and_index() {
        let indices: [Option<(Option<u64>, &[i64])>; 7] = [
            Some((Some(7), &[1, 2])),
            None,
            Some((Some(9), &[i64::MIN])),
            Some((Some(7), &[-3, i64::MAX])),
            Some((None, &[5, 6])),
            Some((Some(7), &[])),
            Some((Some(7), &[4])),
        ];
        let coordinates: Coordinates = indices.into_iter().collect();
        let spaces: Vec<_> =
            coordinates.spaces().iter().map(|space| (space.collection, space.dimension)).collect();
        assert_eq!(spaces, [(Some(7), 2), (Some(9), 1), (None, 2), (Some(7), 1)]);
        assert_eq!(coordinates.spaces()[0].numbers, [1, 2, -3, i64::MAX]);
        assert_eq!(coordinates.len(), indices.len());
        let expected = [Some(0), None, Some(1), Some(0), Some(2), None, Some(3)];
        for ((slot, index), space) in (0..).map(Slot).zip(indices).zip(expected) {
            assert_eq!(coordinates.of(slot), space.and_then(|space| Some((space, index?.1))));
            assert_eq!(coordinates.collection(slot), index.and_then(|(collection, _)| collection));
        }
    }
}
