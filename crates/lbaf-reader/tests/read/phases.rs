// SPDX-License-Identifier: MIT OR Apache-2.0
//! Phases of a data set, and the entries that hold them.

use lbaf_model::PhaseId;
use lbaf_reader::{Recorded, Request};
use serde_json::{Value, json};

use crate::data_set::{DataSet, id, send, task};

/// Returns a file with entries (phase, load of its only object) and metadata about phases.
fn file(object: u64, entries: &[(u64, f64)], phases: &Value) -> Value {
    let entry = |&(phase, load): &(u64, f64)| {
        json!({
            "id": phase,
            "tasks": [task(object, load)],
            "communications": [send(&id(object), &id(object), 1.0)],
        })
    };
    json!({"metadata": {"phases": phases}, "phases": entries.iter().map(entry).collect::<Vec<_>>()})
}

fn identical(list: &[u64], range: &[[u64; 2]]) -> Value {
    json!({"identical_to_previous": {"list": list, "range": range}})
}

fn skipped(list: &[u64], range: &[[u64; 2]]) -> Value {
    json!({"skipped": {"list": list, "range": range}})
}

/// Returns each phase with the loads of its objects.
fn loads(recorded: &Recorded) -> Vec<(u64, Vec<f64>)> {
    recorded.data.phases().iter().map(|phase| (phase.id().0, phase.columns().load.clone())).collect()
}

fn repeats(recorded: &Recorded) -> Vec<(u64, u64)> {
    recorded.findings.repeats.iter().map(|(phase, base)| (phase.0, base.0)).collect()
}

#[test]
fn phases_need_not_begin_at_zero_or_follow_each_other_or_be_in_order() {
    let nothing = json!({});
    let data = DataSet::new(&[
        file(3, &[(101, 2.0), (1, 1.0), (901, 3.0)], &nothing),
        file(7, &[(1, 4.0), (101, 5.0), (901, 6.0)], &nothing),
    ]);
    let recorded = data.read();
    assert_eq!(loads(&recorded), [(1, vec![1.0, 4.0]), (101, vec![2.0, 5.0]), (901, vec![3.0, 6.0])]);
    assert_eq!(recorded.findings.phases_recorded, [1, 101, 901]);
    assert_eq!(repeats(&recorded), []);
}

#[test]
fn only_selected_phases_are_read_but_all_are_listed() {
    let data = DataSet::new(&[file(3, &[(0, 1.0), (1, 2.0), (2, 3.0)], &json!({}))]);
    let request = Request { phases: &|phase| phase == 1, ..Request::default() };
    let recorded = data.read_as(&request).unwrap();
    assert_eq!(loads(&recorded), [(1, vec![2.0])]);
    assert_eq!(recorded.findings.phases_recorded, [0, 1, 2]);
}

#[test]
fn a_phase_identical_on_all_ranks_repeats_the_entry_before() {
    let same = identical(&[2], &[[4, 6]]);
    let data = DataSet::new(&[file(3, &[(1, 1.0), (3, 2.0)], &same), file(7, &[(1, 4.0), (3, 5.0)], &same)]);
    let recorded = data.read();
    let (first, second) = (vec![1.0, 4.0], vec![2.0, 5.0]);
    let expected = [
        (1, first.clone()),
        (2, first),
        (3, second.clone()),
        (4, second.clone()),
        (5, second.clone()),
        (6, second),
    ];
    assert_eq!(loads(&recorded), expected);
    assert_eq!(repeats(&recorded), [(2, 1), (4, 3), (5, 3), (6, 3)]);
    assert_eq!(recorded.findings.phases_recorded, [1, 2, 3, 4, 5, 6]);
    // A repetition has the same counts as its base.
    for counts in recorded.findings.communications.values() {
        assert_eq!(counts.n_entries(), 2);
    }
    assert_eq!(recorded.findings.communications.len(), 6);
}

