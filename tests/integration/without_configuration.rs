// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs without a configuration: `lbaf run --data STEM --strategy NAME`, `lbaf init`, and directories in place of
//! stems.

use crate::workspace::Workspace;

const MACHINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/machine");
const RUN: [&str; 8] = ["run", "--data", MACHINE, "--strategy", "greedylb", "--phases", "0", "--quiet"];

#[test]
fn data_and_strategy_give_the_result_of_a_configuration() {
    let workspace = Workspace::new();
    workspace.succeed(&RUN);
    workspace.write(
        "run.yaml",
        format!("from_data: {{data_stem: {MACHINE}/data}}\nalgorithm: {{name: Greedy}}\noutput_dir: out\n"),
    );
    workspace.succeed(&["run", "run.yaml", "--phases", "0", "--quiet"]);
    for table in ["ranks.csv", "migrations.csv", "plots/rank_loads.svg"] {
        let [direct, configured] =
            ["lbaf-output/machine-Greedy", "out"].map(|output| workspace.read(&format!("{output}/{table}")));
        assert_eq!(direct, configured, "{table}");
    }
    // The summary has all that is needed to reproduce the run.
    let summary = workspace.json("lbaf-output/machine-Greedy/summary.json");
    assert_eq!(summary["configuration"]["overrides"][1], "--set algorithm.name=\"greedylb\"");
}

#[test]
fn an_unchanged_result_is_replaced_and_anything_else_is_not() {
    let workspace = Workspace::new();
    let output = "lbaf-output/machine-Greedy";
    workspace.succeed(&RUN);
    workspace.succeed(&["report", output, "--quiet"]);
    workspace.succeed(&RUN);
    assert!(!workspace.path(&format!("{output}/report.html")).exists(), "the page of the old result");
    for (file, text) in [("notes.txt", "mine"), ("plots/mine.svg", "mine"), ("ranks.csv", "edited")] {
        workspace.write(&format!("{output}/{file}"), text);
        let error = workspace.fail(&RUN, 6);
        assert!(error.contains(&format!("{output} holds {file}, which is not part of")), "{error}");
        std::fs::remove_dir_all(workspace.path(output)).expect("a directory");
        workspace.succeed(&RUN);
    }
    // In an output directory that the user names, other files stay, as in that of a configuration.
    workspace.write("chosen/notes.txt", "mine");
    workspace.succeed(&[&RUN[..], &["--output-dir", "chosen"]].concat());
    assert_eq!(workspace.read("chosen/notes.txt"), b"mine");
}

#[test]
fn a_dry_run_describes_the_run_and_writes_nothing() {
    let workspace = Workspace::new();
    let told = workspace.succeed(
        &[&RUN[..7], &["--dry-run", "--set", "write_JSON.compressed=false", "--set", "log_to_file=log"]]
            .concat(),
    );
    assert_eq!(
        told.replace(MACHINE, "machine"),
        "data              machine: 32 ranks, 1532 objects, phases 0\n\
         phases to balance 0\n\
         strategy          Greedy\n\
         work model        LoadOnly {\"alpha\":1.0}\n\
         seed              0\n\
         output directory  lbaf-output/machine-Greedy\n\
         outputs           summary and tables, 32 files output_file.<rank>.json, charts and paper tables\n\
         Configuration and data are valid. Nothing was written.\n"
    );
    assert_eq!(workspace.names(""), Vec::<String>::new());
    let error = workspace.fail(&[&RUN[..6], &["99", "--dry-run"]].concat(), 3);
    assert!(error.contains("phase 99"), "{error}");
}

#[test]
fn arguments_are_checked() {
    let workspace = Workspace::new();
    workspace.write("run.yaml", "algorithm: {name: Greedy}\n");
    let cases: [(&[&str], i32, &str); 5] = [
        (&["run", "--data", MACHINE], 2, "--strategy <NAME>"),
        (&["run", "--strategy", "LPT"], 2, "--data <STEM>"),
        (&["run", "run.yaml", "--data", MACHINE, "--strategy", "LPT"], 2, "cannot be used with"),
        (&["run", "--data", MACHINE, "--strategy", "Gready"], 3, "did you mean `Greedy`?"),
        (&["run", "--data", "nowhere/data", "--strategy", "LPT"], 4, "the directory nowhere does not exist"),
    ];
    for (arguments, code, message) in cases {
        let error = workspace.fail(arguments, code);
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn a_configuration_is_written_for_the_data() {
    let workspace = Workspace::new();
    let told = workspace.succeed(&["init", MACHINE, "--output", "run.yaml"]);
    assert!(told.starts_with("Wrote run.yaml. `lbaf run run.yaml --dry-run` checks it"), "{told}");
    let text = workspace.text("run.yaml");
    for line in ["32 ranks, 1532 objects, phases 0-7", "ranks_per_node: from_files", "max_memory_usage: 1.9"]
    {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert_eq!(workspace.succeed(&["init", MACHINE]), text);
    let checked = workspace.succeed(&["run", "run.yaml", "--dry-run"]);
    assert!(checked.contains("GreedyRefine"), "{checked}");
    // The commented lines are valid, too.
    let all = text
        .replace("  # ranks_per_node", "  ranks_per_node")
        .replace("    # upper_bounds", "    upper_bounds");
    workspace.write("all.yaml", all);
    workspace.succeed(&["run", "all.yaml", "--dry-run"]);
    let error = workspace.fail(&["init", MACHINE, "--output", "run.yaml"], 6);
    assert!(error.contains("run.yaml already exists"), "{error}");
    // If the configuration is in another directory, its path of the data is absolute.
    workspace.write("copy/data.0.json", r#"{"phases":[]}"#);
    workspace.succeed(&["init", "copy/data", "--output", "below/run.yaml"]);
    let text = workspace.text("below/run.yaml");
    assert!(text.contains("work_model:\n  # Work is load"), "{text}");
    assert!(text.contains(&format!("data_stem: \"{}", workspace.path("copy/data").display())), "{text}");
}

#[test]
fn directories_stand_for_their_only_stem() {
    let workspace = Workspace::new();
    let data = format!("{MACHINE}/data");
    let expected = workspace.succeed(&["info", &data, "--json"]);
    assert_eq!(workspace.succeed(&["info", MACHINE, "--json"]), expected.replace(&data, MACHINE));
    workspace.succeed(&[&RUN[..], &["--set", "write_JSON.compressed=false"]].concat());
    // The output directory of a run stands for the stem of its placements.
    let command = ["diff", &data, "lbaf-output/machine-Greedy", "--phases", "0"];
    let compared = workspace.lbaf(&command);
    assert_eq!(compared.code, 1, "objects moved: {}", compared.stderr);
    workspace.write("two/a.0.json", "{}");
    workspace.write("two/b.0.json", "{}");
    let error = workspace.fail(&["info", "two"], 4);
    assert!(error.contains("two is a directory, not a stem; did you mean two/a or two/b?"), "{error}");
}
