// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page of `lbaf report` of a study in a browser: content, controls and layout.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::page::{assert_quiet, exact, number};
use crate::page_access::{assert_accessible, axe};
use crate::page_layout::{BEYOND, PALE, assert_controls_leave_room};
use crate::study::rows;
use crate::vom::{packed, task};
use crate::workspace::Workspace;

/// Two phases as problems. `kept` exceeds the upper bound of memory, `broken` fails, and only `random` depends on the
/// seed.
const STUDY: &str = "
configuration:
  from_data: {data_stem: set}
  work_model: {name: AffineCombination, parameters: {upper_bounds: {max_memory_usage: 35.0}}}
axes:
  strategy:
    kept: {algorithm: {name: PhaseStepper}}
    random: {algorithm: {name: RandomLB}}
    LPT: {algorithm: {name: LPT}}
    broken: {algorithm: {name: TemperedLB, parameters: {iters: none}}}
  seed: 0-5
output_dir: out
plots: none
";
const STRATEGIES: [&str; 4] = ["kept", "random", "LPT", "broken"];
const REPORTED: [&str; 4] = ["max_work", "above_bound", "load_imbalance", "migrations"];

type Row = BTreeMap<String, String>;

/// Six objects of 10 bytes on the first of two ranks, in two phases.
fn workspace(study: &str) -> Workspace {
    let file = |rank: u64, ids: &[u64]| {
        let phase = |id: u64| {
            let load = |object: u64| (object + id) as f64;
            let object = |&object: &u64| {
                let mut task = task(packed(object, rank), rank, load(object));
                task["user_defined"] = json!({"task_footprint_bytes": 10.0});
                task
            };
            json!({"id": id, "tasks": ids.iter().map(object).collect::<Vec<Value>>()})
        };
        json!({"metadata": {"type": "LBDatafile", "rank": rank}, "phases": [phase(0), phase(1)]}).to_string()
    };
    let workspace = Workspace::new();
    workspace.write("set.0.json", file(0, &[1, 2, 3, 4, 5, 6]));
    workspace.write("set.1.json", file(1, &[]));
    workspace.write("study.yaml", study);
    workspace
}

fn opened() -> Option<(Workspace, Browser)> {
    let mut browser = Browser::start()?;
    let workspace = workspace(STUDY);
    workspace.fail(&["study", "study.yaml"], 1);
    workspace.succeed(&["report", "out"]);
    browser.open(&workspace.path("out/study.html"), "");
    Some((workspace, browser))
}

fn float(row: &Row, column: &str) -> Option<f64> {
    Some(&row[column]).filter(|text| !text.is_empty()).map(|text| text.parse().expect("a number"))
}

/// Returns the competitors by place; competitors without a place come last.
fn ranked(ranking: &[Row]) -> Vec<&Row> {
    let mut ranked: Vec<&Row> = ranking.iter().collect();
    ranked.sort_by(|one, other| {
        let place = |row| float(row, "mean_place").unwrap_or(f64::INFINITY);
        place(one).total_cmp(&place(other))
    });
    ranked
}

/// Returns the texts of a column of a table.
fn column(browser: &mut Browser, table: &str, at: usize) -> Vec<String> {
    let found = browser.value(&format!(
        "[...document.querySelectorAll('{table} tbody tr')].map((row) => row.children[{at}].textContent)"
    ));
    found.as_array().expect("a list").iter().map(|text| text.as_str().expect("text").to_owned()).collect()
}

