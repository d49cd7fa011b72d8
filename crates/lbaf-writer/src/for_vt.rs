// SPDX-License-Identifier: MIT OR Apache-2.0
//! Corrections of records for vt's reader that preserve their meaning: tasks and endpoints with `seq_id` are completed,
//! communication entries of the same kind between the same endpoints on a rank are merged, and all migratable objects
//! get the same number of subphases.

mod communication;
mod facts;
mod subphases;

use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};

use lbaf_reader::{FileRecords, PhaseRecords};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use self::communication::Entries;
use self::facts::{Facts, Identity};
use self::subphases::Room;
use crate::error::WriteError;
use crate::offline;
use crate::spelled::Spelled;

/// Information from all records, and the numbers of corrected records.
pub(crate) struct ForVt {
    /// By position of the phase in the files; `None` for phases that are not written.
    facts: Vec<Option<Facts>>,
    /// Collection, as JSON, for objects without one.
    collection: String,
    /// Number of entries of phases with `user_defined`, which is left out.
    n_user_defined: usize,
    n_merged: AtomicU64,
    n_other_homes: AtomicU64,
    n_ends: AtomicU64,
    n_collections: AtomicU64,
    n_subphases: AtomicU64,
    room: Room,
}

/// Identity of an object in a record.
#[derive(Deserialize)]
struct Entity<'a> {
    #[serde(borrow, default)]
    r#type: Option<Cow<'a, str>>,
    #[serde(default)]
    id: Option<u64>,
    #[serde(default)]
    seq_id: Option<u64>,
    #[serde(default)]
    home: Option<i64>,
    #[serde(default)]
    migratable: Option<bool>,
    #[serde(borrow, default)]
    collection_id: Option<&'a RawValue>,
}

impl Entity<'_> {
    fn is_object(&self) -> bool {
        self.r#type.as_deref().is_none_or(|kind| kind == "object")
    }
}

/// Information in the records of one file that the files of other ranks need.
pub(crate) struct FileFacts {
    /// By position of the phase in the file; `None` for phases that are not written, and in files without sequence
    /// numbers and subphases.
    phases: Vec<Option<facts::OfFile>>,
    document_bytes: u64,
    /// `collection_id` of the first task that has one, among the first tasks.
    pub(crate) collection: Option<Value>,
    /// Number of phases with `user_defined`.
    n_user_defined: usize,
}

impl FileFacts {
    /// Collects the information in a file. `sources` has the positions of the phases to be written.
    pub(crate) fn new(file: &FileRecords, document: &[u8], sources: &[usize]) -> Self {
        let is_of_interest = facts::is_of_interest(document);
        let of_phase = |(position, phase): (usize, &PhaseRecords)| {
            let is_written = is_of_interest && sources.contains(&position);
            is_written.then(|| facts::OfFile::new(phase, document))
        };
        let has_user_defined =
            |phase: &&PhaseRecords| phase.fields.iter().any(|field| field.key == "user_defined");
        FileFacts {
            phases: file.phases.iter().enumerate().map(of_phase).collect(),
            document_bytes: document.len() as u64,
            collection: offline::collection_of_first_object(file, document),
            n_user_defined: file.phases.iter().filter(has_user_defined).count(),
        }
    }
}

impl ForVt {
    /// Combines the information in all files, by rank. `sources` has the positions of the phases to be written.
    pub(crate) fn new(mut files: Vec<FileFacts>, sources: &[usize]) -> Self {
        let n_phases = sources.iter().map(|position| position + 1).max().unwrap_or(0);
        let mut facts: Vec<Option<Facts>> = (0..n_phases).map(|_| None).collect();
        for &position in sources {
            facts[position].get_or_insert_with(|| {
                Facts::combined(files.iter_mut().filter_map(|file| file.phases[position].take()))
            });
        }
        let room = Room::of(files.iter().map(|file| file.document_bytes).sum());
        let collection = files.iter().find_map(|file| file.collection.clone()).unwrap_or(Value::from(7));
        let n_user_defined = files.iter().map(|file| file.n_user_defined).sum();
        let zero = || AtomicU64::new(0);
        ForVt {
            facts,
            collection: collection.to_string(),
            n_user_defined,
            n_merged: zero(),
            n_other_homes: zero(),
            n_ends: zero(),
            n_collections: zero(),
            n_subphases: zero(),
            room,
        }
    }

