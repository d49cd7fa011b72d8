// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where objects are in their collections.

use std::collections::BTreeMap;

use crate::Slot;

/// The objects of a phase that have an `index`: whole numbers that say where they are in their collection.
///
/// Indices of one collection with equally many numbers lie in one space, all behind one another: 8 bytes for each
/// number, and 8 for each object of the phase.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coordinates {
    spaces: Vec<Space>,
    /// By slot: the space, and the position there; [`NOWHERE`] for objects without an index.
    places: Vec<(u32, u32)>,
    /// The collections of objects without an index, which are few; ascending.
    without_index: Vec<(Slot, u64)>,
}

const NOWHERE: (u32, u32) = (u32::MAX, 0);

/// The indices of a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Space {
    /// Number of the collection in the files; `None` where an object has an index and no collection.
    pub collection: Option<u64>,
    /// How many numbers an index has; not 0.
    pub dimension: usize,
    /// The numbers, `dimension` for each object, ascending by slot.
    pub numbers: Vec<i64>,
}

impl Space {
    /// The index at a position.
    fn at(&self, position: u32) -> &[i64] {
        let first = position as usize * self.dimension;
        &self.numbers[first..first + self.dimension]
    }

    /// All indices, ascending by slot.
    pub fn indices(&self) -> impl ExactSizeIterator<Item = &[i64]> {
        self.numbers.chunks_exact(self.dimension)
    }
}

impl Coordinates {
    /// Number of objects, those without an index too.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are no objects.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The spaces, in the order in which their first objects come.
    pub fn spaces(&self) -> &[Space] {
        &self.spaces
    }

    /// The space of an object, as a position in [`Coordinates::spaces`], and its index; `None` if it has none.
    pub fn of(&self, slot: Slot) -> Option<(usize, &[i64])> {
        let (space, position) = self.places[slot.index()];
        ((space, position) != NOWHERE).then(|| (space as usize, self.spaces[space as usize].at(position)))
    }

    /// Numbers of all collections that an object is in; one may come more than once.
    pub fn collections(&self) -> impl Iterator<Item = u64> {
        let of_spaces = self.spaces.iter().filter_map(|space| space.collection);
        of_spaces.chain(self.without_index.iter().map(|&(_, collection)| collection))
    }

    /// Number of the collection of an object in the files, whether or not it has an index there. O(log n) for those that
    /// have none.
    pub fn collection(&self, slot: Slot) -> Option<u64> {
        if let Some((space, _)) = self.of(slot) {
            return self.spaces[space].collection;
        }
        let found = self.without_index.binary_search_by_key(&slot, |&(slot, _)| slot);
        found.ok().map(|at| self.without_index[at].1)
    }
}

impl<'a> FromIterator<Option<(Option<u64>, &'a [i64])>> for Coordinates {
    /// The collection and the index of each object, by slot. An index without numbers is none.
    fn from_iter<I: IntoIterator<Item = Option<(Option<u64>, &'a [i64])>>>(indices: I) -> Self {
        let mut coordinates = Coordinates::default();
        let mut known: BTreeMap<(Option<u64>, usize), usize> = BTreeMap::new();
        for object in indices {
            let Some((collection, index)) = object.filter(|(_, index)| !index.is_empty()) else {
                let slot = Slot::from(coordinates.places.len());
                let collection = object.and_then(|(collection, _)| collection);
                coordinates.without_index.extend(collection.map(|collection| (slot, collection)));
                coordinates.places.push(NOWHERE);
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
    fn every_object_has_the_index_that_it_came_with() {
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
