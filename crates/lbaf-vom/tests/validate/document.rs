// SPDX-License-Identifier: MIT OR Apache-2.0
//! Valid documents with all known elements, and changes to them.

use serde_json::{Value, json};

/// Returns an LB data file with every documented key.
pub(crate) fn data_file() -> Value {
    let entity = json!({
        "collection_id": 7, "home": 0, "id": 262_147, "index": [0, 1], "migratable": true,
        "objgroup_id": 3, "type": "object",
    });
    let by_sequence = json!({
        "collection_id": 7, "home": 0, "migratable": true, "seq_id": 4, "type": "object",
    });
    let task = |entity: &Value| {
        json!({
            "attributes": {"anything": [1, "a", null]}, "entity": entity, "node": 0, "resource": "cpu",
            "subphases": [{"id": 0, "time": 0.5}], "time": 1.5, "user_defined": {"anything": {"at": "all"}},
        })
    };
    let communications = json!([
        {"bytes": 8.0, "from": entity, "messages": 1, "to": by_sequence, "type": "SendRecv"},
        {"bytes": 8.0, "from": {"id": 3, "type": "shared_id"}, "messages": 1, "to": {"id": 0, "type": "node"},
         "type": "WriteShared"},
    ]);
    let phase = json!({
        "communications": communications, "id": 0,
        "lb_iterations": [{
            "communications": communications, "id": 0, "tasks": [task(&entity)], "user_defined": {"a": 1},
        }],
        "tasks": [task(&entity), task(&by_sequence)], "user_defined": {"a": 1},
    });
    json!({
        "metadata": {
            "attributes": {"a": 1},
            "phases": {
                "count": 3,
                "identical_to_previous": {"list": [1], "range": [[2, 3]]},
                "skipped": {"list": [4], "range": [[5, 6]]},
            },
            "rank": 0, "rank_alpha": 1.5,
            "shared_node": {"id": 0, "num_nodes": 1, "rank": 0, "size": 1},
            "type": "LBDatafile",
        },
        "phases": [phase],
        "type": "LBDatafile",
    })
}

/// Names of the eleven moments.
pub(crate) const MOMENTS: [&str; 11] =
    ["avg", "car", "imb", "kur", "max", "min", "npr", "skw", "std", "sum", "var"];

/// Returns an LB statistics file with every key of the format.
pub(crate) fn statistics_file() -> Value {
    let group: Value = MOMENTS.iter().map(|moment| ((*moment).to_owned(), json!(0.5))).collect();
    let groups = json!({
        "Object_comm": group, "Object_load_modeled": group, "Object_load_raw": group,
        "Object_strategy_specific_load_modeled": group,
        "Rank_comm": group, "Rank_load_modeled": group, "Rank_load_raw": group,
        "Rank_strategy_specific_load_modeled": group,
    });
    json!({
        "metadata": {"type": "LBStatsfile"},
        "phases": [{"id": 0, "migration count": 4, "post-LB": groups, "pre-LB": groups}],
        "type": "LBStatsfile",
    })
}

/// Returns the document with another value at a pointer, whose last key may be new.
pub(crate) fn set(document: &Value, pointer: &str, value: Value) -> Value {
    let mut changed = document.clone();
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer to a member");
    match changed.pointer_mut(parent).unwrap_or_else(|| panic!("there is nothing at {parent}")) {
        Value::Object(members) => {
            members.insert(key.to_owned(), value);
        }
        Value::Array(elements) => elements[key.parse::<usize>().expect("an index")] = value,
        _ => panic!("{parent} is neither an object nor an array"),
    }
    changed
}

/// Returns the document without the member at a pointer.
pub(crate) fn removed(document: &Value, pointer: &str) -> Value {
    let mut changed = document.clone();
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer to a member");
    let members = changed.pointer_mut(parent).and_then(Value::as_object_mut);
    let gone = members.expect("an object").remove(key);
    assert!(gone.is_some(), "there is nothing at {pointer}");
    changed
}
