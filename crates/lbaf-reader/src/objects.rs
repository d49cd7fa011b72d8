// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects of a phase in the order of their keys, and their lookup by the numbers in the files.

use lbaf_model::{ObjectKey, RankId, Slot};
use lbaf_vom::{Endpoint, NONE, PhaseRows, TaskRow, home_of_packed_id};
use rustc_hash::FxHashMap;

/// A task of a phase: the key of its object, packed so that numbers order like keys, and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    key: u128,
    /// The rank whose file lists it.
    pub(crate) rank: u32,
    /// Its position in that file.
    pub(crate) position: u32,
}

const SEQUENCE_SHIFT: u32 = 96;
const NUMBER_SHIFT: u32 = 32;

impl Entry {
    fn new(task: &TaskRow, rank: u32, position: u32) -> Self {
        // Rank + 1, so that 0 means "none", which orders first as in `ObjectKey`.
        let rank_part = if task.migratable { 0 } else { u128::from(rank) + 1 };
        Entry {
            key: numbered(task.is_sequence, task.id) | rank_part,
            rank,
            position,
        }
    }

    pub(crate) fn key(self) -> ObjectKey {
        let rank = self.key as u32;
        ObjectKey {
            is_sequence: self.key >> SEQUENCE_SHIFT != 0,
            number: (self.key >> NUMBER_SHIFT) as u64,
            rank: rank.checked_sub(1).map(RankId),
        }
    }
}

fn numbered(is_sequence: bool, number: u64) -> u128 {
    u128::from(is_sequence) << SEQUENCE_SHIFT | u128::from(number) << NUMBER_SHIFT
}

/// The tasks of a phase in the order of their keys; position = [`Slot`].
pub(crate) struct Entries(pub(crate) Vec<Entry>);

impl Entries {
    /// Orders the tasks of all files.
    pub(crate) fn new(files: &[&PhaseRows]) -> Self {
        let mut entries = Vec::with_capacity(files.iter().map(|file| file.tasks.len()).sum());
        for (rank, file) in (0..).zip(files) {
            let tasks = (0..).zip(&file.tasks);
            entries.extend(tasks.map(|(position, task)| Entry::new(task, rank, position)));
        }
        // Files list tasks in runs of ascending or descending ids, which a stable sort takes advantage of.
        entries.sort_by_key(|entry| entry.key);
        Entries(entries)
    }

    /// Two tasks of the same object.
    pub(crate) fn duplicate(&self) -> Option<[Entry; 2]> {
        self.0.array_windows().find(|[a, b]| a.key == b.key).copied()
    }

    /// An index over the numbers, for communication.
    pub(crate) fn lookup(&self) -> Lookup<'_> {
        let mut first = FxHashMap::with_capacity_and_hasher(self.0.len(), rustc_hash::FxBuildHasher);
        for (slot, entry) in (0_u32..).zip(&self.0) {
            first.entry(entry.key >> NUMBER_SHIFT).or_insert(slot);
        }
        Lookup {
            entries: &self.0,
            first,
        }
    }
}

/// Finds the object that an endpoint of a communication names.
pub(crate) struct Lookup<'a> {
    entries: &'a [Entry],
    first: FxHashMap<u128, u32>,
}

impl Lookup<'_> {
    /// The object of an endpoint in the file of rank `logged_on`; `None` if it has no task in the phase.
    ///
    /// Numbers of objects that may not migrate can occur on several ranks. Then the home of the endpoint
    /// decides, else the home packed into the id, else the rank that logged the communication.
    pub(crate) fn find(&self, endpoint: &Endpoint, logged_on: u32) -> Option<Slot> {
        let key = numbered(endpoint.is_sequence, endpoint.id) >> NUMBER_SHIFT;
        let first = *self.first.get(&key)?;
        let same = self.entries[first as usize..]
            .iter()
            .take_while(|entry| entry.key >> NUMBER_SHIFT == key);
        let candidates: Vec<(u32, Entry)> = (first..).zip(same.copied()).collect();
        if let [(slot, _)] = candidates[..] {
            return Some(Slot(slot));
        }
        let on = |rank: u32| {
            candidates
                .iter()
                .find(|(_, entry)| entry.rank == rank)
                .map(|&(slot, _)| Slot(slot))
        };
        on(endpoint.home)
            .or_else(|| on(packed_home(endpoint)?))
            .or_else(|| on(logged_on))
    }
}

/// The home rank of an endpoint: as stated, else as packed into its id.
pub(crate) fn home_of(endpoint: &Endpoint) -> Option<u32> {
    if endpoint.home == NONE {
        packed_home(endpoint)
    } else {
        Some(endpoint.home)
    }
}

fn packed_home(endpoint: &Endpoint) -> Option<u32> {
    if endpoint.is_sequence {
        None
    } else {
        home_of_packed_id(endpoint.id)
    }
}
