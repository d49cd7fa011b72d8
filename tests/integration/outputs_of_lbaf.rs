// SPDX-License-Identifier: MIT OR Apache-2.0
//! Outputs that tools around LBAF read: statistics in the log, files for OfflineLB, quantities of objects.
//! Figures are those printed by LBAF 1.6, or worked by hand.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::peers::{EIGHT_COLOURS, SYNTHETIC_BLOCKS, peer};
use crate::vom::{list, one_phase, packed, phase, phase_ids, send, task};
use crate::workspace::Workspace;

/// A configuration of LBAF for a data set, with outputs in `out` and a log.
fn configuration(stem: &str, more: &str) -> String {
    format!(
        "from_data: {{data_stem: {stem}}}\nlog_to_file: run.log\noutput_dir: out\noutput_file_stem: new\nplots: none\n{more}\n"
    )
}

const STEPPER: &str = "work_model: {name: AffineCombination, parameters: {beta: 1.0e-08, gamma: 0.0}}
algorithm: {name: PhaseStepper}";

/// Returns the titles of statistics in the log, each with the next line.
fn logged(workspace: &Workspace) -> Vec<(String, String)> {
    let log = workspace.text("run.log");
    let lines: Vec<&str> = log.lines().collect();
    let titled = lines.windows(2).filter_map(|pair| {
        let title = pair[0].strip_prefix("Descriptive statistics of ")?.strip_suffix(':')?;
        Some((title.to_owned(), pair[1].trim().to_owned()))
    });
    titled.collect()
}

/// The figures are from LBAF's acceptance test `test_stepper`.
#[test]
fn a_stepper_logs_the_rank_works_that_lbaf_logs() {
    let Some(workspace) = peer(EIGHT_COLOURS) else { return };
    workspace.write("run.yaml", configuration(&crate::peers::stem(EIGHT_COLOURS), STEPPER));
    workspace.succeed(&["-c", "run.yaml"]);
    let expected = [
        "sum: 10.5817 imbalance: 0.992173",
        "sum: 0.642948 imbalance: 4.91849",
        "sum: 0.526383 imbalance: 0.221116",
        "sum: 0.521197 imbalance: 0.0442304",
        "sum: 0.52225 imbalance: 0.0461051",
        "sum: 0.520378 imbalance: 0.0469951",
        "sum: 0.520078 imbalance: 0.0430356",
        "sum: 0.520286 imbalance: 0.0532831",
        "sum: 0.520617 imbalance: 0.0466161",
        "sum: 0.547612 imbalance: 1.44446",
        "sum: 0.522944 imbalance: 0.098434",
    ];
    let works: Vec<_> =
        logged(&workspace).into_iter().filter(|(title, _)| title.ends_with("works")).collect();
    let lines = expected.iter().enumerate();
    let lines: Vec<_> = lines
        .map(|(id, line)| (format!("phase {id} rank works"), format!("cardinality: 32 {line}")))
        .collect();
    assert_eq!(works, lines);
}

