// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page of `lbaf report` of a simulation in a browser: content, controls and layout.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::page::{assert_quiet, exact, number};
use crate::page_access::{assert_accessible, axe};
use crate::page_layout::{BEYOND, PALE, assert_controls_leave_room};
use crate::study::rows;
use crate::study_page::option;
use crate::vom::{packed, task};
use crate::workspace::Workspace;

const SCENARIOS: [&str; 4] = ["recorded", "never", "configured", "perfect"];

/// Eight phases with drifting loads, balanced after every second phase, which takes time.
fn opened() -> Option<(Workspace, Browser)> {
    let mut browser = Browser::start()?;
    let workspace = Workspace::new();
    workspace.write(
        "run.yaml",
        "from_samplers: {n_ranks: 4, n_objects: 40, n_mapped_ranks: 2, n_phases: 8, load_sampler: {name: uniform, \
         parameters: [0.5, 1.5]}}\nalgorithm: {name: Greedy}\nsimulation: {schedule: {every: 2}, costs: \
         {strategy_seconds: 0.25, object_latency: 0.01}}\noutput_dir: out\nplots: none\n",
    );
    workspace.succeed(&["simulate", "run.yaml"]);
    workspace.succeed(&["report", "out"]);
    browser.open(&workspace.path("out/simulation.html"), "");
    Some((workspace, browser))
}

/// Returns a column of a scenario; empty cells are 0.
fn column(csv: &[BTreeMap<String, String>], scenario: &str, name: &str) -> Vec<f64> {
    let of = csv.iter().filter(|row| row["scenario"] == scenario);
    of.map(|row| row[name].parse().unwrap_or(0.0)).collect()
}

/// Returns the rows of columns side by side, one after the other.
fn across(columns: &[Vec<f64>]) -> Vec<f64> {
    (0..columns[0].len()).flat_map(|at| columns.iter().map(move |column| column[at])).collect()
}

