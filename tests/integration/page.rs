// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page of `lbaf report` in a browser: content and controls.

use serde_json::Value;

use crate::browser::Browser;
use crate::workspace::Workspace;

/// A synthetic data set and the strategy that balances it.
pub(crate) struct Drawn {
    pub(crate) n_ranks: usize,
    pub(crate) n_objects: usize,
    pub(crate) n_phases: usize,
    pub(crate) loads: &'static str,
    pub(crate) degree: usize,
    pub(crate) strategy: &'static str,
}

pub(crate) const GOSSIP: Drawn = Drawn {
    n_ranks: 12,
    n_objects: 200,
    n_phases: 3,
    loads: "{name: pareto, parameters: [0.01, 3]}",
    degree: 4,
    strategy: "{name: InformAndTransfer, parameters: {n_iterations: 4}}",
};

/// Runs a strategy on synthetic data, with outputs in the directory `name`; returns the standard output.
pub(crate) fn run(workspace: &Workspace, name: &str, drawn: &Drawn) -> String {
    let Drawn { n_ranks, n_objects, n_phases, loads, degree, strategy } = drawn;
    workspace.write(
        &format!("{name}.yaml"),
        format!(
            "from_samplers: {{n_ranks: {n_ranks}, n_objects: {n_objects}, n_mapped_ranks: 0, load_sampler: {loads}, \
             communication_degree: {degree}, volume_sampler: {{name: exponential, parameters: [64.0e+3]}}, n_phases: {n_phases}}}\n\
             work_model: {{name: AffineCombination, parameters: {{beta: 1.0e-10}}}}\n\
             algorithm: {strategy}\noutput_dir: {name}\noutput_file_stem: {name}\nplots: none\n\
             write_JSON: {{compressed: false}}\n"
        ),
    );
    workspace.succeed(&["run", &format!("{name}.yaml")])
}

/// Opens the page of a run in a browser.
pub(crate) fn opened(drawn: &Drawn) -> Option<(Workspace, Browser)> {
    let mut browser = Browser::start()?;
    let workspace = Workspace::new();
    run(&workspace, "out", drawn);
    workspace.succeed(&["report", "out"]);
    browser.open(&workspace.path("out/report.html"), "");
    Some((workspace, browser))
}

/// Checks that the page requested only its file and reported no error.
#[track_caller]
pub(crate) fn assert_quiet(browser: &Browser) {
    assert_eq!(browser.complaints, Vec::<String>::new());
    let others: Vec<&String> = browser
        .requests
        .iter()
        .filter(|address| !address.starts_with("file://") && !address.starts_with("data:"))
        .collect();
    assert_eq!(others, Vec::<&String>::new());
    let files = browser.requests.iter().filter(|address| address.starts_with("file://")).count();
    assert_eq!(files, 1, "{:?}", browser.requests);
}

pub(crate) fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// Returns the exact values of the number elements below an element.
pub(crate) fn exact(browser: &mut Browser, selector: &str) -> Vec<f64> {
    let found = browser.value(&format!(
        "[...document.querySelectorAll({:?})].map((one) => Number(one.value))",
        format!("{selector} data")
    ));
    found.as_array().expect("a list").iter().map(number).collect()
}

