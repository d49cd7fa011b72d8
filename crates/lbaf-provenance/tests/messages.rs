// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages recorded by overlapping windows are counted once each.
//!
//! Computed by hand from `tests/data/exchange`. Functions 1 `send_halo`, 2 `solve`, 3 `recv_halo` and 4 `wait` are on
//! thread 0.
//!
//! | execution | rank | function | step | messages in its window |
//! |---|---|---|---|---|
//! | `0:0:1` | 0 | 1 | 0 | sends a, b, c, d |
//! | `0:0:2` | 0 | 2 | 0 | sends a, b, d |
//! | `0:1:4` | 0 | 1 | 1 | send e, receipt i |
//! | `1:0:1` | 1 | 3 | 0 | receipts a, h |
//! | `1:1:7` | 1 | 3 | 1 | receipts b, e, send g |
//!
//! | message | from, to, tag, bytes | sent by, at | received by, at |
//! |---|---|---|---|
//! | a | 0, 1, 5, 1000 | `0:0:1`, 110 | `1:0:1`, 170 |
//! | b | 0, 1, 5, 1000 | `0:0:1`, 150 | `1:1:7`, 1150: a step later |
//! | c | 0, 2, 6, 64 | `0:0:1`, 160 | unknown |
//! | d | 0, 1, 7, 8 | `0:0:2`, 220 | unknown |
//! | e | 0, 1, 5, 500 | `0:1:4`, 1110 | `1:1:6`, 1160: function 4, only in a window |
//! | g | 1, 0, 3, 16 | `1:1:9`, 1170: not recorded | unknown |
//! | h | 2, 1, 9, 32 | unknown | `1:0:1`, 180 |
//! | i | 1, 0, 8, 7 | unknown | `0:1:3`, 1105: function 1, only in a window, but the same object as `0:1:4` |

use std::path::Path;

use lbaf_provenance::{Database, ImportOptions, Imported, MessageCounts, ObjectOf, Stored, import, read};
use lbaf_vom::CommunicationKind::{self, CollectionToNode, NodeToCollection, SendRecv};
use lbaf_vom::record::{Entity, EntityKind};
use serde_json::{Value, json};

fn exchange() -> Database {
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/exchange")).expect("a database").database
}

fn imported(database: &Database, options: &ImportOptions) -> Imported {
    import(database, options).expect("load-balancing data")
}

/// Rank and function of an object, or a rank alone.
#[derive(Debug, PartialEq)]
enum End {
    Object(i64, u64),
    Rank(u64),
}
use End::{Object, Rank};

fn end(entity: &Entity) -> End {
    match (entity.kind, entity.index.as_deref(), entity.collection_id) {
        (EntityKind::Object, Some([rank, ..]), Some(function)) => Object(*rank, function),
        (EntityKind::Node, None, None) => Rank(entity.id.expect("a rank")),
        _ => panic!("{entity:?}"),
    }
}

/// Returns file, phase, kind, endpoints, bytes and messages of each communication.
fn communications(imported: &Imported) -> Vec<(u32, u64, CommunicationKind, End, End, f64, u64)> {
    let mut all = Vec::new();
    for file in &imported.files {
        for phase in &file.phases {
            for said in &phase.communications {
                let ends = (end(&said.from), end(&said.to));
                all.push((
                    file.metadata.rank,
                    phase.id,
                    said.kind,
                    ends.0,
                    ends.1,
                    said.bytes,
                    said.messages,
                ));
            }
        }
    }
    all
}

#[test]
fn every_message_is_counted_once() {
    let found = imported(&exchange(), &ImportOptions::default());
    assert_eq!(
        communications(&found),
        [
            // a and b: b belongs to the phase in which it was sent.
            (0, 0, SendRecv, Object(0, 1), Object(1, 3), 2000.0, 2),
            // c
            (0, 0, CollectionToNode, Object(0, 1), Rank(2), 64.0, 1),
            // d
            (0, 0, CollectionToNode, Object(0, 2), Rank(1), 8.0, 1),
            // e: function 4 has no task.
            (0, 1, CollectionToNode, Object(0, 1), Rank(1), 500.0, 1),
            // i
            (0, 1, NodeToCollection, Rank(1), Object(0, 1), 7.0, 1),
            // h
            (1, 0, NodeToCollection, Rank(2), Object(1, 3), 32.0, 1),
        ]
    );
    assert_eq!(
        found.messages,
        MessageCounts {
            // 4 + 3 + 2 + 2 + 3
            n_ends: 14,
            // The second window repeats a, b and d.
            n_repeated: 3,
            n_unusable: 0,
            // a, b, e
            n_paired: 3,
            // c, d, g
            n_sent: 3,
            // h, i
            n_received: 2,
            n_between_objects: 2,
            n_to_ranks: 3,
            n_from_ranks: 2,
            // g
            n_dropped: 1,
            n_beyond_ranks: 0,
            // e
            n_ends_in_windows: 1,
        }
    );
}

