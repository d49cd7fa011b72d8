// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf provenance`: export to and import from Chimbuko's database.

mod fields;

use serde_json::{Value, json};

use fields::values;

use crate::anomalies::noisy;
use crate::vom::{packed, send, task};
use crate::workspace::Workspace;

/// Eight phases of three ranks on two hosts with three tasks each, which send to the next rank.
/// In phase 4, the second task of rank 1 takes ten times as long. The first task of rank 2 ran on a GPU.
fn recorded() -> Workspace {
    let workspace = Workspace::new();
    for rank in 0..3_u64 {
        let made = |id: u64, phase: u64| {
            let time = 1e-3 * (id as f64) * (1.0 + 0.001 * (phase % 3) as f64);
            let mut task =
                task(packed(id, rank), rank, if (rank, id, phase) == (1, 2, 4) { 10.0 * time } else { time });
            task["user_defined"] = json!({"task_footprint_bytes": 1024 * id});
            if (rank, id) == (2, 1) {
                task["resource"] = "gpu".into();
            }
            task
        };
        let phase = |phase: u64| {
            let tasks: Vec<Value> = (1..4).map(|id| made(id, phase)).collect();
            let edge = |id: u64| {
                send(
                    (packed(id, rank), rank),
                    (packed(id, (rank + 1) % 3), (rank + 1) % 3),
                    100.0 * id as f64,
                )
            };
            let edges: Vec<Value> = (1..4).map(edge).collect();
            json!({"id": phase, "tasks": tasks, "communications": edges})
        };
        let phases: Vec<Value> = (0..8).map(phase).collect();
        let host = format!("host{}", rank / 2);
        let attributes = json!({"Hostname": host, "cpu: User %": 42, "job": "1234"});
        let metadata = json!({"type": "LBDatafile", "rank": rank, "attributes": attributes});
        workspace
            .write(&format!("set.{rank}.json"), json!({"metadata": metadata, "phases": phases}).to_string());
    }
    workspace
}

/// Returns all collections of a database in one object.
fn database(workspace: &Workspace, directory: &str) -> Value {
    let mut collections = serde_json::Map::new();
    for name in ["anomalies", "normalexecs", "metadata", "func_stats", "counter_stats", "ad_model"] {
        collections.insert(name.to_owned(), workspace.json_of_any(&format!("{directory}/{name}.json")));
    }
    Value::Object(collections)
}

