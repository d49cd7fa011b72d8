// SPDX-License-Identifier: MIT OR Apache-2.0
//! Competitors on one problem: a common bound, the objective that was optimized, and marks of competitors that
//! are worse or fail.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::rows;
use crate::peers;
use crate::vom::{one_phase, packed, task};
use crate::workspace::Workspace;

/// Returns an object with a load, in a block of 100 bytes whose home is rank 0, or without a block.
fn object(id: u64, load: f64, block: Option<u64>) -> Value {
    let mut object = task(packed(id, 0), 0, load);
    object["user_defined"] = match block {
        Some(block) => {
            json!({"shared_id": block, "shared_bytes": 100.0, "home_rank": 0, "task_footprint_bytes": 10.0})
        }
        None => json!({"task_footprint_bytes": 10.0}),
    };
    object
}

/// Returns a workspace with all objects on the first of several ranks, and a study of them.
fn workspace(n_ranks: u64, objects: &[Value], study: &str) -> Workspace {
    let workspace = Workspace::new();
    for rank in 0..n_ranks {
        let here = if rank == 0 { objects } else { &[] };
        workspace.write(&format!("set.{rank}.json"), one_phase(rank, here, &[]));
    }
    workspace.write("study.yaml", study);
    workspace
}

/// Returns the row of a table with these values.
#[track_caller]
fn row<'r>(rows: &'r [BTreeMap<String, String>], having: &[(&str, &str)]) -> &'r BTreeMap<String, String> {
    let found = rows.iter().find(|row| having.iter().all(|(column, value)| row[*column] == *value));
    found.unwrap_or_else(|| panic!("no row has {having:?}"))
}

#[track_caller]
fn number(row: &BTreeMap<String, String>, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column} of {row:?} is no number"))
}

/// Returns the cells of a row of a Markdown table.
#[track_caller]
fn markdown(table: &str, name: &str) -> Vec<String> {
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<String>>();
    let found = table.lines().map(cells).find(|cells| cells.get(1).is_some_and(|first| first == name));
    found.unwrap_or_else(|| panic!("there is no row {name} in {table}"))
}

/// Rank 0 of two has three objects of a block and one object without, of 2 s each.
/// A block away from home costs 100 * 0.1 = 10.
/// Maximum work: 4 * 2 = 8 at the start, 2 + 2 + 10 = 14 if two objects move by load alone, and 3 * 2 = 6 at the
/// optimum, where only the object without a block moves.
const HOMING: &str = "
configuration:
  from_data: {data_stem: set}
  work_model: {name: CCM, parameters: {beta: 0.0, delta: 0.1}}
axes:
  strategy:
    Greedy: {algorithm: {name: Greedy}}
    LocalSearch: {algorithm: {name: LocalSearch}}
    exact: {algorithm: {name: BruteForce}}
output_dir: out
plots: {formats: [svg]}
";

fn homing() -> Workspace {
    let objects =
        [object(1, 2.0, Some(5)), object(2, 2.0, Some(5)), object(3, 2.0, Some(5)), object(4, 2.0, None)];
    workspace(2, &objects, HOMING)
}

