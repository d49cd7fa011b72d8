// SPDX-License-Identifier: MIT OR Apache-2.0
//! A strategy in another program in `run`, `simulate`, `study` and `report`.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::vom::{packed, task};
use crate::workspace::{CommandOutput, Workspace};

/// Three phases of two ranks with objects of 3 and 1 s, and of 1 and 1 s.
/// `solve.sh` and the persistent `line.sh` return the placement with 3 s on each rank. Each of their processes adds
/// a line to the file `processes`.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    let file = |rank: u64, loads: [f64; 2]| {
        let tasks: Vec<Value> =
            (1..).zip(loads).map(|(id, load)| task(packed(id, rank), rank, load)).collect();
        let phases: Vec<Value> = (0..3).map(|id| json!({"id": id, "tasks": tasks})).collect();
        json!({"metadata": {"type": "LBDatafile", "rank": rank}, "phases": phases}).to_string()
    };
    workspace.write("set.0.json", file(0, [3.0, 1.0]));
    workspace.write("set.1.json", file(1, [1.0, 1.0]));
    workspace
        .write("solve.sh", "echo $$ >> processes; cat > /dev/null; echo '{\"placement\": [0, 1, 1, 1]}'\n");
    workspace.write(
        "line.sh",
        "echo $$ >> processes\nn=0\nwhile read -r problem; do\n  n=$((n+1))\n  echo \"{\\\"placement\\\": [0, 1, 1, 1], \
         \\\"turn\\\": $n}\"\ndone\n",
    );
    workspace
}

fn configuration(parameters: &str) -> String {
    format!(
        "from_data: {{data_stem: set}}\nalgorithm:\n  name: External\n  parameters: {{{parameters}}}\noutput_dir: out\nplots: \
         none\n"
    )
}

/// Runs `lbaf run` with a command.
fn run(workspace: &Workspace, parameters: &str) -> CommandOutput {
    workspace.write("run.yaml", configuration(parameters));
    workspace.lbaf(&["run", "run.yaml"])
}

fn n_processes(workspace: &Workspace) -> usize {
    workspace.text("processes").lines().count()
}

#[test]
fn a_run_has_the_placement_of_a_command() {
    let workspace = workspace();
    let said = run(&workspace, "command: [sh, solve.sh], parameters: {depth: 3}");
    assert_eq!(said.code, 0, "{}", said.stderr);
    let summary = workspace.json("out/summary.json");
    assert_eq!(summary["strategy"]["name"], "External");
    assert_eq!(summary["strategy"]["parameters"]["parameters"], json!({"depth": 3}));
    for phase in summary["phases"].as_array().expect("a list") {
        assert_eq!(phase["after"]["load"]["max"], 3.0);
        assert_eq!(phase["migrations"]["count"], 1);
    }
    // One process for each phase.
    assert_eq!(n_processes(&workspace), 3);
}

#[test]
fn a_persistent_command_is_started_once() {
    let workspace = workspace();
    workspace.write("run.yaml", configuration("command: [sh, line.sh], persistent: true"));
    workspace.succeed(&["run", "run.yaml", "--threads", "1"]);
    assert_eq!(n_processes(&workspace), 1);
    let once = workspace.text("out/ranks.csv");
    workspace.succeed(&["run", "run.yaml", "--threads", "3"]);
    assert_eq!(workspace.text("out/ranks.csv"), once);
}

/// Paths of a command are relative to the directory of the configuration, not to the working directory.
#[test]
fn commands_run_beside_their_configuration() {
    let workspace = workspace();
    for name in ["solve.sh", "set.0.json", "set.1.json"] {
        workspace.write(&format!("below/{name}"), workspace.read(name));
    }
    workspace.write("below/run.yaml", configuration("command: [sh, solve.sh]"));
    workspace.succeed(&["run", "below/run.yaml"]);
    assert_eq!(workspace.text("below/processes").lines().count(), 3);
}

