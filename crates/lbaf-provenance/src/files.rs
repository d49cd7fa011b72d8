// SPDX-License-Identifier: MIT OR Apache-2.0
//! Layouts of a database in files: the tree that Chimbuko writes and reads back, and arrays as its queries print them.

mod database_file;
mod spelling;

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde_json::Value;

pub use database_file::DatabaseFile;

use crate::event_label::EventLabel;
use crate::record::{Collection, Event, FunctionStats, MetadataEntry};
use crate::{Database, Stored};

/// Step of the files with metadata. Records of metadata have no step; Chimbuko writes most of them in the first step.
const METADATA_STEP: i64 = 0;

/// Layout of a database in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseLayout {
    /// Directory tree that Chimbuko writes if it runs without a database, and can load into one.
    Tree,
    /// One array for each collection, as queries of a database print them. Each record has its number in the
    /// collection, `__id`, from 0.
    Flat,
}

/// Returns the files of a tree: paths below its directory, in a fixed order, and their bytes.
///
/// The bytes do not depend on the order of records, except in the global collections, where records keep their order.
pub fn tree(database: &Database) -> Vec<(PathBuf, Vec<u8>)> {
    let mut records = BTreeMap::<Folder, Vec<Placed>>::new();
    for (collection, events) in events_of(database) {
        let placed: Vec<_> = events.par_iter().map(placed_event).collect();
        for (event, placed) in events.iter().zip(placed) {
            let Event { pid, rid, io_step, .. } = event.record;
            records.entry((pid, rid, io_step, collection)).or_default().push(placed);
        }
    }
    let mut files: BTreeMap<Folder, DatabaseFile<'_>> = metadata_tree(&database.metadata).collect();
    for (folder, mut records) in records {
        records.sort_by(Placed::compare);
        files.insert(folder, DatabaseFile::of_step(folder, values(records)));
    }
    let mut files: Vec<DatabaseFile<'_>> = files.into_values().collect();
    files.extend(DatabaseFile::global(Collection::FuncStats, sorted_values(&database.func_stats)));
    files.extend(DatabaseFile::global(Collection::CounterStats, sorted_values(&database.counter_stats)));
    files.extend(DatabaseFile::global(Collection::AdModel, sorted_values(&database.ad_model)));
    files.into_iter().map(DatabaseFile::in_memory).collect()
}

/// Returns the files of metadata in a tree, ordered by program and rank.
pub(crate) fn metadata_tree(
    metadata: &[Stored<MetadataEntry>],
) -> impl Iterator<Item = (Folder, DatabaseFile<'static>)> {
    let mut records = BTreeMap::<Folder, Vec<Placed>>::new();
    for entry in metadata {
        let MetadataEntry { pid, rid, .. } = entry.record;
        let folder = (pid, rid, METADATA_STEP, Collection::Metadata);
        records.entry(folder).or_default().push(placed_entry(entry));
    }
    records.into_iter().map(|(folder, mut records)| {
        records.sort_by(Placed::compare);
        (folder, DatabaseFile::of_step(folder, values(records)))
    })
}

/// Returns an array for each collection: paths below a directory, in a fixed order, and their bytes.
pub fn flat(database: &Database) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for (collection, events) in events_of(database) {
        let mut records: Vec<_> = events
            .par_iter()
            .map(|event| {
                let Event { pid, rid, io_step, .. } = event.record;
                ((pid, rid, io_step), placed_event(event))
            })
            .collect();
        records.sort_by(|(a, left), (b, right)| a.cmp(b).then_with(|| left.compare(right)));
        files.push(DatabaseFile::flat(collection, values(records.into_iter().map(|(_, placed)| placed))));
    }
    files.push(metadata_flat(&database.metadata));
    let mut functions: Vec<_> = database.func_stats.iter().collect();
    functions.sort_by(|a, b| worst_first(severity(&a.record), severity(&b.record)));
    files.push(DatabaseFile::flat(Collection::FuncStats, functions.into_iter().map(sorted_value)));
    files.push(DatabaseFile::flat(Collection::CounterStats, sorted_values(&database.counter_stats)));
    files.push(DatabaseFile::flat(Collection::AdModel, sorted_values(&database.ad_model)));
    files.into_iter().map(DatabaseFile::in_memory).collect()
}

