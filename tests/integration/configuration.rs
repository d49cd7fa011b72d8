// SPDX-License-Identifier: MIT OR Apache-2.0
//! Configurations in all their forms, and the outputs of the runs that they configure.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::vom::{one_phase, packed, send, task};
use crate::workspace::Workspace;

/// Files that every run writes.
const TABLES: [&str; 10] = [
    "imbalance.txt",
    "iterations.csv",
    "lb_statistics.json",
    "migrations.csv",
    "object_loads.csv",
    "rank_volumes.csv",
    "ranks.csv",
    "summary.json",
    "timings.json",
    "w_max.txt",
];

const CONFIGURATION: &str = "
from_data:
  data_stem: ../data/set
algorithm:
  name: Greedy
output_dir: ../out
plots: none
";

/// Two ranks, eight objects on the first; the configuration is in its own directory.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    let tasks: Vec<_> = (1..=8).map(|sequence| task(packed(sequence, 0), 0, 1.0)).collect();
    workspace.write("data/set.0.json", one_phase(0, &tasks, &[]));
    workspace.write("data/set.1.json", one_phase(1, &[], &[]));
    workspace.write("config/run.yaml", CONFIGURATION);
    workspace
}

fn summary(workspace: &Workspace) -> Value {
    workspace.json("out/summary.json")
}

/// Returns the names of the charts of a run with one phase.
fn charts(suffix: &str) -> Vec<String> {
    ["load_histogram", "rank_loads"].map(|chart| format!("{chart}.{suffix}")).to_vec()
}

fn hexadecimal(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(|digit| char::from_digit(u32::from(digit), 16)).collect()
}

#[test]
fn paths_are_relative_to_the_configuration_and_on_the_command_line_to_the_working_directory() {
    let workspace = workspace();
    workspace.succeed(&["run", "config/run.yaml"]);
    assert_eq!(summary(&workspace)["input"]["stem"], "../data/set");
    workspace.succeed(&["run", "config/run.yaml", "--output-dir", "elsewhere"]);
    assert_eq!(workspace.names("elsewhere"), workspace.names("out"));
}

#[test]
fn the_command_line_of_lbaf_is_equivalent() {
    let workspace = workspace();
    let report = workspace.succeed(&["run", "config/run.yaml"]);
    let expected = summary(&workspace);
    for arguments in [
        &["-c", "config/run.yaml"][..],
        &["--configuration", "config/run.yaml"],
        &["-c", "config/run.yaml", "-v", "0"],
    ] {
        assert_eq!(workspace.succeed(arguments), report, "{arguments:?}");
        assert_eq!(summary(&workspace), expected);
    }
    workspace.succeed(&["-c", "config/run.yaml", "--set", "algorithm.name=RotateLB"]);
    assert_eq!(summary(&workspace)["strategy"]["name"], "RotateLB");
}

#[test]
fn settings_of_the_command_line_take_precedence() {
    let workspace = workspace();
    let set = ["--set", "algorithm.parameters.pool=excess", "--set", "algorithm.parameters.max=1.1"];
    workspace.succeed(&[&["run", "config/run.yaml"][..], &set].concat());
    let parameters = &summary(&workspace)["strategy"]["parameters"];
    assert_eq!((&parameters["pool"], &parameters["max"]), (&json!("excess"), &json!(1.1)));
    workspace.succeed(&["run", "config/run.yaml", "--set", "seed=5", "--seed", "7"]);
    assert_eq!(summary(&workspace)["seed"], 7);
}

#[test]
fn later_files_take_precedence() {
    let workspace = workspace();
    let below = "work_model: {name: AffineCombination, parameters: {beta: 1.0, gamma: 2.0}}
from_data: {data_stem: nowhere, communication_types: [SendRecv, Broadcast]}
seed: 3
";
    workspace.write("config/below.yaml", below);
    workspace.write("config/above.yaml", "work_model: {parameters: {gamma: 4.0}}\nseed: 5\n");
    workspace.succeed(&["run", "config/below.yaml", "config/run.yaml", "config/above.yaml"]);
    let summary = summary(&workspace);
    let parameters = &summary["work_model"]["parameters"];
    assert_eq!((&parameters["beta"], &parameters["gamma"]), (&json!(1.0), &json!(4.0)));
    assert_eq!(summary["seed"], 5);
    // 8 / 2 + 4
    assert_eq!(workspace.text("out/w_max.txt"), "8\n");
}

