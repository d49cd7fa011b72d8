// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf validate`: arguments, output and exit codes.

use std::path::Path;

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::bad_data::case;
use crate::peers::{JSON, THOUSANDS, peer, stem};
use crate::vom::{one_phase, packed, send, task};
use crate::workspace::{Workspace, compress};

/// Returns the findings in the files of a case, with flags. Expects exit code 4 for errors and 0 for warnings.
#[track_caller]
pub(crate) fn found(name: &str, flags: &[&str]) -> String {
    let said = case(name).lbaf(&[&["validate", "."], flags].concat());
    // Some sets lack one of their files.
    assert!(
        said.stderr.is_empty() || said.stderr.ends_with("its data set has no file for rank 1\n"),
        "{}",
        said.stderr
    );
    let last = said.stdout.lines().last().expect("a line with counts");
    assert_eq!(said.code, if last.contains("invalid") { 4 } else { 0 }, "{last}");
    said.stdout
}

/// Returns the error of reading a statistics file of a case.
#[track_caller]
pub(crate) fn unreadable(name: &str) -> String {
    case(name).fail(&["info", "lb_statistics.json"], 4)
}

#[test]
fn values_of_another_kind() {
    assert_snapshot!(found("integer_for_float", &[]), @r"
    ./data.0.json: line 4, column 131, at /phases/0/tasks/1/time: expected a float, found the integer 1; write 1.0
    1 file: 1 invalid, 1 error
    ");
    assert_snapshot!(found("float_for_integer", &[]), @r"
    ./data.0.json: line 4, column 105, at /phases/0/tasks/1/node: expected an integer, found the float 0.0; write 0
    1 file: 1 invalid, 1 error
    ");
    assert_snapshot!(found("integer_for_boolean", &[]), @r"
    ./data.0.json: line 4, column 76, at /phases/0/tasks/1/entity/migratable: expected true or false, found the integer 1
    1 file: 1 invalid, 1 error
    ");
    assert_snapshot!(found("integer_for_string", &[]), @r"
    ./data.0.json: line 4, column 118, at /phases/0/tasks/1/resource: expected a string, found the integer 0
    1 file: 1 invalid, 1 error
    ");
    assert_snapshot!(found("integer_for_array", &[]), @r"
    ./data.0.json: line 4, column 59, at /phases/0/tasks/1/entity/index: expected an array, found the integer 0
    1 file: 1 invalid, 1 error
    ");
    assert_snapshot!(found("array_for_object", &[]), @r"
    ./data.0.json: line 4, column 150, at /phases/0/tasks/1/user_defined: expected an object, found an array
    1 file: 1 invalid, 1 error
    ");
}

/// Every command that balances refuses such data.
#[test]
fn an_object_with_two_tasks_in_a_phase() {
    assert_snapshot!(found("duplicate_object_in_one_file", &[]), @r"
    ./data.0.json: line 5, column 1, at /phases/0/tasks/2: the object with id 262147 has two tasks in phase 0; the other is task 0 of ./data.0.json
    2 files: 1 invalid, 1 error
    ");
    assert_snapshot!(found("duplicate_object_in_two_files", &[]), @r"
    ./data.1.json: line 4, column 1, at /phases/0/tasks/1: the object with id 524291 has two tasks in phase 0; the other is task 1 of ./data.0.json
    2 files: 1 invalid, 1 error
    ");
}

#[test]
fn unknown_and_missing_keys() {
    assert_snapshot!(found("unknown_key", &[]), @r"
    ./data.0.json: line 4, column 131, at /phases/0/tasks/1/load: expected one of the keys `attributes`, `entity`, `node`, `resource`, `subphases`, `time`, `user_defined`, found `load`
    1 file: 1 invalid, 1 error
    ");
    assert_snapshot!(found("key_twice", &[]), @r"
    ./data.0.json: line 4, column 105, at /phases/0/tasks/1/node: warning: `node` is repeated below, and the last one counts
    1 file is valid, 1 warning
    ");
    assert_snapshot!(found("task_without_resource", &[]), @r"
    ./data.0.json: line 4, column 1, at /phases/0/tasks/1: expected the key `resource` with a string, found no such key
    1 file: 1 invalid, 1 error
    ");
    assert_snapshot!(found("task_without_any_id", &[]), @r"
    ./data.0.json: line 4, column 11, at /phases/0/tasks/1/entity: expected the key `id` or `seq_id`, found neither
    1 file: 1 invalid, 1 error
    ");
    assert_snapshot!(found("sequence_without_collection", &[]), @r"
    ./data.0.json: line 4, column 11, at /phases/0/tasks/1/entity: expected the key `collection_id`, found no such key; `seq_id` requires it if `migratable` is true
    1 file: 1 invalid, 1 error
    ");
}

#[test]
fn documents_of_another_type() {
    assert_snapshot!(found("unknown_type", &[]), @r#"
    ./data.0.json: line 1, column 30, at /metadata/type: expected "LBDatafile" or "LBStatsfile", found the string "LBData"
    1 file: 1 invalid, 1 error
    "#);
    assert_snapshot!(found("another_type_in_metadata", &[]), @r#"
    ./data.0.json: line 1, column 30, at /metadata/type: expected "LBDatafile", found the string "LBStatsfile"
    1 file: 1 invalid, 1 error
    "#);
    assert_snapshot!(found("top_level_array", &[]), @r"
    ./data.0.json: line 1, column 1, at the top level of the document: expected an object, found an array
    1 file: 1 invalid, 1 error
    ");
    assert_snapshot!(found("no_phases", &[]), @r"
    ./data.0.json: line 1, column 1, at the top level of the document: expected the key `phases` with an array, found no such key
    ./data.0.json: line 1, column 30, at /tasks: expected one of the keys `metadata`, `phases`, `type`, found `tasks`
    2 files: 1 invalid, 2 errors
    ");
}

#[test]
fn files_without_a_document() {
    assert_snapshot!(found("gzip", &[]), @r"
    ./data.0.json: the file is compressed with gzip; vt cannot read it either; decompress it with gunzip, or use brotli
    1 file: 1 invalid, 1 error
    ");
    assert_snapshot!(found("text_several_lines", &[]), @r"
    ./data.0.vom: line 2, column 5: expected a time in seconds (at least 0), found `x`
    ./data.0.vom: line 5, column 14: unknown communication type 9; the text form has types 1 to 6
    2 files: 1 invalid, 2 errors
    ");
    assert_snapshot!(found("truncated_json", &[]), @r"
    ./data.1.json: line 3, column 34: the document ends early; copy or write the file again
    2 files: 1 invalid, 1 error
    ");
    assert_snapshot!(found("overflowing_time", &[]), @r"
    ./data.0.json: line 4, column 131: the number 1e400 does not fit into 64 bits
    2 files: 1 invalid, 1 error
    ");
    assert_snapshot!(found("truncated_brotli", &[]), @r"
    ./data.0.json: the brotli stream is damaged or ends early; copy the file again
    1 file: 1 invalid, 1 error
    ");
}

#[test]
fn links_to_objects_without_a_task() {
    assert_snapshot!(found("link_to_nowhere", &[]), @"2 files are valid");
    assert_snapshot!(found("link_to_nowhere", &["--strict-links"]), @r"
    ./data.0.json: line 6, column 1, at /phases/0/communications/1: `to` is the object with id 2359303, which has no task in phase 0
    2 files: 1 invalid, 1 error
    ");
    assert_snapshot!(found("link_to_an_unread_file", &["--strict-links"]), @r"
    ./data.1.json: line 5, column 1: the document ends early; copy or write the file again
    ./data.1.json: warning: links between objects of this data set were not checked: this file cannot be read
    2 files: 1 invalid, 1 error, 1 warning
    ");
}

/// The examples of the format documents: some are invalid, but all can be read.
#[test]
fn examples_of_the_documents() {
    let documents = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/documents");
    for (name, is_valid, n_objects) in [
        ("node-lb-data-1.json", true, 2),
        ("node-lb-data-2.json", false, 0),
        ("node-lb-data-seq-id-1.json", true, 6),
        ("node-lb-data-seq-id-2.json", false, 0),
        ("node-stats-1.json", false, 2),
        ("node-stats-2.json", false, 0),
    ] {
        let workspace = Workspace::new();
        workspace.write("data.0.json", std::fs::read(documents.join(name)).expect("the file can be read"));
        assert_eq!(workspace.lbaf(&["validate", "data"]).code, if is_valid { 0 } else { 4 }, "{name}");
        let info: Value =
            serde_json::from_str(&workspace.succeed(&["info", "data", "--json"])).expect("JSON");
        assert_eq!(info["n_objects"], n_objects, "{name}");
    }
}

/// Two data sets, one of them compressed and invalid, and other files.
fn several() -> Workspace {
    let workspace = Workspace::new();
    let object = |home: u64| task(packed(1, home), home, 0.5);
    for rank in 0..11 {
        workspace.write(&format!("set/a.{rank}.json"), one_phase(rank, &[object(rank)], &[]));
    }
    let wrong = one_phase(0, &[object(0)], &[]).replace("0.5", "1");
    workspace.write("set/b.0.json.br", compress(wrong.as_bytes()));
    workspace.write("set/b.1.json.br", compress(one_phase(1, &[object(1)], &[]).as_bytes()));
    workspace.write("set/alone.json", r#"{"phases":[]}"#);
    workspace.write("set/notes.txt", "no data");
    workspace.write("set/deeper/c.0.json", "{}");
    workspace
}

#[test]
fn directories_stems_and_files_are_accepted() {
    let workspace = several();
    assert_eq!(workspace.succeed(&["validate", "set/a"]), "11 files are valid\n");
    assert_eq!(workspace.succeed(&["validate", "set/a.3.json"]), "1 file is valid\n");
    assert_eq!(workspace.succeed(&["validate", "set", "--suffix", "json"]), "12 files are valid\n");
    // A file that is named twice counts once.
    assert_eq!(
        workspace.succeed(&["validate", "set/a", "set/a.3.json", "set/b.1.json.br"]),
        "12 files are valid\n"
    );
    let said = workspace.lbaf(&["validate", "set"]);
    assert_snapshot!(said.stdout, @r"
    set/b.0.json.br: line 1, column 201, at /phases/0/tasks/0/time: expected a float, found the integer 1; write 1.0
    14 files: 1 invalid, 1 error
    ");
    assert_eq!(said.code, 4);
}

/// Files are ordered by data set, then by rank, independent of the number of threads. Data sets that are given as
/// arguments keep the order of the arguments.
#[test]
fn the_order_is_always_the_same() {
    let workspace = several();
    let names = |arguments: &[&str]| -> Vec<String> {
        let report: Value = serde_json::from_str(&workspace.lbaf(arguments).stdout).expect("JSON");
        let files = report["files"].as_array().expect("a list");
        files.iter().map(|file| file["file"].as_str().expect("a name").to_owned()).collect()
    };
    let ranks = (0..11).map(|rank| format!("set/a.{rank}.json"));
    let expected: Vec<String> =
        ranks.chain(["set/alone.json", "set/b.0.json.br", "set/b.1.json.br"].map(String::from)).collect();
    for threads in ["1", "2", "5"] {
        assert_eq!(names(&["validate", "--json", "set", "--threads", threads]), expected);
    }
    let backwards = ["validate", "--json", "set/b.1.json.br", "set/b.0.json.br", "set/a"];
    assert_eq!(names(&backwards)[..3], ["set/b.0.json.br", "set/b.1.json.br", "set/a.0.json"]);
}

#[test]
fn missing_files_are_named() {
    let workspace = several();
    let refused = |path: &str| workspace.fail(&["validate", path], 4);
    assert_snapshot!(refused("nowhere"), @"error: nowhere: no such file or directory, and no files nowhere.<rank>.*");
    assert_snapshot!(refused("nowhere/data"), @"error: nowhere/data: no such file or directory, and no files nowhere/data.<rank>.*");
    assert_snapshot!(refused("set/c"), @"error: set/c.<rank>.* has no file for rank 0; did you mean set/a or set/b?");
    workspace.write("empty/notes.txt", "");
    assert_snapshot!(refused("empty"), @"error: empty: found nothing to validate; data files are named <stem>.<rank>.<suffix>, or end in .json, .json.br or .vom");
    workspace.write("twice/d.0.json", "{}");
    workspace.write("twice/d.0.vom", "{}");
    assert_snapshot!(refused("twice/d"), @"error: files with several suffixes match twice/d (json, vom); choose one with `suffix` under `from_data` or with --suffix");
    workspace.fail(&["validate"], 2);
    workspace.fail(&["validate", "set", "--all", "--limit", "3"], 2);
}

/// A file with 25 times that are integers.
fn many() -> Workspace {
    let workspace = Workspace::new();
    let tasks: Vec<Value> = (0..25).map(|sequence| task(packed(sequence, 0), 0, 0.5)).collect();
    workspace.write("data.0.json", one_phase(0, &tasks, &[]).replace("0.5", "1"));
    workspace
}

#[test]
fn the_first_findings_of_a_file_are_shown() {
    let workspace = many();
    let lines = |flags: &[&str]| -> Vec<String> {
        let said = workspace.lbaf(&[&["validate", "data"], flags].concat());
        assert_eq!(said.code, 4);
        said.stdout.lines().map(str::to_owned).collect()
    };
    let shown = lines(&[]);
    assert_eq!(shown.len(), 22);
    assert_eq!(shown[20..], ["data.0.json: and 5 more; --all shows them", "1 file: 1 invalid, 25 errors"]);
    assert_eq!(lines(&["--limit", "3"])[3], "data.0.json: and 22 more; --all shows them");
    assert_eq!(lines(&["--limit", "0"])[0], "data.0.json: and 25 more; --all shows them");
    assert_eq!(lines(&["--all"]).len(), 26);
    assert_eq!(lines(&["--limit", "25"]), lines(&["--all"]));
}

#[test]
fn quiet_validation_prints_only_errors() {
    let workspace = many();
    assert_eq!(workspace.lbaf(&["validate", "data", "-q"]).stdout.lines().count(), 22);
    workspace.write("data.0.json", one_phase(0, &[task(packed(1, 0), 0, 0.5)], &[]));
    assert_eq!(workspace.succeed(&["validate", "data", "-q"]), "");
    let warned = case("vt_home_of_id");
    assert_eq!(warned.succeed(&["validate", "data", "--vt", "-q"]), "");
}

#[test]
fn findings_as_json() {
    let workspace = case("integer_for_float");
    workspace.write("data.1.json", "{");
    let said = workspace.lbaf(&["validate", "data", "--json"]);
    assert_eq!(said.code, 4);
    let report: Value = serde_json::from_str(&said.stdout).expect("JSON");
    let expected = json!({
        "n_files": 2, "n_invalid": 2, "n_errors": 2, "n_warnings": 0,
        "files": [
            {"file": "data.0.json", "type": "LBDatafile", "n_errors": 1, "n_warnings": 0, "findings": [{
                "severity": "error", "line": 4, "column": 131, "pointer": "/phases/0/tasks/1/time",
                "expected": "a float", "found": "the integer 1",
                "message": "expected a float, found the integer 1; write 1.0",
            }]},
            {"file": "data.1.json", "type": null, "n_errors": 1, "n_warnings": 0, "findings": [{
                "severity": "error", "line": 1, "column": 1, "pointer": null, "expected": null, "found": null,
                "message": "the document ends early; copy or write the file again",
            }]},
        ],
        "n_not_checked": 0,
        "not_checked": [],
    });
    assert_eq!(report, expected);
    // All findings are listed, unless a limit is given.
    let n_findings = |flags: &[&str]| {
        let said = many().lbaf(&[&["validate", "data", "--json"], flags].concat());
        let report: Value = serde_json::from_str(&said.stdout).expect("JSON");
        report["files"][0]["findings"].as_array().map(Vec::len)
    };
    assert_eq!((n_findings(&[]), n_findings(&["--limit", "2"])), (Some(25), Some(2)));
}

#[test]
fn schemas_are_printed_as_committed() {
    for (name, file) in
        [("LBDatafile", "lb_datafile.schema.json"), ("LBStatsfile", "lb_statsfile.schema.json")]
    {
        let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas").join(file);
        let committed = std::fs::read_to_string(committed).expect("the file is there");
        assert_eq!(Workspace::new().succeed(&["validate", "--print-schema", name]), committed);
    }
    let error = Workspace::new().fail(&["validate", "--print-schema", "LBData"], 2);
    assert!(
        error.contains("unknown type `LBData`; the known types are LBDatafile and LBStatsfile"),
        "{error}"
    );
}

/// Public data sets satisfy the schema.
#[test]
fn data_of_peers_are_valid() {
    for set in JSON.into_iter().chain([THOUSANDS]) {
        let Some(workspace) = peer(set) else { return };
        let said = workspace.succeed(&["validate", &stem(set)]);
        assert!(said.ends_with(" files are valid\n"), "{set:?}: {said}");
    }
}

const CONFIGURATION: &str = "
from_data: {data_stem: data}
check_schema: true
algorithm: {name: RotateLB}
output_dir: out
write_JSON: {compressed: false}
plots: none
";

/// Two ranks with communication between their objects, so all outputs have content.
pub(crate) fn two_ranks() -> Workspace {
    let workspace = Workspace::new();
    let sent = send((packed(1, 0), 0), (packed(1, 1), 1), 8.0);
    workspace.write("data.0.json", one_phase(0, &[task(packed(1, 0), 0, 0.5)], &[sent]));
    workspace.write("data.1.json", one_phase(1, &[task(packed(1, 1), 1, 1.5)], &[]));
    workspace.write("run.yaml", CONFIGURATION);
    workspace
}

#[test]
fn a_run_can_require_valid_data() {
    let workspace = two_ranks();
    workspace.succeed(&["run", "run.yaml"]);
    let wrong: Vec<Value> = (1..9).map(|sequence| task(packed(sequence, 1), 1, 1.5)).collect();
    workspace.write("data.1.json", one_phase(1, &wrong, &[]).replace("1.5", "1"));
    assert_snapshot!(workspace.fail(&["run", "run.yaml"], 4), @r"
    error: the data are invalid, and `check_schema` is on; `lbaf validate data` lists all errors:
      data.1.json: line 1, column 201, at /phases/0/tasks/0/time: expected a float, found the integer 1; write 1.0
      data.1.json: line 1, column 334, at /phases/0/tasks/1/time: expected a float, found the integer 1; write 1.0
      data.1.json: line 1, column 467, at /phases/0/tasks/2/time: expected a float, found the integer 1; write 1.0
      data.1.json: line 1, column 601, at /phases/0/tasks/3/time: expected a float, found the integer 1; write 1.0
      data.1.json: line 1, column 735, at /phases/0/tasks/4/time: expected a float, found the integer 1; write 1.0
      and 3 more
    ");
    // By default, a run does not check the schema.
    workspace.succeed(&["run", "run.yaml", "--set", "check_schema=false"]);
}

/// All outputs of a run are valid, also for vt; files that are not data are not taken for data.
#[test]
fn outputs_of_a_run_are_valid() {
    let workspace = two_ranks();
    let check = |offline: &str| {
        let set = format!("write_JSON.offline_lb_compatible={offline}");
        workspace.succeed(&["run", "run.yaml", "--set", &set]);
        let said = workspace.lbaf(&["validate", "out", "--vt", "--strict-links"]);
        assert_eq!(said.code, 0);
        said.stdout + &said.stderr
    };
    let plain = check("false");
    assert_snapshot!(plain, @r"
    3 files are valid
    note: results of lbaf that are not data are not checked (2): out/summary.json, out/timings.json
    note: files and directories that are not named like data files are not checked (7): out/imbalance.txt, out/iterations.csv, out/migrations.csv, out/object_loads.csv, out/rank_volumes.csv, out/ranks.csv, out/w_max.txt
    ");
    assert_eq!(check("true"), plain);
    let report: Value =
        serde_json::from_str(&workspace.succeed(&["validate", "out", "--json"])).expect("JSON");
    let not_checked = report["not_checked"].as_array().expect("names");
    assert_eq!(not_checked[..2], [json!("out/summary.json"), json!("out/timings.json")]);
    assert_eq!((not_checked.len(), &report["n_not_checked"]), (9, &json!(9)));
    // Without a summary in the same directory, `timings.json` is checked as a data file.
    workspace.write("other/timings.json", "{}");
    workspace.fail(&["validate", "other"], 4);
}

/// Regression: `summary.json` was checked like data if it was named as a file, and a directory of results ended the
/// check of further directories.
#[test]
fn results_of_lbaf_alone_are_not_checked() {
    let workspace = two_ranks();
    workspace.succeed(&["run", "run.yaml", "--output-dir", "written"]);
    for name in ["summary.json", "timings.json", "ranks.csv"] {
        workspace.write(&format!("out/{name}"), workspace.read(&format!("written/{name}")));
    }
    let said = workspace.fail(&["validate", "out/summary.json", "out/timings.json"], 4);
    assert_snapshot!(said, @r"
    note: results of lbaf that are not data are not checked (2): out/summary.json, out/timings.json
    error: found nothing to validate: the paths contain only results of lbaf that are not data
    ");
    let said = workspace.fail(&["validate", "out"], 4);
    assert!(said.ends_with("the paths contain only results of lbaf that are not data\n"), "{said}");
    let said = workspace.lbaf(&["validate", "out", "run.yaml", "out/summary.json"]);
    assert_eq!((said.code, &*said.stdout), (0, "1 file is valid\n"), "{}", said.stderr);
}

/// Results of studies, simulations and `lbaf anomalies` beside data are not taken for data.
#[test]
fn results_of_other_commands_are_not_data() {
    let workspace = two_ranks();
    workspace.succeed(&["run", "run.yaml"]);
    workspace.succeed(&["simulate", "run.yaml", "--output-dir", "out"]);
    workspace.succeed(&["anomalies", "out", "--output-dir", "out"]);
    workspace.write("study.yaml", "base: run.yaml\naxes: {seed: 0-1}\n");
    workspace.succeed(&["study", "study.yaml", "--output-dir", "out"]);
    let report: Value =
        serde_json::from_str(&workspace.succeed(&["validate", "out", "--json"])).expect("JSON");
    assert_eq!(report["n_errors"], 0);
    let names = ["anomalies", "simulation", "study", "summary", "timings"];
    let names = names.map(|name| json!(format!("out/{name}.json")));
    assert_eq!(report["not_checked"].as_array().expect("names")[..5], names);
    // A file of the same name with another content is checked.
    workspace.write("other/study.json", "{}");
    workspace.fail(&["validate", "other"], 4);
}

#[test]
fn a_padded_rank_number_and_a_missing_rank_in_a_directory() {
    assert_snapshot!(found("padded_rank", &[]), @r"
    ./data.00.json: the rank number has leading zeros; rename the file
    ./data.01.json: the rank number has leading zeros; rename the file
    2 files: 2 invalid, 2 errors
    ");
    let said = case("missing_rank").lbaf(&["validate", "."]);
    assert_eq!(said.stderr, "warning: ./data.0.json: its data set has no file for rank 1\n");
}

/// Entries of a directory that are skipped: a note, a hidden file, and a subdirectory.
#[test]
fn other_files_in_a_directory_are_named() {
    let workspace = two_ranks();
    for name in ["set/notes.txt", "set/.hidden.json", "set/deeper/data.0.json"] {
        workspace.write(name, "");
    }
    workspace.write("set/data.0.json", r#"{"type":"LBDatafile","phases":[]}"#);
    let said = workspace.lbaf(&["validate", "set"]);
    assert_eq!((said.code, &*said.stdout), (0, "1 file is valid\n"));
    let names = "set/.hidden.json, set/deeper/, set/notes.txt";
    let note = "note: files and directories that are not named like data files are not checked (3)";
    assert_eq!(said.stderr, format!("{note}: {names}\n"));
    let said = workspace.lbaf(&["validate", "set", "--limit", "1"]);
    assert!(said.stderr.ends_with(": set/.hidden.json, and 2 more (--all shows them)\n"), "{}", said.stderr);
    let report: Value =
        serde_json::from_str(&workspace.succeed(&["validate", "set", "--json"])).expect("JSON");
    assert_eq!(report["not_checked"], json!(["set/.hidden.json", "set/deeper/", "set/notes.txt"]));
    assert_eq!(report["n_not_checked"], 3);
}
