// SPDX-License-Identifier: MIT OR Apache-2.0
//! Several runs on one page of `lbaf report` in a browser: marks of better runs, and runs that are not comparable.

use crate::browser::Browser;
use crate::page::{Drawn, GOSSIP, assert_quiet, exact, number, run};
use crate::workspace::Workspace;

#[test]
fn two_runs_are_compared() {
    let Some(mut browser) = Browser::start() else { return };
    let workspace = Workspace::new();
    run(&workspace, "gossip", &GOSSIP);
    run(&workspace, "greedy", &Drawn { strategy: "{name: Greedy}", ..GOSSIP });
    workspace.succeed(&["report", "gossip", "greedy", "--output", "both.html"]);
    browser.open(&workspace.path("both.html"), "phase=1");
    let summaries = ["gossip/summary.json", "greedy/summary.json"].map(|name| workspace.json(name));
    let work = summaries.each_ref().map(|summary| number(&summary["phases"][1]["after"]["work"]["max"]));
    let shown = exact(&mut browser, "#comparison-table tbody tr:nth-child(2)");
    assert_eq!(shown[..2], work);
    let best = browser.value("[...document.querySelectorAll('#comparison-table tbody tr:nth-child(2)')][0].querySelectorAll('td')[1].className");
    assert_eq!(best == "best", work[1] < work[0]);
    let names = browser
        .value("[...document.querySelectorAll('#rank-chart .legend li')].map((one) => one.textContent)");
    assert!(
        names.to_string().contains("after InformAndTransfer") && names.to_string().contains("after Greedy"),
        "{names}"
    );

    // Selects the other run, then deselects the run to compare it with.
    browser.focus("#a");
    browser.press("ArrowDown");
    assert_eq!(browser.text("#phase-heading"), "Phase 1 before and after: Greedy");
    browser.focus("#b");
    browser.press("Home");
    let names = browser
        .value("[...document.querySelectorAll('#rank-chart .legend li')].map((one) => one.textContent)");
    assert!(!names.to_string().contains("after InformAndTransfer"), "{names}");
    assert_quiet(&browser);
}

/// All runs are in all charts, each with the same style everywhere.
#[test]
fn three_runs_are_in_all_charts() {
    let Some(mut browser) = Browser::start() else { return };
    let workspace = Workspace::new();
    let strategies =
        [("greedy", "{name: Greedy}"), ("search", "{name: LocalSearch}"), ("random", "{name: RandomLB}")];
    for (name, strategy) in strategies {
        run(&workspace, name, &Drawn { strategy, ..GOSSIP });
    }
    workspace.succeed(&["report", "greedy", "search", "random", "--names", "A,B,C", "--output", "all.html"]);
    browser.open(&workspace.path("all.html"), "");
    for chart in ["rank-chart", "phase-chart"] {
        let names = browser.value(&format!(
            "[...document.querySelectorAll('#{chart} .legend li')].map((one) => one.textContent)"
        ));
        for name in ["before A", "after A", "after B", "after C"] {
            assert!(names.as_array().expect("a list").contains(&name.into()), "{chart}: {names}");
        }
    }
    let iterations = browser.text("#iteration-chart .legend");
    assert!(["A", "B", "C"].iter().all(|name| iterations.contains(name)), "{iterations}");
    let styles = |browser: &mut Browser, chart: &str| {
        browser.value(&format!(
            "['A', 'B', 'C'].map((name) => [...document.querySelectorAll('#{chart} .legend li')].find((one) => one.textContent === `after ${{name}}`).querySelector('line, rect').outerHTML.match(/stroke=\"[^\"]*\"/)[0])"
        ))
    };
    let of_ranks = styles(&mut browser, "rank-chart");
    assert_eq!(of_ranks, styles(&mut browser, "phase-chart"));
    assert!(
        of_ranks[0] != of_ranks[1] && of_ranks[1] != of_ranks[2] && of_ranks[0] != of_ranks[2],
        "{of_ranks}"
    );
    let headings =
        browser.value("[...document.querySelectorAll('#sentences h3')].map((one) => one.textContent)");
    assert_eq!(headings, serde_json::json!(["A", "B", "C"]));
    assert_quiet(&browser);
}

/// Returns the text above the tables of a comparison, and the names of the rows that mark a best run.
fn compared(browser: &mut Browser) -> (String, Vec<String>) {
    let said = browser.text("#comparison-table p");
    let lines = browser.value(
        "[...document.querySelectorAll('#comparison-table tbody tr, #comparison-sums tbody tr')].filter((row) => row.querySelector('.best')).map((row) => row.firstChild.textContent)",
    );
    let lines = lines.as_array().expect("a list").iter().map(|line| line.as_str().expect("text").to_owned());
    (said, lines.collect())
}