#[test]
fn paths_are_relative_to_the_last_file() {
    let workspace = workspace();
    workspace.write("other/deep/more.yaml", "seed: 1\n");
    workspace.write("other/data/set.0.json", one_phase(0, &[task(packed(1, 0), 0, 1.0)], &[]));
    workspace.succeed(&["run", "config/run.yaml", "other/deep/more.yaml"]);
    assert_eq!(workspace.json("other/out/summary.json")["input"]["n_objects"], 1);
    assert!(!workspace.path("out").exists());
}

#[test]
fn global_yaml_has_the_lowest_precedence() {
    let workspace = workspace();
    workspace.write("global.yaml", "seed: 1\nalgorithm: {name: RotateLB}\n");
    workspace.succeed(&["run", "config/run.yaml"]);
    assert_eq!(
        (&summary(&workspace)["seed"], &summary(&workspace)["strategy"]["name"]),
        (&json!(1), &json!("Greedy"))
    );
    // The file beside the configuration takes precedence over the file in the working directory.
    workspace.write("config/global.yaml", "seed: 2\n");
    workspace.succeed(&["run", "config/run.yaml"]);
    assert_eq!(summary(&workspace)["seed"], 2);
    workspace.succeed(&["run", "config/run.yaml", "--set", "seed=3"]);
    assert_eq!(summary(&workspace)["seed"], 3);
}

/// Mappings are merged key by key. Parameters in `global.yaml` apply only to the strategy named there.
#[test]
fn global_yaml_is_merged_deeply() {
    let workspace = workspace();
    workspace.write(
        "config/global.yaml",
        "from_data: {communication_types: [Broadcast, ReadOnlyShared]}
work_model: {name: AffineCombination, parameters: {beta: 1.0, gamma: 2.0}}
algorithm: {name: RotateLB, parameters: {no_such_parameter: 1}}
write_JSON: {compressed: true, suffix: vom}
",
    );
    workspace.write(
        "config/run.yaml",
        format!(
            "{CONFIGURATION}write_JSON: {{compressed: false}}\nwork_model: {{parameters: {{gamma: 4.0}}}}\n"
        ),
    );
    let said = workspace.lbaf(&["-c", "config/run.yaml"]);
    assert_eq!(
        said.stderr,
        "note: config/global.yaml is merged below the configuration, which takes precedence\n"
    );
    let parameters = &summary(&workspace)["work_model"]["parameters"];
    assert_eq!((&parameters["beta"], &parameters["gamma"]), (&json!(1.0), &json!(4.0)));
    assert_eq!(workspace.read("out/output_file.0.vom")[0], b'{', "not compressed");
    assert_eq!(
        summary(&workspace)["configuration"]["files"],
        json!(["config/global.yaml", "config/run.yaml"])
    );
}

#[test]
fn charts_are_drawn_unless_disabled() {
    let workspace = workspace();
    workspace.succeed(&["run", "config/run.yaml"]);
    assert!(!workspace.path("out/plots").exists());

    workspace.write("config/run.yaml", CONFIGURATION.replace("plots: none", ""));
    workspace.succeed(&["run", "config/run.yaml"]);
    let mut all: Vec<String> = ["csv", "pdf", "png", "svg"].into_iter().flat_map(charts).collect();
    all.sort();
    assert_eq!(workspace.names("out/plots"), all);
    let starts = [("svg", &b"<svg"[..]), ("pdf", b"%PDF-"), ("png", b"\x89PNG\r\n\x1a\n")];
    for (suffix, start) in starts {
        for chart in charts(suffix) {
            let bytes = workspace.read(&format!("out/plots/{chart}"));
            assert!(bytes.starts_with(start), "{chart}");
        }
    }

    let some = ["run", "config/run.yaml", "--set", "plots={formats: [svg], charts: [rank_loads]}"];
    workspace.succeed(&some);
    assert_eq!(workspace.names("out/plots"), ["rank_loads.csv", "rank_loads.svg"]);

    workspace.succeed(&["run", "config/run.yaml", "--set", "plots=none"]);
    assert!(!workspace.path("out/plots").exists(), "a directory without charts was left");
}

