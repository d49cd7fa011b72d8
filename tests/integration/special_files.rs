// SPDX-License-Identifier: MIT OR Apache-2.0
//! FIFOs and devices in place of files: refused at once, under every name that a command opens.
#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::vom::{one_phase, packed, task};
use crate::workspace::{CommandOutput, Workspace};

const RUN: &str = "from_data: {data_stem: set}\nalgorithm: {name: Greedy}\noutput_dir: out\nplots: none\n";

/// Two ranks, four objects on the first, and a run on them.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    let tasks: Vec<_> = (1..=4).map(|sequence| task(packed(sequence, 0), 0, 1.0)).collect();
    workspace.write("set.0.json", one_phase(0, &tasks, &[]));
    workspace.write("set.1.json", one_phase(1, &[], &[]));
    workspace.write("run.yaml", RUN);
    workspace
}

fn put_fifo(workspace: &Workspace, name: &str) {
    let made = Command::new("mkfifo").arg(workspace.path(name)).status().expect("mkfifo starts");
    assert!(made.success());
}

fn put_endless(workspace: &Workspace, name: &str) {
    symlink("/dev/zero", workspace.path(name)).expect("a link");
}

/// Creates a FIFO or another special file under a name.
type Put = fn(&Workspace, &str);

const KINDS: [(Put, &str); 2] = [(put_fifo, "FIFO (named pipe)"), (put_endless, "device")];

/// Runs a command that must fail, without waiting for a writer and without reading endlessly.
#[track_caller]
fn refused(workspace: &Workspace, arguments: &str, code: i32, kind: &str) -> String {
    let begin = Instant::now();
    let CommandOutput { code: found, stdout, stderr } =
        workspace.shell(&format!("ulimit -v 4194304; exec timeout 60 \"$LBAF\" {arguments}"));
    let said = stdout + &stderr;
    assert_eq!(found, code, "{arguments}: {said}");
    assert!(said.contains(&format!("this is a {kind}; only regular files are read")), "{arguments}: {said}");
    assert!(begin.elapsed() < Duration::from_secs(30), "{arguments}");
    said
}

#[test]
fn data_that_are_not_regular_files_are_refused_by_every_command() {
    for (put, kind) in KINDS {
        let workspace = workspace();
        std::fs::remove_file(workspace.path("set.1.json")).expect("it is there");
        put(&workspace, "set.1.json");
        for arguments in [
            "info set",
            "info set.1.json",
            "validate set",
            "validate set.1.json",
            "validate .",
            "tasks set",
            "diff set set",
            "convert set new --brotli",
            "convert set.1.json new.json --brotli",
            "convert set new --to csv",
            "extract set new --phases 0",
            "anomalies set",
            "provenance export set database",
            "run run.yaml",
            "run run.yaml --set check_schema=true",
            "simulate run.yaml",
        ] {
            let said = refused(&workspace, arguments, 4, kind);
            assert!(said.contains("set.1.json"), "{arguments}: {said}");
        }
    }
}

#[test]
fn configurations_and_files_that_they_name_are_regular_files() {
    for (put, kind) in KINDS {
        let workspace = workspace();
        put(&workspace, "odd");
        let with = |name: &str, configuration: &str| workspace.write(name, format!("{RUN}{configuration}\n"));
        let of = |algorithm: &str| RUN.replace("{name: Greedy}", algorithm);
        with("schedule.yaml", "simulation: {schedule: {specification: odd}}");
        workspace.write("lb_config.yaml", of("{lb_config: odd}"));
        workspace.write("moves.yaml", of("{name: PrescribedPermutation, parameters: {permutation: odd}}"));
        workspace.write("map.yaml", of("{name: OfflineLB, parameters: {map: odd}}"));
        workspace.write("study.yaml", "base: odd\naxes: {algorithm.name: [Greedy, LPT]}\noutput_dir: grid\n");
        for (arguments, code) in [
            ("run odd", 3),
            ("-c odd", 3),
            ("make odd new", 3),
            ("spec odd", 3),
            ("simulate odd", 3),
            ("study odd", 3),
            ("study study.yaml", 3),
            ("milp odd", 3),
            ("milp run.yaml --solution odd", 4),
            ("run lb_config.yaml", 3),
            ("run moves.yaml", 3),
            ("run map.yaml", 3),
            ("simulate schedule.yaml", 3),
            ("provenance import odd new", 4),
            ("info odd", 4),
        ] {
            refused(&workspace, arguments, code, kind);
        }
        put(&workspace, "global.yaml");
        assert!(refused(&workspace, "run run.yaml", 3, kind).contains("global.yaml"));
    }
}