#[test]
fn an_infeasible_run_is_not_better_than_a_feasible_one() {
    let Some(mut browser) = Browser::start() else { return };
    let workspace = Workspace::new();
    let data = "from_samplers: {n_ranks: 4, n_objects: 40, n_mapped_ranks: 0, load_sampler: {name: pareto, parameters: [0.01, 3]},\n\
                \x20 communication_degree: 0, volume_sampler: {name: constant, parameters: [1.0]}}\n\
                work_model: {name: AffineCombination, parameters: {upper_bounds: {num_objects: 11}}}\nplots: none\noutput_file_stem: new\n";
    let run = |name: &str, strategy: &str| {
        workspace
            .write(&format!("{name}.yaml"), format!("{data}algorithm: {strategy}\noutput_dir: {name}\n"));
        workspace.succeed(&["run", &format!("{name}.yaml")]);
        workspace.json(&format!("{name}/summary.json"))["phases"][0]["after"].clone()
    };
    let stays = run("stays", "{name: NoLB}");
    let keeps = run("keeps", "{name: GreedyRefine}");
    assert!(
        stays["n_ranks_over_bounds"].as_u64() > Some(0) && keeps["n_ranks_over_bounds"] == 0,
        "{stays} {keeps}"
    );
    workspace.succeed(&["report", "stays", "keeps", "--names", "stays,keeps", "--output", "both.html"]);
    browser.open(&workspace.path("both.html"), "");
    let (said, best) = compared(&mut browser);
    assert!(said.contains("stays: exceeds upper bounds of the work model"), "{said}");
    // A run that violates a bound is not best because it migrates nothing.
    assert!(best.contains(&"ranks over bounds after".to_owned()), "{best:?}");
    let crowned =
        browser.value("[...document.querySelectorAll(':is(#comparison-table, #comparison-sums) tr td:nth-child(2).best')].length");
    assert_eq!(crowned, 0);
    let legend = browser.text("#rank-chart .legend");
    assert!(legend.contains("lower bound of the maximum within the upper bounds"), "{legend}");
    assert_quiet(&browser);
}

#[test]
fn runs_of_different_data_are_compared_by_ratios_alone() {
    let Some(mut browser) = Browser::start() else { return };
    let workspace = Workspace::new();
    run(&workspace, "one", &GOSSIP);
    run(&workspace, "other", &Drawn { n_objects: 100, strategy: "{name: Greedy}", ..GOSSIP });
    workspace.succeed(&["report", "one", "other", "--output", "both.html"]);
    browser.open(&workspace.path("both.html"), "");
    let (said, best) = compared(&mut browser);
    assert!(said.contains("different data or phases"), "{said}");
    assert!(!best.is_empty(), "one imbalance is less than the other");
    let ratios = ["above the lower bound", "work imbalance after", "load imbalance after"];
    assert!(best.iter().all(|line| ratios.contains(&line.as_str())), "{best:?}");
    // The same application, recorded again: equal numbers of objects and edges, but other loads.
    let again = Drawn { degree: 0, ..GOSSIP };
    run(&workspace, "first", &again);
    workspace.succeed(&["run", "first.yaml", "--seed", "2", "--output-dir", "second"]);
    workspace.succeed(&["report", "first", "second", "--output", "again.html"]);
    browser.open(&workspace.path("again.html"), "");
    let (said, best) = compared(&mut browser);
    assert!(said.contains("different data or phases"), "{said}");
    assert!(best.iter().all(|line| ratios.contains(&line.as_str())), "{best:?}");
    // A run without bounds does not count as satisfying them.
    let bounded = "work_model.parameters.upper_bounds={num_objects: 1}";
    // An unsatisfiable bound is an error, but outputs are written.
    let done = workspace.lbaf(&["run", "first.yaml", "--set", bounded, "--output-dir", "bounded"]);
    assert_eq!(done.code, 5, "{}", done.stderr);
    workspace.succeed(&["report", "first", "bounded", "--names", "free,bounded", "--output", "bounds.html"]);
    browser.open(&workspace.path("bounds.html"), "");
    let (said, best) = compared(&mut browser);
    assert!(said.contains("Work models differ") && !said.contains("compete"), "{said}");
    assert!(!best.contains(&"ranks over bounds after".to_owned()), "{best:?}");
    assert_quiet(&browser);
}
