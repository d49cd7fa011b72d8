// SPDX-License-Identifier: MIT OR Apache-2.0
//! Findings: all of them, in document order, with positions and advice.

use lbaf_vom::{Checks, Position, Scratch, compress, validate};
use serde_json::json;

use crate::document::{data_file, set};
use crate::{ALL, check, lines};

/// Positions were counted by hand. The second line holds a task with an `é` and an escaped newline before its first
/// error.
const WRONG: &str = r#"{"phases":[{"id":0.5,"tasks":[
{"resource":"é\n","node":"0","time":3,"entity":{"id":1,"seq_id":1,"migratable":true,"type":null}},
{"entity":[]}
],"a/b~":1}]}"#;

const FOUND: &str = "\
line 1, column 18, at /phases/0/id: expected an integer, found the float 0.5
line 2, column 26, at /phases/0/tasks/0/node: expected an integer, found the string \"0\"
line 2, column 37, at /phases/0/tasks/0/time: expected a float, found the integer 3; write 3.0
line 2, column 48, at /phases/0/tasks/0/entity: expected the key `home` with an integer, found no such key
line 2, column 48, at /phases/0/tasks/0/entity: expected the key `collection_id`, found no such key; `seq_id` requires it if `migratable` is true
line 2, column 92, at /phases/0/tasks/0/entity/type: expected a string, found null
line 3, column 1, at /phases/0/tasks/1: expected the key `node` with an integer, found no such key
line 3, column 1, at /phases/0/tasks/1: expected the key `resource` with a string, found no such key
line 3, column 1, at /phases/0/tasks/1: expected the key `time` with a float, found no such key
line 3, column 11, at /phases/0/tasks/1/entity: expected an object, found an array
line 4, column 10, at /phases/0/a~1b~0: expected one of the keys `communications`, `id`, `lb_iterations`, `tasks`, `user_defined`, found `a/b~`";

#[test]
fn all_errors_are_found_with_their_positions() {
    assert_eq!(lines(&check(WRONG.as_bytes()).findings.kept), FOUND);
}

#[test]
fn a_compressed_file_is_checked_like_its_document() {
    let compressed = compress(WRONG.as_bytes(), 5);
    assert_eq!(lines(&check(&compressed).findings.kept), FOUND);
    let with_mark = [b"\xef\xbb\xbf", WRONG.as_bytes()].concat();
    assert_eq!(lines(&check(&with_mark).findings.kept), FOUND);
}

#[test]
fn the_first_findings_are_kept_and_all_are_counted() {
    for limit in [0, 1, 7] {
        let findings = validate(WRONG.as_bytes(), Checks { limit, ..ALL }, &mut Scratch::default()).findings;
        let first: Vec<&str> = FOUND.lines().take(limit).collect();
        assert_eq!(lines(&findings.kept), first.join("\n"));
        assert_eq!((findings.n_errors, findings.n_warnings, findings.n_more()), (11, 0, 11 - limit));
    }
}

#[test]
fn findings_state_position_pointer_expected_and_found_value() {
    let findings = check(WRONG.as_bytes()).findings;
    let time = &findings.kept[2];
    assert_eq!(time.position, Some(Position { line: 2, column: 37 }));
    assert_eq!(time.pointer.as_deref(), Some("/phases/0/tasks/0/time"));
    assert_eq!(time.expected.as_deref(), Some("a float"));
    assert_eq!(time.found.as_deref(), Some("the integer 3"));
    let top = &check(b"{}").findings.kept[0];
    assert_eq!(top.pointer.as_deref(), Some(""));
    let expected = "line 1, column 1, at the top level of the document: expected the key `phases` with an array, found \
                    no such key";
    assert_eq!(top.to_string(), expected);
}

