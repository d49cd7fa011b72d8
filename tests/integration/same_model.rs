// SPDX-License-Identifier: MIT OR Apache-2.0
//! One data set in every form of the format gives the same model and the same results.
//!
//! All objects are migratable, every edge is one message, no memory is stated, and objects have the same
//! numbers in all forms.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::vom::packed;
use crate::workspace::Workspace;

/// Phase, rank, object, load. Object 4 has migrated by phase 1.
const LOADS: [(u64, usize, u64, f64); 12] = [
    (0, 0, 0, 2.5),
    (0, 0, 1, 0.125),
    (0, 0, 2, 1.75),
    (0, 1, 3, 0.5),
    (0, 1, 4, 0.1),
    (0, 2, 5, 3.25),
    (1, 0, 0, 2.25),
    (1, 0, 1, 0.25),
    (1, 0, 2, 1.5),
    (1, 1, 3, 0.75),
    (1, 2, 4, 0.3),
    (1, 2, 5, 3.0),
];

/// Phase, rank whose file has the entry, sender, receiver, bytes, type. An endpoint is the number of an object, or
/// of a rank if the type requires one.
const ENTRIES: [(u64, usize, u64, u64, f64, &str); 6] = [
    (0, 0, 0, 3, 100.0, "SendRecv"),
    (0, 0, 0, 3, 28.0, "SendRecv"),
    (0, 2, 5, 1, 64.0, "SendRecv"),
    (0, 1, 0, 4, 32.0, "Broadcast"),
    (1, 0, 2, 1, 16.0, "CollectionToNode"),
    (1, 1, 2, 3, 8.0, "NodeToCollection"),
];

const HOMES: [u64; 6] = [0, 0, 0, 1, 1, 2];

fn number(object: u64) -> u64 {
    packed(object + 1, HOMES[object as usize])
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    Text,
    NodeStats,
    LbData,
    SeqId,
}

const FORMS: [(Form, &str); 4] = [
    (Form::Text, "text"),
    (Form::NodeStats, "node-stats"),
    (Form::LbData, "lb-data"),
    (Form::SeqId, "seq-id"),
];

/// Returns the file of a rank, written from the tables.
fn file(form: Form, rank: usize) -> String {
    if form == Form::Text { text(rank) } else { json_of(form, rank) }
}

fn text(rank: usize) -> String {
    let mut lines = String::new();
    for phase in 0..2 {
        for (_, _, object, load) in LOADS.into_iter().filter(|load| (load.0, load.1) == (phase, rank)) {
            writeln!(lines, "{phase},{},{load:?}", number(object)).expect("strings grow");
        }
        for (_, _, from, to, bytes, kind) in
            ENTRIES.into_iter().filter(|entry| (entry.0, entry.1) == (phase, rank))
        {
            let (from, to, kind) = match kind {
                "SendRecv" => (number(from), number(to), 1),
                "CollectionToNode" => (number(from), to, 2),
                "NodeToCollection" => (from, number(to), 3),
                _ => (number(from), number(to), 4),
            };
            writeln!(lines, "{phase},{to},{from},{bytes:?},{kind}").expect("strings grow");
        }
    }
    lines
}

fn json_of(form: Form, rank: usize) -> String {
    let entity = |object: u64| {
        let mut entity = json!({"collection_id": 7, "home": HOMES[object as usize], "type": "object"});
        entity[if form == Form::SeqId { "seq_id" } else { "id" }] = json!(number(object));
        if form != Form::NodeStats {
            entity["migratable"] = json!(true);
        }
        entity
    };
    let node = |rank: u64| json!({"id": rank, "type": "node"});
    let phase = |phase: u64| {
        let tasks: Vec<Value> = (LOADS.into_iter())
            .filter(|load| (load.0, load.1) == (phase, rank))
            .map(|(_, _, object, load)| json!({"entity": entity(object), "node": rank, "resource": "cpu", "time": load}))
            .collect();
        let entries: Vec<Value> = (ENTRIES.into_iter())
            .filter(|entry| (entry.0, entry.1) == (phase, rank))
            .map(|(_, _, from, to, bytes, kind)| {
                let from = if kind == "NodeToCollection" { node(from) } else { entity(from) };
                let to = if kind == "CollectionToNode" { node(to) } else { entity(to) };
                json!({"bytes": bytes, "from": from, "messages": 1, "to": to, "type": kind})
            })
            .collect();
        let mut phase = json!({"id": phase, "tasks": tasks});
        if !entries.is_empty() {
            phase["communications"] = json!(entries);
        }
        phase
    };
    let mut document = json!({"phases": [phase(0), phase(1)]});
    if form != Form::NodeStats {
        document["metadata"] = json!({"rank": rank, "type": "LBDatafile"});
    }
    document.to_string()
}

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    for (form, name) in FORMS {
        for rank in 0..3 {
            workspace.write(&format!("{name}.{rank}.json"), file(form, rank));
        }
    }
    workspace
}

