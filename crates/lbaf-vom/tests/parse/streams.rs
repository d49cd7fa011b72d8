// SPDX-License-Identifier: MIT OR Apache-2.0
//! Large compressed files, which are read piece by piece. The rows must equal those of the general reader, which
//! decompresses the whole document first.

use std::fmt::Write as _;

use lbaf_vom::{FileParts, ParsedFile, Scratch, VomError, compress, parse};

/// Size in bytes of a stream from which on a file is read piece by piece.
const LARGE_STREAM: usize = 1 << 18;

const N_PHASES: u64 = 12;

/// Returns a document of some windows of 4 MiB, with `odd` in the last task of phase 7.
fn document(odd: &str) -> String {
    let mut text = r#"{"metadata":{"rank":0,"type":"LBDatafile"},"phases":["#.to_owned();
    let mut random = 1_u64;
    for phase in 0..N_PHASES {
        let comma = if phase > 0 { "," } else { "" };
        write!(text, r#"{comma}{{"communications":[{{"bytes":8.5,"from":{{"id":3,"type":"object"}},"messages":2,"to":{{"id":7,"type":"object"}},"type":"SendRecv"}}],"id":{phase},"tasks":["#).unwrap();
        for task in 0..9000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let comma = if task > 0 { "," } else { "" };
            let odd = if (phase, task) == (7, 8999) { odd } else { "" };
            write!(text, r#"{comma}{{"entity":{{"id":{},"migratable":true,"type":"object"}},"node":0,{odd}"time":0.{:09}}}"#, 4 * task + 3, random >> 34).unwrap();
        }
        text += "]}";
    }
    text += r#"],"type":"LBDatafile"}"#;
    text
}

fn read(
    raw: &[u8],
    phases: &(dyn Fn(u64) -> bool + Sync),
    last: Option<u64>,
    records: bool,
) -> Result<ParsedFile, VomError> {
    parse(raw, FileParts { phases, last, records, indices: false, subphases: false }, &mut Scratch::default())
}

/// Returns the phases as text, without the spans of records.
fn phases_of(parsed: &ParsedFile) -> Vec<String> {
    let of_phase = |phase: &lbaf_vom::PhaseRows| {
        let ends: Vec<_> =
            phase.communications.iter().map(|row| (row.from, row.to, row.bytes, row.messages)).collect();
        format!("{} {:?} {:?} {ends:?} {:?}", phase.id, phase.tasks, phase.memory, phase.largest_home)
    };
    parsed.rows.phases.iter().map(of_phase).collect()
}

#[test]
fn rows_are_those_of_the_whole_document() {
    // A backslash ends the reading in pieces.
    for odd in ["", r#""note":"a \" b","#] {
        let text = document(odd);
        let raw = compress(text.as_bytes(), 1);
        assert!(raw.len() > LARGE_STREAM && text.len() > 2 << 22, "{} {}", raw.len(), text.len());
        for wanted in
            [&(|_| true) as &(dyn Fn(u64) -> bool + Sync), &|id| id == 0, &|id| id % 5 == 2, &|_| false]
        {
            let (in_pieces, whole) =
                (read(&raw, wanted, None, false).unwrap(), read(&raw, wanted, None, true).unwrap());
            assert!(phases_of(&in_pieces) == phases_of(&whole));
            assert_eq!(in_pieces.rows.phase_ids, (0..N_PHASES).collect::<Vec<u64>>());
            assert_eq!(in_pieces.rows.metadata, whole.rows.metadata);
            assert_eq!(in_pieces.document_bytes, text.len());
            assert!(!in_pieces.rows.is_partial && !whole.rows.is_partial);
        }
    }
}

#[test]
fn nothing_is_read_after_the_last_selected_phase() {
    let text = document("");
    let mut raw = compress(text.as_bytes(), 1);
    let damage = 3 * raw.len() / 4;
    raw[damage..].fill(0xff);
    let parsed = read(&raw, &|id| id == 2, Some(2), false).unwrap();
    assert!(parsed.rows.is_partial && parsed.document_bytes < text.len());
    assert_eq!(parsed.rows.phase_ids, [0, 1, 2]);
    let whole = read(&compress(text.as_bytes(), 1), &|id| id == 2, None, true).unwrap();
    assert!(phases_of(&parsed) == phases_of(&whole));
    // Without a last phase, the damage is found.
    assert_eq!(read(&raw, &|id| id == 2, None, false).unwrap_err(), VomError::TruncatedBrotli);
}

#[test]
fn a_selected_phase_after_a_larger_number_is_read() {
    let number = |phase| format!(r#""id":{phase},"tasks""#);
    let text = document("").replace(&number(3), &number(99)).replace(&number(5), &number(3));
    let raw = compress(text.replace(&number(99), &number(5)).as_bytes(), 1);
    let read_phases = |selected: [u64; 2]| {
        let parsed = read(&raw, &|id| selected.contains(&id), Some(selected[1]), false).unwrap();
        (parsed.rows.phases.iter().map(|phase| phase.id).collect::<Vec<_>>(), parsed.rows.is_partial)
    };
    // The file has the phases 0, 1, 2, 5, 4, 3, 6.
    assert_eq!(read_phases([3, 5]), (vec![5, 3], false));
    assert_eq!(read_phases([2, 5]), (vec![2, 5], true));
    // A declared phase does not follow.
    let declared = text.replace(r#""rank":0,"#, r#""phases":{"skipped":{"list":[3],"range":[]}},"rank":0,"#);
    let raw = compress(declared.as_bytes(), 1);
    let parsed = read(&raw, &|id| id == 2 || id == 3, Some(3), false).unwrap();
    assert!(parsed.rows.is_partial);
}

#[test]
fn errors_are_those_of_the_whole_document() {
    let text = document(r#""time":"late","#);
    let raw = compress(text.as_bytes(), 1);
    let error = read(&raw, &|_| true, None, false).unwrap_err();
    assert_eq!(error, read(&raw, &|_| true, None, true).unwrap_err());
    assert!(error.to_string().contains("/phases/7/tasks/8999"), "{error}");
    // A phase that is not selected may contain wrong values.
    let others = read(&raw, &|id| id != 7, None, false).unwrap();
    assert_eq!(others.rows.phases.len(), N_PHASES as usize - 1);

    let cut = &text[..text.len() - 30];
    let raw = compress(cut.as_bytes(), 1);
    assert_eq!(
        read(&raw, &|_| true, None, false).unwrap_err(),
        read(&raw, &|_| true, None, true).unwrap_err()
    );
}
