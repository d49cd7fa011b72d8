// SPDX-License-Identifier: MIT OR Apache-2.0
//! Communication entries with complete endpoints. Entries of the same kind with the same sender and receiver are
//! merged.

use std::borrow::Cow;

use lbaf_vom::{CommunicationKind, home_of_packed_id, packed_id};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::Value;

use super::{Entity, Identity};
use crate::spelled::Spelled;

/// Entries of a rank in a phase.
pub(super) struct Entries<'a> {
    sequences: &'a FxHashMap<u64, Identity>,
    collection: &'a str,
    records: Vec<Entry>,
    /// Position of the entry for each key; vt keeps only one entry for a key.
    positions: FxHashMap<Key, usize>,
    pub(super) n_merged: u64,
    /// Number of merged entries that state another home of an endpoint than the entry that absorbed them.
    pub(super) n_other_homes: u64,
    pub(super) n_completed: u64,
}

/// Record of an entry, with the sums over the entries merged into it.
struct Entry {
    record: Vec<u8>,
    homes: [Option<i64>; 2],
    /// Bytes and messages, if they differ from the record.
    sum: Option<(f64, u64)>,
}

/// Kind, and for each endpoint the id of the object, or the number of the rank or block.
type Key = (CommunicationKind, u64, u64);

#[derive(Deserialize)]
struct Communication<'a> {
    #[serde(borrow)]
    r#type: Cow<'a, str>,
    bytes: f64,
    messages: u64,
    #[serde(borrow)]
    from: Entity<'a>,
    #[serde(borrow)]
    to: Entity<'a>,
}

impl<'a> Entries<'a> {
    pub(super) fn new(sequences: &'a FxHashMap<u64, Identity>, collection: &'a str) -> Self {
        Entries {
            sequences,
            collection,
            records: Vec::new(),
            positions: FxHashMap::default(),
            n_merged: 0,
            n_other_homes: 0,
            n_completed: 0,
        }
    }

    /// Merges an entry into an earlier entry of the same kind between the same endpoints, or appends it.
    pub(super) fn add(&mut self, record: Vec<u8>) {
        let (record, key, volume, homes) = {
            // Entries that vt cannot read are kept; the validation reports them.
            let Ok(entry) = serde_json::from_slice::<Communication<'_>>(&record) else {
                return self.records.push(Entry { record, homes: [None; 2], sum: None });
            };
            let volume = (entry.bytes, entry.messages);
            let homes = [&entry.from, &entry.to].map(home_of_id);
            let key = self.key(&entry);
            let completed = self.completed(&record, &entry);
            (completed.unwrap_or_else(|| record.clone()), key, volume, homes)
        };
        let Some(key) = key else { return self.records.push(Entry { record, homes, sum: None }) };
        let position = *self.positions.entry(key).or_insert(self.records.len());
        let Some(first) = self.records.get_mut(position) else {
            return self.records.push(Entry { record, homes, sum: None });
        };
        let known = first.sum.or_else(|| {
            let first = serde_json::from_slice::<Communication<'_>>(&first.record).ok()?;
            Some((first.bytes, first.messages))
        });
        let (bytes, messages) = known.expect("invariant: the record was read before");
        self.n_other_homes += u64::from(homes != first.homes);
        first.sum = Some((bytes + volume.0, messages.saturating_add(volume.1)));
        self.n_merged += 1;
    }

    /// Returns the records, in the order of the first entry of each.
    pub(super) fn into_records(self) -> Vec<Vec<u8>> {
        self.records.into_iter().map(Entry::into_record).collect()
    }

    fn key(&self, entry: &Communication<'_>) -> Option<Key> {
        let kind = CommunicationKind::from_name(&entry.r#type);
        let named = |end: &Entity<'_>| match (end.id, end.seq_id) {
            (Some(id), _) => Some(id),
            (None, Some(number)) => {
                let known = self.sequences.get(&number);
                let home = end.home.or(known.map(|known| known.home))?;
                let migratable = end.migratable.or(known.map(|known| known.migratable))?;
                Some(packed_id(number, u16::try_from(home).ok()?, migratable))
            }
            (None, None) => None,
        };
        let key = (kind, named(&entry.from)?, named(&entry.to)?);
        (kind != CommunicationKind::Other).then_some(key)
    }

    /// Returns the record with completed endpoints, if any was incomplete.
    fn completed(&mut self, record: &[u8], entry: &Communication<'_>) -> Option<Vec<u8>> {
        let changes: Vec<(&str, Vec<_>)> = [("from", &entry.from), ("to", &entry.to)]
            .into_iter()
            .filter_map(|(key, end)| Some((key, self.missing(end)?)))
            .collect();
        if changes.is_empty() {
            return None;
        }
        let members = serde_json::from_slice::<Spelled<'_>>(record).ok()?;
        let mut ends = Vec::with_capacity(changes.len());
        for (key, missing) in changes {
            let end: Spelled<'_> = serde_json::from_str(members.get(key)?.get()).ok()?;
            ends.push((key, String::from_utf8(end.with(&missing)).ok()?));
        }
        self.n_completed += ends.len() as u64;
        Some(members.with(&ends))
    }

    /// Returns the members that an endpoint lacks but the task of its object has.
    fn missing(&self, end: &Entity<'_>) -> Option<Vec<(&'static str, String)>> {
        let number = end.seq_id.filter(|_| end.is_object() && end.id.is_none())?;
        let known = self.sequences.get(&number)?;
        let collection = known.collection.as_deref().unwrap_or(self.collection);
        let members = [
            ("collection_id", end.collection_id.is_none(), collection.to_owned()),
            ("home", end.home.is_none(), known.home.to_string()),
            ("migratable", end.migratable.is_none(), known.migratable.to_string()),
        ];
        let missing = members.into_iter().filter(|&(_, is_missing, _)| is_missing);
        let missing: Vec<_> = missing.map(|(key, _, value)| (key, value)).collect();
        (!missing.is_empty()).then_some(missing)
    }
}

/// Returns the home stated by an endpoint with an id, or else the home in the id. `None` for a sequence number,
/// because the key of the entry already contains its home.
fn home_of_id(end: &Entity<'_>) -> Option<i64> {
    let id = end.id?;
    let of_id = || home_of_packed_id(id).map(i64::from);
    end.home.filter(|&home| home >= 0).or_else(of_id)
}

impl Entry {
    fn into_record(self) -> Vec<u8> {
        let Some((bytes, messages)) = self.sum else { return self.record };
        let members: Spelled<'_> =
            serde_json::from_slice(&self.record).expect("invariant: the record was read as an object before");
        members.with(&[("bytes", Value::from(bytes).to_string()), ("messages", messages.to_string())])
    }
}
