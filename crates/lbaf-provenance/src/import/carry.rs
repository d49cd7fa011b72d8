// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records that ride in attributes, and the database back from them.
//!
//! A task carries the records of its executions, and the file of a rank what belongs to none of its tasks, so that no
//! record is lost, of whichever program.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde_json::{Map, Value};

use super::executions::{Executions, ObjectKey};
use crate::record::Collection;
use crate::{Database, Stored};

/// Where records stand among the attributes.
const PROVENANCE: &str = "provenance";

type Records = BTreeMap<Collection, Vec<Value>>;

/// What is to be carried.
#[derive(Default)]
pub(super) struct Load<'a> {
    tasks: BTreeMap<(u64, &'a ObjectKey<'a>), Records>,
    ranks: BTreeMap<u16, Records>,
    is_carried: bool,
}

impl<'a> Load<'a> {
    /// Everything in a database, or nothing if that is not asked for.
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
        // What has no rank of its own here rides with the first.
        let rank_of =
            |rid: i64| u16::try_from(rid).ok().filter(|&rank| usize::from(rank) < n_ranks).unwrap_or(0);
        let events =
            [(Collection::Anomalies, &database.anomalies), (Collection::Normalexecs, &database.normalexecs)];
        for (collection, events) in events {
            let values: Vec<_> = events.par_iter().map(Stored::value).collect();
            for (event, value) in events.iter().zip(values) {
                let is_of_program = event.record.pid == executions.pid;
                let home = executions.homes.get(event.record.event_id.as_str());
                let records = match home.filter(|home| is_of_program && !home.is_in_window) {
                    Some(home) => load.tasks.entry((home.step, &home.key)).or_default(),
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

    /// The records of a task, for its attributes.
    pub(super) fn of_task(&mut self, step: u64, key: &'a ObjectKey<'a>) -> Option<Value> {
        self.tasks.remove(&(step, key)).and_then(carried_value)
    }

    /// The records of the file of a rank, for its metadata.
    pub(super) fn of_rank(&mut self, rank: u16) -> Option<Value> {
        let carried = self.ranks.remove(&rank).and_then(carried_value);
        // That of the first rank is there in any case, so that everybody sees that records are carried.
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

/// The records that a data set carries.
#[derive(Clone, Debug, Default)]
pub struct CarriedRecords {
    /// The database that it was made from.
    pub database: Database,
    /// What carries the name of records but is none, and why.
    pub refused: Vec<String>,
}

/// The database that a data set was made from: of each file the rank, the attributes in its metadata, and those of all its
/// tasks, null where there are none.
///
/// It is the same wherever tasks are now, but for the order of records, on which no file depends.
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
            return self.refused.push(format!("rank {rank}: `{PROVENANCE}` is no object"));
        };
        for (name, records) in collections {
            let (Some(collection), Value::Array(records)) = (Collection::from_name(&name), records) else {
                self.refused.push(format!("rank {rank}: `{PROVENANCE}/{name}` is no array of a collection"));
                continue;
            };
            for record in records {
                if let Err(error) = self.database.push(collection, &record.to_string()) {
                    self.refused.push(format!("rank {rank}: a record of `{PROVENANCE}/{name}`: {error}"));
                }
            }
        }
    }
}
