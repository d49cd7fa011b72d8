// SPDX-License-Identifier: MIT OR Apache-2.0
//! LB data files, plain or brotli: reading with and without records gives the same data, records are at their recorded
//! places, and validation terminates.
#![no_main]

use std::cell::RefCell;
use std::io::Read;

use lbaf_vom::{
    Checks, FileRows, Generation, ParsedFile, Scratch, FileParts, Span, VtChecks, WantedRows, parse, validate,
};
use libfuzzer_sys::{Corpus, fuzz_target};
use serde::de::IgnoredAny;

thread_local! {
    /// Reused between inputs, as a thread of the reader reuses it between files.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

fuzz_target!(|bytes: &[u8]| -> Corpus {
    if expands_beyond(bytes, 1 << 20) {
        return Corpus::Reject;
    }
    let all = |_: u64| true;
    let plain =
        SCRATCH.with_borrow_mut(|scratch| parse(bytes, FileParts { phases: &all, last: None, records: false, indices: false, subphases: false }, scratch));
    let recorded = parse(bytes, FileParts { phases: &all, last: None, records: true, indices: false, subphases: false }, &mut Scratch::default());
    // Indices and subphases may be invalid in a file that is otherwise valid.
    let _ = parse(bytes, FileParts { phases: &all, last: None, records: false, indices: true, subphases: true }, &mut Scratch::default());
    let checks = Checks { limit: 4, rows: WantedRows::All, vt: Some(VtChecks { rank: Some(0), ..VtChecks::default() }) };
    let validated = validate(bytes, checks, &mut Scratch::default());
    assert!(validated.findings.n_errors > 0 || plain.is_ok(), "an unreadable file is reported as valid");
    match (plain, recorded) {
        (Ok(plain), Ok(recorded)) => {
            if plain.rows.generation != Generation::Text {
                check_places(&recorded);
            }
            let said = without_places(recorded.rows);
            assert_eq!(shown(&plain.rows), shown(&said), "records change the data of a file");
            check_selection(bytes, &plain.rows);
        }
        (Err(plain), Err(recorded)) => assert_eq!(plain.to_string(), recorded.to_string()),
        (plain, recorded) => panic!("without records: {:?}, with: {:?}", plain.err(), recorded.err()),
    }
    Corpus::Keep
});

/// True for a brotli stream that expands to more than `most` bytes, which is valid but slow.
fn expands_beyond(bytes: &[u8], most: u64) -> bool {
    let mut document = brotli_decompressor::Decompressor::new(bytes, 4096).take(most + 1);
    let mut n = 0;
    let mut chunk = [0; 4096];
    while let Ok(read @ 1..) = document.read(&mut chunk) {
        n += read as u64;
    }
    n > most
}

fn shown(rows: &FileRows) -> String {
    format!("{rows:?}")
}

/// Returns rows as they are read without records.
fn without_places(mut rows: FileRows) -> FileRows {
    rows.fields.clear();
    rows.metadata_fields.clear();
    for phase in &mut rows.phases {
        phase.fields.clear();
        phase.task_places.clear();
        for communication in &mut phase.communications {
            communication.record = Span::default();
        }
    }
    rows
}

/// Checks that every record and every field is a complete JSON value.
fn check_places(file: &ParsedFile) {
    let check = |span: Span, first: Option<u8>| {
        let text = span.of(&file.document);
        assert!(serde_json::from_slice::<IgnoredAny>(text).is_ok(), "{}", text.escape_ascii());
        assert!(first.is_none_or(|first| text.first() == Some(&first)), "{}", text.escape_ascii());
    };
    let fields = file.rows.fields.iter().chain(&file.rows.metadata_fields);
    for field in fields.chain(file.rows.phases.iter().flat_map(|phase| &phase.fields)) {
        check(field.value, None);
    }
    for phase in &file.rows.phases {
        assert_eq!(phase.tasks.len(), phase.task_places.len());
        for places in &phase.task_places {
            check(places.record, Some(b'{'));
            if !places.node.is_empty() {
                check(places.node, None);
            }
        }
        for communication in &phase.communications {
            check(communication.record, Some(b'{'));
        }
    }
}

/// Checks that reading fewer phases gives the same data for these phases.
fn check_selection(bytes: &[u8], all: &FileRows) {
    let even = |phase: u64| phase % 2 == 0;
    let selection = FileParts { phases: &even, last: None, records: false, indices: false, subphases: false };
    let some = parse(bytes, selection, &mut Scratch::default()).expect("all phases could be read");
    assert_eq!(some.rows.phase_ids, all.phase_ids);
    let mut others = all.phases.iter();
    for phase in &some.rows.phases {
        let same = others.find(|other| other.id == phase.id).expect("reading all phases gives this phase in the same order");
        assert_eq!(format!("{phase:?}"), format!("{same:?}"));
    }
    let wanted = all.phases.iter().filter(|phase| even(phase.id));
    assert!(wanted.count() <= some.rows.phases.len(), "a requested phase is missing");
}
