// SPDX-License-Identifier: MIT OR Apache-2.0
//! Text form of LB data files: a valid first line, then arbitrary text of the characters of this form.
#![no_main]

use lbaf_vom::{Scratch, FileParts, parse, text_as_json, text_faults};
use libfuzzer_sys::fuzz_target;

/// Line that identifies the form.
const FIRST_LINE: &[u8] = b"0, 12884901888, 0.5, 2, [0.25, 0.25]\n";
/// Characters of files of this form.
const LETTERS: &[u8] = b"0123456789, .[]\n\r\teE+-";

fuzz_target!(|bytes: &[u8]| {
    let letter = |&byte: &u8| {
        if LETTERS.contains(&byte) { byte } else { LETTERS[usize::from(byte) % LETTERS.len()] }
    };
    let text: Vec<u8> = FIRST_LINE.iter().copied().chain(bytes.iter().map(letter)).collect();
    let said = |records, phases: &(dyn Fn(u64) -> bool + Sync)| {
        let parsed = parse(&text, FileParts { phases, last: None, records, indices: false, subphases: true }, &mut Scratch::default());
        parsed.map(|file| file.rows.phase_ids).map_err(|error| error.to_string())
    };
    let plain = said(false, &|_| true);
    assert_eq!(plain, said(true, &|_| true), "records change the list of phases");
    assert_eq!(plain.is_ok(), text_faults(&text).next().is_none(), "reading and checking disagree");
    if plain.is_ok() {
        assert_eq!(plain, said(false, &|phase| phase == 0), "the list of phases depends on the selection");
        check_records(&text);
    }
});

/// Checks that records as JSON have the values of the lines.
fn check_records(text: &[u8]) {
    let selection = FileParts { phases: &|_| true, last: None, records: true, indices: false, subphases: true };
    let mut parsed = parse(text, selection, &mut Scratch::default()).expect("the text is valid");
    let json = text_as_json(&mut parsed.rows, &parsed.document, 0, &|_| Some(0)).expect("the text is short");
    for phase in &parsed.rows.phases {
        for (task, place) in phase.tasks.iter().zip(&phase.task_places) {
            let record: serde_json::Value =
                serde_json::from_slice(place.record.of(&json)).expect("records are JSON");
            assert_eq!(record["time"].as_f64(), Some(task.load));
            assert_eq!(record["entity"]["id"].as_u64(), Some(task.id));
        }
        for row in &phase.communications {
            let record: serde_json::Value =
                serde_json::from_slice(row.record.of(&json)).expect("records are JSON");
            assert_eq!(record["bytes"].as_f64(), Some(row.bytes));
            assert_eq!(record["type"], row.kind.name());
        }
    }
}
