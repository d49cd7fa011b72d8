// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf anomalies`, and runs on denoised loads.

use serde_json::{Value, json};

use crate::vom::{packed, task};
use crate::workspace::Workspace;

/// Returns ten phases of four ranks on two hosts, with two tasks each. A task takes 1 s, except for three anomalies.
pub(crate) fn noisy() -> Workspace {
    let load = |rank: u64, id: u64, phase: u64| match (rank, id, phase) {
        (1, 1, 3) => 5.0,
        (2, _, 6) => 3.0,
        _ => 1.0,
    };
    with_loads(&load)
}

fn with_loads(load: &dyn Fn(u64, u64, u64) -> f64) -> Workspace {
    let workspace = Workspace::new();
    for rank in 0..4 {
        let tasks = |phase: u64| -> Vec<Value> {
            (1..3).map(|id| task(packed(id, rank), rank, load(rank, id, phase))).collect()
        };
        let phases: Vec<Value> = (0..10).map(|id| json!({"id": id, "tasks": tasks(id)})).collect();
        let host = format!("host{}", rank / 2);
        let metadata = json!({"type": "LBDatafile", "rank": rank, "attributes": {"Hostname": host}});
        let file = json!({"metadata": metadata, "phases": phases});
        workspace.write(&format!("set.{rank}.json"), file.to_string());
    }
    workspace
}

fn run_configuration(workspace: &Workspace, more: &str) {
    let run = format!(
        "from_data: {{data_stem: set}}\nalgorithm: {{name: GreedyRefine}}\noutput_dir: out\nplots: none\n{more}"
    );
    workspace.write("run.yaml", run);
}

#[test]
fn noise_is_separated_from_persistent_imbalance() {
    let workspace = noisy();
    let said = workspace.succeed(&["anomalies", "set", "--output-dir", "out"]);
    assert!(
        said.starts_with("3 of 80 tasks are anomalies (3.8%): 8 objects on 4 ranks, 10 phases.\n"),
        "{said}"
    );
    assert!(
        said.contains("In phase 6, more tasks of rank 2 (host1) than `--together` allows are anomalies"),
        "{said}"
    );
    let results = workspace.json("out/anomalies.json");
    // Phase 3: ranks take 2, 6, 2, 2 s, an imbalance of 6 / 3 - 1. Phase 6: 2, 2, 6, 2 s, the same imbalance.
    // None of it is persistent.
    let overall = &results["imbalance"]["overall"];
    assert_eq!(
        overall,
        &json!({"imbalance": 0.2, "denoised": 0.0, "noise": 0.2, "persistent": 0.0, "jitter": 0.0})
    );
    assert_eq!(results["imbalance"]["critical_rank_changes"], 0.2);
    assert_eq!([&results["imbalance"]["seconds"], &results["imbalance"]["denoised_seconds"]], [28.0, 20.0]);
    let worst = results["worst"].as_array().expect("a list");
    let first = json!([worst[0]["phase"], worst[0]["rank"], worst[0]["excess_seconds"]]);
    assert_eq!(first, json!([3, 1, 4.0]));
    assert_eq!([&results["nodes"][1]["n_tasks"], &results["nodes"][1]["n_anomalies"]], [40, 2]);
    assert_eq!(results["nodes"][1]["host"], "host1");
    let csv = workspace.text("out/anomalies.csv");
    assert_eq!(csv.lines().count(), 1 + 3, "{csv}");
    assert_eq!(workspace.text("out/anomalies_by_phase.csv").lines().count(), 1 + 10);
    for chart in ["anomaly_scores", "anomaly_rates", "anomaly_imbalance"] {
        for extension in ["svg", "pdf", "png", "csv"] {
            assert!(
                workspace.path(&format!("out/plots/{chart}.{extension}")).is_file(),
                "{chart}.{extension}"
            );
        }
    }
    // One thread gives the same files, and `--json` prints the same document.
    let printed =
        workspace.succeed(&["anomalies", "set", "--output-dir", "again", "--threads", "1", "--json"]);
    assert_eq!(workspace.files("again"), workspace.files("out"));
    assert_eq!(serde_json::from_str::<Value>(&printed).expect("JSON"), results);
    // Outputs of the previous call are removed.
    workspace.succeed(&["anomalies", "set", "--phases", "2", "--output-dir", "again"]);
    assert!(!workspace.path("again/plots").join("anomaly_scores.svg").exists());
}