#[test]
fn advice_gives_the_correct_notation() {
    let document = data_file();
    let advice = |pointer: &str, value| {
        let kept = check(set(&document, pointer, value).to_string().as_bytes()).findings.kept;
        assert_eq!(kept.len(), 1);
        kept[0].message.clone()
    };
    let (rank, time) = ("/metadata/rank", "/phases/0/tasks/0/time");
    assert_eq!(advice(rank, json!(3.0)), "expected an integer, found the float 3.0; write 3");
    assert_eq!(advice(rank, json!(0.1)), "expected an integer, found the float 0.1");
    assert_eq!(advice(rank, json!(1e300)), "expected an integer, found the float 1e300");
    assert_eq!(advice(rank, json!(true)), "expected an integer, found true");
    let largest = json!(u64::MAX);
    let expected = "expected a float, found the integer 18446744073709551615; write 18446744073709551615.0";
    assert_eq!(advice(time, largest), expected);
    assert_eq!(advice(time, json!("x".repeat(41))), "expected a float, found a long string");
    assert_eq!(
        advice("/metadata/type", json!("LBData")),
        "expected \"LBDatafile\", found the string \"LBData\""
    );
}

#[test]
fn an_unknown_type_is_the_only_finding() {
    let said = |text: &str| lines(&check(text.as_bytes()).findings.kept);
    let expected = "expected \"LBDatafile\" or \"LBStatsfile\", found the string \"LBData\"";
    let at_the_top = format!("line 1, column 9, at /type: {expected}");
    assert_eq!(said(r#"{"type":"LBData","phases":5}"#), at_the_top);
    let in_metadata = format!("line 1, column 21, at /metadata/type: {expected}");
    assert_eq!(said(r#"{"metadata":{"type":"LBData"},"phases":5}"#), in_metadata);
    // The type at the top level takes precedence, and metadata must not state another one.
    let both = said(r#"{"type":"LBDatafile","metadata":{"type":"LBStatsfile"},"phases":[]}"#);
    let expected =
        "line 1, column 41, at /metadata/type: expected \"LBDatafile\", found the string \"LBStatsfile\"";
    assert_eq!(both, expected);
}

#[test]
fn a_file_without_a_json_object_yields_a_single_error() {
    let said = |raw: &[u8]| lines(&check(raw).findings.kept);
    assert_eq!(said(b" \n"), "the file is empty");
    assert_eq!(said(b"{\"phases\":[\n1 2]}"), "line 2, column 3: expected `,` or `]`");
    assert_eq!(said(b"{\"phases\":[NaN]}"), "line 1, column 12: expected value");
    assert_eq!(said(b"{\"a\":\n \"\xff\"}"), "line 2, column 3: the text is not valid UTF-8");
    let array = "line 1, column 1, at the top level of the document: expected an object, found an array";
    assert_eq!(said(b"[{\"phases\":[]}]"), array);
    let gzip = "the file is compressed with gzip; vt cannot read it either; decompress it with gunzip, or use brotli";
    assert_eq!(said(b"\x1f\x8b\x08\0\0\0\0\0\0\x03"), gzip);
}

#[test]
fn every_line_of_text_is_checked() {
    let said = |raw: &[u8]| lines(&check(raw).findings.kept);
    assert_eq!(said(b"0, 262147, 0.5\n"), "");
    assert_eq!(
        said(b"0, 1, 0.5\n0, 1, x\n\n0, 2, 0.5\n 0, 1, 2, 3, 9\n"),
        "line 2, column 7: expected a time in seconds (at least 0), found `x`\n\
         line 5, column 14: unknown communication type 9; the text form has types 1 to 6"
    );
    let many = check("0,1,x\n".repeat(100_000).as_bytes()).findings;
    assert_eq!(
        (many.n_errors, many.kept[99_999].position),
        (100_000, Some(Position { line: 100_000, column: 5 }))
    );
}

/// A line with many errors is scanned only once.
#[test]
fn a_hundred_thousand_errors_in_one_line_are_found_quickly() {
    let task =
        r#"{"entity":{"home":0,"id":1,"migratable":false,"type":"object"},"node":0,"resource":"","time":1}"#;
    let tasks = vec![task; 100_000].join(",");
    let text = format!(r#"{{"phases":[{{"id":0,"tasks":[{tasks}]}}]}}"#);
    let findings = check(text.as_bytes()).findings;
    assert_eq!((findings.n_errors, findings.kept.len()), (100_000, 100_000));
    let before = r#"{"phases":[{"id":0,"tasks":["#.len() + 99_999 * (task.len() + 1);
    let column = 1 + before + task.len() - "1}".len();
    assert_eq!(findings.kept[99_999].position, Some(Position { line: 1, column }));
}
