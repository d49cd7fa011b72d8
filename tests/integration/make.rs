// SPDX-License-Identifier: MIT OR Apache-2.0
//! Synthetic data sets from specifications that list every object, and the replacement of existing files.

use std::collections::BTreeMap;

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::peers::{DataSet, SYNTHETIC_BLOCKS, peer, stem};
use crate::vom::{list, phase};
use crate::workspace::Workspace;

const EXAMPLE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/listed.yaml"));

/// Returns the files of a specification as plain JSON, by name.
#[track_caller]
fn made(name: &str, specification: &str) -> BTreeMap<String, Vec<u8>> {
    let workspace = Workspace::new();
    workspace.write(name, specification);
    workspace.succeed(&["make", name, "made/data", "--plain"]);
    workspace.files("made")
}

/// Returns the error of a specification. Expects exit code 3 and no output.
#[track_caller]
pub(crate) fn refused(specification: &str) -> String {
    let workspace = Workspace::new();
    workspace.write("spec.yaml", specification.trim_start());
    let error = workspace.fail(&["make", "spec.yaml", "made/data"], 3);
    assert_eq!(workspace.names("."), ["spec.yaml"]);
    error
}

/// Returns the JSON entity of an object of the example.
fn entity(sequence: u64, collection: u64) -> String {
    // Packed id with the home 0: sequence * 2^18 + 3
    let id = sequence * 262_144 + 3;
    format!(
        r#"{{"collection_id":{collection},"home":0,"id":{id},"index":[{sequence}],"migratable":true,"type":"object"}}"#
    )
}

#[test]
fn the_example_gives_the_expected_files() {
    let phases =
        r#""phases":{"identical_to_previous":{"list":[],"range":[]},"skipped":{"list":[],"range":[]}}"#;
    let [zero, one, two, four] = [entity(0, 7), entity(1, 7), entity(2, 9), entity(4, 7)];
    // With the home 1, object 3 has the id 3 * 2^18 + 4 + 3, and sentinel 5 has 5 * 2^18 + 4 + 2.
    let three = r#"{"collection_id":7,"home":1,"id":786439,"index":[3],"migratable":true,"type":"object"}"#;
    let five = r#"{"home":1,"id":1310726,"migratable":false,"type":"object"}"#;
    let expected = [
        format!(
            r#"{{"metadata":{{{phases},"rank":0,"type":"LBDatafile"}},"phases":[
{{"communications":[
{{"bytes":4000.0,"from":{zero},"messages":1,"to":{one},"type":"SendRecv"}},
{{"bytes":6000.0,"from":{zero},"messages":1,"to":{four},"type":"SendRecv"}}
],"id":0,"tasks":[
{{"entity":{zero},"node":0,"resource":"cpu","time":2.0,"user_defined":{{"home_rank":0,"part":3,"shared_bytes":100000000.0,"shared_id":0,"task_footprint_bytes":1000000.0,"task_serialized_bytes":500000.0}}}},
{{"entity":{one},"node":0,"resource":"cpu","time":1.0,"user_defined":{{"home_rank":0,"shared_bytes":100000000.0,"shared_id":0}}}},
{{"entity":{two},"node":0,"resource":"cpu","time":1.5}}
]}}
]}}
"#
        ),
        format!(
            r#"{{"metadata":{{{phases},"rank":1,"type":"LBDatafile"}},"phases":[
{{"communications":[
{{"bytes":1000.0,"from":{four},"messages":1,"to":{two},"type":"SendRecv"}},
{{"bytes":500.0,"from":{four},"messages":1,"to":{two},"type":"SendRecv"}}
],"id":0,"tasks":[
{{"entity":{three},"node":1,"resource":"cpu","time":0.5}},
{{"entity":{four},"node":1,"resource":"cpu","time":3.0,"user_defined":{{"home_rank":1,"shared_bytes":200000000.0,"shared_id":1}}}},
{{"entity":{five},"node":1,"resource":"cpu","time":0.25}}
]}}
]}}
"#
        ),
        format!(
            r#"{{"metadata":{{{phases},"rank":2,"type":"LBDatafile"}},"phases":[
{{"id":0,"tasks":[]}}
]}}
"#
        ),
    ];
    for (rank, (file, expected)) in made("spec.yaml", EXAMPLE).into_values().zip(expected).enumerate() {
        assert_eq!(String::from_utf8(file).expect("text"), expected, "rank {rank}");
    }
}

