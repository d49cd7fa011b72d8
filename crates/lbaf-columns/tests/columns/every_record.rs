// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares every row of larger data sets with its record from a general JSON parser.

use std::collections::HashMap;
use std::path::Path;

use csv::StringRecord;
use lbaf_columns::Tables;
use lbaf_model::rank_totals;
use lbaf_reader::{Located, Recorded, locate};
use serde_json::Value;

use crate::data_set::{csv, examples, read, root, skip};

/// Rows of a table, with cells looked up by column name.
struct Rows {
    positions: HashMap<String, usize>,
    records: Vec<StringRecord>,
}

#[derive(Clone, Copy)]
struct Row<'a>(&'a HashMap<String, usize>, &'a StringRecord);

impl Rows {
    fn new(table: &str) -> Self {
        let mut reader = csv::Reader::from_reader(table.as_bytes());
        let names = reader.headers().unwrap().iter().enumerate();
        let positions = names.map(|(position, name)| (name.to_owned(), position)).collect();
        Rows { positions, records: reader.records().map(Result::unwrap).collect() }
    }

    fn iter(&self) -> impl ExactSizeIterator<Item = Row<'_>> {
        self.records.iter().map(|record| Row(&self.positions, record))
    }
}

impl<'a> Row<'a> {
    fn cell(self, column: &str) -> &'a str {
        &self.1[self.0[column]]
    }
}

/// Returns the documents of all ranks.
fn documents(Located { files, .. }: &Located) -> Vec<Value> {
    let document = |path| {
        let mut buffer = lbaf_vom::DocumentBuffer::default();
        buffer.decode(&std::fs::read(path).unwrap()).unwrap();
        serde_json::from_slice(buffer.text()).unwrap()
    };
    files.iter().map(document).collect()
}

/// Returns all records by phase, then by rank, then as in the file. No phase may repeat another.
fn records<'d>(documents: &'d [Value], key: &str) -> Vec<(u64, usize, &'d Value)> {
    let mut records = Vec::new();
    for (rank, document) in documents.iter().enumerate() {
        for phase in document["phases"].as_array().unwrap() {
            let id = phase["id"].as_u64().unwrap();
            records.extend(phase[key].as_array().into_iter().flatten().map(|record| (id, rank, record)));
        }
    }
    // A stable sort keeps the order of records in a file.
    records.sort_by_key(|(phase, rank, _)| (*phase, *rank));
    records
}

/// Asserts that a cell holds a value, as far as CSV can represent it.
#[track_caller]
fn check(row: Row<'_>, column: &str, value: &Value) {
    let cell = row.cell(column);
    match value {
        Value::Null => assert_eq!(cell, "", "{column}"),
        Value::String(text) => assert_eq!(cell, text, "{column}"),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(Value::to_string).collect();
            assert_eq!(cell, items.join(","), "{column}");
        }
        // Bytes and times are floating-point numbers even for integers in the record.
        Value::Number(number) if column.ends_with("_s") || column.ends_with("bytes") => {
            assert_eq!(
                cell.parse::<f64>().unwrap().to_bits(),
                number.as_f64().unwrap().to_bits(),
                "{column}"
            );
        }
        value => assert_eq!(cell, value.to_string(), "{column}"),
    }
}

fn check_end(row: Row<'_>, prefix: &str, entity: &Value) {
    for key in ["id", "seq_id", "home", "migratable", "collection_id", "objgroup_id", "index"] {
        check(row, &format!("{prefix}{key}"), &entity[key]);
    }
}

