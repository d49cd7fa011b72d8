// SPDX-License-Identifier: MIT OR Apache-2.0
//! Studies that are killed, extended, or shared by several processes.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use super::{STUDY, outputs, workspace};
use crate::workspace::Workspace;

/// A study killed at twenty moments and started again gives the same bytes as an uninterrupted study.
#[test]
fn killed_studies_continue() {
    const KILLS: u32 = 20;
    let workspace = workspace(STUDY);
    let began = Instant::now();
    workspace.succeed(&["study", "study.yaml", "--output-dir", "whole"]);
    let whole = began.elapsed();
    let expected = outputs(&workspace, "whole");
    for kill in 1..=KILLS {
        let directory = format!("killed{}", kill % 4);
        // Later runs are killed while they continue earlier runs.
        let seconds = (whole * (kill * 7 % KILLS + 1) / KILLS + Duration::from_micros(u64::from(kill) * 137))
            .as_secs_f64();
        let line = format!(
            "\"$LBAF\" study study.yaml --output-dir {directory} & child=$!; sleep {seconds}; kill -9 $child; wait $child; true"
        );
        workspace.shell(&line);
    }
    for directory in ["killed0", "killed1", "killed2", "killed3"] {
        workspace.succeed(&["study", "study.yaml", "--output-dir", directory]);
        let found = outputs(&workspace, directory);
        assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{directory}");
        assert!(found == expected, "{directory} differs");
    }
}

/// The second strategy is a command that does not reply, so the study is interrupted after its first cell.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_keeps_finished_cells_and_ends_soon() {
    const ENDLESS: &str = "
configuration:
  from_samplers: {n_ranks: 2, n_objects: 8, n_mapped_ranks: 2, load_sampler: {name: uniform, parameters: [0.5, 1.5]}}
axes:
  strategy:
    Ours: {algorithm: {name: LPT, parameters: null}}
    Theirs: {algorithm: {name: External, parameters: {command: [sleep, '50']}}}
output_dir: out
";
    let workspace = Workspace::new();
    workspace.write("study.yaml", ENDLESS);
    let line = "\"$LBAF\" study study.yaml 2>said & child=$!; \
                until ls out/cells 2>/dev/null | grep -q json; do sleep 0.01; done; kill -TERM $child; wait $child";
    let began = Instant::now();
    assert_eq!(workspace.shell(line).code, 128 + 15);
    assert!(began.elapsed() < Duration::from_secs(30));
    let said = workspace.text("said");
    let error = "error: interrupted: results were not written; finished cells of a study are kept\n";
    assert!(said.ends_with(error), "{said}");
    assert!(!workspace.path("out/study.json").exists());
    workspace.write("study.yaml", ENDLESS.replace("[sleep, '50']", "['false']"));
    let said = workspace.lbaf(&["study", "study.yaml"]);
    assert!(said.stdout.contains("; 1 of them were computed before"), "{} {}", said.stdout, said.stderr);
}

#[test]
fn incomplete_cells_are_computed_again() {
    let workspace = workspace(STUDY);
    workspace.succeed(&["study", "study.yaml"]);
    let expected = outputs(&workspace, "out");
    let cells: Vec<&String> = expected.keys().filter(|name| name.starts_with("cells/")).collect();
    workspace.write(&format!("out/{}", cells[0]), "");
    workspace.write(&format!("out/{}", cells[1]), "{\"version\":1,");
    workspace.write(&format!("out/{}", cells[2].replace("cells/", "cells/.part-")), "{\"ver");
    std::fs::remove_file(workspace.path(&format!("out/{}", cells[2]))).expect("it is there");
    let said = workspace.succeed(&["study", "study.yaml"]);
    assert!(said.contains("; 27 of them were computed before"), "{said}");
    assert!(outputs(&workspace, "out") == expected);
}

#[test]
fn studies_grow_without_computing_anything_twice() {
    let workspace = workspace(&STUDY.replace("seed: 0-4", "seed: 0-2"));
    workspace.succeed(&["study", "study.yaml"]);
    workspace.write("study.yaml", STUDY);
    let said = workspace.succeed(&["study", "study.yaml"]);
    assert!(said.contains("; 18 of them were computed before"), "{said}");
    workspace.succeed(&["study", "study.yaml", "--output-dir", "at_once"]);
    assert!(outputs(&workspace, "out") == outputs(&workspace, "at_once"));
    // Another spelling of the same configuration keeps the cells, and so do settings of the presentation.
    let respelt = STUDY
        .replace("n_ranks: 8\n    n_objects: 120", "n_objects: 120\n    n_ranks: 8")
        .replace("algorithm: {name: TemperedLB", "output_file_stem: other\n  algorithm: {name: TemperedLB");
    workspace.write("study.yaml", respelt);
    let said = workspace.succeed(&["study", "study.yaml"]);
    assert!(said.contains("; 30 of them were computed before"), "{said}");
}