/// Returns ten phases of four ranks on two hosts, where twelve tasks start on each rank.
/// Between phases 4 and 5, every task or only task 1 of each rank migrates. `factor` gives the seconds of a task on a rank.
fn migrating(factor: impl Fn(u64) -> f64, is_every_task: bool) -> Workspace {
    let workspace = Workspace::new();
    let place = |id: u64, home: u64, phase: u64| {
        let migrates = phase >= 5 && (is_every_task || id == 1);
        if migrates { (home + 1 + id % 3) % 4 } else { home }
    };
    for rank in 0..4 {
        let tasks = |phase: u64| -> Vec<Value> {
            let all = (0..4).flat_map(|home| (1..13).map(move |id| (id, home)));
            let here = all.filter(|&(id, home)| place(id, home, phase) == rank);
            here.map(|(id, home)| {
                let mut task = task(packed(id, home), home, factor(rank));
                task["node"] = rank.into();
                task
            })
            .collect()
        };
        let phases: Vec<Value> = (0..10).map(|id| json!({"id": id, "tasks": tasks(id)})).collect();
        let host = format!("host{}", rank / 2);
        let metadata = json!({"type": "LBDatafile", "rank": rank, "attributes": {"Hostname": host}});
        workspace
            .write(&format!("set.{rank}.json"), json!({"metadata": metadata, "phases": phases}).to_string());
    }
    workspace
}

#[test]
fn a_slow_host_is_excluded() {
    let workspace = migrating(|rank| if rank == 3 { 1.2 } else { 1.0 }, true);
    let said = workspace.succeed(&["anomalies", "set", "--exclude-hosts", "slow.txt", "--output-dir", "out"]);
    assert!(said.contains("Slow nodes: host1."), "{said}");
    assert!(said.contains("longer than on the median rank: 3 (1.200 times)."), "{said}");
    assert!(!said.contains("Hint: rank"), "{said}");
    assert_eq!(workspace.text("slow.txt"), "host1\n");
    // Twelve objects left the rank and twelve arrived: 24 are compared.
    let rank = &workspace.json("out/anomalies.json")["ranks"][3];
    assert_eq!(
        [
            &rank["is_slow"],
            &rank["may_be_slow"],
            &rank["n_compared"],
            &rank["n_migrated"],
            &rank["n_siblings"]
        ],
        [&json!(true), &json!(false), &json!(24), &json!(120), &json!(0)]
    );
    let csv = workspace.text("out/anomalies_by_rank.csv");
    let header = "slowness,slowness_error,compared_objects,migrated_tasks,sibling_slowness,sibling_tasks,slow,may_be_slow";
    assert!(csv.lines().next().is_some_and(|line| line.ends_with(header)), "{csv}");
    assert!(csv.lines().last().is_some_and(|line| line.ends_with(",24,120,,0,true,false")), "{csv}");
    // The longer times on the slow rank are not noise.
    assert!(said.starts_with("0 of 480 tasks are anomalies"), "{said}");
    let refused = workspace.fail(&["anomalies", "set", "--exclude-hosts", "slow.txt"], 6);
    assert!(refused.contains("slow.txt already exists"), "{refused}");
    workspace.succeed(&["anomalies", "set", "--exclude-hosts", "slow.txt", "--force", "--slowdown", "0.3"]);
    assert_eq!(workspace.text("slow.txt"), "");
    // Half of the ranks are on a slow host.
    let workspace = migrating(|rank| if rank < 2 { 1.0 } else { 1.2 }, true);
    assert!(workspace.succeed(&["anomalies", "set"]).contains("Slow nodes: host1."));
}