#[test]
fn the_winner_has_the_least_maximum_work_if_homing_costs_more_than_imbalance() {
    let workspace = homing();
    let said = workspace.succeed(&["study", "study.yaml"]);
    let cells = rows(&workspace.text("out/cells.csv"));
    let of = |competitor: &str, column: &str| number(row(&cells, &[("strategy", competitor)]), column);
    let both = |competitor: &str| (of(competitor, "load_imbalance"), of(competitor, "max_work"));
    assert_eq!([both("Greedy"), both("LocalSearch"), both("exact")], [(0.0, 14.0), (0.5, 6.0), (0.5, 6.0)]);
    // 100 bytes are away from home.
    assert_eq!(["Greedy", "LocalSearch", "exact"].map(|name| of(name, "homing_bytes")), [100.0, 0.0, 0.0]);
    // Only `exact` proves that 6 is optimal; the gaps of all competitors refer to 6.
    for (competitor, above) in [("Greedy", 14.0 / 6.0 - 1.0), ("LocalSearch", 0.0), ("exact", 0.0)] {
        assert_eq!(of(competitor, "lower_bound"), 6.0, "{competitor}");
        assert!((of(competitor, "above_bound") - above).abs() < 1e-12, "{competitor}");
    }
    let ranking = rows(&workspace.text("out/ranking.csv"));
    let place = |competitor: &str| {
        let row = row(&ranking, &[("competitor", competitor)]);
        ["mean_place", "wins", "worse_than_start", "failed"].map(|column| number(row, column))
    };
    assert_eq!(place("LocalSearch"), [1.5, 1.0, 0.0, 0.0]);
    assert_eq!(place("Greedy"), [3.0, 0.0, 1.0, 0.0]);
    assert_eq!(workspace.json("out/study.json")["objective"], "max_work");
    assert!(said.contains("Places by max work: 1.5 LocalSearch; 1.5 exact; 3 Greedy*\n"), "{said}");
    // Greedy is worse than the start, which has a maximum work of 8.
    assert!(said.contains("* Worse than the start by the median of max work.\n"), "{said}");
}

#[test]
fn competitors_worse_than_the_start_are_marked_in_every_table() {
    let workspace = homing();
    workspace.succeed(&["study", "study.yaml"]);
    let medians = rows(&workspace.text("out/medians.csv"));
    let is_worse = |competitor: &str, quantity: &str| {
        &*row(&medians, &[("competitor", competitor), ("quantity", quantity)])["worse_than_start"]
    };
    assert_eq!(is_worse("Greedy", "max_work"), "true");
    assert_eq!(is_worse("Greedy", "load_imbalance"), "false");
    assert_eq!(is_worse("LocalSearch", "max_work"), "false");
    // The start has no migrations.
    assert_eq!(is_worse("Greedy", "migrations"), "");
    let fronts = rows(&workspace.text("out/front.csv"));
    assert_eq!(row(&fronts, &[("competitor", "Greedy")])["worse_than_start"], "true");
    let table = workspace.text("out/tables/medians.md");
    assert_eq!(markdown(&table, "Greedy\\*")[2..5], ["14.0", "133", "**0**"]);
    assert_eq!(markdown(&table, "LocalSearch")[2..5], ["**6.00**", "**0**", "0.500"]);
    assert!(table.contains("\\* Worse than the start by the median of max work."), "{table}");
    let latex = workspace.text("out/tables/medians.tex");
    assert!(latex.contains("Greedy*") && latex.contains("* Worse than the start"), "{latex}");
}

/// Four objects of one block, 3 s each: the whole block takes 12 s, one object on each of four ranks 3 s.
#[test]
fn gaps_do_not_refer_to_a_bound_for_whole_blocks() {
    let objects = [1, 2, 3, 4].map(|id| object(id, 3.0, Some(5)));
    let study = "
configuration:
  from_data: {data_stem: set}
  work_model: {name: CCM, parameters: {beta: 0.0, delta: 0.0}}
axes:
  strategy:
    CCM-LB: {algorithm: {name: TemperedLB, parameters: {transfer: SwapClusters}}}
    LocalSearch: {algorithm: {name: LocalSearch}}
output_dir: out
plots: none
report: {quantities: [max_work, above_bound, whole_blocks_bound]}
";
    let workspace = workspace(4, &objects, study);
    workspace.succeed(&["study", "study.yaml"]);
    let cells = rows(&workspace.text("out/cells.csv"));
    let of = |competitor: &str| {
        let row = row(&cells, &[("strategy", competitor)]);
        ["max_work", "lower_bound", "above_bound", "whole_blocks_bound"].map(|column| row[column].clone())
    };
    assert_eq!(of("CCM-LB"), ["12.0", "3.0", "3.0", "12.0"]);
    assert_eq!(of("LocalSearch"), ["3.0", "3.0", "0.0", ""]);
    let table = workspace.text("out/tables/medians.md");
    assert_eq!(markdown(&table, "LocalSearch")[2..4], ["**3.00**", "**0**"]);
    assert_eq!(markdown(&table, "CCM-LB")[2..4], ["12.0", "300"]);
    let apart = "CCM-LB keeps blocks whole; the max work of such placements is at least 12 s.";
    assert!(table.contains(apart) && !table.contains("LocalSearch keeps"), "{table}");
}