#[test]
fn charts_drawn_again_from_the_summary_are_the_same() {
    let workspace = workspace();
    workspace.succeed(&["run", "config/run.yaml", "--set", "plots={formats: [svg, pdf]}"]);
    let drawn = workspace.files("out/plots");
    std::fs::remove_dir_all(workspace.path("out/plots")).expect("it was drawn");
    std::fs::remove_dir_all(workspace.path("data")).expect("it is there");
    workspace.succeed(&["plot", "out", "--formats", "svg,pdf"]);
    assert_eq!(workspace.names("out/plots"), drawn.keys().cloned().collect::<Vec<_>>());
    assert!(workspace.files("out/plots") == drawn);
    // Other charts drawn in between do not matter, and the argument may be the summary instead of the directory.
    workspace.succeed(&[
        "plot",
        "out",
        "--formats",
        "png",
        "--charts",
        "rank_loads",
        "--width",
        "two_column",
    ]);
    std::fs::remove_dir_all(workspace.path("out/plots")).expect("it was drawn");
    workspace.succeed(&["plot", "out/summary.json"]);
    assert!(workspace.files("out/plots") == drawn);
}

#[test]
fn files_of_an_earlier_run_are_removed_and_other_files_stay() {
    let workspace = workspace();
    workspace.write("out/notes.txt", "mine");
    workspace.write("out/output_file.7.json", "mine too");
    // Returns the names of the files after a run, without tables.
    let run = |stem: &str, suffix: &str| {
        let stem = format!("output_file_stem={stem}");
        let files = format!("write_JSON={{compressed: false, suffix: {suffix}}}");
        workspace.succeed(&["run", "config/run.yaml", "--set", &stem, "--set", &files]);
        let mut names = workspace.names("out");
        names.retain(|name| !TABLES.contains(&name.as_str()));
        names.join(" ")
    };
    assert_eq!(run("set", "vom"), "notes.txt output_file.7.json set.0.vom set.1.vom");
    // Old files with the stem of this run could be taken for its outputs, so they are removed.
    assert_eq!(run("set", "out"), "notes.txt output_file.7.json set.0.out set.1.out");
    assert_eq!(run("a", "out"), "a.0.out a.1.out notes.txt output_file.7.json set.0.out set.1.out");
    // A file that the user changed no longer belongs to the run.
    workspace.write("out/a.1.out", "changed");
    assert_eq!(run("a", "vom"), "a.0.vom a.1.out a.1.vom notes.txt output_file.7.json set.0.out set.1.out");
}

#[test]
fn no_files_are_written_without_write_json() {
    let workspace = workspace();
    workspace.succeed(&["run", "config/run.yaml"]);
    assert!(workspace.names("out").iter().all(|name| !name.starts_with("output_file")));
}

#[test]
fn written_files_have_the_suffix_and_the_compression_asked_for() {
    let workspace = workspace();
    for (compressed, suffix) in [(false, "vom"), (true, "json.br"), (true, "json")] {
        let set = format!("write_JSON={{compressed: {compressed}, suffix: {suffix}}}");
        workspace.succeed(&["run", "config/run.yaml", "--set", &set]);
        for rank in 0..2 {
            let name = format!("out/output_file.{rank}.{suffix}");
            assert_eq!(workspace.read(&name)[0] != b'{', compressed, "{name}");
        }
        let info: Value = serde_json::from_str(&workspace.succeed(&["info", "out/output_file", "--json"]))
            .expect("the output is JSON");
        assert_eq!((&info["suffix"], &info["n_objects"]), (&json!(suffix), &json!(8)));
        assert_eq!(info["phases"][0]["load_imbalance"], 0.0);
    }
}

#[test]
fn the_summary_is_printed_on_request() {
    let workspace = workspace();
    let printed = workspace.succeed(&["run", "config/run.yaml", "--json"]);
    assert_eq!(printed, workspace.text("out/summary.json"));
}