#[test]
fn numbers_and_sentences_are_those_of_the_summary() {
    let Some((workspace, mut browser)) = opened(&GOSSIP) else { return };
    let summary = workspace.json("out/summary.json");
    let said = browser.value("[...document.querySelectorAll('#sentences p')].map((one) => one.textContent)");
    assert_eq!(said, summary["sentences"]);
    for phase in summary["phases"].as_array().expect("a list") {
        browser.value(&format!("location.hash = 'phase={}'", phase["phase"]));
        browser.wait(&format!("document.getElementById('phase-shown').textContent === '{}'", phase["phase"]));
        let mut expected = Vec::new();
        for quantity in ["load", "work", "sent_volume", "received_volume", "num_objects"] {
            for when in ["before", "after"] {
                let moments = &phase[when][quantity];
                let keys = ["min", "mean", "max", "imbalance", "deviation", "skewness", "kurtosis"];
                expected.extend(keys.map(|key| number(&moments[key])));
            }
        }
        assert_eq!(exact(&mut browser, "#phase-table > .table"), expected);
        let bounds =
            phase["lower_bounds"].as_array().expect("a list").iter().map(|bound| number(&bound["work"]));
        assert_eq!(exact(&mut browser, "#phase-table details"), bounds.collect::<Vec<f64>>());
        let facts = browser.text("#phase-facts");
        assert!(
            facts.starts_with(&format!("Migrations: {} of 200 objects", phase["migrations"]["count"])),
            "{facts}"
        );
    }
    let rows = summary["phases"].as_array().expect("a list").iter().flat_map(|phase| {
        [
            number(&phase["before"]["work"]["max"]),
            number(&phase["after"]["work"]["max"]),
            number(&phase["lower_bound"]["work"]),
            number(&phase["before"]["work"]["imbalance"]),
            number(&phase["after"]["work"]["imbalance"]),
            number(&phase["before"]["load"]["imbalance"]),
            number(&phase["after"]["load"]["imbalance"]),
            number(&phase["migrations"]["count"]),
        ]
    });
    assert_eq!(exact(&mut browser, "#phases-table"), rows.collect::<Vec<f64>>());
    assert_quiet(&browser);
}

#[test]
fn tables_print_numbers_as_the_console_does() {
    let Some(mut browser) = Browser::start() else { return };
    let workspace = Workspace::new();
    let console = run(&workspace, "out", &GOSSIP);
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = console.lines().map(words).collect();
    workspace.succeed(&["report", "out"]);
    // The page opens at the phase that the console shows in detail.
    browser.open(&workspace.path("out/report.html"), "");
    for (rows, n_rows) in [("#phase-table > .table", 10), ("#phases-table", 3)] {
        let rows = browser.value(&format!(
            "[...document.querySelectorAll('{rows} tbody tr')].map((row) => [...row.children].slice(1).map((cell) => cell.textContent).join(' '))"
        ));
        let rows = rows.as_array().expect("a list");
        assert_eq!(rows.len(), n_rows);
        for row in rows {
            let row = row.as_str().expect("text").replace("the mean", "mean");
            assert!(lines.iter().any(|line| line.ends_with(&row)), "{row} is not in {console}");
        }
    }
}

/// Returns an expression: true if a chart has a dashed horizontal line at a value, within a pixel.
fn level(chart: &str, value: f64) -> String {
    format!(
        "(() => {{ const chart = echarts.getInstanceByDom(document.querySelector('#{chart} .canvas')); \
         const height = chart.convertToPixel({{ yAxisIndex: 0 }}, {value}); \
         return chart.getZr().storage.getDisplayList().some(({{ style, shape }}) => style.lineDash && \
         shape.y1 === shape.y2 && Math.abs(shape.y1 - height) < 1); }})()"
    )
}

/// All values are far smaller than the unit to which the chart library rounds.
#[test]
fn means_and_bounds_are_drawn_at_their_values() {
    let loads = "{name: pareto, parameters: [0.0001, 3]}";
    let Some((workspace, mut browser)) = opened(&Drawn { loads, n_phases: 1, ..GOSSIP }) else { return };
    let phase = &workspace.json("out/summary.json")["phases"][0];
    let mean = number(&phase["after"]["work"]["mean"]);
    let bound = number(&phase["lower_bound"]["work"]);
    browser.show("iteration-chart");
    for (chart, value) in [("rank-chart", mean), ("rank-chart", bound), ("iteration-chart", bound)] {
        assert_eq!(browser.value(&level(chart, value)), true, "{value} in {chart}");
    }
    assert_eq!(browser.value(&level("rank-chart", mean * 1.1)), false);
}

