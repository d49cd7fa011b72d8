// SPDX-License-Identifier: MIT OR Apache-2.0
//! Accessibility of the page of `lbaf report`: rules of axe-core, keys on all charts, and tables on a phone.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::page::{GOSSIP, assert_quiet, opened};
use crate::peers::skip;

/// Returns the text of axe-core, a checker of accessibility; `None`, with a message, if it is not installed.
pub(crate) fn axe() -> Option<String> {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/target")), PathBuf::from);
    let path = std::env::var_os("LBAF_AXE")
        .map_or_else(|| target.join("readers/node_modules/axe-core/axe.min.js"), PathBuf::from);
    let text = std::fs::read_to_string(path).ok();
    if text.is_none() {
        skip(
            "there is no axe-core (npm install --prefix target/readers axe-core, or LBAF_AXE=/path/to/axe.min.js)",
        );
    }
    text
}

/// Checks that axe-core finds no serious or critical violation on the open page, with all folds open.
#[track_caller]
pub(crate) fn assert_accessible(browser: &mut Browser, axe: &str, shown: &str) {
    browser.value("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })");
    browser.value(axe);
    let found = browser.value(
        "axe.run().then(({ violations }) => violations.filter(({ impact }) => ['serious', 'critical'].includes(impact)) \
         .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(' ')}`))",
    );
    assert_eq!(found, json!([]), "{shown}");
}

#[test]
fn axe_finds_nothing_serious() {
    let Some(axe) = axe() else { return };
    let Some((workspace, mut browser)) = opened(&GOSSIP) else { return };
    let page = workspace.path("out/report.html");
    for (theme, width) in [("light", 1400), ("dark", 1400), ("light", 390), ("dark", 390)] {
        browser.resize(width);
        browser.open(&page, &format!("theme={theme}"));
        assert_accessible(&mut browser, &axe, &format!("{theme}, {width} pixels"));
    }
    assert_quiet(&browser);
}

#[test]
fn every_chart_is_read_and_used_by_keys() {
    let Some((_workspace, mut browser)) = opened(&GOSSIP) else { return };
    let charts = browser.value(
        "[...document.querySelectorAll('figure:not([hidden])')].filter((one) => one.getClientRects().length > 0).map(({ id }) => id)",
    );
    let charts: Vec<String> = serde_json::from_value(charts).expect("a list of texts");
    assert_eq!(charts.len(), 9, "{charts:?}");
    for chart in &charts {
        browser.value("document.getElementById('spoken').textContent = ''");
        browser.focus(&format!("#{chart} .canvas"));
        browser.press("Home");
        browser.press("ArrowRight");
        assert_ne!(browser.text("#spoken"), "", "{chart}");
        browser.press("Enter");
    }
    // On the heat map, Down is the next phase.
    browser.focus("#heat-map .canvas");
    for key in ["Home", "ArrowRight", "ArrowRight", "ArrowDown"] {
        browser.press(key);
    }
    let said = browser.text("#spoken");
    assert!(said.starts_with("phase 1, rank 2, work: "), "{said}");
    browser.press("Enter");
    assert_eq!(browser.text("#rank-heading"), "Rank 2 in phase 1");
    // In a matrix, Down is the next rank that sends.
    browser.focus("#volume-before .canvas");
    for key in ["Home", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowDown"] {
        browser.press(key);
    }
    let said = browser.text("#spoken");
    assert!(said.starts_with("rank 3 sends to 1, volume before: "), "{said}");
    browser.press("Enter");
    assert_eq!(browser.text("#rank-heading"), "Rank 3 in phase 1");
    // A link of the contents keeps the selection in the address.
    browser.focus("#contents li:last-child a");
    browser.press("Enter");
    assert_eq!(browser.value("document.activeElement.id"), "iterations-heading");
    assert!(browser.value("location.hash").as_str().expect("text").contains("rank=3"));
    assert_quiet(&browser);
}

/// On a phone, the first column of a wide table stays, and controls scroll away with the page.
#[test]
fn tables_are_readable_on_a_phone() {
    let Some((workspace, mut browser)) = opened(&GOSSIP) else { return };
    browser.resize(390);
    browser.open(&workspace.path("out/report.html"), "");
    let covering =
        "[...document.querySelectorAll('#side, #controls')].map((one) => getComputedStyle(one).position)";
    assert_eq!(browser.value(covering), json!(["static", "static"]));
    let moved = browser.value(
        "(() => { const scroll = document.querySelector('#phases-table .scroll'); scroll.scrollLeft = 200; \
         const left = (place) => Math.round(scroll.querySelector(place).getBoundingClientRect().left - scroll.getBoundingClientRect().left); \
         return [scroll.scrollLeft, left('tbody th'), left('thead th'), scroll.scrollWidth > scroll.clientWidth]; })()",
    );
    assert_eq!(moved, json!([200, 0, 0, true]));
    let wide: Value = browser.value(
        "[...document.querySelectorAll('.scroll')].filter((one) => one.querySelector('tbody th')?.offsetWidth > one.clientWidth / 2).length",
    );
    assert_eq!(wide, 0, "columns beside the first are visible");
}