#[test]
fn numbers_are_those_of_the_tables() {
    let Some((workspace, mut browser)) = opened() else { return };
    let [ranking, medians, cells, fronts] = ["ranking", "medians", "cells", "front"]
        .map(|name| rows(&workspace.text(&format!("out/{name}.csv"))));
    let order = ranked(&ranking);
    let places = order.iter().flat_map(|row| {
        ["mean_place", "wins", "worse_than_start", "failed"].map(|column| float(row, column))
    });
    assert_eq!(exact(&mut browser, "#ranking-table"), places.flatten().collect::<Vec<f64>>());
    let first = order[0]["competitor"].clone();
    let sentence = browser.text("#sentences");
    assert!(
        sentence.starts_with(&format!(
            "{first} ranks first of 4 competitors by max work: mean place 1 over 2 problems, with 2 wins."
        )),
        "{sentence}"
    );
    assert!(sentence.ends_with("Not placed because of failed cells: broken."), "{sentence}");

    // Medians by problem and competitor, with the number of results.
    let mut expected = Vec::new();
    for phase in ["0", "1"] {
        for competitor in &order {
            let of = |quantity: &str| {
                medians.iter().find(|row| {
                    (&*row["phase"], &row["competitor"], &*row["quantity"])
                        == (phase, &competitor["competitor"], quantity)
                })
            };
            let n = of("n_ranks").or(of("max_work")).and_then(|row| float(row, "n"));
            expected.extend(n);
            expected.extend(REPORTED.iter().filter_map(|quantity| float(of(quantity)?, "median")));
        }
    }
    assert_eq!(exact(&mut browser, "#median-table"), expected);

    // All cells, in the order of the file.
    let values = cells.iter().flat_map(|row| REPORTED.map(|column| float(row, column)));
    assert_eq!(exact(&mut browser, "#cells-table"), values.flatten().collect::<Vec<f64>>());

    // Fronts. A competitor without a result has no point.
    browser.value("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })");
    for (chart, phase) in [("#front-chart-0", "0"), ("#front-chart-1", "1")] {
        browser.wait(&format!("document.querySelectorAll('{chart} tbody tr').length > 0"));
        let points = order.iter().filter_map(|competitor| {
            let of = |row: &&Row| (&*row["phase"], &row["competitor"]) == (phase, &competitor["competitor"]);
            let row = fronts.iter().find(of)?;
            float(row, "max_work")?;
            Some(if row["on_front"] == "true" { "yes" } else { "no" }.to_owned())
        });
        assert_eq!(column(&mut browser, chart, 3), points.collect::<Vec<String>>());
    }

    // Fields of the heat map: medians over distinct cells, by sorting.
    let mut fields = Vec::new();
    for strategy in STRATEGIES {
        for phase in ["0", "1"] {
            let of = cells
                .iter()
                .filter(|row| (&*row["strategy"], &*row["phase"], &*row["same_as"]) == (strategy, phase, ""));
            let mut values: Vec<f64> = of.filter_map(|row| float(row, "max_work")).collect();
            values.sort_by(f64::total_cmp);
            if let Some(last) = values.len().checked_sub(1) {
                fields.push(f64::midpoint(values[last / 2], values[last.div_ceil(2)]));
            }
        }
    }
    assert_eq!(exact(&mut browser, "#heat-map"), fields);

    // Failed and infeasible cells.
    let failures = browser.text("#failures");
    assert!(
        failures.contains("algorithm.parameters.iters") && failures.contains("ranks after feasible ones"),
        "{failures}"
    );
    assert_quiet(&browser);
}

/// Focuses a control, presses a key, and waits until an expression has a value.
#[track_caller]
fn press(browser: &mut Browser, control: &str, key: &str, shown: &str, expected: &Value) {
    browser.focus(control);
    browser.press(key);
    browser.wait(&format!("JSON.stringify({shown}) === JSON.stringify({expected})"));
}

/// Returns an expression for a setting of a chart, which first scrolls to the chart so that it is drawn.
pub(crate) fn option(chart: &str, of: &str) -> String {
    format!(
        "(() => {{ const canvas = document.querySelector('#{chart} .canvas'); canvas.scrollIntoView({{ behavior: 'instant' }}); \
         return echarts.getInstanceByDom(canvas)?.getOption().{of}; }})()"
    )
}

/// Number of shown cells.
const N_CELLS: &str = "document.getElementById('cells-facts').textContent.split('.')[0]";

