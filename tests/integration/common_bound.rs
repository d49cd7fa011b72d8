// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comparison of runs of one problem by a lower bound of all placements.
//! Restrictions of a strategy do not raise this bound, and a proof by one run applies to the other runs.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::page::{assert_quiet, exact, number};
use crate::peers::{HUNDREDS, peer, stem};
use crate::vom::{one_phase, packed, task};
use crate::workspace::Workspace;

const SWAPS: &str = "{name: TemperedLB, args: transfer=SwapClusters knowledge=Complete iters=8}";

/// Returns an object with a load and facts about its memory.
fn object(id: u64, rank: u64, load: f64, facts: &Value) -> Value {
    let mut task = task(packed(id, rank), rank, load);
    task["user_defined"] = facts.clone();
    task
}

/// Runs a strategy on a data set of the workspace under a work model; returns the standard output.
fn run(workspace: &Workspace, (name, strategy): (&str, &str), stem: &str, model: &str) -> String {
    let outputs = format!("output_dir: {name}\nplots: none\nwrite_JSON: {{compressed: false}}\n");
    let configuration =
        format!("from_data: {{data_stem: {stem}}}\n{model}\nalgorithm: {strategy}\n{outputs}");
    workspace.write(&format!("{name}.yaml"), configuration);
    workspace.succeed(&["run", &format!("{name}.yaml")])
}

/// Returns the only phase of a run, from its summary.
fn phase(workspace: &Workspace, name: &str) -> Value {
    workspace.json(&format!("{name}/summary.json"))["phases"][0].clone()
}

/// Returns two ranks; the first has a block of 3 + 3 s and a block of 1 + 1 s.
/// The least maximum work is 4 s, with whole blocks 6 s.
fn blocks() -> Workspace {
    let workspace = Workspace::new();
    let in_block = |block: u64| json!({"shared_id": block, "shared_bytes": 8.0, "home_rank": 0});
    let tasks: Vec<Value> = [(1, 3.0, 10), (2, 3.0, 10), (3, 1.0, 20), (4, 1.0, 20)]
        .map(|(id, load, block)| object(id, 0, load, &in_block(block)))
        .into();
    workspace.write("blocks.0.json", one_phase(0, &tasks, &[]));
    workspace.write("blocks.1.json", one_phase(1, &[], &[]));
    workspace
}

const WHOLE: &str = "{name: BruteForce, parameters: {whole_clusters: true}}";

#[test]
fn gap_of_a_run_with_whole_blocks_refers_to_the_bound_of_all_placements() {
    let workspace = blocks();
    for strategy in [SWAPS, WHOLE] {
        let console = run(&workspace, ("whole", strategy), "blocks", "");
        let phase = phase(&workspace, "whole");
        assert_eq!(
            (&phase["after"]["work"]["max"], &phase["lower_bound"]["work"]),
            (&json!(6.0), &json!(4.0))
        );
        let restricted = &phase["restricted_bound"];
        assert_eq!((&restricted["restriction"], &restricted["work"]), (&json!("whole_blocks"), &json!(6.0)));
        for bound in phase["lower_bounds"].as_array().expect("a list") {
            // Objects can be divided into 4 s and 4 s, whole blocks only into 6 s and 2 s.
            assert_eq!(bound["restriction"] == "whole_blocks", number(&bound["work"]) > 4.0, "{bound}");
        }
        for said in [
            "Lower bound of the maximum work: 4 (mean); with blocks kept whole: 6 (largest block).",
            "Expect 25% less time after balancing, at most 1.5 times the optimum.",
            "No placement that keeps blocks whole takes less than 6 s, limited by the largest block, 10 (6 s); the result is the best of these placements.",
        ] {
            assert!(console.contains(said), "{said} is not in {console}");
        }
    }
}

