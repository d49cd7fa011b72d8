// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cells that fail, and invalid study files.

use insta::assert_snapshot;

use super::{STUDY, rows, workspace};

#[test]
fn a_cell_that_fails_does_not_stop_the_others() {
    let study = STUDY.replace("    Tempered: {}", "    Tempered: {algorithm: {parameters: {iters: none}}}");
    let workspace = workspace(&study);
    let said = workspace.lbaf(&["study", "study.yaml"]);
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(
        said.stderr.contains("warning: 10 cells cannot be computed, the first is cell 5: study.yaml:15:48:"),
        "{}",
        said.stderr
    );
    let error = "error: 10 of 30 cells failed\n";
    assert!(said.stderr.ends_with(error), "{}", said.stderr);
    assert!(said.stdout.contains("10 cells failed, the first is cell 5 (120, Tempered, 0): study.yaml:15:48: algorithm.parameters.iters:"), "{}", said.stdout);
    let csv = workspace.text("out/cells.csv");
    assert_eq!(csv.matches("algorithm.parameters.iters").count(), 10);
    let summary = workspace.json("out/study.json");
    assert_eq!(summary["failed"].as_array().map(Vec::len), Some(10));
    // Cells that fail because of their configuration are kept like computed ones.
    let again = workspace.lbaf(&["study", "study.yaml"]);
    assert!(again.stdout.contains("; 30 of them were computed before"), "{}", again.stdout);
    assert_eq!(again.code, 1);
    assert!(again.stderr.ends_with(error), "{}", again.stderr);
    // Without the report, the message contains the first error.
    for option in ["--json", "--quiet"] {
        let said = workspace.fail(&["study", "study.yaml", option], 1);
        assert!(said.contains("error: 10 of 30 cells failed; first error: study.yaml:15:48:"), "{said}");
    }
}

/// Missing data are an error of their cells only.
#[test]
fn data_that_are_missing_fail_their_cells() {
    let study = "configuration: {from_data: {data_stem: set}, algorithm: {name: LPT}}\naxes: {from_data.data_stem: [set, \
                 nowhere]}\noutput_dir: out\nplots: none\n";
    let workspace = workspace(study);
    let task = crate::vom::task(crate::vom::packed(1, 0), 0, 1.0);
    let file = serde_json::json!({"metadata": {"type": "LBDatafile", "rank": 0}, "phases": [{"id": 0, "tasks": [task]}]});
    workspace.write("set.0.json", file.to_string());
    let said = workspace.lbaf(&["study", "study.yaml"]);
    assert!(said.stdout.contains("failed: nowhere.<rank>.* has no file"), "{}", said.stdout);
    assert_eq!(said.code, 1);
    let cells = rows(&workspace.text("out/cells.csv"));
    assert_eq!((&*cells[0]["max_load"], &*cells[0]["error"]), ("1.0", ""));
    assert_eq!(&*cells[1]["max_load"], "");
    // Cells are computed once their data exist.
    workspace.write("nowhere.0.json", file.to_string());
    workspace.succeed(&["study", "study.yaml"]);
}