/// Figures from LBAF's log, except for volumes, in which LBAF omits the first transfer.
/// After rebalancing, ranks 0 to 3 have the objects 0, 1, 4; 2, 3, 6; 5; and 7, 8. Volumes: 2 from rank 0 to 2, 0.5
/// from 1 to 3, 1 + 1.5 from 3 to 1, and 2 from 2 to 3. Between two ranks, the larger direction counts.
#[test]
fn the_log_has_the_statistics_that_lbaf_logs_of_ranks() {
    let Some(workspace) = peer(SYNTHETIC_BLOCKS) else { return };
    let permutation = "work_model: {name: AffineCombination, parameters: {beta: 0.5, gamma: 0.25}}
algorithm:
  name: PrescribedPermutation
  phase_id: 0
  parameters: {permutation: {0: 0, 1: 0, 2: 1, 3: 1, 4: 0, 5: 2, 6: 1, 7: 3, 8: 3}}";
    let configuration = configuration(&crate::peers::stem(SYNTHETIC_BLOCKS), permutation);
    workspace.write("run.yaml", configuration.replace("data_stem", "ranks_per_node: 2, data_stem"));
    workspace.succeed(&["run", "run.yaml"]);
    let all = logged(&workspace);
    let titles: Vec<&str> = all.iter().map(|(title, _)| title.as_str()).collect();
    let of_ranks = |which: &str| {
        [
            "rank load",
            "rank object-level memory",
            "rank working memory",
            "rank shared memory",
            "rank maximum memory usage",
            "node maximum memory usage",
            "homing cost",
            "homed blocks ratio",
            "number of uprooted blocks",
            "inter-rank sent volumes",
        ]
        .map(|quantity| format!("{which} {quantity}"))
    };
    let objects = ["object loads", "object sizes", "object overheads"].map(str::to_owned);
    let last = ["rebalanced rank work".to_owned()];
    assert_eq!(titles, [&objects[..], &of_ranks("initial"), &of_ranks("rebalanced"), &last].concat());
    let lines: BTreeMap<&str, &str> =
        all.iter().map(|(title, line)| (title.as_str(), line.as_str())).collect();
    for (title, expected) in [
        ("object loads", "cardinality: 9 sum: 8 imbalance: 1.25"),
        ("initial rank load", "cardinality: 4 sum: 8 imbalance: 1"),
        ("initial rank shared memory", "cardinality: 4 sum: 45 imbalance: 0.6"),
        ("initial node maximum memory usage", "cardinality: 2 sum: 45 imbalance: 0.6"),
        ("initial homing cost", "cardinality: 4 sum: 0 imbalance: nan"),
        ("initial inter-rank sent volumes", "cardinality: 3 sum: 5.5 imbalance: 0.636364"),
        ("rebalanced rank load", "cardinality: 4 sum: 8 imbalance: 0"),
        ("rebalanced rank maximum memory usage", "cardinality: 4 sum: 63 imbalance: 0.142857"),
        ("rebalanced homing cost", "cardinality: 4 sum: 45 imbalance: 0.6"),
        ("rebalanced homed blocks ratio", "cardinality: 4 sum: 1 imbalance: 1"),
        ("rebalanced number of uprooted blocks", "cardinality: 4 sum: 5 imbalance: 0.6"),
        ("rebalanced inter-rank sent volumes", "cardinality: 3 sum: 6.5 imbalance: 0.153846"),
        ("rebalanced rank work", "cardinality: 4 sum: 13.5 imbalance: 0.037037"),
    ] {
        assert_eq!(lines[title], expected, "{title}");
    }
    let shared = "Descriptive statistics of rebalanced rank shared memory:
\tcardinality: 4 sum: 63 imbalance: 0.142857
\tminimum: 9 average: 15.75 maximum: 18
\tstandard deviation: 3.89711 variance: 15.1875
\tskewness: -1.1547 kurtosis: 2.33333
";
    assert!(workspace.text("run.log").contains(shared));
}

/// Loads 3 and 1 on rank 0, 2 on rank 1; 5 + 1 B from rank 0 to rank 1, and 7 B back.
fn pair() -> Workspace {
    let workspace = Workspace::new();
    let [a, b, c] = [packed(1, 0), packed(2, 0), packed(3, 1)];
    let mut heavy = task(a, 0, 3.0);
    heavy["user_defined"] = json!({
        "colour": 4, "shared_id": 2, "shared_bytes": 16.0, "task_footprint_bytes": 8.0, "task_working_bytes": 4.0,
    });
    let sent = [send((a, 0), (b, 0), 2.0), send((a, 0), (c, 1), 5.0), send((b, 0), (c, 1), 1.0)];
    workspace.write("data.0.json", one_phase(0, &[heavy, task(b, 0, 1.0)], &sent));
    workspace.write("data.1.json", one_phase(1, &[task(c, 1, 2.0)], &[send((c, 1), (a, 0), 7.0)]));
    workspace
}

