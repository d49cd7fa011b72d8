// SPDX-License-Identifier: MIT OR Apache-2.0
//! Times of objects in the subphases of a phase.

use std::collections::BTreeSet;

use crate::Slot;

/// Seconds of the objects of a phase in each subphase.
///
/// Only nonzero times are stored, in compressed rows: 12 bytes for each time and 8 for each object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Subphases {
    /// Subphase numbers in the files, ascending.
    numbers: Vec<u32>,
    /// By slot: end of its range of entries.
    ends: Vec<usize>,
    /// By entry: position of its subphase in `numbers`.
    positions: Vec<u32>,
    /// By entry: seconds, not 0.
    seconds: Vec<f64>,
}

impl Subphases {
    /// Returns the number of objects, including those without any time.
    pub fn n_objects(&self) -> usize {
        self.ends.len()
    }

    /// Returns the number of subphases.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// True if there are no subphases.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Returns the numbers of the subphases in the files, ascending, possibly with gaps.
    pub fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// Returns the times of an object in the given order: the position of the subphase in
    /// [`numbers`](Self::numbers), and seconds above 0.
    #[inline]
    pub fn of(&self, slot: Slot) -> impl ExactSizeIterator<Item = (usize, f64)> + Clone {
        let start = slot.index().checked_sub(1).map_or(0, |before| self.ends[before]);
        let entries = start..self.ends[slot.index()];
        let positions = self.positions[entries.clone()].iter().map(|&position| position as usize);
        positions.zip(self.seconds[entries].iter().copied())
    }

    /// Like [`of`](Self::of), with the numbers of the subphases in the files.
    pub fn numbered(&self, slot: Slot) -> impl ExactSizeIterator<Item = (u32, f64)> + Clone {
        self.of(slot).map(|(position, seconds)| (self.numbers[position], seconds))
    }

    /// Returns the seconds of an object in all subphases together.
    pub fn sum(&self, slot: Slot) -> f64 {
        self.of(slot).map(|(_, seconds)| seconds).sum::<f64>() + 0.0
    }

    /// Returns the objects with time in each subphase, ascending, and their seconds. O(objects + times + subphases).
    pub(crate) fn by_subphase(&self) -> Vec<Vec<(Slot, f64)>> {
        let mut columns = vec![Vec::new(); self.len()];
        for slot in (0..self.n_objects()).map(Slot::from) {
            for (position, seconds) in self.of(slot) {
                columns[position].push((slot, seconds));
            }
        }
        columns
    }

    /// Returns all nonzero times, by slot.
    pub(crate) fn seconds(&self) -> &[f64] {
        &self.seconds
    }

    /// Returns the times scaled to other loads, so that each subphase keeps its share. `loads` returns the
    /// present and the new load of an object. If the present load is less than the sum over subphases, shares
    /// refer to that sum, so that the times do not sum up to more than a changed load.
    pub(crate) fn rescaled(&self, loads: impl Fn(Slot) -> (f64, f64)) -> Self {
        let rows = (0..self.n_objects()).map(Slot::from).map(|slot| {
            let (before, now) = loads(slot);
            // The times of an object with an unchanged load stay the same bit for bit.
            let (all, now) = if before == now { (1.0, 1.0) } else { (before.max(self.sum(slot)), now) };
            self.of(slot).map(move |(position, seconds)| (position as u32, seconds / all * now))
        });
        Subphases { numbers: self.numbers.clone(), ..Subphases::of_positions(rows) }
    }

    /// Creates the rows of all objects, by slot, from positions of subphases and seconds. Times of 0 are left
    /// out.
    fn of_positions<Row: IntoIterator<Item = (u32, f64)>>(rows: impl Iterator<Item = Row>) -> Self {
        let mut subphases = Subphases::default();
        for row in rows {
            for (position, seconds) in row.into_iter().filter(|&(_, seconds)| seconds != 0.0) {
                subphases.positions.push(position);
                subphases.seconds.push(seconds);
            }
            subphases.ends.push(subphases.seconds.len());
        }
        subphases
    }
}

impl<Row: IntoIterator<Item = (u32, f64)>> FromIterator<Row> for Subphases {
    /// Collects number and seconds of the subphases of each object, by slot. Subphases in which all times are
    /// 0 are kept.
    fn from_iter<I: IntoIterator<Item = Row>>(rows: I) -> Self {
        let mut numbers = BTreeSet::new();
        let mut last = None;
        let note = |&(number, _): &(u32, f64)| {
            // Saves most insertions if every object has time in a single, common subphase.
            if last != Some(number) {
                numbers.insert(number);
                last = Some(number);
            }
        };
        let mut note = note;
        let rows = rows.into_iter().map(|row| row.into_iter().inspect(&mut note).collect::<Vec<_>>());
        let mut subphases = Subphases::of_positions(rows);
        subphases.numbers = numbers.into_iter().collect();
        for position in &mut subphases.positions {
            let found = subphases.numbers.binary_search(position);
            *position = found.expect("invariant: every number was collected above") as u32;
        }
        subphases
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(subphases: &Subphases) -> Vec<Vec<(usize, f64)>> {
        (0..subphases.n_objects()).map(|slot| subphases.of(Slot::from(slot)).collect()).collect()
    }

    #[test]
    fn objects_keep_their_seconds_in_each_subphase() {
        let given: [&[(u32, f64)]; 4] =
            [&[(7, 0.5), (0, 1.0)], &[], &[(u32::MAX, 0.0), (7, 2.0)], &[(0, 0.25)]];
        let subphases: Subphases = given.iter().map(|row| row.iter().copied()).collect();
        // All times in the last subphase are 0, but it is kept.
        assert_eq!(subphases.numbers(), [0, 7, u32::MAX]);
        assert_eq!(rows(&subphases), [vec![(1, 0.5), (0, 1.0)], vec![], vec![(1, 2.0)], vec![(0, 0.25)]]);
        assert!(subphases.numbered(Slot(0)).eq([(7, 0.5), (0, 1.0)]));
        assert_eq!((0..4).map(|slot| subphases.sum(Slot(slot))).collect::<Vec<_>>(), [1.5, 0.0, 2.0, 0.25]);
        let slots = |column: &Vec<(Slot, f64)>| column.iter().map(|(slot, _)| slot.0).collect::<Vec<_>>();
        let columns: Vec<Vec<u32>> = subphases.by_subphase().iter().map(slots).collect();
        assert_eq!(columns, [vec![0, 3], vec![0, 2], vec![]]);
    }

    #[test]
    fn subphases_keep_their_shares_when_loads_change() {
        let given: [&[(u32, f64)]; 2] = [&[(3, 0.5), (4, 1.0)], &[(4, 2.0)]];
        let subphases: Subphases = given.iter().map(|row| row.iter().copied()).collect();
        let rescaled = subphases.rescaled(|slot| [(3.0, 6.0), (2.0, 0.0)][slot.index()]);
        assert_eq!(rows(&rescaled), [vec![(0, 1.0), (1, 2.0)], vec![]]);
        assert_eq!(rescaled.numbers(), [3, 4]);
        let same = subphases.rescaled(|_| (0.7, 0.7));
        assert_eq!(same, subphases);
        // No overflow if loads and subphases contradict each other.
        let rescaled = subphases.rescaled(|slot| [(0.0, 1e308), (1e-320, 1e308)][slot.index()]);
        assert_eq!(rescaled.sum(Slot(1)), 1e308);
        assert!((rescaled.sum(Slot(0)) / 1e308 - 1.0).abs() < 1e-12);
    }
}