/// Regression: a host was excluded because of longer tasks, although no task had migrated.
#[test]
fn no_host_is_excluded_by_siblings_that_never_migrated() {
    let workspace = with_loads(&|rank, _, _| if rank < 3 { 1.0 } else { 1.2 });
    let said = workspace.succeed(&["anomalies", "set", "--exclude-hosts", "slow.txt"]);
    assert!(!said.contains("Slow nodes:"), "{said}");
    assert_eq!(workspace.text("slow.txt"), "");
    let missing = "Slow ranks cannot be detected: no object ran on two ranks. At least 33% of the tasks must belong to objects \
                   that ran on several ranks, for example after one balancing step that moves most objects.\n";
    assert!(said.contains(missing), "{said}");
    let hint = "Hint: rank 3 (host1) may be slow. There, objects that never migrated take 1.20 times as long as \
                siblings, whose loads may differ. No host is excluded because of this hint.\n";
    assert!(said.contains(hint), "{said}");
}

#[test]
fn no_host_is_excluded_if_few_objects_migrated() {
    let workspace = migrating(|rank| if rank == 3 { 2.0 } else { 1.0 }, false);
    let said = workspace.succeed(&["anomalies", "set", "--exclude-hosts", "slow.txt"]);
    assert_eq!(workspace.text("slow.txt"), "");
    // 1 / 12 = 8.3 %
    assert!(said.contains("Slow ranks cannot be detected: too few objects migrated. At least 33%"), "{said}");
    assert!(
        said.contains(
            "several ranks, for example after one balancing step that moves most objects; here 8.3% do."
        ),
        "{said}"
    );
}

#[test]
fn every_detector_can_be_selected() {
    let workspace = noisy();
    let anomalies = |arguments: &[&str]| {
        let said = workspace.succeed(&[&["anomalies", "set", "--json"], arguments].concat());
        let results: Value = serde_json::from_str(&said).expect("JSON");
        (results["overall"]["n_anomalies"].as_u64().expect("a number"), results["labelling"].clone())
    };
    // The largest of ten times is at most (10 - 1) / sqrt(10) = 2.85 standard deviations above the mean.
    assert_eq!(anomalies(&["--detector", "sstd"]).0, 0);
    assert_eq!(anomalies(&["--detector", "sstd", "--threshold", "2.5"]).0, 3);
    assert_eq!(anomalies(&["--detector", "hbos"]).0, 3);
    let (n, labelling) =
        anomalies(&["--detector", "hbos", "--max-bins", "20", "--online", "--skip-first", "1"]);
    // In phase 3, only three times of an object are known (phases 1 to 3), fewer than `min_samples`.
    assert_eq!(n, 2);
    let expected = json!({
        "detector": "hbos", "threshold": 0.99, "model": "object", "online": true, "skip_first": 1, "min_samples": 5,
        "min_severity": 0.0, "min_relative": 0.1, "max_bins": 20,
    });
    assert_eq!(labelling, expected);
    // Only the largest of 80 times has a score in the top hundredth of the range.
    assert_eq!(anomalies(&["--detector", "copod", "--model", "collection"]).0, 1);
    // The anomalies of phase 6 take 3e6 microseconds, below the threshold.
    assert_eq!(anomalies(&["--min-severity", "4e6"]).0, 1);
    assert_eq!(anomalies(&["--min-relative", "3"]).0, 1);
    assert_eq!(anomalies(&["--min-samples", "11"]).0, 0);
    for (arguments, complaint) in [
        (
            ["--detector", "hbos", "--threshold", "1.5"],
            "--threshold: expected a fraction of the range of scores, at most 1, not ",
        ),
        (["--detector", "hbos", "--max-bins", "1"], "--max-bins: expected 2 to 100000 bins, not 1"),
        (
            ["--detector", "mad", "--min-relative", "nan"],
            "--min-relative: expected a non-negative number, not NaN",
        ),
    ] {
        let said = workspace.fail(&[&["anomalies", "set"], &arguments[..]].concat(), 2);
        assert!(said.contains(complaint), "{said}");
    }
}

