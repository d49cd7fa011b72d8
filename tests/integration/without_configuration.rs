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
            ["lbaf-output/data-Greedy", "out"].map(|output| workspace.read(&format!("{output}/{table}")));
        assert_eq!(direct, configured, "{table}");
    }
    // The summary has all that is needed to reproduce the run.
    let summary = workspace.json("lbaf-output/data-Greedy/summary.json");
    assert_eq!(summary["configuration"]["overrides"][1], "--set algorithm.name=\"Greedy\"");
}

#[test]
fn arguments_are_checked() {
    let workspace = Workspace::new();
    workspace.write("run.yaml", "algorithm: {name: Greedy}\n");
    workspace.write("app/toy.0.json", r#"{"phases":[]}"#);
    let both = ["run", "--data", MACHINE, "--strategy", "LPT"];
    let with = |set| [&both[..], &["--set", set]].concat();
    let cases: [(&[&str], i32, &str); 13] = [
        (&["run", "--data", MACHINE], 2, "--strategy <NAME>"),
        (&["run", "--strategy", "LPT"], 2, "--data <STEM>"),
        (
            &["run"],
            2,
            "`lbaf run CONFIG`), or data and a strategy (`lbaf run --data STEM --strategy NAME`); `lbaf run --help`",
        ),
        (&["run", "run.yaml", "--data", MACHINE, "--strategy", "LPT"], 2, "--strategy cannot be used with"),
        // Regression: the option had no effect.
        (&["run", "--strategy", "nonsense", "run.yaml"], 2, "`--set algorithm.name=NAME` selects another"),
        (&["run", "--data", MACHINE, "run.yaml"], 2, "`--set from_data.data_stem=STEM` selects other data"),
        (
            &["run", "--data", MACHINE, "--strategy", "Gready"],
            2,
            "error: --strategy: there is no strategy `Gready`",
        ),
        (
            &["run", "--data", "nowhere/data", "--strategy", "LPT"],
            4,
            "--data: the directory nowhere does not exist",
        ),
        (
            &["run", "app"],
            3,
            "app is a directory, not a configuration; for data without a configuration, write `lbaf run --data app",
        ),
        (&with("algorithm.name=Greedy"), 2, "--strategy determines `algorithm.name`; leave out"),
        (&with("from_data={data_stem: other}"), 2, "--data determines `from_data.data_stem`"),
        (&["run", "--data", "app", "--strategy", "LPT", "--output-dir", "./app"], 2, "./app holds the data"),
        (
            &["run", "--data", "app/toy", "--strategy", "LPT", "--set", "output_dir=app"],
            2,
            "app holds the data",
        ),
    ];
    for (arguments, code, message) in cases {
        let error = workspace.fail(arguments, code);
        assert!(error.contains(message), "{error}");
    }
    assert_eq!(workspace.names(""), ["app/toy.0.json", "run.yaml"]);
    let help = workspace.succeed(&["run", "--help"]);
    assert!(help.contains("lbaf run [OPTIONS] --data <STEM> --strategy <NAME>"), "{help}");
}

#[test]
fn a_configuration_is_written_for_the_data() {
    let workspace = Workspace::new();
    let told = workspace.succeed(&["init", MACHINE, "--output", "run.yaml"]);
    assert!(told.starts_with("Wrote run.yaml. `lbaf run run.yaml --dry-run` checks it"), "{told}");
    let text = workspace.text("run.yaml");
    for line in [
        "32 ranks, 1532 objects, phases 0-7",
        "ranks_per_node: from_files",
        "# Objects share 128 memory blocks.",
        "max_memory_usage: 1",
        "output_dir: \"output/data\"",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert_eq!(workspace.succeed(&["init", MACHINE]), text);
    let checked = workspace.succeed(&["run", "run.yaml", "--dry-run"]);
    assert!(checked.contains("LocalSearch"), "{checked}");
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
    assert_eq!(workspace.succeed(&["info", MACHINE, "--json"]), expected);
    workspace.succeed(&[&RUN[..], &["--set", "write_JSON.compressed=false"]].concat());
    // The output directory of a run stands for the stem of its placements.
    let command = ["diff", &data, "lbaf-output/data-Greedy", "--phases", "0"];
    let compared = workspace.lbaf(&command);
    assert_eq!(compared.code, 1, "objects moved: {}", compared.stderr);
    workspace.succeed(&[&RUN[..], &["--output-dir", "without_files"]].concat());
    for command in [&["info", "without_files"][..], &["diff", "without_files", &data]] {
        let error = workspace.fail(command, 4);
        let expected = "without_files is the output directory of a run that wrote no data files; \
                        `--set write_JSON={}` makes a run write them";
        assert!(error.contains(expected), "{error}");
    }
    workspace.write("two/a.0.json", "{}");
    workspace.write("two/b.0.json", "{}");
    // Tables show the names of files, not the directory.
    assert!(
        compared.stdout.contains("lbaf-output/data-Greedy/output_file.<rank>.json"),
        "{}",
        compared.stdout
    );
    let error = workspace.fail(&["info", "two"], 4);
    assert!(error.contains("two is a directory, not a stem; did you mean two/a or two/b?"), "{error}");
}
