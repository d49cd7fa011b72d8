// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comparison of two data sets. Expected values are worked by hand.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::peers::{EIGHT_COLOURS, peer, run, stem};
use crate::vom::{list, one_phase, packed, send, task};
use crate::workspace::{Workspace, compress};

/// Three ranks: objects 1 and 2; object 3 and a sentinel; no object.
/// Loads of 3, 2 and 0 give an imbalance of 3 / (5 / 3) - 1 = 0.8. Object 1 sends to object 2 and, in two entries,
/// to object 3.
pub(crate) struct Set {
    tasks: [Vec<Value>; 3],
    pub(crate) communications: Vec<Value>,
}

pub(crate) const ONE: (u64, u64) = (packed(1, 0), 0);
pub(crate) const TWO: (u64, u64) = (packed(2, 0), 0);
pub(crate) const THREE: (u64, u64) = (packed(3, 1), 1);

impl Set {
    pub(crate) fn new() -> Self {
        let mut one = task(ONE.0, ONE.1, 2.0);
        one["user_defined"] = json!({
            "task_footprint_bytes": 100.0, "task_serialized_bytes": 10.0,
            "shared_id": 4, "shared_bytes": 1000.0, "home_rank": 0,
        });
        let mut sentinel = task(packed(1, 1) - 1, 1, 0.5);
        sentinel["entity"]["migratable"] = json!(false);
        Set {
            tasks: [
                vec![one, task(TWO.0, TWO.1, 1.0)],
                vec![task(THREE.0, THREE.1, 1.5), sentinel],
                Vec::new(),
            ],
            communications: vec![send(ONE, TWO, 4.0), send(ONE, THREE, 8.0), send(ONE, THREE, 16.0)],
        }
    }

    pub(crate) fn write(&self, workspace: &Workspace, stem: &str) {
        for (rank, tasks) in (0..).zip(&self.tasks) {
            let communications = if rank == 0 { &self.communications[..] } else { &[] };
            workspace.write(&format!("{stem}.{rank}.json"), one_phase(rank, tasks, communications));
        }
    }
}

/// A workspace with the small set as `a` and a changed copy as `b`.
pub(crate) fn workspace(change: impl FnOnce(&mut Set)) -> Workspace {
    let workspace = Workspace::new();
    let mut set = Set::new();
    set.write(&workspace, "a");
    change(&mut set);
    set.write(&workspace, "b");
    workspace
}

/// Returns the exit code and all differences.
pub(crate) fn compared(workspace: &Workspace, arguments: &[&str]) -> (i32, Value) {
    let said = workspace.lbaf(&[&["diff", "a", "b", "--json"], arguments].concat());
    assert_eq!(said.stderr, "");
    (said.code, serde_json::from_str(&said.stdout).expect("JSON"))
}

/// Returns the only phase of two data sets that differ.
#[track_caller]
pub(crate) fn different(workspace: &Workspace) -> Value {
    let (code, mut comparison) = compared(workspace, &[]);
    assert_eq!((code, &comparison["equal"]), (1, &json!(false)));
    assert_eq!(list(&comparison, "phases").len(), 1);
    comparison["phases"][0].take()
}

/// Returns the console output for two data sets that differ.
#[track_caller]
pub(crate) fn report(workspace: &Workspace) -> String {
    let said = workspace.lbaf(&["diff", "a", "b"]);
    assert_eq!((said.code, said.stderr.as_str()), (1, ""));
    said.stdout
}

/// Returns the names of the lists of a phase that are not empty.
pub(crate) fn lists(phase: &Value) -> Vec<&str> {
    let names = ["objects", "blocks", "ranks", "edges", "entries"];
    names.into_iter().filter(|name| !list(phase, name).is_empty()).collect()
}

pub(crate) fn name((id, _): (u64, u64)) -> Value {
    json!({"id_kind": "id", "object": id})
}

pub(crate) fn plain(rank: u64, load: f64) -> Value {
    json!({"rank": rank, "load": load, "footprint_bytes": 0.0, "working_bytes": 0.0, "serialized_bytes": 0.0, "block": null})
}

pub(crate) fn of_one(rank: u64) -> Value {
    json!({"rank": rank, "load": 2.0, "footprint_bytes": 100.0, "working_bytes": 0.0, "serialized_bytes": 10.0, "block": 4})
}