#[test]
fn outputs_of_a_run_are_regular_files() {
    let written = workspace();
    written.succeed(&["run", "run.yaml"]);
    for (put, kind) in KINDS {
        for name in ["summary.json", "ranks.csv"] {
            let workspace = workspace();
            workspace.copy(&written.path("out"), "out");
            std::fs::remove_file(workspace.path("out").join(name)).expect("it is there");
            put(&workspace, &format!("out/{name}"));
            // The charts of this run do not need `ranks.csv`.
            for command in ["plot out", "report out"].into_iter().skip(usize::from(name == "ranks.csv")) {
                assert!(refused(&workspace, command, 4, kind).contains(name));
            }
        }
        // A run reads earlier outputs before it replaces them, and must not wait for a writer.
        let workspace = workspace();
        std::fs::create_dir(workspace.path("out")).expect("a directory");
        put(&workspace, "out/summary.json");
        let said = workspace.shell("exec timeout 60 \"$LBAF\" run run.yaml");
        assert!(said.code == 0 || said.code == 6, "{}", said.stderr);
    }
}

/// Standard input and the argument that shells pass for `<(command)` already have a writer.
#[test]
fn configurations_from_pipes_have_paths_relative_to_the_working_directory() {
    let workspace = workspace();
    for line in ["cat run.yaml | \"$LBAF\" run /dev/stdin", "\"$LBAF\" run /dev/stdin < run.yaml"] {
        // Paths in a redirected file are relative to the directory of the given name, here `/dev`, so this file has
        // absolute paths.
        let line = line.replace("< run.yaml", "< absolute.yaml");
        workspace.write(
            "absolute.yaml",
            RUN.replace(": set", &format!(": {}", workspace.path("set").display()))
                .replace("out\n", &format!("{}\n", workspace.path("out").display())),
        );
        let said = workspace.shell(&line);
        assert_eq!(said.code, 0, "{line}: {}", said.stderr);
        assert!(workspace.path("out/summary.json").is_file());
        std::fs::remove_dir_all(workspace.path("out")).expect("a directory");
    }
    let said = workspace.shell("bash -c '\"$LBAF\" run <(cat run.yaml)'");
    if said.code != 127 {
        assert_eq!(said.code, 0, "{}", said.stderr);
    }
    let said = workspace.shell("ulimit -v 4194304; yes | timeout 60 \"$LBAF\" run /dev/stdin");
    assert_eq!(said.code, 3, "{}", said.stderr);
    assert!(said.stderr.contains("the pipe holds more than 64 MiB; use a file"), "{}", said.stderr);
}

/// A log must be a regular file.
#[test]
fn a_log_is_not_a_fifo_device_or_directory() {
    let workspace = workspace();
    put_fifo(&workspace, "fifo");
    std::fs::create_dir(workspace.path("directory")).expect("it can be made");
    symlink("/dev/null", workspace.path("endless")).expect("a link");
    for (name, kind) in [("fifo", "a FIFO"), ("endless", "a device"), ("directory", "a directory")] {
        let error = workspace.fail(&["run", "run.yaml", "--set", &format!("log_to_file={name}")], 6);
        assert!(error.contains(&format!("it is {kind}; choose a regular file")), "{error}");
        assert!(!workspace.path("out").exists());
    }
}