/// Objects and volumes are recounted from the files of the run and the list of migrations.
#[test]
fn objects_and_neighbours_of_a_rank_match_the_files() {
    let Some((workspace, mut browser)) = opened(&GOSSIP) else { return };
    browser.value("location.hash = 'phase=1&rank=5'");
    browser.wait("document.getElementById('rank-heading').textContent === 'Rank 5 in phase 1'");
    let mut owner = std::collections::BTreeMap::new();
    let mut expected = Vec::new();
    let moved = workspace.text("out/migrations.csv");
    let from = |id: u64, to: u64| {
        let row = moved
            .lines()
            .map(|line| line.split(',').collect::<Vec<_>>())
            .find(|row| row[0] == "1" && row[2] == id.to_string());
        row.map_or(to, |row| row[3].parse().expect("a rank"))
    };
    let documents = workspace.documents("out/out");
    for (rank, document) in (0..).zip(&documents) {
        for task in crate::vom::list(crate::vom::phase(document, 1), "tasks") {
            let id = task["entity"]["id"].as_u64().expect("an id");
            owner.insert(id, rank);
            if rank == 5 || from(id, rank) == 5 {
                expected.push(vec![id.to_string(), from(id, rank).to_string(), rank.to_string()]);
            }
        }
    }
    let shown = browser.value(
        "[...document.querySelectorAll('#object-table tbody tr')].map((row) => [0, 3, 4].map((at) => row.children[at].textContent)).sort()",
    );
    expected.sort();
    assert_eq!(shown, serde_json::to_value(&expected).expect("plain data"));

    let mut volume = std::collections::BTreeMap::<u64, f64>::new();
    for document in &documents {
        for edge in crate::vom::list(crate::vom::phase(document, 1), "communications") {
            let end = |end: &str| owner[&edge[end]["id"].as_u64().expect("an id")];
            let (from, to) = (end("from"), end("to"));
            if from != to && (from == 5 || to == 5) {
                *volume.entry(from + to - 5).or_default() += number(&edge["bytes"]);
            }
        }
    }
    let shown = browser.value(
        "JSON.parse(document.getElementById('data').textContent).runs[0].phases[1].detail.neighbours.rank.n",
    );
    assert!(number(&shown) > 0.0);
    let rows = browser.value(
        "[...document.querySelectorAll('#neighbour-table tbody tr')].map((row) => [row.children[0].textContent, row.children[2].textContent])",
    );
    for row in rows.as_array().expect("a list") {
        let other: u64 = row[0].as_str().expect("text").parse().expect("a rank");
        let printed = row[1].as_str().expect("text");
        let (amount, unit) = printed.split_once(' ').expect("a number and a unit");
        let scale =
            [("B", 1.0), ("kB", 1e3), ("MB", 1e6)].iter().find(|(name, _)| *name == unit).expect("a unit").1;
        let amount = amount.parse::<f64>().expect("a number") * scale;
        let expected = volume.remove(&other).unwrap_or(0.0);
        assert!((amount - expected).abs() <= 0.006 * expected, "rank {other}: {printed}, but {expected}");
    }
    assert!(volume.is_empty(), "not shown: {volume:?}");
    assert_quiet(&browser);
}

