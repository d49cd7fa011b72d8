// SPDX-License-Identifier: MIT OR Apache-2.0
//! Downloads, sorting and searching on the page of `lbaf report` in a browser.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::browser::Browser;
use crate::page::{GOSSIP, assert_quiet, number, opened};
use crate::workspace::Workspace;

/// Clicks a button and returns the file that the browser saves.
fn saved(workspace: &Workspace, browser: &mut Browser, button: &str, name: &str) -> Vec<u8> {
    browser.click(button);
    let path = workspace.path(&format!("saved/{name}"));
    let started = Instant::now();
    // The browser reserves the name with an empty file, and renames the complete file to it.
    while path.metadata().map_or(0, |file| file.len()) == 0 {
        assert!(started.elapsed() < Duration::from_secs(30), "{name} is not saved");
        std::thread::sleep(Duration::from_millis(10));
    }
    std::fs::read(path).expect("the file can be read")
}

/// Returns the texts of a column of a table.
fn column(browser: &mut Browser, table: &str, at: usize) -> Vec<String> {
    let found = browser.value(&format!(
        "[...document.querySelectorAll('#{table} tbody tr')].map((row) => row.children[{at}].textContent)"
    ));
    found.as_array().expect("a list").iter().map(|text| text.as_str().expect("text").to_owned()).collect()
}

