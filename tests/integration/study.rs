// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf study`: grids of runs, kept, resumed, merged, and reported.

mod compared;
mod interrupted;
mod looks;
mod published;
mod shared;
mod wrong;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::workspace::Workspace;

/// Study of a few competitors and seeds on synthetic data that are small enough for a debug build.
const STUDY: &str = "
configuration:
  from_samplers:
    n_ranks: 8
    n_objects: 120
    n_mapped_ranks: 3
    communication_degree: 0
    load_sampler: {name: uniform, parameters: [0.5, 1.5]}
    volume_sampler: {name: uniform, parameters: [0, 1]}
  algorithm: {name: TemperedLB, parameters: {iters: 3}}
axes:
  from_samplers.n_objects: [120, 60]
  strategy:
    LPT: {algorithm: {name: LPT}}
    Tempered: {}
    two rounds: {algorithm: {parameters: {knowledge: UserDefined, fanout: 2, rounds: 2}}}
  seed: 0-4
output_dir: out
plots: none
";

fn workspace(study: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.write("study.yaml", study);
    workspace
}

/// Returns all outputs of a study except clock times.
fn outputs(workspace: &Workspace, directory: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files = workspace.files(directory);
    files.retain(|name, _| !name.starts_with("timings"));
    files
}

/// Returns the rows of a table by column name.
pub(crate) fn rows(csv: &str) -> Vec<BTreeMap<String, String>> {
    let mut lines = csv.lines();
    let heads: Vec<&str> = lines.next().expect("a line of names").split(',').collect();
    let row = |line: &str| {
        heads.iter().map(|&head| head.to_owned()).zip(line.split(',').map(str::to_owned)).collect()
    };
    lines.map(row).collect()
}

/// Each cell equals `lbaf run` of the same configuration.
#[test]
fn cells_are_runs() {
    let workspace = workspace(STUDY);
    workspace.succeed(&["study", "study.yaml"]);
    let cells = rows(&workspace.text("out/cells.csv"));
    assert_eq!(cells.len(), 2 * 3 * 5);
    workspace.write(
        "run.yaml",
        "from_samplers: {n_ranks: 8, n_objects: 60, n_mapped_ranks: 3, communication_degree: 0, load_sampler: {name: \
         uniform, parameters: [0.5, 1.5]}, volume_sampler: {name: uniform, parameters: [0, 1]}}\nalgorithm: {name: \
         TemperedLB, parameters: {iters: 3, knowledge: UserDefined, fanout: 2, rounds: 2}}\nseed: 3\nplots: none\n\
         output_dir: run\n",
    );
    workspace.succeed(&["run", "run.yaml"]);
    let summary = workspace.json("run/summary.json");
    let phase = &summary["phases"][0];
    let cell = cells
        .iter()
        .find(|cell| {
            (&*cell["from_samplers.n_objects"], &*cell["strategy"], &*cell["seed"])
                == ("60", "two rounds", "3")
        })
        .expect("it is in the grid");
    for (column, expected) in [
        ("load_imbalance_before", &phase["before"]["load"]["imbalance"]),
        ("load_imbalance", &phase["after"]["load"]["imbalance"]),
        ("max_work", &phase["after"]["work"]["max"]),
        ("lower_bound", &phase["lower_bound"]["work"]),
        ("migrations", &phase["migrations"]["count"]),
    ] {
        assert_eq!(cell[column].parse::<f64>().ok(), expected.as_f64(), "{column}");
    }
    assert_eq!(cell["balanced_by"], "TemperedLB");
    let iterations = rows(&workspace.text("out/iterations.csv"));
    let of_cell: Vec<&str> = iterations
        .iter()
        .filter(|row| row["cell"] == cell["cell"])
        .map(|row| &*row["load_imbalance"])
        .collect();
    let in_run = phase["iterations"].as_array().expect("a list");
    assert_eq!(of_cell.len(), 1 + in_run.len());
    assert_eq!(
        of_cell.last().and_then(|last| last.parse::<f64>().ok()),
        in_run.last().and_then(|last| last["load_imbalance"].as_f64())
    );
}

