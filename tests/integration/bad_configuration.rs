// SPDX-License-Identifier: MIT OR Apache-2.0
//! Invalid configurations: a message about the content of a file names the place and shows the line.

use insta::assert_snapshot;

use crate::workspace::Workspace;

/// One rank, one object, phases 0 and 1.
const DATA: &str = r#"{"phases":[
{"id":0,"tasks":[{"entity":{"id":262147,"home":0,"migratable":true,"type":"object"},"node":0,"time":1.0}]},
{"id":1,"tasks":[{"entity":{"id":262147,"home":0,"migratable":true,"type":"object"},"node":0,"time":1.0}]}
]}"#;

/// Returns a workspace with data and `run.yaml`.
pub(crate) fn workspace(configuration: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.write("data.0.json", DATA);
    workspace.write("run.yaml", configuration.trim_start());
    workspace
}

/// Returns the error of a configuration. Expects exit code 3 and no output files.
#[track_caller]
fn refused(configuration: &str) -> String {
    let workspace = workspace(configuration);
    let error = workspace.fail(&["run", "run.yaml"], 3);
    assert_eq!(workspace.names("."), ["data.0.json", "run.yaml"]);
    error
}

#[test]
fn an_unknown_key() {
    let configuration = "
from_data:
  data_stem: data
  phases_id: 0
algorithm:
  name: Greedy
";
    assert_snapshot!(refused(configuration), @r"
    error: run.yaml:3:3: from_data: unknown key `phases_id`; did you mean `phase_ids`?
      |
    3 |   phases_id: 0
      |   ^^^^^^^^^
    ");
}

#[test]
fn an_unknown_key_of_a_strategy() {
    let configuration = "
from_data:
  data_stem: data
algorithm:
  name: Greedy
  parameters:
    max: 1.1
    maximum: 1.2
";
    assert_snapshot!(refused(configuration), @r"
    error: run.yaml:7:5: algorithm.parameters: unknown key `maximum`; did you mean `max`?
      |
    7 |     maximum: 1.2
      |     ^^^^^^^
    ");
}

#[test]
fn a_wrong_type() {
    let configuration = "
from_data:
  data_stem: data
  expected_ranks: four
algorithm:
  name: Greedy
";
    assert_snapshot!(refused(configuration), @r#"
    error: run.yaml:3:19: from_data.expected_ranks: expected a whole number, found the string "four"
      |
    3 |   expected_ranks: four
      |                   ^^^^
    "#);
}

#[test]
fn a_list_of_values_instead_of_keys() {
    let configuration = "
from_data:
  data_stem: data
work_model: [AffineCombination, {beta: 1}]
algorithm:
  name: Greedy
";
    assert_snapshot!(refused(configuration), @r"
    error: run.yaml:3:13: work_model: expected a mapping, found a list
      |
    3 | work_model: [AffineCombination, {beta: 1}]
      |             ^
    ");
    let workspace = workspace("from_data: {data_stem: data}\nalgorithm: {name: Greedy}\n");
    for (set, error) in [
        (
            "work_model=[\"LoadOnly\", {\"alpha\": 2}]",
            "--set:1:12: work_model: expected a mapping, found a list",
        ),
        ("algorithm.parameters=[1, 2]", "--set:1:22: algorithm.parameters: expected a mapping, found a list"),
        (
            "from_data.communication_types={\"0\": \"SendRecv\"}",
            "--set:1:31: from_data.communication_types: expected",
        ),
        ("algorithm=[]", "--set:1:11: algorithm: expected a mapping, found a list"),
    ] {
        let said = workspace.fail(&["run", "run.yaml", "--set", set], 3);
        assert!(said.starts_with(&format!("error: {error}")), "{said}");
    }
    // A key that expects a list accepts one.
    let set = "from_data.communication_types=[\"SendRecv\"]";
    workspace.succeed(&["run", "run.yaml", "--set", set, "--set", "plots=none", "--output-dir", "out"]);
}

#[test]
fn the_configuration_of_a_study_is_a_mapping_or_empty() {
    let workspace = workspace("from_data: {data_stem: data}\nalgorithm: {name: Greedy}\nplots: none\n");
    workspace.write("study.yaml", "base: run.yaml\nconfiguration: [LPT]\nplots: none\n");
    let said = workspace.fail(&["study", "study.yaml"], 3);
    assert!(said.starts_with("error: study.yaml:2:16: configuration: expected a mapping"), "{said}");
    // Regression: an empty value replaced the configuration of `base`.
    workspace.write("study.yaml", "base: run.yaml\nconfiguration:\nplots: none\n");
    workspace.succeed(&["study", "study.yaml"]);
}

#[test]
fn a_duplicate_key() {
    let configuration = "
from_data:
  data_stem: data
  data_stem: data
algorithm:
  name: Greedy
";
    assert_snapshot!(refused(configuration), @r"
    error: run.yaml:3:3: duplicate key `data_stem`
      |
    3 |   data_stem: data
      |   ^^^^^^^^^
    ");
}

#[test]
fn missing_data() {
    let configuration = "
algorithm:
  name: Greedy
";
    assert_snapshot!(refused(configuration), @r"
    error: run.yaml:1:1: `from_data` (recorded data) or `from_samplers` (synthetic data) is missing
      |
    1 | algorithm:
      | ^
    ");
}

#[test]
fn a_missing_stem() {
    let configuration = "
from_data:
  phase_ids: [0]
algorithm:
  name: Greedy
";
    assert_snapshot!(refused(configuration), @r"
    error: run.yaml:1:1: from_data: missing key `data_stem`
      |
    1 | from_data:
      | ^^^^^^^^^
    ");
}

#[test]
fn a_missing_algorithm() {
    let configuration = "
from_data:
  data_stem: data
";
    assert_snapshot!(refused(configuration), @r"
    error: run.yaml:1:1: missing key `algorithm`
      |
    1 | from_data:
      | ^
    ");
}

#[test]
fn an_unknown_strategy() {
    let configuration = "
from_data:
  data_stem: data
algorithm:
  name: Gredy
";
    assert_snapshot!(refused(configuration), @r"
    error: run.yaml:4:9: algorithm.name: there is no strategy `Gredy`; did you mean `Greedy`?
      |
    4 |   name: Gredy
      |         ^^^^^
    ");
}

#[test]
fn a_parameter_that_the_strategy_refuses() {
    let configuration = "
from_data:
  data_stem: data
algorithm:
  name: WorkStealing
  parameters:
    discretion: false
    steal_time: -0.5
";
    assert_snapshot!(refused(configuration), @r"
    error: run.yaml:7:17: algorithm.parameters.steal_time: expected a finite time of at least 0 seconds, found -0.5
      |
    7 |     steal_time: -0.5
      |                 ^^^^
    ");
}

#[test]
fn an_unknown_work_model() {
    let configuration = "
from_data:
  data_stem: data
work_model:
  name: Affine
algorithm:
  name: Greedy
";
    assert_snapshot!(refused(configuration), @r"
    error: run.yaml:4:9: work_model.name: unknown value `Affine`; did you mean `AffineCombination`?
      |
    4 |   name: Affine
      |         ^^^^^^
    ");
}

#[test]
fn an_unknown_bound() {
    let configuration = "
from_data:
  data_stem: data
work_model:
  name: AffineCombination
  parameters:
    upper_bounds:
      max_memory: 8.0e+9
algorithm:
  name: Greedy
";
    assert_snapshot!(refused(configuration), @r"
    error: run.yaml:7:7: work_model.parameters.upper_bounds: `max_memory` is not a quantity of a rank; did you mean `max_memory_usage`?
      |
    7 |       max_memory: 8.0e+9
      |       ^^^^^^^^^^
    ");
}

#[test]
fn a_negative_weight() {
    let configuration = "
from_data:
  data_stem: data
work_model:
  name: AffineCombination
  parameters:
    beta: -1.0
algorithm:
  name: Greedy
";
    assert_snapshot!(refused(configuration), @r"
    error: run.yaml:6:11: work_model.parameters.beta: `beta` must be a finite non-negative number, not -1
      |
    6 |     beta: -1.0
      |           ^^^^
    ");
}

#[test]
fn a_speed_of_a_missing_rank() {
    let configuration = "
from_data:
  data_stem: data
work_model:
  parameters:
    rank_alpha: {4: 2.0}
algorithm:
  name: Greedy
";
    assert_snapshot!(refused(configuration), @r"
    error: run.yaml:5:21: work_model.parameters.rank_alpha.4: there is no rank 4; the data have 1 rank, numbered from 0
      |
    5 |     rank_alpha: {4: 2.0}
      |                     ^^^
    ");
}

#[test]
fn a_missing_phase_to_read() {
    let configuration = "
from_data:
  data_stem: data
  phase_ids: [0, 7]
algorithm:
  name: Greedy
";
    assert_snapshot!(refused(configuration), @r"
    error: run.yaml:3:14: from_data.phase_ids: phase 7 is not in the data, which hold phases 0-1
      |
    3 |   phase_ids: [0, 7]
      |              ^
    ");
}

#[test]
fn a_missing_phase_to_balance() {
    let configuration = "
from_data:
  data_stem: data
algorithm:
  name: Greedy
  phase_id: 7
";
    assert_snapshot!(refused(configuration), @r"
    error: run.yaml:5:13: algorithm.phase_id: phase 7 is not in the data, which hold phases 0-1
      |
    5 |   phase_id: 7
      |             ^
    ");
}

#[test]
fn a_phase_to_balance_that_is_not_read() {
    let configuration = "
from_data:
  data_stem: data
  phase_ids: 0
algorithm:
  name: Greedy
  phase_id: 1
";
    assert_snapshot!(refused(configuration), @r"
    error: run.yaml:6:13: algorithm.phase_id: phase 1 is in the data, but `from_data.phase_ids` excludes it
      |
    6 |   phase_id: 1
      |             ^
    ");
}

#[test]
fn phases_that_are_all_missing() {
    let configuration = "
from_data:
  data_stem: data
  phase_ids: 5-9
algorithm:
  name: Greedy
";
    assert_snapshot!(refused(configuration), @r"
    error: run.yaml:3:14: from_data.phase_ids: no phase is selected; the data hold phases 0-1
      |
    3 |   phase_ids: 5-9
      |              ^^^
    ");
}

#[test]
fn invalid_phases() {
    let configuration = "
from_data:
  data_stem: data
  phase_ids: first
algorithm:
  name: Greedy
";
    assert_snapshot!(refused(configuration), @r#"
    error: run.yaml:3:14: from_data.phase_ids: expected phases like 3, "0-10", "0-3, 7", "%100 -3 3" or `all`, found "first"
      |
    3 |   phase_ids: first
      |              ^^^^^
    "#);
}

#[test]
fn an_unknown_communication_type() {
    let configuration = "
from_data:
  data_stem: data
  communication_types: [SendReceive]
algorithm:
  name: Greedy
";
    assert_snapshot!(refused(configuration), @r"
    error: run.yaml:3:25: from_data.communication_types[0]: `SendReceive` is not a communication type (`all` means all of them); did you mean `SendRecv`?
      |
    3 |   communication_types: [SendReceive]
      |                         ^^^^^^^^^^^
    ");
}

#[test]
fn an_unknown_chart() {
    let configuration = "
from_data:
  data_stem: data
algorithm:
  name: Greedy
plots:
  charts: [pie]
";
    assert_snapshot!(refused(configuration), @r"
    error: run.yaml:6:12: plots.charts[0]: there is no chart `pie`; expected one of `rank_loads`, `rank_loads_by_rank`, `rank_works`, `rank_works_by_rank`, `load_histogram`, `work_histogram`, `load_distribution`, `work_distribution`, `work_parts_before`, `work_parts_after`, `rank_memory`, `rank_volumes`, `communication_before`, `communication_after`, `migration_flows`, `migration_flows_bytes`, `object_loads`, `iteration_imbalance`, `iteration_work`, `iteration_transfers`, `iteration_rejections`, `iteration_knowledge`, `imbalance_per_phase`, `work_per_phase`, `volume_per_phase`, `migrations_per_phase`, `migrated_bytes_per_phase`, `load_heat_map_before`, `load_heat_map_after`, `simulation_times`, `simulation_elapsed`, `simulation_imbalance`, `simulation_work_imbalance`, `simulation_parts`, `all`
      |
    6 |   charts: [pie]
      |            ^^^
    ");
}

#[test]
fn an_invalid_brotli_quality() {
    let configuration = "
from_data:
  data_stem: data
algorithm:
  name: Greedy
write_JSON:
  compressed: true
  quality: 12
";
    assert_snapshot!(refused(configuration), @r"
    error: run.yaml:7:12: write_JSON.quality: brotli quality must be from 0 to 11
      |
    7 |   quality: 12
      |            ^^
    ");
}

#[test]
fn samplers_together_with_data() {
    let configuration = "
from_data:
  data_stem: data
from_samplers:
  n_ranks: 1
  n_objects: 1
  load_sampler: {name: uniform, parameters: [0, 1]}
algorithm:
  name: Greedy
";
    assert_snapshot!(refused(configuration), @r"
    error: run.yaml:3:1: from_samplers: `from_data` and `from_samplers` exclude each other; keep one of them
      |
    3 | from_samplers:
      | ^^^^^^^^^^^^^
    ");
}

#[test]
fn invalid_yaml() {
    let configuration = "
from_data: [data
algorithm: Greedy
";
    assert_snapshot!(refused(configuration), @r"
    error: run.yaml:2:10: illegal placement of ':' indicator; is the `[` in line 1 closed?
      |
    2 | algorithm: Greedy
      |          ^
    ");
}

#[test]
fn an_empty_configuration() {
    let configuration = "";
    assert_snapshot!(refused(configuration), @r"
    error: run.yaml:1:1: missing key `algorithm`
      |
    1 |
      | ^

    run.yaml:1:1: `from_data` (recorded data) or `from_samplers` (synthetic data) is missing
      |
    1 |
      | ^

    2 errors
    ");
}

#[test]
fn a_missing_configuration() {
    assert_snapshot!(Workspace::new().fail(&["run", "nowhere.yaml"], 3), @"error: cannot read nowhere.yaml: No such file or directory (os error 2)");
}
