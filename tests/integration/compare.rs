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
        let [compared, studied] =
            ["lbaf-output/data-comparison", "out"].map(|output| workspace.read(&format!("{output}/{table}")));
        assert_eq!(compared, studied, "{table}");
    }
    let again = workspace.lbaf(&compare[..7]);
    assert!(!again.stderr.contains("computing"), "{}", again.stderr);
}

#[test]
fn all_strategies_that_need_only_data_are_compared() {
    let workspace = Workspace::new();
    workspace.succeed(&["compare", "--data", QUARTET, "--seeds", "0", "--quiet"]);
    let ranking = workspace.text("lbaf-output/data-comparison/ranking.csv");
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
    let said = workspace.lbaf(&[&arguments[..], &["TemperedLB"], &limit].concat());
    assert!(said.stdout.contains("the time limit of 0.3 s was reached (`time_limit`)"), "{}", said.stdout);
    assert!(said.code == 1 && said.stderr.ends_with("error: 1 of 1 cell failed\n"), "{}", said.stderr);
    // A time limit that is not reached has no effect on results.
    workspace.succeed(&[&arguments[..], &["LPT"], &["--time-limit", "1000"]].concat());
    let limited = workspace.text("lbaf-output/data-comparison/cells.csv");
    workspace
        .succeed(&[&arguments[..], &["LPT"], &["--time-limit", "500", "--output-dir", "other"]].concat());
    assert_eq!(workspace.text("other/cells.csv"), limited);
}

#[test]
fn wrong_arguments_and_data_end_the_command_before_it_writes() {
    let workspace = Workspace::new();
    workspace.copy(QUARTET.as_ref(), "app");
    workspace.write("empty/data.0.json", "");
    workspace.write("torn/data.0.json", r#"{"type": "LBDatafile", "phases": [{"id"#);
    workspace.write("killed/data.0.json", workspace.read("app/data.0.json"));
    workspace.write("killed/.lbaf-killed/journal.json", "{}");
    let before = workspace.files("");
    let with = |arguments: &[&'static str]| {
        [&["compare", "--data", "app", "--strategies", "LPT"][..], arguments].concat()
    };
    let cases: [(Vec<&str>, i32, &str); 19] = [
        (vec!["compare", "--data", "nowhere"], 4, "error: --data: no file for the stem nowhere"),
        (
            vec!["compare", "--data", "app/dat"],
            4,
            "error: --data: app/dat.<rank>.* has no file for rank 0; did you mean",
        ),
        (vec!["compare", "--data", "empty"], 4, "empty/data.0.json"),
        (vec!["compare", "--data", "torn"], 4, "torn/data.0.json"),
        (vec!["compare", "--data", "killed"], 4, "killed"),
        (vec!["compare", "app"], 2, "`lbaf compare --data app`"),
        (vec!["compare"], 2, "`lbaf compare --data <STEM>`"),
        (with(&["--phases", "7"]), 3, "error: --phases: phase 7 is not in the data"),
        (with(&["--phases", "x"]), 2, "error: --phases: "),
        (
            with(&["--strategies", "Refin"]),
            2,
            "error: --strategies: there is no strategy `Refin`; did you mean `Refine`?\n",
        ),
        (
            with(&["--seeds", "a"]),
            2,
            "error: --seeds: expected numbers and ranges such as `3`, `0-4` or `1,2`, found `a`",
        ),
        (
            with(&["--time-limit", "0"]),
            2,
            "error: --time-limit: the time limit must be a number of seconds above 0, not 0",
        ),
        (with(&["--set", "seed=7"]), 2, "--seeds determines `seed`; leave out `--set seed`"),
        (with(&["--set", "algorithm.name=Greedy"]), 2, "--strategies determines `algorithm.name`"),
        (with(&["--set", "from_data.data_stem=x"]), 2, "--data determines `from_data.data_stem`"),
        (
            with(&["--set", "from_data.phase_ids=0", "--phases", "0"]),
            2,
            "--phases determines `from_data.phase_ids`",
        ),
        (
            with(&["--set", "work_model.name=Load"]),
            3,
            "work_model.name: unknown value `Load`; did you mean `LoadOnly`?",
        ),
        (with(&["--set", "algorithm.parameters.iters=3"]), 3, "algorithm.parameters: unknown key `iters`"),
        (with(&["--output-dir", "app"]), 2, "app holds the data"),
    ];
    for (arguments, code, message) in cases {
        let error = workspace.fail(&arguments, code);
        assert!(error.contains(message), "{arguments:?}: {error}");
        assert!(!error.contains("lbaf compare:"), "points into the generated study: {error}");
    }
    assert_eq!(workspace.files(""), before);
}

#[test]
fn assigned_keys_have_their_effect() {
    let workspace = Workspace::new();
    let compare = ["compare", "--data", QUARTET, "--strategies", "RandomLB", "--quiet"];
    let set = ["--seeds", "1,2", "--set", "output_dir=elsewhere", "--set", "from_data.phase_ids=0"];
    workspace.succeed(&[&compare[..], &set].concat());
    let cells = workspace.text("elsewhere/cells.csv");
    assert_eq!(cells.lines().count(), 3, "{cells}");
    assert!(!workspace.path("lbaf-output").exists());
}