/// The digest of a cell depends on the content of its data, not on their location.
#[test]
fn cells_are_identified_by_the_content_of_their_data() {
    let workspace = workspace(
        "configuration: {from_data: {data_stem: set}, algorithm: {name: LPT}}\naxes: {algorithm.name: [LPT, Refine]}\noutput_dir: out\n\
         plots: none\n",
    );
    let file = |load: f64| {
        let task = crate::vom::task(crate::vom::packed(1, 0), 0, load);
        serde_json::json!({"metadata": {"type": "LBDatafile", "rank": 0}, "phases": [{"id": 0, "tasks": [task]}]})
            .to_string()
    };
    workspace.write("set.0.json", file(1.0));
    workspace.succeed(&["study", "study.yaml"]);
    workspace.write("moved/set.0.json", file(1.0));
    let said = workspace.succeed(&["study", "study.yaml", "--set", "from_data.data_stem=moved/set"]);
    assert!(said.contains("2 of them were computed before"), "{said}");
    workspace.write("set.0.json", file(2.0));
    let said = workspace.succeed(&["study", "study.yaml"]);
    assert!(!said.contains("computed before"), "{said}");
    assert!(workspace.text("out/cells.csv").contains(",2.0,"), "the new load is in the table");
}

/// The digest also depends on other files that a configuration names: here the file with the schedule.
#[test]
fn cells_are_identified_by_the_content_of_other_files() {
    let study = "command: simulate\nconfiguration: {from_samplers: {n_ranks: 2, n_objects: 8, n_mapped_ranks: 1, \
                 communication_degree: 0, n_phases: 3, load_sampler: {name: uniform, parameters: [1, 2]}, volume_sampler: \
                 {name: uniform, parameters: [0, 1]}}, algorithm: {name: LPT}, simulation: {schedule: {specification: \
                 when.txt}}}\noutput_dir: out\nplots: none\n";
    let workspace = workspace(study);
    workspace.write("when.txt", "0 0 0\n");
    workspace.succeed(&["study", "study.yaml"]);
    let first = workspace.text("out/cells.csv");
    workspace.write("when.txt", "1 0 0\n");
    let said = workspace.succeed(&["study", "study.yaml"]);
    assert!(!said.contains("computed before"), "{said}");
    assert_ne!(workspace.text("out/cells.csv"), first);
}

#[test]
fn a_merge_names_a_directory_that_does_not_exist() {
    let workspace = workspace(STUDY);
    for absent in ["nope", "study.yaml"] {
        let error = workspace.fail(&["study", "merge", "study.yaml", absent, "--output-dir", "merged"], 4);
        assert_eq!(
            error,
            format!("error: {absent} is not a directory; give the output directories of shards\n")
        );
    }
}

/// Regression: a directory without results of a study was accepted like a shard without cells.
#[test]
fn a_merge_refuses_directories_that_hold_no_study() {
    let workspace = workspace(STUDY);
    workspace.succeed(&["study", "study.yaml", "--output-dir", "whole"]);
    workspace.write("other/summary.json", "{}");
    let merge = ["study", "merge", "study.yaml", "whole", "other", "--output-dir", "merged"];
    assert_eq!(
        workspace.fail(&merge, 4),
        "error: other is not the output directory of a study or shard, because it has no folder `cells`; give the \
         output directories of shards\n"
    );
    assert!(!workspace.path("merged/study.json").exists());
}