#[test]
fn a_comparison_shows_standard_error() {
    let workspace = workspace();
    workspace.write("solve.sh", "cat > /dev/null; echo thinking >&2; echo '{\"placement\": [0, 1, 1, 1]}'\n");
    let command = "algorithm.parameters.command=[sh, solve.sh]";
    let said = workspace.lbaf(&["compare", "--data", "set", "--strategies", "External", "--set", command]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stderr.contains("thinking"), "{}", said.stderr);
}

#[test]
fn standard_error_iterations_and_notes_are_shown() {
    let workspace = workspace();
    workspace.write(
        "talks.sh",
        "cat > /dev/null; echo 'thinking' >&2\necho '{\"placement\": [0, 1, 1, 1], \"notes\": [\"two steps\"], \
         \"iterations\": [{\"placement\": [1, 0, 1, 1]}, {\"placement\": [0, 1, 1, 1], \"n_rejections\": 4}]}'\n",
    );
    let said = run(&workspace, "command: [sh, talks.sh]");
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stderr.contains("thinking"), "{}", said.stderr);
    let summary = workspace.json("out/summary.json");
    let notes = summary["notes"].to_string();
    assert!(notes.contains("two steps"), "{notes}");
    let iterations = summary["phases"][0]["iterations"].as_array().expect("a list").clone();
    let values =
        |key: &str| iterations.iter().map(|iteration| iteration[key].clone()).collect::<Vec<Value>>();
    assert_eq!(values("max_work"), [json!(5.0), json!(3.0)]);
    assert_eq!(values("rejections").last(), Some(&json!(4)));
}

/// Regression: iterations without `knowledge` counted as a migration reduction.
#[test]
fn all_iterations_of_a_command_are_counted() {
    let workspace = workspace();
    // The objects are on ranks 0, 1, 0 and 1 at the start.
    let iterations = |knowledge: [&str; 2]| {
        let [first, second] = knowledge;
        format!(
            "cat > /dev/null; echo '{{\"placement\": [0, 1, 1, 1], \"iterations\": [{{\"placement\": [1, 0, 1, 1], \"n_messages\": 5{first}}}, \
             {{\"placement\": [0, 1, 1, 1], \"n_messages\": 7, \"n_rejections\": 4{second}}}]}}'\n"
        )
    };
    let known = ", \"knowledge\": 0.5";
    let stated = ", 50% of the other ranks known on average";
    for (knowledge, stated) in [
        (["", known], format!("{stated} (stated for 1 iteration)")),
        ([known, ""], format!("{stated} (stated for 1 iteration)")),
        ([known, known], stated.to_owned()),
        (["", ""], String::new()),
    ] {
        workspace.write("talks.sh", iterations(knowledge));
        let said = run(&workspace, "command: [sh, talks.sh]").stdout;
        let expected = format!(
            "2 iterations: 5 objects transferred, 4 transfers rejected, 12 messages{stated}; the last one is the result.\n"
        );
        assert!(said.contains(&expected), "{said}");
    }
}

#[test]
fn a_program_that_cannot_be_started_is_shown_in_the_configuration() {
    let workspace = workspace();
    let said = run(&workspace, "command: [no-such-program]");
    assert_eq!(said.code, 3, "{}", said.stderr);
    assert!(said.stderr.contains("cannot start `no-such-program`: No such file"), "{}", said.stderr);
    assert!(said.stderr.contains("run.yaml:4:25: algorithm.parameters.command: "), "{}", said.stderr);
    assert!(!workspace.path("out").exists());
}

#[test]
fn wrong_parameters_are_shown_in_the_configuration() {
    let workspace = workspace();
    for (parameters, message) in [
        ("command: []", "it is empty; name a program and its arguments"),
        ("command: [sh], time_limit: 0", "it must be a positive number of seconds, not 0"),
        ("command: sh", "expected a list"),
        ("command: [sh], timeout: 3", "unknown key `timeout`"),
        ("time_limit: 3", "missing key `command`"),
        ("command: [sh], promises: [fast]", "unknown value `fast`; expected one of `bounds`, `seed_ignored`"),
    ] {
        let said = run(&workspace, parameters);
        assert_eq!(said.code, 3, "{parameters}: {}", said.stderr);
        assert!(said.stderr.contains(message), "{parameters}: {}", said.stderr);
        assert!(said.stderr.contains("run.yaml:"), "{parameters}: {}", said.stderr);
    }
}

