// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables of tasks and of their subphases.

use std::borrow::Cow;

use lbaf_model::PhaseId;
use serde_json::value::RawValue;

use crate::column::{Cell, Column};
use crate::entity::Entity;
use crate::leaf::{fill, fill_unless_negative};
use crate::members::for_each_member;
use crate::rest::{Rest, compact};

/// Row of `tasks`: one object in one phase.
#[derive(Debug, Default)]
pub(crate) struct TaskRow<'d> {
    phase: PhaseId,
    rank: u32,
    entity: Entity<'d>,
    node: Option<i64>,
    resource: Option<Cow<'d, str>>,
    time: Option<f64>,
    n_subphases: usize,
    memory: Memory,
    user_defined: Option<String>,
    attributes: Option<String>,
    other: Option<String>,
}

/// Members of `user_defined` that have columns.
#[derive(Debug, Default)]
struct Memory {
    footprint_bytes: Option<f64>,
    working_bytes: Option<f64>,
    serialized_bytes: Option<f64>,
    shared_id: Option<u64>,
    shared_bytes: Option<f64>,
    home_rank: Option<i64>,
    rank_working_bytes: Option<f64>,
}

/// Row of `subphases`: time of one object in one subphase.
#[derive(Debug, Default)]
pub(crate) struct SubphaseRow {
    phase: PhaseId,
    rank: u32,
    id: Option<u64>,
    seq_id: Option<u64>,
    migratable: bool,
    subphase: Option<u64>,
    time: Option<f64>,
    other: Option<String>,
}

impl<'d> TaskRow<'d> {
    /// Parses a record into a row, and appends the rows of its subphases to `subphases`.
    pub(crate) fn parse(
        phase: PhaseId,
        rank: u32,
        record: &'d str,
        subphases: &mut Vec<SubphaseRow>,
    ) -> Result<Self, serde_json::Error> {
        let mut row = TaskRow { phase, rank, ..TaskRow::default() };
        let first = subphases.len();
        let (mut rest, mut user_defined) = (Rest::default(), Rest::default());
        for_each_member(record, |key, value| {
            match key {
                "entity" => row.entity = Entity::parse(value)?,
                "node" => fill(&mut row.node, key, value, &mut rest),
                "resource" => fill(&mut row.resource, key, value, &mut rest),
                "time" => fill(&mut row.time, key, value, &mut rest),
                "subphases" => match serde_json::from_str::<Vec<&'d RawValue>>(value) {
                    Ok(entries) if entries.iter().all(|entry| entry.get().starts_with('{')) => {
                        subphases.truncate(first);
                        for entry in entries {
                            subphases.push(SubphaseRow::parse(phase, rank, entry.get())?);
                        }
                    }
                    _ => rest.add(key, value),
                },
                "user_defined" => row.memory.parse(value, &mut user_defined)?,
                "attributes" => row.attributes = (value != "null").then(|| compact(value)),
                _ => rest.add(key, value),
            }
            Ok(())
        })?;
        for subphase in &mut subphases[first..] {
            subphase.id = row.entity.id;
            subphase.seq_id = row.entity.seq_id;
            subphase.migratable = row.is_migratable();
        }
        row.n_subphases = subphases.len() - first;
        rest.add_rest("entity", std::mem::take(&mut row.entity.rest));
        row.user_defined = user_defined.into_text();
        row.other = rest.into_text();
        Ok(row)
    }

    /// True if the object is migratable; by default, only objects in a collection are, as in the reader.
    fn is_migratable(&self) -> bool {
        self.entity.migratable.unwrap_or(self.entity.in_collection)
    }
}

impl Memory {
    fn parse(&mut self, json: &str, rest: &mut Rest) -> Result<(), serde_json::Error> {
        for_each_member(json, |key, value| {
            match key {
                "task_footprint_bytes" => fill(&mut self.footprint_bytes, key, value, rest),
                "task_working_bytes" => fill(&mut self.working_bytes, key, value, rest),
                "task_serialized_bytes" => fill(&mut self.serialized_bytes, key, value, rest),
                "shared_id" | "shared_block_id" => {
                    fill_unless_negative(&mut self.shared_id, key, value, rest);
                }
                "shared_bytes" => fill(&mut self.shared_bytes, key, value, rest),
                "home_rank" => fill_unless_negative(&mut self.home_rank, key, value, rest),
                "rank_working_bytes" => fill(&mut self.rank_working_bytes, key, value, rest),
                _ => rest.add(key, value),
            }
            Ok(())
        })
    }
}

impl SubphaseRow {
    fn parse(phase: PhaseId, rank: u32, record: &str) -> Result<Self, serde_json::Error> {
        let mut row = SubphaseRow { phase, rank, ..SubphaseRow::default() };
        let mut rest = Rest::default();
        for_each_member(record, |key, value| {
            match key {
                "id" => fill(&mut row.subphase, key, value, &mut rest),
                "time" => fill(&mut row.time, key, value, &mut rest),
                _ => rest.add(key, value),
            }
            Ok(())
        })?;
        row.other = rest.into_text();
        Ok(row)
    }
}