/// A study of six cells has cells in at most six shards, so one of seven shards has none.
#[test]
fn a_merge_accepts_shards_without_cells() {
    let workspace = workspace(&STUDY.replace("seed: 0-4", "seed: [0]"));
    workspace.succeed(&["study", "study.yaml", "--output-dir", "whole"]);
    let shard_without_cells = (1..=7).find_map(|number| {
        let directory = format!("shard{number}");
        let shard = format!("{number}/7");
        workspace.succeed(&["study", "study.yaml", "--shard", &shard, "--output-dir", &directory]);
        kept(&workspace, &directory).is_empty().then_some(directory)
    });
    let empty = shard_without_cells.expect("six cells are in at most six shards");
    workspace.succeed(&["study", "merge", "study.yaml", "whole", &empty, "--output-dir", "merged"]);
    assert!(outputs(&workspace, "merged") == outputs(&workspace, "whole"));
}

#[test]
fn merged_shards_equal_the_whole_study() {
    let workspace = workspace(STUDY);
    workspace.succeed(&["study", "study.yaml", "--output-dir", "whole"]);
    let said = workspace.succeed(&["study", "study.yaml", "--shard", "1/2", "--output-dir", "one"]);
    let n_first = kept(&workspace, "one").len();
    assert!(said.contains(&format!("Part 1 of 2: {n_first} cells")), "{said}");
    let missing = ["study", "merge", "study.yaml", "one", "--output-dir", "merged"];
    let said = workspace.fail(&missing, 4);
    let n_missing = 30 - n_first;
    let expected = format!("{n_missing} of 30 cells are missing from all shards, the first is cell ");
    assert!(said.contains(&expected), "{said}");
    workspace.succeed(&["study", "study.yaml", "--shard", "2/2", "--output-dir", "other"]);
    workspace.succeed(&["study", "merge", "study.yaml", "one", "other", "--output-dir", "merged"]);
    assert!(outputs(&workspace, "merged") == outputs(&workspace, "whole"));
    // Shards in one directory need no merge: the study itself combines them.
    for part in ["1/2", "2/2"] {
        workspace.succeed(&["study", "study.yaml", "--shard", part, "--output-dir", "shared"]);
    }
    let said = workspace.succeed(&["study", "study.yaml", "--output-dir", "shared"]);
    assert!(said.contains("; 30 of them were computed before"), "{said}");
    assert!(outputs(&workspace, "shared") == outputs(&workspace, "whole"));
}

/// Returns the strategy of each kept cell, by the name of the file of the cell.
fn kept(workspace: &Workspace, directory: &str) -> BTreeMap<String, String> {
    let cells = workspace.names(directory).into_iter().filter(|name| name.starts_with("cells/"));
    let strategy = |name: String| {
        let cell = workspace.json(&format!("{directory}/{name}"));
        (name, cell["rows"][0]["strategy"].as_str().unwrap_or_default().to_owned())
    };
    cells.map(strategy).collect()
}

/// If cells were assigned in turn, each of three shards would have one of the three strategies.
/// The shard with the most expensive strategy would take nearly as long as the whole study.
#[test]
fn every_strategy_is_on_several_shards_and_cells_keep_their_shard() {
    let strategies = "  strategy: {LPT: {algorithm: {name: LPT}}, Multifit: {algorithm: {name: MULTIFIT}}, Tempered: {}}\n";
    let (axes, end) = (STUDY.find("axes:").expect("it is there"), "output_dir: out\nplots: none\n");
    let study = |seeds: &str| format!("{}axes:\n  seed: {seeds}\n{strategies}{end}", &STUDY[..axes]);
    let workspace = workspace(&study("0-9"));
    workspace.write("small.yaml", study("0-3"));
    let shards: Vec<BTreeMap<String, String>> = (1..=3)
        .map(|number| {
            let (part, directory) = (format!("{number}/3"), format!("part{number}"));
            workspace.succeed(&["study", "study.yaml", "--shard", &part, "--output-dir", &directory]);
            let small = format!("small{number}");
            workspace.succeed(&["study", "small.yaml", "--shard", &part, "--output-dir", &small]);
            let (large, small) = (kept(&workspace, &directory), kept(&workspace, &small));
            assert!(small.keys().all(|cell| large.contains_key(cell)), "shard {number}");
            large
        })
        .collect();
    let all: BTreeSet<&String> = shards.iter().flat_map(BTreeMap::keys).collect();
    assert_eq!((all.len(), shards.iter().map(BTreeMap::len).sum::<usize>()), (30, 30));
    for name in ["LPT", "MULTIFIT", "TemperedLB"] {
        let has = |shard: &&BTreeMap<String, String>| shard.values().any(|strategy| strategy == name);
        assert!(shards.iter().filter(has).count() > 1, "{name}: {shards:?}");
    }
}
