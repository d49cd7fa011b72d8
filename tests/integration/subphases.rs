// SPDX-License-Identifier: MIT OR Apache-2.0
//! Phases with a barrier after every subphase.

use serde_json::{Value, json};

use crate::vom::{packed, task};
use crate::workspace::Workspace;

const RUN: &str = "from_data: {data_stem: set, subphases: true}
algorithm: {name: LPT, parameters: {subphases: true}}
output_dir: out
plots: none
";

/// Two ranks with two objects of 2 s each, on the first rank in subphase 0, on the second rank in subphase 3.
/// In the third phase, every object also takes 1 s in subphase 7.
fn workspace(n_phases: u64) -> Workspace {
    let workspace = Workspace::new();
    for rank in 0..2 {
        let object = |id: u64, phase: u64| {
            let subphases = [json!({"id": 3 * rank, "time": 2.0}), json!({"id": 7, "time": 1.0})];
            let taken = if phase == 2 { 2 } else { 1 };
            let mut task = task(packed(id, rank), rank, f64::from(taken as u32 + 1));
            task["subphases"] = subphases[..taken].into();
            task
        };
        let phase = |id: u64| json!({"id": id, "tasks": [object(1, id), object(2, id)]});
        let phases: Vec<Value> = (0..n_phases).map(phase).collect();
        let file = json!({"metadata": {"type": "LBDatafile", "rank": rank}, "phases": phases});
        workspace.write(&format!("set.{rank}.json"), file.to_string());
    }
    workspace.write("run.yaml", RUN);
    workspace
}

/// Returns the sum of maxima, the imbalance of subphases, and the imbalance with one barrier at the end.
fn times_and_imbalances(placement: &Value) -> [f64; 3] {
    ["sum_of_maxima", "imbalance", "whole_imbalance"].map(|key| placement[key].as_f64().expect(key))
}

/// Each rank has 4 s of work, but the ranks work one after the other, so the phase takes 8 s.
#[test]
fn a_phase_with_balanced_subphases_takes_half_as_long() {
    let workspace = workspace(1);
    let said = workspace.succeed(&["run", "run.yaml"]);
    let expected = "With a barrier after each of 2 subphases, the phase takes 8 s before and 4 s after balancing, and at \
                    least 4 s under any placement; the imbalance is 1 before and 0 after balancing (0 and 0 with a \
                    barrier only at the end).\n";
    assert!(said.contains(expected), "{said}");
    let summary = workspace.json("out/summary.json");
    let subphases = &summary["phases"][0]["subphases"];
    assert_eq!(subphases["numbers"], json!([0, 3]));
    assert_eq!(times_and_imbalances(&subphases["before"]), [8.0, 1.0, 0.0]);
    assert_eq!(times_and_imbalances(&subphases["after"]), [4.0, 0.0, 0.0]);
    assert_eq!([&subphases["lower_bound"], &subphases["least_imbalance"]], [4.0, 0.0]);
    assert_eq!(summary["phases"][0]["migrations"]["count"], 2);
    let warning =
        "unused subphase numbers between the first and the last, which add no barrier: 2 in phase 0";
    assert_eq!(summary["warnings"], json!([warning]));
    // The result is the same without `from_data.subphases`, because the strategy requires subphases too.
    workspace.write("other.yaml", RUN.replace(", subphases: true", ""));
    workspace.succeed(&["run", "other.yaml", "--threads", "1", "--output-dir", "again"]);
    assert_eq!(workspace.json("again/summary.json")["phases"], summary["phases"]);
}

/// If no setting requires subphases, they are neither reported nor checked.
#[test]
fn subphases_are_read_only_on_request() {
    let workspace = workspace(1);
    workspace.write(
        "run.yaml",
        "from_data: {data_stem: set}\nalgorithm: {name: LPT}\noutput_dir: out\nplots: none\n",
    );
    let said = workspace.succeed(&["run", "run.yaml"]);
    let summary = workspace.json("out/summary.json");
    assert!(!said.contains("subphase"), "{said}");
    assert_eq!((&summary["phases"][0]["subphases"], &summary["warnings"]), (&Value::Null, &json!([])));
    let wrong = workspace.text("set.0.json").replace("\"time\":2.0}]", "\"time\":-2.0}]");
    workspace.write("set.0.json", wrong);
    workspace.succeed(&["run", "run.yaml"]);
    workspace.write("run.yaml", RUN);
    let error = workspace.fail(&["run", "run.yaml"], 4);
    let expected = "at /phases/0/tasks/0/subphases/0/time: expected a non-negative number, found -2";
    assert!(error.contains(expected), "{error}");
}

