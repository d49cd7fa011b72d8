// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts of a run, and charts that compare several runs.

use serde_json::json;

use crate::vom::{one_phase, packed, send, task};
use crate::workspace::Workspace;

const REST: &str = "
from_data: {data_stem: set}
work_model: {name: AffineCombination, parameters: {beta: 1.0e-3, delta: 1.0e-4, upper_bounds: {max_memory_usage: 5000}}}
output_dir: out
plots: {formats: [svg], charts: all}
";

/// Two ranks. Rank 0 has four objects that communicate, in two blocks.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    let mut tasks: Vec<_> = (1..5).map(|id| task(packed(id, 0), 0, id as f64)).collect();
    for (position, task) in tasks.iter_mut().enumerate() {
        task["user_defined"] = json!({"shared_id": position / 2, "shared_bytes": 100.0, "home_rank": 0, "task_footprint_bytes": 10.0});
    }
    let sends = [(1, 2, 300.0), (3, 4, 200.0), (2, 3, 50.0)];
    let sends: Vec<_> = sends
        .iter()
        .map(|&(from, to, bytes)| send((packed(from, 0), 0), (packed(to, 0), 0), bytes))
        .collect();
    workspace.write("set.0.json", one_phase(0, &tasks, &sends));
    workspace.write("set.1.json", one_phase(1, &[], &[]));
    for (name, strategy) in [("greedy", "Greedy"), ("gossip", "TemperedLB")] {
        workspace.write(&format!("{name}.yaml"), format!("{REST}algorithm: {{name: {strategy}}}\n"));
    }
    workspace
}

/// Returns the names of the charts that were drawn.
fn drawn(workspace: &Workspace, directory: &str) -> Vec<String> {
    let names = workspace.names(&format!("{directory}/plots")).into_iter();
    names.filter_map(|name| Some(name.strip_suffix(".svg")?.to_owned())).collect()
}

#[test]
fn all_charts_with_data_are_drawn() {
    let workspace = workspace();
    workspace.succeed(&["run", "gossip.yaml"]);
    let names = drawn(&workspace, "out").join(" ");
    assert_eq!(
        names,
        "communication_after communication_before iteration_imbalance iteration_knowledge iteration_rejections \
         iteration_transfers iteration_work load_distribution load_histogram migration_flows migration_flows_bytes object_loads rank_loads \
         rank_loads_by_rank rank_memory rank_volumes rank_works rank_works_by_rank work_distribution work_histogram \
         work_parts_after work_parts_before",
        "a run of one phase has no charts over phases"
    );
    // Before balancing, all communication is on-rank.
    for name in drawn(&workspace, "out").iter().filter(|name| *name != "communication_before") {
        assert!(workspace.text(&format!("out/plots/{name}.csv")).lines().count() > 1, "{name}");
    }
}

#[test]
fn charts_show_the_numbers_of_the_tables() {
    let workspace = workspace();
    workspace.succeed(&["run", "greedy.yaml"]);
    assert_eq!(
        workspace.text("out/plots/rank_loads_by_rank.csv").lines().next(),
        Some("rank,before_s,after_s")
    );
    assert_eq!(
        workspace.text("out/plots/object_loads.csv"),
        "load_s,objects at or below\n1,1\n2,2\n3,3\n4,4\n"
    );
    let volumes = workspace.text("out/rank_volumes.csv");
    let sent: f64 = volumes
        .lines()
        .skip(1)
        .map(|row| row.rsplit(',').next().unwrap_or("").parse::<f64>().expect("bytes"))
        .sum();
    let summary = workspace.json("out/summary.json");
    assert_eq!(json!(sent), summary["phases"][0]["after"]["sent_volume"]["sum"]);
    let parts = workspace.text("out/plots/work_parts_before.csv");
    assert!(parts.starts_with("rank,load_s,communication_s,homing_s\n0,10,0,0\n"), "{parts}");
}

/// Work is in seconds if the coefficient `alpha` of load is 1; otherwise, its unit is unknown.
#[test]
fn work_has_its_unit_in_charts_and_tables() {
    let workspace = workspace();
    let charts = ["rank_works", "work_histogram", "work_parts_before", "iteration_work"];
    for (alpha, unit) in [("1", "s"), ("2", "model units")] {
        let alpha = format!("work_model.parameters.alpha={alpha}");
        workspace.succeed(&["run", "gossip.yaml", "--set", &alpha]);
        for chart in charts {
            let svg = workspace.text(&format!("out/plots/{chart}.svg"));
            let quantity = if chart == "iteration_work" { "maximum work" } else { "work" };
            let label = format!("\n{quantity} ({unit})\n");
            assert!(svg.contains(&label), "{chart}: no {label}");
        }
        let table = workspace.text("out/tables/before_after.md");
        assert!(table.contains(&format!("| max work ({unit}) ")), "{table}");
    }
}