/// Recomputes medians and their intervals from the table of cells, by sorting.
#[test]
fn medians_are_those_of_cells() {
    let workspace = workspace(STUDY);
    let said = workspace.succeed(&["study", "study.yaml"]);
    let of_group = |row: &BTreeMap<String, String>| {
        row["from_samplers.n_objects"] == "120" && row["strategy"] == "Tempered"
    };
    let cells = rows(&workspace.text("out/cells.csv"));
    let mut values: Vec<f64> = cells
        .iter()
        .filter(|row| of_group(row))
        .map(|row| row["load_imbalance"].parse().expect("a number"))
        .collect();
    values.sort_by(f64::total_cmp);
    let medians = rows(&workspace.text("out/medians.csv"));
    let median = medians
        .iter()
        .find(|row| {
            (&*row["from_samplers.n_objects"], &*row["competitor"], &*row["quantity"])
                == ("120", "Tempered", "load_imbalance")
        })
        .expect("it is among them");
    // With five values, the interval is the whole range, with a confidence of 1 - 2/32.
    for (column, expected) in
        [("median", values[2]), ("low", values[0]), ("high", values[4]), ("confidence", 0.9375)]
    {
        let found: f64 = median[column].parse().expect("a number");
        assert!((found - expected).abs() < 1e-12, "{column}: {found}, not {expected}");
    }
    // Places by the medians of each problem.
    let objective = |problem: &str, competitor: &str| -> f64 {
        let row = medians.iter().find(|row| {
            (&*row["from_samplers.n_objects"], &*row["competitor"], &*row["quantity"])
                == (problem, competitor, "max_work")
        });
        row.expect("it is among them")["median"].parse().expect("a number")
    };
    let competitors = ["LPT", "Tempered", "two rounds"];
    for (row, competitor) in rows(&workspace.text("out/ranking.csv")).iter().zip(competitors) {
        let place = |problem| {
            let own = objective(problem, competitor);
            let n = |is: &dyn Fn(f64) -> bool| {
                competitors.iter().filter(|other| is(objective(problem, other))).count() as f64
            };
            // Equal values share the mean of their places.
            1.0 + n(&|other| other < own) + (n(&|other| other == own) - 1.0) / 2.0
        };
        let places = [place("120"), place("60")];
        assert_eq!(row["competitor"], competitor);
        assert_eq!(row["mean_place"].parse(), Ok(places.iter().sum::<f64>() / 2.0), "{competitor}");
        assert_eq!(
            row["wins"].parse(),
            Ok(places.iter().filter(|place| **place == 1.0).count()),
            "{competitor}"
        );
    }
    assert!(said.contains("30 cells over from_samplers.n_objects (2), strategy (3), seed (5)"), "{said}");
    let summary = workspace.json("out/study.json");
    let roles: Vec<&Value> =
        summary["axes"].as_array().expect("a list").iter().map(|axis| &axis["role"]).collect();
    assert_eq!(roles, ["problem", "competitor", "repetition"]);
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let workspace = workspace(STUDY);
    workspace.succeed(&["study", "study.yaml"]);
    workspace.succeed(&["study", "study.yaml", "--threads", "1", "--output-dir", "again"]);
    assert_eq!(outputs(&workspace, "out"), outputs(&workspace, "again"));
}

/// Charts and tables are drawn, and removed if a changed study no longer has them.
#[test]
fn charts_and_tables_match_the_study() {
    let workspace = workspace(&STUDY.replace("plots: none", "plots: {formats: [svg]}"));
    workspace.succeed(&["study", "study.yaml"]);
    let names = workspace.names("out");
    for name in [
        "plots/load_imbalance.svg",
        "plots/front_n_objects_120.svg",
        "plots/iterations_transfers_n_objects_60.csv",
    ] {
        assert!(names.iter().any(|other| other == name), "{name} is not among {names:?}");
    }
    for name in [
        "tables/medians_n_objects_60.tex",
        "tables/iterations_n_objects_120.md",
        "tables/objective.tex",
        "tables/ranking.md",
    ] {
        assert!(names.iter().any(|other| other == name), "{name} is not among {names:?}");
    }
    let one = STUDY
        .replace("[120, 60]", "[120]")
        .replace("plots: none", "report: {quantities: [max_load]}\nplots: none");
    workspace.write("study.yaml", one);
    let said = workspace.succeed(&["study", "study.yaml"]);
    assert!(said.contains("15 of them were computed before"), "{said}");
    let names: Vec<String> = workspace.names("out").into_iter().filter(|name| name.contains('/')).collect();
    let shown: Vec<&str> = names
        .iter()
        .map(String::as_str)
        .filter(|name| name.starts_with("plots") || name.starts_with("tables"))
        .collect();
    assert_eq!(shown, ["tables/medians.md", "tables/medians.tex"]);
}

/// Regression: fronts were drawn in fractions with labels in percent.
#[test]
fn fronts_are_drawn_in_the_units_of_their_axes() {
    let shown = "report: {objective: above_bound}\nplots: {formats: [svg]}";
    let workspace = workspace(&STUDY.replace("[120, 60]", "[60]").replace("plots: none", shown));
    workspace.succeed(&["study", "study.yaml"]);
    let point = |row: &BTreeMap<String, String>, percents: f64| {
        let number = |name: &str| row[name].parse::<f64>().expect("a number");
        ((percents * number("above_bound") * 1e6).round(), number("migrations"))
    };
    let mut expected: Vec<_> =
        rows(&workspace.text("out/front.csv")).iter().map(|row| point(row, 100.0)).collect();
    let drawn = workspace.text("out/plots/front.csv").replace("above bound", "above_bound");
    let mut drawn: Vec<_> = rows(&drawn).iter().map(|row| point(row, 1.0)).collect();
    for points in [&mut expected, &mut drawn] {
        points.sort_by(|one, other| one.partial_cmp(other).expect("numbers"));
    }
    assert_eq!(drawn.len(), 3);
    assert_eq!(drawn, expected);
    assert!(workspace.text("out/plots/front.svg").contains("above bound (%)"));
}

