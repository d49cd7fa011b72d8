// SPDX-License-Identifier: MIT OR Apache-2.0
//! The text form is read like all others: by the same commands, into the same model.

use serde_json::{Value, json};

use crate::vom::{list, one_phase, packed};
use crate::workspace::Workspace;

/// All kinds of lines of the text form (tasks with and without subphases, communication types 1 to 6), with
/// blanks, blank lines, omitted commas and CRLF. Object 2 moves from rank 0 to rank 1 in phase 1; rank 1 has
/// no task in phase 2.
const LINES: [&str; 2] = [
    "0, 1, 0.5\r\n0, 2, 1.25 2 [ 0.75 0.5 ]\r\n\r\n0, 3, 1, 100, 1\n  0,1,2,50.5,4\n\n\
     1,1,0.5,0,[]\n1, 3, 1, 16, 2\n1, 1, 0, 8, 3\n1,1,0,4,5\n1, 1, 1, 2, 6\n2,1,2.0\n",
    "0,3,1.0\n0,4,0\n1,2,1.5,1,[1.5]\n1,3,1e-3\n",
];

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    for (rank, lines) in LINES.into_iter().enumerate() {
        workspace.write(&format!("data.{rank}.vom"), lines);
    }
    workspace
}

fn info(workspace: &Workspace, arguments: &[&str]) -> Value {
    let arguments = [&["info", "--json"], arguments].concat();
    serde_json::from_str(&workspace.succeed(&arguments)).expect("the output is JSON")
}

#[test]
fn info_describes_a_text_data_set() {
    let info = info(&workspace(), &["data"]);
    assert_eq!(info["generations"], json!(["text"]));
    assert_eq!(info["phases_recorded"], json!([0, 1, 2]));
    let of = |key: &str| list(&info, "phases").iter().map(|phase| phase[key].clone()).collect::<Vec<Value>>();
    assert_eq!(of("n_objects"), [4, 3, 1]);
    assert_eq!(of("n_sentinels"), [0, 0, 0]);
    // One `SendRecv` in phase 0, from object 1 on rank 0 to object 3 on rank 1.
    assert_eq!((of("n_edges")[0].clone(), of("off_rank_bytes")[0].clone()), (json!(1), json!(100.0)));
    assert_eq!(of("load_sum"), [2.75, 2.001, 2.0]);
    assert_eq!(info["phases"][0]["communications"]["other_types"], json!({"Broadcast": 1}));
}

#[test]
fn text_is_converted_to_json_and_back() {
    let workspace = workspace();
    workspace.succeed(&["convert", "data", "json/data", "--to", "lb-data"]);
    workspace.succeed(&["convert", "json/data", "text/data", "--to", "text"]);
    // Times and bytes become floats, commas are added, CRLF becomes LF, and blanks and empty lists are removed.
    assert_eq!(
        workspace.text("text/data.0.vom"),
        "0,1,0.5\n0,2,1.25,2,[0.75 0.5]\n0,3,1,100.0,1\n0,1,2,50.5,4\n\
         1,1,0.5\n1,3,1,16.0,2\n1,1,0,8.0,3\n1,1,0,4.0,5\n1,1,1,2.0,6\n2,1,2.0\n"
    );
    assert_eq!(workspace.text("text/data.1.vom"), "0,3,1.0\n0,4,0.0\n1,2,1.5,1,[1.5]\n1,3,0.001\n");
    workspace.succeed(&["convert", "text/data", "again/data", "--to", "lb-data"]);
    assert_eq!(workspace.files("json"), workspace.files("again"));
    let without_files = |mut info: Value| {
        for key in ["stem", "suffix", "generations", "file_bytes", "document_bytes", "warnings"] {
            info.as_object_mut().expect("an object").remove(key);
        }
        info
    };
    assert_eq!(without_files(info(&workspace, &["data"])), without_files(info(&workspace, &["json/data"])));
}

/// The home of an object is the rank whose file has the object in the earliest phase. An endpoint that is a
/// rank becomes a node, any other an object.
#[test]
fn records_match_the_lines_and_their_files() {
    let workspace = workspace();
    workspace.succeed(&["convert", "data", "json/data", "--to", "lb-data"]);
    let document = workspace.json("json/data.1.json");
    assert_eq!(document["metadata"], json!({"rank": 1, "type": "LBDatafile"}));
    assert_eq!(
        document["phases"][1],
        json!({"id": 1, "tasks": [
            {"entity": {"home": 0, "id": 2, "migratable": true, "type": "object"}, "node": 1,
             "resource": "cpu", "subphases": [{"id": 0, "time": 1.5}], "time": 1.5},
            {"entity": {"home": 1, "id": 3, "migratable": true, "type": "object"}, "node": 1,
             "resource": "cpu", "time": 0.001},
        ]})
    );
    let document = workspace.json("json/data.0.json");
    let ends: Vec<(&Value, &Value)> = (list(&document["phases"][1], "communications").iter())
        .map(|entry| (&entry["from"], &entry["to"]))
        .collect();
    let object = json!({"home": 0, "id": 1, "migratable": true, "type": "object"});
    let node = |rank: u64| json!({"id": rank, "type": "node"});
    assert_eq!(ends[0], (&object, &node(3)));
    assert_eq!(ends[1], (&node(0), &object));
    // Object 0 has no task.
    let unknown = json!({"id": 0, "migratable": true, "type": "object"});
    assert_eq!(ends[2], (&unknown, &node(1)));
    assert_eq!(ends[3], (&node(1), &object));
}