/// An invalid reply has the exit code of an invalid input file.
#[test]
fn faults_of_commands_are_reported_with_the_object_and_leave_no_output() {
    let workspace = workspace();
    for (script, message) in [
        (
            "echo 'no licence' >&2; exit 9",
            "`sh` failed (exit status: 9); its standard error ends with: no licence",
        ),
        ("kill -9 $$", "`sh` failed (signal: 9 (SIGKILL))"),
        ("sleep 100", "`sh` gave no answer within 0.5 s and was killed; raise `time_limit`"),
        ("cat > /dev/null; echo hello", "expected value at line 1 column 1; it begins with `hello`"),
        ("cat > /dev/null; echo '{\"placement\": [0]}'", "the length of placement is 1 instead of 4"),
        ("cat > /dev/null; echo '{\"placement\": [0, 2, 0, 0]}'", "ranks are whole numbers from 0 to 1"),
        ("cat > /dev/null; echo '{\"placement\": [0, NaN, 0, 0]}'", "expected value at line 1 column 19"),
    ] {
        workspace.write("fails.sh", script);
        let said = run(&workspace, "command: [sh, fails.sh], time_limit: 0.5");
        assert_eq!(said.code, 4, "{script}: {}", said.stderr);
        assert!(said.stderr.contains("External: phase 0: "), "{script}: {}", said.stderr);
        assert!(said.stderr.contains(message), "{script}: {}", said.stderr);
        assert!(!workspace.path("out").exists(), "{script}");
    }
}

/// With several threads, too, the error of the first phase ends the run before other phases are sent.
#[test]
fn a_command_that_fails_at_its_start_is_started_once() {
    let workspace = workspace();
    workspace.write("fails.sh", "echo $$ >> processes; echo 'no licence' >&2; exit 9\n");
    for parameters in ["command: [sh, fails.sh]", "command: [sh, fails.sh], persistent: true"] {
        workspace.write("processes", "");
        workspace.write("run.yaml", configuration(parameters));
        let said = workspace.lbaf(&["run", "run.yaml", "--threads", "3"]);
        assert_eq!(said.code, 4, "{}", said.stderr);
        assert_eq!(n_processes(&workspace), 1, "{}", said.stderr);
        assert_eq!(said.stderr.matches("error: ").count(), 1, "{}", said.stderr);
        assert!(said.stderr.contains("External: phase 0: `sh` failed (exit status: 9"), "{}", said.stderr);
    }
}

/// Regression: the error was shown at the section `algorithm`, also if `--set` assigned the command.
#[test]
fn an_empty_command_is_shown_where_it_was_written() {
    let workspace = workspace();
    let refused = |parameters: &str, set: &[&str]| {
        workspace.write("run.yaml", configuration(parameters));
        workspace.fail(&[&["run", "run.yaml"], set].concat(), 3)
    };
    let error = refused("command: []", &[]);
    assert!(error.starts_with("error: run.yaml:4:25: algorithm.parameters.command: it is empty"), "{error}");
    let error = refused("command: [sh]", &["--set", "algorithm.parameters.command=[]"]);
    assert!(error.starts_with("error: --set:1:30: algorithm.parameters.command: it is empty"), "{error}");
}

/// Regression: the error was shown in an argument `--set` that was not given.
#[test]
fn a_missing_command_is_shown_at_the_strategy() {
    let workspace = workspace();
    let error = workspace.fail(&["run", "--data", "set", "--strategy", "External"], 3);
    assert_eq!(
        error,
        "error: --strategy:1:1: algorithm.parameters: missing key `command`\n  |\n1 | External\n  | ^^^^^^^^\n"
    );
    let error = workspace.fail(&["compare", "--data", "set", "--strategies", "External"], 3);
    assert!(!error.contains("--set"), "{error}");
}