#[test]
fn every_control_has_its_effect() {
    let Some((workspace, mut browser)) = opened(&GOSSIP) else { return };
    let summary = workspace.json("out/summary.json");
    browser.value("location.hash = 'phase=0'");
    browser.wait("document.getElementById('phase-shown').textContent === '0'");

    // The slider over phases, with keys; all charts and the address follow.
    browser.focus("#phase");
    browser.press("ArrowRight");
    assert_eq!(browser.text("#phase-heading"), "Phase 1 before and after");
    assert!(browser.value("location.hash").as_str().expect("text").contains("phase=1"));
    let label = browser.value("document.querySelector('#rank-chart .canvas').getAttribute('aria-label')");
    assert!(label.as_str().expect("text").contains("in phase 1"), "{label}");

    // Playing stops at the last phase.
    browser.press("Home");
    browser.click("#play");
    assert_eq!(browser.text("#play"), "Pause");
    browser.wait("document.getElementById('phase-shown').textContent === '2'");
    assert_eq!(browser.text("#play"), "Play");

    // A rank by its number; a number that is too large selects the last rank.
    browser.write("#rank", "7");
    assert_eq!(browser.text("#rank-heading"), "Rank 7 in phase 2");
    browser.write("#rank", "99");
    assert_eq!(browser.text("#rank-heading"), "Rank 11 in phase 2");

    // The quantity, with keys.
    browser.value("document.getElementById('quantity').value");
    browser.focus("#quantity");
    browser.press("ArrowDown");
    assert_eq!(browser.value("document.getElementById('quantity').value"), "sent");
    let axis = browser.value(
        "echarts.getInstanceByDom(document.querySelector('#rank-chart .canvas')).getOption().yAxis[0].name",
    );
    assert_eq!(axis, "sent off-rank");

    // The order of ranks, and a click that selects a rank.
    browser.click("#order [value=rank]");
    let order =
        "echarts.getInstanceByDom(document.querySelector('#rank-chart .canvas')).getOption().xAxis[0].name";
    assert_eq!(browser.value(order), "rank");
    browser.click_at("#rank-chart .canvas", 0.5, 0.5);
    let clicked = browser.value("Number(document.getElementById('rank').value)");
    assert!((5.0..=6.0).contains(&number(&clicked)), "{clicked}");

    // Hovering shows a tooltip, arrow keys move along the chart, and Enter selects.
    browser.hover("#rank-chart .canvas", 0.2, 0.5);
    browser.wait("document.querySelector('#rank-chart .tip')?.textContent.includes('before:')");
    browser.focus("#rank-chart .canvas");
    browser.press("Home");
    browser.press("ArrowRight");
    assert!(browser.text("#spoken").starts_with("rank 1, before: "));
    browser.press("Enter");
    assert_eq!(browser.text("#rank-heading"), "Rank 1 in phase 2");

    // A link to a neighbour, and a link to a phase in the table.
    let neighbour = browser.text("#neighbour-table tbody .link");
    browser.click("#neighbour-table tbody .link");
    assert_eq!(browser.text("#rank-heading"), format!("Rank {neighbour} in phase 2"));
    browser.click("#phases-table tbody .link");
    assert_eq!(browser.text("#phase-shown"), "0");

    // The chart as a table.
    browser.click("#rank-chart summary");
    browser.wait("document.querySelectorAll('#rank-chart tbody tr').length === 12");

    // Heat map, axis, iterations.
    browser.click("#when [value=before]");
    assert!(browser.text("#heat-map figcaption").contains("before"));
    browser.click("#scale [value=log]");
    browser.wait(
        "echarts.getInstanceByDom(document.querySelector('#phase-chart .canvas'))?.getOption().yAxis[0].type === 'log'",
    );
    browser.focus("#iteration");
    browser.press("Home");
    assert_eq!(browser.text("#iteration-shown"), "start");
    browser.press("ArrowRight");
    let transfers = &summary["phases"][0]["iterations"][0]["transfers"];
    let facts = browser.text("#iteration-facts");
    assert!(
        facts.starts_with("Iteration 1: ") && facts.contains(&format!("transfers {transfers}")),
        "{facts}"
    );
    browser.focus("#measure");
    browser.press("ArrowDown");
    assert_eq!(browser.value("document.getElementById('measure').value"), "load_imbalance");

    // Colour theme.
    browser.focus("#theme");
    browser.press("End");
    assert_eq!(browser.value("document.documentElement.dataset.theme"), "dark");

    // Printing uses the light theme.
    browser.value("window.dispatchEvent(new Event('beforeprint'))");
    assert_eq!(browser.value("document.documentElement.dataset.theme"), "light");
    browser.value("window.dispatchEvent(new Event('afterprint'))");
    assert_eq!(browser.value("document.documentElement.dataset.theme"), "dark");

    // The address restores the same view.
    let address = browser.value("location.hash.slice(1)");
    browser.open(&workspace.path("out/report.html"), address.as_str().expect("text"));
    assert_eq!(browser.text("#rank-heading"), format!("Rank {neighbour} in phase 0"));
    assert_eq!(browser.value("document.documentElement.dataset.theme"), "dark");
    assert_eq!(browser.value("document.getElementById('quantity').value"), "sent");
    assert_quiet(&browser);
}