#[test]
fn the_example_is_read_back_as_specified() {
    let workspace = Workspace::new();
    workspace.write("spec.yaml", EXAMPLE);
    let said = workspace.succeed(&["make", "spec.yaml", "data"]);
    assert!(
        said.starts_with("data.<rank>.json: 3 ranks, 5 objects and 1 non-migratable object, 1 phase; "),
        "{said}"
    );
    let info: Value = serde_json::from_str(&workspace.succeed(&["info", "data", "--json"])).expect("JSON");
    assert_eq!(
        (&info["n_ranks"], &info["phases_recorded"], &info["warnings"]),
        (&json!(3), &json!([0]), &json!([]))
    );
    let phase = &info["phases"][0];
    // Loads 4.5, 3.75 and 0: a sum of 8.25, a mean of 2.75.
    for (key, expected) in [
        ("n_objects", json!(6)),
        ("n_sentinels", json!(1)),
        ("n_blocks", json!(2)),
        ("n_edges", json!(3)),
        ("load_sum", json!(8.25)),
        ("max_rank_load", json!(4.5)),
        ("load_imbalance", json!(4.5 / 2.75 - 1.0)),
        ("off_rank_bytes", json!(7500.0)),
        ("max_rank_memory_bytes", json!(2e8)),
    ] {
        assert_eq!(phase[key], expected, "{key}");
    }
    assert_eq!(phase["communications"]["counted"], json!({"SendRecv": 4}));
}

#[test]
fn lists_and_mappings_in_any_order_and_json_make_the_same_bytes() {
    let list = "
tasks: [{time: 2.0}, {time: 3.5, user_defined: {part: bow}}, {time: 5.0}]
shared_blocks: [{size: 10, home_rank: 0, tasks: [0, 1]}, {size: 15, home_rank: 1, tasks: [2]}]
communications: [{from: 0, size: 100, to: 2}, {from: 0, size: 150, to: 2}, {from: 2, size: 200, to: 1}]
ranks: [{tasks: [0, 1]}, {tasks: [2]}]
";
    let mapping = "
ranks: {1: {tasks: [2]}, 0: {tasks: [1, 0]}}
communications:
  7: {to: 1, from: 2, size: 200.0}
  2: {to: 2, from: 0, size: 150.0}
  1: {to: 2, from: 0, size: 100.0}
shared_blocks:
  1: {tasks: [2], home_rank: 1, size: 1.5e1}
  0: {tasks: [1, 0], home_rank: 0, size: 1.0e1}
tasks:
  2: {time: 5}
  0: {time: 2}
  '1': {time: 3.5, user_defined: {part: 'bow'}}
";
    let json = "{
\t\"tasks\": {\"0\": {\"time\": 2.0}, \"1\": {\"time\": 35e-1, \"user_defined\": {\"part\":\"b\\u006fw\"}},
\t\t\"2\":{\"time\":5.0}},
\t\"shared_blocks\": [{\"size\": 10, \"home_rank\": 0, \"tasks\": [0, 1]}, {\"size\": 15, \"home_rank\": 1, \"tasks\": [2]}],
\t\"communications\": [{\"from\":0,\"size\":100,\"to\":2},{\"from\":0,\"size\":150,\"to\":2},{\"from\":2,\"size\":200,\"to\":1}],
\t\"ranks\": {\"0\": {\"tasks\": [0, 1]}, \"1\": {\"tasks\": [2]}}
}
";
    let files = made("list.yaml", list);
    assert_eq!(files.len(), 2);
    assert_eq!(made("mapping.yaml", mapping), files);
    assert_eq!(made("spec.json", json), files);
}