#[test]
fn the_summary_lists_every_file_with_its_digest() {
    let workspace = workspace();
    workspace.succeed(&[
        "run",
        "config/run.yaml",
        "--set",
        "write_JSON={compressed: true}",
        "--set",
        "plots={formats: [svg]}",
    ]);
    let summary = summary(&workspace);
    let listed = summary["files"].as_object().expect("an object");
    let mut files = workspace.files("out");
    for unlisted in ["summary.json", "timings.json"] {
        files.remove(unlisted).expect("every run leaves it");
    }
    assert!(listed.keys().eq(files.keys()), "{:?} are listed, {:?} are there", listed.keys(), files.keys());
    for (name, bytes) in files {
        let digest = hexadecimal(&Sha256::digest(&bytes));
        assert_eq!(listed[&name], json!({"bytes": bytes.len(), "sha256": digest}), "{name}");
    }
}

/// Footprints are 10 bytes; one of the two objects has a serialized size of 3.
#[test]
fn migrations_cost_serialized_sizes_or_footprints() {
    let workspace = Workspace::new();
    let mut objects = [1, 2].map(|id| task(id, 0, 1.0));
    for (object, memory) in objects.iter_mut().zip([
        json!({"task_footprint_bytes": 10.0, "task_serialized_bytes": 3.0}),
        json!({"task_footprint_bytes": 10.0}),
    ]) {
        object["user_defined"] = memory;
    }
    workspace.write("set.0.json", one_phase(0, &objects, &[]));
    workspace.write("set.1.json", one_phase(1, &[], &[]));
    let configuration =
        "from_data: {data_stem: set}\nalgorithm: {name: RotateLB}\noutput_dir: out\nplots: none\n";
    workspace.write("run.yaml", configuration);
    let report = workspace.succeed(&["run", "run.yaml"]);
    assert!(report.contains("Migrations: 2 of 2 objects (2 s of load, 13 B)."), "{report}");
    assert_eq!(workspace.json("out/summary.json")["phases"][0]["migrations"]["bytes"], 13.0);
    let table = workspace.text("out/migrations.csv");
    let sizes: Vec<&str> = table.lines().map(|row| row.splitn(7, ',').nth(6).unwrap()).collect();
    assert_eq!(sizes, ["serialized_bytes,migration_bytes", "3.0,3.0", "0.0,10.0"]);
}

/// Two objects of 6 bytes are on one rank; the other rank has a sentinel of 15 bytes. The limit is 20 bytes.
#[test]
fn less_work_beyond_a_bound_is_not_a_better_result() {
    let workspace = Workspace::new();
    let object = |id: u64, rank: u64, load: f64, bytes: f64| {
        let mut task = task(packed(id, rank), rank, load);
        task["user_defined"] = json!({"task_footprint_bytes": bytes});
        task
    };
    let mut sentinel = object(3, 1, 0.0, 15.0);
    sentinel["entity"]["migratable"] = json!(false);
    workspace.write("set.0.json", one_phase(0, &[object(1, 0, 1.0, 6.0), object(2, 0, 1.0, 6.0)], &[]));
    workspace.write("set.1.json", one_phase(1, &[sentinel], &[]));
    let permutation = format!("{{{}: 0, {}: 1}}", packed(1, 0), packed(2, 0));
    let configuration = format!(
        "from_data: {{data_stem: set}}
work_model: {{name: AffineCombination, parameters: {{upper_bounds: {{max_memory_usage: 20}}}}}}
algorithm: {{name: PrescribedPermutation, parameters: {{permutation: {permutation}}}}}
output_dir: out\nplots: none\n"
    );
    workspace.write("run.yaml", configuration);
    let report = workspace.succeed(&["run", "run.yaml"]);
    assert!(
        report.contains(
            "The result is worse than the start: it exceeds upper bounds of the work model, which the start satisfies; expect 50% less time after balancing."
        ),
        "{report}"
    );
    assert!(!report.contains("optimal") && !report.contains("optimum"), "{report}");
}