fn check_data_set(stem: &Path) {
    let recorded = read(stem);
    let (tables, written) = csv(&recorded);
    let documents = documents(&locate(stem, None).unwrap());
    let tables: Tables<Rows> = tables.try_map(|table| Ok::<_, ()>(Rows::new(&table))).unwrap();

    let tasks = records(&documents, "tasks");
    assert_eq!(tasks.len() as u64, written.rows.tasks);
    let mut subphases = tables.subphases.iter();
    for ((phase, rank, task), row) in tasks.iter().zip(tables.tasks.iter()) {
        check(row, "phase", &(*phase).into());
        check(row, "rank", &(*rank).into());
        check_end(row, "", &task["entity"]);
        for (column, key) in [("node", "node"), ("resource", "resource"), ("time_s", "time")] {
            check(row, column, &task[key]);
        }
        let memory = &task["user_defined"];
        for key in ["footprint", "working", "serialized"] {
            let column = format!("task_{key}_bytes");
            check(row, &column, &memory[&column]);
        }
        check(row, "rank_working_bytes", &memory["rank_working_bytes"]);
        check(row, "shared_bytes", &memory["shared_bytes"]);
        let block = if memory["shared_id"] == -1 { &Value::Null } else { &memory["shared_id"] };
        check(row, "shared_id", block);
        let of_task = task["subphases"].as_array().map_or(&[][..], |entries| entries);
        check(row, "n_subphases", &of_task.len().into());
        for subphase in of_task {
            let row = subphases.next().unwrap();
            check(row, "subphase", &subphase["id"]);
            check(row, "time_s", &subphase["time"]);
            check(row, "id", &task["entity"]["id"]);
        }
    }
    assert!(subphases.next().is_none());

    let communications = records(&documents, "communications");
    assert_eq!(communications.len() as u64, written.rows.communications);
    for ((phase, rank, communication), row) in communications.iter().zip(tables.communications.iter()) {
        check(row, "phase", &(*phase).into());
        check(row, "rank", &(*rank).into());
        for key in ["type", "bytes", "messages"] {
            check(row, key, &communication[key]);
        }
        for end in ["from", "to"] {
            check(row, &format!("{end}_type"), &communication[end]["type"]);
            check_end(row, &format!("{end}_"), &communication[end]);
        }
    }
    check_ranks(&recorded, &tables);
}

/// Checks that rows of ranks have the loads and the memory of the model, and that times of tasks add up to loads.
fn check_ranks(recorded: &Recorded, tables: &Tables<Rows>) {
    let number = |row: Row<'_>, column: &str| row.cell(column).parse::<f64>().unwrap();
    let mut loads: HashMap<[&str; 2], f64> = HashMap::new();
    for row in tables.tasks.iter() {
        *loads.entry(["phase", "rank"].map(|name| row.cell(name))).or_default() += number(row, "time_s");
    }
    let totals = recorded.data.phases().iter();
    let totals = totals.flat_map(|phase| rank_totals(phase, phase.recorded_assignment()));
    assert_eq!(totals.clone().count(), tables.ranks.iter().len());
    for (totals, row) in totals.zip(tables.ranks.iter()) {
        assert_eq!(number(row, "load_s"), totals.load);
        assert_eq!(number(row, "memory_bytes"), totals.memory_bytes());
        // Objects and rows are summed in different orders.
        let load = loads.get(&["phase", "rank"].map(|name| row.cell(name))).copied().unwrap_or_default();
        assert!((load - totals.load).abs() <= 1e-12 * totals.load, "{load} is not {}", totals.load);
    }
}

#[test]
fn tables_of_the_examples_equal_their_files() {
    for stem in examples() {
        check_data_set(&stem);
    }
}

#[test]
fn tables_of_data_sets_of_other_projects_equal_their_files() {
    let peers = root().join("../shared/peer/data");
    if !peers.is_dir() {
        return skip("there is no ../shared/peer/data");
    }
    for stem in [
        "synthetic-blocks/synthetic-dataset-blocks",
        "user-defined-memory-toy-problem/toy_mem",
        "challenging_toy_hundreds_tasks/toy",
        "nolb-8color-16nodes-11firstphases/data",
        "ccm_example/data",
    ] {
        check_data_set(&peers.join(stem));
    }
}