impl Workspace {
    /// Parses a JSON file that may start with any character.
    fn json_of_any(&self, name: &str) -> Value {
        serde_json::from_slice(&self.read(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

/// Checks that two directories have the same files. The content of files in `but` may differ.
#[track_caller]
fn same_files(workspace: &Workspace, one: &str, other: &str, but: &[&str]) {
    let [one, other] = [one, other].map(|directory| workspace.files(directory));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (name, bytes) in one.iter().filter(|(name, _)| !but.contains(&name.as_str())) {
        assert!(*bytes == other[name], "{name}");
    }
}

#[test]
fn exported_records_match_the_recorded_data() {
    let workspace = recorded();
    workspace.succeed(&["provenance", "export", "set", "tree"]);
    let mut expected = vec!["ad_model.json".to_owned(), "global_counter_stats.json".to_owned()];
    expected.push("global_func_stats.json".to_owned());
    let of_ranks = (0..3).map(|rank| format!("0/{rank}/0.metadata.json"));
    expected.extend(of_ranks.chain(["0/1/3.normalexecs.json".to_owned(), "0/1/4.anomalies.json".to_owned()]));
    expected.sort();
    let names = workspace.names("tree");
    // The normal execution is the most normal one of the phase before the anomaly.
    assert_eq!(names.len(), expected.len(), "{names:?}");
    let text = workspace.text("tree/0/1/4.anomalies.json");
    assert!(text.starts_with("[\n    {\n        \"algo_params\": {\n"), "{text}");
    let anomaly = &workspace.json_of_any("tree/0/1/4.anomalies.json")[0];
    // Microseconds of phases 0 to 3. The first task of the rank takes 1001 in phase 4.
    let start = 6000 + 6006 + 6012 + 6000;
    assert_eq!(anomaly["event_id"], "1:4:1");
    assert_eq!([&anomaly["io_step_tstart"], &anomaly["entry"]], [start, start + 1001]);
    assert_eq!([&anomaly["runtime_exclusive"], &anomaly["outlier_severity"]], [20020.0, 20020.0]);
    assert_eq!(anomaly["exit"], start + 1001 + 20020);
    assert_eq!(anomaly["hostname"], "host0");
    assert_eq!(anomaly["call_stack"][1]["event_id"], "1:4:-1");
    let window = &anomaly["event_window"];
    // Five tasks before and five after, from phases 2 to 6.
    let ids: Vec<&str> =
        values(window, "exec_window[].event_id").into_iter().filter_map(Value::as_str).collect();
    let expected =
        ["1:2:2", "1:3:0", "1:3:1", "1:3:2", "1:4:0", "1:4:1", "1:4:2", "1:5:0", "1:5:1", "1:5:2", "1:6:0"];
    assert_eq!(ids, expected);
    // Each task sent one message and received one.
    let messages = window["comm_window"].as_array().expect("an array");
    assert_eq!(messages.len(), 2 * expected.len());
    let of_anomaly: Vec<Value> = messages
        .iter()
        .filter(|message| message["execdata_key"] == "1:4:1")
        .map(|message| {
            json!([message["type"], message["src"], message["tar"], message["bytes"], message["tag"]])
        })
        .collect();
    assert_eq!(of_anomaly, [json!(["SEND", 1, 2, 200, 1]), json!(["RECV", 0, 1, 200, 1])]);
    let counters: Vec<Value> = anomaly["counter_events"]
        .as_array()
        .expect("an array")
        .iter()
        .map(|counter| json!([counter["counter_name"], counter["counter_value"]]))
        .collect();
    let expected = [
        json!(["task_footprint_bytes", 2048]),
        json!(["bytes sent", 200]),
        json!(["bytes received", 200]),
        json!(["messages sent", 1]),
    ];
    assert_eq!(counters, expected);
    // Regression: the ends of a window wider than the run overflowed.
    workspace.succeed(&["provenance", "export", "set", "wide", "--window", "18446744073709551615"]);
    let wide = &workspace.json_of_any("wide/0/1/4.anomalies.json")[0];
    assert_eq!(values(wide, "event_window.exec_window[]").len(), 8 * 3);
    let functions = workspace.json_of_any("tree/global_func_stats.json");
    assert_eq!(functions.as_array().map(Vec::len), Some(9));
    let of_anomaly =
        functions.as_array().and_then(|all| all.iter().find(|function| function["fid"] == anomaly["fid"]));
    let of_anomaly = of_anomaly.expect("it is there");
    assert_eq!(of_anomaly["runtime_profile"]["exclusive_runtime"]["count"], 8.0);
    assert_eq!(of_anomaly["anomaly_metrics"]["severity"]["accumulate"], 20020.0);
    // One thread gives the same bytes. `--force` removes all exported files of the previous call.
    workspace.succeed(&["provenance", "export", "set", "again", "--threads", "1"]);
    same_files(&workspace, "again", "tree", &[]);
    let refused = workspace.fail(&["provenance", "export", "set", "again", "--flat"], 6);
    assert!(refused.contains("already exists"), "{refused}");
    workspace.write("again/notes.txt", "mine");
    workspace.succeed(&["provenance", "export", "set", "again", "--flat", "--force"]);
    assert_eq!(workspace.names("again").len(), 6 + 1);
}

#[test]
fn an_export_of_an_imported_export_is_the_same() {
    let workspace = recorded();
    for (detector, more) in [("mad", "--quiet"), ("hbos", "--online")] {
        let first = format!("first_{detector}");
        workspace.succeed(&["provenance", "export", "set", &first, "--detector", detector, more]);
        let stem = format!("{detector}/back");
        workspace.succeed(&["provenance", "import", &first, &stem, "--migratable"]);
        let second = format!("second_{detector}");
        let said = workspace.succeed(&["provenance", "export", &stem, &second]);
        assert!(said.contains("these data came from a provenance database"), "{said}");
        same_files(&workspace, &second, &first, &[]);
        // The flat form is another spelling of the same database.
        let flat = format!("flat_{detector}");
        workspace.succeed(&["provenance", "export", &stem, &flat, "--flat"]);
        let (from_flat, third) = (format!("{detector}/flat"), format!("third_{detector}"));
        workspace.succeed(&["provenance", "import", &flat, &from_flat]);
        workspace.succeed(&["provenance", "export", &from_flat, &third]);
        // Exception: functions are ordered by the severity of their anomalies, as in the output of queries.
        let functions = "global_func_stats.json";
        same_files(&workspace, &third, &first, &[functions]);
        let sorted = |directory: &str| {
            let all = workspace.json_of_any(&format!("{directory}/{functions}"));
            let mut all = all.as_array().expect("an array").clone();
            all.sort_by_key(|function| function["fid"].as_i64());
            all
        };
        assert_eq!(sorted(&third), sorted(&first));
    }
    // Imported data are a data set like any other: valid, and complete after rebalancing.
    workspace.succeed(&["validate", "mad/back"]);
    workspace.write(
        "run.yaml",
        "from_data: {data_stem: mad/back}\nalgorithm: {name: Rotate}\noutput_dir: rotated\nplots: none\n\
         write_JSON: {compressed: false}\n",
    );
    workspace.succeed(&["run", "run.yaml"]);
    workspace.succeed(&["provenance", "export", "rotated/output_file", "fourth"]);
    same_files(&workspace, "fourth", "first_mad", &[]);
}

/// Regression: a database with a single collection was not restored, because only the first rank was checked for
/// records.
#[test]
fn a_single_collection_is_restored() {
    let workspace = recorded();
    workspace.succeed(&["provenance", "export", "set", "flat", "--flat"]);
    workspace.succeed(&["provenance", "import", "flat/anomalies.json", "alone"]);
    workspace.succeed(&["provenance", "export", "alone", "again", "--flat"]);
    assert_eq!(workspace.json_of_any("again/anomalies.json"), workspace.json_of_any("flat/anomalies.json"));
}

/// Regression: the export of data without phases panicked.
#[test]
fn data_without_phases_make_a_database_without_executions() {
    let workspace = Workspace::new();
    workspace.write("set.0.json", r#"{"metadata": {"rank": 0}, "phases": []}"#);
    let said = workspace.succeed(&["provenance", "export", "set", "tree"]);
    assert!(said.starts_with("0 anomalous executions and 0 normal executions"), "{said}");
    workspace.write("broken/anomalies.json", "[{]");
    let refused = workspace.fail(&["provenance", "report", "broken"], 4);
    assert!(refused.contains("found no readable record of a provenance database"), "{refused}");
}

/// Regression: with node numbers instead of host names, a report listed only hosts of ranks with anomalies.
#[test]
fn every_rank_has_a_host() {
    let workspace = Workspace::new();
    for rank in 0..2_u64 {
        let node = json!({"id": 7 + rank, "size": 1, "rank": 0, "num_nodes": 2});
        let phases = json!([{"id": 0, "tasks": [task(packed(1, rank), rank, 0.5)]}]);
        let file = json!({"metadata": {"rank": rank, "shared_node": node}, "phases": phases});
        workspace.write(&format!("set.{rank}.json"), file.to_string());
    }
    workspace.succeed(&["provenance", "export", "set", "tree"]);
    let report: Value =
        serde_json::from_str(&workspace.succeed(&["provenance", "report", "tree", "--json"])).expect("JSON");
    let mut hosts: Vec<&Value> = values(&report, "hosts[].hostname");
    hosts.sort_by_key(ToString::to_string);
    assert_eq!(hosts, ["node7", "node8"]);
}

/// Regression: equal messages of one task were counted as a single message that is in several windows.
#[test]
fn equal_messages_of_one_window_are_several() {
    // Both objects of rank 0 send 8 bytes to each object of rank 1; the first object of rank 0 has an anomaly.
    let workspace = Workspace::new();
    for rank in 0..2_u64 {
        let time = |id: u64, phase: u64| if (rank, id, phase) == (0, 1, 5) { 0.5 } else { 0.01 };
        let phase = |phase: u64| {
            let tasks: Vec<Value> = (1..3).map(|id| task(packed(id, rank), rank, time(id, phase))).collect();
            let edge = |n: u64| send((packed(1 + n / 2, 0), 0), (packed(1 + n % 2, 1), 1), 8.0);
            let edges: Vec<Value> = (0..if rank == 0 { 4 } else { 0 }).map(edge).collect();
            json!({"id": phase, "tasks": tasks, "communications": edges})
        };
        let phases: Vec<Value> = (0..8).map(phase).collect();
        workspace.write(
            &format!("set.{rank}.json"),
            json!({"metadata": {"rank": rank}, "phases": phases}).to_string(),
        );
    }
    workspace.succeed(&["provenance", "export", "set", "tree", "--window", "0"]);
    workspace.succeed(&["provenance", "import", "tree", "back"]);
    // The task with the anomaly sends two messages to a rank with unknown objects.
    let files = workspace.documents("back");
    let messages = |phase: usize| &files[0]["phases"][phase]["communications"];
    assert_eq!([&messages(5)[0]["messages"], &messages(5)[0]["bytes"]], [&json!(2), &json!(16.0)]);
}

#[test]
fn imported_data_match_the_database() {
    let workspace = recorded();
    workspace.succeed(&["provenance", "export", "set", "tree"]);
    let said = workspace.succeed(&["provenance", "import", "tree", "back"]);
    assert!(said.contains("3 ranks"), "{said}");
    let files = workspace.documents("back");
    assert_eq!(files[0]["metadata"]["attributes"]["source"], "chimbuko");
    assert_eq!(files[0]["metadata"]["attributes"]["partial"], 1);
    let hosts: Vec<&Value> = files.iter().map(|file| &file["metadata"]["shared_node"]["id"]).collect();
    assert_eq!(hosts, [0, 0, 1]);
    let task = &files[1]["phases"][4]["tasks"][0];
    assert!((task["time"].as_f64().expect("a number") - 0.02002).abs() < 1e-15);
    assert_eq!(task["user_defined"]["anomaly_count"], 1);
    assert_eq!(task["attributes"]["counter:task_footprint_bytes"], 2048.0);
    let refused = workspace.fail(&["provenance", "import", "tree", "back"], 6);
    assert!(refused.contains("already exists"), "{refused}");
    let unknown = workspace.fail(&["provenance", "import", "tree", "other", "--pid", "7"], 4);
    assert!(unknown.contains("of program 7"), "{unknown}");
    let missing = workspace.fail(&["provenance", "import", "nowhere", "other"], 4);
    assert!(missing.contains("nowhere"), "{missing}");
}

#[test]
fn faults_are_reported_with_their_place_and_are_not_fatal() {
    let workspace = recorded();
    workspace.succeed(&["provenance", "export", "set", "tree"]);
    workspace.write("tree/0/2/5.anomalies.json", "[\n{\"pid\": 0},\n{\"pid\": NaN}\n");
    workspace.write("tree/notes.txt", "mine");
    let said = workspace.lbaf(&["provenance", "report", "tree"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(
        said.stdout.starts_with("1 anomalous execution and 1 normal one on 3 ranks of 2 hosts"),
        "{}",
        said.stdout
    );
    for place in ["tree/0/2/5.anomalies.json:2:", "tree/0/2/5.anomalies.json:3:"] {
        assert!(said.stderr.contains(place), "{}", said.stderr);
    }
    assert!(said.stderr.contains("notes.txt"), "{}", said.stderr);
}

#[test]
fn a_report_orders_functions_by_the_severity_of_their_anomalies() {
    let workspace = noisy();
    workspace.succeed(&["provenance", "export", "set", "tree"]);
    let said = workspace.succeed(&["provenance", "report", "tree"]);
    assert!(
        said.starts_with("3 anomalous executions and 3 normal ones on 4 ranks of 2 hosts, steps "),
        "{said}"
    );
    let report: Value =
        serde_json::from_str(&workspace.succeed(&["provenance", "report", "tree", "--json"])).expect("JSON");
    let functions = report["functions"].as_array().expect("an array");
    // 5 s, and 3 s twice; the other five functions have no anomalies.
    let severities: Vec<&Value> =
        functions.iter().map(|function| &function["accumulated_severity_us"]).collect();
    assert_eq!(severities[..3], [5e6, 3e6, 3e6]);
    assert_eq!(functions[0]["execution_count"], 10);
    assert_eq!(functions[0]["anomaly_frequency"], 0.1);
    assert_eq!(report["hosts"].as_array().map(Vec::len), Some(2));
}

#[test]
fn two_runs_are_compared_function_by_function() {
    let workspace = noisy();
    workspace.succeed(&["provenance", "export", "set", "a", "--detector", "hbos", "--max-bins", "10"]);
    let same = workspace.succeed(&["provenance", "compare", "a", "a"]);
    assert!(same.contains("differ by 0%"), "{same}");
    // In the other run every task takes 2 s, so there are no anomalies.
    let other = Workspace::new();
    for (rank, mut file) in (0..).zip(workspace.documents("set")) {
        for phase in file["phases"].as_array_mut().expect("an array") {
            for task in phase["tasks"].as_array_mut().expect("an array") {
                task["time"] = 2.0.into();
            }
        }
        other.write(&format!("set.{rank}.json"), file.to_string());
    }
    other.succeed(&["provenance", "export", "set", "b", "--detector", "hbos", "--max-bins", "10"]);
    for (name, bytes) in other.files("b") {
        workspace.write(&format!("b/{name}"), bytes);
    }
    let compared: Value =
        serde_json::from_str(&workspace.succeed(&["provenance", "compare", "a", "b", "--json"]))
            .expect("JSON");
    let first = &compared["functions"][0];
    assert_eq!(
        [&first["first"]["accumulated_severity_us"], &first["first"]["anomaly_count"]],
        [&json!(5e6), &json!(1)]
    );
    assert_eq!(first["second"]["anomaly_count"], 0);
    assert!(
        (first["first"]["relative_anomalous_time"].as_f64().expect("a number") - 5.0 / 14.0).abs() < 1e-12
    );
    let said = workspace.succeed(&["provenance", "compare", "a", "b", "--histograms"]);
    assert!(said.contains("(total variation distance)"), "{said}");
}

/// Regression: the export kept all executions in memory, which took five times the size of the files.
/// Wide windows and many anomalies make the files larger than the memory that the command otherwise needs.
#[cfg(target_os = "linux")]
#[test]
fn a_database_may_be_larger_than_the_memory_of_its_export() {
    let workspace = Workspace::new();
    for rank in 0..4_u64 {
        let time = |id: u64, phase: u64| 1e-3 * (1 + id + (phase * (7 + id)) % 13 * 5) as f64;
        let phase = |phase: u64| {
            let tasks: Vec<Value> = (1..31).map(|id| task(packed(id, rank), rank, time(id, phase))).collect();
            json!({"id": phase, "tasks": tasks})
        };
        let phases: Vec<Value> = (0..20).map(phase).collect();
        let metadata = json!({"type": "LBDatafile", "rank": rank});
        workspace
            .write(&format!("set.{rank}.json"), json!({"metadata": metadata, "phases": phases}).to_string());
    }
    let export = ["provenance", "export", "set", "wide", "--flat", "--detector", "hbos", "--window", "100"];
    let peak = workspace.peak_bytes(&export);
    let written: usize = workspace.files("wide").values().map(Vec::len).sum();
    assert!(peak < written, "{peak} bytes of memory for {written} bytes of files");
}
