// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects of a phase in the order of their keys, and their lookup by the numbers in the files.

use lbaf_model::{ObjectKey, RankId, Slot};
use lbaf_vom::{Endpoint, NONE, PhaseRows, TaskRow, home_of_packed_id};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// A task of a phase: what its object's key is made of, and where it stands. Small, because they are sorted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Entry {
    number: u64,
    /// The rank whose file lists the task, shifted by one, and whether the object may not migrate.
    rank_and_sentinel: u32,
    /// The position of the task in that file.
    pub(crate) position: u32,
}

impl Entry {
    fn new(task: &TaskRow, rank: u32, position: u32) -> Self {
        Entry { number: task.id, rank_and_sentinel: rank << 1 | u32::from(!task.migratable), position }
    }

    /// The rank whose file lists the task.
    #[inline]
    pub(crate) fn rank(self) -> u32 {
        self.rank_and_sentinel >> 1
    }

    /// What entries of one kind are ordered by.
    fn order(self) -> (u64, Option<RankId>) {
        (self.number, self.rank_in_key())
    }

    /// The rank as part of the key: only objects that may not migrate have one.
    fn rank_in_key(self) -> Option<RankId> {
        (self.rank_and_sentinel & 1 == 1).then(|| RankId(self.rank()))
    }
}

/// The tasks of a phase in the order of the keys of their objects; position = [`Slot`].
pub(crate) struct Entries {
    entries: Vec<Entry>,
    /// Entries from here on have sequence numbers, those before packed ids.
    first_sequence: usize,
}

impl Entries {
    /// Orders the tasks of all files.
    pub(crate) fn new(files: &[&PhaseRows]) -> Self {
        let n: usize = files.iter().map(|file| file.tasks.len()).sum();
        let mut entries = ordered(files, n, false);
        let first_sequence = entries.len();
        if first_sequence < n {
            entries.extend(ordered(files, n - first_sequence, true));
        }
        Entries { entries, first_sequence }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn as_slice(&self) -> &[Entry] {
        &self.entries
    }

    /// The keys, ascending.
    pub(crate) fn keys(&self) -> Vec<ObjectKey> {
        (0..self.len()).into_par_iter().map(|slot| self.key(slot)).collect()
    }

    /// The key of the object in a slot.
    pub(crate) fn key(&self, slot: usize) -> ObjectKey {
        let entry = self.entries[slot];
        ObjectKey {
            is_sequence: slot >= self.first_sequence,
            number: entry.number,
            rank: entry.rank_in_key(),
        }
    }

    /// The slot of the second of two tasks of the same object.
    pub(crate) fn duplicate(&self) -> Option<usize> {
        (1..self.len()).find(|&slot| {
            self.entries[slot - 1].number == self.entries[slot].number && self.key(slot - 1) == self.key(slot)
        })
    }

    /// An index over the numbers, for communication.
    pub(crate) fn lookup(&self) -> Lookup<'_> {
        let mut first = FxHashMap::with_capacity_and_hasher(self.len(), rustc_hash::FxBuildHasher);
        for (slot, entry) in self.entries.iter().enumerate() {
            first.entry((slot >= self.first_sequence, entry.number)).or_insert(slot as u32);
        }
        Lookup { entries: self, first }
    }
}

/// The tasks of one kind, of which there are at most `n`, by number, then by rank in the key. Both halves are
/// ordered at the same time, then merged.
fn ordered(files: &[&PhaseRows], n: usize, is_sequence: bool) -> Vec<Entry> {
    let mut entries = Vec::with_capacity(n);
    for (rank, file) in (0..).zip(files) {
        let tasks = (0..).zip(&file.tasks).filter(|(_, task)| task.is_sequence == is_sequence);
        entries.extend(tasks.map(|(position, task)| Entry::new(task, rank, position)));
    }
    let mut spare = vec![Entry::default(); entries.len()];
    let middle = entries.len() / 2;
    let (left, right) = entries.split_at_mut(middle);
    let (spare_left, spare_right) = spare.split_at_mut(middle);
    rayon::join(|| order(left, spare_left), || order(right, spare_right));
    merge(left, right, &mut spare);
    spare
}

