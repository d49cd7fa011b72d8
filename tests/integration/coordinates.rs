// SPDX-License-Identifier: MIT OR Apache-2.0
//! Strategies that use coordinates of objects, from sampled data and from files.

use serde_json::Value;

use crate::workspace::Workspace;

/// 32 x 32 objects that send 1000 bytes to each neighbour, two rows on each of 16 ranks.
const GRID: &str = "
from_samplers:
  n_ranks: 16
  n_objects: 1024
  grid: [32, 32]
  load_sampler: {name: constant, parameters: [0.5]}
  volume_sampler: {name: constant, parameters: [1000]}
";

fn off_rank_bytes(summary: &Value, state: &str) -> f64 {
    summary["phases"][0][state]["sent_volume"]["sum"].as_f64().expect("a number of bytes")
}

/// Pairs of neighbours on different ranks: 15 * 32 for strips, 2 * 3 * 32 for squares of side 8.
/// The parts of a Hilbert curve are the same squares.
#[test]
fn a_grid_of_strips_becomes_a_grid_of_squares() {
    let workspace = Workspace::new();
    let rest = "plots: none\noutput_dir: out\n";
    workspace.write("rcb.yaml", format!("{GRID}algorithm: {{name: rcb}}\n{rest}"));
    workspace.write("sfc.yaml", format!("{GRID}algorithm: {{name: SFC}}\n{rest}"));
    workspace.write("grid.yaml", GRID);
    workspace.succeed(&["make", "grid.yaml", "grid", "--plain"]);
    let files = "from_data: {data_stem: grid}\nalgorithm: {name: RCB}\n";
    workspace.write("files.yaml", format!("{files}{rest}"));
    for run in ["rcb.yaml", "sfc.yaml", "files.yaml"] {
        workspace.succeed(&["run", run]);
        let summary = workspace.json("out/summary.json");
        assert_eq!(off_rank_bytes(&summary, "before"), f64::from(2 * 15 * 32 * 1000), "{run}");
        assert_eq!(off_rank_bytes(&summary, "after"), f64::from(2 * 6 * 32 * 1000), "{run}");
        assert_eq!(summary["phases"][0]["after"]["load"]["max"], 32.0, "{run}");
    }
}

/// Objects without coordinates are placed by load. Only strategies that use indices refuse an invalid index.
#[test]
fn data_without_coordinates_and_with_invalid_ones() {
    let workspace = Workspace::new();
    let task = |index: &str| {
        format!(r#"{{"entity":{{"id":3,"type":"object","migratable":true{index}}},"node":0,"time":1.0}}"#)
    };
    let document = |task: &str| format!(r#"{{"phases":[{{"id":0,"tasks":[{task}]}}]}}"#);
    workspace.write(
        "run.yaml",
        "from_data: {data_stem: d}\nalgorithm: {name: RCB}\nplots: none\noutput_dir: out\n",
    );
    workspace.write("d.0.json", document(&task("")));
    let said = workspace.lbaf(&["run", "run.yaml"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let note = "1 of 1 migratable objects have no `index`; those with load are placed by load alone";
    assert!(said.stderr.contains(note), "{}", said.stderr);
    workspace.write("d.0.json", document(&task(r#","index":[0.5]"#)));
    let refused = workspace.lbaf(&["run", "run.yaml"]);
    assert_eq!(refused.code, 4);
    let message = "/phases/0/tasks/0/entity/index/0: expected a whole number, found 0.5";
    assert!(refused.stderr.contains(message), "{}", refused.stderr);
    workspace.succeed(&["run", "run.yaml", "--set", "algorithm.name=Greedy"]);
}