#[test]
fn all_charts_are_drawn_again_without_the_data() {
    let workspace = workspace();
    workspace.succeed(&["run", "gossip.yaml", "--set", "plots.pgfplots=true"]);
    let before = workspace.files("out/plots");
    std::fs::remove_dir_all(workspace.path("out/plots")).expect("it was drawn");
    std::fs::remove_file(workspace.path("set.0.json")).expect("it was read");
    workspace.succeed(&["plot", "out"]);
    assert!(workspace.files("out/plots") == before);
    assert!(before.keys().any(|name| name == "rank_works.tex"));
}

#[test]
fn several_runs_share_one_chart() {
    let workspace = workspace();
    workspace.succeed(&["run", "greedy.yaml", "--output-dir", "a"]);
    workspace.succeed(&["run", "gossip.yaml", "--output-dir", "b"]);
    let said =
        workspace.succeed(&["plot", "a", "b", "--names", "Greedy,with gossip", "--output-dir", "both"]);
    assert!(said.ends_with("2 table files in both/tables\n"), "{said}");
    let head =
        |chart: &str| workspace.text(&format!("both/plots/{chart}.csv")).lines().next().map(str::to_owned);
    assert_eq!(head("rank_loads").as_deref(), Some("position,before_s,Greedy_s,with gossip_s"));
    let names = drawn(&workspace, "both");
    assert!(names.iter().any(|name| name == "iteration_work"), "{names:?}");
    assert!(!names.iter().any(|name| name.starts_with("communication")), "{names:?}");
    assert!(workspace.text("both/tables/comparison.md").contains("with gossip"));
    assert!(!workspace.path("both/summary.json").exists());
    // Without names, runs are labelled with their strategies.
    workspace.succeed(&["plot", "a", "b", "a", "--charts", "rank_loads", "--output-dir", "three"]);
    let csv = workspace.text("three/plots/rank_loads.csv");
    assert!(csv.starts_with("position,before_s,Greedy (1)_s,TemperedLB_s,Greedy (2)_s\n"), "{csv}");
}

#[test]
fn requested_charts_that_cannot_show_several_runs_are_reported() {
    let workspace = workspace();
    workspace.succeed(&["run", "greedy.yaml", "--output-dir", "a"]);
    workspace.succeed(&["run", "gossip.yaml", "--output-dir", "b"]);
    let plot = |charts: &str| workspace.lbaf(&["plot", "a", "b", "--charts", charts, "--output-dir", "both"]);
    let said = plot("object_loads,work_parts_after");
    assert_eq!(said.stdout, "0 chart files in both/plots, 2 table files in both/tables\n");
    assert_eq!(said.stderr, "note: charts that cannot show several runs: work_parts_after, object_loads\n");
    // `all` selects the charts of several runs.
    let said = plot("all");
    assert!(!said.stderr.contains("cannot show"), "{}", said.stderr);
}

/// Regression: charts of several runs were mixed with those of a run.
#[test]
fn charts_are_not_mixed_with_those_of_a_run() {
    let workspace = workspace();
    workspace.succeed(&["run", "greedy.yaml", "--output-dir", "a"]);
    workspace.succeed(&["run", "gossip.yaml", "--output-dir", "b"]);
    let before = workspace.files("a");
    for runs in [&["a", "b"][..], &["b"]] {
        let error = workspace.fail(&[&["plot"], runs, &["--output-dir", "a"]].concat(), 2);
        assert_eq!(
            error,
            "error: a holds a run; its charts would be mixed with the new ones; choose another directory with \
             --output-dir\n"
        );
    }
    assert!(workspace.files("a") == before);
    // The directory of the only run is the default.
    workspace.succeed(&["plot", "a", "--output-dir", "./a"]);
    assert!(workspace.files("a") == before);
}