/// Times from the beginning are summed up again from the table.
#[test]
fn numbers_are_those_of_the_tables() {
    let Some((workspace, mut browser)) = opened() else { return };
    let results = workspace.json("out/simulation.json");
    let csv = rows(&workspace.text("out/simulation.csv"));
    browser.value("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })");
    browser.wait("document.querySelectorAll('#imbalance-chart tbody tr').length === 8");
    let times = SCENARIOS.map(|scenario| column(&csv, scenario, "time"));
    let bounds = column(&csv, "never", "bound");
    assert_eq!(exact(&mut browser, "#time-chart"), across(&[&times[..], &[bounds]].concat()));
    let imbalance = SCENARIOS.map(|scenario| column(&csv, scenario, "work_imbalance"));
    assert_eq!(exact(&mut browser, "#imbalance-chart"), across(&imbalance));
    let elapsed = SCENARIOS.map(|scenario| {
        let [time, strategy, migration] =
            ["time", "strategy_seconds", "migration_seconds"].map(|name| column(&csv, scenario, name));
        let mut sum = 0.0;
        (0..time.len())
            .map(|at| {
                sum += strategy[at] + migration[at] + time[at];
                sum
            })
            .collect::<Vec<f64>>()
    });
    let close = |found: Vec<f64>, expected: Vec<f64>| {
        assert_eq!(found.len(), expected.len());
        let is_close = |(one, other): (&f64, &f64)| (one - other).abs() <= 1e-9 * (1.0 + other.abs());
        assert!(found.iter().zip(&expected).all(is_close), "{found:?} {expected:?}");
    };
    close(exact(&mut browser, "#elapsed-chart"), across(&elapsed));

    // Headline and totals.
    let runs = results["runs"].as_array().expect("a list");
    let of = |name: &str| runs.iter().find(|run| run["scenario"] == name).expect("it was simulated");
    let (never, configured) = (of("never"), of("configured"));
    let [total, without] = [configured, never].map(|run| number(&run["total"]));
    let mut headline = vec![total, without, without - total];
    headline.extend(configured["break_even_after"].as_f64());
    headline.extend(["n_balancings", "n_migrations"].map(|key| number(&configured[key])));
    assert_eq!(exact(&mut browser, "#headline"), headline);
    let keys = [
        "total",
        "phase_seconds",
        "strategy_seconds",
        "migration_seconds",
        "n_balancings",
        "n_migrations",
        "migrated_bytes",
        "speedup",
        "efficiency",
    ];
    let totals: Vec<f64> = runs.iter().flat_map(|run| keys.map(|key| number(&run[key]))).collect();
    assert_eq!(exact(&mut browser, "#scenario-table"), totals);
    let sentences: Vec<&str> =
        results["sentences"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert_eq!(browser.text("#sentences"), sentences.join(" "));

    // Balancing before phases 1, 3, 5 and 7.
    let names = [
        "strategy_seconds",
        "migration_seconds",
        "migrations",
        "migrated_bytes",
        "predicted_work_imbalance_before",
        "predicted_work_imbalance_after",
        "predicted_time",
    ];
    let steps =
        csv.iter().filter(|row| row["scenario"] == "configured" && !row["strategy_seconds"].is_empty());
    let expected: Vec<f64> = steps
        .flat_map(|row| {
            [&row["phase"]]
                .into_iter()
                .chain(names.map(|name| &row[name]))
                .map(|text| text.parse().expect("a number"))
                .collect::<Vec<f64>>()
        })
        .collect();
    assert_eq!(exact(&mut browser, "#events-table"), expected);
    assert_eq!(expected.iter().step_by(8).copied().collect::<Vec<f64>>(), [1.0, 3.0, 5.0, 7.0]);

    // Errors of load models.
    let models = rows(&workspace.text("out/load_models.csv"));
    let names = ["mean_error", "bias", "rank_correlation", "imbalance", "imbalance_known", "imbalance_lost"];
    let errors = models.iter().flat_map(|row| names.map(|name| row[name].parse::<f64>().ok()));
    assert_eq!(exact(&mut browser, "#models-table"), errors.flatten().collect::<Vec<f64>>());
    assert_quiet(&browser);
}

#[test]
fn every_control_works_by_keyboard() {
    let Some((workspace, mut browser)) = opened() else { return };
    browser.focus("#shown [value=recorded]");
    browser.press(" ");
    browser.wait(&format!("{} === 3", option("parts-chart", "yAxis[0].data.length")));
    browser.focus("#reference [value=elapsed]");
    browser.press("ArrowRight");
    browser.wait(&format!("{} === 'saved time (s)'", option("elapsed-chart", "yAxis[0].name")));
    browser.focus("#imbalance [value=work]");
    browser.press("ArrowRight");
    browser.wait(&format!("{} === 'load imbalance'", option("imbalance-chart", "yAxis[0].name")));
    browser.focus("#scenario");
    browser.press("ArrowDown");
    assert!(browser.text("#events-facts").starts_with("perfect knowledge: "));
    browser.focus("#events-table th:nth-child(5) button");
    browser.press("Enter");
    assert_eq!(browser.text("#events-table [aria-sort=descending]"), "migrations");
    browser.focus("#time-chart .canvas");
    browser.press("End");
    assert!(browser.text("#spoken").starts_with("phase 7, never balanced: "), "{}", browser.text("#spoken"));
    browser.focus("#contents li:last-child a");
    browser.press("Enter");
    assert_eq!(browser.value("document.activeElement.id"), "models-heading");
    browser.focus("#skip");
    browser.press("Enter");
    assert_eq!(browser.value("document.activeElement.id"), "main");
    browser.focus("#theme");
    browser.press("End");
    assert_eq!(browser.value("document.documentElement.dataset.theme"), "dark");
    let address = browser.value("location.hash.slice(1)");
    browser.open(&workspace.path("out/simulation.html"), address.as_str().expect("text"));
    browser.wait(&format!("{} === 'saved time (s)'", option("elapsed-chart", "yAxis[0].name")));
    assert_eq!(browser.value("document.querySelector('#shown [value=recorded]').checked"), false);
    assert_quiet(&browser);
}

#[test]
fn text_can_be_read_and_nothing_is_cut_off() {
    let Some((workspace, mut browser)) = opened() else { return };
    let axe = axe();
    for (theme, width) in [("light", 390), ("dark", 1400)] {
        browser.resize(width);
        browser.open(&workspace.path("out/simulation.html"), &format!("theme={theme}"));
        browser.value("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })");
        assert_eq!(browser.value(PALE), json!([]), "{theme}");
        assert_eq!(browser.value(BEYOND), json!([]), "{width}");
        assert_controls_leave_room(&mut browser);
        if let Some(axe) = &axe {
            assert_accessible(&mut browser, axe, &format!("{theme}, {width} pixels"));
        }
    }
    // A page without scenarios, or with a single phase, has no error.
    browser.open(&workspace.path("out/simulation.html"), "hidden=recorded,never,configured,perfect");
    assert_quiet(&browser);
    workspace.succeed(&["simulate", "run.yaml", "--set", "from_samplers.n_phases=1"]);
    workspace.succeed(&["report", "out"]);
    browser.open(&workspace.path("out/simulation.html"), "");
    let bad = browser.value("document.body.innerText.match(/NaN|undefined|Infinity|\\[object/)");
    assert!(bad.is_null(), "{bad}");
    assert_eq!(browser.value("document.getElementById('models').hidden"), true);
    assert_quiet(&browser);
}

/// The page said so only if balancing steps were omitted.
#[test]
fn omitted_recorded_migrations_are_stated() {
    let workspace = Workspace::new();
    // One object alternates between two ranks.
    for rank in 0..2 {
        let phase = |id: u64| {
            let tasks = if id % 2 == rank { vec![task(packed(1, 0), rank, 1.0)] } else { Vec::new() };
            json!({"id": id, "tasks": tasks})
        };
        let phases: Vec<Value> = (0..4002).map(phase).collect();
        workspace.write(&format!("set.{rank}.json"), json!({ "phases": phases }).to_string());
    }
    let configuration = "from_data: {data_stem: set}\nalgorithm: {name: Greedy}\nsimulation: {schedule: never}\n\
                         output_dir: out\nplots: none\n";
    workspace.write("run.yaml", configuration);
    workspace.succeed(&["simulate", "run.yaml"]);
    workspace.succeed(&["report", "out"]);
    let sentence =
        "Tables of balancing steps and migrations show only the first 4000 rows; simulation.csv has all.";
    assert!(workspace.text("out/simulation.html").contains(sentence));
}