#[test]
fn a_repetition_can_be_read_without_its_base() {
    let same = identical(&[], &[[1, 3]]);
    let data = DataSet::new(&[file(3, &[(0, 1.0), (9, 2.0)], &same), file(7, &[(0, 4.0), (9, 5.0)], &same)]);
    let request = Request { phases: &|phase| phase == 3 || phase == 2, ..Request::default() };
    let recorded = data.read_as(&request).unwrap();
    assert_eq!(loads(&recorded), [(2, vec![1.0, 4.0]), (3, vec![1.0, 4.0])]);
    assert_eq!(repeats(&recorded), [(2, 0), (3, 0)]);
    assert_eq!(recorded.findings.communications[&PhaseId(3)].n_entries(), 2);
}

/// Phase 2 combines an entry of rank 0 with phase 1 of rank 1.
#[test]
fn a_phase_identical_on_some_ranks_is_a_separate_phase() {
    let data = DataSet::new(&[
        file(3, &[(0, 1.0), (1, 2.0), (2, 3.0)], &json!({})),
        file(7, &[(0, 4.0), (1, 5.0)], &identical(&[2], &[])),
    ]);
    let recorded = data.read();
    assert_eq!(loads(&recorded), [(0, vec![1.0, 4.0]), (1, vec![2.0, 5.0]), (2, vec![3.0, 5.0])]);
    assert_eq!(repeats(&recorded), []);
}

/// In phase 2, rank 0 repeats its phase 0, and rank 1 repeats its phase 1.
#[test]
fn ranks_may_repeat_different_entries() {
    let data = DataSet::new(&[
        file(3, &[(0, 1.0)], &identical(&[1, 2], &[])),
        file(7, &[(0, 4.0), (1, 5.0)], &identical(&[2], &[])),
    ]);
    let recorded = data.read();
    assert_eq!(loads(&recorded), [(0, vec![1.0, 4.0]), (1, vec![1.0, 5.0]), (2, vec![1.0, 5.0])]);
    assert_eq!(repeats(&recorded), []);
}

#[test]
fn phases_skipped_by_all_ranks_are_absent() {
    let gaps = skipped(&[1], &[[3, 5]]);
    let data = DataSet::new(&[
        file(3, &[(0, 1.0), (2, 2.0), (6, 3.0)], &gaps),
        file(7, &[(0, 4.0), (2, 5.0), (6, 6.0)], &gaps),
    ]);
    let recorded = data.read();
    assert_eq!(recorded.findings.phases_recorded, [0, 2, 6]);
    assert_eq!(recorded.data.phases().len(), 3);
}

#[test]
fn a_phase_that_some_ranks_lack_is_refused() {
    let error = |phases: &Value, entries: &[(u64, f64)]| {
        DataSet::new(&[file(3, &[(0, 1.0), (1, 2.0)], &json!({})), file(7, entries, phases)]).error()
    };
    assert_eq!(
        error(&json!({}), &[(0, 4.0)]),
        "d.1.json: phase 1 is missing on rank 1 but exists in d.0.json"
    );
    assert_eq!(
        error(&skipped(&[1], &[]), &[(0, 4.0)]),
        "d.1.json: phase 1 is listed as skipped on rank 1 but exists on other ranks"
    );
    assert_eq!(
        error(&identical(&[0], &[]), &[(1, 4.0)]),
        "d.1.json: phase 0 of rank 1 is listed as identical to the previous phase, but it is the first"
    );
}

#[test]
fn phases_outside_the_selection_may_be_incomplete() {
    let data = DataSet::new(&[file(3, &[(0, 1.0), (1, 2.0)], &json!({})), file(7, &[(1, 4.0)], &json!({}))]);
    let request = Request { phases: &|phase| phase == 1, ..Request::default() };
    assert_eq!(loads(&data.read_as(&request).unwrap()), [(1, vec![2.0, 4.0])]);
}

#[test]
fn an_entry_without_a_number_gets_its_position_with_a_warning() {
    let data = DataSet::new(&[json!({"phases": [{"tasks": [task(3, 1.0)]}, {"tasks": [task(3, 2.0)]}]})]);
    let recorded = data.read();
    assert_eq!(loads(&recorded), [(0, vec![1.0]), (1, vec![2.0])]);
    let path = data.file(0);
    let about = |at: u64| format!("{}: phase entry {at} has no `id`; assuming phase {at}", path.display());
    assert_eq!(recorded.findings.warnings, [about(0), about(1)]);
}
