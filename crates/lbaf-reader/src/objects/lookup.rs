// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lookup of objects by the numbers in the files.

use std::ops::Range;

use lbaf_model::{RankId, Slot};
use lbaf_vom::{Endpoint, NONE, home_of_packed_id};
use rustc_hash::FxHashMap;

use super::Entries;

/// Lookup of the object at an endpoint of a communication.
pub(crate) struct Lookup<'a> {
    entries: &'a Entries,
    /// First slot with each id.
    ids: FxHashMap<u64, u32>,
    /// First slot with each sequence number.
    sequences: FxHashMap<u64, u32>,
}

/// Object identified by an endpoint.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Found {
    /// The object; `None` if it has no task in the phase.
    pub(crate) slot: Option<Slot>,
    /// True if the same endpoint, recorded on another rank, could identify another object.
    pub(crate) depends_on_logger: bool,
}

impl<'a> Lookup<'a> {
    /// Creates the lookup in the tasks of a phase.
    pub(crate) fn new(entries: &'a Entries) -> Self {
        let first = |slots: Range<usize>| {
            let mut first = FxHashMap::with_capacity_and_hasher(slots.len(), rustc_hash::FxBuildHasher);
            for slot in slots {
                first.entry(entries.ordered[slot].number).or_insert(slot as u32);
            }
            first
        };
        let (ids, sequences) =
            (first(0..entries.first_sequence), first(entries.first_sequence..entries.len()));
        Lookup { entries, ids, sequences }
    }

    /// Returns the object of an endpoint in the file of rank `logged_on`.
    ///
    /// Of several objects with the same number, returns the first that exists:
    /// 1. the migratable object, if the endpoint is migratable
    /// 2. the non-migratable object on the stated home of the endpoint
    /// 3. the non-migratable object on the home in the packed id
    /// 4. the non-migratable object on rank `logged_on`
    /// 5. the migratable object
    pub(crate) fn find(&self, endpoint: &Endpoint, logged_on: u32) -> Found {
        let slots = if endpoint.is_sequence { &self.sequences } else { &self.ids };
        let Some(&first) = slots.get(&endpoint.id) else { return Found::default() };
        let first = first as usize;
        let end = if endpoint.is_sequence { self.entries.len() } else { self.entries.first_sequence };
        let entries = &self.entries.ordered[first..end];
        let n_same = entries.iter().take_while(|entry| entry.number == endpoint.id).count();
        let same = &entries[..n_same];
        let slot = |position: usize| Slot::from(first + position);
        let movable = || same.iter().position(|entry| entry.rank_in_key().is_none()).map(slot);
        let on =
            |rank: u32| same.iter().position(|entry| entry.rank_in_key() == Some(RankId(rank))).map(slot);
        let at_home = || on(endpoint.home).or_else(|| on(packed_home(endpoint)?));
        let sure = match same.len() {
            1 => Some(slot(0)),
            _ if endpoint.migratable => movable().or_else(at_home),
            _ => at_home(),
        };
        match sure {
            Some(slot) => Found { slot: Some(slot), depends_on_logger: false },
            None => Found { slot: on(logged_on).or_else(movable), depends_on_logger: true },
        }
    }
}

/// Returns the stated home of an endpoint, or else the home in its packed id.
pub(crate) fn home_of(endpoint: &Endpoint) -> Option<u32> {
    if endpoint.home == NONE { packed_home(endpoint) } else { Some(endpoint.home) }
}

fn packed_home(endpoint: &Endpoint) -> Option<u32> {
    if endpoint.is_sequence { None } else { home_of_packed_id(endpoint.id) }
}
