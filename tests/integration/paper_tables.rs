// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables for papers that a run writes beside its charts.

use insta::assert_snapshot;

use crate::vom::{one_phase, packed, task};
use crate::workspace::Workspace;

const CONFIGURATION: &str = "
from_data: {data_stem: set}
algorithm: {name: Greedy}
output_dir: out
plots: {formats: [svg], charts: [rank_loads]}
";

/// Data of two ranks; the first has all objects, of 3, 2, 2 and 1 s.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    let loads = [3.0, 2.0, 2.0, 1.0];
    let tasks: Vec<_> = (1..).zip(loads).map(|(sequence, load)| task(packed(sequence, 0), 0, load)).collect();
    workspace.write("set.0.json", one_phase(0, &tasks, &[]));
    workspace.write("set.1.json", one_phase(1, &[], &[]));
    workspace.write("run.yaml", CONFIGURATION);
    workspace
}

#[test]
fn a_run_writes_its_results_as_a_table() {
    let workspace = workspace();
    workspace.succeed(&["run", "run.yaml"]);
    // A single phase has no table of phases.
    assert_eq!(workspace.names("out/tables"), ["before_after.md", "before_after.tex"]);
    // 3 + 1 and 2 + 2 of 8 s; two objects have migrated.
    assert_snapshot!(workspace.text("out/tables/before_after.md"), @r#"
    Phase 0 before and after load balancing with Greedy: 4 objects on 2 ranks.

    |                 | before |     after | lower bound |
    | :-------------- | -----: | --------: | ----------: |
    | max load (s)    |  8.000 | **4.000** |       4.000 |
    | mean load (s)   |  4.000 |     4.000 |           – |
    | load imbalance  |   1.00 |     **0** |           0 |
    | above bound (%) |    100 |     **0** |           – |
    | migrations      |      – |         2 |           – |
    "#);
    let latex = workspace.text("out/tables/before_after.tex");
    let is_row = |line: &str| {
        line.split_whitespace().eq([
            "max",
            "load",
            "(s)",
            "&",
            "8.000",
            "&",
            "\\textbf{4.000}",
            "&",
            "4.000",
            "\\\\",
        ])
    };
    assert!(latex.lines().any(is_row), "{latex}");
    let files = &workspace.json("out/summary.json")["files"];
    assert!(files["tables/before_after.tex"]["sha256"].is_string(), "{files}");
}

#[test]
fn tables_are_written_and_removed_with_charts() {
    let workspace = workspace();
    workspace.succeed(&["run", "run.yaml"]);
    let tables = workspace.files("out/tables");
    std::fs::remove_dir_all(workspace.path("out/tables")).expect("they were written");
    let said = workspace.succeed(&["plot", "out"]);
    assert_eq!(said, "2 chart files in out/plots, 2 table files in out/tables\n");
    assert!(workspace.files("out/tables") == tables);
    workspace.succeed(&["run", "run.yaml", "--set", "plots=none"]);
    assert!(
        !workspace.path("out/tables").exists(),
        "tables of an earlier run would be taken for those of this one"
    );
}

/// A table that needs the whole page is printed in blocks if it has to fit into a column.
#[test]
fn tables_have_the_configured_width() {
    let workspace = workspace();
    workspace.succeed(&["run", "run.yaml"]);
    workspace.succeed(&["run", "run.yaml", "--set", "algorithm={name: RandomLB}", "--output-dir", "random"]);
    let compared = |arguments: &[&str]| {
        let names = "a strategy with a long name,another one";
        let all = [&["plot", "out", "random", "--names", names, "--output-dir", "both"], arguments].concat();
        workspace.succeed(&all);
        workspace.text("both/tables/comparison.tex")
    };
    assert!(compared(&["--table-width", "page"]).contains("\\begin{table*}"));
    let column = compared(&["--table-width", "column"]);
    assert!(column.contains("\\begin{table}") && column.matches("\\begin{tabular}").count() > 1, "{column}");
    // The configuration has the same setting, and `lbaf plot` keeps it.
    workspace.succeed(&["run", "run.yaml", "--set", "tables.width=page"]);
    let written = workspace.text("out/tables/before_after.tex");
    assert!(written.contains("\\begin{table*}"));
    workspace.succeed(&["plot", "out"]);
    assert_eq!(workspace.text("out/tables/before_after.tex"), written);
    let said = workspace.fail(&["run", "run.yaml", "--set", "tables.width=wide"], 3);
    assert!(said.contains("tables.width"), "{said}");
}
