// SPDX-License-Identifier: MIT OR Apache-2.0
//! `--memory-limit`: outputs do not depend on it.

use insta::assert_snapshot;

use crate::workspace::Workspace;

const DATA: &str = "
from_samplers:
  n_ranks: 6
  n_phases: 4
  n_objects: 60
  n_mapped_ranks: 5
  load_sampler: {name: lognormal, parameters: [1, 0.5]}
  communication_degree: 3
  volume_sampler: {name: uniform, parameters: [1, 1000]}
  drift: 0.1
";

const RUN: &str = "
from_data: {data_stem: data, phase_ids: 0-2}
algorithm: {name: TemperedLB, phase_id: [0, 1]}
write_JSON: {compressed: false, lb_iterations: true}
plots: none
";

/// From a limit that all records meet to one at which each rank is written alone.
const LIMITS: [&str; 3] = ["1TB", "400kB", "60kB"];

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.write("spec.yaml", DATA);
    workspace.succeed(&["make", "spec.yaml", "data", "--plain"]);
    workspace.write("run.yaml", RUN);
    workspace
}

/// Runs the configuration under each limit, and compares all outputs except clock times.
#[track_caller]
fn check(workspace: &Workspace, changes: &[&str]) {
    let outputs = LIMITS.map(|limit| {
        let output = ["--memory-limit", limit, "--output-dir", limit];
        let changes = changes.iter().flat_map(|change| ["--set", change]);
        let arguments: Vec<&str> =
            ["run", "run.yaml", "-q"].into_iter().chain(output).chain(changes).collect();
        workspace.succeed(&arguments);
        let mut files = workspace.files(limit);
        files.remove("timings.json");
        files
    });
    assert!(outputs[0].keys().any(|name| name.ends_with(".5.json")), "{:?}", outputs[0].keys());
    for (limit, files) in LIMITS.iter().zip(&outputs) {
        assert_eq!(files.keys().collect::<Vec<_>>(), outputs[0].keys().collect::<Vec<_>>(), "{limit}");
        for (name, bytes) in files {
            assert!(*bytes == outputs[0][name], "{limit}: {name}");
        }
    }
}

#[test]
fn files_with_iterations_do_not_depend_on_the_limit() {
    check(&workspace(), &[]);
}

#[test]
fn simulations_do_not_depend_on_the_limit() {
    let workspace = workspace();
    let outputs = LIMITS.map(|limit| {
        workspace.succeed(&["simulate", "run.yaml", "-q", "--memory-limit", limit, "--output-dir", limit]);
        let mut files = workspace.files(limit);
        files.retain(|name, _| !name.starts_with("timings"));
        files
    });
    assert!(outputs[0].contains_key("simulation.csv"), "{:?}", outputs[0].keys());
    assert!(outputs.iter().all(|files| *files == outputs[0]));
}

#[test]
fn files_for_offline_lb_do_not_depend_on_the_limit() {
    check(&workspace(), &["write_JSON.offline_lb_compatible=true", "write_JSON.compressed=true"]);
}

#[test]
fn carried_placements_and_annotations_do_not_depend_on_the_limit() {
    let changes = [
        "algorithm.placement=carry",
        "write_JSON.object_quantities=true",
        "denoise={detector: mad, threshold: 1.0}",
    ];
    check(&workspace(), &changes);
}

#[test]
fn pictures_do_not_depend_on_the_limit() {
    let picture = "visualization={x_ranks: 3, y_ranks: 2, z_ranks: 1, object_jitter: 0.5, object_qoi: load, rank_qoi: load}";
    check(&workspace(), &[picture]);
}

#[test]
fn synthetic_data_do_not_depend_on_the_limit() {
    let workspace = workspace();
    workspace.write("run.yaml", RUN.replace("from_data: {data_stem: data, phase_ids: 0-2}", DATA));
    check(&workspace, &[]);
}

/// With the limit, records are in a temporary file, whose directory must exist.
#[cfg(unix)]
#[test]
fn records_beyond_the_limit_are_in_a_temporary_file() {
    let workspace = workspace();
    let run = |limit: &str| {
        workspace.shell(&format!("TMPDIR=/absent \"$LBAF\" run run.yaml -q --memory-limit {limit}"))
    };
    assert_eq!(run("1TB").code, 0);
    let said = run("60kB");
    assert_eq!(said.code, 71);
    assert_snapshot!(said.stderr, @"error: temporary file in /absent: No such file or directory (os error 2); `TMPDIR` selects another directory");
}

/// The largest file has 57.6 kB, and a hundredth of all files 2.2 kB.
#[test]
fn data_that_cannot_fit_are_refused() {
    let workspace = workspace();
    let sizes: Vec<usize> = workspace
        .files(".")
        .iter()
        .filter(|(name, _)| name.starts_with("data."))
        .map(|(_, bytes)| bytes.len())
        .collect();
    let largest = sizes.iter().max().expect("there are files");
    let model = sizes.iter().sum::<usize>() / 100;
    let run = |limit: usize, command: &[&str]| {
        workspace.lbaf(&[command, &["--memory-limit", &format!("{limit}B")]].concat())
    };
    let info = ["info", "data"];
    assert_eq!(run(*largest, &info).code, 0);
    let said = run(largest - 1, &info);
    assert_eq!(said.code, 71);
    assert_snapshot!(said.stderr, @"error: the data need at least 57603 bytes of memory, but the limit is 57602 bytes; raise it with `--memory-limit` or in the control group, or read fewer phases with `--phases`");
    let all_phases = ["run", "--data", "data", "--strategy", "LPT"];
    assert_eq!(run(largest + model, &all_phases).code, 0);
    assert_eq!(run(largest + model - 1, &all_phases).code, 71);
    let one_phase = [&all_phases[..], &["--phases", "0", "--output-dir", "one"]].concat();
    assert_eq!(run(*largest, &one_phase).code, 0);
}

#[test]
fn sizes_need_a_unit() {
    let error = Workspace::new().fail(&["info", "data", "--memory-limit", "4"], 2);
    assert!(error.contains("such as 500MB, 4GB (powers of 1000) or 4GiB (powers of 1024)"), "{error}");
}

/// No file is held open for a rank.
#[cfg(target_os = "linux")]
#[test]
fn more_files_than_descriptors_are_read_and_written() {
    let workspace = workspace();
    workspace.write(
        "spec.yaml",
        DATA.replace("n_ranks: 6", "n_ranks: 60").replace("n_mapped_ranks: 5", "n_mapped_ranks: 0"),
    );
    workspace.succeed(&["make", "spec.yaml", "data", "--plain", "--force"]);
    let commands = [
        "info data",
        "run run.yaml --memory-limit 1TB",
        "run run.yaml --memory-limit 60kB --output-dir limited",
        "simulate run.yaml",
        "validate data.*.json",
    ];
    for command in commands {
        let said = workspace.shell(&format!("ulimit -n 24; \"$LBAF\" {command} -q"));
        assert_eq!(said.code, 0, "{command}: {}", said.stderr);
    }
}
