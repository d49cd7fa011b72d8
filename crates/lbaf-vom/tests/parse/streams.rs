// SPDX-License-Identifier: MIT OR Apache-2.0
//! Large compressed files, which are read piece by piece. The rows must equal those of the general reader, which
//! decompresses the whole document first.

use lbaf_vom::{FileParts, ParsedFile, Scratch, VomError, compress, parse};

use crate::large_document::{METADATA, N_PHASES, N_TASKS, ODD_PHASE, document, document_of, large_stream};

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
        let raw = large_stream(&text);
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

/// Positions of objects in collections are read with a tape for each phase.
#[test]
fn rows_with_indices_are_those_of_the_whole_document() {
    let read = |raw: &[u8], phases: &(dyn Fn(u64) -> bool + Sync)| {
        let parts = FileParts { phases, last: None, records: false, indices: true, subphases: false };
        let parsed = parse(raw, parts, &mut Scratch::default()).unwrap();
        (format!("{:?}", parsed.rows), parsed.document_bytes)
    };
    let usual = document("");
    // A backslash ends the reading in pieces.
    let escaped = document(r#""note":"a \" b","#);
    let metadata_last = usual.replacen(METADATA, "", 1).replace("}]}],", &format!("}}]}}],{METADATA}"));
    // A phase that is longer than a piece.
    let long_phase = document_of(1, N_PHASES * N_TASKS, "");
    let mut rows = Vec::new();
    for text in [usual, escaped, metadata_last, long_phase] {
        let raw = large_stream(&text);
        for phases in [&(|_| true) as &(dyn Fn(u64) -> bool + Sync), &|id| id == ODD_PHASE] {
            let in_pieces = read(&raw, phases);
            assert!(in_pieces == read(text.as_bytes(), phases));
            assert_eq!(in_pieces.1, text.len());
            rows.push(in_pieces.0);
        }
    }
    assert!(rows[0].contains("Indices"));
    assert!(rows[..2] == rows[2..4] && rows[..2] == rows[4..6] && rows[0] != rows[6]);
}

#[test]
fn nothing_is_read_after_the_last_selected_phase() {
    let text = document("");
    let mut raw = compress(text.as_bytes(), 1);
    raw.truncate(3 * raw.len() / 4);
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
    let place = format!("/phases/{ODD_PHASE}/tasks/{}", N_TASKS - 1);
    assert!(error.to_string().contains(&place), "{error}");
    // A phase that is not selected may contain wrong values.
    let others = read(&raw, &|id| id != ODD_PHASE, None, false).unwrap();
    assert_eq!(others.rows.phases.len(), N_PHASES as usize - 1);

    let cut = &text[..text.len() - 30];
    let raw = compress(cut.as_bytes(), 1);
    assert_eq!(
        read(&raw, &|_| true, None, false).unwrap_err(),
        read(&raw, &|_| true, None, true).unwrap_err()
    );
}