/// Returns the array of metadata.
pub(crate) fn metadata_flat(metadata: &[Stored<MetadataEntry>]) -> DatabaseFile<'static> {
    let mut metadata: Vec<_> =
        metadata.iter().map(|entry| ((entry.record.pid, entry.record.rid), placed_entry(entry))).collect();
    metadata.sort_by(|(a, left), (b, right)| a.cmp(b).then_with(|| left.compare(right)));
    DatabaseFile::flat(Collection::Metadata, values(metadata.into_iter().map(|(_, placed)| placed)))
}

/// True for paths of the form that [`tree`] or [`flat`] writes below a directory. Either form is accepted for any
/// collection.
pub fn is_of_database(path: &Path) -> bool {
    let mut parts = path.iter().map(|part| part.to_str().unwrap_or_default());
    let is_number = |text: &str| text.parse::<i64>().is_ok();
    match [parts.next(), parts.next(), parts.next(), parts.next()] {
        [Some(name), None, ..] => {
            let stem = name.strip_suffix(".json").unwrap_or_default();
            Collection::from_name(stem.strip_prefix("global_").unwrap_or(stem)).is_some()
        }
        [Some(pid), Some(rid), Some(name), None] => {
            let step = name.strip_suffix(".json").and_then(|stem| stem.split_once('.'));
            is_number(pid)
                && is_number(rid)
                && step.is_some_and(|(step, name)| is_number(step) && Collection::from_name(name).is_some())
        }
        _ => false,
    }
}

/// Program, rank, step and collection of a file.
pub(crate) type Folder = (i64, i64, i64, Collection);

/// Record and its position in its file.
struct Placed {
    /// For events: true if the name lacks step and index, so that the event comes last; then step, index and start. For
    /// metadata: false, thread, and zeros.
    numbers: (bool, i64, i64, i64),
    name: String,
    value: Value,
}

impl Placed {
    /// Compares two records by position, then by their text, so the order never depends on the order of reading.
    fn compare(&self, other: &Self) -> Ordering {
        let by_place = (self.numbers, &self.name).cmp(&(other.numbers, &other.name));
        by_place.then_with(|| self.value.to_string().cmp(&other.value.to_string()))
    }
}

fn placed_event(event: &Stored<Event>) -> Placed {
    let label = EventLabel::of(&event.record.event_id);
    let (step, index) = label.map_or((0, 0), |label| (label.step, label.index));
    Placed {
        numbers: (label.is_none(), step, index, event.record.entry),
        name: event.record.event_id.clone(),
        value: sorted_value(event),
    }
}

fn placed_entry(entry: &Stored<MetadataEntry>) -> Placed {
    Placed {
        numbers: (false, entry.record.tid, 0, 0),
        name: entry.record.descr.clone(),
        value: sorted_value(entry),
    }
}

fn events_of(database: &Database) -> [(Collection, &[Stored<Event>]); 2] {
    [(Collection::Anomalies, &database.anomalies), (Collection::Normalexecs, &database.normalexecs)]
}

fn values(records: impl IntoIterator<Item = Placed>) -> impl Iterator<Item = Value> {
    let values: Vec<Value> = records.into_iter().map(|placed| placed.value).collect();
    values.into_iter()
}

fn sorted_values<T>(records: &[Stored<T>]) -> impl Iterator<Item = Value> {
    records.iter().map(sorted_value)
}

fn sorted_value<T>(record: &Stored<T>) -> Value {
    let mut value = record.value();
    value.sort_all_objects();
    value
}

/// Sums of the severities and scores of the anomalies of a function, if any.
pub(crate) type AnomalySums = Option<(f64, f64)>;

fn severity(function: &FunctionStats) -> AnomalySums {
    let metrics = function.anomaly_metrics.as_ref();
    metrics.map(|metrics| (metrics.severity.accumulate, metrics.score.accumulate))
}

/// Compares two functions in the order of Chimbuko's queries: by descending sum of severities, then of scores;
/// functions without anomalies last.
pub(crate) fn worst_first(a: AnomalySums, b: AnomalySums) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => b.0.total_cmp(&a.0).then_with(|| b.1.total_cmp(&a.1)),
        (a, b) => Reverse(a.is_some()).cmp(&Reverse(b.is_some())),
    }
}