fn info(workspace: &Workspace, stem: &str) -> Value {
    let mut info: Value =
        serde_json::from_str(&workspace.succeed(&["info", "--json", stem])).expect("the output is JSON");
    for key in ["stem", "suffix", "generations", "file_bytes", "document_bytes"] {
        info.as_object_mut().expect("an object").remove(key).expect("it is there");
    }
    info
}

#[test]
fn every_form_gives_the_same_model() {
    let workspace = workspace();
    let expected = info(&workspace, "lb-data");
    assert_eq!(expected["phases"][0]["n_objects"], 6);
    assert_eq!(expected["phases"][0]["off_rank_bytes"], 192.0);
    assert_eq!(expected["warnings"], json!([]));
    for (_, name) in FORMS {
        assert_eq!(info(&workspace, name), expected, "{name}");
    }
}

/// All types count as volume, so that the results also depend on endpoints that are ranks. The forms represent
/// these endpoints differently.
#[test]
fn every_form_gives_the_same_results() {
    let workspace = workspace();
    let run = |name: &str| {
        let configuration = format!(
            "from_data: {{data_stem: {name}, communication_types: all}}
work_model: {{name: AffineCombination, parameters: {{beta: 0.001}}}}
algorithm: {{name: Greedy}}
output_dir: out-{name}
plots: none
"
        );
        workspace.write("run.yaml", configuration);
        workspace.succeed(&["run", "run.yaml"]);
        let mut summary = workspace.json(&format!("out-{name}/summary.json"));
        let members = summary.as_object_mut().expect("an object");
        members.remove("files").expect("it is there");
        members.remove("configuration").expect("it is there");
        let input = members["input"].as_object_mut().expect("an object");
        assert_eq!(input.remove("stem").expect("it is there"), name);
        input.remove("document_bytes").expect("it is there");
        let ranks = workspace.text(&format!("out-{name}/ranks.csv"));
        let migrations = workspace.text(&format!("out-{name}/migrations.csv")).replace(",seq_id,", ",id,");
        (summary, ranks, migrations)
    };
    let expected = run("lb-data");
    assert!(expected.2.lines().count() > 3, "objects move");
    for (_, name) in FORMS {
        assert_eq!(run(name), expected, "{name}");
    }
}

/// Every form is converted into every form; the result equals the files written from the tables.
#[test]
fn every_form_converts_into_every_form() {
    let workspace = workspace();
    for (_, from) in FORMS {
        for (form, to) in FORMS {
            let stem = format!("{from}-{to}/data");
            workspace.succeed(&["convert", from, &stem, "--to", to, "--output-suffix", "out"]);
            for rank in 0..3 {
                let converted = workspace.text(&format!("{stem}.{rank}.out"));
                if form == Form::Text {
                    assert_eq!(converted, text(rank), "{stem}");
                    continue;
                }
                let mut expected = file(form, rank);
                if (from, to) == ("text", "lb-data") {
                    // The text form names no collections, and `lb-data` does not need them.
                    expected = expected.replace(r#""collection_id":7,"#, "");
                }
                let values = [converted, expected]
                    .map(|document| serde_json::from_str::<Value>(&document).expect("it is JSON"));
                assert_eq!(values[0], values[1], "{stem}");
            }
        }
    }
}
