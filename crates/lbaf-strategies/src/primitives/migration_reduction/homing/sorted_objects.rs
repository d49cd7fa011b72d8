// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects in order, from which some are taken.

use lbaf_model::Slot;

/// Objects by their load, the lightest first, some of which were taken. What was taken is skipped in almost constant
/// time: union-find with path halving (R. E. Tarjan, J. van Leeuwen, 1984, doi:10.1145/62.2160).
pub(super) struct SortedObjects {
    slots: Vec<Slot>,
    /// Where to go on from each place: to itself if its object is still there.
    next: Vec<usize>,
}

impl SortedObjects {
    pub(super) fn new(slots: Vec<Slot>) -> Self {
        let next = (0..=slots.len()).collect();
        SortedObjects { slots, next }
    }

    /// The first so many.
    pub(super) fn first(&mut self, n: usize) -> Vec<Slot> {
        let mut found = Vec::with_capacity(n.min(self.slots.len()));
        let mut place = self.skip(0);
        while found.len() < n && place < self.slots.len() {
            found.push(self.slots[place]);
            place = self.skip(place + 1);
        }
        found
    }

    /// The first from which on a condition holds.
    pub(super) fn first_where(&mut self, holds: impl Fn(Slot) -> bool) -> Option<Slot> {
        let place = self.slots.partition_point(|&slot| !holds(slot));
        let place = self.skip(place);
        self.slots.get(place).copied()
    }

    /// Takes an object, of which `load` tells where it is.
    pub(super) fn take(&mut self, slot: Slot, load: impl Fn(Slot) -> f64) {
        let mut place = self.slots.partition_point(|&other| load(other) < load(slot));
        while self.slots[place] != slot {
            place += 1;
        }
        self.next[place] = place + 1;
    }

    /// The first place from one on whose object is there.
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
    fn what_was_taken_is_skipped() {
        // Of equal loads too.
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