#[test]
fn existing_files_are_replaced_only_by_force() {
    let workspace = Workspace::new();
    workspace.write("spec.yaml", EXAMPLE);
    workspace.write("data.5.json", "kept");
    assert_snapshot!(workspace.fail(&["make", "spec.yaml", "data"], 6), @"error: data.5.json already exists; choose another name, or use --force to replace all files of this name");
    workspace.succeed(&["make", "spec.yaml", "data", "--force"]);
    assert_eq!(workspace.names("."), ["data.0.json", "data.1.json", "data.2.json", "spec.yaml"]);
}

#[test]
fn values_without_effect_are_reported() {
    let workspace = Workspace::new();
    workspace.write(
        "spec.yaml",
        "tasks: []\nranks: {0: }\nshared_blocks: {3: {size: 1}, 4: {size: 1}, 7: {size: 1}}\n",
    );
    let said = workspace.lbaf(&["make", "spec.yaml", "data", "--seed", "3"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert_snapshot!(said.stderr, @r"
    note: shared blocks that no task uses are not written: 3-4, 7
    note: --seed has no effect, because the specification lists all data
    ");
}

/// Returns the sequence number of an object and its keys other than ids. LBAF's data maker writes these values too.
fn by_sequence(entity: &Value) -> Value {
    let sequence = match entity["id"].as_u64() {
        Some(id) => json!(id >> 18),
        None => entity["seq_id"].clone(),
    };
    let rest = ["collection_id", "home", "migratable", "type"].map(|key| entity[key].clone());
    json!([sequence, rest])
}

/// Returns tasks and communication of phase 0, independent of the spelling of objects and the order of records.
fn content(document: &Value) -> [Vec<String>; 2] {
    let phase = phase(document, 0);
    let tasks = list(phase, "tasks").iter().map(|task| {
        let rest = ["node", "resource", "time", "user_defined"].map(|key| task[key].clone());
        json!([by_sequence(&task["entity"]), rest])
    });
    let communications = list(phase, "communications").iter().map(|entry| {
        let rest = ["bytes", "messages", "type"].map(|key| entry[key].clone());
        json!([by_sequence(&entry["from"]), by_sequence(&entry["to"]), rest])
    });
    let sorted = |records: Vec<Value>| {
        let mut lines: Vec<String> = records
            .into_iter()
            .map(|mut record| {
                record.sort_all_objects();
                record.to_string()
            })
            .collect();
        lines.sort();
        lines
    };
    [sorted(tasks.collect()), sorted(communications.collect())]
}

#[test]
fn specifications_of_lbaf_give_the_data_of_lbaf() {
    let sets: [(DataSet, &str); 2] =
        [(("ccm_example", "data"), "ccm_example.yaml"), (SYNTHETIC_BLOCKS, "synthetic-dataset-blocks.yaml")];
    for (set, specification) in sets {
        let Some(workspace) = peer(set) else { return };
        let (theirs, specification) = (stem(set), format!("data/{}/{specification}", set.0));
        workspace.succeed(&["make", &specification, "ours"]);
        let (ours, theirs) = (workspace.documents("ours"), workspace.documents(&theirs));
        assert_eq!(ours.len(), theirs.len());
        for (rank, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            assert_eq!(content(ours), content(theirs), "{}, rank {rank}", set.0);
        }
        let info = |stem: &str| {
            let said = workspace.succeed(&["info", stem, "--json"]);
            let mut info: Value = serde_json::from_str(&said).expect("JSON");
            let info = info.as_object_mut().expect("an object");
            // These keys depend on the location and the spelling of the data.
            for key in ["stem", "generations", "file_bytes", "document_bytes"] {
                info.remove(key).expect("the key is present");
            }
            info.clone()
        };
        assert_eq!(info("ours"), info(&stem(set)));
    }
}

/// `a.1` is a separate stem, although its file names begin like the file names of `a`.
#[test]
fn files_of_a_stem_that_ends_in_a_number_are_not_those_of_the_shorter_stem() {
    let workspace = Workspace::new();
    let spec =
        "from_samplers:\n  n_ranks: 3\n  n_objects: 9\n  load_sampler: {name: uniform, parameters: [0, 1]}\n";
    workspace.write("spec.yaml", spec);
    workspace.succeed(&["make", "spec.yaml", "d/a.1"]);
    workspace.write("d/a.0.notes.txt", "mine");
    let kept = workspace.files("d");
    assert_eq!(kept.len(), 4);
    for force in [&[][..], &["--force"]] {
        workspace.succeed(&[&["make", "spec.yaml", "d/a"], force].concat());
        let files = workspace.files("d");
        assert_eq!(files.len(), 7, "{force:?}: {:?}", files.keys());
        assert!(kept.iter().all(|(name, bytes)| files.get(name) == Some(bytes)), "{force:?}");
    }
    for stem in ["d/a", "d/a.1"] {
        assert!(workspace.succeed(&["info", stem]).contains("3 ranks"));
        let error = workspace.fail(&["make", "spec.yaml", stem], 6);
        assert!(error.contains(&format!("{stem}.0.json already exists")), "{error}");
    }
}

/// A suffix of two parts denotes data only on request, and its files are replaced only with `--force`.
#[test]
fn files_of_a_rare_suffix_are_replaced_only_by_force() {
    let workspace = Workspace::new();
    let spec =
        "from_samplers:\n  n_ranks: 1\n  n_objects: 3\n  load_sampler: {name: uniform, parameters: [0, 1]}\n";
    workspace.write("spec.yaml", spec);
    workspace.succeed(&["make", "spec.yaml", "set"]);
    workspace.write("new.0.notes.txt", "mine");
    let mut convert = vec!["convert", "set", "new", "--output-suffix", "notes.txt"];
    let error = workspace.fail(&convert, 6);
    assert!(error.contains("new.0.notes.txt already exists"), "{error}");
    assert_eq!(workspace.text("new.0.notes.txt"), "mine");
    convert.push("--force");
    workspace.succeed(&convert);
    workspace.succeed(&["info", "new", "--suffix", "notes.txt"]);
}

/// Two of four files are written again; the other two must not remain in the data set.
#[test]
fn force_leaves_no_rank_of_the_old_files_of_a_rare_suffix() {
    let workspace = Workspace::new();
    for n_ranks in [4, 2] {
        let spec = format!(
            "from_samplers:\n  n_ranks: {n_ranks}\n  n_objects: 4\n  load_sampler: {{name: uniform, parameters: [0, 1]}}\n"
        );
        workspace.write("spec.yaml", spec);
        workspace.succeed(&["make", "spec.yaml", &format!("set{n_ranks}")]);
        let stem = format!("set{n_ranks}");
        workspace.succeed(&["convert", &stem, "new", "--output-suffix", "vom.json", "--force"]);
    }
    // The output is found although the command does not name its suffix.
    let info: serde_json::Value =
        serde_json::from_str(&workspace.succeed(&["info", "new", "--json"])).expect("JSON");
    assert_eq!(info["n_ranks"], 2);
    assert!(!workspace.path("new.2.vom.json").exists());
}

/// A number between dots would be read as the rank.
#[test]
fn suffixes_with_a_number_between_dots_are_refused() {
    let workspace = Workspace::new();
    workspace.write("set.0.vom", "0,1,0.5\n");
    workspace.fail(&["convert", "set", "new", "--output-suffix", "v1.2.json"], 2);
    let yaml = "from_data: {data_stem: set}\nalgorithm: {name: Greedy}\nwrite_JSON: {suffix: v1.2.json}\n";
    workspace.write("run.yaml", yaml);
    let error = workspace.fail(&["run", "run.yaml"], 3);
    assert!(error.contains("\"v1.2.json\" is not a valid suffix of data files"), "{error}");
}