/// Two recordings with equal numbers of objects and edges but other loads.
#[test]
fn runs_of_different_recordings_share_no_chart() {
    let workspace = workspace();
    workspace.succeed(&["run", "greedy.yaml", "--output-dir", "a"]);
    let recorded = workspace.text("set.0.json");
    workspace.write("set.0.json", recorded.replacen("\"time\":4.0", "\"time\":4.5", 1));
    assert_ne!(recorded, workspace.text("set.0.json"));
    workspace.succeed(&["run", "gossip.yaml", "--output-dir", "b"]);
    let said = workspace.fail(&["plot", "a", "b", "--output-dir", "both"], 4);
    assert!(
        said.contains(
            "a has 10 s of load in phase 0, but b has 10.5: only runs of the same data can be compared"
        ),
        "{said}"
    );
}

#[test]
fn charts_that_cannot_be_drawn_are_reported() {
    let workspace = workspace();
    workspace.succeed(&["run", "greedy.yaml", "--set", "work_model={name: LoadOnly}"]);
    let said = workspace.lbaf(&["plot", "out", "--charts", "rank_works,rank_loads,simulation_times"]);
    assert_eq!(
        said.stderr,
        "note: charts that have nothing to show: rank_works\n\
         note: charts of simulations, which `lbaf simulate` draws: simulation_times\n"
    );
    let refused = |arguments: &[&str]| workspace.fail(&[&["plot"], arguments].concat(), 2);
    assert_eq!(
        refused(&["out", "out"]),
        "error: charts of several runs need an output directory: --output-dir DIR\n"
    );
    assert_eq!(
        refused(&["out", "--font-size", "40"]),
        "error: --font-size: font size must be 5 to 16 points, not 40\n"
    );
    assert_eq!(refused(&["out", "--height", "4"]), "error: --height: charts are 30 to 250 mm high, not 4\n");
    assert_eq!(
        refused(&["out", "--height", "40", "--font-size", "16"]),
        "error: --height: with a font size of 16 points the height must be at least 48 mm, not 40\n"
    );
    assert_eq!(
        refused(&["out", "out", "--names", "a", "--output-dir", "x"]),
        "error: --names: 1 name for 2 runs; give one name for each run, separated by commas\n"
    );
    assert_eq!(
        workspace.fail(&["plot", "out", "--phases", "0, 77"], 3),
        "error: --phases: the run did not balance phase 77 (balanced phases: 0)\n"
    );
    assert_eq!(
        refused(&["out", "out", "--names", "a,a", "--output-dir", "x"]),
        "error: --names: two runs have the name `a`\n"
    );
    workspace.write("out/ranks.csv", "rank\n");
    let said = workspace.fail(&["plot", "out", "--charts", "rank_memory"], 4);
    assert_eq!(said, "error: cannot read a table in out: ranks.csv: there is no column `phase`\n");
}

#[test]
fn an_invalid_style_is_refused_at_its_place() {
    let workspace = workspace();
    let said = workspace.fail(&["run", "greedy.yaml", "--set", "plots.style={font_size: 40}"], 3);
    assert!(said.contains("plots.style.font_size: the font size must be 5 to 16 points, not 40"), "{said}");
    let small = "plots.style={font_size: 12, height: 30}";
    let said = workspace.fail(&["run", "greedy.yaml", "--set", small], 3);
    assert!(said.contains("plots.style.height: with a font size of 12 points"), "{said}");
    let said = workspace.fail(&["run", "greedy.yaml", "--set", "plots.charts=5"], 3);
    assert!(said.contains("plots.charts: expected names of charts, or `all`, found the number 5"), "{said}");
}

#[test]
fn phases_with_charts_can_be_selected() {
    let workspace = workspace();
    let phases: Vec<serde_json::Value> = (0..20)
        .map(|id| {
            let load = if id == 7 { 9.0 } else { 1.0 };
            json!({"id": id, "tasks": [task(packed(1, 0), 0, load), task(packed(2, 0), 0, 1.0)]})
        })
        .collect();
    let file = |rank: u32, phases: &[serde_json::Value]| {
        json!({"type": "LBDatafile", "metadata": {"type": "LBDatafile", "rank": rank}, "phases": phases})
            .to_string()
    };
    let other: Vec<_> = (0..20).map(|id| json!({"id": id, "tasks": [task(packed(3, 1), 1, 2.0)]})).collect();
    workspace.write("set.0.json", file(0, &phases));
    workspace.write("set.1.json", file(1, &other));
    let charts = "plots={formats: [svg], charts: [object_loads]}";
    workspace.succeed(&["run", "greedy.yaml", "--set", charts]);
    assert_eq!(drawn(&workspace, "out"), ["object_loads_phase_7"], "the worst before and after balancing");
    workspace.succeed(&["plot", "out", "--phases", "all"]);
    let names = ["object_loads_phase_0", "object_loads_phase_19", "object_loads_phase_7"];
    assert_eq!(drawn(&workspace, "out"), names, "the first, the worst and the last have rows in the tables");
    let charts = "plots={formats: [svg], charts: [object_loads], phases: '3-4'}";
    workspace.succeed(&["run", "greedy.yaml", "--set", charts]);
    assert_eq!(drawn(&workspace, "out"), ["object_loads_phase_3", "object_loads_phase_4"]);
    workspace.succeed(&["plot", "out", "--phases", "4"]);
    workspace.succeed(&["plot", "out", "--phases", "0, 7", "--charts", "rank_loads"]);
    assert!(drawn(&workspace, "out").contains(&"rank_loads_phase_7".to_owned()));
}

