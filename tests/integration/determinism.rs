// SPDX-License-Identifier: MIT OR Apache-2.0
//! The same input gives the same bytes in every run, for any number of threads and any order of files on disk.

use std::collections::BTreeMap;
use std::fs;

use crate::workspace::Workspace;

/// 12 ranks with all features of data sets: communication, blocks, sentinels, drift.
const SPECIFICATION: &str = "
from_samplers:
  n_ranks: 12
  n_objects: 150
  n_mapped_ranks: 5
  n_phases: 2
  drift: 0.3
  communication_degree: 3
  load_sampler: {name: lognormal, parameters: [1.0, 2.0]}
  volume_sampler: {name: uniform, parameters: [1, 1000]}
  n_sentinels_per_rank: 1
  sentinel_load_sampler: {name: uniform, parameters: [0.0, 0.1]}
  shared_blocks: {n_blocks: 20, size_bytes: 1.0e+6}
  task_footprint_bytes: 1000
";

const CONFIGURATION: &str = "
from_data: {data_stem: data/set}
work_model:
  name: AffineCombination
  parameters: {beta: 1.0e-4, delta: 1.0e-9}
algorithm: {name: Greedy}
output_dir: out
write_JSON: {compressed: true, lb_iterations: true}
plots: {formats: [svg, pdf, png]}
";

const STRATEGIES: [&str; 3] = ["Greedy", "RandomLB", "RotateLB"];

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.write("spec.yaml", SPECIFICATION);
    workspace.write("run.yaml", CONFIGURATION);
    let said = workspace.succeed(&["make", "spec.yaml", "data/set", "--seed", "3"]);
    let made = "12 ranks, 150 objects and 12 non-migratable objects, 2 phases; ";
    assert!(said.contains(made), "{said}");
    workspace
}

/// Returns the console output, and all output files without clock times.
fn outputs(workspace: &Workspace, strategy: &str, threads: &str) -> BTreeMap<String, Vec<u8>> {
    // Drawing takes most of the time and does not depend on the strategy.
    let plots = if strategy == "Greedy" { "plots.dpi=60" } else { "plots=none" };
    let strategy = format!("algorithm.name={strategy}");
    let set = ["--set", &strategy, "--set", plots, "--threads", threads];
    let report = workspace.succeed(&[&["run", "run.yaml"][..], &set].concat());
    let mut files = workspace.files("out");
    files.remove("timings.json").expect("every run leaves its clock times");
    files.insert("report".to_owned(), report.into_bytes());
    files
}

/// Reports which files differ instead of printing their bytes.
#[track_caller]
fn assert_same(left: &BTreeMap<String, Vec<u8>>, right: &BTreeMap<String, Vec<u8>>) {
    assert!(left.keys().eq(right.keys()), "{:?} and {:?}", left.keys(), right.keys());
    let different: Vec<_> = left.keys().filter(|&name| left[name] != right[name]).collect();
    assert!(different.is_empty(), "different bytes: {different:?}");
}

#[test]
fn a_replay_does_not_depend_on_the_number_of_threads() {
    let workspace = workspace();
    workspace.write("run.yaml", CONFIGURATION.replace("{name: Greedy}", "{name: Greedy, placement: carry}"));
    assert_same(&outputs(&workspace, "RandomLB", "1"), &outputs(&workspace, "RandomLB", "7"));
}

#[test]
fn outputs_do_not_depend_on_threads_or_runs() {
    let workspace = workspace();
    for strategy in STRATEGIES {
        let one = outputs(&workspace, strategy, "1");
        // At least 12 data files, the console output, the summary and 5 tables.
        assert!(one.len() >= 19, "{:?}", one.keys());
        assert_same(&one, &outputs(&workspace, strategy, "1"));
        assert_same(&one, &outputs(&workspace, strategy, "2"));
        assert_same(&one, &outputs(&workspace, strategy, "7"));
    }
}

#[test]
fn outputs_do_not_depend_on_the_order_of_files_on_disk() {
    let (first, second) = (workspace(), Workspace::new());
    second.write("run.yaml", CONFIGURATION);
    for (name, bytes) in first.files("data").into_iter().rev() {
        second.write(&format!("data/{name}"), bytes);
    }
    for strategy in STRATEGIES {
        assert_same(&outputs(&first, strategy, "2"), &outputs(&second, strategy, "2"));
    }
}

#[test]
fn seeds_affect_only_random_strategies() {
    let workspace = workspace();
    let migrations = |strategy: &str, seed: &str| {
        let strategy = format!("algorithm.name={strategy}");
        let arguments = ["run", "run.yaml", "--set", &strategy, "--set", "plots=none", "--seed", seed];
        workspace.succeed(&arguments);
        workspace.text("out/migrations.csv")
    };
    assert_eq!(migrations("RandomLB", "5"), migrations("RandomLB", "5"));
    assert_ne!(migrations("RandomLB", "5"), migrations("RandomLB", "6"));
    assert_eq!(migrations("Greedy", "5"), migrations("Greedy", "6"));
}

#[test]
fn synthetic_data_depend_only_on_the_seed() {
    let workspace = Workspace::new();
    workspace.write("spec.yaml", SPECIFICATION);
    let make = |directory: &str, seed: &str, threads: &str| {
        let stem = format!("{directory}/set");
        workspace.succeed(&["make", "spec.yaml", &stem, "--seed", seed, "--threads", threads]);
        let files = workspace.files(directory);
        fs::remove_dir_all(workspace.path(directory)).expect("it was made");
        files
    };
    let files = make("a", "1", "1");
    assert_eq!(files.len(), 12);
    assert_same(&files, &make("b", "1", "2"));
    let other = make("c", "2", "1");
    assert!(files.keys().all(|name| files[name] != other[name]));
}
