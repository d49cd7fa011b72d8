// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf simulate`: a whole run in time.

use serde_json::Value;

use crate::peers;
use crate::vom::{packed, task};
use crate::workspace::Workspace;

/// Two ranks; the two objects of the first take 3 and 1 s, those of the second 1 s each, in three phases.
fn workspace(simulation: &str) -> Workspace {
    let workspace = Workspace::new();
    let file = |rank: u64, loads: [f64; 2]| {
        let tasks: Vec<Value> =
            (1..).zip(loads).map(|(id, load)| task(packed(id, rank), rank, load)).collect();
        let phases: Vec<Value> = (0..3).map(|id| serde_json::json!({"id": id, "tasks": tasks})).collect();
        serde_json::json!({"metadata": {"type": "LBDatafile", "rank": rank}, "phases": phases}).to_string()
    };
    workspace.write("set.0.json", file(0, [3.0, 1.0]));
    workspace.write("set.1.json", file(1, [1.0, 1.0]));
    workspace.write(
        "run.yaml",
        format!(
            "from_data: {{data_stem: set}}\nalgorithm: {{name: GreedyRefine}}\noutput_dir: out\nplots: none\n{simulation}"
        ),
    );
    workspace
}

/// One of the ways of a run.
fn way<'a>(results: &'a Value, name: &str) -> &'a Value {
    let runs = results["runs"].as_array().expect("a list");
    runs.iter().find(|run| run["way"] == name).expect("it is among them")
}

#[test]
fn a_run_is_balanced_once_and_ends_sooner() {
    let workspace = workspace(
        "simulation: {schedule: {phases: 0}, costs: {strategy_seconds: 0.25, object_latency: 0.5}}\n",
    );
    let said = workspace.succeed(&["simulate", "run.yaml"]);
    assert!(said.contains("The run of 3 phases ends "), "{said}");
    let results = workspace.json("out/simulation.json");
    // 4 s in each phase; after the first one, 3 s: an object of 1 s went over, which both ranks pay for.
    let configured = way(&results, "simulated");
    assert_eq!([&configured["phases"], &configured["strategy"], &configured["migration"]], [10.0, 0.25, 0.5]);
    assert_eq!(configured["total"], 10.75);
    for name in ["recorded", "never"] {
        assert_eq!(way(&results, name)["total"], 12.0);
    }
    assert_eq!([&way(&results, "perfect")["total"], &configured["bound"]], [10.0, 9.0]);
    let csv = workspace.text("out/simulation.csv");
    assert_eq!(csv.lines().count(), 1 + 4 * 3);
    assert!(csv.contains("\nsimulated,1,3,3,0,0,0.25,0.5,1,0,3,"), "{csv}");
    // The same once more, with one thread.
    workspace.succeed(&["simulate", "run.yaml", "--threads", "1", "--output-dir", "again"]);
    assert_eq!(workspace.text("again/simulation.csv"), csv);
}

#[test]
fn what_makes_no_sense_is_refused_where_it_stands() {
    let workspace = workspace("");
    for (section, expected) in [
        (
            "{load_model: {name: LinearModel}}",
            "simulation.load_model: LinearModel needs n, a number of phases",
        ),
        (
            "{load_model: {name: NaivePersistence, n: 3}}",
            "simulation.load_model.n: NaivePersistence takes of, not n",
        ),
        ("{load_model: Oracle}", "simulation.load_model"),
        (
            "{schedule: {every: 0}}",
            "simulation.schedule.every: phases are divisible by numbers from 1 on, not by 0",
        ),
        (
            "{schedule: {every: 2, threshold: 1}}",
            "simulation.schedule: one of every, phases, threshold and adaptive",
        ),
        ("{costs: {bandwidth: 0}}", "simulation.costs.bandwidth: bytes per second above 0, not 0"),
        (
            "{costs: {strategy_seconds: -1}}",
            "simulation.costs.strategy_seconds: seconds that are not negative, not -1",
        ),
    ] {
        let said = workspace.fail(&["simulate", "run.yaml", "--set", &format!("simulation={section}")], 3);
        assert!(said.contains(expected), "{section}: {said}");
    }
}

/// Behind every phase, on what that phase took: what `placement: carry` does, one phase after the other.
#[test]
fn naive_balancing_behind_every_phase_is_a_replay() {
    let Some(workspace) = peers::peer(peers::EIGHT_COLOURS) else { return };
    let more = "work_model: {name: LoadOnly}\nalgorithm: {name: GreedyLB, phase_id: all, placement: carry}";
    workspace.write("nolb.yaml", peers::configuration(peers::EIGHT_COLOURS, more));
    workspace.succeed(&["run", "nolb.yaml", "-q"]);
    workspace.succeed(&["simulate", "nolb.yaml", "-q"]);
    let replayed = workspace.json("out/summary.json");
    let simulated = workspace.json("out/simulation.json");
    let phases = replayed["phases"].as_array().expect("a list");
    let by_phase = way(&simulated, "simulated")["by_phase"].as_array().expect("a list");
    assert_eq!(phases.len(), by_phase.len());
    // What was balanced behind a phase stands before the next one.
    for (replayed, next) in phases.iter().zip(&by_phase[1..]) {
        for (when, key) in [("before", "predicted_imbalance_before"), ("after", "predicted_imbalance_after")]
        {
            assert_eq!(replayed[when]["load"]["imbalance"], next["balancing"][key], "{when}");
        }
    }
}
