// SPDX-License-Identifier: MIT OR Apache-2.0
//! What tools around LBAF find in its outputs: statistics in the log, files for OfflineLB, quantities of objects. Figures
//! are those that LBAF 1.6 prints, or worked by hand.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::peers::{EIGHT_COLOURS, peer};
use crate::vom::{list, packed, phase, phase_ids, send, task};
use crate::workspace::Workspace;

/// A configuration of LBAF for a data set, with outputs in `out` and a log.
fn configuration(stem: &str, more: &str) -> String {
    format!(
        "from_data: {{data_stem: {stem}}}\nlog_to_file: run.log\noutput_dir: out\noutput_file_stem: new\nplots: none\n{more}\n"
    )
}

const STEPPER: &str = "work_model: {name: AffineCombination, parameters: {beta: 1.0e-08, gamma: 0.0}}
algorithm: {name: PhaseStepper}";

/// LBAF rebalances nothing then, and writes the phases that it read.
#[test]
fn a_stepper_adds_no_phase_to_files_for_offline_lb() {
    let workspace = Workspace::new();
    for rank in 0..2 {
        let phase = |id: u64| json!({"id": id, "tasks": [task(packed(rank + 1, rank), rank, 1.0)]});
        let document =
            json!({"metadata": {"rank": rank, "type": "LBDatafile"}, "phases": [phase(0), phase(1)]});
        workspace.write(&format!("data.{rank}.json"), document.to_string());
    }
    let offline = "write_JSON: {compressed: false, offline_lb_compatible: true}";
    for more in ["algorithm: {name: PhaseStepper}", "algorithm: {name: NoLB, placement: carry}"] {
        workspace.write("run.yaml", configuration("data", &format!("{more}\n{offline}")));
        let said = workspace.lbaf(&["run", "run.yaml"]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        insta::allow_duplicates! {
            insta::assert_snapshot!(said.stderr, @"warning: no phase was rebalanced, so the files for OfflineLB hold 2 phases as recorded and no phase after them");
        }
        let (input, output) = (workspace.documents("data"), workspace.documents("out/new"));
        for (recorded, written) in input.iter().zip(&output) {
            assert_eq!(written["phases"], recorded["phases"], "{more}");
        }
    }
}

/// LBAF's `test_vt_writer` on its required fields: tasks in files of a stepper are those that were read.
#[test]
fn tasks_of_a_stepper_are_written_as_they_were_read() {
    let Some(workspace) = peer(EIGHT_COLOURS) else { return };
    let stem = crate::peers::stem(EIGHT_COLOURS);
    let write =
        "write_JSON: {compressed: true, suffix: json, communications: true, offline_lb_compatible: true}";
    workspace.write("run.yaml", configuration(&stem, &format!("{STEPPER}\n{write}")));
    workspace.succeed(&["-c", "run.yaml"]);
    let (input, output) = (workspace.documents(&stem), workspace.documents("out/new"));
    assert_eq!((input.len(), output.len()), (32, 32));
    for (recorded, written) in input.iter().zip(&output) {
        assert_eq!(phase_ids(written), (0..=10).collect::<Vec<u64>>());
        for id in phase_ids(written) {
            assert_eq!(sorted_tasks(phase(written, id)), sorted_tasks(phase(recorded, id)), "phase {id}");
        }
    }
}

/// What LBAF's test compares of tasks, by id.
fn sorted_tasks(phase: &Value) -> BTreeMap<u64, Value> {
    let of = |task: &Value| {
        let entity = &task["entity"];
        let required = json!([
            entity["home"],
            entity["migratable"],
            entity["type"],
            task["node"],
            task["resource"],
            task["time"]
        ]);
        (entity["id"].as_u64().expect("a packed id"), required)
    };
    list(phase, "tasks").iter().map(of).collect()
}

/// LBAF's `test_vt_writer` on communications: as many phases, no entry lost, senders on the rank that lists them.
#[test]
fn communications_are_listed_by_the_rank_of_their_sender() {
    let workspace = Workspace::new();
    let ids: Vec<u64> = (0..12).map(|at| packed(at + 1, at % 2)).collect();
    for rank in 0..4_u64 {
        let mine = || ids.iter().filter(move |id| **id >> 2 & 0xffff == rank);
        let tasks: Vec<Value> = mine().map(|&id| task(id, rank, 1.0 + (id % 5) as f64)).collect();
        let sent: Vec<Value> =
            mine().map(|&id| send((id, rank), (ids[(id % 12) as usize], 0), 3.0)).collect();
        let phase = |id: u64| json!({"id": id, "tasks": tasks, "communications": sent});
        let phases: Vec<Value> = (0..3).map(phase).collect();
        let document = json!({"metadata": {"rank": rank, "type": "LBDatafile"}, "phases": phases});
        workspace.write(&format!("data.{rank}.json"), document.to_string());
    }
    let gossip = "work_model: {name: AffineCombination, parameters: {beta: 1.0e-08, gamma: 0.0}}
algorithm: {name: InformAndTransfer, phase_id: 0, parameters: {n_rounds: 2, fanout: 2, deterministic_transfer: true}}
write_JSON: {compressed: true, suffix: json, communications: true, offline_lb_compatible: true}";
    workspace.write("run.yaml", configuration("data", gossip));
    workspace.succeed(&["-c", "run.yaml"]);
    let (input, output) = (workspace.documents("data"), workspace.documents("out/new"));
    let count = |documents: &[Value], id| -> usize {
        documents.iter().map(|document| list(phase(document, id), "communications").len()).sum()
    };
    let mut n_moved = 0;
    for id in 0..3 {
        assert_eq!((count(&input, id), count(&output, id)), (12, 12), "phase {id}");
        for (rank, document) in output.iter().enumerate() {
            assert_eq!(phase_ids(document), [0, 1, 2]);
            let here: Vec<&Value> =
                list(phase(document, id), "tasks").iter().map(|task| &task["entity"]["id"]).collect();
            for entry in list(phase(document, id), "communications") {
                assert_eq!(entry["from"]["migratable"], true);
                assert!(here.contains(&&entry["from"]["id"]), "phase {id}, rank {rank}: {entry}");
                n_moved += usize::from(entry["from"]["home"] != rank);
            }
        }
    }
    assert!(n_moved > 0);
}
