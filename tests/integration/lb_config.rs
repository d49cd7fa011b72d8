// SPDX-License-Identifier: MIT OR Apache-2.0
//! LB configuration files of vt, which name a balancer for each phase.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::vom::{packed, task};
use crate::workspace::Workspace;

const CONFIGURATION: &str = "from_data: {data_stem: data}
output_dir: out
plots: none
algorithm:
  lb_config: vt/lb.conf
";

/// Two ranks in phases 0 to 6, with four objects of 1 s on the first rank.
fn workspace(balancers: &str) -> Workspace {
    let workspace = Workspace::new();
    for rank in 0..2 {
        let tasks: Vec<_> = (1..=4).map(|sequence| task(packed(sequence, 0), 0, 1.0)).collect();
        let tasks = if rank == 0 { tasks } else { Vec::new() };
        let phases: Vec<Value> = (0..7).map(|id| json!({"id": id, "tasks": tasks})).collect();
        workspace.write(&format!("data.{rank}.json"), json!({ "phases": phases }).to_string());
    }
    workspace.write("run.yaml", CONFIGURATION);
    workspace.write("vt/lb.conf", balancers);
    workspace
}

#[track_caller]
fn refused(workspace: &Workspace, arguments: &[&str]) -> String {
    let error = workspace.fail(&[&["run", "run.yaml"], arguments].concat(), 3);
    assert!(!workspace.path("out").exists());
    error
}

/// Greedy in phases 0 and 3, Rotate in 2 and 4, no balancer elsewhere.
/// A line for a single phase takes precedence, then the first matching `%` line.
const RULES: &str = "%3 GreedyLB auto=false # every three\n%2 RotateLB\n6 NoLB\n";

