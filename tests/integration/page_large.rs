// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page of a large run in a browser: charts draw few points, and a choice redraws only visible charts.

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::page::{Drawn, assert_quiet, number, opened};

/// Three thousand ranks with an object each, in two phases.
const LARGE: Drawn = Drawn {
    n_ranks: 3000,
    n_objects: 3000,
    n_phases: 2,
    loads: "{name: pareto, parameters: [0.01, 3]}",
    degree: 1,
    strategy: "{name: RotateLB}",
};

/// Returns the number of drawings of each chart.
fn drawings(browser: &mut Browser) -> Value {
    browser.value(
        "Object.fromEntries([...document.querySelectorAll('figure')].map((one) => [one.id, Number(one.querySelector('.canvas')?.dataset.drawn ?? 0)]))",
    )
}

#[test]
fn a_choice_redraws_few_points_in_visible_charts() {
    let Some((workspace, mut browser)) = opened(&LARGE) else { return };
    let first = drawings(&mut browser);
    assert_eq!(
        [&first["rank-chart"], &first["heat-map"], &first["volume-after"]],
        [&json!(1), &json!(0), &json!(0)],
        "{first}"
    );
    browser.value("location.hash = 'quantity=load&phase=0&rank=17'");
    browser.wait("document.getElementById('rank-heading').textContent === 'Rank 17 in phase 0'");
    let second = drawings(&mut browser);
    assert_eq!(
        [&second["rank-chart"], &second["heat-map"], &second["object-chart"]],
        [&json!(2), &json!(0), &json!(0)],
        "{second}"
    );

    // The lines have less than two points for each pixel, and the extreme values.
    let lines = "echarts.getInstanceByDom(document.querySelector('#rank-chart .canvas')).getOption().series.filter(({ type, data }) => type === 'line' && data.length > 2).map(({ data }) => data)";
    for order in ["sorted", "rank"] {
        browser.value(&format!("location.hash = 'order={order}&quantity=load&phase=0'"));
        browser.wait(&format!("document.querySelector('#order [value={order}]').checked"));
        let lines = browser.value(lines);
        let lines = lines.as_array().expect("a list");
        assert_eq!(lines.len(), 2);
        for (line, when) in lines.iter().zip(["before", "after"]) {
            let points: Vec<f64> =
                line.as_array().expect("a list").iter().map(|point| number(&point[1])).collect();
            assert!(points.len() < 2000, "{order}, {when}: {}", points.len());
            let load = &workspace.json("out/summary.json")["phases"][0][when]["load"];
            let [least, most] = ["min", "max"].map(|key| number(&load[key]));
            let drawn = points.iter().fold((f64::MAX, 0.0_f64), |(a, b), &y| (a.min(y), b.max(y)));
            let close = |one: f64, other: f64| (one - other).abs() < 1e-6 * most;
            assert!(close(drawn.0, least) && close(drawn.1, most), "{order}, {when}: {drawn:?}");
        }
    }
    // A key selects any rank, drawn or not.
    browser.focus("#rank-chart .canvas");
    for key in ["Home", "ArrowRight", "ArrowRight", "ArrowRight"] {
        browser.press(key);
    }
    assert!(browser.text("#spoken").starts_with("rank 3, before: "));
    browser.press("Enter");
    assert_eq!(browser.text("#rank-heading"), "Rank 3 in phase 0");

    // Ticks are round in all windows of the zoom bar.
    let labels = "echarts.getInstanceByDom(document.querySelector('#rank-chart .canvas')).getModel().getComponent('xAxis').axis.getViewLabels().map(({ tick }) => tick.value)";
    for (key, step) in [("0", 500), ("+", 200), ("+", 100)] {
        browser.press(key);
        let found = browser.value(labels);
        let found: Vec<u64> = serde_json::from_value(found).expect("whole numbers");
        assert!(found.len() > 3 && found.iter().all(|tick| tick % step == 0), "{found:?}");
        assert!(found.windows(2).all(|pair| pair[1] - pair[0] == step), "{found:?}");
    }

    // Tables of ranks show a hundred rows, and matrices have groups of ranks: 3000 ranks in 250 groups of 12.
    browser.show("volume-after");
    assert_eq!(browser.value("document.querySelectorAll('#ranks-table tbody tr').length"), 100);
    assert!(browser.text("#between-note").contains("groups of 12 consecutive ranks"));
    assert_quiet(&browser);
}
