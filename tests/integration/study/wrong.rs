// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cells that fail, and files that are no study.

use super::{STUDY, rows, workspace};

#[test]
fn a_cell_that_fails_does_not_stop_the_others() {
    let study = STUDY.replace("    Tempered: {}", "    Tempered: {algorithm: {parameters: {iters: none}}}");
    let workspace = workspace(&study);
    let said = workspace.lbaf(&["study", "study.yaml"]);
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(
        said.stderr.starts_with("error: 10 of 30 cells failed, the first of them because study.yaml:"),
        "{}",
        said.stderr
    );
    assert!(said.stdout.contains("10 cells failed, the first is cell 5 (120, Tempered, 0): study.yaml:15:48: algorithm.parameters.iters:"), "{}", said.stdout);
    let csv = workspace.text("out/cells.csv");
    assert_eq!(csv.matches("algorithm.parameters.iters").count(), 10);
    let summary = workspace.json("out/study.json");
    assert_eq!(summary["failed"].as_array().map(Vec::len), Some(10));
    // They are as good as computed.
    let again = workspace.lbaf(&["study", "study.yaml"]);
    assert!(again.stdout.contains("; 30 of them were kept from before"), "{}", again.stdout);
    assert_eq!((again.code, again.stderr), (1, said.stderr));
}

/// Data that are not there are an error of their cells alone.
#[test]
fn data_that_are_missing_fail_their_cells() {
    let study = "configuration: {from_data: {data_stem: set}, algorithm: {name: LPT}}\naxes: {from_data.data_stem: [set, \
                 nowhere]}\noutput_dir: out\nplots: none\n";
    let workspace = workspace(study);
    let task = crate::vom::task(crate::vom::packed(1, 0), 0, 1.0);
    let file = serde_json::json!({"metadata": {"type": "LBDatafile", "rank": 0}, "phases": [{"id": 0, "tasks": [task]}]});
    workspace.write("set.0.json", file.to_string());
    let said = workspace.fail(&["study", "study.yaml"], 1);
    assert!(
        said.contains("1 of 2 cells failed, the first of them because nowhere.<rank>.* has no file"),
        "{said}"
    );
    let cells = rows(&workspace.text("out/cells.csv"));
    assert_eq!((&*cells[0]["max_load"], &*cells[0]["error"]), ("1.0", ""));
    assert_eq!(&*cells[1]["max_load"], "");
    // When they come, they are computed.
    workspace.write("nowhere.0.json", file.to_string());
    workspace.succeed(&["study", "study.yaml"]);
}

#[test]
fn what_is_no_study_is_refused_where_it_stands() {
    for (from, to, expected) in [
        ("axes:", "axis:", "study.yaml:11:1: unknown key `axis`; did you mean `axes`?"),
        ("seed: 0-4", "seed: []", "study.yaml:17:9: axes.seed: no values to choose from"),
        (
            "seed: 0-4",
            "seed: all",
            "axes.seed: expected a list of values, or a range such as 0-9, found \"all\"",
        ),
        ("seed: 0-4", "seed: [1, 1]", "axes.seed: two values are called 1; give them names"),
        (
            "Tempered: {}",
            "Tempered: 3",
            "axes.strategy: `Tempered`: expected what it changes, or the file that says so",
        ),
        ("Tempered: {}", "Tempered: no.yaml", "study.yaml:15:15: there is no configuration no.yaml"),
        ("plots: none", "combine: zip", "axes: axis 1 has 3 values and others have 2: zipped axes"),
        (
            "plots: none",
            "combine: all",
            "combine: expected grid, zip, or {sample: N, seed: S}, found the string \"all\"",
        ),
        ("plots: none", "plots: {charts: all}", "plots.charts: charts of a study follow from its `report`"),
        (
            "plots: none",
            "report: {confidence: 95}",
            "report.confidence: a confidence is above 0 and below 1, not 95",
        ),
        ("plots: none", "report: {digits: 0}", "report.digits: numbers have 1 to 17 digits, not 0"),
        ("plots: none", "report: {problems: [size]}", "report.problems: there is no axis `size`"),
        (
            "plots: none",
            "report: {objective: imbalance}",
            "report.objective: there is no quantity `imbalance`; did you mean `work_imbalance`",
        ),
        ("plots: none", "base: [1]", "base: expected a configuration file, or a list of them"),
    ] {
        let workspace = workspace(&STUDY.replace(from, to));
        let said = workspace.fail(&["study", "study.yaml"], 3);
        assert!(said.contains(expected), "{to}: {said}");
    }
    let workspace = workspace(STUDY);
    for (shard, expected) in [("3/2", "parts of 2 are numbered from 1 to 2, not 3"), ("half", "such as 2/8")]
    {
        let said = workspace.fail(&["study", "study.yaml", "--shard", shard], 2);
        assert!(said.contains(expected), "{said}");
    }
}