#[test]
fn every_phase_has_its_balancer() {
    let workspace = workspace(RULES);
    let said = workspace.lbaf(&["run", "run.yaml"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert_snapshot!(said.stderr, @"note: vt/lb.conf runs no balancer in 3 phases (1, 5-6), so all objects stay in place there");
    let table: Vec<&str> = said.stdout.lines().take(7).collect();
    assert_snapshot!(table.join("\n"), @r"
    data: 2 ranks, 4 objects, 7 phases; vt/lb.conf on LoadOnly

     balancer             line  phases
     GreedyLB auto=false  1     0, 3
     RotateLB             2     2, 4
     NoLB                 3     6
     none                       1, 5
    ");
    let summary = workspace.json("out/summary.json");
    assert_eq!(summary["strategy"], json!({"name": "lb_config", "parameters": {"lb_config": "vt/lb.conf"}}));
    let found: Vec<Value> = summary["phases"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|phase| json!([phase["strategy"], phase["migrations"]["count"], phase["rank_loads"]["after"]]))
        .collect();
    let greedy = json!(["Greedy", 2, [2.0, 2.0]]);
    let rotate = json!(["RotateLB", 4, [0.0, 4.0]]);
    let none = json!([null, 0, [4.0, 0.0]]);
    assert_eq!(found, [&greedy, &none, &rotate, &greedy, &rotate, &none, &none].map(Value::clone));
    let lines: Vec<Value> = summary["balancers"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|line| json!([line["line"], line["strategy"]["name"], line["phases"]]))
        .collect();
    let expected = [
        json!([1, "Greedy", [0, 3]]),
        json!([2, "RotateLB", [2, 4]]),
        json!([3, null, [6]]),
        json!([null, null, [1, 5]]),
    ];
    assert_eq!(lines, expected);
    assert_eq!(summary["balancers"][0]["strategy"]["parameters"]["auto"], false);
    let ran: Vec<String> = workspace
        .text("out/iterations.csv")
        .lines()
        .skip(1)
        .map(|row| format!("{} {}", &row[..1], row.rsplit(',').nth(1).unwrap_or_default()))
        .collect();
    assert_eq!(ran, ["0 Greedy", "2 RotateLB", "3 Greedy", "4 RotateLB"]);
}

#[test]
fn a_phase_is_balanced_as_if_its_balancer_were_the_only_one() {
    let workspace = workspace("%2 RandomLB seed=5\nGreedyLB");
    workspace.succeed(&["run", "run.yaml"]);
    let moved = |directory: &str, phase: &str| {
        let table = workspace.text(&format!("{directory}/migrations.csv"));
        table.lines().filter(|row| row.starts_with(phase)).map(str::to_owned).collect::<Vec<_>>()
    };
    for (phase, algorithm) in [("4", "{name: RandomLB, args: seed=5}"), ("5", "{name: GreedyLB}")] {
        let alone = CONFIGURATION.split("algorithm:").next().expect("the beginning");
        workspace.write("alone.yaml", format!("{alone}algorithm: {algorithm}\n"));
        workspace.succeed(&["run", "alone.yaml", "--output-dir", "alone"]);
        assert!(!moved("alone", phase).is_empty());
        assert_eq!(moved("out", phase), moved("alone", phase), "phase {phase}");
    }
}

#[test]
fn only_balancers_of_selected_phases_are_checked() {
    // Phase 1, whose balancer `lbaf` lacks, is not selected.
    let workspace = workspace("1 LoadSamplerLB\n%3 GreedyLB\n2 NoLB\n");
    workspace.succeed(&["run", "run.yaml", "--set", "algorithm.phase_id=2-4"]);
    let summary = workspace.json("out/summary.json");
    let phases: Vec<&Value> =
        summary["phases"].as_array().expect("a list").iter().map(|phase| &phase["strategy"]).collect();
    assert_eq!(phases, [&Value::Null, &json!("Greedy"), &Value::Null]);
    assert_eq!(summary["balancers"].as_array().map(Vec::len), Some(3));
}

#[test]
fn a_missing_balancer_is_named_with_its_line() {
    let workspace = workspace("%3 GreedyLB\n# later\n  5 LoadSamplerLB\n");
    let error = refused(&workspace, &[]);
    let error: Vec<&str> = error.lines().collect();
    let known = "there is no strategy `LoadSamplerLB`; known are PhaseStepper, ";
    assert!(error[0].starts_with(&format!("error: vt/lb.conf:3:5: phase 5: {known}")), "{}", error[0]);
    let way_on = "; exclude the phase (`algorithm.phase_id`), or name another balancer";
    assert!(error[0].ends_with(way_on), "{}", error[0]);
    assert_eq!(error[1..], ["  |", "3 |   5 LoadSamplerLB", "  |     ^^^^^^^^^^^^^"]);
}

#[test]
fn a_layer_replaces_the_choice_of_balancer_below() {
    let workspace = workspace(RULES);
    let name = |arguments: &[&str]| {
        workspace.succeed(&[&["run"], arguments].concat());
        workspace.json("out/summary.json")["strategy"]["name"].clone()
    };
    let named = CONFIGURATION.replace("lb_config: vt/lb.conf", "{name: GreedyLB, args: min=0.5}");
    workspace.write("named.yaml", named);
    workspace.write("more.yaml", "algorithm: {args: max=2}\n");
    assert_eq!(name(&["run.yaml", "named.yaml", "more.yaml"]), "Greedy");
    assert_eq!(name(&["named.yaml", "run.yaml"]), "lb_config");
    assert_eq!(name(&["named.yaml", "--set", "algorithm.lb_config=vt/lb.conf"]), "lb_config");
    assert_eq!(name(&["run.yaml", "--set", "algorithm.name=RotateLB"]), "RotateLB");
}

#[test]
fn a_name_together_with_the_file() {
    let workspace = workspace(RULES);
    workspace.write("run.yaml", CONFIGURATION.to_owned() + "  name: GreedyLB\n");
    assert_snapshot!(refused(&workspace, &[]), @r"
    error: run.yaml:5:3: algorithm: `name` and `lb_config` exclude each other: one strategy for all phases, or a file that names a balancer for each
      |
    5 |   lb_config: vt/lb.conf
      |   ^^^^^^^^^
    ");
}

#[test]
fn neither_a_name_nor_a_file() {
    let workspace = workspace(RULES);
    workspace.write("run.yaml", CONFIGURATION.replace("lb_config: vt/lb.conf", "phase_id: 0"));
    assert_snapshot!(refused(&workspace, &[]), @r"
    error: run.yaml:4:1: algorithm: missing key `name` (or `lb_config`, a file that names a balancer for each phase)
      |
    4 | algorithm:
      | ^^^^^^^^^
    ");
}

#[test]
fn settings_together_with_the_file() {
    let workspace = workspace(RULES);
    workspace.write("run.yaml", CONFIGURATION.to_owned() + "  parameters: {min: 0.5}\n");
    assert_snapshot!(refused(&workspace, &[]), @r"
    error: run.yaml:6:3: algorithm: with `lb_config`, write the arguments of each balancer after its name in that file
      |
    6 |   parameters: {min: 0.5}
      |   ^^^^^^^^^^
    ");
    workspace.write("run.yaml", CONFIGURATION.to_owned() + "  args: min=0.5\n");
    assert_snapshot!(refused(&workspace, &[]), @r"
    error: run.yaml:6:3: algorithm: with `lb_config`, write the arguments of each balancer after its name in that file
      |
    6 |   args: min=0.5
      |   ^^^^
    ");
}

#[test]
fn a_missing_file() {
    let workspace = workspace(RULES);
    assert_snapshot!(refused(&workspace, &["--set", "algorithm.lb_config=lb.conf"]), @r"
    error: --set:1:21: algorithm.lb_config: cannot read lb.conf: No such file or directory (os error 2)
      |
    1 | algorithm.lb_config=lb.conf
      |                     ^^^^^^^
    ");
}

#[test]
fn a_file_of_the_other_kind() {
    let workspace = workspace("0 0 10\n%100 -3 3\n");
    assert_snapshot!(refused(&workspace, &[]), @r"
    error: run.yaml:5:14: algorithm.lb_config: vt/lb.conf is a specification of output (`lbaf spec vt/lb.conf`), not an LB configuration file
      |
    5 |   lb_config: vt/lb.conf
      |              ^^^^^^^^^^
    ");
}

/// One case for each kind of error outside the grammar; errors of the grammar have separate tests.
#[test]
fn errors_show_their_line_of_the_file() {
    assert_snapshot!(refused(&workspace("%3 GreedyLB\n2 GredyLB\n"), &[]), @r#"
    error: vt/lb.conf:2:3: vt has no balancer "GredyLB"; did you mean `GreedyLB`?
      |
    2 | 2 GredyLB
      |   ^^^^^^^
    "#);
    // Errors are also reported in lines that apply to no phase.
    assert_snapshot!(refused(&workspace("GreedyLB\n7 GreedyLB min=1 max=all\n"), &[]), @r#"
    error: vt/lb.conf:2:22: GreedyLB.max: expected a number, found the string "all"
      |
    2 | 7 GreedyLB min=1 max=all
      |                      ^^^
    "#);
    assert_snapshot!(refused(&workspace("%5 NoLB\n2 GreedyLB min=2 max=1\n"), &[]), @r"
    error: vt/lb.conf:2:3: GreedyLB: `min` 2 and `max` 1 must be finite, with 0 <= min <= max
      |
    2 | 2 GreedyLB min=2 max=1
      |   ^^^^^^^^
    ");
    assert_snapshot!(refused(&workspace("# nothing\n"), &[]), @r"
    error: vt/lb.conf:1:1: the file has only blank lines and comments; expected lines like `%100 -3 3` (specification: phases with output) or `%10 GreedyLB` (LB configuration: phases with a balancer)
      |
    1 | # nothing
      | ^
    ");
}

#[test]
fn the_file_is_neither_replaced_nor_used_as_a_log() {
    let workspace = workspace(RULES);
    let error = refused(&workspace, &["--set", "log_to_file=vt/lb.conf"]);
    assert!(error.contains("vt/lb.conf is an input file"), "{error}");
    workspace.write("run.yaml", CONFIGURATION.replace("vt/lb.conf", "out/ranks.csv"));
    workspace.write("out/ranks.csv", RULES);
    let error = workspace.fail(&["run", "run.yaml"], 6);
    assert!(error.contains("ranks.csv"), "{error}");
    assert_eq!(workspace.text("out/ranks.csv"), RULES);
}

/// OfflineLB replays a placement until the next balancer runs, as in vt.
#[test]
fn phases_without_a_balancer_keep_the_placement_in_a_replay() {
    let workspace = workspace("2 GreedyLB\n5 RotateLB\n");
    let n_objects = |more: &str| {
        workspace.write("run.yaml", CONFIGURATION.to_owned() + more);
        workspace.succeed(&["run", "run.yaml"]);
        let first = &workspace.documents("out/output_file")[0];
        let phases = first["phases"].as_array().expect("a list");
        let tasks = |phase: &Value| phase["tasks"].as_array().map_or(0, Vec::len);
        phases.iter().map(|phase| format!("{}: {}", phase["id"], tasks(phase))).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(n_objects("write_JSON: {}\n"), "0: 4, 1: 4, 2: 2, 3: 4, 4: 4, 5: 0, 6: 4");
    assert_eq!(
        n_objects("write_JSON: {offline_lb_compatible: true, empty_ranks: warn}\n"),
        "2: 4, 3: 2, 4: 2, 5: 2, 6: 0"
    );
}

/// No strategy runs in a phase without a balancer, so violated bounds there are not a failure.
#[test]
fn bounds_are_enforced_only_where_a_balancer_runs() {
    let workspace = workspace("0 GreedyLB\n");
    let bounds = "work_model: {name: AffineCombination, parameters: {upper_bounds: {load: 3}}}\n";
    workspace.write("run.yaml", CONFIGURATION.to_owned() + bounds);
    let said = workspace.lbaf(&["run", "run.yaml"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stderr.contains("exceeded in 6 phases: in phase 1"), "{}", said.stderr);
    workspace.write("run.yaml", CONFIGURATION.to_owned() + &bounds.replace(": 3}", ": 1}"));
    let error = workspace.fail(&["run", "run.yaml"], 5);
    assert!(error.contains("for 1 phase: in phase 0"), "{error}");
}

/// The balancer runs after a phase, with the strategy of this phase.
#[test]
fn a_study_of_simulations_names_the_balancer_of_the_phase_before_a_balancing() {
    let workspace = workspace("0 GreedyLB\n1 RotateLB\n");
    workspace.write(
        "study.yaml",
        "command: simulate\nbase: run.yaml\noutput_dir: study\naxes:\n  seed: [0]\nconfiguration: {}\n",
    );
    workspace.succeed(&["study", "study.yaml"]);
    let cells = workspace.text("study/cells.csv");
    assert!(cells.contains(",\"Greedy, RotateLB\","), "{cells}");
}
