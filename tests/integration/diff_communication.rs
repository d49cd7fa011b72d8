// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comparison of the communication of two data sets, on the small set of `diff`.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::diff::{ONE, Set, THREE, TWO, compared, different, lists, name, report, workspace};
use crate::vom::{one_phase, packed, send, task};
use crate::workspace::Workspace;

/// The receiver has no task, so bytes of the entry are not compared, and the report says so.
#[test]
fn entries_that_are_only_counted_are_reported() {
    let workspace = Workspace::new();
    for (stem, bytes) in [("a", 5.0), ("b", 500.0)] {
        let sent = send((packed(1, 0), 0), (packed(9, 0), 0), bytes);
        workspace.write(&format!("{stem}.0.json"), one_phase(0, &[task(packed(1, 0), 0, 1.0)], &[sent]));
    }
    let said = workspace.succeed(&["diff", "a", "b"]);
    assert!(
        said.contains(
            "No differences in phase 0.\n1 communication entries are compared only by their number"
        ),
        "{said}"
    );
}

#[test]
fn other_communication() {
    let workspace = workspace(|set| {
        set.communications[0] = send(TWO, ONE, 4.0);
        set.communications[2]["bytes"] = json!(17.0);
    });
    let phase = different(&workspace);
    assert_eq!(lists(&phase), ["edges"]);
    let edge = |from, to, a, b| json!({"key": {"from": name(from), "to": name(to)}, "a": a, "b": b});
    let facts = |bytes: f64, messages: u64| json!({"bytes": bytes, "messages": messages});
    let expected = json!([
        edge(ONE, TWO, facts(4.0, 1), Value::Null),
        edge(ONE, THREE, facts(24.0, 2), facts(25.0, 2)),
        edge(TWO, ONE, Value::Null, facts(4.0, 1)),
    ]);
    assert_eq!(phase["edges"], expected);
    assert_snapshot!(report(&workspace), @r"
    A  a.<rank>.json: 3 ranks, 4 objects, phase 0
    B  b.<rank>.json: 3 ranks, 4 objects, phase 0

            objects  only  only         load (s)    loads   memory    edges  imbalance  of load
     phase  in both  in A  in B  moved     moved  changed  changed  changed          A        B
     0            4     0     0      0         0        0        0        3        0.8      0.8

    Sum of loads: 5 s in A and in B.
    Communication: 1 edge of 4 B only in A; 1 edge of 4 B only in B; 1 changed edge with 24 B in A and 25 B in B.
    ");
}

#[test]
fn communication_of_another_type_or_with_oneself() {
    let broadcast = workspace(|set| set.communications[0]["type"] = json!("Broadcast"));
    let phase = different(&broadcast);
    assert_eq!(lists(&phase), ["entries"]);
    let entries = json!([
        {"key": {"type": "Broadcast", "use": "edge"}, "a": null, "b": 1},
        {"key": {"type": "SendRecv", "use": "edge"}, "a": 3, "b": 2},
    ]);
    assert_eq!(phase["entries"], entries);
    let more = workspace(|set| set.communications.push(send(ONE, ONE, 4.0)));
    assert_snapshot!(report(&more), @r"
    A  a.<rank>.json: 3 ranks, 4 objects, phase 0
    B  b.<rank>.json: 3 ranks, 4 objects, phase 0

            objects  only  only         load (s)    loads   memory    edges  imbalance  of load
     phase  in both  in A  in B  moved     moved  changed  changed  changed          A        B
     0            4     0     0      0         0        0        0        0        0.8      0.8

    Sum of loads: 5 s in A and in B.
    Communication entries from an object to itself, bytes not compared: 0 in A, 1 in B.
    Communication entries of type SendRecv: 3 in A, 4 in B.
    ");
}

#[test]
fn entries_of_an_edge_in_another_order_make_no_difference() {
    assert_ne!(0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1);
    let workspace = Workspace::new();
    let mut set = Set::new();
    set.communications = [0.1, 0.2, 0.3].map(|bytes| send(ONE, TWO, bytes)).to_vec();
    set.write(&workspace, "a");
    set.communications.reverse();
    set.write(&workspace, "b");
    assert_eq!(compared(&workspace, &[]).0, 0);
}