    fn facts(&self, source: usize) -> &Facts {
        self.facts[source].as_ref().expect("invariant: information was collected for all written phases")
    }

    /// Returns the corrected record of a task.
    pub(crate) fn task<'r>(&self, source: usize, record: &'r [u8]) -> Cow<'r, [u8]> {
        let facts = self.facts(source);
        if facts.n_subphases == 0 && facts.sequences.is_empty() {
            return record.into();
        }
        let Ok(members) = serde_json::from_slice::<Spelled<'_>>(record) else { return record.into() };
        let Some(spelled) = members.get("entity") else { return record.into() };
        let Ok(entity) = serde_json::from_str::<Entity<'_>>(spelled.get()) else { return record.into() };
        let mut changes = Vec::new();
        if entity.id.is_none() && entity.seq_id.is_some() && entity.collection_id.is_none() {
            let entity = serde_json::from_str::<Spelled<'_>>(spelled.get());
            let entity = entity.expect("invariant: the entity was read as an object");
            let completed = entity.with(&[("collection_id", self.collection.clone())]);
            changes.push(("entity", String::from_utf8_lossy(&completed).into_owned()));
            self.n_collections.fetch_add(1, Ordering::Relaxed);
        }
        let must_be_full = Identity::of(&entity).is_some_and(|identity| identity.migratable);
        if let Some(full) =
            subphases::full(members.get("subphases"), facts.n_subphases, must_be_full, &self.room)
        {
            changes.push(("subphases", full));
            self.n_subphases.fetch_add(1, Ordering::Relaxed);
        }
        if changes.is_empty() { record.into() } else { members.with(&changes).into() }
    }

    /// Returns the corrected records of the communications of a rank.
    pub(crate) fn communications(
        &self,
        source: usize,
        records: impl Iterator<Item = Vec<u8>>,
    ) -> Vec<Vec<u8>> {
        let mut entries = Entries::new(&self.facts(source).sequences, &self.collection);
        for record in records {
            entries.add(record);
        }
        self.n_merged.fetch_add(entries.n_merged, Ordering::Relaxed);
        self.n_other_homes.fetch_add(entries.n_other_homes, Ordering::Relaxed);
        self.n_ends.fetch_add(entries.n_completed, Ordering::Relaxed);
        entries.into_records()
    }

    /// Checks that all records could be corrected.
    ///
    /// # Errors
    /// If the added subphases exceed the limit.
    pub(crate) fn check(&self) -> Result<(), WriteError> {
        self.room.check()
    }

    /// Returns a warning if `user_defined` of phases is left out.
    pub(crate) fn left_out(&self) -> Option<String> {
        let n = self.n_user_defined;
        (n > 0)
            .then(|| format!("`user_defined` of {n} phase entries was left out: vt's reader crashes on it"))
    }

    /// Returns one warning for each kind of change that was made.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let sentences = [
            (
                &self.n_merged,
                "communication entries were merged with others between the same endpoints, because vt keeps only the last entry",
            ),
            (
                &self.n_other_homes,
                "communication entries were merged with others that state another home for the same `id`, because vt uses \
                 the id; with `absent_endpoints: home`, lbaf counts the volume of the merged entries differently when it reads the new \
                 files",
            ),
            (
                &self.n_ends,
                "endpoints of communications got `home`, `migratable` and `collection_id` from the tasks of their objects, \
                 because vt needs them in addition to `seq_id`",
            ),
            (&self.n_collections, "tasks got a `collection_id`, because vt needs it in addition to `seq_id`"),
            (
                &self.n_subphases,
                "tasks got subphases of 0 s, because vt needs subphases numbered from 0, and the same number of them for every migratable object",
            ),
        ];
        let counted = sentences.map(|(n, sentence)| (n.load(Ordering::Relaxed), sentence));
        let mended = counted.into_iter().filter(|&(n, _)| n > 0);
        mended.map(|(n, sentence)| format!("files for OfflineLB: {sentence} (count: {n})")).collect()
    }
}