#[test]
fn every_control_works_by_keyboard() {
    let Some((workspace, mut browser)) = opened() else { return };
    let text = |selector: &str| format!("document.querySelector('{selector}').textContent");
    let fronts = "document.querySelectorAll('#front-charts > div:not([hidden])').length".to_owned();
    let is_log = "location.hash.includes('scale=log')".to_owned();
    let focused = "document.activeElement.id".to_owned();
    let theme = "document.documentElement.dataset.theme".to_owned();
    let by_name = "#median-table th:first-child button";
    for (control, key, shown, expected) in [
        ("#problem", "ArrowDown", fronts, json!(1)),
        ("#problem", "ArrowDown", text("#median-table caption"), json!("Medians with intervals: phase 1")),
        ("#quantity", "ArrowDown", option("median-chart", "xAxis[0].name"), json!("above bound (%)")),
        ("#scale [value=linear]", "ArrowRight", is_log, json!(true)),
        ("#quantity", "ArrowUp", option("median-chart", "xAxis[0].type"), json!("log")),
        ("#cost", "Home", option("front-chart-0", "xAxis[0].name"), json!("max work")),
        ("#quality", "ArrowDown", option("front-chart-0", "yAxis[0].name"), json!("above bound (%)")),
        ("#across", "Home", option("heat-map", "xAxis[0].data"), json!(["all"])),
        ("#down", "ArrowDown", option("heat-map", "yAxis[0].data.length"), json!(6)),
        (by_name, "Enter", text("#median-table [aria-sort=ascending]"), json!("competitor")),
        (by_name, "Enter", text("#median-table [aria-sort=descending]"), json!("competitor")),
        (
            "#cells-table th:nth-child(6) button",
            "Enter",
            text("#cells-table [aria-sort=descending]"),
            json!("max work"),
        ),
        ("#contents li:nth-child(4) a", "Enter", focused.clone(), json!("heat-heading")),
        ("#skip", "Enter", focused, json!("main")),
        ("#theme", "End", theme.clone(), json!("dark")),
    ] {
        press(&mut browser, control, key, &shown, &expected);
    }
    let sorted = exact(&mut browser, "#cells-table tr td:nth-child(6)");
    assert!(sorted.windows(2).all(|pair| pair[0] >= pair[1]), "{sorted:?}");
    browser.write("#search", "random seed=3");
    browser.wait(&format!("{N_CELLS} === '2 rows of 42'"));
    press(&mut browser, "#all-cells", "Enter", N_CELLS, &json!("42 rows of 42"));
    browser.write("#cell", "7");
    assert_eq!(browser.text("#cell-values caption"), "Values of cell 7");
    // The configuration is saved as it is shown.
    browser.value(
        "window.saved = []; const make = URL.createObjectURL; URL.createObjectURL = (blob) => { \
         blob.text().then((text) => saved.push(text)); return make(blob); }; 1",
    );
    browser.focus("#save");
    browser.press("Enter");
    browser.wait("saved.length === 1 && saved[0] === document.getElementById('configuration').textContent");
    // These are all controls, except headings of columns, links in tables and downloads.
    let ids = browser.value(
        "[...document.querySelectorAll('input, select, button')].filter((one) => !one.closest('.table, .tools') && \
         !one.matches('[name=scale]')).map((one) => one.id).join(' ')",
    );
    assert_eq!(ids, "skip problem quantity theme cost quality across down search all-cells cell save");
    // The address restores the same view.
    let address = browser.value("location.hash.slice(1)");
    browser.open(&workspace.path("out/study.html"), address.as_str().expect("text"));
    assert_eq!(browser.text("#cell-values caption"), "Values of cell 7");
    assert_eq!(browser.value(&theme), "dark");
    browser.wait(&format!("{} === 6", option("heat-map", "yAxis[0].data.length")));
    assert_quiet(&browser);
}

/// On charts, arrow keys move, and Enter shows the cells of a result or field.
#[test]
fn charts_lead_to_cells() {
    let Some((workspace, mut browser)) = opened() else { return };
    browser.open(&workspace.path("out/study.html"), "problem=1&across=&down=seed");
    // A smooth scroll would move the chart during a click.
    browser.value("document.documentElement.style.scrollBehavior = 'auto'");
    let ranking = rows(&workspace.text("out/ranking.csv"));
    let mut placed = ranked(&ranking).into_iter().filter(|row| !row["mean_place"].is_empty());
    let last = &placed.next_back().expect("some are placed")["competitor"];
    let of_last = format!("only strategy = {last}, phase = 1");
    for (chart, key, spoken, expected) in [
        ("#median-chart", "Home", "LPT, max work: ", "only strategy = LPT, phase = 1"),
        ("#front-chart-0", "End", &**last, &of_last),
        ("#heat-map", "End", "seed: 5, ", "only seed = 5"),
    ] {
        browser.focus(&format!("{chart} .canvas"));
        browser.press(key);
        let said = browser.text("#spoken");
        assert!(said.starts_with(spoken), "{chart}: {said}");
        browser.press("Enter");
        let facts = browser.text("#cells-facts");
        assert!(facts.contains(expected), "{chart}: {facts}");
    }
    // A click on a row of the chart of medians has the same effect as Enter, and so have links of the tables.
    browser.show("median-chart");
    browser.click_at("#median-chart .canvas", 0.5, 0.15);
    assert!(browser.text("#cells-facts").contains("only strategy = LPT, phase = 1"));
    browser.focus("#cells-table tbody .link");
    browser.press("Enter");
    let cell = browser.value("document.getElementById('cell').value");
    let cell = cell.as_str().expect("text");
    assert_eq!(browser.text("#cell-values caption"), format!("Values of cell {cell}"));
    // The failed cells of a competitor, not all cells.
    browser.value(
        "[...document.querySelectorAll('#median-table .link')].find((one) => one.textContent.startsWith('broken')).click()",
    );
    let facts = browser.text("#cells-facts");
    assert!(facts.contains("only strategy = broken"), "{facts}");
    assert_quiet(&browser);
}

