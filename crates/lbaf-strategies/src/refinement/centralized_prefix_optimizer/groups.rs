// SPDX-License-Identifier: MIT OR Apache-2.0
//! Migratable objects of a rank, grouped by their block and sorted by load.

use std::collections::BTreeMap;
use std::ops::Range;

use lbaf_model::{Assignment, BlockIdx, Phase, Slot};

use crate::Cancel;
use crate::primitives::seconds::Seconds;

/// Block that the objects of a group share; `None` for the group of objects without a block.
pub(super) type Shared = Option<BlockIdx>;

/// Groups of one rank.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups(BTreeMap<Shared, Group>);

/// Objects of one rank that share a block, in ascending order of load.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    objects: Vec<Slot>,
    load: f64,
}

impl Groups {
    /// Builds the groups of every rank. O(objects log objects).
    pub(super) fn of_ranks(phase: &Phase, assignment: &Assignment, cancel: &Cancel) -> Vec<Groups> {
        let mut ascending: Vec<Slot> = phase.slots().filter(|&slot| phase.is_migratable(slot)).collect();
        ascending.sort_by_key(|&slot| (Seconds(phase.load(slot)), slot));
        let mut ranks = vec![Groups::default(); phase.n_ranks()];
        for slot in cancel.polled(ascending) {
            let rank = assignment.rank_of(slot);
            let group = ranks[rank.index()].0.entry(phase.memory(slot).block).or_default();
            group.objects.push(slot);
            group.load += phase.load(slot);
        }
        ranks
    }

    /// Returns every group with its block, the largest load first.
    pub(super) fn by_load(&self) -> Vec<(Shared, &Group)> {
        let mut groups: Vec<(Shared, &Group)> =
            self.0.iter().map(|(&shared, group)| (shared, group)).collect();
        groups.sort_by(|a, b| b.1.load.total_cmp(&a.1.load));
        groups
    }

    /// Removes objects of one group.
    pub(super) fn remove(&mut self, phase: &Phase, objects: &[Slot]) {
        let Some(&first) = objects.first() else { return };
        let shared = phase.memory(first).block;
        let group = self.0.get_mut(&shared).expect("invariant: a rank only gives objects that it has");
        if objects.len() == 1 {
            let at = group.place(phase, first).expect("invariant: a rank only gives objects that it has");
            group.objects.remove(at);
        } else {
            let leaving: Vec<(Seconds, Slot)> = keys(phase, objects);
            group.objects.retain(|&slot| leaving.binary_search(&(Seconds(phase.load(slot)), slot)).is_err());
        }
        group.load -= objects.iter().map(|&slot| phase.load(slot)).sum::<f64>();
        if group.objects.is_empty() {
            self.0.remove(&shared);
        }
    }

    /// Adds objects that share a block.
    pub(super) fn add(&mut self, phase: &Phase, objects: &[Slot]) {
        let Some(&first) = objects.first() else { return };
        let group = self.0.entry(phase.memory(first).block).or_default();
        if objects.len() == 1 {
            let at = group.place(phase, first).unwrap_or_else(|at| at);
            group.objects.insert(at, first);
        } else {
            group.objects.extend_from_slice(objects);
            group.objects.sort_by_key(|&slot| (Seconds(phase.load(slot)), slot));
        }
        group.load += objects.iter().map(|&slot| phase.load(slot)).sum::<f64>();
    }
}

/// Returns the sort keys of objects.
fn keys(phase: &Phase, objects: &[Slot]) -> Vec<(Seconds, Slot)> {
    objects.iter().map(|&slot| (Seconds(phase.load(slot)), slot)).collect()
}

impl Group {
    /// Returns the position of an object, or the position at which to insert it.
    fn place(&self, phase: &Phase, object: Slot) -> Result<usize, usize> {
        let key = |slot: Slot| (Seconds(phase.load(slot)), slot);
        self.objects.binary_search_by_key(&key(object), |&slot| key(slot))
    }

    /// Returns the objects in ascending order of load.
    pub(super) fn objects(&self) -> &[Slot] {
        &self.objects
    }

    /// Returns the load of all objects in seconds.
    pub(super) fn load(&self) -> f64 {
        self.load
    }