#[test]
fn a_denoised_run_balances_typical_loads() {
    let workspace = noisy();
    run_configuration(&workspace, "");
    workspace.succeed(&["run", "run.yaml"]);
    let measured = workspace.json("out/summary.json");
    assert_eq!(measured["phases"][3]["before"]["load"]["max"], 6.0);
    assert_eq!(measured["phases"][3]["migrations"]["count"], 1);
    assert_eq!(measured.get("denoise"), None);
    // Typical loads come from all phases, although only one phase is balanced.
    run_configuration(&workspace, "denoise: true\nwrite_JSON: {compressed: false}\n");
    workspace.succeed(&["run", "run.yaml", "--phases", "3"]);
    let summary = workspace.json("out/summary.json");
    assert_eq!(summary["phases"][0]["phase"], 3);
    assert_eq!(summary["phases"][0]["before"]["load"]["max"], 2.0);
    assert_eq!(summary["phases"][0]["migrations"]["count"], 0);
    let denoise = &summary["denoise"];
    assert_eq!([&denoise["n_tasks"], &denoise["n_anomalies"]], [80, 3]);
    assert_eq!([&denoise["excess_seconds"], &denoise["mean_noise"]], [8.0, 0.2]);
    let notes = summary["notes"].to_string();
    assert!(notes.contains("3 of 80 tasks are anomalies (3.8%)"), "{notes}");
    // Files keep the measured time beside the denoised load.
    let tasks = &workspace.json("out/output_file.1.json")["phases"][0]["tasks"];
    assert_eq!(tasks[0]["time"], 5.0);
    let carried = &tasks[0]["user_defined"];
    assert_eq!([&carried["anomaly"], &carried["denoised_load"]], [1.0, 1.0]);
    assert!(carried["outlier_score"].as_f64().expect("a number") > 6.0);
    assert_eq!(tasks[1]["user_defined"]["anomaly"], 0.0);
}

