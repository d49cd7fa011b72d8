// SPDX-License-Identifier: MIT OR Apache-2.0
//! Columns that phases share because they are equal.

use std::sync::Arc;

use lbaf_model::{Phase, RankId};
use serde_json::{Value, json};

use crate::data_set::{DataSet, id, send, task};

/// Returns a phase with two objects of one rank: loads, bytes that the first object sends, and its memory.
fn phase(number: u64, loads: [f64; 2], bytes: f64, memory: f64) -> Value {
    let mut first = task(3, loads[0]);
    first["user_defined"] = json!({"task_footprint_bytes": memory});
    let tasks = [first, task(7, loads[1])];
    json!({"id": number, "tasks": tasks, "communications": [send(&id(3), &id(7), bytes)]})
}

/// Returns true for each column that two phases share: memory, migratable, recorded ranks, edges, volumes.
fn shared(one: &Phase, other: &Phase) -> [bool; 5] {
    let (a, b) = (one.columns(), other.columns());
    let is_same = |a: &[u32], b: &[u32]| std::ptr::eq(a, b);
    [
        is_same(a.memory.positions(), b.memory.positions())
            && std::ptr::eq(a.memory.values(), b.memory.values()),
        Arc::ptr_eq(&a.migratable, &b.migratable),
        Arc::ptr_eq(&a.recorded, &b.recorded),
        a.communication.shares_edges(&b.communication),
        std::ptr::eq(a.communication.volumes(), b.communication.volumes()),
    ]
}

#[test]
fn equal_columns_of_consecutive_phases_are_in_memory_once() {
    let phases = [
        phase(0, [1.0, 2.0], 8.0, 64.0),
        phase(1, [3.0, 4.0], 8.0, 64.0),
        phase(2, [3.0, 4.0], 9.0, 64.0),
        phase(3, [3.0, 4.0], 9.0, 65.0),
    ];
    let data = DataSet::new(&[json!({"phases": phases})]).read().data;
    let [first, second, third, fourth] = data.phases() else { panic!("four phases") };
    assert_eq!(shared(first, second), [true; 5]);
    assert_eq!(shared(second, third), [true, true, true, true, false]);
    assert_eq!(shared(third, fourth), [false, true, true, true, true]);
    assert_eq!((&first.columns().load[..], &second.columns().load[..]), (&[1.0, 2.0][..], &[3.0, 4.0][..]));
    assert_eq!(third.communication().volumes()[0].bytes, 9.0);
    assert_eq!(fourth.columns().memory.values()[0].footprint_bytes, 65.0);
}

/// The objects are the same, but one of them has moved.
#[test]
fn a_new_placement_is_not_shared() {
    let (here, there) = (
        |moved: bool| if moved { vec![] } else { vec![task(5, 1.0)] },
        |moved: bool| {
            if moved { vec![task(7, 1.0), task(5, 1.0)] } else { vec![task(7, 1.0)] }
        },
    );
    let entry = |number: u64, tasks: Vec<Value>| json!({"id": number, "tasks": tasks});
    let file = |tasks: &dyn Fn(bool) -> Vec<Value>| json!({"phases": [entry(0, tasks(false)), entry(1, tasks(true))]});
    let data = DataSet::new(&[file(&here), file(&there)]).read().data;
    let [before, after] = data.phases() else { panic!("two phases") };
    assert_eq!(shared(before, after), [false, true, false, true, true]);
    assert_eq!(before.recorded_assignment().as_slice(), [RankId(0), RankId(1)]);
    assert_eq!(after.recorded_assignment().as_slice(), [RankId(1), RankId(1)]);
}
