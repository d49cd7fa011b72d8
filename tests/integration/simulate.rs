// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf simulate`: simulation of whole runs.

use std::path::Path;

use serde_json::Value;

use crate::peers;
use crate::vom::{packed, task};
use crate::workspace::Workspace;

/// Three phases of two ranks with objects of 3 and 1 s, and of 1 and 1 s.
pub(crate) fn workspace(simulation: &str) -> Workspace {
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

/// Returns one of the scenarios of a run.
fn scenario<'a>(results: &'a Value, name: &str) -> &'a Value {
    let runs = results["runs"].as_array().expect("a list");
    runs.iter().find(|run| run["scenario"] == name).expect("the results contain the scenario")
}

#[test]
fn a_run_that_is_never_balanced_takes_as_long_as_without_balancing() {
    let workspace = workspace("simulation: {schedule: never}\n");
    let said = workspace.succeed(&["simulate", "run.yaml"]);
    assert!(said.contains("The run of 3 phases takes as long as without balancing"), "{said}");
}

#[test]
fn balancings_that_move_no_object_do_not_change_the_time() {
    let workspace = workspace("simulation: {schedule: {every: 1}}\n");
    let said = workspace.succeed(&["simulate", "run.yaml", "--set", "algorithm.name=PhaseStepper"]);
    let expected = "The run of 3 phases takes as long as without balancing. 2 balancings moved no object.";
    assert!(said.contains(expected), "{said}");
}

/// Regression: the run took as long as without balancing, which takes no time.
#[test]
fn balancing_a_run_without_load_costs_its_time() {
    let workspace = workspace("simulation: {schedule: {every: 1}, costs: {strategy_seconds: 1.0}}\n");
    for rank in 0..2 {
        let file = workspace.text(&format!("set.{rank}.json"));
        workspace.write(&format!("set.{rank}.json"), file.replace("3.0", "0.0").replace("1.0", "0.0"));
    }
    let said = workspace.succeed(&["simulate", "run.yaml"]);
    assert!(said.contains("The run of 3 phases takes 2 s longer than without balancing."), "{said}");
}

#[test]
fn a_run_is_balanced_once_and_ends_sooner() {
    let workspace = workspace(
        "simulation: {schedule: {phases: 0}, costs: {strategy_seconds: 0.25, object_latency: 0.5}}\n",
    );
    let said = workspace.succeed(&["simulate", "run.yaml"]);
    assert!(said.contains("The run of 3 phases ends "), "{said}");
    let results = workspace.json("out/simulation.json");
    // Phases take 4 + 3 + 3 s, and the migration of one object takes 0.5 s.
    let configured = scenario(&results, "configured");
    assert_eq!(
        [&configured["phase_seconds"], &configured["strategy_seconds"], &configured["migration_seconds"]],
        [10.0, 0.25, 0.5]
    );
    assert_eq!(configured["total"], 10.75);
    for name in ["recorded", "never"] {
        assert_eq!(scenario(&results, name)["total"], 12.0);
    }
    assert_eq!([&scenario(&results, "perfect")["total"], &configured["bound"]], [10.0, 9.0]);
    let csv = workspace.text("out/simulation.csv");
    assert_eq!(csv.lines().count(), 1 + 4 * 3);
    // Totals are the sums of their parts, and `phase_seconds` is the sum over the phases.
    for run in results["runs"].as_array().expect("a list") {
        let number = |value: &Value| value.as_f64().expect("a number");
        let parts: f64 = ["phase_seconds", "strategy_seconds", "migration_seconds"]
            .iter()
            .map(|part| number(&run[part]))
            .sum();
        assert_eq!(parts, number(&run["total"]));
        let by_phase = run["by_phase"].as_array().expect("a list");
        assert_eq!(
            by_phase.iter().map(|phase| number(&phase["time"])).sum::<f64>(),
            number(&run["phase_seconds"])
        );
        assert!(by_phase.iter().all(|phase| number(&phase["time"]) >= number(&phase["bound"])));
    }
    assert!(csv.contains("\nconfigured,1,3,3,0,0,0.25,0.5,1,0,3,"), "{csv}");
    // One thread gives the same result.
    workspace.succeed(&["simulate", "run.yaml", "--threads", "1", "--output-dir", "again"]);
    assert_eq!(workspace.text("again/simulation.csv"), csv);
}