/// A run reads text and writes JSON with all content of the lines.
#[test]
fn a_run_balances_text_and_writes_json() {
    let workspace = workspace();
    workspace.write(
        "run.yaml",
        "from_data: {data_stem: data, communication_types: all, absent_endpoints: home}
algorithm: {name: RotateLB}
output_dir: out
write_JSON: {compressed: false}
plots: none
",
    );
    workspace.succeed(&["run", "run.yaml"]);
    let summary = workspace.json("out/summary.json");
    assert_eq!(summary["phases"][0]["n_objects"], 4);
    let moved = workspace.json("out/output_file.1.json");
    let tasks = list(&moved["phases"][0], "tasks");
    let numbers: Vec<&Value> = tasks.iter().map(|task| &task["entity"]["id"]).collect();
    assert_eq!(numbers, [1, 2]);
    assert_eq!(tasks[1]["subphases"], json!([{"id": 0, "time": 0.75}, {"id": 1, "time": 0.5}]));
    assert!(tasks.iter().all(|task| task["node"] == 1));
}

#[test]
fn text_may_be_compressed_and_have_any_suffix() {
    let workspace = workspace();
    workspace.succeed(&["convert", "data", "data.2/set", "--brotli", "--output-suffix", "out"]);
    assert!(!workspace.read("data.2/set.0.out").starts_with(b"0,"));
    let numbers = |info: &Value| info["phases"].clone();
    assert_eq!(numbers(&info(&workspace, &["data.2/set"])), numbers(&info(&workspace, &["data"])));
}

#[test]
fn only_selected_phases_are_kept_but_homes_come_from_all() {
    let workspace = workspace();
    assert_eq!(info(&workspace, &["data", "--phases", "1"])["phases"][0]["n_objects"], 3);
    workspace.succeed(&["extract", "data", "late/data", "--phases", "1-2"]);
    assert_eq!(workspace.text("late/data.1.vom"), "1,2,1.5,1,[1.5]\n1,3,0.001\n");
    workspace.succeed(&["convert", "data", "late/json", "--phases", "1", "--to", "lb-data"]);
    assert_eq!(workspace.json("late/json.1.json")["phases"][0]["tasks"][0]["entity"]["home"], 0);
}

#[test]
fn ids_that_vt_would_misread_are_not_written_for_vt() {
    let workspace = workspace();
    workspace.write(
        "run.yaml",
        "from_data: {data_stem: data, phase_ids: 0}
algorithm: {name: RotateLB}
output_dir: out
write_JSON: {compressed: false, offline_lb_compatible: true}
plots: none
",
    );
    let error = workspace.fail(&["run", "run.yaml"], 4);
    assert!(error.contains("vt cannot read the files for OfflineLB"), "{error}");
    assert!(error.contains("convert data of an older form first: `lbaf convert STEM NEW"), "{error}");
    let not_for_vt = ["run", "run.yaml", "--set", "write_JSON.offline_lb_compatible=false"];
    let said = workspace.lbaf(&not_for_vt).stderr;
    assert!(said.contains("the data have ids of an older form, which vt would misread"), "{said}");
    // Only numbers of the form `sequence << 32 | home` can be packed, so the small numbers of this data set are
    // refused.
    let error = workspace.fail(&["convert", "data", "packed", "--to", "lb-data", "--ids", "packed"], 4);
    assert!(error.contains("encodes the home"), "{error}");
    workspace.write("data.0.vom", "0,4294967296,0.5\n");
    workspace.write("data.1.vom", "0,8589934593,0.5\n");
    workspace.succeed(&["convert", "data", "packed", "--to", "lb-data", "--ids", "packed"]);
    let said = workspace.lbaf(&["run", "run.yaml", "--set", "from_data.data_stem=packed"]).stderr;
    assert!(!said.contains("older form"), "{said}");
    assert_eq!(workspace.lbaf(&["validate", "--vt", "packed"]).code, 0);
}

/// Endpoints get `migratable` and the collection from the tasks of their objects.
/// Object 2 is non-migratable and receives the second communication.
#[test]
fn communication_with_objects_that_are_left_out_is_reported() {
    let workspace = Workspace::new();
    let bare = |id: u64| json!({"home": 0, "id": id, "type": "object"});
    let task = |id: u64, migratable: bool| json!({"entity": {"home": 0, "id": id, "migratable": migratable, "type": "object"}, "node": 0, "resource": "cpu", "time": 1.0});
    let entry = |to: u64| json!({"type": "SendRecv", "bytes": 1.0, "messages": 1, "from": bare(packed(1, 0)), "to": bare(to)});
    let (other, sentinel) = (packed(3, 0), 2 << 18 | 2);
    let tasks = [task(packed(1, 0), true), task(other, true), task(sentinel, false)];
    workspace.write("all.0.json", one_phase(0, &tasks[..2], &[entry(other)]));
    assert_eq!(workspace.lbaf(&["convert", "all", "all-text", "--to", "text"]).stderr, "");
    workspace.write("some.0.json", one_phase(0, &tasks, &[entry(other), entry(sentinel)]));
    let said = workspace.lbaf(&["convert", "some", "some-text", "--to", "text", "--lossy"]);
    insta::assert_snapshot!(said.stderr, @"
    warning: a task of a non-migratable object cannot be stored in this form: 1 left out
    warning: a communication with a non-migratable object was kept, although the tasks of such objects are left out (1 times)
    ");
}