/// Mean 3, deviations 1 and -1: variance 1, fourth moment 1.
#[test]
fn the_log_has_statistics_and_the_terminal_does_not() {
    let workspace = pair();
    workspace.write("run.yaml", configuration("data", "algorithm: {name: PhaseStepper}"));
    let said = workspace.lbaf(&["run", "run.yaml"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(!(said.stdout + &said.stderr).contains("Descriptive"));
    let log = workspace.text("run.log");
    let of_ranks = "\tcardinality: 2 sum: 6 imbalance: 0.333333\n\tminimum: 2 average: 3 maximum: 4
\tstandard deviation: 1 variance: 1\n\tskewness: 0 kurtosis: 1\n";
    for title in ["initial rank load", "phase 0 rank works"] {
        assert!(log.contains(&format!("Descriptive statistics of {title}:\n{of_ranks}")), "{title}: {log}");
    }
    // The volume is max(5 + 1, 7). LBAF has no nodes unless several ranks share one.
    let of =
        |title: &str| logged(&workspace).into_iter().find(|(found, _)| found == title).map(|(_, line)| line);
    assert_eq!(of("initial inter-rank sent volumes").as_deref(), Some("cardinality: 1 sum: 7 imbalance: 0"));
    assert_eq!(
        of("initial node maximum memory usage").as_deref(),
        Some("cardinality: 0 sum: nan imbalance: nan")
    );
    // The level `warning` suppresses the statistics.
    workspace.write("run.log", "");
    workspace.succeed(&["run", "run.yaml", "--set", "logging_level=warning"]);
    assert_eq!(workspace.text("run.log"), "");
}

/// With a stepper, LBAF rebalances nothing and writes the phases that it read.
#[test]
fn a_stepper_adds_no_phase_to_files_for_offline_lb() {
    let workspace = Workspace::new();
    for rank in 0..2 {
        let phase = |id: u64| json!({"id": id, "tasks": [task(packed(rank + 1, rank), rank, 1.0)]});
        let document =
            json!({"metadata": {"rank": rank, "type": "LBDatafile"}, "phases": [phase(0), phase(1)]});
        workspace.write(&format!("data.{rank}.json"), document.to_string());
    }
    let offline = "write_JSON: {compressed: false, offline_lb_compatible: true}";
    for more in ["algorithm: {name: PhaseStepper}", "algorithm: {name: NoLB, placement: carry}"] {
        workspace.write("run.yaml", configuration("data", &format!("{more}\n{offline}")));
        let said = workspace.lbaf(&["run", "run.yaml"]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        insta::allow_duplicates! {
            insta::assert_snapshot!(said.stderr, @"warning: no phase was rebalanced, so the files for OfflineLB contain 2 phases as recorded and no additional phase");
        }
        let (input, output) = (workspace.documents("data"), workspace.documents("out/new"));
        for (recorded, written) in input.iter().zip(&output) {
            assert_eq!(written["phases"], recorded["phases"], "{more}");
        }
    }
}

/// Required fields of LBAF's `test_vt_writer`.
#[test]
fn tasks_of_a_stepper_are_written_as_they_were_read() {
    let Some(workspace) = peer(EIGHT_COLOURS) else { return };
    let stem = crate::peers::stem(EIGHT_COLOURS);
    let write =
        "write_JSON: {compressed: true, suffix: json, communications: true, offline_lb_compatible: true}";
    workspace.write("run.yaml", configuration(&stem, &format!("{STEPPER}\n{write}")));
    workspace.succeed(&["-c", "run.yaml"]);
    let (input, output) = (workspace.documents(&stem), workspace.documents("out/new"));
    assert_eq!((input.len(), output.len()), (32, 32));
    for (recorded, written) in input.iter().zip(&output) {
        assert_eq!(phase_ids(written), (0..=10).collect::<Vec<u64>>());
        for id in phase_ids(written) {
            assert_eq!(sorted_tasks(phase(written, id)), sorted_tasks(phase(recorded, id)), "phase {id}");
        }
    }
}

/// Returns the fields of tasks that LBAF's test compares, by id.
fn sorted_tasks(phase: &Value) -> BTreeMap<u64, Value> {
    let of = |task: &Value| {
        let entity = &task["entity"];
        let required = json!([
            entity["home"],
            entity["migratable"],
            entity["type"],
            task["node"],
            task["resource"],
            task["time"]
        ]);
        (entity["id"].as_u64().expect("a packed id"), required)
    };
    list(phase, "tasks").iter().map(of).collect()
}

/// LBAF's `test_vt_writer` on communications: the same number of phases, no lost entry, and senders on the rank
/// that lists them.
#[test]
fn communications_are_listed_by_the_rank_of_their_sender() {
    let workspace = Workspace::new();
    let ids: Vec<u64> = (0..12).map(|at| packed(at + 1, at % 2)).collect();
    for rank in 0..4_u64 {
        let mine = || ids.iter().filter(move |id| **id >> 2 & 0xffff == rank);
        let tasks: Vec<Value> = mine().map(|&id| task(id, rank, 1.0 + (id % 5) as f64)).collect();
        let sent: Vec<Value> =
            mine().map(|&id| send((id, rank), (ids[(id % 12) as usize], 0), 3.0)).collect();
        let phase = |id: u64| json!({"id": id, "tasks": tasks, "communications": sent});
        let phases: Vec<Value> = (0..3).map(phase).collect();
        let document = json!({"metadata": {"rank": rank, "type": "LBDatafile"}, "phases": phases});
        workspace.write(&format!("data.{rank}.json"), document.to_string());
    }
    let gossip = "work_model: {name: AffineCombination, parameters: {beta: 1.0e-08, gamma: 0.0}}
algorithm: {name: InformAndTransfer, phase_id: 0, parameters: {n_rounds: 2, fanout: 2, deterministic_transfer: true}}
write_JSON: {compressed: true, suffix: json, communications: true, offline_lb_compatible: true}";
    workspace.write("run.yaml", configuration("data", gossip));
    workspace.succeed(&["-c", "run.yaml"]);
    let (input, output) = (workspace.documents("data"), workspace.documents("out/new"));
    let count = |documents: &[Value], id| -> usize {
        documents.iter().map(|document| list(phase(document, id), "communications").len()).sum()
    };
    let mut n_moved = 0;
    for id in 0..3 {
        assert_eq!((count(&input, id), count(&output, id)), (12, 12), "phase {id}");
        for (rank, document) in output.iter().enumerate() {
            assert_eq!(phase_ids(document), [0, 1, 2]);
            let here: Vec<&Value> =
                list(phase(document, id), "tasks").iter().map(|task| &task["entity"]["id"]).collect();
            for entry in list(phase(document, id), "communications") {
                assert_eq!(entry["from"]["migratable"], true);
                assert!(here.contains(&&entry["from"]["id"]), "phase {id}, rank {rank}: {entry}");
                n_moved += usize::from(entry["from"]["home"] != rank);
            }
        }
    }
    assert!(n_moved > 0);
}

/// Worked by hand for `pair`, with all objects rotated to the other rank; LBAF writes -1 for a missing block.
#[test]
fn tasks_carry_the_quantities_of_lbaf_on_request() {
    let workspace = pair();
    let rotate = "algorithm: {name: RotateLB}
write_JSON: {compressed: false, offline_lb_compatible: true, object_quantities: true}";
    workspace.write("run.yaml", configuration("data", rotate));
    workspace.succeed(&["run", "run.yaml"]);
    let quantities =
        |load: f64, [size, overhead]: [f64; 2], [received, sent, max]: [f64; 3], rank: u32, block: i64| {
            json!({
                "load": load, "object_memory": size, "overhead_memory": overhead, "received_volume": received,
                "sent_volume": sent, "max_volume": max, "rank_id": rank, "shared_id": block,
            })
        };
    let found = |id: u64| -> BTreeMap<u64, Value> {
        let documents = workspace.documents("out/new");
        let tasks = documents.iter().flat_map(|document| list(phase(document, id), "tasks"));
        let of = |task: &Value| Some((task["entity"]["id"].as_u64()? >> 18, task["user_defined"].clone()));
        tasks.filter_map(of).collect()
    };
    for (id, ranks) in [(0, [0, 0, 1]), (1, [1, 1, 0])] {
        let mut heavy = quantities(3.0, [8.0, 4.0], [7.0, 7.0, 7.0], ranks[0], 2);
        // Recorded values stay.
        let recorded = json!({"colour": 4, "shared_bytes": 16.0, "task_footprint_bytes": 8.0, "task_working_bytes": 4.0});
        for (key, value) in recorded.as_object().expect("an object") {
            heavy[key] = value.clone();
        }
        let light = quantities(1.0, [0.0, 0.0], [2.0, 1.0, 2.0], ranks[1], -1);
        // Object 3 receives 5 and 1 and sends 7. `max_volume` is the largest volume between two objects.
        let other = quantities(2.0, [0.0, 0.0], [6.0, 7.0, 7.0], ranks[2], -1);
        let mut found = found(id);
        // The writer always adds the home of the block.
        let heavy_found = found.get_mut(&1).and_then(Value::as_object_mut).expect("the task is there");
        heavy_found.remove("home_rank");
        assert_eq!(found, BTreeMap::from([(1, heavy), (2, light), (3, other)]), "phase {id}");
    }
    assert_eq!(workspace.lbaf(&["validate", "--vt", "out/new"]).code, 0);
    // The files describe the same phases with and without the quantities.
    let info = |stem: &str| -> Value {
        let mut info: Value =
            serde_json::from_str(&workspace.succeed(&["info", stem, "--json"])).expect("JSON");
        info.as_object_mut().expect("an object").retain(|key, _| key == "phases");
        info
    };
    let with = info("out/new");
    workspace.succeed(&["run", "run.yaml", "--set", "write_JSON.object_quantities=false"]);
    assert!(!workspace.text("out/new.0.json").contains("rank_id"));
    assert_eq!(info("out/new"), with);
}
