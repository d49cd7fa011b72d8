// SPDX-License-Identifier: MIT OR Apache-2.0
//! Consecutive records that differ only, or almost only, in their numbers: such a record is read by comparison with the
//! previous one. The rows and places must equal those of the general reader, which makes a tape (a list of all values)
//! and is used if the document has an unknown key.

use lbaf_vom::{FileParts, ParsedFile, PhaseRows, Scratch, Span, parse};
use proptest::prelude::*;
use proptest::sample::select;

/// Forms of tasks. Each `#` stands for a value.
const TASKS: [&str; 9] = [
    r#"{"entity":{"id":#,"home":#},"entity":{"seq_id":#},"time":#}"#,
    r#"{"entity":{"id":#},"subphases":[{"id":#}],"subphases":[{"id":0,"time":#}],"time":#}"#,
    r#"{"entity":{"collection_id":7,"home":#,"id":#,"index":[0,#],"migratable":true},"node":#,"time":#}"#,
    r#"{"node":#,"entity":{"id":#},"time":1,"node": # }"#,
    r#"{ "time" : # , "entity" : { "seq_id" : # , "migratable" : false }, "resource": "cpu" }"#,
    r#"{"entity":{"id":#},"time":#,"user_defined":{"shared_id":#,"shared_bytes":#,"task_footprint_bytes":#,"x":#}}"#,
    r#"{"entity":{"id":#},"subphases":[{"id":0,"time":#},{"id":#,"time":1.5}],"time":#}"#,
    r#"{"entity":{"id":#,"id":#},"time":#,"time":#}"#,
    r#"{"entity":{"id":3,"seq_id":#},"entity":{"id":#},"time":0,"user_defined":{"shared_block_id":#,"shared_id":#}}"#,
];

const COMMUNICATIONS: [&str; 4] = [
    r#"{"bytes":1,"from":{"id":#,"home":#},"from":{"seq_id":#},"to":{"id":#},"to":{"id":5},"type":"SendRecv"}"#,
    r#"{"bytes":#,"from":{"id":#,"home":#},"messages":#,"to":{"seq_id":#},"type":"SendRecv"}"#,
    r#"{"type":"Broadcast","to":{"id":#,"type":"node"},"from":{"id":2},"bytes":#}"#,
    r#"{"bytes":#,"bytes":#,"from":{"id":#},"to":{"id":#},"type":"SendRecv"}"#,
];

/// Integers, other numbers, invalid numbers, and other values.
const VALUES: [&str; 24] = [
    "0",
    "1",
    "7",
    "262147",
    "12345678",
    "1.5",
    "0.25",
    "980000000.0",
    "-1",
    "1e3",
    "2E-1",
    "-0",
    "9007199254740993",
    "18446744073709551615",
    "123456789012345678901",
    "0.1234567890123456789",
    "4294967295",
    " 3 ",
    "01",
    "1.",
    "true",
    "null",
    "\"a\"",
    "[1,2]",
];

/// Prints records of a form with these values in order; separators vary.
fn records(form: &str, values: &[&str]) -> String {
    let n_holes = form.matches('#').count();
    let print = |values: &[&str]| {
        let holes = form.split('#').zip(values.iter().chain([&""]));
        holes.flat_map(|(text, value)| [text, value]).collect::<String>()
    };
    let records: Vec<String> = values.chunks_exact(n_holes).map(print).collect();
    records.join(if n_holes.is_multiple_of(2) { "," } else { " ,\n " })
}

/// Key at the end of a document, for which a tape is made.
const UNKNOWN: &str = r#","unknown":0}"#;

/// Reads a document, with a tape if requested.
fn read(document: &str, records: bool, with_tape: bool) -> Result<ParsedFile, String> {
    let parts = FileParts { phases: &|_| true, last: None, records, indices: false, subphases: true };
    let document = match document.strip_suffix('}').filter(|_| with_tape) {
        Some(document) => format!("{document}{UNKNOWN}"),
        None => document.to_owned(),
    };
    parse(document.as_bytes(), parts, &mut Scratch::default()).map_err(|error| error.to_string())
}

/// Returns the rows of the only phase, or the error.
fn rows(document: &str, with_tape: bool) -> Result<PhaseRows, String> {
    Ok(read(document, false, with_tape)?.rows.phases.remove(0))
}