#[test]
fn executions_from_windows_receive_their_messages() {
    let found = imported(&exchange(), &ImportOptions { use_windows: true, ..ImportOptions::default() });
    let e = (0, 1, SendRecv, Object(0, 1), Object(1, 4), 500.0, 1);
    assert!(communications(&found).contains(&e));
    let MessageCounts { n_between_objects, n_to_ranks, n_ends_in_windows, .. } = found.messages;
    assert_eq!((n_between_objects, n_to_ranks, n_ends_in_windows), (3, 2, 0));
}

#[test]
fn each_execution_can_be_an_object() {
    let found = imported(&exchange(), &ImportOptions { object: ObjectOf::Event, ..ImportOptions::default() });
    // g is dropped as before. i is dropped too: its only known endpoint `0:1:3` is not an object here.
    let MessageCounts { n_dropped, n_ends_in_windows, .. } = found.messages;
    assert_eq!((n_dropped, n_ends_in_windows), (2, 2));
    // a and b now have different receivers. All messages except g and i remain.
    let sizes: Vec<_> = communications(&found).iter().map(|said| said.5).collect();
    assert_eq!(sizes.iter().sum::<f64>(), 2000.0 + 64.0 + 8.0 + 500.0 + 32.0);
}

/// Returns one execution on each of two ranks. Rank 0 sends the messages `sent`, rank 1 receives the messages
/// `received`. A message consists of tag, bytes and time.
fn pair(sent: &[(i64, i64, i64)], received: &[(i64, i64, i64)]) -> Database {
    let message = |kind: &str, rid: i64, &(tag, bytes, time): &(i64, i64, i64)| {
        json!({"type": kind, "pid": 0, "rid": rid, "tid": 0, "src": 0, "tar": 1, "bytes": bytes, "tag": tag,
            "timestamp": time, "execdata_key": format!("{rid}:0:1")})
    };
    let event = |rid: i64, messages: Vec<Value>| {
        let event = json!({"pid": 0, "rid": rid, "tid": 0, "fid": 1, "func": "f", "event_id": format!("{rid}:0:1"),
            "entry": 1, "exit": 9, "io_step": 0, "outlier_score": 1.0, "runtime_exclusive": 8, "runtime_total": 8,
            "event_window": {"comm_window": messages}});
        Stored::parse(&event.to_string()).expect("an event")
    };
    let sender = event(0, sent.iter().map(|end| message("SEND", 0, end)).collect());
    let receiver = event(1, received.iter().map(|end| message("RECV", 1, end)).collect());
    Database { anomalies: vec![sender], normalexecs: vec![receiver], ..Database::default() }
}

#[test]
fn messages_are_paired_in_the_order_of_time() {
    // The windows list the endpoints in another order. The message sent at 30 is not received yet.
    let found = imported(
        &pair(&[(1, 4, 30), (1, 4, 10), (1, 4, 20)], &[(1, 4, 25), (1, 4, 15)]),
        &ImportOptions::default(),
    );
    assert_eq!((found.messages.n_paired, found.messages.n_sent), (2, 1));
    assert_eq!(
        communications(&found),
        [
            (0, 0, SendRecv, Object(0, 1), Object(1, 1), 8.0, 2),
            (0, 0, CollectionToNode, Object(0, 1), Rank(1), 4.0, 1),
        ]
    );
}

#[test]
fn messages_with_other_tags_or_sizes_are_not_paired() {
    let found = imported(
        &pair(&[(1, 4, 10), (2, 4, 11), (3, 5, 12)], &[(2, 4, 20), (3, 6, 21)]),
        &ImportOptions::default(),
    );
    let MessageCounts { n_paired, n_sent, n_received, .. } = found.messages;
    assert_eq!((n_paired, n_sent, n_received), (1, 2, 1));
    let bytes: Vec<_> = communications(&found).into_iter().map(|said| (said.2, said.5)).collect();
    assert_eq!(bytes, [(SendRecv, 4.0), (CollectionToNode, 9.0), (NodeToCollection, 6.0)]);
}

#[test]
fn invalid_messages_are_counted() {
    let mut database = pair(&[(1, -4, 10), (1, 4, 10)], &[]);
    // Rank 0 sends to rank 7, which has no file.
    let text = database.anomalies[0].json.get().replace(r#""tar":1"#, r#""tar":7"#);
    database.anomalies = vec![Stored::parse(&text).expect("an event")];
    let text = text.replace("SEND", "BCAST").replace("0:0:1", "0:0:2");
    database.anomalies.push(Stored::parse(&text).expect("an event"));
    let found = imported(&database, &ImportOptions::default());
    let MessageCounts { n_ends, n_unusable, n_beyond_ranks, .. } = found.messages;
    assert_eq!((n_ends, n_unusable, n_beyond_ranks), (4, 3, 1));
    assert_eq!(communications(&found), []);
}
