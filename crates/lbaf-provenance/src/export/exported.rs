// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files of an exported database. Records are created during writing: together they can exceed memory.

use lbaf_noise::{FunctionKey, Model};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::Value;

use super::events::Events;
use super::totals::Totals;
use super::{Export, PROGRAM, Place, counters, normals};
use crate::files::{metadata_flat, metadata_tree, worst_first};
use crate::record::{AdModel, Collection, CounterStats, ModelRecord};
use crate::{DatabaseFile, DatabaseLayout, Stored};

/// Number of records of executions that are created in parallel at a time.
const AT_ONCE: usize = 32;

/// Data of an export: 8 bytes for each task, 12 bytes for each written execution, and totals.
pub struct Exported<'a> {
    export: &'a Export<'a>,
    events: Events<'a>,
    /// Executions that are anomalies.
    anomalies: Vec<Place>,
    /// Normal executions for comparison, as selected by [`chosen`](super::normals::chosen).
    normalexecs: Vec<Place>,
    totals: Totals,
    counter_stats: Vec<Stored<CounterStats>>,
    n_rounded: u64,
}

impl<'a> Exported<'a> {
    pub(super) fn new(export: &'a Export<'a>) -> Self {
        let events = Events::new(export);
        let (mut anomalies, mut normalexecs) = normals::chosen(export);
        let totals = Totals::of(export, &events, &anomalies);
        for places in [&mut anomalies, &mut normalexecs] {
            places.sort_unstable_by_key(|place| (place.rank, place.at, place.index));
        }
        let (counter_stats, n_rounded) = counters::statistics(export);
        let counter_stats = counter_stats.into_iter().map(Stored::new).collect();
        Exported { export, events, anomalies, normalexecs, totals, counter_stats, n_rounded }
    }

    /// Number of executions that are anomalies.
    pub fn n_anomalies(&self) -> usize {
        self.anomalies.len()
    }

    /// Number of normal executions written for comparison.
    pub fn n_normalexecs(&self) -> usize {
        self.normalexecs.len()
    }

    /// Number of functions.
    pub fn n_functions(&self) -> usize {
        self.export.labels.functions().len()
    }

    /// Number of counter values that were rounded: counters are integers in the schema.
    pub fn n_rounded(&self) -> u64 {
        self.n_rounded
    }

    /// Returns the files of the database.
    pub fn files(&self, layout: DatabaseLayout) -> Vec<DatabaseFile<'_>> {
        let metadata = self.export.metadata();
        let counters = self.counter_stats.iter().map(|stats| sorted(&stats.record));
        match layout {
            DatabaseLayout::Tree => {
                let mut files: Vec<DatabaseFile<'_>> = Vec::new();
                for (collection, places) in self.executions() {
                    for of_file in places.chunk_by(|a, b| (a.rank, a.at) == (b.rank, b.at)) {
                        let (rid, step) = (i64::from(of_file[0].rank), self.export.step(of_file[0].at()));
                        let folder = (PROGRAM, rid, step, collection);
                        files.push(DatabaseFile::of_step(folder, self.records(of_file)));
                    }
                }
                files.extend(metadata_tree(&metadata).map(|(_, file)| file));
                files.extend(DatabaseFile::global(Collection::FuncStats, self.functions(false)));
                files.extend(DatabaseFile::global(Collection::CounterStats, counters));
                files.extend(DatabaseFile::global(Collection::AdModel, self.models()));
                files
            }
            DatabaseLayout::Flat => {
                let executions = self.executions().into_iter();
                let mut files: Vec<DatabaseFile<'_>> = executions
                    .map(|(collection, places)| DatabaseFile::flat(collection, self.records(places)))
                    .collect();
                files.push(metadata_flat(&metadata));
                files.push(DatabaseFile::flat(Collection::FuncStats, self.functions(true)));
                files.push(DatabaseFile::flat(Collection::CounterStats, counters));
                files.push(DatabaseFile::flat(Collection::AdModel, self.models()));
                files
            }
        }
    }

    fn executions(&self) -> [(Collection, &[Place]); 2] {
        [(Collection::Anomalies, &self.anomalies), (Collection::Normalexecs, &self.normalexecs)]
    }

    /// Creates the records of executions in the order of `places`, at most [`AT_ONCE`] in memory.
    fn records<'s>(&'s self, places: &'s [Place]) -> impl Iterator<Item = Value> + 's {
        let made = |places: &'s [Place]| -> Vec<Value> {
            places.par_iter().map(|&place| sorted(&self.events.event(place))).collect()
        };
        places.chunks(AT_ONCE).flat_map(made)
    }

    /// Creates the statistics of all functions, ordered by number, or the worst function first if `worst`.
    fn functions(&self, worst: bool) -> impl Iterator<Item = Value> {
        let mut functions: Vec<u32> = (0..self.n_functions() as u32).collect();
        if worst {
            let severity = |function: &u32| self.totals.severity(*function as usize);
            functions.sort_by(|a, b| worst_first(severity(a), severity(b)));
        }
        let record = |function| sorted(&self.totals.record(self.export, function as usize));
        functions.into_iter().map(record)
    }

    /// Creates the records of models. Functions whose model has no samples are left out.
    fn models(&self) -> impl Iterator<Item = Value> {
        let labels = self.export.labels;
        let record = |(fid, (model, key)): (i64, (&Model, &FunctionKey))| {
            let model = ModelRecord::of(model)?;
            Some(sorted(&AdModel { fid, func_name: key.to_string(), model, pid: PROGRAM }))
        };
        (0..).zip(labels.models().iter().zip(labels.functions().keys())).filter_map(record)
    }
}

/// Converts a record to a JSON value with its keys in alphabetical order.
fn sorted(record: &impl Serialize) -> Value {
    let mut value = serde_json::to_value(record).expect("invariant: records are plain data");
    value.sort_all_objects();
    value
}
