// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ranks: nodes, `rank_alpha` and working memory.

use std::collections::BTreeMap;

use lbaf_model::Rank;
use lbaf_reader::{NodeRule, Request};
use serde_json::{Value, json};

use crate::data_set::{DataSet, id, send, task};

/// Returns a data set of ranks with this metadata and without tasks.
fn with_metadata(metadata: &[Value]) -> DataSet {
    let document = |metadata: &Value| json!({"metadata": metadata, "phases": [{"id": 0, "tasks": []}]});
    DataSet::new(&metadata.iter().map(document).collect::<Vec<_>>())
}

fn ranks(data: &DataSet, request: &Request<'_>) -> Vec<Rank> {
    data.read_as(request).unwrap().data.phases()[0].ranks().to_vec()
}

fn nodes(data: &DataSet, nodes: NodeRule) -> Vec<u32> {
    ranks(data, &Request { nodes, ..Request::default() }).iter().map(|rank| rank.node.0).collect()
}

fn alphas(data: &DataSet, rank_alpha: &BTreeMap<u32, f64>) -> Vec<f64> {
    ranks(data, &Request { rank_alpha, ..Request::default() }).iter().map(|rank| rank.alpha).collect()
}

#[test]
fn consecutive_ranks_share_a_node() {
    let data = with_metadata(&vec![json!({}); 5]);
    assert_eq!(nodes(&data, NodeRule::RanksPerNode(1)), [0, 1, 2, 3, 4]);
    assert_eq!(nodes(&data, NodeRule::RanksPerNode(2)), [0, 0, 1, 1, 2]);
    assert_eq!(nodes(&data, NodeRule::RanksPerNode(9)), [0; 5]);
}

#[test]
fn files_can_state_the_nodes_of_ranks() {
    let on = |node: u64| json!({"shared_node": {"id": node, "size": 2, "rank": 0, "num_nodes": 9}});
    let data = with_metadata(&[on(7), on(7), json!({}), on(3), on(7), json!({})]);
    // Numbered by first occurrence. A rank without a stated node is alone.
    assert_eq!(nodes(&data, NodeRule::FromFiles), [0, 0, 1, 2, 0, 3]);
    assert_eq!(nodes(&data, NodeRule::RanksPerNode(1)), [0, 1, 2, 3, 4, 5]);
    let said: Vec<Option<u64>> =
        data.read().findings.shared_nodes.iter().map(|node| node.map(|node| node.id)).collect();
    assert_eq!(said, [Some(7), Some(7), None, Some(3), Some(7), None]);
}

#[test]
fn host_names_determine_nodes_if_files_state_nothing_else() {
    let named = |name: serde_json::Value| json!({"attributes": {"Hostname": name, "other": [1]}});
    let shared = json!({"shared_node": {"id": 7, "size": 2, "rank": 0, "num_nodes": 2}});
    let data = with_metadata(&[
        named(json!("n1")),
        named(json!("n2")),
        named(json!("n1")),
        json!({"attributes": {}}),
        // A number is not a name, and a stated node number takes precedence over any name.
        named(json!(7)),
        shared.clone(),
        json!({"shared_node": shared["shared_node"], "attributes": {"Hostname": "n1"}}),
    ]);
    assert_eq!(nodes(&data, NodeRule::FromFiles), [0, 1, 0, 2, 3, 4, 4]);
    let names = data.read().findings.hostnames;
    let names: Vec<Option<&str>> = names.iter().map(Option::as_deref).collect();
    assert_eq!(names, [Some("n1"), Some("n2"), Some("n1"), None, None, None, Some("n1")]);
}

#[test]
fn rank_alpha_is_that_of_the_files_unless_overridden() {
    let data = with_metadata(&[json!({"rank_alpha": 0.5}), json!({}), json!({"rank_alpha": 0})]);
    assert_eq!(alphas(&data, &BTreeMap::new()), [0.5, 1.0, 0.0]);
    assert_eq!(alphas(&data, &BTreeMap::from([(0, 100.0), (1, 0.0)])), [100.0, 0.0, 0.0]);
}