#[test]
fn tables_and_charts_are_saved_and_tables_sorted_and_searched() {
    let Some((workspace, mut browser)) = opened(&GOSSIP) else { return };
    std::fs::create_dir(workspace.path("saved")).expect("a directory can be made");
    let folder = json!({"behavior": "allow", "downloadPath": workspace.path("saved").display().to_string()});
    browser.call("Page.setDownloadBehavior", &folder);
    browser.open(&workspace.path("out/report.html"), "phase=1");

    // The table of all ranks has the values of ranks.csv, to seven digits.
    browser.value("document.getElementById('ranks-table').scrollIntoView({ behavior: 'instant' })");
    browser.wait("document.querySelectorAll('#ranks-table tbody tr').length === 12");
    let csv = saved(&workspace, &mut browser, "#ranks-table .small", "all-ranks-in-phase-1.csv");
    let csv = String::from_utf8(csv).expect("text");
    let (header, rows) = csv.split_once('\n').expect("a header");
    assert!(header.starts_with("rank,load (s) before,load (s) after,work before,work after,"), "{header}");
    let ranks = workspace.text("out/ranks.csv");
    let names: Vec<&str> = ranks.lines().next().expect("a header").split(',').collect();
    let at = |name: &str| names.iter().position(|column| *column == name).expect("a column");
    let mut loads = Vec::new();
    for (row, shown) in ranks.lines().filter(|row| row.starts_with("1,")).zip(rows.lines()) {
        let (row, shown): (Vec<&str>, Vec<&str>) = (row.split(',').collect(), shown.split(',').collect());
        assert_eq!(shown[0], row[at("rank")]);
        let columns = ["load_s_before", "load_s_after", "work_before", "work_after"];
        for (column, shown) in columns.iter().zip(&shown[1..]) {
            let [exact, shown]: [f64; 2] =
                [row[at(column)], shown].map(|cell| cell.parse().expect("a number"));
            assert!((exact - shown).abs() <= 1e-6 * exact, "{column}: {exact}, {shown}");
        }
        loads.push((shown[2].parse::<f64>().expect("a number"), shown[0].to_owned()));
    }
    assert_eq!(loads.len(), 12);

    // Sorted by load after, from the largest, with the keyboard; then from the smallest.
    browser.focus("#ranks-table thead th:nth-child(3) button");
    browser.press("Enter");
    loads.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut expected: Vec<&String> = loads.iter().map(|(_, rank)| rank).collect();
    assert_eq!(column(&mut browser, "ranks-table", 0).iter().collect::<Vec<_>>(), expected);
    let sorted = "document.querySelector('#ranks-table thead th:nth-child(3)').ariaSort";
    assert_eq!(browser.value(sorted), "descending");
    browser.press("Enter");
    assert_eq!(browser.value(sorted), "ascending");
    expected.reverse();
    assert_eq!(column(&mut browser, "ranks-table", 0).iter().collect::<Vec<_>>(), expected);
    // The order stays in another phase, and the focus on the button that selects a rank.
    browser.focus("#ranks-table tbody tr:nth-child(3) button");
    browser.press("Enter");
    assert_eq!(browser.text("#rank-heading"), format!("Rank {} in phase 1", expected[2]));
    assert_eq!(browser.value(sorted), "ascending");
    assert_eq!(
        browser.value("document.activeElement.getAttribute('aria-label')"),
        format!("Show rank {}", expected[2])
    );

    // Objects: the largest load first; a search for an object finds it.
    browser.value("document.getElementById('objects-table').scrollIntoView({ behavior: 'instant' })");
    browser.wait("document.querySelectorAll('#objects-table tbody tr').length === 100");
    let loads = column(&mut browser, "objects-table", 1);
    let loads: Vec<f64> = loads.iter().map(|load| load.parse().expect("a number")).collect();
    assert!(loads.windows(2).all(|pair| pair[0] >= pair[1]), "{loads:?}");
    let object = column(&mut browser, "objects-table", 0)[40].clone();
    browser.write("#objects-table input", &object);
    assert!(column(&mut browser, "objects-table", 0).contains(&object));
    let found = browser.text("#objects-table output");
    assert!(found.ends_with(" of 200 rows"), "{found}");

    // Charts, light even on a dark page.
    browser.value("location.hash = 'theme=dark'");
    browser.wait("document.documentElement.dataset.theme === 'dark'");
    let button = |kind: &str, chart: &str| format!("#{chart} [aria-label^=\"Save as {kind}\"]");
    let svg = saved(&workspace, &mut browser, &button("SVG", "rank-chart"), "rank-chart-work-phase-1.svg");
    let svg = String::from_utf8(svg).expect("text");
    assert!(svg.starts_with("<svg") && svg.contains("ranks, largest first") && svg.contains(">before<"));
    assert!(!svg.contains("#15181c"), "the colour of the dark ground");
    let parsed = format!(
        "new DOMParser().parseFromString({}, 'image/svg+xml').querySelector('parsererror') === null",
        json!(svg)
    );
    assert_eq!(browser.value(&parsed), true, "other programs read the file: {svg}");
    browser.show("volume-after");
    let svg = saved(&workspace, &mut browser, &button("SVG", "volume-after"), "volume-after-phase-1.svg");
    assert!(String::from_utf8(svg).expect("text").contains("data:image/png"), "cells are an image");
    let png = saved(&workspace, &mut browser, &button("PNG", "rank-chart"), "rank-chart-work-phase-1.png");
    let size = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
    assert!(png.starts_with(b"\x89PNG") && size(16) == 3 * 680 && size(20) > 3 * 300, "{}", size(16));
    assert_eq!(browser.value("document.documentElement.dataset.theme"), "dark");
    // Files are blobs that the page makes, not requests.
    browser.requests.retain(|address| !address.starts_with("blob:"));
    assert_quiet(&browser);
}

/// A name that a spreadsheet would evaluate is escaped as in all files of lbaf.
#[test]
fn cells_of_files_are_no_formulas() {
    let Some((workspace, mut browser)) = opened(&GOSSIP) else { return };
    workspace.succeed(&["report", "out", "out", "--names", "=1+1,\"a;b\"", "--output", "odd.html"]);
    std::fs::create_dir(workspace.path("saved")).expect("a directory can be made");
    let folder = json!({"behavior": "allow", "downloadPath": workspace.path("saved").display().to_string()});
    browser.call("Page.setDownloadBehavior", &folder);
    browser.open(&workspace.path("odd.html"), "phase=1");
    let csv = saved(&workspace, &mut browser, "#comparison-table .small", "phase-1.csv");
    let csv = String::from_utf8(csv).expect("text");
    assert!(csv.starts_with("in phase 1,\"'=1+1\",\"\"\"a;b\"\"\"\n"), "{csv}");
    let work = number(&workspace.json("out/summary.json")["phases"][1]["after"]["work"]["max"]);
    assert!(csv.contains(&format!("maximum work after,{work},{work}\n")), "{csv}");
}
