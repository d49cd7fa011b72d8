// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs on synthetic data from distributions, without files.

use std::collections::BTreeMap;

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::workspace::Workspace;

const SAMPLERS: &str = "
from_samplers:
  n_ranks: 6
  n_objects: 90
  n_mapped_ranks: 4
  communication_degree: 3
  load_sampler: {name: gamma, parameters: [1.0, 2.0]}
  volume_sampler: {name: zipf, parameters: [100, 1.2, 8]}
  n_phases: 3
  drift: 0.2
  hot_spot: {factor: 3, width: 0.25, speed: 0.25}
  wave: {factor: 2, width: 0.5, period: 4, across: objects}
  ranks_per_node: 2
  n_sentinels_per_rank: 1
  sentinel_load_sampler: {name: normal, parameters: [0.1, 0.01]}
  shared_blocks: {n_blocks: 12, size_bytes: {name: exponential, parameters: [1.0e+6]}}
  task_footprint_bytes: 1000
";

const REST: &str = "
work_model:
  name: AffineCombination
  parameters: {beta: 1.0e-4, delta: 1.0e-9, upper_bounds: {max_memory_usage: 1.0e+9}}
algorithm: {name: Greedy}
write_JSON: {compressed: false, lb_iterations: true}
plots: none
";

fn workspace(rest: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.write("run.yaml", format!("{SAMPLERS}{REST}{rest}"));
    workspace
}

/// Returns all outputs except those with the source of the data or clock times.
fn outputs(workspace: &Workspace, directory: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files = workspace.files(directory);
    files.remove("timings.json").expect("every run leaves its clock times");
    files.remove("summary.json").expect("every run leaves a summary");
    files
}

#[test]
fn a_run_on_samplers_equals_a_run_on_the_files() {
    let workspace = workspace("output_dir: drawn\nseed: 7\n");
    let said = workspace.succeed(&["run", "run.yaml"]);
    assert!(
        said.starts_with("sampled data: 6 ranks, 96 objects, 3 phases; Greedy on AffineCombination\n"),
        "{said}"
    );

    workspace.write("spec.yaml", SAMPLERS);
    workspace.succeed(&["make", "spec.yaml", "made/data", "--seed", "7", "--plain"]);
    let from_data = "from_data: {data_stem: made/data, ranks_per_node: 2}";
    workspace.write("files.yaml", format!("{from_data}{REST}output_dir: read\nseed: 7\n"));
    let said_of_files = workspace.succeed(&["run", "files.yaml"]);
    assert_eq!(said.replace("sampled data", "made/data").replace("drawn", "read"), said_of_files);

    let (drawn, read) = (outputs(&workspace, "drawn"), outputs(&workspace, "read"));
    // 8 tables and 6 files of ranks
    assert_eq!(drawn.len(), 14);
    assert!(drawn.keys().eq(read.keys()), "{:?} and {:?}", drawn.keys(), read.keys());
    for (name, bytes) in &drawn {
        assert_eq!(bytes, &read[name], "{name}");
    }
    let (mut drawn, mut read) = (workspace.json("drawn/summary.json"), workspace.json("read/summary.json"));
    let origin = |summary: &Value| [&summary["input"]["stem"], &summary["input"]["suffix"]].map(Value::clone);
    assert_eq!(origin(&drawn), [json!("sampled data"), Value::Null]);
    assert_eq!(origin(&read), [json!("made/data"), json!("json")]);
    for summary in [&mut drawn, &mut read] {
        summary["input"]["stem"].take();
        summary["input"]["suffix"].take();
        summary["configuration"].take();
    }
    assert_eq!(drawn, read);
    assert_eq!(workspace.json("drawn/timings.json")["stem"], Value::Null);
}

#[test]
fn the_data_depend_only_on_the_seed() {
    let workspace = workspace("");
    let run = |arguments: &[&str]| {
        workspace.succeed(&[&["run", "run.yaml", "--output-dir", "out"], arguments].concat());
        outputs(&workspace, "out")
    };
    let first = run(&["--seed", "3", "--threads", "1"]);
    assert_eq!(first, run(&["--seed", "3", "--threads", "4"]));
    assert_ne!(first["ranks.csv"], run(&["--seed", "4"])["ranks.csv"]);
    // The default seed is 0, as for `lbaf make`.
    assert_eq!(run(&[]), run(&["--seed", "0"]));
}

#[test]
fn phases_can_be_selected_on_the_command_line() {
    let workspace = workspace("output_dir: out\n");
    workspace.succeed(&["run", "run.yaml", "--phases", "1-2"]);
    assert_eq!(workspace.json("out/summary.json")["input"]["phases_read"], json!([1, 2]));
    assert_snapshot!(
        workspace.fail(&["run", "run.yaml", "--phases", "3"], 3),
        @"error: --phases: phase 3 is not in the data, which hold phases 0-2"
    );
}

#[test]
fn charts_of_synthetic_data_can_be_redrawn() {
    let workspace = workspace("output_dir: out\n");
    let plots = "plots={formats: [svg], charts: [rank_loads]}";
    workspace.succeed(&["run", "run.yaml", "--set", plots]);
    let before = workspace.files("out/plots");
    assert!(!before.is_empty());
    workspace.succeed(&["plot", "out"]);
    assert_eq!(workspace.files("out/plots"), before);
}

