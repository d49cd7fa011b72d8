// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf report` of studies and simulations: recognized directories, and the page among the outputs.

use crate::workspace::Workspace;

/// Returns a workspace with a study and a simulation of the same small data, and with `run.yaml` for a run.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    let data = "from_samplers: {n_ranks: 4, n_objects: 20, n_mapped_ranks: 2, n_phases: 2, load_sampler: {name: \
                uniform, parameters: [0.5, 1.5]}}";
    workspace
        .write("run.yaml", format!("{data}\nalgorithm: {{name: Greedy}}\noutput_dir: run\nplots: none\n"));
    workspace.write(
        "study.yaml",
        format!("configuration: {{{data}}}\naxes: {{algorithm.name: [LPT, RandomLB], seed: 0-5}}\noutput_dir: study\nplots: none\n"),
    );
    workspace.succeed(&["study", "study.yaml"]);
    workspace.succeed(&["simulate", "run.yaml", "--output-dir", "simulation"]);
    workspace
}

#[test]
fn pages_are_listed_among_the_outputs_and_removed_with_them() {
    let workspace = workspace();
    for (directory, file, again) in [
        ("study", "study.json", ["study", "study.yaml", "--output-dir", "study"]),
        ("simulation", "simulation.json", ["simulate", "run.yaml", "--output-dir", "simulation"]),
    ] {
        let before = workspace.files(directory);
        let said = workspace.succeed(&["report", directory]);
        assert!(said.starts_with(&format!("Wrote {directory}/{directory}.html ({directory}, ")), "{said}");
        let (results, page) = (format!("{directory}/{file}"), format!("{directory}/{directory}.html"));
        let listed = workspace.json(&results)["outputs"][format!("{directory}.html")].clone();
        let html = workspace.read(&page);
        assert_eq!(
            (&listed["sha256"], &listed["bytes"]),
            (&lbaf_writer::sha256(&html).into(), &html.len().into())
        );
        // A second report is identical.
        let written = workspace.read(&results);
        workspace.succeed(&["report", &results]);
        assert_eq!((workspace.read(&page), workspace.read(&results)), (html, written));
        // The next command removes the page, and all other files are as before.
        workspace.succeed(&again);
        let mut after = workspace.files(directory);
        let mut expected = before;
        for files in [&mut after, &mut expected] {
            files.retain(|name, _| !name.starts_with("timings"));
        }
        assert_eq!(after.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
        assert!(after == expected, "{directory}");
    }
}

#[test]
fn pages_elsewhere_do_not_change_the_results() {
    let workspace = workspace();
    for (directory, file) in [("study", "study.json"), ("simulation", "simulation.json")] {
        let results = workspace.read(&format!("{directory}/{file}"));
        workspace.succeed(&["report", directory, "--output", &format!("pages/{directory}.html")]);
        assert_eq!(workspace.read(&format!("{directory}/{file}")), results);
        let error = workspace.fail(&["report", directory, "--output", &format!("pages/{directory}.html")], 6);
        assert!(error.contains("already exists"), "{error}");
    }
    assert!(!workspace.path("study/study.html").exists());
}

#[test]
fn only_runs_are_compared() {
    let workspace = workspace();
    workspace.succeed(&["run", "run.yaml"]);
    let error = workspace.fail(&["report", "run", "study"], 2);
    assert!(
        error.contains("study is the output directory of a study; only runs can be compared on a page"),
        "{error}"
    );
    let error = workspace.fail(&["report", "simulation", "simulation"], 2);
    assert!(error.contains("only runs can be compared"), "{error}");
    let error = workspace.fail(&["report", "study", "--names", "a"], 2);
    assert!(error.contains("--names applies only to runs, but study has the results of a study"), "{error}");
}

/// A run and a simulation of one configuration share a directory by default.
#[test]
fn a_directory_may_have_a_run_and_a_simulation() {
    let workspace = workspace();
    workspace.succeed(&["run", "run.yaml"]);
    workspace.succeed(&["simulate", "run.yaml"]);
    let said = workspace.lbaf(&["report", "run"]);
    assert!(said.stdout.starts_with("Wrote run/report.html (1 run, "), "{}", said.stdout);
    assert!(
        said.stderr.contains("the directory also has a simulation: `lbaf report run/simulation.json`"),
        "{}",
        said.stderr
    );
    workspace.succeed(&["report", "run/simulation.json"]);
    // Both pages remain, and the results contain their SHA-256.
    for (results, key, page) in
        [("summary", "files", "report.html"), ("simulation", "outputs", "simulation.html")]
    {
        let listed = workspace.json(&format!("run/{results}.json"))[key][page]["sha256"].clone();
        assert_eq!(listed, lbaf_writer::sha256(&workspace.read(&format!("run/{page}"))));
    }
}

#[test]
fn damaged_results_are_reported() {
    let workspace = workspace();
    let text = workspace.text("study/study.json");
    workspace.write("study/study.json", text.replace("\"problems\"", "\"problem\""));
    let error = workspace.fail(&["report", "study"], 4);
    assert!(
        error.contains(
            "study/study.json: not the results of a study of this version of lbaf: missing field `problems`"
        ),
        "{error}"
    );
    workspace.write("study/study.json", text);
    let medians = workspace.text("study/medians.csv");
    workspace.write("study/medians.csv", medians.replacen(",max_work,6,0,", ",max_work,6,0,x", 1));
    let error = workspace.fail(&["report", "study"], 4);
    assert!(error.contains("medians.csv, line "), "{error}");
    std::fs::remove_file(workspace.path("study/front.csv")).expect("the table can be removed");
    workspace.write("study/medians.csv", medians);
    let error = workspace.fail(&["report", "study"], 4);
    assert!(error.contains("study/front.csv is missing; repeat the command that wrote it"), "{error}");
    std::fs::remove_file(workspace.path("study/study.json")).expect("the results can be removed");
    let error = workspace.fail(&["report", "study"], 4);
    assert!(error.contains("it has no summary.json, study.json or simulation.json, but the outputs of an unfinished `lbaf study`"), "{error}");
}
