// SPDX-License-Identifier: MIT OR Apache-2.0
//! Default output directories: names, and replacement by a second command.

use std::fs;

use crate::workspace::Workspace;

const MACHINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/machine");
const QUARTET: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/quartet");
const RUN: [&str; 8] = ["run", "--data", MACHINE, "--strategy", "Greedy", "--phases", "0", "--quiet"];
const COMPARE: [&str; 6] = ["compare", "--data", QUARTET, "--strategies", "LPT,Greedy", "--quiet"];

#[test]
fn an_untouched_result_is_replaced_and_anything_else_is_not() {
    let workspace = Workspace::new();
    let output = "lbaf-output/data-Greedy";
    workspace.succeed(&RUN);
    workspace.succeed(&["report", output, "--quiet"]);
    workspace.succeed(&RUN);
    assert!(!workspace.path(&format!("{output}/report.html")).exists(), "the page of the old result");
    for (file, is_foreign) in [
        ("notes.txt", true),
        ("plots/mine.svg", true),
        ("ranks.csv", false),
        ("summary.json", false),
        ("timings.json", false),
    ] {
        let path = format!("{output}/{file}");
        workspace.write(&path, "mine");
        let error = workspace.fail(&RUN, 6);
        let expected = if is_foreign {
            format!(
                "{output} holds {file}, which is not part of a result of lbaf; remove the file, or choose"
            )
        } else {
            format!("{path} was changed after lbaf wrote it; remove the file, or choose")
        };
        assert!(error.contains(&expected), "{error}");
        assert_eq!(workspace.read(&path), b"mine");
        fs::remove_file(workspace.path(&path)).expect("a file");
        workspace.succeed(&RUN);
    }
    // Other files stay in an output directory that the user names.
    workspace.write("chosen/notes.txt", "mine");
    workspace.succeed(&[&RUN[..], &["--output-dir", "chosen"]].concat());
    assert_eq!(workspace.read("chosen/notes.txt"), b"mine");
}

#[test]
fn a_summary_written_by_hand_is_not_replaced() {
    let workspace = Workspace::new();
    let (run, compared) = ("lbaf-output/data-Greedy/summary.json", "lbaf-output/data-comparison/cells.csv");
    workspace.write(run, "{}");
    workspace.write(compared, "mine");
    assert!(workspace.fail(&RUN, 6).contains("data-Greedy holds summary.json, which is not part of"));
    assert!(workspace.fail(&COMPARE, 6).contains("data-comparison holds cells.csv, which is not part of"));
    assert_eq!(workspace.names(""), [run, compared]);
}

#[test]
fn a_comparison_replaces_only_an_untouched_one() {
    let workspace = Workspace::new();
    workspace.succeed(&COMPARE);
    workspace.succeed(&COMPARE);
    for file in ["cells.csv", "study.json", "medians.csv", "timings.csv"] {
        let path = format!("lbaf-output/data-comparison/{file}");
        workspace.write(&path, "mine");
        let error = workspace.fail(&COMPARE, 6);
        assert!(error.contains(&format!("{path} was changed after lbaf wrote it")), "{error}");
        assert_eq!(workspace.read(&path), b"mine");
        fs::remove_file(workspace.path(&path)).expect("a file");
        workspace.succeed(&COMPARE);
    }
    workspace.write("lbaf-output/data-comparison/cells/mine.json", "mine");
    assert!(workspace.fail(&COMPARE, 6).contains("holds cells/mine.json, which is not part of"));
}

#[test]
fn default_directories_have_the_name_of_the_files_for_every_way_to_name_the_data() {
    let workspace = Workspace::new();
    for rank in 0..4 {
        let bytes = fs::read(format!("{QUARTET}/data.{rank}.json")).expect("readable");
        workspace.write(&format!("app/toy.{rank}.json"), bytes);
    }
    for data in ["app", "app/toy", "./app/toy"] {
        workspace.succeed(&["run", "--data", data, "--strategy", "LPT", "--quiet"]);
        assert!(workspace.path("lbaf-output/toy-LPT/summary.json").exists(), "{data}");
        fs::remove_dir_all(workspace.path("lbaf-output")).expect("a directory");
    }
    let said = workspace.shell("cd app && $LBAF run --data . --strategy LPT --quiet && ls lbaf-output");
    assert_eq!(said.stdout, "toy-LPT\n", "{}", said.stderr);
    workspace.succeed(&[
        "run",
        "--data",
        "app",
        "--strategy",
        "LPT",
        "--quiet",
        "--set",
        "output_dir=elsewhere",
    ]);
    assert!(workspace.path("elsewhere/summary.json").exists());
    assert!(!workspace.path("lbaf-output").exists());
}

#[test]
fn a_result_of_other_data_is_replaced_with_a_note() {
    let workspace = Workspace::new();
    let run = |data: &str| {
        let said = workspace.lbaf(&["run", "--data", data, "--strategy", "LPT", "--phases", "0"]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        said.stderr
    };
    let note = "this run will replace the result of other data";
    assert!(!run(MACHINE).contains(note));
    assert!(!run(&format!("{MACHINE}/data")).contains(note));
    let said = run(QUARTET);
    assert!(said.contains(&format!("{note} ({MACHINE}/data) in lbaf-output/data-LPT;")), "{said}");
}

#[test]
fn another_comparison_replaces_tables_with_a_note() {
    let workspace = Workspace::new();
    let compare = |strategies| {
        let said = workspace.lbaf(&["compare", "--data", QUARTET, "--strategies", strategies]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        said
    };
    let note =
        "the tables and charts in lbaf-output/data-comparison replace those of a comparison with other";
    let first = compare("LPT,Greedy");
    assert!(!first.stderr.contains(note));
    assert!(first.stdout.starts_with("2 strategies: 2 runs\n"), "{}", first.stdout);
    // More strategies lose no result.
    let more = compare("LPT,Greedy,RandomLB");
    assert!(!more.stderr.contains(note), "{}", more.stderr);
    let expected =
        "3 strategies, 5 seeds for those that draw random numbers: 7 runs, 2 of them computed before\n";
    assert!(more.stdout.starts_with(expected), "{}", more.stdout);
    let other = compare("LPT");
    assert!(other.stderr.contains(note), "{}", other.stderr);
    assert!(other.stdout.starts_with("1 strategy: 1 run, computed before\n"), "{}", other.stdout);
    assert!(!other.stdout.contains("no effect"), "{}", other.stdout);
}
