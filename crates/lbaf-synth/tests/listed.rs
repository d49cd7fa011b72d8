// SPDX-License-Identifier: MIT OR Apache-2.0
//! Listed data sets match their specification.
#![allow(clippy::unwrap_used, reason = "shared functions of tests may panic")]

use lbaf_synth::{ListedSpec, Population};
use lbaf_vom::record::{DataFile, Task, UserDefined};
use lbaf_vom::{packed_id, print};
use serde_json::{Value, json};

/// Three objects on two ranks, with a block and two communications.
fn smallest() -> Value {
    json!({
        "tasks": [{ "time": 2.0 }, { "time": 3.5 }, { "time": 5.0 }],
        "shared_blocks": [{ "size": 100, "home_rank": 1, "tasks": [0, 2] }],
        "communications": [{ "size": 10, "from": 2, "to": 0 }, { "size": 20, "from": 0, "to": 2 }],
        "ranks": { "0": { "tasks": [1, 0] }, "1": { "tasks": [2] } },
    })
}

/// The smallest specification with changes by pointer.
fn changed(changes: &[(&str, Value)]) -> Value {
    let mut spec = smallest();
    for (pointer, value) in changes {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        match spec.pointer_mut(parent).unwrap() {
            Value::Array(items) => items[key.parse::<usize>().unwrap()] = value.clone(),
            parent => parent[key] = value.clone(),
        }
    }
    spec
}

fn population(spec: Value) -> Result<Population, (String, String)> {
    let spec: ListedSpec = serde_json::from_value(spec).unwrap();
    spec.population().map_err(|error| (error.key(), error.to_string()))
}

fn files(spec: Value) -> Vec<DataFile> {
    population(spec).unwrap().files()
}

fn tasks(file: &DataFile) -> &[Task] {
    &file.phases[0].tasks
}

#[test]
fn every_rank_has_its_objects_by_id_and_their_communication() {
    let files = files(smallest());
    assert_eq!(files.len(), 2);
    let ids = |file| tasks(file).iter().map(|task| task.entity.id.unwrap()).collect::<Vec<_>>();
    let (first, second, third) = (packed_id(0, 0, true), packed_id(1, 0, true), packed_id(2, 1, true));
    assert_eq!((ids(&files[0]), ids(&files[1])), (vec![first, second], vec![third]));
    let sent = |file: &DataFile| {
        let entries = file.phases[0].communications.iter();
        entries.map(|entry| (entry.from.id.unwrap(), entry.to.id.unwrap(), entry.bytes)).collect::<Vec<_>>()
    };
    assert_eq!((sent(&files[0]), sent(&files[1])), (vec![(first, third, 20.0)], vec![(third, first, 10.0)]));
    assert_eq!(files[0].phases[0].id, 0);
}

#[test]
fn an_object_has_its_specified_values() {
    let task = json!({
        "time": 1, "seq_id": 9, "collection_id": 4, "home": 0, "node": 1,
        "user_defined": { "task_working_bytes": 8, "colour": "red", "zone": [1, { "x": true }] },
    });
    let files = files(changed(&[("/tasks/2", task)]));
    let task = &tasks(&files[1])[0];
    assert_eq!((task.entity.id, task.entity.home), (Some(packed_id(9, 0, true)), Some(0)));
    assert_eq!((task.entity.collection_id, &task.entity.index), (Some(4), &Some(vec![9])));
    assert_eq!((task.node, task.time), (1, 1.0));
    let facts = UserDefined {
        home_rank: Some(1),
        shared_bytes: Some(100.0),
        shared_id: Some(0),
        task_working_bytes: Some(8.0),
        other: [("colour".to_owned(), json!("red")), ("zone".to_owned(), json!([1, { "x": true }]))].into(),
        ..UserDefined::default()
    };
    assert_eq!(task.user_defined, Some(facts));
}

