// SPDX-License-Identifier: MIT OR Apache-2.0
//! Deterministic `Clustering` on synthetic data sets with shared blocks.

mod sets;

use serde_json::{Value, json};
use sets::{BETAS, Set, sets};

use crate::workspace::Workspace;

/// The phase in the summary of a run on a set.
fn phase(set: &Set, beta: f64, bounds: &Value, algorithm: &Value) -> Value {
    let workspace = Workspace::new();
    workspace.write("run.yaml", set.configuration(beta, bounds, algorithm));
    workspace.succeed(&["run", "run.yaml"]);
    workspace.json("out/summary.json")["phases"][0].clone()
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("it is a number")
}

/// The start keeps each bound on memory, and a balanced placement without it does not.
#[test]
fn bounds_of_the_sets_bind_and_can_be_kept() {
    let bounded = sets().into_iter().filter_map(|set| Some((set.max_memory?, set)));
    for (bytes, set) in bounded {
        let free = phase(&set, BETAS[0], &json!({}), &json!({"name": "LocalSearch"}));
        let memory = |when: &str| number(&free[when]["memory"]["max"]);
        assert!(memory("before") <= bytes && bytes < memory("after"), "seed {}: {free}", set.seed);
    }
}