/// Returns the text of the members of the document, its metadata and its only phase, with keys, and of the records and
/// their `node`, or the error. White space after values is left out, because it is part of some spans.
fn places(document: &str, with_tape: bool) -> Result<Vec<String>, String> {
    let parsed = read(document, true, with_tape)?;
    let text = |span: Span| String::from_utf8_lossy(span.of(&parsed.document)).trim_end().to_owned();
    let phase = &parsed.rows.phases[0];
    let members = [&parsed.rows.fields, &parsed.rows.metadata_fields, &phase.fields].into_iter().flatten();
    let members = members.filter(|field| field.key != "unknown");
    let members = members.map(|field| format!("{} {}", field.key, text(field.value)));
    let tasks = phase.task_places.iter().map(|place| format!("{} {}", text(place.record), text(place.node)));
    let communications = phase.communications.iter().map(|row| text(row.record));
    Ok(members.chain(tasks).chain(communications).collect())
}

/// Values that are mostly integers, which every field accepts.
fn values() -> impl Strategy<Value = Vec<&'static str>> {
    let value = prop_oneof![200 => select(&VALUES[..5]), 1 => select(&VALUES[..])];
    prop::collection::vec(value, 0..80)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn records_of_one_form_are_read_as_with_a_tape(
        tasks in prop::collection::vec((select(&TASKS[..]), values()), 1..4),
        communications in prop::collection::vec((select(&COMMUNICATIONS[..]), values()), 0..3),
    ) {
        let print = |parts: &[(&str, Vec<&str>)]| {
            let parts: Vec<String> = parts.iter().map(|(form, values)| records(form, values)).collect();
            parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(",")
        };
        let (tasks, communications) = (print(&tasks), print(&communications));
        let document =
            format!(r#"{{"metadata":{{"rank":0 }},"phases": [{{"id":0 ,"tasks":[{tasks}],"communications":[{communications}]}}]}}"#);
        let [direct, with_tape] = [false, true].map(|with_tape| format!("{:?}", rows(&document, with_tape)));
        prop_assert_eq!(direct, with_tape, "{}", document);
        let [direct, with_tape] = [false, true].map(|with_tape| places(&document, with_tape));
        prop_assert_eq!(direct, with_tape, "{}", document);
    }
}

/// Tasks in the form of vt. Consecutive tasks differ in all numbers except that of the subphase; only one task is
/// repeated.
#[test]
fn every_number_of_a_record_is_replaced() {
    let task = |n: u64| {
        format!(
            r#"{{"entity":{{"home":{n},"id":{},"migratable":true,"type":"object"}},"node":{n},"subphases":[{{"id":0,"time":{n}.5}}],"time":{n}.25,"user_defined":{{"rank_working_bytes":{n},"shared_bytes":{n}0,"shared_id":{n},"task_footprint_bytes":{n}1,"task_serialized_bytes":{n}2,"task_working_bytes":{n}3}}}}"#,
            n << 18 | 3
        )
    };
    let tasks: Vec<String> = [5, 60, 7, 7, 800].map(task).to_vec();
    let phase = rows(&format!(r#"{{"phases":[{{"id":0,"tasks":[{}]}}]}}"#, tasks.join(",")), false).unwrap();
    let facts: Vec<_> = (phase.tasks.iter().enumerate())
        .map(|(at, task)| {
            let memory = phase.memory[task.memory as usize];
            let block = phase.blocks[memory.block as usize];
            let bytes = [memory.rank_working_bytes, block.size_bytes, memory.footprint_bytes];
            let more = [memory.serialized_bytes, memory.working_bytes];
            (task.id >> 18, block.id, task.load, phase.subphases.of(at).to_vec(), bytes, more)
        })
        .collect();
    let expected = [5_u64, 60, 7, 7, 800].map(|n| {
        let x = n as f64;
        (n, n, x + 0.25, vec![(0, x + 0.5)], [x, 10.0 * x, 10.0 * x + 1.0], [10.0 * x + 2.0, 10.0 * x + 3.0])
    });
    assert_eq!(facts, expected);
    assert_eq!((phase.rank_working_bytes, phase.largest_home), (800.0, Some(800)));
}

/// The direct reader once accepted a form feed as white space.
#[test]
fn a_form_feed_is_no_white_space() {
    for number in ["\u{c}1.0", "1.0\u{c}"] {
        let task = format!(
            r#"{{"entity":{{"home":0,"id":1,"migratable":true,"type":"object"}},"node":0,"resource":"cpu","time":{number}}}"#
        );
        let document = format!(r#"{{"phases":[{{"id":0,"tasks":[{task}]}}]}}"#);
        let [direct, with_tape] = [false, true].map(|with_tape| rows(&document, with_tape));
        assert!(direct.is_err() && with_tape.is_err(), "{document:?}: {direct:?}, {with_tape:?}");
    }
}