#[test]
fn non_migratable_objects_have_no_collection_by_default() {
    let files = files(changed(&[
        ("/tasks/0", json!({ "time": 1, "migratable": false })),
        ("/tasks/1", json!({ "time": 1, "migratable": false, "collection_id": 3 })),
    ]));
    let entity = |position: usize| tasks(&files[0])[position].entity.clone();
    assert_eq!((entity(0).migratable, entity(0).id), (Some(false), Some(packed_id(0, 0, false))));
    assert_eq!((entity(0).collection_id, entity(0).index), (None, None));
    assert_eq!((entity(1).migratable, entity(1).collection_id), (Some(false), Some(3)));
}

#[test]
fn the_initial_values_of_lbaf_count_as_absent() {
    let with = |task| print(&files(changed(&[("/tasks/2", task)]))[1]);
    let said = json!({
        "time": 5, "seq_id": 2, "collection_id": 7, "migratable": true, "home": -1, "node": -1,
    });
    assert_eq!(with(said), with(json!({ "time": 5 })));
}

#[test]
fn the_default_home_of_a_block_is_its_lowest_rank() {
    for home in [json!(null), json!(-1)] {
        let files = files(changed(&[("/shared_blocks/0/home_rank", home)]));
        for task in [&tasks(&files[0])[0], &tasks(&files[1])[0]] {
            assert_eq!(task.user_defined.as_ref().unwrap().home_rank, Some(0));
        }
    }
}

#[test]
fn blocks_keep_their_ids_and_unused_ones_are_listed() {
    let blocks =
        json!({ "40": { "size": 5, "tasks": [2] }, "7": { "size": 6 }, "8": { "size": 7, "tasks": [] } });
    let spec = changed(&[("/shared_blocks", blocks)]);
    let read: ListedSpec = serde_json::from_value(spec.clone()).unwrap();
    assert_eq!(read.unused_blocks(), [7, 8]);
    assert_eq!(tasks(&files(spec)[1])[0].user_defined.as_ref().unwrap().shared_id, Some(40));
}

#[test]
fn ranks_without_objects_have_files() {
    let files = files(changed(&[("/ranks/2", json!({ "tasks": [] })), ("/ranks/3", json!({}))]));
    assert_eq!(files.len(), 4);
    assert!(tasks(&files[3]).is_empty());
}

/// Checks that changes give an error with this key and message.
#[track_caller]
fn refuses(changes: &[(&str, Value)], key: &str, message: &str) {
    assert_eq!(population(changed(changes)).unwrap_err(), (key.to_owned(), message.to_owned()));
}

#[test]
fn objects_belong_to_one_rank_and_one_block_at_most() {
    refuses(
        &[("/ranks/1", json!({ "tasks": [2, 1] }))],
        "ranks.1.tasks.1",
        "task 1 is on rank 0 and on rank 1, but a task can only be on one rank",
    );
    refuses(
        &[("/ranks/0", json!({ "tasks": [1, 0, 1] }))],
        "ranks.0.tasks.2",
        "task 1 is on rank 0 twice, but must be listed once",
    );
    refuses(
        &[("/shared_blocks", json!([{ "size": 1, "tasks": [0] }, { "size": 1, "tasks": [1, 0] }]))],
        "shared_blocks.1.tasks.1",
        "task 0 is in block 0 and in block 1, but a task can only be in one block",
    );
    refuses(
        &[("/ranks/0", json!({ "tasks": [1] }))],
        "tasks.0",
        "task 0 is on no rank; list it under `tasks` of one of the `ranks`",
    );
    refuses(
        &[("/tasks/0", json!({ "time": 1, "node": 1 }))],
        "tasks.0.node",
        "task 0 has `node` 1, but is listed under rank 0; omit `node`, or list the task under rank 1",
    );
}

#[test]
fn entries_refer_to_listed_objects() {
    for (pointer, value, key, message) in [
        ("/ranks/0", json!({ "tasks": [0, 1, 3] }), "ranks.0.tasks.2", "rank 0 names task 3"),
        ("/shared_blocks/0/tasks", json!([9]), "shared_blocks.0.tasks.0", "block 0 names task 9"),
        ("/communications/1/from", json!(3), "communications.1.from", "communication 1 names task 3"),
        ("/communications/0/to", json!(4), "communications.0.to", "communication 0 names task 4"),
    ] {
        refuses(&[(pointer, value)], key, &format!("{message}, which is not listed under `tasks`"));
    }
}