/// The block of 2 + 2 s starts with one object on each rank, and the search gathers it on one rank.
#[test]
fn a_proof_for_gathered_blocks_states_its_restriction() {
    let workspace = Workspace::new();
    let in_block = json!({"shared_id": 10, "shared_bytes": 8.0, "home_rank": 0});
    for rank in [0, 1] {
        let tasks = [object(1 + rank, rank, 2.0, &in_block)];
        workspace.write(&format!("split.{rank}.json"), one_phase(rank, &tasks, &[]));
    }
    let console = run(&workspace, ("whole", WHOLE), "split", "");
    let phase = phase(&workspace, "whole");
    assert_eq!((&phase["after"]["work"]["max"], &phase["lower_bound"]["work"]), (&json!(4.0), &json!(2.0)));
    let restricted = &phase["restricted_bound"];
    assert_eq!((&restricted["restriction"], &restricted["work"]), (&json!("gathered_blocks"), &json!(4.0)));
    let said = "No placement that has each block on one rank takes less than 4 s, as proven by a search; the result is the best of these placements.";
    assert!(console.contains(said), "{console}");
    assert!(console.contains("The result is worse than the start: expect 100% more time"), "{console}");
    // With `skip_transfer` the block stays split, so the proof does not apply.
    let stays = WHOLE.replace("true", "true, skip_transfer: true");
    run(&workspace, ("stays", &stays), "split", "");
    assert_eq!(self::phase(&workspace, "stays")["restricted_bound"], Value::Null);
}