/// Regression: every key of the configuration of a run was an error in a study, and vice versa.
#[test]
fn a_configuration_of_another_kind_is_one_error() {
    let workspace = workspace(STUDY);
    workspace
        .write("run.yaml", "seed: 1\nfrom_data: {data_stem: set}\nalgorithm: {name: LPT}\nplots: none\n");
    assert_snapshot!(workspace.fail(&["study", "run.yaml"], 3), @r"
    error: run.yaml:2:1: this is the configuration of a run, not a study; `lbaf run` computes it, and a study refers to it by the key `base`
      |
    2 | from_data: {data_stem: set}
      | ^^^^^^^^^
    ");
    assert_snapshot!(workspace.fail(&["run", "study.yaml"], 3), @r"
    error: study.yaml:11:1: this is a study, not the configuration of a run; `lbaf study` computes it
       |
    11 | axes:
       | ^^^^
    ");
}

/// Regression: both cells shared one file, so both had the error that was written last.
#[test]
fn cells_that_fail_for_different_reasons_have_different_errors() {
    let study = "configuration: {from_data: {data_stem: set}, algorithm: {name: LPT}}\naxes: {from_data.data_stem: [here, \
                 there]}\noutput_dir: out\nplots: none\n";
    let workspace = workspace(study);
    let outputs = || {
        workspace.fail(&["study", "study.yaml"], 1);
        super::outputs(&workspace, "out")
    };
    let first = outputs();
    let cells = rows(&workspace.text("out/cells.csv"));
    for (cell, stem) in cells.iter().zip(["here", "there"]) {
        assert!(cell["error"].contains(&format!("the stem {stem}:")), "{}", cell["error"]);
    }
    assert_eq!(workspace.json("out/study.json")["notes"], serde_json::json!([]));
    assert_eq!(outputs(), first);
}

/// Regression: without competitors, a failed cell was not counted.
#[test]
fn failed_repetitions_are_counted_without_competitors() {
    let study = STUDY.split_once("  strategy:").expect("it is there").0.to_owned()
        + "  seed: [0, 1, none]\noutput_dir: out\nplots: none\n";
    let workspace = workspace(&study);
    workspace.fail(&["study", "study.yaml"], 1);
    let medians = rows(&workspace.text("out/medians.csv"));
    assert!(!medians.is_empty());
    for row in &medians {
        assert_eq!((&*row["competitor"], &*row["n"], &*row["failed"]), ("TemperedLB", "2", "1"));
    }
    // If a competitor fails in one repetition of a problem, the problem is excluded from ranking and front.
    assert_eq!(rows(&workspace.text("out/ranking.csv"))[0]["problems"], "0");
    assert!(rows(&workspace.text("out/front.csv")).iter().all(|row| row["on_front"] == "false"));
}

/// Older names of keys are the same as for `lbaf run`.
#[test]
fn older_names_can_be_set_on_the_command_line() {
    let workspace = workspace(&STUDY.replace(
        "  from_samplers.n_objects: [120, 60]",
        "  size: {small: {n_ranks: 4}, large: {n_ranks: 8}}",
    ));
    let older = "from_samplers.time_sampler={name: constant, parameters: [2.0]}";
    workspace.succeed(&["study", "study.yaml", "--set", older]);
    let cells = rows(&workspace.text("out/cells.csv"));
    let ranks: Vec<&str> = cells.iter().step_by(15).map(|cell| &*cell["n_ranks"]).collect();
    assert_eq!(ranks, ["4", "8"]);
    assert!(
        cells.iter().all(|cell| cell["max_load_before"].parse::<f64>().is_ok_and(|load| load % 2.0 == 0.0))
    );
}

#[test]
fn invalid_studies_are_refused_at_their_place() {
    for (from, to, expected) in [
        ("axes:", "axis:", "study.yaml:11:1: unknown key `axis`; did you mean `axes`?"),
        ("seed: 0-4", "seed: []", "study.yaml:17:9: axes.seed: the axis has no values"),
        (
            "seed: 0-4",
            "seed: all",
            "axes.seed: expected a list of values, or a range such as 0-9, found \"all\"",
        ),
        (
            "seed: 0-4",
            "seed: 0-99999999999",
            "axes.seed: \"0-99999999999\" has more values than a study may have cells (10000000)",
        ),
        ("seed: 0-4", "seed: [1, 1]", "axes.seed: two values have the label 1; give them names"),
        (
            "Tempered: {}",
            "Tempered: 3",
            "axes.strategy: `Tempered`: expected a mapping of changes, or a configuration file",
        ),
        ("Tempered: {}", "Tempered: no.yaml", "study.yaml:15:15: there is no configuration no.yaml"),
        (
            "plots: none",
            "combine: zip",
            "axes: axis 1 (counted from 0) has 3 values, but an earlier axis has 2; zipped axes",
        ),
        (
            "plots: none",
            "combine: all",
            "combine: expected `grid`, `zip`, or `{sample: N, seed: S}`, found the string \"all\"",
        ),
        ("plots: none", "plots: {charts: all}", "plots.charts: charts of a study are chosen by its `report`"),
        (
            "plots: none",
            "report: {confidence: 95}",
            "report.confidence: the confidence must be above 0 and below 1, not 95",
        ),
        ("plots: none", "report: {digits: 0}", "report.digits: the number of digits must be 1 to 17, not 0"),
        ("plots: none", "report: {problems: [size]}", "report.problems: there is no axis `size`"),
        (
            "plots: none",
            "report: {objective: imbalance}",
            "report.objective: unknown quantity `imbalance`; did you mean `work_imbalance`",
        ),
        (
            "plots: none",
            "report: {objective: n_ranks}",
            "report.objective: `n_ranks` is not an objective, because neither smaller nor larger values are better",
        ),
        (
            "  strategy:",
            "  migrations:",
            "axes.migrations: an axis must not have the name of a result column; rename the axis",
        ),
        (
            "  strategy:",
            "  median:",
            "axes.median: an axis must not have the name of a result column; rename the axis",
        ),
        ("plots: none", "base: [1]", "base: expected a configuration file, or a list of them"),
    ] {
        let workspace = workspace(&STUDY.replace(from, to));
        let said = workspace.fail(&["study", "study.yaml"], 3);
        assert!(said.contains(expected), "{to}: {said}");
    }
    let workspace = workspace(STUDY);
    for (shard, expected) in
        [("3/2", "expected a shard number from 1 to 2, found 3"), ("half", "such as 2/8")]
    {
        let said = workspace.fail(&["study", "study.yaml", "--shard", shard], 2);
        assert!(said.contains(expected), "{said}");
    }
}

/// The next axis selects a strategy that does not have this parameter.
#[test]
fn an_axis_without_effect_is_reported() {
    let study = STUDY.replace("axes:", "axes:\n  algorithm.parameters.iters: [1, 2]").replace(
        "    Tempered: {}\n    two rounds: {algorithm: {parameters: {knowledge: UserDefined, fanout: 2, rounds: 2}}}\n",
        "",
    );
    let workspace = workspace(&study);
    let said = workspace.succeed(&["study", "study.yaml"]);
    assert!(said.contains("the axis `algorithm.parameters.iters` has no effect"), "{said}");
    let notes = workspace.json("out/study.json")["notes"].as_array().map(Vec::len);
    assert_eq!(notes, Some(1));
}

/// A sample of the grid may hold a strategy with random numbers only once: its seed has an effect nevertheless.
#[test]
fn seeds_of_a_sample_have_an_effect_if_a_strategy_draws_random_numbers() {
    let study = |strategies: &str, combine: &str| {
        let axes = format!("axes:\n  strategy: {{{strategies}}}\n  seed: 0-1\n");
        format!("base: run.yaml\n{axes}combine: {combine}\noutput_dir: out\nplots: none\n")
    };
    let random = "LPT: {algorithm: {name: LPT}}, Random: {algorithm: {name: Random}}";
    let fixed = "LPT: {algorithm: {name: LPT}}, Greedy: {algorithm: {name: Greedy}}";
    let has_warning = |study: &str| {
        let workspace = crate::validate::two_ranks();
        workspace.write("study.yaml", study);
        let said = workspace.succeed(&["study", "study.yaml"]);
        said.contains("the axis `seed` has no effect")
    };
    for seed in 0..8 {
        let sample = format!("{{sample: 3, seed: {seed}}}");
        assert!(!has_warning(&study(random, &sample)), "{sample}");
    }
    assert!(has_warning(&study(fixed, "grid")));
}

/// If the base and an axis use different names of a key, the value of the axis applies.
#[test]
fn older_names_on_an_axis_take_precedence() {
    let study = "base: run.yaml\naxes: {phase_ids: {first: {from_data: {phase_id: 0}}, second: {from_data: {phase_id: \
                 1}}}}\noutput_dir: out\nplots: none\n";
    let workspace = workspace(study);
    let task = |load: f64| crate::vom::task(crate::vom::packed(1, 0), 0, load);
    let phases = [
        serde_json::json!({"id": 0, "tasks": [task(1.0)]}),
        serde_json::json!({"id": 1, "tasks": [task(3.0)]}),
    ];
    let file = serde_json::json!({"metadata": {"type": "LBDatafile", "rank": 0}, "phases": phases});
    workspace.write("set.0.json", file.to_string());
    workspace.write("run.yaml", "from_data: {data_stem: set, phase_ids: 0}\nalgorithm: {name: LPT}\n");
    let said = workspace.lbaf(&["study", "study.yaml"]);
    let csv = workspace.text("out/cells.csv");
    let loads: Vec<String> = rows(&csv).iter().map(|row| row["max_load"].clone()).collect();
    assert_eq!(loads, ["1.0", "3.0"], "{} {csv}", said.stderr);
}

/// Infeasible results rank last and are left off Pareto fronts, even if they are well balanced.
#[test]
fn infeasible_results_are_not_on_the_front() {
    let file = |rank: u64, ids: &[u64]| {
        let tasks: Vec<_> = ids
            .iter()
            .map(|&id| {
                let mut task = crate::vom::task(crate::vom::packed(id, rank), rank, 1.0);
                task["user_defined"] = serde_json::json!({"task_footprint_bytes": 10.0});
                task
            })
            .collect();
        serde_json::json!({"metadata": {"type": "LBDatafile", "rank": rank}, "phases": [{"id": 0, "tasks": tasks}]})
            .to_string()
    };
    let study = "configuration:\n  from_data: {data_stem: set}\n  work_model: {name: AffineCombination, parameters: \
                 {upper_bounds: {max_memory_usage: 35.0}}}\naxes:\n  strategy: {random: {algorithm: {name: RandomLB}}, LPT: \
                 {algorithm: {name: LPT}}}\n  seed: 0-5\noutput_dir: out\nplots: none\n";
    let workspace = workspace(study);
    workspace.write("set.0.json", file(0, &[1, 2, 3, 4, 5, 6]));
    workspace.write("set.1.json", file(1, &[]));
    workspace.succeed(&["study", "study.yaml"]);
    let over = rows(&workspace.text("out/cells.csv"));
    assert!(
        over.iter().any(|row| row["strategy"] == "random" && row["ranks_over_bounds"] != "0"),
        "{over:?}"
    );
    let fronts = rows(&workspace.text("out/front.csv"));
    let on_front = |competitor: &str| {
        fronts.iter().any(|row| row["competitor"] == competitor && row["on_front"] == "true")
    };
    assert_eq!([on_front("random"), on_front("LPT")], [false, true]);
}