/// One load is too large for any axis; the run still succeeds.
#[test]
fn a_number_that_cannot_be_drawn_omits_only_its_charts() {
    let workspace = workspace();
    workspace.write("set.1.json", one_phase(1, &[task(packed(9, 1), 1, 1e301)], &[]));
    let said = workspace.lbaf(&["run", "greedy.yaml"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let lost = "the chart `rank_loads` is omitted: value 1 in the series \u{201c}before\u{201d} of ranks is 1e301: charts take";
    assert!(said.stderr.contains(lost), "{}", said.stderr);
    assert!(drawn(&workspace, "out").contains(&"migration_flows".to_owned()));
}

/// Before balancing, rank 0 exceeds its upper bound, so the maximum work may be below this lower bound.
#[test]
fn a_lower_bound_of_feasible_placements_is_labelled_so() {
    let workspace = workspace();
    let tight = "work_model.parameters.upper_bounds={max_memory_usage: 200}";
    workspace.succeed(&["run", "greedy.yaml", "--set", tight]);
    for chart in ["rank_works", "work_parts_before"] {
        let svg = workspace.text(&format!("out/plots/{chart}.svg"));
        assert!(svg.contains("(within the upper bounds)"), "{chart}");
    }
    workspace.succeed(&["run", "gossip.yaml", "--set", tight, "--output-dir", "gossip"]);
    assert!(workspace.text("gossip/plots/iteration_work.svg").contains("(within the upper bounds)"));
    let table = workspace.text("out/tables/before_after.md");
    let work = table.lines().find(|line| line.contains("max work")).expect("a row");
    assert_eq!(work.matches("**").count(), 0, "an infeasible placement is not marked as best: {work}");
}

#[test]
fn heat_maps_before_and_after_have_the_same_shades() {
    let workspace = workspace();
    let phase = |id: u64, load: f64| json!({"id": id, "tasks": [task(packed(1, 0), 0, load), task(packed(2, 0), 0, 1.0)]});
    let file = |rank: u32, load: f64| {
        json!({"metadata": {"type": "LBDatafile", "rank": rank}, "phases": [phase(0, load), phase(1, load)]})
            .to_string()
    };
    workspace.write("set.0.json", file(0, 3.0));
    let small = json!({"metadata": {"type": "LBDatafile", "rank": 1}, "phases": [
        {"id": 0, "tasks": [task(packed(3, 1), 1, 1e-4)]}, {"id": 1, "tasks": [task(packed(3, 1), 1, 1e-4)]},
    ]});
    workspace.write("set.1.json", small.to_string());
    workspace.succeed(&["run", "greedy.yaml"]);
    let legend = |when: &str| {
        let svg = workspace.text(&format!("out/plots/load_heat_map_{when}.svg"));
        let texts = svg.lines().map(str::trim).filter(|line| line.contains(" to ")).map(str::to_owned);
        texts.collect::<Vec<String>>()
    };
    assert!(!legend("before").is_empty());
    assert_eq!(legend("before"), legend("after"));
}

#[test]
fn plot_names_what_a_directory_holds_instead_of_a_run() {
    let workspace = Workspace::new();
    for (file, message) in [
        ("study.json", "holds a study, whose charts `lbaf study` or `lbaf compare` draws"),
        ("simulation.json", "holds a simulation, whose charts `lbaf simulate` draws"),
        ("plots/rank_loads.svg", "holds charts without the results from which they were drawn"),
        ("notes.txt", "is not the output directory of a run: it has no summary.json"),
    ] {
        workspace.write(&format!("{file}.d/{file}"), "{}");
        let directory = format!("{file}.d");
        let error = workspace.fail(&["plot", &directory], 4);
        assert!(error.contains(&format!("{directory} {message}")), "{error}");
    }
}