/// Two ranks with the phases `ids`. `metadata` describes phases without records (repeated or skipped).
fn with_phases(ids: &[u64], metadata: &Value) -> Workspace {
    let workspace = workspace("");
    for rank in 0..2 {
        let tasks: Vec<Value> = (1..3).map(|id| task(packed(id, rank), rank, (id + rank) as f64)).collect();
        let phases: Vec<Value> = ids.iter().map(|id| serde_json::json!({"id": id, "tasks": tasks})).collect();
        let metadata = serde_json::json!({"type": "LBDatafile", "rank": rank, "phases": metadata});
        let file = serde_json::json!({"metadata": metadata, "phases": phases});
        workspace.write(&format!("set.{rank}.json"), file.to_string());
    }
    workspace
}

/// Returns the phases after which the run was balanced.
fn balanced_after(results: &Value) -> Vec<u64> {
    let by_phase = scenario(results, "configured")["by_phase"].as_array().expect("a list");
    let balanced = by_phase.windows(2).filter(|pair| !pair[1]["balancing"].is_null());
    balanced.map(|pair| pair[0]["phase"].as_u64().expect("a number")).collect()
}

/// Windows in vt's syntax. The first selects the phases within 3 of each multiple of 100, the second 195 to 205.
#[test]
fn schedules_are_windows_as_in_a_specification() {
    let ids: Vec<u64> = (95..=106).chain(192..=208).collect();
    let workspace = with_phases(&ids, &serde_json::json!({}));
    workspace.write("vt/windows.txt", "# as vt has it\n%100 -3 3\n200 -5 5\n");
    workspace.write("vt/balancers.txt", "%100 GreedyLB\n97 RotateLB\n200 NoLB\n");
    let balanced = |set: &str| {
        workspace.succeed(&["simulate", "run.yaml", "--set", set]);
        balanced_after(&workspace.json("out/simulation.json"))
    };
    let hundreds = [97, 98, 99, 100, 101, 102, 103, 197, 198, 199, 200, 201, 202, 203];
    let around: Vec<u64> = (195..=205).collect();
    assert_eq!(balanced("simulation.schedule.phases=\"%100 -3 3\""), hundreds);
    assert_eq!(balanced("simulation.schedule.phases=200 -5 5"), around);
    let both = [&hundreds[..7], &around].concat();
    assert_eq!(balanced("simulation.schedule.phases=[\"%100 -3 3\", 200 -5 5]"), both);
    assert_eq!(balanced("simulation.schedule.specification=vt/windows.txt"), both);
    // The line of phase 200 names NoLB. The balancers of the file replace the strategy of the run.
    workspace.write("lb.yaml", "algorithm: {lb_config: vt/balancers.txt}\n");
    workspace.succeed(&["simulate", "run.yaml", "lb.yaml"]);
    assert_eq!(balanced_after(&workspace.json("out/simulation.json")), [97, 100]);
    // A separate schedule adds no balancer to phases for which the file has none.
    workspace.succeed(&["simulate", "run.yaml", "lb.yaml", "--set", "simulation.schedule.every=100"]);
    let results = workspace.json("out/simulation.json");
    assert_eq!(balanced_after(&results), [100]);
    assert_eq!(scenario(&results, "configured")["n_skipped"], 1);
}

/// Phases 1 and 2 repeat phase 0, phases 3 and 20 to 22 were skipped, 4 is excluded, and 6 and 7 are missing.
#[test]
fn repeated_skipped_and_missing_phases_are_accounted_for() {
    let metadata = serde_json::json!({
        "identical_to_previous": {"list": [], "range": [[1, 2]]},
        "skipped": {"list": [3], "range": [[20, 22]]},
    });
    let workspace = with_phases(&[0, 4, 5, 8], &metadata);
    let said = workspace.succeed(&[
        "simulate",
        "run.yaml",
        "--set",
        "from_data.phase_ids=0-3, 5-30",
        "--set",
        "simulation.schedule.every=3",
    ]);
    for note in [
        "identical to an earlier phase and take the same time (2 phases: 1-2)",
        "phases were skipped when the data were recorded and are not in the run (4 phases: 3, 20-22)",
        "excluded by the configuration and are not in the run (1 phase: 4)",
        "are not recorded and are not in the run (2 phases: 6-7)",
        "the schedule selects phases that are not in the run, so the run is not balanced after them (2 phases: 3, 6)",
    ] {
        assert!(said.contains(note), "{note}: {said}");
    }
    let results = workspace.json("out/simulation.json");
    assert_eq!(results["coverage"]["simulated"], serde_json::json!({"count": 5, "phases": "0-2, 5, 8"}));
    assert_eq!(results["coverage"]["missing"], serde_json::json!({"count": 2, "phases": "6-7"}));
    // 5 * (2 + 3) s on the second rank
    assert_eq!(scenario(&results, "recorded")["total"], 25.0);
}

