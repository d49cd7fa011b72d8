// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf report` without a browser: location and content of the page, and errors of runs.

use serde_json::Value;

use crate::vom::{one_phase, packed, send, task};
use crate::workspace::Workspace;

/// Two ranks: two objects on rank 0 and one on rank 1; an object of rank 0 sends to the object of rank 1.
fn workspace(write_json: bool) -> Workspace {
    let workspace = Workspace::new();
    let of_0 = [task(packed(1, 0), 0, 3.0), task(packed(2, 0), 0, 2.0)];
    let sends = [send((packed(1, 0), 0), (packed(3, 1), 1), 10.0)];
    workspace.write("data/toy.0.json", one_phase(0, &of_0, &sends));
    workspace.write("data/toy.1.json", one_phase(1, &[task(packed(3, 1), 1, 1.0)], &[]));
    let files = if write_json { "write_JSON: {compressed: false}\n" } else { "" };
    workspace.write(
        "toy.yaml",
        format!(
            "from_data: {{data_stem: data/toy}}\nwork_model: {{name: LoadOnly}}\nalgorithm: {{name: Greedy}}\n\
             output_dir: out\noutput_file_stem: new\nplots: none\n{files}"
        ),
    );
    workspace.succeed(&["run", "toy.yaml"]);
    workspace
}