/// Each work model has its own bound: 4 * 3 / 2 ranks = 6, or 12 with `alpha: 2`.
#[test]
fn competitors_with_different_work_models_share_no_bound() {
    let objects = [1, 2, 3, 4].map(|id| object(id, 3.0, None));
    let study = "
configuration: {from_data: {data_stem: set}}
axes:
  model:
    once: {algorithm: {name: LPT}, work_model: {name: AffineCombination, parameters: {alpha: 1.0}}}
    twice: {algorithm: {name: LPT}, work_model: {name: AffineCombination, parameters: {alpha: 2.0}}}
    twice again: {algorithm: {name: PhaseStepper}, work_model: {name: AffineCombination, parameters: {alpha: 2.0}}}
output_dir: out
plots: none
";
    let workspace = workspace(2, &objects, study);
    workspace.succeed(&["study", "study.yaml"]);
    let cells = rows(&workspace.text("out/cells.csv"));
    let of = |model: &str| {
        ["lower_bound", "above_bound"].map(|column| number(row(&cells, &[("model", model)]), column))
    };
    assert_eq!([of("once"), of("twice"), of("twice again")], [[6.0, 0.0], [12.0, 0.0], [12.0, 1.0]]);
    let said = workspace.json("out/study.json")["notes"].to_string();
    assert!(said.contains("ranked by max work, but their work models differ"), "{said}");
}

/// Arguments of a balancer define the work model if `work_model` does not.
/// CCM costs 2 per second here, so the bound of 12 s on two ranks is 12 * 2 / 2; for load alone, it is 12 / 2.
#[test]
fn arguments_that_define_the_work_model_share_no_bound_with_others() {
    let objects = [1, 2, 3, 4].map(|id| object(id, 3.0, Some(id)));
    let study = "
configuration: {from_data: {data_stem: set}}
axes:
  strategy:
    CCM: {algorithm: {name: TemperedLB, parameters: {transfer: SwapClusters, alpha: 2.0}}}
    LPT: {algorithm: {name: LPT}}
output_dir: out
plots: none
";
    let workspace = workspace(2, &objects, study);
    workspace.succeed(&["study", "study.yaml"]);
    let cells = rows(&workspace.text("out/cells.csv"));
    let bound = |name: &str| number(row(&cells, &[("strategy", name)]), "lower_bound");
    assert_eq!([bound("CCM"), bound("LPT")], [12.0, 6.0]);
}

