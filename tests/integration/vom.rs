// SPDX-License-Identifier: MIT OR Apache-2.0
//! Small data sets made by hand, and LB data files as plain JSON values.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// Returns the packed id of a migratable collection element.
pub(crate) const fn packed(sequence: u64, home: u64) -> u64 {
    (sequence << 18) | (home << 2) | 3
}

/// Returns a migratable object of a collection.
pub(crate) fn entity(id: u64, home: u64) -> Value {
    json!({"collection_id": 7, "home": home, "id": id, "index": [0], "migratable": true, "type": "object"})
}

pub(crate) fn task(id: u64, home: u64, time: f64) -> Value {
    json!({"entity": entity(id, home), "node": home, "resource": "cpu", "time": time})
}

pub(crate) fn send(from: (u64, u64), to: (u64, u64), bytes: f64) -> Value {
    let (from, to) = (entity(from.0, from.1), entity(to.0, to.1));
    json!({"bytes": bytes, "from": from, "messages": 1, "to": to, "type": "SendRecv"})
}

/// Returns the file of a rank with one phase.
pub(crate) fn one_phase(rank: u64, tasks: &[Value], communications: &[Value]) -> String {
    json!({
        "metadata": {"rank": rank, "type": "LBDatafile"},
        "phases": [{"id": 0, "tasks": tasks, "communications": communications}],
    })
    .to_string()
}

pub(crate) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Returns the phase with this number in a file.
#[track_caller]
pub(crate) fn phase(document: &Value, id: u64) -> &Value {
    let phases = list(document, "phases");
    phases.iter().find(|phase| phase["id"] == id).unwrap_or_else(|| panic!("there is no phase {id}"))
}

/// Returns the numbers of the phases in a file, in the order of the file.
pub(crate) fn phase_ids(document: &Value) -> Vec<u64> {
    list(document, "phases").iter().filter_map(|phase| phase["id"].as_u64()).collect()
}

/// Returns a task without `node`, which changes when its object moves.
pub(crate) fn without_node(task: &Value) -> Value {
    let mut task = task.clone();
    task.as_object_mut().expect("a task is an object").remove("node");
    task
}

/// Adds the home of blocks whose tasks state none: the lowest rank with a task of the block in the phase.
pub(crate) fn state_homes(documents: &mut [Value]) {
    let mut first_ranks = BTreeMap::new();
    for (rank, document) in documents.iter_mut().enumerate() {
        for phase in document["phases"].as_array_mut().expect("a list of phases") {
            let id = phase["id"].as_u64();
            for task in phase.get_mut("tasks").and_then(Value::as_array_mut).into_iter().flatten() {
                let Some(facts) = task.get_mut("user_defined") else { continue };
                let states_none = facts.get("home_rank").is_none();
                if let Some(block) = facts.get("shared_id").and_then(Value::as_u64).filter(|_| states_none) {
                    facts["home_rank"] = json!(*first_ranks.entry((id, block)).or_insert(rank));
                }
            }
        }
    }
}
