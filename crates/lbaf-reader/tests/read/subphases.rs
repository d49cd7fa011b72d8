// SPDX-License-Identifier: MIT OR Apache-2.0
//! Times of objects in each subphase, if requested.

use lbaf_model::{PhaseId, Synchronised};
use lbaf_reader::{Recorded, Request};
use serde_json::{Value, json};

use crate::data_set::{DataSet, sentinel, task};

/// Returns a task with these subphases.
fn split(mut task: Value, subphases: &[(u32, f64)]) -> Value {
    task["subphases"] = subphases.iter().map(|&(id, time)| json!({"id": id, "time": time})).collect();
    task
}

fn phase(id: u64, tasks: &[Value]) -> Value {
    json!({"id": id, "tasks": tasks})
}

fn read(data: &DataSet) -> Recorded {
    data.read_as(&Request { subphases: true, ..Request::default() }).unwrap()
}

/// Returns the times by slot.
fn times(recorded: &Recorded, id: u64) -> Option<Vec<Vec<(usize, f64)>>> {
    let phase = recorded.data.phase(PhaseId(id)).unwrap();
    let subphases = phase.subphases()?;
    Some(phase.slots().map(|slot| subphases.of(slot).collect()).collect())
}

#[test]
fn objects_have_their_subphases_if_requested() {
    let data = DataSet::new(&[
        json!({"phases": [phase(0, &[
            split(task(7, 1.0), &[(0, 0.25), (1, 0.75)]),
            sentinel(0, 0.0),
        ])]}),
        json!({"phases": [phase(0, &[split(task(3, 2.0), &[(1, 2.0), (0, 0.0)])])]}),
    ]);
    assert_eq!(data.read().data.phases()[0].subphases(), None);
    let recorded = read(&data);
    // By key: the sentinel 0, then 3 and 7.
    assert_eq!(times(&recorded, 0).unwrap(), [vec![], vec![(1, 2.0)], vec![(0, 0.25), (1, 0.75)]]);
    let phase = &recorded.data.phases()[0];
    assert_eq!(phase.subphases().unwrap().numbers(), [0, 1]);
    let synchronised = Synchronised::of(phase, phase.recorded_assignment()).unwrap();
    assert_eq!(synchronised.maxima, [0.25, 2.0]);
    assert!(recorded.findings.warnings.is_empty(), "{:?}", recorded.findings.warnings);
}

#[test]
fn repeated_phases_have_the_subphases_of_the_first() {
    let metadata = json!({"phases": {"count": 2, "identical_to_previous": {"list": [1], "range": []}}});
    let tasks = [split(task(7, 1.0), &[(0, 1.0)])];
    let data = DataSet::new(&[json!({"metadata": metadata, "phases": [phase(0, &tasks)]})]);
    let recorded = read(&data);
    assert_eq!(times(&recorded, 1).unwrap(), [[(0, 1.0)]]);
}

#[test]
fn older_generations_and_text_have_subphases_too() {
    let old = json!({"entity": {"id": 3, "home": 0}, "node": 0, "time": 1.5, "subphases": [{"id": 0, "time": 0.5}, {"id": 1, "time": 1.0}]});
    let data = DataSet::new(&[json!({"phases": [phase(0, &[old])]})]);
    assert_eq!(times(&read(&data), 0).unwrap(), [[(0, 0.5), (1, 1.0)]]);
    let data = DataSet::new(&[json!(null), json!(null)]);
    std::fs::write(data.file(0), "0,1,0.5\n0,2,0.75 2 [0.5 0.25]\n1,2,0.75\n").unwrap();
    std::fs::write(data.file(1), "0,3,1,2,[0.0,1.0]\n").unwrap();
    let recorded = read(&data);
    assert_eq!(times(&recorded, 0).unwrap(), [vec![], vec![(0, 0.5), (1, 0.25)], vec![(1, 1.0)]]);
    assert_eq!(times(&recorded, 1), None);
    assert_eq!(
        recorded.findings.warnings,
        [
            "phase 1: no task has subphases, but other phases have some",
            "tasks without subphases, although others have some: 1 in phase 0; 0.500 s count in no subphase",
        ]
    );
}

#[test]
fn inconsistencies_are_reported_in_a_sentence_for_each_kind() {
    let tasks = [
        // |10 - (9 + 2)| + |1 - 0.5| = 1.5 s; the difference of task 7 is within the tolerance. Subphases 3, 4, 6, 7
        // and 8 are unused.
        split(task(3, 10.0), &[(2, 9.0), (5, 2.0)]),
        split(task(7, 1.0), &[(2, 0.9995)]),
        split(task(11, 1.0), &[(9, 0.5)]),
        task(15, 0.25),
        split(task(19, 4.0), &[]),
        task(23, 0.0),
    ];
    let fewer = [split(task(3, 1.0), &[(0, 1.0)]), task(7, 8.0)];
    let data = DataSet::new(&[json!({"phases": [phase(0, &tasks), phase(1, &tasks), phase(5, &fewer)]})]);
    assert_eq!(
        read(&data).findings.warnings,
        [
            "tasks without subphases, although others have some: up to 2 in phases 0-1, 5; up to 8.000 s in a phase count in no subphase",
            "tasks whose subphases do not sum up to their `time`: up to 2 in phases 0-1; the sum of the differences is up to 1.500 s in a phase; subphases and `time` are used as recorded",
            "unused subphase numbers between the first and the last, which add no barrier: up to 5 in phases 0-1",
        ]
    );
    assert!(data.read().findings.warnings.is_empty());
}

#[test]
fn requested_subphases_must_be_valid() {
    let data = DataSet::new(&[json!({"phases": [phase(0, &[split(task(3, 1.0), &[(0, -1.0)])])]})]);
    let error = data.read_as(&Request { subphases: true, ..Request::default() }).unwrap_err().to_string();
    let expected = "at /phases/0/tasks/0/subphases/0/time: expected a non-negative number, found -1";
    assert!(error.contains("d.0.json: ") && error.contains(expected), "{error}");
    assert!(times(&data.read(), 0).is_none());
}