#[test]
fn a_sentinel_that_is_moved_is_named() {
    let workspace = workspace();
    let fixed = workspace.text("set.0.json").replacen("\"migratable\":true", "\"migratable\":false", 1);
    workspace.write("set.0.json", fixed);
    workspace.write("solve.sh", "cat > /dev/null; echo '{\"placement\": [1, 1, 1, 1]}'");
    let said = run(&workspace, "command: [sh, solve.sh]");
    assert_eq!(said.code, 4, "{}", said.stderr);
    let message =
        "which is not migratable, from rank 0 to 1; leave objects with `migratable` false on their `rank`";
    assert!(said.stderr.contains(message), "{}", said.stderr);
}

#[test]
fn a_broken_promise_has_a_distinct_exit_code() {
    let workspace = workspace();
    let bounds = "work_model: {name: AffineCombination, parameters: {upper_bounds: {num_objects: 2}}}\n";
    for (promises, code) in [("[bounds]", 5), ("[]", 0)] {
        let parameters = format!("command: [sh, solve.sh], promises: {promises}");
        workspace.write("run.yaml", configuration(&parameters) + bounds);
        let said = workspace.lbaf(&["run", "run.yaml"]);
        assert_eq!(said.code, code, "{}", said.stderr);
        assert!(said.stderr.contains("num_objects"), "{}", said.stderr);
        assert!(workspace.path("out/summary.json").exists());
    }
}

/// One object migrates after phase 0, and phases 1 and 2 keep this placement.
#[test]
fn a_simulation_runs_a_command() {
    let workspace = workspace();
    workspace.write(
        "run.yaml",
        configuration("command: [sh, line.sh], persistent: true") + "simulation: {schedule: {phases: 0}}\n",
    );
    workspace.succeed(&["simulate", "run.yaml", "--threads", "1"]);
    let results = workspace.json("out/simulation.json");
    let runs = results["runs"].as_array().expect("a list");
    let configured = runs.iter().find(|run| run["scenario"] == "configured").expect("it is among them");
    // 4 + 3 + 3
    assert_eq!(configured["phase_seconds"], 10.0);
    assert_eq!(n_processes(&workspace), 1);
}

const STUDY: &str = "
configuration:
  from_data: {data_stem: set}
  algorithm: {name: External, parameters: {command: [sh, solve.sh]}}
axes:
  strategy:
    Ours: {algorithm: {name: LPT, parameters: null}}
    Theirs: {}
  seed: 0-1
output_dir: out
plots: none
";

#[test]
fn a_study_compares_a_command_and_keeps_its_cells() {
    let workspace = workspace();
    workspace.write("study.yaml", STUDY);
    workspace.succeed(&["study", "study.yaml"]);
    let cells = workspace.text("out/cells.csv");
    assert_eq!(cells.lines().filter(|line| line.contains(",External,")).count(), 2 * 3, "{cells}");
    assert_eq!(n_processes(&workspace), 2 * 3);
    // Without changes, the cells are kept.
    workspace.succeed(&["study", "study.yaml"]);
    assert_eq!(n_processes(&workspace), 2 * 3);
    // The command names a changed file.
    workspace.write("solve.sh", workspace.text("solve.sh") + "# the same, faster\n");
    workspace.succeed(&["study", "study.yaml"]);
    assert_eq!(n_processes(&workspace), 2 * 2 * 3);
    // The command itself has changed.
    workspace.write("study.yaml", STUDY.replace("[sh, solve.sh]", "[sh, solve.sh, again]"));
    workspace.succeed(&["study", "study.yaml"]);
    assert_eq!(n_processes(&workspace), 3 * 2 * 3);
    // A command that ignores the seed runs once for all seeds.
    workspace
        .write("study.yaml", STUDY.replace("[sh, solve.sh]", "[sh, solve.sh], promises: [seed_ignored]"));
    workspace.succeed(&["study", "study.yaml"]);
    assert_eq!(n_processes(&workspace), 3 * 2 * 3 + 3);
}