#[test]
fn ranks_are_numbered_from_0_without_a_gap() {
    refuses(
        &[("/ranks/3", json!({ "tasks": [] }))],
        "ranks.3",
        "rank 2 is missing before rank 3; ranks are numbered from 0, and a rank without tasks has `tasks: []`",
    );
    let message = "there are no ranks; list the tasks of each rank under `ranks`, as in \
                   `ranks: {0: {tasks: [0, 1]}, 1: {tasks: [2]}}`";
    refuses(&[("/ranks", json!({}))], "", message);
    let ranks: Vec<Value> =
        (0..65537).map(|rank| json!({ "tasks": if rank == 0 { vec![0, 1, 2] } else { vec![] } })).collect();
    refuses(
        &[("/ranks", json!(ranks))],
        "ranks",
        "there are 65537 ranks, but object ids hold the home rank in 16 bits, so 65536 is the maximum",
    );
    assert_eq!(population(changed(&[("/ranks", json!(ranks[..65536]))])).unwrap().n_ranks(), 65536);
}

#[test]
fn object_ids_are_different_and_fit() {
    refuses(
        &[("/tasks/1", json!({ "time": 1, "seq_id": 0 }))],
        "tasks.1",
        "tasks 0 and 1 have the same sequence number and home, hence the same object id",
    );
    // Another home or kind of object gives another id.
    for other in
        [json!({ "time": 1, "seq_id": 0, "home": 1 }), json!({ "time": 1, "seq_id": 0, "migratable": false })]
    {
        assert_eq!(population(changed(&[("/tasks/1", other)])).unwrap().n_ranks(), 2);
    }
    refuses(
        &[("/tasks/1", json!({ "time": 1, "seq_id": 1_u64 << 46 }))],
        "tasks.1.seq_id",
        "task 1 has the sequence number 70368744177664, but object ids have 46 bits for it",
    );
    let largest = files(changed(&[("/tasks/1", json!({ "time": 1, "seq_id": (1_u64 << 46) - 1 }))]));
    assert_eq!(tasks(&largest[0])[1].entity.id, Some(0xffff_ffff_fffc_0003));
}

#[test]
fn invalid_values_are_refused_by_name() {
    let facts = |facts: Value| json!({ "time": 1, "user_defined": facts });
    let magnitude = "it must be finite and non-negative";
    let blocks = "memory blocks are described under `shared_blocks`";
    for (pointer, value, key, found, rule) in [
        ("/tasks/1", json!({ "time": -1 }), "tasks.1.time", "-1", magnitude),
        ("/tasks/1", json!({ "time": 1, "home": 2 }), "tasks.1.home", "2", "there is no such rank"),
        ("/shared_blocks/0/size", json!(-2.5), "shared_blocks.0.size", "-2.5", magnitude),
        (
            "/shared_blocks/0/home_rank",
            json!(1_u64 << 40),
            "shared_blocks.0.home_rank",
            "1099511627776",
            "there is no such rank",
        ),
        ("/communications/1/size", json!(-8), "communications.1.size", "-8", magnitude),
        (
            "/tasks/1",
            facts(json!({ "task_footprint_bytes": "much" })),
            "tasks.1.user_defined.task_footprint_bytes",
            "\"much\"",
            "a size must be a finite non-negative number",
        ),
        ("/tasks/1", facts(json!({ "shared_id": 3 })), "tasks.1.user_defined.shared_id", "3", blocks),
        (
            "/tasks/1",
            facts(json!({ "points": [1, null] })),
            "tasks.1.user_defined.points",
            "[1,null]",
            "it must have a value, and numbers must be finite",
        ),
    ] {
        refuses(&[(pointer, value)], key, &format!("`{key}` is {found}, but {rule}"));
    }
}