#[test]
fn memory_of_a_rank_is_the_largest_that_its_tasks_report() {
    let of = |id: u64, bytes: u32| {
        let mut task = task(id, 1.0);
        task["user_defined"] = json!({"rank_working_bytes": bytes});
        task
    };
    let data = DataSet::of_phase(&[
        (json!([of(3, 5), of(7, 9), of(11, 2)]), json!([])),
        (json!([task(15, 1.0)]), json!([])),
    ]);
    let bytes: Vec<f64> = ranks(&data, &Request::default()).iter().map(|rank| rank.working_bytes).collect();
    assert_eq!(bytes, [9.0, 0.0]);
}

#[test]
fn the_file_name_takes_precedence_over_the_stated_rank() {
    let data = with_metadata(&[json!({"rank": 0}), json!({"rank": 5})]);
    let path = data.file(1);
    let about = format!("{}: the metadata state rank 5; using the rank in the file name", path.display());
    assert_eq!(data.read().findings.warnings, [about]);
}

#[test]
fn ranks_missing_after_the_last_file_are_detected_from_homes() {
    let about = |home: u32| {
        format!(
            "there are files of ranks 0 to 1, but rank {home} is a home in the records; check for missing files"
        )
    };
    let at_home = |home: i32| {
        let mut task = task(3, 1.0);
        task["entity"]["home"] = json!(home);
        task
    };
    let warnings_of = |tasks: [Value; 2], communications: Value| {
        let [first, second] = tasks;
        let data = DataSet::of_phase(&[(json!([first]), json!([])), (json!([second]), communications)]);
        let about_homes = |warning: &String| warning.starts_with("there are files");
        data.read().findings.warnings.into_iter().filter(about_homes).collect::<Vec<String>>()
    };
    let none = json!([]);
    assert_eq!(warnings_of([at_home(1), task(7, 1.0)], none.clone()), [""; 0]);
    assert_eq!(warnings_of([at_home(-1), task(7, 1.0)], none.clone()), [""; 0]);
    assert_eq!(warnings_of([at_home(2), task(7, 1.0)], none), [about(2)]);
    let away = json!({"type": "object", "id": 27, "home": 9, "migratable": true});
    for (from, to) in [(away.clone(), id(7)), (id(7), away)] {
        let sent = json!([send(&from, &to, 5.0)]);
        assert_eq!(warnings_of([task(3, 1.0), task(7, 1.0)], sent), [about(9)]);
    }
}

/// The only task is in phase 0. The metadata state the memory of phases 0 and 1, but not of phase 2.
#[test]
fn memory_of_a_rank_in_the_metadata_takes_precedence_over_tasks() {
    let stated = json!([{"bytes": 7.0, "phases": {"list": [1], "range": [[3, 4]]}}, {"bytes": 9, "phases": {"list": [0]}}]);
    let mut first = task(3, 1.0);
    first["user_defined"] = json!({"rank_working_bytes": 5.0});
    let phases: Vec<Value> = (0..3)
        .map(|id| json!({"id": id, "tasks": if id == 0 { vec![first.clone()] } else { Vec::new() }}))
        .collect();
    let bytes = |metadata: Value| -> Vec<f64> {
        let data = DataSet::new(&[json!({"metadata": metadata, "phases": phases})]);
        data.read().data.phases().iter().map(|phase| phase.ranks()[0].working_bytes).collect()
    };
    assert_eq!(bytes(json!({"attributes": {"lbaf": {"rank_working_bytes": stated}}})), [9.0, 7.0, 0.0]);
    assert_eq!(bytes(json!({"attributes": {"lbaf": 1, "rank_working_bytes": 8}})), [5.0, 0.0, 0.0]);
}

#[test]
fn an_invalid_memory_in_metadata_is_an_error() {
    let error = |stated: Value| {
        let metadata = json!({"attributes": {"lbaf": {"rank_working_bytes": stated}}});
        with_metadata(&[metadata]).error().split(", at ").nth(1).unwrap_or_default().to_owned()
    };
    assert_eq!(
        error(json!([{"bytes": 1.0}])),
        "/metadata/attributes/lbaf/rank_working_bytes/0: expected `bytes` and `phases`, found an object"
    );
    assert_eq!(
        error(json!([{"bytes": -1.0, "phases": {}}])),
        "/metadata/attributes/lbaf/rank_working_bytes/0/bytes: expected a non-negative number, found -1"
    );
    assert_eq!(error(json!(3)), "/metadata/attributes/lbaf/rank_working_bytes: expected an array, found 3");
}