fn order(entries: &mut [Entry], spare: &mut [Entry]) {
    sort_by_number(entries, spare);
    for same in entries.chunk_by_mut(|a, b| a.number == b.number).filter(|same| same.len() > 1) {
        same.sort_by_key(|entry| entry.order());
    }
}

fn merge(left: &[Entry], right: &[Entry], merged: &mut [Entry]) {
    let (mut l, mut r) = (0, 0);
    for place in merged {
        let take_left = r == right.len() || l < left.len() && left[l].order() <= right[r].order();
        *place = if take_left { left[l] } else { right[r] };
        l += usize::from(take_left);
        r += usize::from(!take_left);
    }
}

/// Sorts by number, stably, by counting digits from the lowest to the highest; digits that are the same
/// everywhere cost nothing. Several times faster than comparing for the millions of ids there may be.
fn sort_by_number(entries: &mut [Entry], spare: &mut [Entry]) {
    const BITS: u32 = 11;
    const DIGITS: usize = 1 << BITS;
    let differing = entries.windows(2).fold(0, |bits, pair| bits | (pair[0].number ^ pair[1].number));
    let (mut from, mut to) = (&mut *entries, spare);
    let mut swapped = false;
    for shift in (0..u64::BITS).step_by(BITS as usize) {
        let digit = |entry: &Entry| (entry.number >> shift) as usize % DIGITS;
        if (differing >> shift) as usize % DIGITS == 0 {
            continue;
        }
        let mut next = [0_u32; DIGITS];
        for entry in &*from {
            next[digit(entry)] += 1;
        }
        let mut sum = 0;
        for count in &mut next {
            sum += std::mem::replace(count, sum);
        }
        for entry in &*from {
            let place = &mut next[digit(entry)];
            to[*place as usize] = *entry;
            *place += 1;
        }
        std::mem::swap(&mut from, &mut to);
        swapped = !swapped;
    }
    if swapped {
        // `from` is the spare memory now.
        to.copy_from_slice(from);
    }
}

/// Finds the object that an endpoint of a communication names.
pub(crate) struct Lookup<'a> {
    entries: &'a Entries,
    first: FxHashMap<(bool, u64), u32>,
}

impl Lookup<'_> {
    /// The object of an endpoint in the file of rank `logged_on`; `None` if it has no task in the phase.
    ///
    /// Numbers of objects that may not migrate can occur on several ranks. Then the home of the endpoint
    /// decides, else the home packed into the id, else the rank that logged the communication.
    pub(crate) fn find(&self, endpoint: &Endpoint, logged_on: u32) -> Option<Slot> {
        let first = *self.first.get(&(endpoint.is_sequence, endpoint.id))? as usize;
        let from_first = self.entries.entries[first..].iter();
        let same: Vec<u32> =
            from_first.take_while(|entry| entry.number == endpoint.id).map(|entry| entry.rank()).collect();
        let slot = |position: usize| Some(Slot::from(first + position));
        if same.len() == 1 {
            return slot(0);
        }
        let on = |rank: u32| same.iter().position(|&other| other == rank).and_then(slot);
        on(endpoint.home).or_else(|| on(packed_home(endpoint)?)).or_else(|| on(logged_on))
    }
}

/// The home rank of an endpoint: as stated, else as packed into its id.
pub(crate) fn home_of(endpoint: &Endpoint) -> Option<u32> {
    if endpoint.home == NONE { packed_home(endpoint) } else { Some(endpoint.home) }
}

fn packed_home(endpoint: &Endpoint) -> Option<u32> {
    if endpoint.is_sequence { None } else { home_of_packed_id(endpoint.id) }
}