/// Cells are simulations of whole runs and equal `lbaf simulate` of the same configuration.
#[test]
fn cells_are_simulations() {
    let study = "
command: simulate
configuration:
  from_samplers:
    n_ranks: 4
    n_objects: 40
    n_mapped_ranks: 2
    communication_degree: 0
    load_sampler: {name: uniform, parameters: [0.5, 1.5]}
    volume_sampler: {name: uniform, parameters: [0, 1]}
    n_phases: 6
    drift: 0.1
  algorithm: {name: LPT}
  simulation: {costs: {strategy_seconds: 0.25}, machine: {lost: [{rank: 1, from_phase: 3}]}}
axes:
  schedule:
    never: {simulation: {schedule: never}}
    always: {simulation: {schedule: {every: 1}}}
  simulation.machine.n_ranks: [4, 8]
  seed: [0, 1]
output_dir: out
plots: {formats: [svg]}
";
    let workspace = workspace(study);
    workspace.succeed(&["study", "study.yaml"]);
    let cells = rows(&workspace.text("out/cells.csv"));
    assert_eq!(cells.len(), 8);
    let cell = &cells[7];
    assert_eq!(
        (&*cell["schedule"], &*cell["simulation.machine.n_ranks"], &*cell["seed"]),
        ("always", "8", "1")
    );
    let configuration = study.split_once("configuration:").expect("it is there").1;
    let configuration = configuration.split_once("axes:").expect("it is there").0.replace("\n  ", "\n");
    workspace.write("run.yaml", format!("{configuration}seed: 1\noutput_dir: run\nplots: none\n"));
    workspace.succeed(&[
        "simulate",
        "run.yaml",
        "--set",
        "simulation.schedule={every: 1}",
        "--set",
        "simulation.machine.n_ranks=8",
    ]);
    let results = workspace.json("run/simulation.json");
    let scenario = |name: &str| {
        let runs = results["runs"].as_array().expect("a list");
        runs.iter().find(|run| run["scenario"] == name).expect("it is among them")
    };
    let simulated = scenario("configured");
    for (column, expected) in [
        ("total", &simulated["total"]),
        ("strategy_seconds", &simulated["strategy_seconds"]),
        ("bound", &simulated["bound"]),
        ("speedup", &simulated["speedup"]),
        ("migrations", &simulated["n_migrations"]),
        ("never", &scenario("never")["total"]),
        ("perfect", &scenario("perfect")["total"]),
    ] {
        assert_eq!(cell[column].parse::<f64>().ok(), expected.as_f64(), "{column}");
    }
    let phases = rows(&workspace.text("out/phases.csv"));
    let number = |row: &BTreeMap<String, String>, column: &str| row[column].parse::<f64>().expect("a number");
    for (number_of_cell, cell) in cells.iter().enumerate() {
        let of_cell = |row: &&BTreeMap<String, String>| row["cell"] == number_of_cell.to_string();
        assert_eq!(phases.iter().filter(of_cell).count(), 6);
        for (column, of_phase) in [
            ("phase_seconds", "time"),
            ("migration_seconds", "migration_seconds"),
            ("migrations", "migrations"),
            ("evacuated", "evacuated"),
        ] {
            let sum: f64 = phases.iter().filter(of_cell).map(|row| number(row, of_phase)).sum();
            assert!((sum - number(cell, column)).abs() < 1e-9, "{column}: {sum}");
        }
    }
    // A cell without balancing has no balancer, although its objects leave the lost rank too.
    assert_eq!((&*cells[0]["balanced_by"], &*cell["balanced_by"]), ("", "LPT"));
    assert!(number(&cells[0], "evacuated") > 0.0 && number(&cells[0], "migrations") == 0.0);
    // The time of strategies is assumed; only whole cells have clock times.
    let timings = rows(&workspace.text("out/timings.csv"));
    assert_eq!((timings.len(), &*timings[7]["strategy_seconds"]), (8, ""));
    assert!(number(&timings[7], "cell_seconds") > 0.0);
    assert!(!workspace.path("out/timings_front.csv").exists());
    // The ranking compares the two schedules over both numbers of ranks.
    assert_eq!(rows(&workspace.text("out/ranking.csv")).len(), 2);
    let names = workspace.names("out");
    for name in ["plots/total.svg", "plots/phases_time_n_ranks_8.svg", "tables/medians_n_ranks_4.tex"] {
        assert!(names.iter().any(|other| other == name), "{name} is not among {names:?}");
    }
    // Measured times of strategies must not enter kept cells.
    workspace.write("study.yaml", study.replace("strategy_seconds: 0.25", "strategy_seconds: measured"));
    let said = workspace.fail(&["study", "study.yaml", "--quiet"], 1);
    assert!(
        said.contains("simulation.costs.strategy_seconds: measured times of strategies differ"),
        "{said}"
    );
}