#[test]
fn many_ranks_can_be_zoomed_with_keys() {
    let drawn = Drawn { n_ranks: 60, n_phases: 1, ..GOSSIP };
    let Some((_workspace, mut browser)) = opened(&drawn) else { return };
    let shown = "(() => { const { start, end } = echarts.getInstanceByDom(document.querySelector('#rank-chart .canvas')).getOption().dataZoom[0]; return Math.round(end - start); })()";
    assert_eq!(browser.value(shown), 100);
    browser.focus("#rank-chart .canvas");
    browser.press("+");
    assert_eq!(browser.value(shown), 50);
    browser.press("0");
    assert_eq!(browser.value(shown), 100);
    // A single phase has no chart over phases.
    assert_eq!(
        browser.value("[...document.querySelectorAll('#phases, #phase-control')].every((one) => one.hidden)"),
        true
    );
    assert_quiet(&browser);
}

/// A large page omits values of ranks and iterations of some phases.
#[test]
fn omitted_content_is_named_at_its_place() {
    let Some((workspace, mut browser)) = opened(&GOSSIP) else { return };
    let html = workspace.text("out/report.html");
    let (head, rest) = html.split_once(r#"id="data">"#).expect("a page has data");
    let (data, tail) = rest.split_once("</script>").expect("elements end");
    let mut data: Value = serde_json::from_str(data).expect("data are JSON");
    let phase = &mut data["runs"][0]["phases"][0];
    phase["iterations"] = serde_json::json!([]);
    for quantity in phase["quantities"].as_array_mut().expect("a list") {
        for when in ["before", "after"] {
            quantity[when]["values"] = Value::Null;
        }
    }
    workspace.write("less.html", format!(r#"{head}id="data">{data}</script>{tail}"#));
    browser.open(&workspace.path("less.html"), "phase=0");
    let caption = browser.text("#rank-chart figcaption");
    assert!(caption.starts_with("Values of individual ranks are not on this page"), "{caption}");
    browser.click_at("#rank-chart .canvas", 0.5, 0.5);
    browser.focus("#rank-chart .canvas");
    browser.press("ArrowRight");
    browser.press("Enter");
    let facts = browser.text("#iteration-facts");
    assert!(facts.starts_with("The 4 iterations of this phase are not on this page"), "{facts}");
    let caption = browser.text("#heat-map figcaption");
    assert!(caption.contains("values of ranks for 2 of 3 phases"), "{caption}");
    assert_quiet(&browser);
}

#[test]
fn the_migration_reduction_is_labelled() {
    let gossip = "{name: InformAndTransfer, parameters: {n_iterations: 4, homeward: true}}";
    let Some((workspace, mut browser)) = opened(&Drawn { strategy: gossip, ..GOSSIP }) else { return };
    let summary = workspace.json("out/summary.json");
    let at = summary["phases"]
        .as_array()
        .expect("a list")
        .iter()
        .position(|phase| phase["iterations"].as_array().is_some_and(|iterations| iterations.len() == 5));
    let at = at.expect("a phase that ends with the migration reduction");
    browser.open(&workspace.path("out/report.html"), &format!("phase={at}&iteration=5"));
    assert_eq!(browser.text("#iteration-shown"), "migration reduction");
    assert!(browser.text("#iteration-facts").starts_with("Migration reduction: maximum work "));
    browser.open(&workspace.path("out/report.html"), &format!("phase={at}&iteration=4"));
    assert_eq!(browser.text("#iteration-shown"), "4");
    assert_quiet(&browser);
}
