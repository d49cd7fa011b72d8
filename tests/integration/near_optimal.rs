// SPDX-License-Identifier: MIT OR Apache-2.0
//! How good it could be: what strategies that know everything come to on the data of peers.

use serde_json::Value;

use crate::peers::{DataSet, EIGHT_COLOURS, FEWER, HUNDREDS, SYNTHETIC_BLOCKS, TEXT, TOY_MEM, peer, run};

/// The phases of a run with an algorithm, as its summary has them.
fn phases(set: DataSet, algorithm: &str) -> Option<Vec<Value>> {
    let workspace = peer(set)?;
    run(&workspace, set, &format!("algorithm: {{name: {algorithm}}}"));
    workspace.json("out/summary.json")["phases"].as_array().cloned()
}

/// The figures published for the first phase.
#[test]
fn lpt_and_multifit_end_where_they_are_published_to_end() {
    for (algorithm, expected) in [("LPT", 0.01855), ("MULTIFIT", 0.00869)] {
        let Some(phases) = phases(TEXT, algorithm) else { return };
        let found = phases[0]["after"]["load"]["imbalance"].as_f64().expect("a number");
        assert!((found - expected).abs() <= 0.000_005, "{algorithm}: {found} instead of {expected}");
    }
}

/// The largest work above the proven bound, in the worst phase of each set: what is above 0 is 16 or fewer objects for
/// each rank, of few sizes.
#[test]
fn multifit_is_within_a_twentieth_of_the_bound() {
    let sets = [
        (TEXT, 0.024),
        (SYNTHETIC_BLOCKS, 0.0),
        (TOY_MEM, 0.0),
        (FEWER, 0.000_936),
        (HUNDREDS, 0.000_010_1),
        (EIGHT_COLOURS, 0.0414),
    ];
    for (set, most) in sets {
        let Some(phases) = phases(set, "MULTIFIT") else { return };
        for phase in phases {
            let work = |value: &Value| value.as_f64().expect("a number");
            let bound = work(&phase["lower_bound"]["work"]);
            let above = work(&phase["after"]["work"]["max"]) / bound - 1.0;
            assert!((-1e-12..=most + 1e-12).contains(&above), "{set:?}, phase {}: {above}", phase["phase"]);
        }
    }
}
