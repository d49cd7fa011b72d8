// SPDX-License-Identifier: MIT OR Apache-2.0
//! Studies that several processes compute at the same time in one directory.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "the functions shared by the tests are tests too")]

use std::collections::BTreeMap;

use super::{STUDY, outputs};
use crate::workspace::Workspace;

/// A study with 60 cells that take some milliseconds each, without charts.
fn workspace() -> Workspace {
    let study =
        STUDY.replace("seed: 0-4", "seed: 0-9").replace("n_objects: [120, 60]", "n_objects: [900, 600]");
    super::workspace(&format!("{study}leases: {{renew_after: 0.05, expire_after: 0.4}}\n"))
}

/// Returns the number of times that each cell was stored, according to the logs, and removes the logs.
fn stored(workspace: &Workspace, directory: &str) -> BTreeMap<usize, usize> {
    let mut counts = BTreeMap::new();
    let logs = workspace.path(directory).join("logs");
    for log in logs.read_dir().expect("processes of a launcher have logs") {
        let text = std::fs::read_to_string(log.unwrap().path()).unwrap();
        for range in text
            .lines()
            .filter_map(|line| line.strip_prefix("stored cells "))
            .flat_map(|line| line.split(", "))
        {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            for cell in first.parse::<usize>().unwrap()..=last.parse().unwrap() {
                *counts.entry(cell).or_insert(0) += 1;
            }
        }
    }
    std::fs::remove_dir_all(logs).unwrap();
    counts
}

/// Ranks of Slurm, which inherit the variables of their step.
const START: &str =
    "start() { SLURM_JOB_ID=7 SLURM_PROCID=$1 \"$LBAF\" study study.yaml --threads 1 2>said$1; }; ";

#[test]
fn four_processes_compute_each_cell_once() {
    let workspace = workspace();
    workspace.succeed(&["study", "study.yaml", "--output-dir", "whole"]);
    workspace.shell(&format!("{START} for i in 0 1 2 3; do start $i & done; wait"));
    assert_eq!(stored(&workspace, "out"), (0..60).map(|cell| (cell, 1)).collect());
    assert!(outputs(&workspace, "out") == outputs(&workspace, "whole"));
    // One process has written the results; the others say so.
    let others = (0..4)
        .filter(|i| workspace.text(&format!("said{i}")).contains("another process of this study wrote"));
    assert_eq!(others.count(), 3);
}

/// Processes are killed at different times, the last one so late that it may wait for others.
#[test]
fn cells_of_killed_processes_are_computed_by_others() {
    for delay in ["0.05", "0.15", "0.3", "0.6"] {
        let workspace = workspace();
        workspace.succeed(&["study", "study.yaml", "--output-dir", "whole"]);
        workspace.shell(&format!(
            "{START} for i in 0 1 2; do start $i & done; \
             SLURM_PROCID=3 \"$LBAF\" study study.yaml --threads 1 & killed=$!; sleep {delay}; kill -9 $killed; wait"
        ));
        let stored = stored(&workspace, "out");
        // The killed process can have stored one cell without logging it, or without marking it as done.
        assert!(stored.len() >= 59 && stored.values().sum::<usize>() <= 61, "{stored:?}");
        assert!(outputs(&workspace, "out") == outputs(&workspace, "whole"));
    }
}

/// A stopped process is not distinguishable from a killed one on another machine: its lease is not renewed.
#[test]
fn a_suspended_process_loses_its_cells_and_does_no_harm() {
    let workspace = workspace();
    workspace.succeed(&["study", "study.yaml", "--output-dir", "whole"]);
    workspace.shell(&format!(
        "{START} SLURM_PROCID=3 \"$LBAF\" study study.yaml --threads 1 & stopped=$!; \
         until ls out/cells 2>/dev/null | grep -q json; do sleep 0.01; done; kill -STOP $stopped; start 0; kill -CONT $stopped; \
         wait $stopped && echo ended >last"
    ));
    assert_eq!(workspace.text("last"), "ended\n");
    let stored = stored(&workspace, "out");
    assert_eq!(stored.len(), 60);
    assert!(stored.values().sum::<usize>() <= 61, "{stored:?}");
    assert!(outputs(&workspace, "out") == outputs(&workspace, "whole"));
}

/// The smaller study tidies up while the larger one writes cells.
#[test]
fn two_grids_share_a_directory() {
    let workspace = workspace();
    workspace.write("small.yaml", workspace.text("study.yaml").replace("seed: 0-9", "seed: 0-1"));
    workspace.succeed(&["study", "study.yaml", "--output-dir", "whole"]);
    workspace.shell(&format!(
        "{START} start 0 & for i in 1 2 3 4; do \"$LBAF\" study small.yaml --quiet --threads 1 || touch failed; done; wait"
    ));
    assert!(!workspace.path("failed").exists());
    workspace.succeed(&["study", "study.yaml"]);
    let (mut found, expected) = (outputs(&workspace, "out"), outputs(&workspace, "whole"));
    found.retain(|name, _| !name.starts_with("logs"));
    assert!(found == expected);
}

/// A start during another one does not repeat cells that failed for now.
#[test]
fn cells_that_failed_for_now_are_computed_once_by_processes_at_the_same_time() {
    let workspace = super::workspace(&format!("{STUDY}time_limit: 0.000001\n"));
    workspace.shell(&format!("{START} for i in 0 1 2; do start $i & done; wait"));
    let stored = stored(&workspace, "out");
    assert_eq!(stored, (0..30).map(|cell| (cell, 1)).collect());
}

#[test]
fn the_status_counts_cells_and_names_processes() {
    let workspace = workspace();
    let error = workspace.lbaf(&["study", "status", "."]);
    assert_eq!(error.code, 4);
    assert!(error.stderr.contains("holds no study"), "{}", error.stderr);
    let error = workspace.lbaf(&["study", "status", "study.yaml"]);
    assert_eq!((error.code, error.stderr.contains("is not a directory")), (4, true), "{}", error.stderr);
    workspace.shell(&format!(
        "{START} start 5 & started=$!; until ls out/cells 2>/dev/null | grep -q json; do sleep 0.01; done; \
         kill -STOP $!; pkill -STOP -P $! 2>/dev/null; \"$LBAF\" study status out >text; \
         \"$LBAF\" study status out --json >json; pkill -CONT -P $!; kill -CONT $!; wait"
    ));
    let text = workspace.text("text");
    assert!(text.contains(" of 60 cells stored"), "{text}");
    assert!(text.contains("slurm-7-5-"), "{text}");
    let status = workspace.json("json");
    assert_eq!(status["cells"], 60);
    assert_eq!(status["is_written"], false);
    assert!(status["stored"].as_u64().unwrap() > 0);
    let ended = workspace.succeed(&["study", "status", "out"]);
    assert_eq!(ended, "60 of 60 cells stored\nThe results are written.\n");
}

#[test]
fn wrong_times_of_leases_are_refused() {
    for (times, message) in [
        (
            "renew_after: 10, expire_after: 20",
            "leases.expire_after: expected at least three times `renew_after`, which is 10 s",
        ),
        (
            "renew_after: 30",
            "leases.renew_after: expected at most a third of `expire_after`, whose default is 60 s",
        ),
        (
            "expire_after: 1e300",
            "leases.expire_after: expected seconds above 0 and at most 1000000000, found 1e300",
        ),
    ] {
        let workspace = super::workspace(&format!("{STUDY}leases: {{{times}}}\n"));
        let said = workspace.lbaf(&["study", "study.yaml"]);
        assert_eq!(said.code, 3);
        assert!(said.stderr.contains(message), "{times}: {}", said.stderr);
    }
}