#[test]
fn the_break_even_of_balancing_is_reported() {
    let workspace = workspace("");
    let said = |costs: &str| {
        let costs = format!("simulation={{schedule: {{phases: 0}}, costs: {{strategy_seconds: {costs}}}}}");
        workspace.succeed(&["simulate", "run.yaml", "--set", &costs])
    };
    // Balancing saves 1 s in each of two phases.
    let break_even =
        || scenario(&workspace.json("out/simulation.json"), "configured")["break_even_after"].clone();
    assert!(said("0.5").contains("After 2 phases of the run, balancing had saved more time than it cost."));
    assert_eq!(break_even(), 2);
    assert!(said("1.5").contains("After 3 phases of the run, balancing had saved more time than it cost."));
    assert!(said("2").contains("Within 3 phases, balancing does not save more time than it costs."));
    assert_eq!(break_even(), Value::Null);
    let never = workspace.succeed(&["simulate", "run.yaml", "--set", "simulation.schedule=never"]);
    assert!(never.contains("The run is never balanced."), "{never}");
}

#[test]
fn charts_follow_the_configuration() {
    let workspace = workspace("simulation: {schedule: {phases: 0}, costs: {strategy_seconds: 0.25}}\n");
    let names = |set: &str, folder: &str| {
        workspace.succeed(&["simulate", "run.yaml", "--set", set, "--output-dir", folder]);
        let plots = workspace.path(folder).join("plots");
        if plots.exists() { workspace.names(&format!("{folder}/plots")).join(" ") } else { String::new() }
    };
    let all = "simulation_elapsed.csv simulation_elapsed.svg simulation_imbalance.csv simulation_imbalance.svg \
               simulation_parts.csv simulation_parts.svg simulation_times.csv simulation_times.svg";
    assert_eq!(names("plots={formats: [svg]}", "all"), all);
    assert_eq!(names("plots=none", "none"), "");
    assert_eq!(
        names("plots={formats: [png], charts: [simulation_parts, rank_loads]}", "one"),
        "simulation_parts.csv simulation_parts.png"
    );
    // Each phase takes 4 s without balancing, 3 s after it. The strategy takes 0.25 s, migrations take no time.
    insta::assert_snapshot!(workspace.text("all/plots/simulation_parts.csv"), @r"
    pile,phases_s,strategy_s
    as recorded,12,0
    never,12,0
    as configured,10,0.25
    perfect,10,0
    ");
    insta::assert_snapshot!(workspace.text("all/plots/simulation_elapsed.csv"), @r"
    phases done,as recorded_s,never_s,perfect_s,as configured_s,lower bound_s
    0,0,0,0,0,0
    1,4,4,4,4,3
    2,8,8,7,7.25,6
    3,12,12,10,10.25,9
    ");
    // `lbaf run` has none of these charts and reports this.
    workspace.succeed(&["run", "run.yaml", "--set", "plots={charts: [simulation_times]}"]);
    let notes = workspace.json("out/summary.json")["notes"].clone();
    let note = "charts of simulations, which `lbaf simulate` draws: simulation_times";
    assert_eq!(notes, serde_json::json!([note]));
}

/// Regression: a simulation did not report that it draws no charts of runs.
#[test]
fn charts_of_runs_are_reported_by_simulations() {
    let workspace = workspace("simulation: {schedule: {phases: 0}}\n");
    let said =
        workspace.succeed(&["simulate", "run.yaml", "--set", "plots={charts: [rank_loads, load_histogram]}"]);
    let note = "charts of runs, which `lbaf run` draws: rank_loads, load_histogram";
    assert!(said.contains(&format!("\n{note}\n")), "{said}");
    let notes = workspace.json("out/simulation.json")["notes"].clone();
    assert!(notes.as_array().is_some_and(|notes| notes.contains(&note.into())), "{notes}");
}

/// Scenarios and load models are computed in parallel, but added in a fixed order.
#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/machine/data");
    let workspace = Workspace::new();
    let configuration = format!(
        "from_data: {{data_stem: {}}}\nalgorithm: {{name: GreedyRefine}}\nplots: {{formats: [svg]}}\n\
         simulation: {{schedule: {{every: 2}}, load_model: {{name: LinearModel, n: 3}}, \
         costs: {{message_latency: 1.0e-6, bandwidth: 1.0e+9}}}}\noutput_dir: out\n",
        data.display()
    );
    workspace.write("run.yaml", configuration);
    let files = ["1", "2", "5"].map(|threads| {
        workspace.succeed(&["simulate", "run.yaml", "-q", "--threads", threads]);
        workspace.files("out")
    });
    let [one, two, five] = &files;
    // Results, two tables, and four charts with their numbers.
    assert_eq!(one.len(), 3 + 2 * 4, "{:?}", one.keys());
    assert!(one == two && one == five);
}

/// Loads are the same in all phases, so every prediction is exact.
#[test]
fn load_models_are_examined_unless_disabled() {
    let workspace = workspace("simulation: {load_model: {name: MultiplePhases, n: 2}}\n");
    workspace.succeed(&["simulate", "run.yaml"]);
    insta::assert_snapshot!(workspace.text("out/load_models.csv"), @r"
    load_model,horizon,phases,predictions,unpredicted,mean_error,bias,rank_correlation,imbalance,imbalance_known,imbalance_lost
    NaivePersistence,1,2,8,0,0,0,1,0,0,0
    NaivePersistence,2,1,4,0,0,0,1,0,0,0
    PersistenceMedianLastN n=5,1,2,8,0,0,0,1,0,0,0
    PersistenceMedianLastN n=5,2,1,4,0,0,0,1,0,0,0
    LinearModel n=5,1,2,8,0,0,0,1,0,0,0
    LinearModel n=5,2,1,4,0,0,0,1,0,0,0
    ");
    let results = workspace.json("out/simulation.json");
    assert_eq!(results["load_models"]["phases"], serde_json::json!([1, 2]));
    let report = "simulation.report={load_models: [], horizons: [2], max_phases: 1, balance: none}";
    workspace.succeed(&["simulate", "run.yaml", "--set", report, "--output-dir", "little"]);
    insta::assert_snapshot!(workspace.text("little/load_models.csv"), @r"
    load_model,horizon,phases,predictions,unpredicted,mean_error,bias,rank_correlation,imbalance,imbalance_known,imbalance_lost
    NaivePersistence,2,1,4,0,0,0,1,,,
    ");
    workspace.succeed(&["simulate", "run.yaml", "--set", "simulation.report=none", "--output-dir", "none"]);
    assert_eq!(workspace.json("none/simulation.json")["load_models"], Value::Null);
    assert!(!workspace.path("none/load_models.csv").exists());
}

/// Regression: for phases 0 and 2, the horizons included a distance of 1.
#[test]
fn horizons_are_multiples_of_the_distance_between_phases() {
    let workspace = workspace("");
    workspace.succeed(&["simulate", "run.yaml", "--phases", "0,2"]);
    let csv = workspace.text("out/load_models.csv");
    let horizons: Vec<&str> = csv.lines().skip(1).filter_map(|row| row.split(',').nth(1)).collect();
    assert_eq!(horizons, ["2"; 3], "{csv}");
}

/// With a time limit of 0 the strategy moves nothing. Regression: simulations ignored time limits of strategies.
#[test]
fn time_limits_apply() {
    let workspace = workspace("simulation: {schedule: {every: 1}}\n");
    let migrations = |parameters: &str| {
        let algorithm = format!("algorithm={{name: LocalSearch, parameters: {parameters}}}");
        workspace.succeed(&["simulate", "run.yaml", "--set", &algorithm]);
        scenario(&workspace.json("out/simulation.json"), "configured")["n_migrations"].as_u64()
    };
    assert!(migrations("{}") > Some(0));
    assert_eq!(migrations("{time_limit: 0}"), Some(0));
}

/// With perfect knowledge balancing has no cost, so the adaptive schedule balances at once.
/// In the scenario `configured`, the first balancing is assumed to cost 1000 s, more than waiting in the whole run.
#[test]
fn perfect_knowledge_balances_immediately() {
    let workspace = workspace("simulation: {schedule: {adaptive: 1000}}\n");
    workspace.succeed(&["simulate", "run.yaml"]);
    let results = workspace.json("out/simulation.json");
    let n_balancings = |name: &str| scenario(&results, name)["n_balancings"].as_u64();
    assert_eq!(n_balancings("configured"), Some(0));
    assert!(n_balancings("perfect") > Some(0));
}

/// Short forms are single words. Regression: their letter case and underscores had to match exactly.
#[test]
fn short_forms_are_accepted_in_any_spelling() {
    let workspace = workspace("");
    let section = "simulation={load_model: naive_persistence, costs: {strategy_seconds: Measured}, \
                   report: {load_models: [{name: naive_persistence}]}}";
    workspace.succeed(&["simulate", "run.yaml", "--set", section]);
    let examined = &workspace.json("out/simulation.json")["load_models"]["load_models"];
    assert_eq!(examined.as_array().map(Vec::len), Some(1));
    assert_eq!(examined[0]["load_model"], "NaivePersistence");
}

/// Regression: charts and tables of the previous simulation remained and looked like outputs of the new one.
#[test]
fn outputs_that_are_not_written_again_are_removed() {
    let workspace = workspace("simulation: {schedule: {every: 1}}\n");
    workspace.succeed(&["simulate", "run.yaml", "--set", "plots={formats: [svg]}"]);
    workspace.write("out/plots/mine.svg", "mine");
    let csv = workspace.text("out/simulation.csv");
    workspace.succeed(&["simulate", "run.yaml", "--set", "simulation.report=none", "--set", "plots=none"]);
    assert_eq!(workspace.names("out"), ["plots/mine.svg", "simulation.csv", "simulation.json"]);
    let outputs = &workspace.json("out/simulation.json")["outputs"];
    assert_eq!(outputs["simulation.csv"]["bytes"], csv.len());
}

/// On each rank, the load of one object, of collection 7, grows by 1 s in each phase.
#[test]
fn collections_have_separate_load_models() {
    let workspace = workspace("");
    for rank in 0..2 {
        let phase = |id: u64| {
            let task = |number: u64| {
                let load = if number == 1 { (1 + id) as f64 } else { 4.0 };
                let mut task = task(packed(number, rank), rank, load);
                task["entity"]["collection_id"] = if number == 1 { 7 } else { 8 }.into();
                task
            };
            serde_json::json!({"id": id, "tasks": [task(1), task(2)]})
        };
        let phases: Vec<Value> = (0..4).map(phase).collect();
        let metadata = serde_json::json!({"type": "LBDatafile", "rank": rank});
        let file = serde_json::json!({"metadata": metadata, "phases": phases});
        workspace.write(&format!("set.{rank}.json"), file.to_string());
    }
    let model = "{name: PerCollection, collections: {7: {name: LinearModel, n: 2}, 9: NaivePersistence}}";
    let section = format!("simulation={{load_model: {model}, report: {{load_models: [], max_phases: 2}}}}");
    let said = workspace.succeed(&["simulate", "run.yaml", "--set", &section]);
    assert!(said.contains("load models name collections without objects: 9\n"), "{said}");
    let results = workspace.json("out/simulation.json");
    let examined = &results["load_models"]["load_models"][0];
    assert_eq!(
        examined["load_model"],
        "PerCollection 7=(LinearModel n=2) 9=(NaivePersistence) default=(NaivePersistence)"
    );
    // Phases 1 and 2 determine a line, so the predictions of phase 3 are exact.
    // Phase 0 determines no line, so in phase 1 the growing object of each rank has a relative error of 0.5.
    assert_eq!(results["load_models"]["phases"], serde_json::json!([1, 3]));
    assert_eq!(examined["horizons"][0]["mean_error"], 0.5 * 2.0 / 8.0);
}

/// Balancing after every phase with the loads of that phase equals `placement: carry`, phase by phase.
#[test]
fn naive_balancing_after_every_phase_equals_a_replay() {
    let Some(workspace) = peers::peer(peers::EIGHT_COLOURS) else { return };
    let more = "work_model: {name: LoadOnly}\nalgorithm: {name: GreedyLB, phase_id: all, placement: carry}";
    workspace.write("nolb.yaml", peers::configuration(peers::EIGHT_COLOURS, more));
    workspace.succeed(&["run", "nolb.yaml", "-q"]);
    workspace.succeed(&["simulate", "nolb.yaml", "-q"]);
    let replayed = workspace.json("out/summary.json");
    let simulated = workspace.json("out/simulation.json");
    let phases = replayed["phases"].as_array().expect("a list");
    let by_phase = scenario(&simulated, "configured")["by_phase"].as_array().expect("a list");
    assert_eq!(phases.len(), by_phase.len());
    // The result of balancing after a phase is the start of the next one.
    for (replayed, next) in phases.iter().zip(&by_phase[1..]) {
        for (when, key) in [("before", "predicted_imbalance_before"), ("after", "predicted_imbalance_after")]
        {
            assert_eq!(replayed[when]["load"]["imbalance"], next["balancing"][key], "{when}");
        }
    }
}