/// The configuration and the command of a cell give the results of the cell.
#[test]
fn a_cell_is_repeated_as_a_run() {
    let Some((workspace, mut browser)) = opened() else { return };
    browser.open(&workspace.path("out/study.html"), "cell=9");
    workspace.write("cell_9.yaml", browser.text("#configuration"));
    let command = browser.text("#command");
    let arguments: Vec<&str> = command.split(' ').collect();
    assert_eq!(arguments, ["lbaf", "run", "cell_9.yaml", "--output-dir", "cell_9"]);
    workspace.succeed(&arguments[1..]);
    let cells = rows(&workspace.text("out/cells.csv"));
    let summary = workspace.json("cell_9/summary.json");
    for (row, phase) in cells.iter().filter(|row| row["cell"] == "9").zip([0, 1]) {
        let its = &summary["phases"][phase];
        assert_eq!(float(row, "max_work"), its["after"]["work"]["max"].as_f64());
        assert_eq!(float(row, "migrations"), its["migrations"]["count"].as_f64());
    }
}

#[test]
fn text_can_be_read_and_nothing_is_cut_off() {
    let Some((workspace, mut browser)) = opened() else { return };
    let axe = axe();
    for (theme, width) in [("light", 390), ("dark", 1400)] {
        browser.resize(width);
        browser.open(&workspace.path("out/study.html"), &format!("theme={theme}"));
        browser.value("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })");
        assert_eq!(browser.value(PALE), json!([]), "{theme}");
        assert_eq!(browser.value(BEYOND), json!([]), "{width}");
        assert_controls_leave_room(&mut browser);
        if let Some(axe) = &axe {
            assert_accessible(&mut browser, axe, &format!("{theme}, {width} pixels"));
        }
    }
    let nameless = "[...document.querySelectorAll('input, select')].filter((one) => one.labels.length === 0).map((one) => one.id)";
    assert_eq!(browser.value(nameless), json!([]));
    let levels =
        browser.value("[...document.querySelectorAll('h1, h2, h3')].map((one) => Number(one.tagName[1]))");
    let levels: Vec<f64> = levels.as_array().expect("a list").iter().map(number).collect();
    assert!(levels[0] == 1.0 && levels.windows(2).all(|pair| pair[1] - pair[0] <= 1.0), "{levels:?}");
    // A competitor has the same colour in the chart of medians and on fronts.
    browser.show("front-chart-0");
    browser.show("median-chart");
    let colour = |chart: &str, name: &str| {
        format!(
            "(() => {{ const {{ data }} = echarts.getInstanceByDom(document.querySelector('#{chart} .canvas')).getOption().series[0]; \
                 return {name}.map((at) => data[at].itemStyle.borderColor ?? data[at].itemStyle.color); }})()"
        )
    };
    // Both list competitors by place; the chart of medians begins with the name of the problem.
    let medians = browser.value(&colour("median-chart", "[1, 2, 3]"));
    assert_eq!(medians, browser.value(&colour("front-chart-0", "[0, 1, 2]")));
    assert_quiet(&browser);
}

#[test]
fn unusual_studies_have_a_page_too() {
    let Some(mut browser) = Browser::start() else { return };
    let head = "configuration: {from_data: {data_stem: set}, algorithm: {name: Refine}}\noutput_dir: out\nplots: none\n";
    let studies = [
        ("no axis", String::new(), 0),
        ("one competitor", "axes: {seed: 0-2}\n".to_owned(), 0),
        ("without a result", "axes: {algorithm.parameters.tolerance: [none]}\n".to_owned(), 1),
        ("simulations", "command: simulate\naxes: {simulation.schedule: [never, algorithm]}\n".to_owned(), 0),
        (
            "markup",
            "axes: {\"<b>s\": {\"<script>\": {algorithm: {name: LPT}}, \"{a|b}\": {}}}\n".to_owned(),
            0,
        ),
    ];
    for (name, axes, code) in studies {
        let workspace = workspace(&format!("{head}{axes}"));
        assert_eq!(workspace.lbaf(&["study", "study.yaml"]).code, code, "{name}");
        workspace.succeed(&["report", "out"]);
        browser.open(&workspace.path("out/study.html"), "");
        let bad = browser.value("document.body.innerText.match(/NaN|undefined|Infinity|\\[object/)");
        assert!(bad.is_null(), "{name}: {bad}");
        assert_eq!(browser.value(BEYOND), json!([]), "{name}");
        assert_quiet(&browser);
    }
}
