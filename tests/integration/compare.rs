// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf compare`: studies without a file.

use crate::workspace::Workspace;

const QUARTET: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/quartet");

#[test]
fn a_comparison_is_a_study() {
    let workspace = Workspace::new();
    let compare = ["compare", "--data", QUARTET, "--strategies", "lpt,RandomLB", "--seeds", "0-2", "--quiet"];
    workspace.succeed(&compare);
    workspace.write(
        "study.yaml",
        format!(
            "configuration: {{from_data: {{data_stem: {QUARTET}/data}}}}\n\
             axes: {{algorithm.name: [LPT, RandomLB], seed: 0-2}}\noutput_dir: out\n"
        ),
    );
    workspace.succeed(&["study", "study.yaml", "--quiet"]);
    for table in ["cells.csv", "medians.csv", "ranking.csv", "plots/max_work.svg"] {
        let [compared, studied] = ["lbaf-output/quartet-comparison", "out"]
            .map(|output| workspace.read(&format!("{output}/{table}")));
        assert_eq!(compared, studied, "{table}");
    }
    let again = workspace.lbaf(&compare[..7]);
    assert!(!again.stderr.contains("computing"), "{}", again.stderr);
}

#[test]
fn all_strategies_that_need_only_data_are_compared() {
    let workspace = Workspace::new();
    workspace.succeed(&["compare", "--data", QUARTET, "--seeds", "0", "--quiet"]);
    let ranking = workspace.text("lbaf-output/quartet-comparison/ranking.csv");
    let names: Vec<&str> = ranking.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert_eq!(names.len(), 21, "{names:?}");
    for without in ["BruteForce", "Milp", "External", "OfflineLB", "PrescribedPermutation"] {
        assert!(!names.contains(&without), "{without}");
    }
}

#[test]
fn a_strategy_that_reaches_the_time_limit_fails_alone() {
    let workspace = Workspace::new();
    let machine = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/machine");
    let arguments = ["compare", "--data", machine, "--phases", "0", "--seeds", "0", "--strategies"];
    let limit = ["--time-limit", "0.3", "--set", "algorithm.parameters.iters=1000000"];
    let error = workspace.fail(&[&arguments[..], &["TemperedLB"], &limit].concat(), 1);
    assert!(error.contains("the time limit of 0.3 s was reached (`time_limit`)"), "{error}");
    // A time limit that is not reached has no effect on results.
    workspace.succeed(&[&arguments[..], &["LPT"], &["--time-limit", "1000"]].concat());
    let limited = workspace.text("lbaf-output/machine-comparison/cells.csv");
    workspace
        .succeed(&[&arguments[..], &["LPT"], &["--time-limit", "500", "--output-dir", "other"]].concat());
    assert_eq!(workspace.text("other/cells.csv"), limited);
    let error = workspace.fail(&[&arguments[..], &["LPT", "--time-limit", "0"]].concat(), 3);
    assert!(error.contains("the time limit must be a number of seconds above 0"), "{error}");
    let error = workspace.fail(&[&arguments[..], &["Gready"]].concat(), 3);
    assert!(error.contains("did you mean `Greedy`?"), "{error}");
}
