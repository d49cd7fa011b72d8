// SPDX-License-Identifier: MIT OR Apache-2.0
//! First screen and matrices of the page of `lbaf report` in a browser.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::page::{GOSSIP, assert_quiet, number, opened};

#[test]
fn the_first_screen_has_numbers_chart_and_verdict_and_the_matrices_match_the_tables() {
    let Some((workspace, mut browser)) = opened(&GOSSIP) else { return };
    browser.open(&workspace.path("out/report.html"), "phase=1");
    let bottoms = browser.value(
        "['#headline', '#rank-chart .canvas', '#sentences'].map((place) => document.querySelector(place).getBoundingClientRect().bottom)",
    );
    let bottoms: Vec<f64> = serde_json::from_value(bottoms).expect("numbers");
    assert!(bottoms.iter().all(|&bottom| bottom > 0.0 && bottom <= 900.0), "{bottoms:?}");

    // The numbers are those of summary.json and timings.json.
    let summary = workspace.json("out/summary.json");
    let phase = &summary["phases"][1];
    let gap = |when: &str| number(&phase[when]["work"]["max"]) / number(&phase["lower_bound"]["work"]) - 1.0;
    let times = workspace.json("out/timings.json");
    let expected = [
        number(&phase["before"]["work"]["max"]),
        number(&phase["after"]["work"]["max"]),
        number(&phase["before"]["work"]["imbalance"]),
        number(&phase["after"]["work"]["imbalance"]),
        gap("before").max(0.0),
        gap("after").max(0.0),
        number(&phase["migrations"]["count"]),
        number(&times["strategy_seconds"][1]["seconds"]),
    ];
    let shown = crate::page::exact(&mut browser, "#headline .figure");
    assert_eq!(shown.len(), expected.len());
    for (shown, expected) in shown.iter().zip(expected) {
        assert!((shown - expected).abs() <= 1e-12 * expected.abs(), "{shown}, {expected}");
    }

    // Volumes and migrations between ranks match the tables of the run.
    let pair = |row: &[f64]| [row[0], row[1]].map(|rank| rank.to_string());
    browser.show("volume-before");
    browser.click("section:has(#pairs-tables) > details > summary");
    browser.wait("document.querySelectorAll('#pairs-tables table').length === 2");
    browser.value("document.querySelectorAll('#pairs-tables .table > button').forEach((one) => one.click())");
    let rows = |browser: &mut crate::browser::Browser, at: usize| -> BTreeMap<[String; 2], Vec<f64>> {
        let rows = browser.value(&format!(
            "[...document.querySelectorAll('#pairs-tables table')[{at}].querySelectorAll('tbody tr')].map((row) => [...row.children].map((cell) => Number(cell.querySelector('data')?.value ?? cell.textContent)))"
        ));
        let rows: Vec<Vec<f64>> = serde_json::from_value(rows).expect("rows of numbers");
        rows.into_iter().map(|row| (pair(&row), row[2..].to_vec())).collect()
    };
    let table = |name: &str, columns: &[&str]| -> Vec<Vec<f64>> {
        let text = workspace.text(name);
        let names: Vec<&str> = text.lines().next().expect("a header").split(',').collect();
        let at = |column: &&str| names.iter().position(|name| name == column).expect("a column");
        let cells = |row: &str| -> Vec<f64> {
            let cells: Vec<&str> = row.split(',').collect();
            columns.iter().map(|column| cells[at(column)].parse().expect("a number")).collect()
        };
        text.lines().skip(1).filter(|row| row.starts_with("1,")).map(cells).collect()
    };
    let volumes: BTreeMap<[String; 2], Vec<f64>> =
        table("out/rank_volumes.csv", &["from_rank", "to_rank", "bytes_before", "bytes_after"])
            .into_iter()
            .map(|row| (pair(&row), row[2..].to_vec()))
            .collect();
    let mut flows: BTreeMap<[String; 2], Vec<f64>> = BTreeMap::new();
    for row in table("out/migrations.csv", &["from_rank", "to_rank", "load_s", "migration_bytes"]) {
        let sums = flows.entry(pair(&row)).or_insert_with(|| vec![0.0; 3]);
        sums.iter_mut().zip([1.0, row[2], row[3]]).for_each(|(sum, more)| *sum += more);
    }
    assert!(!volumes.is_empty() && !flows.is_empty());
    for (at, expected) in [volumes, flows].into_iter().enumerate() {
        let shown = rows(&mut browser, at);
        assert!(shown.keys().eq(expected.keys()), "{shown:?}, {expected:?}");
        for (shown, expected) in shown.values().flatten().zip(expected.values().flatten()) {
            assert!((shown - expected).abs() <= 1e-6 * expected, "{shown}, {expected}");
        }
    }

    // Matrices are square in every width.
    for width in [390, 800, 1400] {
        browser.resize(width);
        let plot: Value = browser.value(
            "(() => { const chart = echarts.getInstanceByDom(document.querySelector('#volume-before .canvas')); \
             chart.resize(); const { width, height } = chart.getModel().getComponent('grid').coordinateSystem.getRect(); return [width, height]; })()",
        );
        assert!((number(&plot[0]) - number(&plot[1])).abs() < 1.0, "{width}: {plot}");
    }
    assert_quiet(&browser);
}