#[test]
fn all_cells_of_a_study_share_a_persistent_command() {
    let workspace = workspace();
    workspace.write("study.yaml", STUDY.replace("[sh, solve.sh]", "[sh, line.sh], persistent: true"));
    workspace.succeed(&["study", "study.yaml", "--threads", "1"]);
    assert_eq!(n_processes(&workspace), 1);
}

#[test]
fn a_cell_whose_command_fails_leaves_the_others() {
    let workspace = workspace();
    workspace.write("study.yaml", STUDY.replace("solve.sh", "absent.sh"));
    let said = workspace.lbaf(&["study", "study.yaml"]);
    assert!(said.stdout.contains("External: phase 0: `sh` failed (exit status: "), "{}", said.stdout);
    assert_eq!(said.code, 1);
    assert_eq!(workspace.text("out/cells.csv").lines().filter(|line| line.contains(",LPT,")).count(), 2 * 3);
}

/// The cause of a failure may lie outside the inputs, so failed cells are computed again.
#[test]
fn a_cell_whose_command_failed_is_tried_again() {
    let workspace = workspace();
    workspace.write("solve.sh", format!("test -e licence || exit 9\n{}", workspace.text("solve.sh")));
    workspace.write("study.yaml", STUDY);
    let error = workspace.fail(&["study", "study.yaml", "--quiet"], 1);
    assert!(error.contains("External: phase 0: `sh` failed (exit status: 9)"), "{error}");
    workspace.write("licence", "");
    workspace.succeed(&["study", "study.yaml"]);
    assert_eq!(n_processes(&workspace), 2 * 3);
}

/// Only a study keeps finished cells.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_run_does_not_mention_cells() {
    let workspace = workspace();
    workspace.write("solve.sh", "echo $$ >> processes; sleep 50\n");
    workspace.write("run.yaml", configuration("command: [sh, solve.sh]"));
    for command in ["run", "simulate"] {
        let line = format!(
            "rm -f processes; \"$LBAF\" {command} run.yaml 2>said & child=$!; \
             until test -e processes; do sleep 0.01; done; kill -TERM $child; wait $child"
        );
        assert_eq!(workspace.shell(&line).code, 128 + 15, "{command}");
        let said = workspace.text("said");
        assert!(said.ends_with("error: interrupted: results were not written\n"), "{command}: {said}");
    }
}

#[test]
fn a_page_shows_the_run_of_a_command() {
    let workspace = workspace();
    run(&workspace, "command: [sh, solve.sh]");
    workspace.succeed(&["report", "out"]);
    assert!(workspace.text("out/report.html").contains("External"));
}

#[test]
fn the_strategy_is_listed_with_its_parameters() {
    let workspace = Workspace::new();
    assert!(workspace.succeed(&["strategies"]).contains("External"));
    let page = workspace.succeed(&["strategies", "External"]);
    for key in ["command", "time_limit", "persistent", "promises", "indices", "subphases", "parameters"] {
        assert!(page.contains(key), "{key}: {page}");
    }
}

/// The template reimplements LPT.
#[test]
fn the_template_gives_the_placement_of_lpt() {
    if Command::new("python3").arg("--version").output().is_err() {
        return;
    }
    let workspace = Workspace::new();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let stem = examples.join("machine/data");
    let lpt =
        format!("name: External, parameters: {{command: [python3, {}/external/lpt.py]}}", examples.display());
    for (directory, algorithm) in [("ours", "name: LPT"), ("theirs", &*lpt)] {
        workspace.write(
            "run.yaml",
            format!(
                "from_data: {{data_stem: {}}}\nalgorithm: {{{algorithm}}}\noutput_dir: {directory}\nplots: none\n",
                stem.display()
            ),
        );
        workspace.succeed(&["run", "run.yaml"]);
    }
    for table in ["migrations.csv", "ranks.csv"] {
        assert!(workspace.text(&format!("ours/{table}")).lines().count() > 32, "{table}");
        assert_eq!(
            workspace.text(&format!("ours/{table}")),
            workspace.text(&format!("theirs/{table}")),
            "{table}"
        );
    }
}
