// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every communication type of vt, through the whole chain: read, counted, turned into an edge, and written.

use serde_json::{Value, json};

use crate::vom::{entity, list, packed, phase};
use crate::workspace::Workspace;

/// Rank 0 has objects 1 and 2. Rank 1 has object 3 and is the home of block 5. Object 9 has no task.
fn object(number: u64) -> Value {
    let home = u64::from(number == 3);
    entity(packed(number, home), home)
}

fn node(rank: u64) -> Value {
    json!({"id": rank, "type": "node"})
}

fn block(id: u64) -> Value {
    json!({"id": id, "type": "shared_id"})
}

/// Returns entries of all types. Their bytes are powers of two, so a sum identifies its terms.
fn entries() -> Vec<Value> {
    let entry = |kind: &str, from: Value, to: Value, bytes: f64| json!({"bytes": bytes, "from": from, "messages": 1, "to": to, "type": kind});
    vec![
        entry("SendRecv", object(1), object(3), 1.0),
        entry("CollectionToNode", object(1), node(1), 2.0),
        entry("NodeToCollection", node(1), object(1), 4.0),
        entry("Broadcast", object(3), object(1), 8.0),
        entry("CollectionToNodeBcast", object(2), node(1), 16.0),
        entry("NodeToCollectionBcast", node(0), object(2), 32.0),
        entry("CollectiveToCollectionBcast", node(1), object(2), 64.0),
        entry("ReadOnlyShared", block(5), node(0), 128.0),
        entry("WriteShared", block(5), node(1), 256.0),
        entry("SendRecv", object(1), object(9), 512.0),
        entry("Broadcast", object(9), object(1), 1024.0),
        entry("ReadOnlyShared", block(6), node(0), 2048.0),
        entry("CollectionToNode", object(1), node(2), 4096.0),
        entry("Telepathy", object(1), object(3), 8192.0),
    ]
}

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    let mut tasks =
        [1, 2, 3].map(|number| json!({"entity": object(number), "node": 0, "resource": "cpu", "time": 1.0}));
    tasks[0]["user_defined"] = json!({"shared_id": 5, "shared_bytes": 8.0, "home_rank": 1});
    let [one, two, three] = tasks;
    let document = |rank: u64, tasks: Vec<Value>, entries: Vec<Value>| {
        json!({"metadata": {"rank": rank, "type": "LBDatafile"},
               "phases": [{"communications": entries, "id": 0, "tasks": tasks}]})
        .to_string()
    };
    workspace.write("data.0.json", document(0, vec![one, two], entries()));
    workspace.write("data.1.json", document(1, vec![three], vec![]));
    workspace.write(
        "run.yaml",
        "from_data: {data_stem: data}
algorithm: {name: RotateLB}
output_dir: out
write_JSON: {compressed: false}
plots: none
",
    );
    workspace
}

fn run(workspace: &Workspace, types: &str) -> Value {
    let types = format!("from_data.communication_types={types}");
    workspace.succeed(&["run", "run.yaml", "--set", &types]);
    workspace.json("out/summary.json")
}

/// Returns the off-rank bytes before and after objects 1 and 2 go to rank 1 and object 3 to rank 0.
fn off_rank(summary: &Value) -> (f64, f64) {
    let bytes =
        |state: &str| summary["phases"][0][state]["sent_volume"]["sum"].as_f64().expect("a number of bytes");
    (bytes("before"), bytes("after"))
}

#[test]
fn each_type_is_a_separate_edge() {
    let workspace = workspace();
    // An edge between an object and a rank is off-rank either before or after.
    let expected = [
        ("SendRecv", 1.0, 1.0),
        ("CollectionToNode", 2.0, 0.0),
        ("NodeToCollection", 4.0, 0.0),
        ("Broadcast", 8.0, 8.0),
        ("CollectionToNodeBcast", 16.0, 0.0),
        ("NodeToCollectionBcast", 0.0, 32.0),
        ("CollectiveToCollectionBcast", 64.0, 0.0),
        // The home of the block stays rank 1.
        ("ReadOnlyShared", 128.0, 128.0),
        ("WriteShared", 0.0, 0.0),
    ];
    for (kind, before, after) in expected {
        assert_eq!(off_rank(&run(&workspace, &format!("[{kind}]"))), (before, after), "{kind}");
    }
    let (before, after) = off_rank(&run(&workspace, "all"));
    assert_eq!(before, expected.iter().map(|(_, before, _)| before).sum::<f64>());
    assert_eq!(after, expected.iter().map(|(_, _, after)| after).sum::<f64>());
}

#[test]
fn entries_that_become_no_edge_are_counted_by_type() {
    let workspace = workspace();
    let summary = run(&workspace, "[SendRecv, Broadcast, ReadOnlyShared, CollectionToNode]");
    let counts = &summary["input"]["communications"];
    assert_eq!(
        counts["counted"],
        json!({"Broadcast": 1, "CollectionToNode": 1, "ReadOnlyShared": 1, "SendRecv": 1})
    );
    assert_eq!(counts["absent_endpoints"], counts["counted"]);
    assert_eq!(
        counts["other_types"],
        json!({"CollectionToNodeBcast": 1, "CollectiveToCollectionBcast": 1, "NodeToCollection": 1,
               "NodeToCollectionBcast": 1, "WriteShared": 1, "unknown": 1})
    );
    let warnings = summary["warnings"].to_string();
    assert!(
        warnings.contains(
            "4 of 14 communication entries (1 SendRecv, 1 CollectionToNode, 1 Broadcast, 1 ReadOnlyShared)"
        ),
        "{warnings}"
    );
    assert!(
        warnings.contains("1 communication entries of type WriteShared do not count as volume"),
        "{warnings}"
    );
}

/// Entries of rank 0 follow the objects that moved to rank 1; entries between ranks and blocks stay.
#[test]
fn every_entry_is_written_as_it_was() {
    let workspace = workspace();
    run(&workspace, "all");
    let written = |rank: usize| {
        let document = workspace.json(&format!("out/output_file.{rank}.json"));
        list(phase(&document, 0), "communications").to_vec()
    };
    let stays =
        |entry: &&Value| ["ReadOnlyShared", "WriteShared"].contains(&entry["type"].as_str().unwrap_or(""));
    let (staying, moving): (Vec<Value>, Vec<Value>) = entries().into_iter().partition(|entry| stays(&entry));
    assert_eq!(written(0), staying);
    assert_eq!(written(1), moving);
}

#[test]
fn info_lists_the_types() {
    let said = workspace().succeed(&["info", "data"]);
    let table = said.split("\n\n").nth(2).expect("a second table");
    insta::assert_snapshot!(table, @"
                                            counted  other   missing
    communication                entries  as volume   type  endpoint
    Broadcast                          2          0      2         0
    CollectionToNode                   2          0      2         0
    CollectionToNodeBcast              1          0      1         0
    CollectiveToCollectionBcast        1          0      1         0
    NodeToCollection                   1          0      1         0
    NodeToCollectionBcast              1          0      1         0
    ReadOnlyShared                     2          0      2         0
    SendRecv                           2          1      0         1
    WriteShared                        1          0      1         0
    unknown                            1          0      1         0
    ");
}
