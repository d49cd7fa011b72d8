// SPDX-License-Identifier: MIT OR Apache-2.0
//! What objects took in the subphases of a phase.

use std::collections::BTreeSet;

use crate::Slot;

/// Seconds of the objects of a phase in each subphase.
///
/// Compressed rows of what is not zero: 12 bytes for each of those, and 8 for each object. So it does not matter whether
/// all objects ran in a few subphases or each of them in one of many.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Subphases {
    /// Numbers in the files, ascending.
    numbers: Vec<u32>,
    /// By slot: where its entries end.
    ends: Vec<usize>,
    /// Of each entry: the position of its subphase among the numbers.
    positions: Vec<u32>,
    /// Of each entry: its seconds, not 0.
    seconds: Vec<f64>,
}

impl Subphases {
    /// Number of objects, those without any time too.
    pub fn n_objects(&self) -> usize {
        self.ends.len()
    }

    /// Number of subphases.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether there is no subphase.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Their numbers in the files, ascending; there may be gaps.
    pub fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// Where an object took time: the subphase as a position among the numbers, and seconds above 0. In the order in
    /// which they were given.
    #[inline]
    pub fn of(&self, slot: Slot) -> impl ExactSizeIterator<Item = (usize, f64)> + Clone {
        let start = slot.index().checked_sub(1).map_or(0, |before| self.ends[before]);
        let entries = start..self.ends[slot.index()];
        let positions = self.positions[entries.clone()].iter().map(|&position| position as usize);
        positions.zip(self.seconds[entries].iter().copied())
    }

    /// The same with the numbers of the subphases in the files.
    pub fn numbered(&self, slot: Slot) -> impl ExactSizeIterator<Item = (u32, f64)> + Clone {
        self.of(slot).map(|(position, seconds)| (self.numbers[position], seconds))
    }

    /// Seconds of an object in all subphases together.
    pub fn sum(&self, slot: Slot) -> f64 {
        self.of(slot).map(|(_, seconds)| seconds).sum::<f64>() + 0.0
    }

    /// The objects that took time in each subphase, ascending, and their seconds. O(entries + subphases).
    pub(crate) fn by_subphase(&self) -> Vec<Vec<(Slot, f64)>> {
        let mut columns = vec![Vec::new(); self.len()];
        for slot in (0..self.n_objects()).map(Slot::from) {
            for (position, seconds) in self.of(slot) {
                columns[position].push((slot, seconds));
            }
        }
        columns
    }

    /// Seconds of all objects in all subphases.
    pub(crate) fn seconds(&self) -> &[f64] {
        &self.seconds
    }

    /// The same shares of other loads. `loads` is what an object took, and what it is to take. Of what took less than its
    /// subphases together these are the shares; so none of them is more than the new load.
    pub(crate) fn rescaled(&self, loads: impl Fn(Slot) -> (f64, f64)) -> Self {
        let rows = (0..self.n_objects()).map(Slot::from).map(|slot| {
            let (before, now) = loads(slot);
            // The same load has the same subphases, to the bit and whatever they sum up to.
            let (all, now) = if before == now { (1.0, 1.0) } else { (before.max(self.sum(slot)), now) };
            self.of(slot).map(move |(position, seconds)| (position as u32, seconds / all * now))
        });
        Subphases { numbers: self.numbers.clone(), ..Subphases::of_positions(rows) }
    }

    /// Rows by slot, with positions that are right already. What is zero has no entry.
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
    /// Number and seconds of the subphases of each object, by slot. One in which nobody took any time is one too.
    fn from_iter<I: IntoIterator<Item = Row>>(rows: I) -> Self {
        let mut numbers = BTreeSet::new();
        let mut last = None;
        let note = |&(number, _): &(u32, f64)| {
            // Objects next to each other mostly have the same ones.
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
            *position = found.expect("invariant: every number was noted") as u32;
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
    fn every_object_has_the_seconds_that_it_came_with() {
        let given: [&[(u32, f64)]; 4] =
            [&[(7, 0.5), (0, 1.0)], &[], &[(u32::MAX, 0.0), (7, 2.0)], &[(0, 0.25)]];
        let subphases: Subphases = given.iter().map(|row| row.iter().copied()).collect();
        // Nobody took any time in the last one, and yet it is there.
        assert_eq!(subphases.numbers(), [0, 7, u32::MAX]);
        assert_eq!(rows(&subphases), [vec![(1, 0.5), (0, 1.0)], vec![], vec![(1, 2.0)], vec![(0, 0.25)]]);
        assert!(subphases.numbered(Slot(0)).eq([(7, 0.5), (0, 1.0)]));
        assert_eq!((0..4).map(|slot| subphases.sum(Slot(slot))).collect::<Vec<_>>(), [1.5, 0.0, 2.0, 0.25]);
        let slots = |column: &Vec<(Slot, f64)>| column.iter().map(|(slot, _)| slot.0).collect::<Vec<_>>();
        let columns: Vec<Vec<u32>> = subphases.by_subphase().iter().map(slots).collect();
        assert_eq!(columns, [vec![0, 3], vec![0, 2], vec![]]);
    }

    #[test]
    fn shares_stay_when_loads_change() {
        let given: [&[(u32, f64)]; 2] = [&[(3, 0.5), (4, 1.0)], &[(4, 2.0)]];
        let subphases: Subphases = given.iter().map(|row| row.iter().copied()).collect();
        let rescaled = subphases.rescaled(|slot| [(3.0, 6.0), (2.0, 0.0)][slot.index()]);
        assert_eq!(rows(&rescaled), [vec![(0, 1.0), (1, 2.0)], vec![]]);
        assert_eq!(rescaled.numbers(), [3, 4]);
        let same = subphases.rescaled(|_| (0.7, 0.7));
        assert_eq!(same, subphases);
        // Nothing overflows where loads and subphases contradict each other.
        let rescaled = subphases.rescaled(|slot| [(0.0, 1e308), (1e-320, 1e308)][slot.index()]);
        assert_eq!(rescaled.sum(Slot(1)), 1e308);
        assert!((rescaled.sum(Slot(0)) / 1e308 - 1.0).abs() < 1e-12);
    }
}