/// The number of ranks may differ because a file is missing.
#[test]
fn another_number_of_ranks_than_expected_is_a_warning_of_the_study() {
    let study = "
configuration: {from_data: {data_stem: set, expected_ranks: 4}, algorithm: {name: LPT}}
axes: {phases: {all: {from_data: {phase_ids: all}}}}
output_dir: out
plots: none
";
    let workspace = workspace(3, &[object(1, 1.0, None)], study);
    let said = workspace.lbaf(&["study", "study.yaml"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let summary = workspace.json("out/study.json");
    let warnings = summary["warnings"].as_object().expect("an object");
    assert!(
        warnings.keys().any(|warning| warning.contains("`from_data.expected_ranks` is 4")),
        "{warnings:?}"
    );
}

/// Rank 0 has 60 bytes, above its upper bound of 35. Infeasible placements have no gap to
/// the lower bound of feasible placements.
#[test]
fn infeasible_results_have_no_gap_if_others_are_feasible() {
    let objects = [1, 2, 3, 4, 5, 6].map(|id| object(id, 1.0, None));
    let study = "
configuration:
  from_data: {data_stem: set}
  work_model: {name: AffineCombination, parameters: {upper_bounds: {max_memory_usage: 35.0}}}
axes:
  strategy: {kept: {algorithm: {name: PhaseStepper}}, LPT: {algorithm: {name: LPT}}}
output_dir: out
plots: none
";
    let workspace = workspace(2, &objects, study);
    workspace.succeed(&["study", "study.yaml"]);
    let cells = rows(&workspace.text("out/cells.csv"));
    let of = |competitor: &str| {
        let row = row(&cells, &[("strategy", competitor)]);
        ["max_work", "ranks_over_bounds", "lower_bound", "above_bound"].map(|column| row[column].clone())
    };
    assert_eq!(of("kept"), ["6.0", "1", "", ""]);
    assert_eq!(of("LPT"), ["3.0", "0", "3.0", "0.0"]);
    // If no competitor is feasible, all have gaps.
    workspace.write("study.yaml", study.replace(", LPT: {algorithm: {name: LPT}}", ""));
    workspace.succeed(&["study", "study.yaml"]);
    let alone = rows(&workspace.text("out/cells.csv"));
    assert_eq!((&*alone[0]["lower_bound"], &*alone[0]["above_bound"]), ("3.0", "1.0"));
}

/// Start: 4 s and 20 bytes on rank 0, 1 s and 20 bytes on rank 1.
/// After object 2 has moved: 3 s and 10 bytes on rank 0, 2 s and 30 bytes on rank 1.
#[test]
fn less_work_beyond_bounds_is_worse_than_a_feasible_start() {
    let study = "
configuration:
  from_data: {data_stem: set}
  work_model: {name: AffineCombination, parameters: {upper_bounds: {max_memory_usage: 20.0}}}
axes:
  strategy:
    kept: {algorithm: {name: PhaseStepper}}
    moved: {algorithm: {name: PrescribedPermutation, parameters: {permutation: {0: [FIRST], 1: [OTHERS]}}}}
output_dir: out
plots: none
report: {quantities: [max_work, largest_excess]}
";
    let others = [2, 3, 4].map(|id| packed(id, 0).to_string()).join(", ");
    let study = study.replace("FIRST", &packed(1, 0).to_string()).replace("OTHERS", &others);
    let workspace = workspace(2, &[object(1, 3.0, None), object(2, 1.0, None)], &study);
    workspace.write("set.1.json", one_phase(1, &[object(3, 0.5, None), object(4, 0.5, None)], &[]));
    let said = workspace.succeed(&["study", "study.yaml"]);
    let cells = rows(&workspace.text("out/cells.csv"));
    let moved = row(&cells, &[("strategy", "moved")]);
    assert_eq!(["max_work", "largest_excess"].map(|column| number(moved, column)), [3.0, 0.5]);
    assert!(said.contains("Places by max work: 1 kept; 2 moved* (over bounds)\n"), "{said}");
    let mark = "* Worse than the start by excess over upper bounds of the work model, otherwise by the median of max work.\n";
    assert!(said.contains(mark), "{said}");
    // If no competitor is feasible, less work ranks first, but a larger excess than at the start is marked.
    workspace.write("study.yaml", study.replace("max_memory_usage: 20.0", "max_memory_usage: 15.0"));
    let said = workspace.succeed(&["study", "study.yaml"]);
    assert!(said.contains("Places by max work: 1 moved*; 2 kept\n"), "{said}");
}

#[test]
fn strategies_without_random_numbers_are_counted_once_for_all_seeds() {
    let objects: Vec<Value> = (1..13).map(|id| object(id, id as f64, None)).collect();
    let study = "
configuration: {from_data: {data_stem: set}}
axes:
  strategy:
    LPT: {algorithm: {name: LPT}}
    random: {algorithm: {name: RandomLB}}
    random of 7: {algorithm: {name: RandomLB, parameters: {seed: 7}}}
  seed: 0-4
output_dir: out
plots: none
";
    let workspace = workspace(3, &objects, study);
    let said = workspace.succeed(&["study", "study.yaml"]);
    assert!(said.contains("15 cells over strategy (3), seed (5), 7 of them different\n"), "{said}");
    assert_eq!(workspace.names("out/cells").len(), 7);
    let medians = rows(&workspace.text("out/medians.csv"));
    let of = |competitor: &str| {
        let row = row(&medians, &[("competitor", competitor), ("quantity", "max_load")]);
        ["n", "low", "high", "confidence"]
            .map(|column| row[column].is_empty().then(String::new).unwrap_or_else(|| row[column].clone()))
    };
    assert_eq!(of("LPT"), ["1", "", "", ""]);
    assert_eq!(of("random of 7"), ["1", "", "", ""]);
    assert_eq!(of("random")[0], "5");
    assert_eq!(of("random")[3], "0.9375");
    // 7 cells of the grid are computed; the others name the identical cell.
    let cells = rows(&workspace.text("out/cells.csv"));
    let same_as: Vec<&str> = cells.iter().map(|cell| &*cell["same_as"]).collect();
    assert_eq!(same_as, ["", "0", "0", "0", "0", "", "", "", "", "", "", "10", "10", "10", "10"]);
    let table = workspace.text("out/tables/medians.tex");
    assert!(table.contains("Medians of 5 repetitions"), "{table}");
    assert!(table.contains("strategies without random numbers ran once."), "{table}");
}

/// Synthetic data differ from seed to seed, so every repetition counts.
#[test]
fn seeds_of_drawn_data_are_repetitions_of_every_strategy() {
    let workspace = super::workspace(super::STUDY);
    workspace.succeed(&["study", "study.yaml"]);
    let medians = rows(&workspace.text("out/medians.csv"));
    let of_lpt = row(&medians, &[("competitor", "LPT"), ("quantity", "max_work")]);
    assert_eq!(of_lpt["n"], "5");
}

#[test]
fn competitors_that_fail_stay_in_the_tables() {
    let objects = [1, 2, 3, 4, 5, 6].map(|id| object(id, 1.0, None));
    let study = "
configuration: {from_data: {data_stem: set}}
axes:
  strategy:
    LPT: {algorithm: {name: LPT}}
    wrong: {algorithm: {name: LPT, parameters: {no_such_key: 1}}}
    random: {algorithm: {name: RandomLB}}
  seed: [0, 1]
output_dir: out
plots: {formats: [svg]}
";
    let workspace = workspace(2, &objects, study);
    let said = workspace.lbaf(&["study", "study.yaml"]);
    assert_eq!(said.code, 1, "{}", said.stderr);
    let said = said.stdout;
    let shown = said.lines().find(|line| line.trim_start().starts_with("wrong")).map(str::split_whitespace);
    assert_eq!(shown.map(Iterator::collect::<Vec<_>>), Some(vec!["wrong", "0", "failed"]), "{said}");
    assert!(said.contains("\nNot placed because of failed cells: wrong\n"), "{said}");
    assert!(said.contains("Places by max work: 1 LPT"), "{said}");
    let medians = rows(&workspace.text("out/medians.csv"));
    let of_wrong = row(&medians, &[("competitor", "wrong"), ("quantity", "max_work")]);
    assert_eq!(["n", "failed", "median", "phase"].map(|column| &*of_wrong[column]), ["0", "2", "", "0"]);
    let ranking = rows(&workspace.text("out/ranking.csv"));
    let place = |competitor: &str| {
        let row = row(&ranking, &[("competitor", competitor)]);
        ["mean_place", "wins", "problems", "failed"].map(|column| row[column].clone())
    };
    assert_eq!(place("LPT"), ["1.0", "1", "1", "0"]);
    assert_eq!(place("wrong"), ["", "0", "0", "2"]);
    assert_eq!(markdown(&workspace.text("out/tables/medians.md"), "wrong")[2], "failed");
    assert!(workspace.text("out/plots/max_work.svg").contains("wrong (failed)"));
    // One of two repetitions fails. The tables show the result of the other repetition, with a remark.
    let some = study
        .replace("seed: [0, 1]", "seed: [0, none]")
        .replace("    wrong: {algorithm: {name: LPT, parameters: {no_such_key: 1}}}\n", "");
    workspace.write("study.yaml", some);
    let said = workspace.lbaf(&["study", "study.yaml"]).stdout;
    assert!(said.contains("random (1 of 2 failed)") || said.contains("random* (1 of 2 failed)"), "{said}");
}

/// Balancing that takes 100 s each time is slower than no balancing.
#[test]
fn simulations_slower_than_never_balancing_are_marked() {
    let objects = [1, 2, 3, 4].map(|id| object(id, 1.0, None));
    let study = "
command: simulate
configuration:
  from_data: {data_stem: set}
  algorithm: {name: LPT}
axes:
  cost:
    dear: {algorithm: {}, simulation: {schedule: {every: 1}, costs: {strategy_seconds: 100}}}
    cheap: {algorithm: {}, simulation: {schedule: {every: 1}, costs: {strategy_seconds: 0}}}
output_dir: out
plots: none
report: {competitors: [cost]}
";
    let workspace = workspace(2, &objects, study);
    let task = |load: f64| object(1, load, None);
    let phases: Vec<Value> = (0..3)
        .map(|id| json!({"id": id, "tasks": [task(1.0), object(2, 1.0, None)], "communications": []}))
        .collect();
    workspace.write(
        "set.0.json",
        json!({"metadata": {"rank": 0, "type": "LBDatafile"}, "phases": phases}).to_string(),
    );
    let empty: Vec<Value> = (0..3).map(|id| json!({"id": id, "tasks": [], "communications": []})).collect();
    workspace.write(
        "set.1.json",
        json!({"metadata": {"rank": 1, "type": "LBDatafile"}, "phases": empty}).to_string(),
    );
    let said = workspace.succeed(&["study", "study.yaml"]);
    assert!(said.contains("dear*") && !said.contains("cheap*"), "{said}");
    assert!(said.contains("* Worse than never balancing by the median of total."), "{said}");
}

/// Regression: CCM-LB keeps blocks whole, and its gap referred to the bound with whole blocks. The table showed this
/// gap of 0 % in bold, next to 0.05 % of `LocalSearch`, which has 40 % less maximum work.
#[test]
fn gaps_of_whole_blocks_refer_to_the_bound_of_all_placements() {
    let Some(workspace) = peers::peer(peers::HUNDREDS) else { return };
    workspace.write(
        "study.yaml",
        format!(
            "configuration:\n  from_data: {{data_stem: {}, phase_ids: [0]}}\n  work_model: {{name: AffineCombination, \
             parameters: {{beta: 0.0, upper_bounds: {{max_memory_usage: 8.0e+9}}}}}}\naxes:\n  strategy:\n    LocalSearch: \
             {{algorithm: {{name: LocalSearch}}}}\n    CCM-LB: {{algorithm: {{name: TemperedLB, parameters: {{transfer: \
             SwapClusters, knowledge: Complete, iters: 8}}}}}}\n    Greedy: {{algorithm: {{name: Greedy}}}}\noutput_dir: \
             out\nplots: none\n",
            peers::stem(peers::HUNDREDS)
        ),
    );
    workspace.succeed(&["study", "study.yaml"]);
    let cells = rows(&workspace.text("out/cells.csv"));
    // 6,400,000 s on 64 ranks are at best 100,000 s on each.
    for (competitor, most, above) in
        [("LocalSearch", 100_050.0, 0.0005), ("CCM-LB", 168_408.0, 0.684_08), ("Greedy", 156_839.0, 0.568_39)]
    {
        let row = row(&cells, &[("strategy", competitor)]);
        assert_eq!(number(row, "lower_bound"), 100_000.0, "{competitor}");
        assert!(number(row, "max_work") <= most, "{competitor}: {row:?}");
        assert!(number(row, "above_bound") <= above + 1e-9, "{competitor}: {row:?}");
        assert!(
            number(row, "above_bound") == number(row, "max_work") / 100_000.0 - 1.0,
            "{competitor}: {row:?}"
        );
    }
    let whole = row(&cells, &[("strategy", "CCM-LB")]);
    assert!(number(whole, "whole_blocks_bound") > 168_000.0, "{whole:?}");
    let table = workspace.text("out/tables/medians.md");
    let bold = |name: &str| {
        let cells = markdown(&table, name);
        [2, 3, 4].map(|at| cells[at].starts_with("**"))
    };
    assert_eq!([bold("LocalSearch"), bold("CCM-LB"), bold("Greedy")], [[true; 3], [false; 3], [false; 3]]);
}