    /// Returns the bracket of objects whose load is closest to `target`; of equally close brackets, one with the
    /// fewest objects. O(objects).
    pub(super) fn bracket(&self, phase: &Phase, target: f64) -> &[Slot] {
        let mut sums = Vec::with_capacity(self.objects.len() + 1);
        sums.push(0.0);
        for &slot in &self.objects {
            sums.push(sums[sums.len() - 1] + phase.load(slot));
        }
        let key = |range: &Range<usize>| {
            (Seconds((sums[range.end] - sums[range.start] - target).abs()), range.len())
        };
        let mut best = 0..self.objects.len();
        let mut start = 0;
        for end in 1..=self.objects.len() {
            // Candidates for each end: the shortest bracket that reaches the target, and the longest below.
            while start + 1 < end && sums[end] - sums[start + 1] >= target {
                start += 1;
            }
            let within = (start + 1).min(end - 1)..end;
            for range in [start..end, within] {
                if key(&range) < key(&best) {
                    best = range;
                }
            }
        }
        &self.objects[best]
    }

    /// Returns an object of this group and an object of the other group, whose loads differ by about `aim`. The
    /// object of this group has the larger load; `None` if there is no such pair. O(objects of both groups).
    pub(super) fn closest_pair<'a>(
        &'a self,
        phase: &Phase,
        other: &'a Group,
        aim: f64,
    ) -> Option<(&'a [Slot], &'a [Slot])> {
        let load = |group: &Group, at: usize| phase.load(group.objects[at]);
        let (mut mine, mut theirs) = (0, 0);
        let mut best: Option<(f64, usize, usize)> = None;
        while mine < self.objects.len() && theirs < other.objects.len() {
            let beyond = load(self, mine) - load(other, theirs) - aim;
            if beyond + aim > 0.0 && best.is_none_or(|(least, ..)| beyond.abs() < least) {
                best = Some((beyond.abs(), mine, theirs));
            }
            *(if beyond < 0.0 { &mut mine } else { &mut theirs }) += 1;
        }
        best.map(|(_, mine, theirs)| (&self.objects[mine..=mine], &other.objects[theirs..=theirs]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bracket(loads: &[f64], target: f64) -> Vec<f64> {
        let phase = Phase::builder(1).objects(loads.iter().map(|&load| (load, 0))).build().unwrap();
        let groups = Groups::of_ranks(&phase, phase.recorded_assignment(), &Cancel::new());
        let (_, group) = groups[0].by_load()[0];
        group.bracket(&phase, target).iter().map(|&slot| phase.load(slot)).collect()
    }

    #[test]
    fn a_bracket_is_as_close_as_any() {
        assert_eq!(bracket(&[4.0, 1.0, 2.0, 8.0], 6.0), [2.0, 4.0]);
        assert_eq!(bracket(&[4.0, 1.0, 2.0, 8.0], 7.5), [8.0]);
        assert_eq!(bracket(&[4.0, 1.0, 2.0, 8.0], 0.0), [1.0]);
        assert_eq!(bracket(&[4.0, 1.0, 2.0, 8.0], 99.0), [1.0, 2.0, 4.0, 8.0]);
        assert_eq!(bracket(&[3.0, 1.0, 2.0], 3.0), [3.0], "the fewest objects");
    }

    /// Compares with an exhaustive search.
    #[test]
    fn no_other_bracket_is_closer() {
        let mut seed = 7_u32;
        let mut next = |n: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from((seed >> 16) % n)
        };
        for n in 1..12 {
            for _ in 0..20 {
                let loads: Vec<f64> = (0..n).map(|_| next(6)).collect();
                let target = next(20) + 0.5 * next(2);
                let mut sorted = loads.clone();
                sorted.sort_by(f64::total_cmp);
                let all =
                    (0..sorted.len()).flat_map(|start| (start + 1..=sorted.len()).map(move |end| start..end));
                let distance = |loads: &[f64]| (loads.iter().sum::<f64>() - target).abs();
                let least = all.map(|range| distance(&sorted[range])).fold(f64::INFINITY, f64::min);
                assert_eq!(distance(&bracket(&loads, target)), least, "{loads:?} for {target}");
            }
        }
    }
}
