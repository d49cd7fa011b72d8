// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cases worked by hand: facts that readers would misplace once objects have moved.

use std::slice::from_ref;

use serde_json::{Value, json};

use super::figures::Figures;
use crate::vom::{list, one_phase, packed, task};
use crate::workspace::Workspace;

/// Returns an object whose home is a rank, with a load of 1 and these facts about memory.
fn object(sequence: u64, home: u64, facts: Value) -> Value {
    let mut task = task(packed(sequence, home), home, 1.0);
    task["user_defined"] = facts;
    task
}

/// Places objects of two ranks as prescribed and reads the output again. Work is load plus the bytes away from
/// home.
fn placed(tasks: [&[Value]; 2], communications: &[Value], placement: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.write("data.0.json", one_phase(0, tasks[0], communications));
    workspace.write("data.1.json", one_phase(1, tasks[1], &[]));
    run(
        &workspace,
        "data",
        &format!("name: PrescribedPermutation, parameters: {{permutation: {placement}}}"),
        "out",
    );
    run(&workspace, "out/output_file", "name: PhaseStepper", "again");
    workspace
}

fn run(workspace: &Workspace, stem: &str, algorithm: &str, output_dir: &str) {
    let configuration = format!(
        "from_data: {{data_stem: {stem}}}
work_model: {{name: AffineCombination, parameters: {{delta: 1.0}}}}
algorithm: {{{algorithm}}}
output_dir: {output_dir}
write_JSON: {{compressed: false}}
plots: none
"
    );
    workspace.write("run.yaml", configuration);
    workspace.succeed(&["run", "run.yaml"]);
}

/// Checks a column of both ranks, as printed and as read again.
#[track_caller]
fn check(workspace: &Workspace, column: &str, expected: [f64; 2]) {
    let sides = [Figures::after(workspace, "out"), Figures::before(workspace, "again")];
    for phases in sides {
        let found = [0, 1].map(|rank| phases[&0].of_rank(rank, column));
        assert_eq!(found, expected, "{column}");
    }
}

fn tasks(workspace: &Workspace, stem: &str, rank: u64) -> Vec<Value> {
    list(&workspace.json(&format!("{stem}.{rank}.json"))["phases"][0], "tasks").to_vec()
}

/// The home of the block stays rank 0, the lowest rank with one of its objects at the start.
#[test]
fn a_block_without_a_stated_home_stays_at_home_when_its_tasks_leave() {
    let facts = json!({"shared_id": 4, "shared_bytes": 10.0});
    let [first, second] = [object(1, 0, facts.clone()), object(2, 1, facts)];
    let placement = format!("{{{}: 1, {}: 1}}", packed(1, 0), packed(2, 1));
    let workspace = placed([&[first], &[second]], &[], &placement);
    check(&workspace, "homing_bytes", [0.0, 10.0]);
    check(&workspace, "work", [0.0, 12.0]);
    let homes: Vec<Value> =
        tasks(&workspace, "out/output_file", 1).iter().map(|task| task["user_defined"].clone()).collect();
    assert_eq!(homes, vec![json!({"shared_id": 4, "shared_bytes": 10.0, "home_rank": 0}); 2]);
}

/// If tasks state two homes, the home stated on the lowest rank applies, independent of later migrations.
#[test]
fn the_first_of_contradicting_homes_is_stated_by_all_tasks() {
    let facts = |home: u64| json!({"home_rank": home, "shared_id": 4, "shared_bytes": 10.0});
    let [first, second] = [object(1, 0, facts(0)), object(2, 1, facts(1))];
    let placement = format!("{{{}: 1, {}: 0}}", packed(1, 0), packed(2, 1));
    let workspace = placed([&[first], &[second]], &[], &placement);
    check(&workspace, "homing_bytes", [0.0, 10.0]);
    for rank in 0..2 {
        assert_eq!(tasks(&workspace, "out/output_file", rank)[0]["user_defined"], facts(0));
    }
}

/// Rank 0 has 100 bytes, rank 1 has 7. After the object of rank 0 has left, the metadata state the memory of rank 0.
#[test]
fn a_rank_without_tasks_keeps_its_memory_and_tasks_state_that_of_their_new_rank() {
    let facts = |bytes: f64| json!({"a": 1, "rank_working_bytes": bytes, "z": "x"});
    let [first, second] = [object(1, 0, facts(100.0)), object(2, 1, facts(7.0))];
    let placement = format!("{{{}: 1, {}: 1}}", packed(1, 0), packed(2, 1));
    let workspace = placed([&[first], &[second]], &[], &placement);
    check(&workspace, "memory_bytes", [100.0, 7.0]);
    for task in tasks(&workspace, "out/output_file", 1) {
        assert_eq!(task["user_defined"].to_string(), facts(7.0).to_string());
    }
    let stated = |bytes: f64| json!({"bytes": bytes, "phases": {"list": [0], "range": []}});
    let metadata = |stem: &str, rank: u64| workspace.json(&format!("{stem}.{rank}.json"))["metadata"].clone();
    let expected = json!({"rank": 0, "type": "LBDatafile", "attributes": {"lbaf": {"rank_working_bytes": [stated(100.0)]}}});
    assert_eq!(metadata("out/output_file", 0), expected);
    assert_eq!(metadata("out/output_file", 1), json!({"rank": 1, "type": "LBDatafile"}));
    workspace.succeed(&["validate", "out/output_file.0.json", "out/output_file.1.json"]);
    // Again, in the opposite direction.
    let placement = format!("{{{}: 0, {}: 0}}", packed(1, 0), packed(2, 1));
    let algorithm = format!("name: PrescribedPermutation, parameters: {{permutation: {placement}}}");
    run(&workspace, "out/output_file", &algorithm, "back");
    assert_eq!(metadata("back/output_file", 0)["attributes"], json!({"lbaf": {"rank_working_bytes": []}}));
    assert_eq!(
        metadata("back/output_file", 1)["attributes"],
        json!({"lbaf": {"rank_working_bytes": [stated(7.0)]}})
    );
    // `ranks` compares the speed and the memory of ranks.
    let difference = workspace.lbaf(&["diff", "data", "back/output_file", "--json"]).stdout;
    let difference: Value = serde_json::from_str(&difference).expect("it is JSON");
    assert_eq!(difference["phases"][0]["ranks"], json!([]));
}

