// SPDX-License-Identifier: MIT OR Apache-2.0
//! Labels of strategies that run with additions to the published algorithm.

use serde_json::{Value, json};

use crate::validate::two_ranks;

/// Runs the strategy; returns its standard output, `summary.json` and the table `before_after.md`.
fn run(algorithm: &str) -> (String, Value, String) {
    let workspace = two_ranks();
    let configuration = format!("from_data: {{data_stem: data}}\nalgorithm: {algorithm}\noutput_dir: out\n");
    workspace.write("run.yaml", configuration);
    workspace.write("lb.conf", "TemperedLB iters=2\n");
    let printed = workspace.succeed(&["run", "run.yaml"]);
    (printed, workspace.json("out/summary.json"), workspace.text("out/tables/before_after.md"))
}

/// Every name of the strategy selects vt's algorithm without additions.
#[test]
fn tempered_has_no_additions_by_default() {
    for algorithm in ["{name: TemperedLB}", "{name: tempered, args: iters=2}", "{name: TemperedWMin}"] {
        let (printed, summary, table) = run(algorithm);
        assert!(!printed.contains("homeward") && !table.contains("homeward"), "{printed}{table}");
        let strategy = &summary["strategy"];
        assert_eq!((&strategy["parameters"]["homeward"], strategy.get("label")), (&json!(false), None));
    }
    let (_, summary, _) = run("{lb_config: lb.conf}");
    assert_eq!(summary["balancers"][0]["strategy"]["parameters"]["homeward"], false);
}

#[test]
fn additions_to_a_published_algorithm_are_named_in_tables() {
    let more = "{name: TemperedLB, parameters: {homeward: true, migration_weight: 2.0}}";
    let (printed, summary, table) = run(more);
    let label = "TemperedLB (homeward, migration_weight: 2.0)";
    assert!(printed.contains(&format!("; {label} on ")), "{printed}");
    assert!(table.contains(label), "{table}");
    assert_eq!(
        (&summary["strategy"]["name"], &summary["strategy"]["label"]),
        (&json!("TemperedLB"), &json!(label))
    );
    assert_eq!(summary["phases"][0]["strategy"], "TemperedLB");
}
