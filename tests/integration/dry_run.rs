// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf run --dry-run` changes nothing and reports the errors that would end the run before balancing.

use crate::workspace::Workspace;

const MACHINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/machine");
const RUN: [&str; 8] = ["run", "--data", MACHINE, "--strategy", "Greedy", "--phases", "0", "--dry-run"];

#[test]
fn a_dry_run_describes_the_run_and_writes_nothing() {
    let workspace = Workspace::new();
    let told = workspace
        .succeed(&[&RUN[..], &["--set", "write_JSON.compressed=false", "--set", "log_to_file=log"]].concat());
    assert_eq!(
        told.replace(MACHINE, "machine"),
        "data              machine/data: 32 ranks, 1532 objects, phase 0\n\
         phases to balance 0\n\
         strategy          Greedy\n\
         work model        LoadOnly, alpha 1.0\n\
         seed              0\n\
         output directory  lbaf-output/data-Greedy\n\
         outputs           summary and tables, 32 files output_file.<rank>.json, charts and paper tables\n\
         Configuration and data are valid. Nothing was written.\n"
    );
    assert_eq!(workspace.names(""), Vec::<String>::new());
    let error = workspace.fail(&[&RUN[..6], &["99", "--dry-run"]].concat(), 3);
    assert!(error.contains("phase 99"), "{error}");
    let bounds = "work_model={name: CCM, parameters: {upper_bounds: {max_memory_usage: 2.0e+9}}}";
    let told = workspace.succeed(&[&RUN[..], &["--set", bounds]].concat());
    assert!(
        told.contains("CCM, alpha 1.0, ") && told.contains(", upper_bounds.max_memory_usage 2"),
        "{told}"
    );
}

#[test]
fn an_earlier_result_is_announced() {
    let workspace = Workspace::new();
    workspace.succeed(&[&RUN[..7], &["--quiet"]].concat());
    let before = workspace.files("");
    let told = workspace.succeed(&RUN);
    assert!(told.contains("lbaf-output/data-Greedy, whose earlier result will be replaced\n"), "{told}");
    assert_eq!(workspace.files(""), before);
    workspace.write("lbaf-output/data-Greedy/notes.txt", "mine");
    workspace.fail(&RUN, 6);
}

#[test]
fn unusable_output_directories_are_found() {
    let workspace = Workspace::new();
    workspace.write("taken", "a file");
    for directory in ["taken", "taken/below"] {
        let arguments = ["--output-dir", directory];
        let error = workspace.fail(&[&RUN[..], &arguments].concat(), 6);
        assert_eq!(error, workspace.fail(&[&RUN[..7], &arguments].concat(), 6));
        assert!(error.contains(&format!("cannot write into {directory}: it is not a directory")), "{error}");
    }
    // The files of the ranks would replace the data.
    workspace.write("data.0.json", r#"{"phases":[{"id":0,"tasks":[]}]}"#);
    workspace.write(
        "run.yaml",
        "from_data: {data_stem: data}\nalgorithm: {name: LPT}\noutput_file_stem: data\nwrite_JSON: {compressed: false}\n",
    );
    let error = workspace.fail(&["run", "run.yaml", "--dry-run"], 6);
    assert!(error.contains("data.0.json is an input and would be overwritten"), "{error}");
    assert_eq!(workspace.names(""), ["data.0.json", "run.yaml", "taken"]);
}

/// The directory is as a killed command leaves it, with a journal.
#[test]
fn a_dry_run_refuses_unfinished_directories_instead_of_restoring_them() {
    let workspace = Workspace::new();
    workspace.write("lbaf-output/data-Greedy/.lbaf-killed/journal.json", "{}");
    let before = workspace.files("");
    let error = workspace.fail(&RUN, 4);
    assert!(error.contains("lbaf restore"), "{error}");
    assert_eq!(workspace.files(""), before);
}

#[test]
fn warnings_about_the_data_are_those_of_the_run() {
    let workspace = Workspace::new();
    let all = ["--set", "from_data.communication_types=[SendRecv]"];
    let warnings = |said: &str| {
        said.lines().filter(|line| line.starts_with("warning: ")).map(str::to_owned).collect::<Vec<_>>()
    };
    workspace.write(
        "data.0.json",
        r#"{"phases":[{"id":0,"tasks":[{"entity":{"id":1,"home":0,"type":"object","migratable":true},"node":0,"resource":"cpu","time":1.0}],
            "communications":[{"type":"Broadcast","to":{"type":"object","id":1},"from":{"type":"object","id":1},"messages":1,"bytes":2.0},
            {"type":"SendRecv","to":{"type":"object","id":7},"from":{"type":"object","id":1},"messages":1,"bytes":2.0}]}]}"#,
    );
    let run = [&["run", "--data", "data", "--strategy", "LPT"][..], &all].concat();
    let dry = workspace.lbaf(&[&run[..], &["--dry-run"]].concat());
    let ran = workspace.lbaf(&run);
    assert_eq!((dry.code, ran.code), (0, 0), "{}{}", dry.stderr, ran.stderr);
    assert_eq!(warnings(&dry.stderr), warnings(&ran.stderr));
    assert!(warnings(&dry.stderr).len() >= 2, "{}", dry.stderr);
}
