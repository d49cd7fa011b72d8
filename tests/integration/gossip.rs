// SPDX-License-Identifier: MIT OR Apache-2.0
//! Configurations of LBAF users on their data, against what LBAF found: 20 seeds each.

use serde_json::Value;

use crate::peers::{self, DataSet};
use crate::workspace::Workspace;

/// Load imbalance and maximum work of a phase after balancing, for each of 20 seeds; ascending by the latter.
fn results(workspace: &Workspace, configuration: &str, set: &[&str]) -> Vec<(f64, f64)> {
    let mut results: Vec<(f64, f64)> = (0..20)
        .map(|seed: u32| {
            let seed = seed.to_string();
            let mut arguments = vec!["run", configuration, "--seed", &seed, "--output-dir", "out"];
            for set in ["plots=none", "write_JSON=null"].iter().chain(set) {
                arguments.extend(["--set", set]);
            }
            workspace.succeed(&arguments);
            let number = |value: &Value| value.as_f64().expect("it is a number");
            let summary: Value = workspace.json("out/summary.json");
            let after = &summary["phases"][0]["after"];
            (number(&after["load"]["imbalance"]), number(&after["work"]["max"]))
        })
        .collect();
    results.sort_by(|a, b| a.1.total_cmp(&b.1));
    results
}

/// Asserts about imbalance (first) or maximum work (second): the median and the worst of 20 seeds.
#[track_caller]
fn check(results: &[(f64, f64)], of: fn(&(f64, f64)) -> f64, median: f64, worst: f64) {
    let mut values: Vec<f64> = results.iter().map(of).collect();
    values.sort_by(f64::total_cmp);
    let middle = f64::midpoint(values[9], values[10]);
    assert!(middle <= median, "median {middle}, not at most {median}: {values:?}");
    assert!(values[19] <= worst, "worst {}, not at most {worst}: {values:?}", values[19]);
}

const IMBALANCE: fn(&(f64, f64)) -> f64 = |result| result.0;
const MAX_WORK: fn(&(f64, f64)) -> f64 = |result| result.1;

#[test]
fn single_objects_of_synthetic_blocks_end_at_the_optimum() {
    let Some(workspace) = peers::peer(peers::SYNTHETIC_BLOCKS) else { return };
    let run = |set: &[&str]| results(&workspace, "config/conf.yaml", set);
    check(&run(&[]), MAX_WORK, 2.0, 2.5);
    check(&run(&["work_model.parameters.beta=1.0"]), MAX_WORK, 4.0, 4.5);
}

/// The acceptance cases of LBAF: two ranks on each node, whose memory is bounded.
#[test]
fn the_acceptance_cases_of_lbaf_hold() {
    let Some(workspace) = peers::peer(peers::SYNTHETIC_BLOCKS) else { return };
    let run = |set: &[&str]| {
        let nodes = ["from_data.ranks_per_node=2", "algorithm.parameters.n_iterations=10"];
        results(&workspace, "config/conf.yaml", &[&nodes[..], set].concat())
    };
    let bound = |limit: u32| format!("work_model.parameters.upper_bounds.max_memory_usage={limit}");
    check(&run(&[&bound(36)]), MAX_WORK, 2.5, 2.5);
    check(&run(&[&bound(54), "work_model.parameters.beta=1.0"]), MAX_WORK, 4.0, 4.5);
    let alpha0 = "from_data.data_stem=../data/synthetic-blocks/synthetic-dataset-blocks-alpha0";
    check(&run(&[&bound(54), "work_model.parameters.beta=1.0", alpha0]), MAX_WORK, 0.0, 0.0);
}

#[test]
fn clusters_of_synthetic_blocks_end_at_the_optimum() {
    let Some(workspace) = peers::peer(peers::SYNTHETIC_BLOCKS) else { return };
    check(&results(&workspace, "config/synthetic-blocks.yaml", &[]), MAX_WORK, 2.5, 2.5);
}

/// No worse than LBAF's median, and within memory (a run that is not would end with exit code 5).
#[test]
fn clusters_end_no_worse_than_those_of_lbaf() {
    let cases: [(DataSet, &str, f64, f64); 3] = [
        (peers::TOY_MEM, "user-defined-memory-toy-problem", 0.0286, 0.0286),
        (peers::FEWER, "challenging-toy-fewer-tasks", 0.0209, 0.0209),
        // The largest cluster is the bound.
        (peers::HUNDREDS, "challenging-toy-hundreds-tasks", 0.684_085, 0.75),
    ];
    for (set, name, median, worst) in cases {
        let Some(workspace) = peers::peer(set) else { return };
        check(&results(&workspace, &format!("config/{name}.yaml"), &[]), IMBALANCE, median, worst);
    }
}

/// The 8-rank case of SAND2019-5139: what was published lies among 20 seeds, which lie within a hundredth of the
/// range of 200 seeds of another program.
#[test]
fn the_text_data_set_ends_where_it_was_published_to_end() {
    let Some(workspace) = peers::peer(peers::TEXT) else { return };
    let parameters = "{preset: sand2019, n_iterations: 5, n_rounds: 4, fanout: 4, criterion: ";
    for (criterion, published, range) in
        [("Grapevine", 2.3288, 2.246..2.349), ("ModifiedGrapevine", 0.0897, 0.015..0.163)]
    {
        let strategy = format!(
            "algorithm: {{name: InformAndTransfer, phase_id: 0, parameters: {parameters}{criterion}}}}}"
        );
        workspace.write("run.yaml", peers::configuration(peers::TEXT, &strategy));
        let mut found: Vec<f64> = results(&workspace, "run.yaml", &[]).iter().map(IMBALANCE).collect();
        found.sort_by(f64::total_cmp);
        assert!(found[0] <= published && published <= found[19], "{criterion}: {found:?}");
        assert!(found.iter().all(|imbalance| range.contains(imbalance)), "{criterion}: {found:?}");
    }
}
