// SPDX-License-Identifier: MIT OR Apache-2.0
//! Meaning of single keys, with hand-written expectations.

use lbaf_vom::{
    BlockRow, CommunicationKind, EndpointKind, FileParts, NONE, PhaseRows, Scratch, TaskRow,
    home_of_packed_id, packed_id, parse, sequence_of_packed_id,
};

use crate::parse_all;

fn phase_of(tasks: &str) -> PhaseRows {
    let document = format!(r#"{{"phases":[{{"id":0,"tasks":[{tasks}]}}]}}"#);
    parse_all(document.as_bytes(), false).unwrap().rows.phases.remove(0)
}

fn task_of(entity: &str) -> TaskRow {
    phase_of(&format!(r#"{{"entity":{{"type":"object",{entity}}},"time":1}}"#)).tasks[0]
}

/// Returns the phase of a single task with these members of `user_defined`.
fn facts_of(user_defined: &str) -> PhaseRows {
    phase_of(&format!(r#"{{"entity":{{"id":3}},"time":1,"user_defined":{{{user_defined}}}}}"#))
}

#[test]
fn ids_are_exact_to_the_last_bit() {
    for id in [0, 1, 3, (1 << 53) + 1, (1 << 63) - 1, 1 << 63, (1 << 63) + 1, u64::MAX - 1, u64::MAX] {
        assert_eq!(task_of(&format!(r#""id":{id}"#)).id, id);
        let task = task_of(&format!(r#""seq_id":{id}"#));
        assert_eq!((task.id, task.is_sequence), (id, true));
    }
}

#[test]
fn packed_ids_hold_home_and_sequence() {
    // 13 << 18 | 0 << 2 | 3, the example in the documentation of the format.
    assert_eq!(packed_id(13, 0, true), 3_407_875);
    for (sequence, home) in [(0, 0), (1, 65_535), ((1 << 46) - 1, 12_345)] {
        for migratable in [true, false] {
            let id = packed_id(sequence, home, migratable);
            assert_eq!(home_of_packed_id(id), Some(u32::from(home)));
            assert_eq!(sequence_of_packed_id(id), sequence);
            assert_eq!(id & 3, if migratable { 3 } else { 2 });
        }
    }
    // An object group: from the lowest bit on, two bits 0, two bits of flags, and 16 bits of home.
    assert_eq!(home_of_packed_id(7 << 20 | 9 << 4), Some(9));
    assert_eq!(home_of_packed_id(0), None);
}

#[test]
fn id_takes_precedence_over_seq_id_in_any_order() {
    for entity in [r#""id":5,"seq_id":6"#, r#""seq_id":6,"id":5"#] {
        let task = task_of(entity);
        assert_eq!((task.id, task.is_sequence), (5, false));
    }
}

#[test]
fn objects_of_collections_are_migratable_unless_stated_otherwise() {
    assert!(task_of(r#""id":5,"collection_id":1"#).migratable);
    assert!(task_of(r#""index":[0],"id":5"#).migratable);
    assert!(!task_of(r#""id":5,"objgroup_id":1"#).migratable);
    assert!(!task_of(r#""id":5"#).migratable);
    // The value stated by newer generations takes precedence.
    assert!(!task_of(r#""id":5,"collection_id":1,"index":[0],"migratable":false"#).migratable);
    assert!(task_of(r#""id":5,"migratable":true"#).migratable);
}

/// The id 262155 holds sequence number 1 and home 2: 1 << 18 | 2 << 2 | 3. The id 0 holds no home.
#[test]
fn homes_that_differ_from_the_id_are_counted() {
    let disagreements = |home: &str| {
        let entity = format!(r#"{{"id":262155{home}}}"#);
        phase_of(&format!(r#"{{"entity":{entity},"time":1}},{{"entity":{{"id":0,"home":3}},"time":0}}"#))
            .n_home_disagreements
    };
    assert_eq!(["", r#","home":2"#, r#","home":1"#, r#","home":-1"#].map(disagreements), [0, 0, 1, 0]);
}

/// As in Python's `json` module, the last value of a repeated key counts, with and without the spans of records.
#[test]
fn the_last_of_two_phase_numbers_counts() {
    let document = r#"{"phases":[{"id":0,"tasks":[],"id":4},{"tasks":[],"id":2}]}"#;
    for records in [false, true] {
        assert_eq!(parse_all(document.as_bytes(), records).unwrap().rows.phase_ids, [4, 2]);
    }
    let error = parse_all(br#"{"phases":[{"id":0,"id":"x"}]}"#, false).unwrap_err().to_string();
    assert!(error.starts_with("line 1, column 25, at /phases/0/id: expected a whole number"), "{error}");
}

#[test]
fn homes_may_be_absent_or_negative() {
    let home_of = |home: &str| {
        let from = format!(r#"{{"id":5{home}}}"#);
        let entry = format!(r#"{{"type":"SendRecv","from":{from},"to":{{"id":6}},"bytes":1}}"#);
        let document = format!(r#"{{"phases":[{{"communications":[{entry}]}}]}}"#);
        parse_all(document.as_bytes(), false).unwrap().rows.phases[0].communications[0].from.home
    };
    let homes = ["", r#","home":-1"#, r#","home":7"#, r#","home":4294967294"#];
    assert_eq!(homes.map(home_of), [NONE, NONE, 7, NONE - 1]);
}

#[test]
fn block_ids_have_two_keys_and_negative_means_none() {
    for key in ["shared_id", "shared_block_id"] {
        let phase = facts_of(&format!(r#""home_rank":2,"{key}":4,"shared_bytes":1.5e3"#));
        assert_eq!(phase.blocks, [BlockRow { id: 4, size_bytes: 1500.0, home: 2 }]);
        assert_eq!(phase.memory[0].block, 0);
        for none in ["-1", "-1.0", "-7"] {
            let phase = facts_of(&format!(r#""{key}":{none},"shared_bytes":0,"home_rank":-1"#));
            assert_eq!((phase.blocks, phase.memory[0].block), (Vec::new(), NONE));
        }
    }
    assert_eq!(facts_of(r#""shared_bytes":9"#).memory[0].block, NONE);
    let phase = facts_of(r#""shared_id":18446744073709551615"#);
    assert_eq!(phase.blocks, [BlockRow { id: u64::MAX, size_bytes: 0.0, home: NONE }]);
}

#[test]
fn communication_has_one_message_unless_stated_otherwise() {
    let document = r#"{"phases":[{"id":0,"tasks":[],"communications":[
        {"type":"SendRecv","from":{"type":"object","id":1},"to":{"type":"node","id":2},"bytes":0},
        {"type":"ReadOnlyShared","from":{"type":"shared_id","id":1},"to":{"id":2},"bytes":1,"messages":8}]}]}"#;
    let phase = parse_all(document.as_bytes(), false).unwrap().rows.phases.remove(0);
    let facts: Vec<_> = (phase.communications.iter())
        .map(|row| (row.kind, row.from.kind, row.to.kind, row.messages))
        .collect();
    assert_eq!(
        facts,
        [
            (CommunicationKind::SendRecv, EndpointKind::Object, EndpointKind::Node, 1),
            (CommunicationKind::ReadOnlyShared, EndpointKind::SharedBlock, EndpointKind::Object, 8),
        ]
    );
}

#[test]
fn every_kind_is_identified_by_its_name() {
    for kind in CommunicationKind::NAMED {
        assert_eq!(CommunicationKind::from_name(kind.name()), kind);
    }
    let numbers: Vec<u8> = CommunicationKind::NAMED[..7].iter().map(|&kind| kind as u8).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(CommunicationKind::from_name("sendrecv"), CommunicationKind::Other);
}

/// Phase 5 is identical to phase 4, and 4 to 3; only 3 has an entry, so 3 is read for 5. Phase 9 is identical to 8.
#[test]
fn the_entry_that_a_selected_phase_repeats_is_read() {
    let document = r#"{"phases":[{"id":8},{"id":3},{"id":0}],
        "metadata":{"phases":{"identical_to_previous":{"list":[9],"range":[[4,5]]}}}}"#;
    let kept = |wanted: u64| -> Vec<u64> {
        let selection = FileParts {
            phases: &|id| id == wanted,
            last: None,
            records: false,
            indices: false,
            subphases: false,
        };
        let rows = parse(document.as_bytes(), selection, &mut Scratch::default()).unwrap().rows;
        assert_eq!(rows.phase_ids, [8, 3, 0]);
        rows.phases.iter().map(|phase| phase.id).collect()
    };
    assert_eq!(kept(5), [3]);
    assert_eq!(kept(9), [8]);
    assert_eq!(kept(3), [3]);
    assert_eq!(kept(7), [0_u64; 0]);
}