/// Returns the data of a page.
fn data(workspace: &Workspace, name: &str) -> Value {
    let html = workspace.text(name);
    let (_, rest) =
        html.split_once(r#"<script type="application/json" id="data">"#).expect("a page has data");
    let (json, _) = rest.split_once("</script>").expect("elements end");
    serde_json::from_str(json).expect("data are JSON")
}

#[test]
fn the_page_is_beside_the_summary_and_listed_in_it() {
    let workspace = workspace(true);
    let said = workspace.succeed(&["report", "out"]);
    assert!(said.contains("Wrote out/report.html (1 run, "), "{said}");
    let summary = workspace.json("out/summary.json");
    let page = workspace.read("out/report.html");
    assert_eq!(summary["files"]["report.html"]["sha256"], lbaf_writer::sha256(&page));
    // A second report is identical. A new run removes the page of the old run.
    workspace.succeed(&["report", "out/summary.json"]);
    assert_eq!(workspace.read("out/report.html"), page);
    workspace.succeed(&["run", "toy.yaml"]);
    assert!(!workspace.path("out/report.html").exists());
}

#[test]
fn a_page_elsewhere_does_not_change_the_summary() {
    let workspace = workspace(true);
    let summary = workspace.read("out/summary.json");
    workspace.succeed(&["report", "out", "-o", "pages/toy.html", "--names", "<b>toy"]);
    assert_eq!(workspace.read("out/summary.json"), summary);
    assert_eq!(data(&workspace, "pages/toy.html")["runs"][0]["name"], "<b>toy");
    let error = workspace.fail(&["report", "out", "-o", "pages/toy.html"], 6);
    assert!(error.contains("already exists"), "{error}");
    workspace.succeed(&["report", "out", "-o", "pages/toy.html", "--force"]);
    let error = workspace.fail(&["report", "out", "-o", "out/summary.json", "--force"], 6);
    assert!(error.contains("is an input file"), "{error}");
}

/// A page in the directory of a run belongs to the run, whether the path is given or not.
#[test]
fn a_page_named_in_the_directory_of_the_run_is_listed_too() {
    let workspace = workspace(true);
    workspace.succeed(&["report", "out", "--output", "out/../out/report.html"]);
    let page = workspace.read("out/report.html");
    let summary = workspace.json("out/summary.json");
    assert_eq!(summary["files"]["report.html"]["sha256"], lbaf_writer::sha256(&page));
    workspace.succeed(&["report", "out", "--output", "out/report.html"]);
    assert_eq!(workspace.read("out/report.html"), page);
    workspace.succeed(&["run", "toy.yaml"]);
    assert!(!workspace.path("out/report.html").exists());
    // The page of two runs belongs to the run in whose directory it is.
    workspace.succeed(&["run", "toy.yaml", "--output-dir", "second"]);
    workspace.succeed(&["report", "out", "second", "-o", "second/report.html"]);
    assert!(workspace.json("second/summary.json")["files"]["report.html"].is_object());
    assert!(workspace.json("out/summary.json")["files"]["report.html"].is_null());
}

#[test]
fn strategy_times_and_matrices_come_from_the_files_of_the_run() {
    let workspace = workspace(true);
    workspace.succeed(&["report", "out"]);
    let phase = |workspace: &Workspace| data(workspace, "out/report.html")["runs"][0]["phases"][0].clone();
    let first = phase(&workspace);
    let seconds = &workspace.json("out/timings.json")["strategy_seconds"][0];
    assert_eq!(seconds["phase"], 0);
    assert_eq!(first["strategy_seconds"], seconds["seconds"]);
    // Rank 0 sends 10 bytes to rank 1, and only object 2, of 2 s, migrates. Pair 1 is from rank 0 to rank 1.
    let pairs = &first["pairs"];
    assert_eq!(pairs["ranks_per_group"], 1);
    assert_eq!(pairs["volumes"]["before"], serde_json::json!({"type": "constant", "n": 1, "value": 10.0}));
    assert_eq!(pairs["migrations"]["load"], serde_json::json!({"type": "constant", "n": 1, "value": 2.0}));
    let pair_1 = serde_json::json!({"type": "u8", "n": 1, "data": "AQ=="});
    assert_eq!([&pairs["volumes"]["pair"], &pairs["migrations"]["pair"]], [&pair_1, &pair_1]);
    // Runs of older versions have no times of strategies; without the table of volumes, the page says so.
    workspace.write("out/timings.json", "{}");
    std::fs::remove_file(workspace.path("out/rank_volumes.csv")).expect("the table can be removed");
    workspace.succeed(&["report", "out"]);
    let first = phase(&workspace);
    assert!(first["strategy_seconds"].is_null() && first["pairs"]["volumes"].is_null());
    let said = data(&workspace, "out/report.html")["runs"][0]["left_out"][0].to_string();
    assert!(said.contains("no rank_volumes.csv, so communication between ranks is not shown"), "{said}");
}

#[test]
fn objects_come_from_the_files_of_the_run_or_from_its_input() {
    let written = workspace(true);
    written.succeed(&["report", "out"]);
    let read = workspace(false);
    read.succeed(&["report", "out"]);
    let of =
        |workspace: &Workspace| data(workspace, "out/report.html")["runs"][0]["phases"][0]["detail"].clone();
    let detail = of(&written);
    assert_eq!(detail, of(&read));
    // Greedy puts the object of 3 s on rank 0 and the other two on rank 1: one of three objects migrates.
    assert_eq!((&detail["objects"]["from"]["n"], &detail["objects"]["to"]["n"]), (&3.into(), &3.into()));
    assert_eq!(detail["neighbours"]["rank"]["n"], 2);
}

#[test]
fn missing_objects_are_reported_with_a_reason_and_a_remedy() {
    let workspace = workspace(false);
    let is_left_out = |expected: &str| {
        workspace.succeed(&["report", "out"]);
        let run = &data(&workspace, "out/report.html")["runs"][0];
        assert!(run["phases"][0]["detail"].is_null());
        let said = run["left_out"][0].as_str().expect("a sentence");
        assert!(said.contains(expected) && said.contains("write_JSON"), "{said}");
    };
    // The input has changed.
    workspace.write("data/toy.1.json", one_phase(1, &[task(packed(3, 1), 1, 1.5)], &[]));
    is_left_out("the files that the run wrote or read have changed");
    std::fs::remove_dir_all(workspace.path("data")).expect("the data can be removed");
    is_left_out("the files that the run wrote or read are missing or cannot be read");
}

#[test]
fn a_run_without_the_table_of_ranks_has_only_loads() {
    let workspace = workspace(true);
    std::fs::remove_file(workspace.path("out/ranks.csv")).expect("the table can be removed");
    workspace.succeed(&["report", "out"]);
    let run = &data(&workspace, "out/report.html")["runs"][0];
    assert!(run["left_out"][0].as_str().expect("a sentence").contains("has no ranks.csv"));
    let quantities = &run["phases"][0]["quantities"];
    assert!(quantities[0]["before"]["values"].is_object() && quantities[1]["before"]["values"].is_null());
}

/// The size limit of a page leaves no room for all values of a thousand ranks in forty phases and their objects.
#[test]
fn a_page_of_a_thousand_ranks_stays_below_five_megabytes_in_many_phases() {
    let workspace = Workspace::new();
    workspace.write(
        "many.yaml",
        "from_samplers: {n_ranks: 1000, n_objects: 1000, n_mapped_ranks: 0, n_phases: 40, communication_degree: 2,\n\
         \x20 load_sampler: {name: uniform, parameters: [0.5, 1.5]}, volume_sampler: {name: uniform, parameters: [1.0, 9.0]}}\n\
         work_model: {name: AffineCombination, parameters: {beta: 1.0e-3}}\n\
         algorithm: {name: RotateLB}\noutput_dir: out\noutput_file_stem: new\nplots: none\n\
         write_JSON: {compressed: false}\n",
    );
    workspace.succeed(&["run", "many.yaml"]);
    workspace.succeed(&["report", "out"]);
    assert!(workspace.read("out/report.html").len() < 5_000_000);
    let run = &data(&workspace, "out/report.html")["runs"][0];
    let said = run["left_out"].to_string();
    assert!(said.contains("Other quantities of individual ranks are shown only for"), "{said}");
    let phases = run["phases"].as_array().expect("a list");
    let values =
        |at: usize| phases.iter().filter(move |phase| phase["quantities"][at]["after"]["values"].is_object());
    // Loads and works are complete; other quantities are present for the phases with the most work.
    assert_eq!([values(0).count(), values(1).count()], [40, 40]);
    let n_others = values(2).count();
    assert!((1..40).contains(&n_others), "{n_others}");
    let work = |phase: &Value| phase["quantities"][1]["before"]["moments"][3].as_f64().expect("a number");
    // Of phases with equal work, the last comes first, because the page opens there.
    let mut order: Vec<usize> = (0..40).rev().collect();
    order.sort_by(|&a, &b| work(&phases[b]).total_cmp(&work(&phases[a])));
    let has_others = |at: usize| phases[at]["quantities"][2]["after"]["values"].is_object();
    assert!(order[..n_others].iter().all(|&at| has_others(at)));
}

#[test]
fn invalid_runs_are_reported() {
    let workspace = workspace(true);
    let error = workspace.fail(&["report", "data"], 4);
    assert!(error.contains("data is not the output directory of a run"), "{error}");
    let error = workspace.fail(&["report", "out", "--names", "a,b"], 2);
    assert!(error.contains("--names: 2 names for 1 run"), "{error}");
    workspace.write("out/ranks.csv", "phase,rank,load_s_before\n0,0,much\n");
    let error = workspace.fail(&["report", "out"], 4);
    assert!(error.contains("ranks.csv, line 2: `much` is not a number"), "{error}");
    assert_eq!(
        workspace.fail(&["report"], 2).lines().next(),
        Some("error: the following required arguments were not provided:")
    );
}
