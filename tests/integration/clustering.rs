// SPDX-License-Identifier: MIT OR Apache-2.0
//! Deterministic `Clustering` on synthetic data sets with shared blocks.

mod measured;
mod sets;

use measured::{ABOVE_WITH_PARTS, ABOVE_WITH_WHOLE, Drawn, Measured, measured};
use serde_json::{Value, json};
use sets::{Set, sets};

use crate::workspace::Workspace;

/// Returns the phase in the summary of a run on a set.
fn phase(set: &Set, beta: f64, bounds: &Value, algorithm: &Value) -> Value {
    let workspace = Workspace::new();
    workspace.write("run.yaml", set.configuration(beta, bounds, algorithm));
    workspace.succeed(&["run", "run.yaml"]);
    workspace.json("out/summary.json")["phases"][0].clone()
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("it is a number")
}

/// The start satisfies each bound on memory; the result without the bound violates it.
#[test]
fn bounds_of_the_sets_bind_and_are_satisfiable() {
    let bounded = sets().into_iter().filter_map(|set| Some((set.max_memory?, set)));
    for (bytes, set) in bounded {
        let free = phase(&set, 0.0, &json!({}), &json!({"name": "LocalSearch"}));
        let memory = |when: &str| number(&free[when]["memory"]["max"]);
        assert!(memory("before") <= bytes && bytes < memory("after"), "seed {}: {free}", set.seed);
    }
}

/// Returns the maximum work after deterministic transfers with the parameters of the measurements and `more`.
fn max_work(set: &Set, beta: f64, more: &[(&str, Value)]) -> f64 {
    let mut parameters = json!({
        "transfer_strategy": "Clustering",
        "deterministic_transfer": true,
        "n_iterations": 8,
        "n_rounds": 4,
        "fanout": 4,
        "max_objects_per_transfer": 100,
    });
    for (key, value) in more {
        parameters[*key] = value.clone();
    }
    let bounds = set.max_memory.map_or(json!({}), |bytes| json!({ "max_memory_usage": bytes }));
    let algorithm = json!({"name": "InformAndTransfer", "parameters": parameters});
    number(&phase(set, beta, &bounds, &algorithm)["after"]["work"]["max"])
}

/// Asserts that the maximum work on each problem with a seed up to `last_seed` does not exceed the largest value of
/// random orders, and exceeds their median only on the problems in `above`. The mean ratio to the median must be at
/// most 1; without `more`, this also applies to LBAF's median.
fn compare(last_seed: u64, more: &[(&str, Value)], drawn: fn(&Measured) -> &Drawn, above: &[(u64, f64)]) {
    let (mut to_median, mut to_lbaf) = (Vec::new(), Vec::new());
    for set in sets().into_iter().filter(|set| set.seed <= last_seed) {
        for problem in measured().into_iter().filter(|problem| problem.seed == set.seed) {
            let found = max_work(&set, problem.beta, more);
            let Drawn { median, largest } = drawn(&problem);
            // The figures are rounded.
            assert!(found <= largest + 1e-5, "seed {}, beta {}: {found}", set.seed, problem.beta);
            let is_known = above.contains(&(set.seed, problem.beta));
            assert!(found <= median + 1e-5 || is_known, "seed {}, beta {}: {found}", set.seed, problem.beta);
            to_median.push(found / median);
            to_lbaf.extend(problem.lbaf.filter(|_| more.is_empty()).map(|of_lbaf| found / of_lbaf));
        }
    }
    for ratios in [to_median, to_lbaf].iter().filter(|ratios| !ratios.is_empty()) {
        let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
        assert!(mean <= 1.0, "{mean}: {ratios:?}");
    }
}

#[test]
fn orders_of_swaps_are_no_worse_than_random_orders() {
    compare(106, &[], |problem| &problem.parts, &ABOVE_WITH_PARTS);
}

#[test]
#[ignore = "long: scripts/long.sh clustering"]
fn orders_of_swaps_on_all_sets() {
    compare(u64::MAX, &[], |problem| &problem.parts, &ABOVE_WITH_PARTS);
    compare(u64::MAX, &[("max_subclusters", json!(0))], |problem| &problem.whole, &ABOVE_WITH_WHOLE);
}