/// Two phases of 8 s that could take 4 s, and one of 10 s that could take 6 s.
#[test]
fn phases_are_listed_and_summed_up() {
    let workspace = workspace(3);
    let said = workspace.succeed(&["run", "run.yaml"]);
    let table = said.split("With a barrier after every subphase:\n").nth(1).expect("a table");
    let rows: Vec<Vec<&str>> = table.lines().take(6).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[2], ["0", "2", "8", "4", "4", "1", "0", "0", "0"]);
    assert_eq!(rows[3], ["1", "2", "8", "4", "4", "1", "0", "0", "0"]);
    // The means of the subphases are 2 + 2 + 2 s.
    assert_eq!(rows[4], ["2", "3", "10", "6", "6", "0.666667", "0", "0", "0"]);
    assert_eq!(rows[5], ["all", "26", "14", "14"]);
}

#[test]
fn subphases_of_a_data_set_are_described() {
    let workspace = workspace(3);
    let said = workspace.succeed(&["info", "set"]);
    let rows: Vec<Vec<&str>> = said.lines().map(|line| line.split_whitespace().collect()).collect();
    for row in [["0", "2", "8", "1", "0"], ["2", "3", "10", "0.666667", "0"]] {
        assert!(rows.contains(&row.to_vec()), "{said}");
    }
    let info: Value = serde_json::from_str(&workspace.succeed(&["info", "set", "--json"])).expect("JSON");
    let subphases = &info["phases"][2]["subphases"];
    assert_eq!((&subphases["numbers"], &subphases["maxima"]), (&json!([0, 3, 7]), &json!([4.0, 4.0, 2.0])));
    assert_eq!(times_and_imbalances(subphases)[0], 10.0);
}

/// Errors name the key that requires subphases.
#[test]
fn data_without_subphases_are_refused_if_they_are_required() {
    let workspace = workspace(1);
    for rank in 0..2 {
        let name = format!("set.{rank}.json");
        workspace.write(&name, workspace.text(&name).replace("\"subphases\"", "\"others\""));
    }
    let error = workspace.fail(&["run", "run.yaml"], 3);
    let expected = "from_data.subphases: no task of the phases that are read has times in `subphases`";
    assert!(error.contains(expected), "{error}");
    workspace.write("run.yaml", RUN.replace(", subphases: true", ""));
    let error = workspace.fail(&["run", "run.yaml"], 3);
    let expected = "algorithm.parameters.subphases: no task of phase 0 has times of subphases; without `subphases`, \
                    the phase is balanced as a whole";
    assert!(error.contains(expected), "{error}");
    let plain = "from_data: {data_stem: set}\nalgorithm: {name: LPT}\noutput_dir: out\nplots: none\n";
    for (simulation, path) in [
        ("{subphases: true}", "simulation.subphases"),
        ("{load_model: {name: Norm, p: 2}}", "simulation.load_model"),
    ] {
        workspace.write("run.yaml", format!("{plain}simulation: {simulation}\n"));
        let error = workspace.fail(&["simulate", "run.yaml"], 3);
        assert!(error.contains(&format!("{path}: no task of phase 0 has times")), "{error}");
    }
    assert!(!workspace.succeed(&["info", "set"]).contains("subphase"));
}

/// As recorded, the three phases take 8, 8 and 10 s. After balancing with the loads of the first phase, the second and
/// the third phase take 4 and 6 s.
#[test]
fn a_simulation_takes_the_slowest_rank_of_every_subphase() {
    let workspace = workspace(3);
    let total = |simulation: &str| {
        workspace.write("run.yaml", format!("{RUN}simulation: {simulation}\n"));
        workspace.succeed(&["simulate", "run.yaml"]);
        let results = workspace.json("out/simulation.json");
        let runs = results["runs"].as_array().expect("a list").clone();
        let of = |scenario: &str| {
            runs.iter().find(|run| run["scenario"] == scenario).expect("it is among them").clone()
        };
        let bound = of("configured")["bound"].clone();
        (
            ["recorded", "never", "configured"]
                .map(|scenario| of(scenario)["total"].as_f64().expect("seconds")),
            bound,
        )
    };
    assert_eq!(total("{subphases: true, schedule: {phases: 0}}"), ([26.0, 26.0, 18.0], json!(14.0)));
    // With a barrier only at the end of phases, the ranks are already balanced: 4, 4 and 6 s.
    assert_eq!(total("{schedule: {phases: 0}}"), ([14.0, 14.0, 14.0], json!(14.0)));
    assert_eq!(total("{load_model: {name: SelectSubphases, subphases: [7]}, schedule: never}").0, [14.0; 3]);
    for (model, message) in [
        ("Norm", "simulation.load_model: Norm needs the key `p`, a number from 1 on or `.inf`"),
        ("{name: Norm, p: 0.5}", "simulation.load_model.p: expected a number from 1 on or `.inf`, not 0.5"),
        ("{name: Norm, p: .inf, n: 3}", "simulation.load_model.n: Norm has no key `n`; expected `p`"),
        (
            "SelectSubphases",
            "simulation.load_model: SelectSubphases needs the key `subphases`, a list of numbers of subphases",
        ),
    ] {
        workspace.write("run.yaml", format!("{RUN}simulation: {{load_model: {model}}}\n"));
        let error = workspace.fail(&["simulate", "run.yaml"], 3);
        assert!(error.contains(message), "{error}");
    }
}