#[test]
fn runs_are_compared_by_one_bound_in_table_and_chart() {
    let workspace = blocks();
    run(&workspace, ("free", "{name: LPT}"), "blocks", "");
    run(&workspace, ("whole", SWAPS), "blocks", "");
    let names = "free,whole";
    let charts = "rank_loads,imbalance_per_phase,work_per_phase";
    workspace.succeed(&[
        "plot",
        "free",
        "whole",
        "--names",
        names,
        "--charts",
        charts,
        "--formats",
        "svg",
        "--output-dir",
        "both",
    ]);
    assert_snapshot!(workspace.text("both/tables/comparison.md"), @r"
    Comparison of load balancing strategies. whole keeps blocks whole; the max load of such placements is at least 6 s.

    | run    | max load (s) | above bound (%) | load imbalance | homing volume (B) | max memory (B) | migrations |
    | :----- | -----------: | --------------: | -------------: | ----------------: | -------------: | ---------: |
    | before |        8.000 |             100 |           1.00 |                 0 |           16.0 |          – |
    | free   |    **4.000** |           **0** |          **0** |              16.0 |           16.0 |          2 |
    | whole  |        6.000 |            50.0 |          0.500 |          **8.00** |       **8.00** |          2 |
    ");
    let works = workspace.text("both/plots/work_per_phase.csv");
    assert_snapshot!(works, @r"
    phase,before_s,free_s,whole_s,lower bound_s
    0,8,4,6,4
    ");
    // The lower bound is the mean.
    let chart = workspace.text("both/plots/rank_loads.svg");
    assert!(chart.contains("mean = lower bound 4"), "{chart}");
    assert!(!chart.contains("largest block"), "{chart}");
    // A chart of `whole` alone shows both bounds.
    workspace.succeed(&["plot", "whole", "--charts", charts, "--formats", "svg", "--output-dir", "alone"]);
    let chart = workspace.text("alone/plots/rank_loads.svg");
    assert!(chart.contains("mean = lower bound 4") && chart.contains("lower bound 6"), "{chart}");
    assert!(chart.contains("(with blocks kept whole)"), "{chart}");
}

/// The lower bound in a summary of version 1 may apply to whole blocks only.
#[test]
fn a_summary_of_version_1_is_refused() {
    let workspace = blocks();
    run(&workspace, ("whole", SWAPS), "blocks", "");
    let mut summary = workspace.json("whole/summary.json");
    summary["version"] = json!(1);
    workspace.write("whole/summary.json", summary.to_string());
    let refused = "error: whole/summary.json: unsupported version 1 of the summary, expected 2 to 4: run `lbaf run` again with this version of lbaf\n";
    for command in ["plot", "report"] {
        assert_eq!(workspace.fail(&[command, "whole"], 4), refused);
    }
}

/// Version 2 of the summary has another key for ranks that exceed upper bounds.
#[test]
fn a_summary_of_version_2_is_read_by_its_old_keys() {
    let workspace = blocks();
    run(&workspace, ("whole", SWAPS), "blocks", "");
    let draw = |directory: &str| {
        workspace.succeed(&["plot", "whole", "--formats", "svg", "--output-dir", directory]);
        workspace.files(directory)
    };
    let drawn = draw("new");
    let summary = workspace.text("whole/summary.json");
    let old = summary
        .replace("\"n_ranks_over_bounds\"", "\"n_ranks_over_bound\"")
        .replace("\"version\": 4", "\"version\": 2");
    assert_eq!(old.len() + 2, summary.len());
    workspace.write("whole/summary.json", old);
    assert!(draw("old") == drawn);
}

/// Objects of 12, 10, 7, 4, 4, 4, 4 and 3 s on three ranks. The mean is 16 s.
/// The optimum is 17 s (12 + 4, 10 + 7, 4 + 4 + 4 + 3), because no objects complete 10 s to 16 s.
#[test]
fn a_proof_of_one_run_is_the_bound_of_all_runs() {
    let workspace = Workspace::new();
    let loads: [&[f64]; 3] = [&[12.0, 10.0], &[7.0, 4.0, 4.0], &[4.0, 4.0, 3.0]];
    let mut ids = 1..;
    for (rank, loads) in (0..).zip(loads) {
        let tasks: Vec<Value> =
            loads.iter().zip(&mut ids).map(|(load, id)| task(packed(id, rank), rank, *load)).collect();
        workspace.write(&format!("set.{rank}.json"), one_phase(rank, &tasks, &[]));
    }
    for (name, strategy) in [("stays", "NoLB"), ("lpt", "LPT"), ("searched", "BruteForce")] {
        run(&workspace, (name, &format!("{{name: {strategy}}}")), "set", "");
    }
    let found = ["stays", "lpt", "searched"].map(|name| {
        let phase = phase(&workspace, name);
        (number(&phase["after"]["work"]["max"]), number(&phase["lower_bound"]["work"]))
    });
    assert_eq!(found, [(22.0, 16.0), (17.0, 16.0), (17.0, 17.0)]);
    workspace.succeed(&["plot", "stays", "lpt", "searched", "--formats", "svg", "--output-dir", "all"]);
    assert_snapshot!(workspace.text("all/tables/comparison.md"), @r"
    Comparison of load balancing strategies.

    | run          | max load (s) | above bound (%) | load imbalance | migrations |
    | :----------- | -----------: | --------------: | -------------: | ---------: |
    | before       |        22.00 |            29.4 |          0.375 |          – |
    | PhaseStepper |        22.00 |            29.4 |          0.375 |      **0** |
    | LPT          |    **17.00** |           **0** |     **0.0625** |          5 |
    | BruteForce   |    **17.00** |           **0** |     **0.0625** |          2 |
    ");
    // Bounds proven by other runs are not written into the summary of a run.
    workspace.succeed(&["report", "lpt", "searched"]);
    assert_eq!(phase(&workspace, "lpt")["lower_bound"]["work"], 16.0);
}

/// Rank 0 has objects of 3 s and 1 s with 6 bytes each, above its upper bound of 10 bytes. Rank 1 has 4 s.
/// In a feasible placement, the first two objects are on different ranks, so the best result is 4 + 1 s.
#[test]
fn an_infeasible_run_has_no_gap_if_others_are_feasible() {
    let workspace = Workspace::new();
    let bytes = |bytes: f64| json!({"task_footprint_bytes": bytes});
    let first = [object(1, 0, 3.0, &bytes(6.0)), object(2, 0, 1.0, &bytes(6.0))];
    workspace.write("set.0.json", one_phase(0, &first, &[]));
    workspace.write("set.1.json", one_phase(1, &[object(3, 1, 4.0, &bytes(0.0))], &[]));
    let model = "work_model: {name: AffineCombination, parameters: {upper_bounds: {max_memory_usage: 10}}}";
    run(&workspace, ("stays", "{name: NoLB}"), "set", model);
    let console = run(&workspace, ("keeps", "{name: BruteForce}"), "set", model);
    let said = "Expect 25% more time after balancing, which is the optimum; the result satisfies the upper bounds of the work model, which the start exceeds.";
    assert!(console.contains(said), "{console}");
    let charts = "rank_loads,work_per_phase";
    workspace.succeed(&[
        "plot",
        "stays",
        "keeps",
        "--names",
        "stays,keeps",
        "--charts",
        charts,
        "--formats",
        "svg",
        "--output-dir",
        "both",
    ]);
    assert_snapshot!(workspace.text("both/tables/comparison.md"), @r"
    Comparison of load balancing strategies. stays exceeds upper bounds of the work model.

    | run    | max load (s) | above bound (%) | load imbalance | max memory (B) | ranks over bounds | migrations | migrated volume (B) |
    | :----- | -----------: | --------------: | -------------: | -------------: | ----------------: | ---------: | ------------------: |
    | before |        4.000 |               – |              0 |           12.0 |                 1 |          – |                   – |
    | keeps  |        5.000 |               0 |          0.250 |           6.00 |                 0 |          2 |                6.00 |
    | stays  |        4.000 |               – |              0 |           12.0 |                 1 |          0 |                   0 |
    ");
    let chart = workspace.text("both/plots/work_per_phase.svg");
    assert!(chart.contains("lower bound (within the upper bounds)"), "{chart}");
    let Some(mut browser) = Browser::start() else { return };
    workspace.succeed(&["report", "stays", "keeps", "--names", "stays,keeps", "--output", "both.html"]);
    browser.open(&workspace.path("both.html"), "");
    assert_eq!(distances(&mut browser), ["\u{2013}", "0%"]);
    assert_quiet(&browser);
}

/// Blocks of 3 + 3 s, 1 + 1 s and 1 + 1 s. Objects have 2.5 bytes, in the last block 5; the bound is 10 bytes.
/// Within the bound, whole blocks give 3 + 3 + 1 + 1 = 8 s and split blocks 5 s. Without the bound, whole blocks
/// give 6 s.
#[test]
fn a_proof_within_upper_bounds_states_them() {
    let workspace = Workspace::new();
    let in_block = |block: u64, bytes: f64| json!({"shared_id": block, "shared_bytes": 0.0, "home_rank": 0, "task_footprint_bytes": bytes});
    let pair = |id: u64, rank: u64, load: f64, facts: Value| {
        [object(id, rank, load, &facts), object(id + 1, rank, load, &facts)]
    };
    let first = [pair(1, 0, 3.0, in_block(10, 2.5)), pair(3, 0, 1.0, in_block(20, 2.5))].concat();
    workspace.write("set.0.json", one_phase(0, &first, &[]));
    workspace.write("set.1.json", one_phase(1, &pair(5, 1, 1.0, in_block(30, 5.0)), &[]));
    let model = "work_model: {name: AffineCombination, parameters: {upper_bounds: {max_memory_usage: 10}}}";
    let console = run(&workspace, ("whole", WHOLE), "set", model);
    let phase = phase(&workspace, "whole");
    let restricted = &phase["restricted_bound"];
    assert_eq!((number(&phase["lower_bound"]["work"]), number(&restricted["work"])), (5.0, 8.0));
    assert_eq!(restricted["within_bounds"], true);
    let said = "No placement that keeps blocks whole and satisfies the upper bounds takes less than 8 s";
    assert!(console.contains(said), "{console}");
}

/// Returns the gaps of the runs from the comparison table of a page.
fn distances(browser: &mut Browser) -> Vec<String> {
    let row = "[...document.querySelectorAll('#comparison-table tbody tr')].find((row) => row.firstChild.textContent === 'above the lower bound')";
    let cells = browser.value(&format!("[...{row}.children].slice(1).map((cell) => cell.textContent)"));
    cells.as_array().expect("a list").iter().map(|cell| cell.as_str().expect("text").to_owned()).collect()
}

/// Returns the headings of the columns that are marked as best in a row of the comparison.
fn best(browser: &mut Browser, line: &str) -> Value {
    let row = format!(
        "[...document.querySelectorAll('#comparison-table tbody tr')].find((row) => row.firstChild.textContent === '{line}')"
    );
    browser.value(&format!(
        "[...{row}.children].map((cell, at) => [cell.className, {row}.closest('table').querySelectorAll('thead th')[at].textContent]).filter(([name]) => name === 'best').map(([, head]) => head)"
    ))
}

#[test]
fn runs_are_compared_by_one_bound_on_the_page() {
    let Some(mut browser) = Browser::start() else { return };
    let workspace = blocks();
    run(&workspace, ("free", "{name: LPT}"), "blocks", "");
    run(&workspace, ("whole", SWAPS), "blocks", "");
    workspace.succeed(&["report", "free", "whole", "--names", "free,whole", "--output", "both.html"]);
    browser.open(&workspace.path("both.html"), "a=1&b=0");
    assert_eq!(distances(&mut browser), ["0%", "50%"]);
    assert_eq!(best(&mut browser, "above the lower bound"), json!(["free"]));
    let apart = "whole keeps blocks whole; the maximum work of such placements is at least 6 (the largest block, 10 (6 s)).";
    assert!(browser.text("#comparison-table").contains(apart), "{}", browser.text("#comparison-table"));
    let legend = browser.text("#rank-chart .legend");
    assert!(
        legend.contains("lower bound of the maximum: 4")
            && legend.contains("lower bound with blocks kept whole: 6"),
        "{legend}"
    );
    let facts = browser.text("#phase-facts");
    assert!(
        facts.contains("The strategy keeps blocks whole; the maximum work of such placements"),
        "{facts}"
    );
    let sources = exact(&mut browser, "#phase-table details");
    assert!(sources.contains(&4.0) && sources.contains(&6.0), "{sources:?}");
    assert_quiet(&browser);
}

/// 100000 s is the mean of 64 ranks, and 168408 s the load of the largest block.
#[test]
fn the_least_work_of_hundreds_of_tasks_is_bold_wherever_runs_are_compared() {
    let Some(workspace) = peer(HUNDREDS) else { return };
    let model = "work_model: {name: CCM, parameters: {beta: 1.0e-9, delta: 1.0e-12, upper_bounds: {max_memory_usage: 8.0e+9}}}";
    let strategies = [("search", "{name: LocalSearch}"), ("swaps", SWAPS), ("greedy", "{name: Greedy}")];
    for strategy in strategies {
        run(&workspace, strategy, &stem(HUNDREDS), model);
    }
    let names = ["--names", "search,swaps,greedy"];
    let plot = ["plot", "search", "swaps", "greedy", "--charts", "rank_loads,rank_works,work_per_phase"];
    workspace.succeed(&[&plot[..], &names, &["--formats", "svg", "--output-dir", "all"]].concat());
    let table = workspace.text("all/tables/comparison.md");
    let row = |name: &str| {
        let row = table.lines().find(|line| line.starts_with(&format!("| {name} "))).expect("a row");
        row.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>()
    };
    for (name, _) in strategies {
        let work = number(&phase(&workspace, name)["after"]["work"]["max"]);
        let above: f64 = row(name)[3].trim_matches('*').parse().expect("a number");
        let expected = 100.0 * (work / 100_000.0 - 1.0);
        assert!((above - expected).abs() <= 0.005 * expected, "{name}: {above}, not {expected}");
        // The local search has the best work, gap and imbalance.
        let bold = row(name)[2..5].iter().filter(|cell| cell.starts_with("**")).count();
        assert_eq!(bold, if name == "search" { 3 } else { 0 }, "{table}");
    }
    assert!(
        table.contains("swaps keeps blocks whole; the max work of such placements is at least 168408 s."),
        "{table}"
    );
    let bounds = workspace.text("all/plots/work_per_phase.csv");
    assert!(bounds.lines().next().is_some_and(|head| head.ends_with("lower bound_s")), "{bounds}");
    assert!(
        bounds.lines().nth(1).is_some_and(|row| row.contains(",99999.99") || row.contains(",100000")),
        "{bounds}"
    );

    let Some(mut browser) = Browser::start() else { return };
    let report = ["report", "search", "swaps", "greedy"];
    workspace.succeed(&[&report[..], &names, &["--output", "all.html"]].concat());
    browser.open(&workspace.path("all.html"), "");
    for line in ["maximum work after", "above the lower bound", "load imbalance after"] {
        assert_eq!(best(&mut browser, line), json!(["search"]), "{line}");
    }
    assert_quiet(&browser);
}