/// Returns the columns of `tasks`.
pub(crate) fn task_columns<'d>() -> Vec<Column<TaskRow<'d>>> {
    vec![
        Column::new("phase", Cell::Signed(|row| i64::try_from(row.phase.0).ok())),
        Column::new("rank", Cell::Signed(|row| Some(row.rank.into()))),
        Column::new("id", Cell::Unsigned(|row| row.entity.id)),
        Column::new("seq_id", Cell::Unsigned(|row| row.entity.seq_id)),
        Column::new("home", Cell::Signed(|row| row.entity.home)),
        Column::new("migratable", Cell::Flag(|row| Some(row.is_migratable()))),
        Column::new("collection_id", Cell::Unsigned(|row| row.entity.collection_id)),
        Column::new("objgroup_id", Cell::Unsigned(|row| row.entity.objgroup_id)),
        Column::new("index", Cell::List(|row| row.entity.index.as_deref())),
        Column::new("node", Cell::Signed(|row| row.node)),
        Column::new("resource", Cell::Text(|row| row.resource.as_deref())),
        Column::new("time_s", Cell::Float(|row| row.time)),
        Column::new("n_subphases", Cell::Signed(|row| i64::try_from(row.n_subphases).ok())),
        Column::new("task_footprint_bytes", Cell::Float(|row| row.memory.footprint_bytes)),
        Column::new("task_working_bytes", Cell::Float(|row| row.memory.working_bytes)),
        Column::new("task_serialized_bytes", Cell::Float(|row| row.memory.serialized_bytes)),
        Column::new("shared_id", Cell::Unsigned(|row| row.memory.shared_id)),
        Column::new("shared_bytes", Cell::Float(|row| row.memory.shared_bytes)),
        Column::new("home_rank", Cell::Signed(|row| row.memory.home_rank)),
        Column::new("rank_working_bytes", Cell::Float(|row| row.memory.rank_working_bytes)),
        Column::new("user_defined", Cell::Text(|row| row.user_defined.as_deref())),
        Column::new("attributes", Cell::Text(|row| row.attributes.as_deref())),
        Column::new("other", Cell::Text(|row| row.other.as_deref())),
    ]
}

/// Returns the columns of `subphases`.
pub(crate) fn subphase_columns() -> Vec<Column<SubphaseRow>> {
    vec![
        Column::new("phase", Cell::Signed(|row| i64::try_from(row.phase.0).ok())),
        Column::new("rank", Cell::Signed(|row| Some(row.rank.into()))),
        Column::new("id", Cell::Unsigned(|row| row.id)),
        Column::new("seq_id", Cell::Unsigned(|row| row.seq_id)),
        Column::new("migratable", Cell::Flag(|row| Some(row.migratable))),
        Column::new("subphase", Cell::Unsigned(|row| row.subphase)),
        Column::new("time_s", Cell::Float(|row| row.time)),
        Column::new("other", Cell::Text(|row| row.other.as_deref())),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(record: &str) -> (TaskRow<'_>, Vec<SubphaseRow>) {
        let mut subphases = Vec::new();
        let row = TaskRow::parse(PhaseId(0), 0, record, &mut subphases).unwrap();
        (row, subphases)
    }

    /// The reader also uses the last value.
    #[test]
    fn the_last_value_of_a_repeated_key_counts() {
        let (row, subphases) = parse(
            r#"{"entity":{"id":1,"x":0},"time":1,"subphases":[{"id":0,"time":1.0}],"user_defined":{"shared_id":5,"y":1},
                "user_defined":{"shared_block_id":-1,"z":2},"entity":{"id":2,"id":3},"time":2.5,"subphases":[{"id":7}]}"#,
        );
        assert_eq!(
            (row.entity.id, row.time, row.memory.shared_id, row.n_subphases),
            (Some(3), Some(2.5), None, 1)
        );
        let [subphase] = &subphases[..] else { panic!("{subphases:?}") };
        assert_eq!((subphase.id, subphase.subphase, subphase.time), (Some(3), Some(7), None));
        assert_eq!((row.user_defined.as_deref(), row.other), (Some(r#"{"y":1,"z":2}"#), None));
    }

    #[test]
    fn values_of_other_types_are_kept_as_json_text() {
        let (row, subphases) = parse(
            r#"{"entity":{"id":1,"collection_id":"seven","objgroup_id":null,"index":[0.5]},"node":"a","resource":5,"time":1,
                "subphases":[{"id":"first","time":-1.5},{"id":1}],"attributes":[1, 2],"user_defined":{"task_working_bytes":0,"unit":null}}"#,
        );
        assert!(row.is_migratable());
        assert_eq!(
            row.other.as_deref(),
            Some(r#"{"node":"a","resource":5,"entity":{"collection_id":"seven","index":[0.5]}}"#)
        );
        assert_eq!(
            (row.attributes.as_deref(), row.user_defined.as_deref()),
            (Some("[1,2]"), Some(r#"{"unit":null}"#))
        );
        let others: Vec<_> =
            subphases.iter().map(|row| (row.subphase, row.time, row.other.as_deref())).collect();
        assert_eq!(others, [(None, Some(-1.5), Some(r#"{"id":"first"}"#)), (Some(1), None, None)]);
        // An entry is not a JSON object, so the value is not a list of subphases.
        let (row, subphases) = parse(r#"{"entity":{"id":1},"time":1,"subphases":[{"id":0,"time":1.0},5]}"#);
        assert!(subphases.is_empty());
        assert_eq!(row.other.as_deref(), Some(r#"{"subphases":[{"id":0,"time":1.0},5]}"#));
    }
}