/// Every rank has a non-migratable object 0. The entry names the object of the rank that logged it, rank 0.
#[test]
fn an_endpoint_that_only_its_file_identifies_keeps_its_object() {
    let initial = |rank: u64| json!({"entity": {"home": rank, "id": 0, "migratable": false, "type": "object"}, "node": rank, "resource": "cpu", "time": 0.0});
    let object = task(packed(1, 0), 0, 1.0);
    let to = json!({"id": 0, "migratable": false, "type": "object"});
    let entry = json!({"bytes": 8.0, "from": object["entity"], "messages": 1, "to": to, "type": "SendRecv"});
    let placement = format!("{{{}: 1}}", packed(1, 0));
    let workspace = placed([&[initial(0), object], &[initial(1)]], &[entry], &placement);
    check(&workspace, "sent_bytes", [0.0, 8.0]);
    check(&workspace, "received_bytes", [8.0, 0.0]);
}

/// Complete records are copied even if objects move; only `node` changes.
#[test]
fn complete_records_are_copied() {
    let facts = json!({"home_rank": 1, "rank_working_bytes": 3, "shared_id": 4, "shared_bytes": 1.50e1});
    let [first, second] = [object(1, 0, facts.clone()), object(2, 1, facts)];
    let placement = format!("{{{}: 1, {}: 0}}", packed(1, 0), packed(2, 1));
    let workspace = placed([from_ref(&first), from_ref(&second)], &[], &placement);
    let moved = |task: &Value, rank: u64| {
        task.to_string().replace(&format!(r#""node":{}"#, 1 - rank), &format!(r#""node":{rank}"#))
    };
    assert!(workspace.text("out/output_file.0.json").contains(&moved(&second, 0)));
    assert!(workspace.text("out/output_file.1.json").contains(&moved(&first, 1)));
}

/// In phase 1, the object is on rank 1, and so is the home of its block, whichever phases are read.
#[test]
fn the_home_of_a_block_in_a_phase_does_not_depend_on_other_phases() {
    let workspace = Workspace::new();
    let facts = json!({"shared_id": 4, "shared_bytes": 5.0});
    for rank in 0..2 {
        let mut moved = object(1, 0, facts.clone());
        moved["node"] = json!(rank);
        let phase =
            |id: u64| json!({"id": id, "tasks": if id == rank { vec![moved.clone()] } else { Vec::new() }});
        let file = json!({"metadata": {"rank": rank, "type": "LBDatafile"}, "phases": [phase(0), phase(1)]});
        workspace.write(&format!("data.{rank}.json"), file.to_string());
    }
    run(&workspace, "data", "name: PhaseStepper", "out");
    let all = Figures::after(&workspace, "out");
    assert_eq!([0, 1].map(|rank| all[&1].of_rank(rank, "work")), [0.0, 1.0]);
    workspace.succeed(&["run", "run.yaml", "--phases", "1"]);
    let alone = Figures::after(&workspace, "out");
    assert_eq!(alone[&1].difference(&all[&1], &[]), None);
}

/// Object 2, whose home is rank 1, has no task. The entry that names it must not refer to the object that is added
/// on rank 1.
#[test]
fn an_object_added_for_vt_is_not_named_by_any_communication() {
    let workspace = Workspace::new();
    let absent = json!({"home": 1, "id": packed(2, 1), "migratable": true, "type": "object"});
    let object = task(packed(1, 0), 0, 1.0);
    let entry =
        json!({"bytes": 8.0, "from": object["entity"], "messages": 1, "to": absent, "type": "SendRecv"});
    workspace.write("data.0.json", one_phase(0, &[object], &[entry]));
    workspace.write("data.1.json", one_phase(1, &[], &[]));
    run(&workspace, "data", "name: PhaseStepper", "out");
    let set = ["--set", "write_JSON.offline_lb_compatible=true"];
    workspace.succeed(&[&["run", "run.yaml"][..], &set].concat());
    assert_eq!(tasks(&workspace, "out/output_file", 1)[0]["entity"]["id"], packed(3, 1));
}
