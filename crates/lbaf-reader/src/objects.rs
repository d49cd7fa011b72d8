// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects of a phase in the order of their keys.

mod bucket_sort;
mod lookup;

use lbaf_model::{ObjectKey, RankId};
use lbaf_vom::{PhaseRows, TaskRow};
use rayon::prelude::*;

use bucket_sort::ordered;
pub(crate) use lookup::{Found, Lookup, home_of};

/// Key and position of a task. Small, because entries are sorted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Entry {
    number: u64,
    /// Rank whose file lists the task, shifted by one bit. The lowest bit is set for non-migratable objects.
    rank_and_sentinel: u32,
    /// Position of the task in that file.
    pub(crate) position: u32,
}

impl Entry {
    fn new(task: &TaskRow, rank: u32, position: u32) -> Self {
        Entry { number: task.id, rank_and_sentinel: rank << 1 | u32::from(!task.migratable), position }
    }

    /// Returns the rank whose file lists the task.
    #[inline]
    pub(crate) fn rank(self) -> u32 {
        self.rank_and_sentinel >> 1
    }

    fn key(self, is_sequence: bool) -> ObjectKey {
        ObjectKey::new(is_sequence, self.number, self.rank_in_key())
    }

    /// Returns the sort key among entries of one kind, ids or sequence numbers. Entries of the same object follow the
    /// order of their files.
    fn order(self) -> (u64, Option<RankId>, u32, u32) {
        (self.number, self.rank_in_key(), self.rank_and_sentinel, self.position)
    }

    /// Returns the rank in the key of a non-migratable object; `None` for a migratable object.
    fn rank_in_key(self) -> Option<RankId> {
        (self.rank_and_sentinel & 1 == 1).then(|| RankId(self.rank()))
    }
}

/// Tasks of a phase, ordered by key; the position is the [`Slot`].
pub(crate) struct Entries {
    ordered: Vec<Entry>,
    /// Start of the entries with sequence numbers; earlier entries have ids.
    first_sequence: usize,
    /// True if two entries of one kind have the same number. Their keys may still differ in the rank.
    has_twins: bool,
}

impl Entries {
    /// Sorts the tasks of all files.
    pub(crate) fn new(files: &[&PhaseRows]) -> Self {
        let n: usize = files.iter().map(|file| file.tasks.len()).sum();
        let n_sequences: usize = files.iter().map(|file| file.n_sequences).sum();
        let first_sequence = n - n_sequences;
        let (mut all, mut has_twins) = ordered(files, first_sequence, false);
        if n_sequences > 0 {
            let (sequences, more_twins) = ordered(files, n_sequences, true);
            all.extend(sequences);
            has_twins |= more_twins;
        }
        Entries { ordered: all, first_sequence, has_twins }
    }

    pub(crate) fn len(&self) -> usize {
        self.ordered.len()
    }

    pub(crate) fn as_slice(&self) -> &[Entry] {
        &self.ordered
    }

    /// Returns the keys, ascending.
    pub(crate) fn into_keys(self) -> Vec<ObjectKey> {
        let first_sequence = self.first_sequence;
        let keys = self.ordered.into_par_iter().enumerate();
        keys.map(|(slot, entry)| entry.key(slot >= first_sequence)).collect()
    }

    /// Returns the key of the object in a slot.
    pub(crate) fn key(&self, slot: usize) -> ObjectKey {
        self.ordered[slot].key(slot >= self.first_sequence)
    }

    /// Returns the slot of the second task of the first object with two tasks, if any.
    pub(crate) fn duplicate(&self) -> Option<usize> {
        (1..self.len()).filter(|_| self.has_twins).find(|&slot| self.key(slot - 1) == self.key(slot))
    }
}