#[test]
fn settings_about_files_are_reported_as_without_effect() {
    let workspace = workspace("output_dir: out\ncheck_schema: true\n");
    let said = workspace.lbaf(&["run", "run.yaml", "--suffix", "json"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert_snapshot!(said.stderr, @r"
    warning: `check_schema` has no effect: synthetic data have no files to check
    warning: --suffix has no effect: synthetic data have no files to find
    ");
}

/// Returns the error of a run with an invalid section `from_samplers`. Expects exit code 3 and no output.
#[track_caller]
fn refused(samplers: &str) -> String {
    let workspace = Workspace::new();
    let configuration = format!("{}\nalgorithm: {{name: Greedy}}\noutput_dir: out\n", samplers.trim());
    workspace.write("run.yaml", configuration);
    let error = workspace.fail(&["run", "run.yaml"], 3);
    assert_eq!(workspace.names("."), ["run.yaml"]);
    error
}

#[test]
fn invalid_samplers_are_refused_at_their_place() {
    assert_snapshot!(refused("
from_samplers:
  n_ranks: 2
  n_objects: 8
  load_sampler:
    name: pareto
    parameters: [1.0]
"), @r"
    error: run.yaml:6:17: from_samplers: `load_sampler.parameters` is [1], but `pareto` takes two parameters, the smallest value and the tail exponent
      |
    6 |     parameters: [1.0]
      |                 ^
    ");
    assert_snapshot!(refused("
from_samplers:
  n_ranks: 2
  n_objects: 8
  load_sampler: {name: lognormal, parameters: [1.0, 2.0]}
  wave: {factor: 2, width: 20, period: 5}
"), @r"
    error: run.yaml:5:28: from_samplers: `wave.width` is 20, but it must be a fraction above 0 and at most 1
      |
    5 |   wave: {factor: 2, width: 20, period: 5}
      |                            ^^
    ");
}

#[test]
fn misspelt_names_are_corrected() {
    assert_snapshot!(refused("
from_samplers:
  n_ranks: 2
  n_objects: 8
  load_sampler: {name: lognormel, parameters: [1.0, 2.0]}
"), @r"
    error: run.yaml:4:24: from_samplers.load_sampler.name: unknown value `lognormel`; did you mean `lognormal`?
      |
    4 |   load_sampler: {name: lognormel, parameters: [1.0, 2.0]}
      |                        ^^^^^^^^^
    ");
    assert_snapshot!(refused("
from_samplers:
  n_ranks: 2
  n_objects: 8
  load_sampler: {name: constant, parameters: [1.0]}
  hotspot: {factor: 2, width: 0.5}
"), @r"
    error: run.yaml:5:3: from_samplers: unknown key `hotspot`; did you mean `hot_spot`?
      |
    5 |   hotspot: {factor: 2, width: 0.5}
      |   ^^^^^^^
    ");
    assert_snapshot!(refused("
from_samplers:
  n_ranks: 2
  n_objects: 8
  load_sampler: {name: constant, parameters: 1.0}
"), @r"
    error: run.yaml:4:46: from_samplers.load_sampler.parameters: expected a list, found the number 1.0
      |
    4 |   load_sampler: {name: constant, parameters: 1.0}
      |                                              ^^^
    ");
}

const CONFIGURATIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/configs");

#[test]
fn the_example_runs() {
    let workspace = Workspace::new();
    workspace.copy(CONFIGURATIONS.as_ref(), "configs");
    let said = workspace.succeed(&["run", "configs/samplers.yaml", "--set", "plots=none"]);
    assert!(said.starts_with("sampled data: 16 ranks, 400 objects, 12 phases; Greedy on "), "{said}");
    let summary = workspace.json("output/samplers/summary.json");
    // In phase 3, the wave is at floor(3 * 18 / 12) = 4, and objects on two ranks have four times the load.
    let load = |phase: usize| summary["phases"][phase]["before"]["load"]["sum"].as_f64().expect("a load");
    assert!(load(3) > load(0) * 1.1, "{} and {}", load(0), load(3));
}

/// The commented section `from_samplers` in `configs/default.yaml` is valid and has every key.
#[test]
fn the_section_of_the_default_configuration_is_complete() {
    let text = std::fs::read_to_string(format!("{CONFIGURATIONS}/default.yaml")).expect("it is there");
    let lines = text.lines().skip_while(|line| *line != "# from_samplers:");
    let lines = lines.map_while(|line| line.strip_prefix('#'));
    let section: Vec<&str> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    let workspace = Workspace::new();
    let rest = "algorithm: {name: PhaseStepper}\nplots: none\noutput_dir: out\n";
    workspace.write("run.yaml", format!("{}\n{rest}", section.join("\n")));
    workspace.succeed(&["run", "run.yaml"]);

    let error = refused("from_samplers: {zzzz: 1}");
    let known = error.lines().find_map(|line| line.split_once("expected one of ")).expect("a list").1;
    let keys: Vec<&str> = known.split(", ").map(|key| key.trim_matches('`')).collect();
    assert!(keys.len() > 15, "{keys:?}");
    for key in keys {
        assert!(section.iter().any(|line| line.starts_with(&format!("  {key}:"))), "{key} is missing");
    }
}