#[test]
fn pictures_show_anomalies() {
    let workspace = noisy();
    let visualization = "visualization: {x_ranks: 2, y_ranks: 2, z_ranks: 1, object_jitter: 0.5, rank_qoi: load, \
                         object_qoi: anomaly, save_meshes: true, output_visualization_dir: out, \
                         output_visualization_file_stem: pic}\n";
    run_configuration(&workspace, &format!("denoise: mad\n{visualization}"));
    let said = workspace.lbaf(&["run", "run.yaml", "--phases", "3"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    // Only with `denoise` do objects have a value of this quantity.
    assert!(!said.stderr.contains("no object has a value of this quantity"), "{}", said.stderr);
    run_configuration(&workspace, visualization);
    let said = workspace.lbaf(&["run", "run.yaml", "--phases", "3"]);
    assert!(said.stderr.contains("no object has a value of this quantity"), "{}", said.stderr);
}

#[test]
fn rebalancing_because_of_noise_costs_time() {
    // Two ranks have two tasks of 2 s each. In phase 4, a task of rank 0 takes 8 s.
    // With 8 s predicted for phase 5 too, the other task moves to rank 1, and phase 5 takes 6 s instead of 4.
    let workspace = Workspace::new();
    for rank in 0..2_u64 {
        let load = |id: u64, phase: u64| if (rank, id, phase) == (0, 1, 4) { 8.0 } else { 2.0 };
        let tasks = |phase: u64| -> Vec<Value> {
            (1..3).map(|id| task(packed(id, rank), rank, load(id, phase))).collect()
        };
        let phases: Vec<Value> = (0..9).map(|id| json!({"id": id, "tasks": tasks(id)})).collect();
        workspace.write(&format!("set.{rank}.json"), json!({"phases": phases}).to_string());
    }
    run_configuration(&workspace, "denoise: {}\nsimulation: {schedule: {every: 1}}\n");
    let said = workspace.succeed(&["simulate", "run.yaml"]);
    let results = workspace.json("out/simulation.json");
    let total = |name: &str| {
        let runs = results["runs"].as_array().expect("a list");
        let run = runs.iter().find(|run| run["scenario"] == name).expect("it is among them");
        run["total"].as_f64().expect("a number")
    };
    // 8 * 4 s + 10 s = 42 s; 2 s more if the run is rebalanced because of the noise.
    assert_eq!([total("never"), total("denoised"), total("configured")], [42.0, 42.0, 44.0]);
    assert!(said.contains("Reacting to noise costs 4.8% (2 s)."), "{said}");
    // Without the key, the cost of the noise is not computed.
    run_configuration(&workspace, "simulation: {schedule: {every: 1}}\n");
    let said = workspace.succeed(&["simulate", "run.yaml"]);
    assert!(!said.contains("noise"), "{said}");
    assert_eq!(workspace.json("out/simulation.json")["runs"].as_array().map(Vec::len), Some(4));
}

#[test]
fn invalid_settings_are_refused_at_their_place() {
    let workspace = noisy();
    for (section, complaint) in [
        ("denoise: {threshold: -1}", "denoise.threshold: expected a non-negative number, not -1"),
        (
            "denoise: {detector: hbos, threshold: 2}",
            "denoise.threshold: expected a fraction of the range of scores, at most 1, not ",
        ),
        ("denoise: {max_bins: 0}", "denoise.max_bins: expected 2 to 100000 bins, not 0"),
        ("denoise: {sigma: 3}", "unknown key `sigma`"),
        ("denoise: kmeans", "kmeans"),
        ("denoise: 3", "`true`, `false`, the name of a detector, or a mapping"),
    ] {
        run_configuration(&workspace, section);
        let said = workspace.fail(&["run", "run.yaml"], 3);
        assert!(said.contains(complaint), "{section}: {said}");
        assert!(said.contains("run.yaml:5"), "{said}");
    }
}

/// Regression: the short form was case-sensitive.
#[test]
fn detectors_are_named_in_any_case() {
    let workspace = noisy();
    for section in ["denoise: SSTD", "denoise: {detector: SSTD}"] {
        run_configuration(&workspace, section);
        workspace.succeed(&["run", "run.yaml"]);
        assert_eq!(workspace.json("out/summary.json")["denoise"]["labelling"]["detector"], "sstd");
    }
}

/// Regression: imbalance due to the slow rank counted as noise, and `denoise` removed it.
#[test]
fn a_rank_that_becomes_slow_is_reported_and_is_not_noise() {
    let workspace = with_loads(&|rank, _, phase| if rank == 2 && phase >= 6 { 3.0 } else { 1.0 });
    let said = workspace.succeed(&["anomalies", "set", "--output-dir", "out"]);
    assert!(said.starts_with("0 of 80 tasks are anomalies (0%)"), "{said}");
    // Four of ten phases have the loads 2, 2, 6, 2 s: 0.4 * (6 / 3 - 1) = 40 %.
    assert!(
        said.contains(
            "The mean imbalance of 40% is the sum of 0% noise, 40% that persists and can be balanced away"
        ),
        "{said}"
    );
    assert!(said.contains("The load of 2 objects changes permanently"), "{said}");
    assert!(
        said.contains(
            "Slow in a part of the run: rank 2 (host1) from phase 6 on (2 objects take 3 times as long)."
        ),
        "{said}"
    );
    let results = workspace.json("out/anomalies.json");
    let expected = json!([{"rank": 2, "host": "host1", "first_phase": 6, "last_phase": 9, "factor": 3.0, "n_objects": 2}]);
    assert_eq!(results["slow_spells"], expected);
    assert_eq!(results["imbalance"]["segments"][1]["first_phase"], 6);
    assert_eq!(
        workspace.text("out/slow_spells.csv"),
        "rank,host,first_phase,last_phase,factor,objects\n2,\"host1\",6,9,3,2\n"
    );
    // Offline and online detection both recognize the change, so the last phases keep their measured loads.
    for (denoise, first_known) in [("true", 6), ("{online: true}", 8)] {
        run_configuration(&workspace, &format!("denoise: {denoise}\n"));
        workspace.succeed(&["run", "run.yaml"]);
        let summary = workspace.json("out/summary.json");
        for phase in 0..10 {
            let expected = if phase >= first_known { 6.0 } else { 2.0 };
            assert_eq!(summary["phases"][phase]["before"]["load"]["max"], expected, "{denoise}, {phase}");
        }
    }
}

/// Regression: the report stated "0 % is noise" although no task was tested.
#[test]
fn noise_is_not_quantified_if_few_tasks_were_tested_or_many_were_flagged() {
    let workspace =
        with_loads(&|rank, id, phase| 1.0 + ((phase * 61 + rank * 17 + id * 29) % 101) as f64 / 101.0);
    for (arguments, heading, reason) in [
        (
            &["--phases", "3"][..],
            "8 tasks, none of them tested for anomalies: ",
            ": only one phase was recorded",
        ),
        // None of ten times can be six standard deviations from their mean.
        (
            &["--detector", "sstd"],
            "80 tasks, none of them tested for anomalies: ",
            ": none of 80 tasks is tested, because sstd needs at least 38 recorded times per object.",
        ),
        // The first seven of ten times are not tested.
        (
            &["--online", "--min-samples", "8"],
            "24 of 80 tasks were tested, with 0 anomalies: ",
            ": only 24 of 80 tasks are tested, because mad needs at least 8 recorded times per object.",
        ),
        (&["--detector", "hbos"], "", "of the tested tasks, which is too many for anomalies."),
    ] {
        let said = workspace.succeed(&[&["anomalies", "set"], arguments].concat());
        assert!(said.starts_with(heading), "{said}");
        assert!(said.contains("is noise and which part is persistent") && said.contains(reason), "{said}");
        assert!(!said.contains("can be balanced away"), "{said}");
        let json = workspace.succeed(&[&["anomalies", "set", "--json"], arguments].concat());
        let results: Value = serde_json::from_str(&json).expect("JSON");
        assert!(results["doubt"].as_str().expect("a sentence").contains(reason), "{}", results["doubt"]);
    }
    // Runs and simulations make no statement about noise either.
    run_configuration(&workspace, "denoise: sstd\nsimulation: {schedule: {every: 1}}\n");
    workspace.succeed(&["run", "run.yaml"]);
    let summary = workspace.json("out/summary.json");
    assert!(summary["denoise"]["no_estimate_reason"].is_string());
    assert!(summary["notes"].to_string().contains("none of 80 tasks is tested"), "{}", summary["notes"]);
    let said = workspace.succeed(&["simulate", "run.yaml"]);
    assert!(said.contains("none of 80 tasks is tested") && !said.contains("Reacting to noise"), "{said}");
    // The default detector needs fewer times, so it tests tasks and quantifies noise.
    let said = workspace.succeed(&["anomalies", "set"]);
    assert!(said.contains("can be balanced away"), "{said}");
}

/// Version 3 has the keys `left_alone` and `doubt`, which `lbaf plot` replaces.
#[test]
fn a_summary_of_version_3_is_read_by_its_old_keys() {
    let workspace = with_loads(&|rank, id, phase| 1.0 + ((phase + rank + id) % 2) as f64);
    run_configuration(&workspace, "denoise: sstd\n");
    workspace.succeed(&["run", "run.yaml", "--set", "algorithm.min_imbalance=10"]);
    let new = workspace.text("out/summary.json");
    let old = new
        .replace("\"already_balanced\": true", "\"left_alone\": true")
        .replace("\"no_estimate_reason\"", "\"doubt\"")
        .replace("\"version\": 4", "\"version\": 3");
    assert!(old.contains("\"left_alone\": true") && old.contains("\"doubt\""), "{old}");
    workspace.write("out/summary.json", old);
    workspace.succeed(&["plot", "out", "--formats", "svg"]);
    let (new, read): (Value, _) =
        (serde_json::from_str(&new).expect("JSON"), workspace.json("out/summary.json"));
    assert!(read["denoise"]["no_estimate_reason"].is_string(), "{read}");
    assert_eq!(read["denoise"], new["denoise"]);
    assert_eq!(read["phases"], new["phases"]);
    assert_eq!(read["phases"][0]["already_balanced"], true);
}