#[test]
fn data_are_equal_independent_of_their_spelling() {
    let workspace = workspace(|set| {
        set.tasks[0].reverse();
        set.communications.reverse();
        set.tasks[1][0]["mood"] = json!("good");
    });
    for rank in 0..3 {
        let file = workspace.read(&format!("b.{rank}.json"));
        workspace.write(&format!("b.{rank}.json"), compress(&file));
    }
    let said = workspace.succeed(&["diff", "a", "b"]);
    assert_snapshot!(said, @r"
    A  a.<rank>.json: 3 ranks, 4 objects, phase 0
    B  b.<rank>.json: 3 ranks, 4 objects, phase 0

    No differences in phase 0.
    ");
    let (code, comparison) = compared(&workspace, &[]);
    assert_eq!((code, &comparison["equal"]), (0, &json!(true)));
    let phase = &comparison["phases"][0];
    assert!(lists(phase).is_empty());
    assert_eq!((&phase["totals"]["in_both"], &phase["totals"]["moved"]["count"]), (&json!(4), &json!(0)));
}

#[test]
fn a_placement_of_rotate_lb_is_read_as_migrations() {
    let workspace = workspace(|_| ());
    let configuration = "from_data: {data_stem: a}
algorithm: {name: RotateLB}
output_dir: out
output_file_stem: rotated
write_JSON: {compressed: true}
plots: none
";
    workspace.write("run.yaml", configuration);
    workspace.succeed(&["run", "run.yaml"]);
    for rank in 0..3 {
        workspace.write(&format!("b.{rank}.json"), workspace.read(&format!("out/rotated.{rank}.json")));
    }
    let phase = different(&workspace);
    assert_eq!(lists(&phase), ["objects"]);
    let moved = |name: Value, a: Value, b: Value| json!({"key": name, "a": a, "b": b});
    let expected = json!([
        moved(name(ONE), of_one(0), of_one(1)),
        moved(name(TWO), plain(0, 1.0), plain(1, 1.0)),
        moved(name(THREE), plain(1, 1.5), plain(2, 1.5)),
    ]);
    assert_eq!(phase["objects"], expected);
    let expected = json!({"count": 3, "load": 4.5, "serialized_bytes": 10.0, "footprint_bytes": 100.0});
    assert_eq!(phase["totals"]["moved"], expected);
    // Loads in B: 0, 2 + 1 + 0.5 and 1.5
    let mean = 5.0 / 3.0;
    assert_eq!(phase["load_imbalance"], json!({"a": 3.0 / mean - 1.0, "b": 3.5 / mean - 1.0}));
    assert_snapshot!(report(&workspace), @r"
    A  a.<rank>.json: 3 ranks, 4 objects, phase 0
    B  b.<rank>.json: 3 ranks, 4 objects, phase 0

            objects  only  only         load (s)    loads   memory    edges  imbalance  of load
     phase  in both  in A  in B  moved     moved  changed  changed  changed          A        B
     0            4     0     0      3       4.5        0        0        0        0.8      1.1

    On another rank: 3 objects, 4.5 s of load, 10 B serialized, 100 B of footprint.
    Sum of loads: 5 s in A and in B.

     phase     object  rank in A  in B  load (s) in A  in B  difference
     0      id 262147          0     1              2     2        rank
     0      id 524291          0     1              1     1        rank
     0      id 786439          1     2            1.5   1.5        rank
    ");
}

#[test]
fn a_changed_time() {
    let workspace = workspace(|set| set.tasks[0][1]["time"] = json!(1.25));
    let phase = different(&workspace);
    assert_eq!(lists(&phase), ["objects"]);
    assert_eq!(phase["objects"], json!([{"key": name(TWO), "a": plain(0, 1.0), "b": plain(0, 1.25)}]));
    // 0.25 / 1.25 = 0.2
    let changes = json!({"count": 1, "largest": 0.25, "largest_relative": 0.2});
    assert_eq!(phase["totals"]["loads_changed"], changes);
    assert_eq!(phase["totals"]["moved"]["count"], 0);
    assert_eq!(phase["load_sum"], json!({"a": 5.0, "b": 5.25}));
    assert_snapshot!(report(&workspace), @r"
    A  a.<rank>.json: 3 ranks, 4 objects, phase 0
    B  b.<rank>.json: 3 ranks, 4 objects, phase 0

            objects  only  only         load (s)    loads   memory    edges  imbalance   of load
     phase  in both  in A  in B  moved     moved  changed  changed  changed          A         B
     0            4     0     0      0         0        1        0        0        0.8  0.857143

    Changed loads: 1 object, by up to 0.25 s and by up to 20% of the larger load.
    Sum of loads: 5 s in A, 5.25 s in B.

     phase     object  rank in A  in B  load (s) in A  in B  difference
     0      id 524291          0     0              1  1.25        load
    ");
}

#[test]
fn a_missing_object() {
    let workspace = workspace(|set| drop(set.tasks[1].remove(0)));
    let phase = different(&workspace);
    assert_eq!(lists(&phase), ["objects", "edges", "entries"]);
    assert_eq!(phase["objects"], json!([{"key": name(THREE), "a": plain(1, 1.5), "b": null}]));
    let edge = json!({"from": name(ONE), "to": name(THREE)});
    assert_eq!(phase["edges"], json!([{"key": edge, "a": {"bytes": 24.0, "messages": 2}, "b": null}]));
    assert_eq!(
        (&phase["totals"]["in_both"], &phase["totals"]["only_in"]["a"]["load"]),
        (&json!(3), &json!(1.5))
    );
    let entries = json!([
        {"key": {"type": "SendRecv", "use": "edge"}, "a": 3, "b": 1},
        {"key": {"type": "SendRecv", "use": "absent"}, "a": null, "b": 2},
    ]);
    assert_eq!(phase["entries"], entries);
    assert_snapshot!(report(&workspace), @r"
    A  a.<rank>.json: 3 ranks, 4 objects, phase 0
    B  b.<rank>.json: 3 ranks, 3 objects, phase 0

            objects  only  only         load (s)    loads   memory    edges  imbalance  of load
     phase  in both  in A  in B  moved     moved  changed  changed  changed          A        B
     0            3     1     0      0         0        0        0        1        0.8  1.57143

    Only in A: 1 object, 1.5 s of load.
    Sum of loads: 5 s in A, 3.5 s in B.
    Communication: 1 edge of 24 B only in A.
    Communication entries of type SendRecv: 3 in A, 1 in B.
    Communication entries of type SendRecv with a missing endpoint, not compared: 0 in A, 2 in B.

     phase     object  rank in A  in B  load (s) in A  in B  difference
     0      id 786439          1     -            1.5     -   only in A
    ");
}

#[test]
fn an_object_that_becomes_non_migratable_is_another_object() {
    let workspace = workspace(|set| set.tasks[1][0]["entity"]["migratable"] = json!(false));
    let objects = different(&workspace)["objects"].take();
    let sentinel = json!({"id_kind": "id", "object": THREE.0, "rank": 1});
    let expected = json!([
        {"key": name(THREE), "a": plain(1, 1.5), "b": null},
        {"key": sentinel, "a": null, "b": plain(1, 1.5)},
    ]);
    assert_eq!(objects, expected);
}

#[test]
fn an_added_phase() {
    let workspace = workspace(|_| ());
    for rank in 0..3 {
        let mut file = workspace.json(&format!("b.{rank}.json"));
        let mut phase = file["phases"][0].clone();
        phase["id"] = json!(7);
        file["phases"].as_array_mut().expect("phases").push(phase);
        workspace.write(&format!("b.{rank}.json"), file.to_string());
    }
    let (code, comparison) = compared(&workspace, &[]);
    assert_eq!((code, &comparison["phases_only_in"]), (1, &json!({"a": [], "b": [7]})));
    assert_eq!((&comparison["a"]["phases"], &comparison["b"]["phases"]), (&json!([0]), &json!([0, 7])));
    assert_snapshot!(report(&workspace), @r"
    A  a.<rank>.json: 3 ranks, 4 objects, phase 0
    B  b.<rank>.json: 3 ranks, 4 objects, phases 0, 7

    No differences in phase 0.
    Only in B: phase 7.
    Sum of loads: 5 s in A and in B.
    ");
    // The added phase makes no difference if it is not selected.
    assert_eq!(compared(&workspace, &["--phases", "0"]).0, 0);
    assert_eq!(compared(&workspace, &["--phases", "7"]).0, 1);
    assert_snapshot!(workspace.fail(&["diff", "a", "b", "--phases", "3"], 3), @"error: --phases: phase 3 is in neither data set; A has phase 0; B has phases 0, 7");
}

#[test]
fn other_memory() {
    let workspace = workspace(|set| {
        let facts = &mut set.tasks[0][0]["user_defined"];
        facts["task_working_bytes"] = json!(7.0);
        facts["shared_bytes"] = json!(2000.0);
        facts["rank_working_bytes"] = json!(5.0);
    });
    let phase = different(&workspace);
    assert_eq!(lists(&phase), ["objects", "blocks", "ranks"]);
    assert_eq!(phase["totals"]["memory_changed"], 1);
    let mut changed = of_one(0);
    changed["working_bytes"] = json!(7.0);
    assert_eq!(phase["objects"], json!([{"key": name(ONE), "a": of_one(0), "b": changed}]));
    let block = |size: f64| json!({"size_bytes": size, "home": 0});
    assert_eq!(phase["blocks"], json!([{"key": 4, "a": block(1000.0), "b": block(2000.0)}]));
    let rank = |bytes: f64| json!({"alpha": 1.0, "working_bytes": bytes});
    assert_eq!(phase["ranks"], json!([{"key": 0, "a": rank(0.0), "b": rank(5.0)}]));
    assert_snapshot!(report(&workspace), @r"
    A  a.<rank>.json: 3 ranks, 4 objects, phase 0
    B  b.<rank>.json: 3 ranks, 4 objects, phase 0

            objects  only  only         load (s)    loads   memory    edges  imbalance  of load
     phase  in both  in A  in B  moved     moved  changed  changed  changed          A        B
     0            4     0     0      0         0        0        1        0        0.8      0.8

    Sum of loads: 5 s in A and in B.
    Changed sizes or memory block: 1 object.
    Changed size or home, or only in one data set: 1 memory block.
    Changed speed or working memory: 1 rank.

     phase     object  rank in A  in B  load (s) in A  in B  difference
     0      id 262147          0     0              2     2      memory
    ");
}

#[test]
fn other_numbers_of_ranks() {
    let workspace = workspace(|_| ());
    std::fs::remove_file(workspace.path("b.2.json")).expect("it is there");
    let (code, comparison) = compared(&workspace, &[]);
    assert_eq!((code, &comparison["a"]["n_ranks"], &comparison["b"]["n_ranks"]), (1, &json!(3), &json!(2)));
    let phase = &comparison["phases"][0];
    assert!(lists(phase).is_empty());
    // The mean of two ranks is 2.5.
    assert_eq!(phase["load_imbalance"]["b"], json!(3.0 / 2.5 - 1.0));
    assert_snapshot!(report(&workspace), @r"
    A  a.<rank>.json: 3 ranks, 4 objects, phase 0
    B  b.<rank>.json: 2 ranks, 4 objects, phase 0

            objects  only  only         load (s)    loads   memory    edges  imbalance  of load
     phase  in both  in A  in B  moved     moved  changed  changed  changed          A        B
     0            4     0     0      0         0        0        0        0        0.8      0.2

    A has 3 ranks, B has 2.
    Sum of loads: 5 s in A and in B.
    ");
}

#[test]
fn other_nodes() {
    let workspace = workspace(|_| ());
    let mut file = workspace.json("b.1.json");
    file["metadata"]["shared_node"] = json!({"id": 3, "size": 1, "rank": 0, "num_nodes": 4});
    workspace.write("b.1.json", file.to_string());
    let (code, comparison) = compared(&workspace, &[]);
    assert_eq!((code, &comparison["nodes"]), (1, &json!([{"key": 1, "a": null, "b": 3}])));
    // A warning on standard error is about missing files.
    let said = workspace.lbaf(&["diff", "a", "b"]).stdout;
    let expected = "No differences in phase 0 except the nodes of ranks.\nOn another node, or with a node in only one data set: \
                    1 rank.\n";
    assert!(said.contains(expected), "{said}");
}

#[test]
fn objects_under_another_kind_of_id_are_other_objects() {
    let workspace = workspace(|set| {
        for task in set.tasks.iter_mut().flatten() {
            let entity = task["entity"].as_object_mut().expect("an object");
            let id = entity.remove("id").expect("an id");
            entity.insert("seq_id".to_owned(), id);
        }
        set.communications.clear();
    });
    let said = report(&workspace);
    let note = "No object is in both: objects of A have `id`, those of B have `seq_id`.";
    assert!(said.lines().any(|line| line == note), "{said}");
    assert_eq!(different(&workspace)["totals"]["in_both"], 0);
}

#[test]
fn two_suffixes_of_one_stem() {
    let workspace = Workspace::new();
    let mut set = Set::new();
    set.write(&workspace, "b");
    for rank in 0..3 {
        workspace.write(&format!("a.{rank}.vom"), workspace.read(&format!("b.{rank}.json")));
    }
    set.tasks[0].remove(1);
    set.write(&workspace, "a");
    let code = |arguments: &[&str]| workspace.lbaf(&[&["diff"], arguments].concat()).code;
    assert_eq!(code(&["a", "a", "--suffix-a", "json", "--suffix-b", "vom"]), 1);
    assert_eq!(code(&["a", "a", "--suffix", "vom"]), 0);
    assert_eq!(code(&["a", "a", "--suffix", "vom", "--suffix-b", "json"]), 1);
    assert_eq!(code(&["a", "b", "--suffix-a", "vom"]), 0);
    assert_eq!(code(&["a", "b"]), 4);
}

#[test]
fn quiet_comparisons_report_only_the_exit_code() {
    let workspace = workspace(|set| set.tasks[0][1]["time"] = json!(1.25));
    let said = workspace.lbaf(&["diff", "a", "b", "-q"]);
    assert_eq!((said.code, said.stdout, said.stderr), (1, String::new(), String::new()));
    let said = workspace.lbaf(&["diff", "a", "a", "-q"]);
    assert_eq!((said.code, said.stdout, said.stderr), (0, String::new(), String::new()));
}

#[test]
fn the_number_of_objects_shown_can_be_set() {
    let workspace = workspace(|set| {
        for task in set.tasks.iter_mut().flatten() {
            task["time"] = json!(3);
        }
    });
    let shown = |limit: &str| {
        let said = workspace.lbaf(&["diff", "a", "b", "--limit", limit]).stdout;
        let rows = said.lines().filter(|line| line.contains(" id ") && line.ends_with(" load")).count();
        (rows, said.lines().last().expect("a line").to_owned())
    };
    assert_eq!(shown("3"), (3, "and 1 more (--limit 4 shows them, --json shows all differences)".to_owned()));
    assert_eq!(shown("4").0, 4);
    assert_eq!(shown("0"), (0, "Sum of loads: 5 s in A, 12 s in B.".to_owned()));
}

#[test]
fn errors_have_other_exit_codes_than_differences() {
    let workspace = workspace(|_| ());
    assert_eq!(workspace.lbaf(&["diff", "a"]).code, 2);
    assert_snapshot!(workspace.fail(&["diff", "a", "c"], 4), @"error: c.<rank>.* has no file for rank 0; did you mean a or b?");
    assert_snapshot!(workspace.fail(&["diff", "a", "b", "--phases", "x"], 2), @r#"error: --phases: expected phases like 3, "0-10", "0-3, 7", "%100 -3 3" or `all`, found "x""#);
    workspace.write("b.1.json", "{");
    assert!(workspace.fail(&["diff", "a", "b"], 4).starts_with("error: b.1.json"));
}

#[test]
fn sentinels_of_one_id_are_distinguished_by_their_ranks() {
    // Id 0 is the initial task of every rank.
    let initial = |rank: u64, time: f64| {
        let mut task = task(0, rank, time);
        task["entity"] = json!({"home": rank, "id": 0, "migratable": false, "type": "object"});
        task
    };
    let workspace = Workspace::new();
    let mut set = Set::new();
    for rank in 0..3 {
        set.tasks[rank].push(initial(rank as u64, 0.0));
    }
    set.write(&workspace, "a");
    *set.tasks[2].last_mut().expect("a task") = initial(2, 0.25);
    set.write(&workspace, "b");
    let sentinel = json!({"id_kind": "id", "object": 0, "rank": 2});
    let expected = json!([{"key": sentinel, "a": plain(2, 0.0), "b": plain(2, 0.25)}]);
    assert_eq!(different(&workspace)["objects"], expected);
}

/// Entries move with their objects to other files, so bytes of an edge are summed in another order.
#[test]
fn a_placement_changes_no_edge_of_recorded_data() {
    let Some(workspace) = peer(EIGHT_COLOURS) else { return };
    run(&workspace, EIGHT_COLOURS, "algorithm: {name: RandomLB}\nwrite_JSON: {compressed: true}");
    let said = workspace.lbaf(&["diff", &stem(EIGHT_COLOURS), "out/output_file", "--json"]);
    let comparison: Value = serde_json::from_str(&said.stdout).expect("JSON");
    let migrations = workspace.text("out/migrations.csv").lines().count() - 1;
    let phases = list(&comparison, "phases");
    assert!(phases.iter().all(|phase| lists(phase) == ["objects"]), "{}", said.stdout);
    let moved = phases.iter().filter_map(|phase| phase["totals"]["moved"]["count"].as_u64());
    assert_eq!((phases.len(), moved.sum::<u64>()), (11, migrations as u64));
}
