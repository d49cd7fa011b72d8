// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sorted list of objects that supports fast removal.

use lbaf_model::Slot;

/// Objects in ascending order of load, some of which have been taken.
///
/// Taken objects are skipped in almost constant time by union-find with path halving (R. E. Tarjan, J. van Leeuwen,
/// 1984, doi:10.1145/62.2160).
pub(super) struct SortedObjects {
    slots: Vec<Slot>,
    /// Next position to visit from each position; the position itself if its object has not been taken.
    next: Vec<usize>,
}

impl SortedObjects {
    pub(super) fn new(slots: Vec<Slot>) -> Self {
        let next = (0..=slots.len()).collect();
        SortedObjects { slots, next }
    }

    /// Returns the first `n` objects that have not been taken.
    pub(super) fn first(&mut self, n: usize) -> Vec<Slot> {
        let mut found = Vec::with_capacity(n.min(self.slots.len()));
        let mut place = self.skip(0);
        while found.len() < n && place < self.slots.len() {
            found.push(self.slots[place]);
            place = self.skip(place + 1);
        }
        found
    }

    /// Returns the first object that has not been taken and satisfies `holds`. All objects after an object that
    /// satisfies `holds` must satisfy it too.
    pub(super) fn first_where(&mut self, holds: impl Fn(Slot) -> bool) -> Option<Slot> {
        let place = self.slots.partition_point(|&slot| !holds(slot));
        let place = self.skip(place);
        self.slots.get(place).copied()
    }

    /// Takes an object.
    pub(super) fn take(&mut self, slot: Slot, load: impl Fn(Slot) -> f64) {
        let mut place = self.slots.partition_point(|&other| load(other) < load(slot));
        while self.slots[place] != slot {
            place += 1;
        }
        self.next[place] = place + 1;
    }

    /// Returns the first position at or after `place` whose object has not been taken.
    fn skip(&mut self, mut place: usize) -> usize {
        while self.next[place] != place {
            self.next[place] = self.next[self.next[place]];
            place = self.next[place];
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taken_objects_are_skipped() {
        let loads = [1.0, 2.0, 2.0, 2.0, 5.0];
        let load = |slot: Slot| loads[slot.index()];
        let mut objects = SortedObjects::new((0..5).map(Slot).collect());
        assert_eq!(objects.first_where(|slot| load(slot) >= 2.0), Some(Slot(1)));
        for taken in [2, 1] {
            objects.take(Slot(taken), load);
        }
        assert_eq!(objects.first_where(|slot| load(slot) >= 2.0), Some(Slot(3)));
        assert_eq!(objects.first(9), [0, 3, 4].map(Slot));
        assert_eq!(objects.first(1), [Slot(0)]);
        objects.take(Slot(4), load);
        assert_eq!(objects.first_where(|slot| load(slot) > 2.0), None);
    }
}