/// 8 objects of 1 s: rank loads 8 and 0 before, 4 and 4 after.
#[test]
fn numbers_are_those_of_a_case_done_by_hand() {
    let workspace = workspace();
    let report = workspace.succeed(&["run", "config/run.yaml"]);
    // The path is relative to the working directory, not to the configuration.
    assert!(report.starts_with("data/set: 2 ranks, 8 objects, 1 phase; Greedy on "), "{report}");
    let phase = &summary(&workspace)["phases"][0];
    assert_eq!(phase["rank_loads"], json!({"before": [8.0, 0.0], "after": [4.0, 4.0]}));
    assert_eq!(phase["before"]["load"]["imbalance"], 1.0);
    assert_eq!(phase["before"]["load"]["deviation"], 4.0);
    assert_eq!((&phase["migrations"]["count"], &phase["migrations"]["load"]), (&json!(4), &json!(4.0)));
    assert_eq!(phase["lower_bound"]["work"], 4.0);
    assert_eq!(workspace.text("out/imbalance.txt"), "0\n");
    assert_eq!(workspace.text("out/w_max.txt"), "4\n");
    assert_eq!(workspace.text("out/migrations.csv").lines().count(), 1 + 4);
    assert_eq!(workspace.text("out/ranks.csv").lines().count(), 1 + 2);
    let sentences = [
        "Ideal load balance would reduce the time by 50%.",
        "Expect 50% less time after balancing, which is the optimum.",
    ];
    for sentence in sentences {
        assert!(report.contains(sentence), "{report}");
    }
    let statistics = &workspace.json("out/lb_statistics.json")["phases"][0];
    assert_eq!(
        (&statistics["migration count"], &statistics["pre-LB"]["Rank_load_raw"]["imb"]),
        (&json!(4), &json!(1.0))
    );
    assert_eq!(statistics["post-LB"]["Rank_load_raw"]["imb"], 0.0);
}

/// The case worked by hand, with 8 s of additional work on every rank.
#[test]
fn every_sentence_is_about_work() {
    let workspace = workspace();
    let constant = "work_model={name: AffineCombination, parameters: {gamma: 8}}";
    let report = workspace.succeed(&["run", "config/run.yaml", "--set", constant]);
    for sentence in
        ["Ideal load balance would reduce the time by 25%.", "Expect 25% less time after balancing, which"]
    {
        assert!(report.contains(sentence), "{report}");
    }
}

/// The home rank of an absent endpoint does not exist. With `drop`, the warning recommends `home`.
/// With `home`, the warning states that the home rank does not exist.
#[test]
fn communication_is_left_out_with_the_right_reason() {
    let workspace = workspace();
    let sent = send((packed(1, 0), 0), (packed(9, 7), 7), 100.0);
    workspace.write("data/set.0.json", one_phase(0, &[task(packed(1, 0), 0, 1.0)], &[sent]));
    for (setting, reason, other) in [
        (
            "drop",
            "`from_data.absent_endpoints: home` places such an object on its home rank",
            "nonexistent home rank",
        ),
        ("home", "with a nonexistent home rank", "absent_endpoints: home"),
    ] {
        let setting = format!("from_data.absent_endpoints={setting}");
        workspace.succeed(&["run", "config/run.yaml", "--set", &setting]);
        let warnings = summary(&workspace)["warnings"].to_string();
        assert!(warnings.contains("1 of 1 communication entries"), "{warnings}");
        assert!(warnings.contains(reason) && !warnings.contains(other), "{warnings}");
    }
}

#[test]
fn no_work_at_all_is_the_best_possible() {
    let workspace = workspace();
    let sent = send((packed(1, 0), 0), (packed(2, 0), 0), 100.0);
    workspace.write("data/set.0.json", one_phase(0, &[task(packed(1, 0), 0, 1.0)], &[sent]));
    workspace.write("data/set.1.json", one_phase(1, &[task(packed(2, 0), 1, 1.0)], &[]));
    let together = format!(
        "algorithm={{name: PrescribedPermutation, parameters: {{permutation: {{{}: 0, {}: 0}}}}}}",
        packed(1, 0),
        packed(2, 0)
    );
    let volume = "work_model={name: AffineCombination, parameters: {alpha: 0, beta: 1}}";
    let report = workspace.succeed(&["run", "config/run.yaml", "--set", &together, "--set", volume]);
    assert!(
        report
            .contains("Expect 100% less maximum work (communication) after balancing, which is the optimum."),
        "{report}"
    );
}

#[test]
fn quiet_runs_print_no_messages() {
    let workspace = workspace();
    workspace.write("config/global.yaml", "terminal_background: dark\n");
    assert!(workspace.lbaf(&["run", "config/run.yaml"]).stderr.contains("note: `terminal_background`"));
    assert_eq!(workspace.lbaf(&["run", "-q", "config/run.yaml"]).stderr, "");
    assert!(workspace.lbaf(&["run", "-v", "config/run.yaml"]).stderr.contains("read 2 files in"));
}
