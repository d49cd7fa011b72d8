// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records carried in attributes, and restoration of the database from them.
//!
//! A task carries the records of its executions. The file of a rank carries records that belong to none of its tasks.
//! No record of any program is lost.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde_json::{Map, Value};

use super::executions::{Executions, ObjectKey};
use crate::record::Collection;
use crate::{Database, Stored};

/// Name of the attribute with the records.
const PROVENANCE: &str = "provenance";

type Records = BTreeMap<Collection, Vec<Value>>;

/// Records to be carried.
#[derive(Default)]
pub(super) struct Load<'a> {
    tasks: BTreeMap<(u64, &'a ObjectKey<'a>), Records>,
    ranks: BTreeMap<u16, Records>,
    is_carried: bool,
}

impl<'a> Load<'a> {
    /// Collects all records of a database, or none if `is_wanted` is false.
    pub(super) fn of(
        database: &Database,
        executions: &'a Executions<'a>,
        n_ranks: usize,
        is_wanted: bool,
    ) -> Self {
        let mut load = Load::default();
        if !is_wanted {
            return load;
        }
        load.is_carried = true;
        // The first rank carries records without a rank in the data.
        let rank_of =
            |rid: i64| u16::try_from(rid).ok().filter(|&rank| usize::from(rank) < n_ranks).unwrap_or(0);
        let events =
            [(Collection::Anomalies, &database.anomalies), (Collection::Normalexecs, &database.normalexecs)];
        for (collection, events) in events {
            let values: Vec<_> = events.par_iter().map(Stored::value).collect();
            for (event, value) in events.iter().zip(values) {
                let is_of_program = event.record.pid == executions.pid;
                let origin = executions.origins.get(event.record.event_id.as_str());
                let records = match origin.filter(|origin| is_of_program && !origin.is_in_window) {
                    Some(origin) => load.tasks.entry((origin.step, &origin.key)).or_default(),
                    None => load.ranks.entry(rank_of(event.record.rid)).or_default(),
                };
                records.entry(collection).or_default().push(value);
            }
        }
        for entry in &database.metadata {
            let records = load.ranks.entry(rank_of(entry.record.rid)).or_default();
            records.entry(Collection::Metadata).or_default().push(entry.value());
        }
        let of_all = [
            (Collection::FuncStats, values(&database.func_stats)),
            (Collection::CounterStats, values(&database.counter_stats)),
            (Collection::AdModel, values(&database.ad_model)),
        ];
        let of_all = of_all.into_iter().filter(|(_, records)| !records.is_empty());
        load.ranks.entry(0).or_default().extend(of_all);
        load
    }

    /// Returns the records of a task, for its attributes.
    pub(super) fn of_task(&mut self, step: u64, key: &'a ObjectKey<'a>) -> Option<Value> {
        self.tasks.remove(&(step, key)).and_then(carried_value)
    }

    /// Returns the records that the metadata of a rank carry.
    pub(super) fn of_rank(&mut self, rank: u16) -> Option<Value> {
        let carried = self.ranks.remove(&rank).and_then(carried_value);
        // The first rank always has the attribute, to show that records are carried.
        carried.or_else(|| (rank == 0 && self.is_carried).then(|| Value::Object(Map::new())))
    }
}

fn values<T>(records: &[Stored<T>]) -> Vec<Value> {
    records.iter().map(Stored::value).collect()
}

fn carried_value(records: Records) -> Option<Value> {
    let named: BTreeMap<_, _> = records
        .into_iter()
        .map(|(collection, records)| (collection.name().to_owned(), records.into()))
        .collect();
    (!named.is_empty()).then(|| Value::Object(named.into_iter().collect::<Map<_, _>>()))
}

/// Records carried by a data set.
#[derive(Clone, Debug, Default)]
pub struct CarriedRecords {
    /// Database that the data set was made from.
    pub database: Database,
    /// Invalid contents of the attributes `provenance`, with reasons.
    pub refused: Vec<String>,
}

/// Restores the database that a data set was made from. A file is given by its rank, the attributes in its metadata,
/// and the attributes of each of its tasks; null stands for missing attributes.
///
/// The placement of tasks only affects the order of records, which does not affect the files written from the
/// database.
pub fn carried<T: IntoIterator<Item = Value>>(
    files: impl IntoIterator<Item = (u32, Value, T)>,
) -> CarriedRecords {
    let mut carried = CarriedRecords::default();
    for (rank, metadata, tasks) in files {
        carried.take(rank, metadata);
        for task in tasks {
            carried.take(rank, task);
        }
    }
    carried
}

impl CarriedRecords {
    fn take(&mut self, rank: u32, mut attributes: Value) {
        let Some(provenance) = attributes.get_mut(PROVENANCE).map(Value::take) else { return };
        let Value::Object(collections) = provenance else {
            return self.refused.push(format!("rank {rank}: `{PROVENANCE}` is not an object"));
        };
        for (name, records) in collections {
            let (Some(collection), Value::Array(records)) = (Collection::from_name(&name), records) else {
                self.refused.push(format!(
                    "rank {rank}: `{PROVENANCE}/{name}` is not an array of records of a known collection"
                ));
                continue;
            };
            for record in records {
                if let Err(error) = self.database.push(collection, &record.to_string()) {
                    self.refused
                        .push(format!("rank {rank}: `{PROVENANCE}/{name}` has an invalid record: {error}"));
                }
            }
        }
    }
}
