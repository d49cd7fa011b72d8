// SPDX-License-Identifier: MIT OR Apache-2.0
//! Positions of errors: line and column in characters, and a JSON pointer.

use lbaf_vom::{Position, VomError};

use crate::parse_all;

/// Returns the text without the mark, and the position of the mark in characters.
fn unmark(marked: &str) -> (String, Position) {
    let (before, after) = marked.split_once('«').unwrap();
    let lines: Vec<&str> = before.split('\n').collect();
    let column = lines.last().unwrap().chars().count() + 1;
    (format!("{before}{after}"), Position { line: lines.len(), column })
}

/// Asserts that the value after the mark is refused, with and without records.
#[track_caller]
fn check(marked: &str, pointer: &str, message: &str) {
    let (document, position) = unmark(marked);
    let expected = VomError::Content { position, pointer: pointer.to_owned(), message: message.to_owned() };
    for records in [false, true] {
        assert_eq!(parse_all(document.as_bytes(), records).unwrap_err(), expected);
    }
}

#[track_caller]
fn check_task(marked: &str, pointer: &str, message: &str) {
    let marked = format!("{{\"phases\": [\n  {{\"id\": 4, \"tasks\": [\n    {marked}\n  ]}}\n]}}");
    check(&marked, &format!("/phases/0/tasks/0{pointer}"), message);
}

#[test]
fn columns_count_characters_and_not_bytes() {
    let marked = r#"{"naïve€😀": "é", "phases": «7}"#;
    check(marked, "/phases", "expected an array, found 7");
    let error = parse_all(unmark(marked).0.as_bytes(), false).unwrap_err();
    assert_eq!(error.to_string(), "line 1, column 28, at /phases: expected an array, found 7");
}

#[test]
fn escapes_before_a_position_do_not_shift_it() {
    let marked = "{\"a\\u00e9\\\\\\\"\": \"\\n\",\n \"b\": [],\n\t\"phases\": «{}}";
    check(marked, "/phases", "expected an array, found an object");
}

#[test]
fn lines_may_end_in_any_way() {
    check("{\r\n\"phases\":\r\n   «true}", "/phases", "expected an array, found true");
    check("\n\n{\"phases\":«null\n}", "/phases", "expected an array, found null");
}

#[test]
fn missing_parts_are_reported_where_they_should_be() {
    let about = "there is no `phases` array; is it an LB data file?";
    check("«{\"metadata\": {}}", "the top level of the document", about);
    check_task(r#"«{"time": 1.0}"#, "", "the task has no `entity`");
    check_task(r#"«{"entity": {"id": 3}}"#, "", "the task has no `time`");
    let about = "the entity has neither `id` nor `seq_id`";
    check_task(r#"{"time": 1.0, "entity": «{"home": 0}}"#, "/entity", about);
    let about = "the entity of a task must be of type \"object\"";
    check_task(r#"«{"time": 1.0, "entity": {"id": 0, "type": "node"}}"#, "", about);
    for key in ["bytes", "from", "to", "type"] {
        let other = r#"{"bytes": 1, "from": {"id": 1}, "to": {"id": 2}, "type": "SendRecv"}"#;
        let entry = other.replace(&format!("\"{key}\""), "\"x\"");
        let marked = format!("{{\"phases\": [{{\"communications\": [{other},\n «{entry}]}}]}}");
        let about = format!("the communication has no `{key}`");
        check(&marked, "/phases/0/communications/1", &about);
    }
}

#[test]
fn wrong_values_are_named() {
    let entity = r#""entity": {"id": 3}"#;
    let time = |value: &str| format!("{{{entity}, \"time\": «{value}}}");
    let about = "expected a non-negative number, found -1.5";
    check_task(&time("-1.5"), "/time", about);
    check_task(&time("\"1.5\""), "/time", "expected a number, found the string \"1.5\"");
    let long = format!("\"{}\"", "x".repeat(41));
    check_task(&time(&long), "/time", "expected a number, found a long string");
    let id = |value: &str| format!("{{\"time\": 0, \"entity\": {{\"id\": «{value}}}}}");
    let whole = "expected a whole number from 0 to 2^64 - 1, found";
    check_task(&id("-1"), "/entity/id", &format!("{whole} -1"));
    check_task(&id("1.5"), "/entity/id", &format!("{whole} 1.5"));
    let home = |value: &str| format!("{{\"time\": 0, \"entity\": {{\"id\": 1, \"home\": «{value}}}}}");
    let about = "expected a rank below 2^32 - 1, found 4294967295";
    check_task(&home("4294967295"), "/entity/home", about);
    let migratable = r#"{"time": 0, "entity": {"id": 1, "migratable": «"yes"}}"#;
    check_task(migratable, "/entity/migratable", "expected true or false, found the string \"yes\"");
    let memory = format!("{{{entity}, \"time\": 0, \"user_defined\": {{\"shared_bytes\": «[]}}}}");
    check_task(&memory, "/user_defined/shared_bytes", "expected a number, found an array");
}

#[test]
fn pointers_reach_the_deepest_values_of_metadata() {
    // All keys are known, because values of unknown keys are not inspected.
    let marked = r#"{"phases": [], "metadata": {"phases": {"skipped": {"range": [[1, 2], «[5, 4]]}}}}"#;
    let about = "expected a pair of phases, the smaller first, less than 10^6 apart, found an array";
    check(marked, "/metadata/phases/skipped/range/1", about);
    let marked = r#"{"phases": [], "metadata": {"shared_node": {"id": «{}}}}"#;
    let about = "expected a whole number from 0 to 2^64 - 1, found an object";
    check(marked, "/metadata/shared_node/id", about);
}

#[test]
fn a_phase_with_two_entries_is_refused_at_the_second() {
    let about = "phase 1 has two entries in this file";
    check("{\"phases\": [{\"id\": 1},\n {\"id\": 0},\n «{\"id\": 1}]}", "/phases/2", about);
    // The second entry states no number, so its index 1 is its number.
    check("{\"phases\": [{\"id\": 1}, «{}]}", "/phases/1", about);
}

#[test]
fn an_array_given_twice_is_refused_at_the_second() {
    for key in ["tasks", "communications"] {
        let marked = format!("{{\"phases\": [{{\"id\": 1, \"{key}\": [], \"{key}\": «[]}}]}}");
        check(&marked, &format!("/phases/0/{key}"), &format!("the phase has `{key}` twice"));
    }
}

#[test]
fn phase_numbers_whose_successors_would_overflow_are_refused() {
    let marked = "{\"phases\": [{\"id\": «18446744073709551615}]}";
    check(marked, "/phases/0/id", "expected a phase of at most 2^62, found 18446744073709551615");
}

#[test]
fn phases_outside_the_selection_are_only_checked_for_syntax() {
    let document = br#"{"phases": [{"id": 1, "tasks": 7}, {"id": 2}]}"#;
    let selection = lbaf_vom::FileParts {
        phases: &|id| id == 2,
        last: None,
        records: false,
        indices: false,
        subphases: false,
    };
    let parsed = lbaf_vom::parse(document, selection, &mut lbaf_vom::Scratch::default()).unwrap();
    assert_eq!((parsed.rows.phases.len(), parsed.rows.phase_ids), (1, vec![1, 2]));
    check("{\"phases\": [{\"id\": 1, \"tasks\": «7}]}", "/phases/0/tasks", "expected an array, found 7");
}

/// Indices that are not requested are not inspected.
#[test]
fn requested_indices_must_be_whole_numbers() {
    let parsed = |index: &str, indices: bool| {
        let document = format!(
            "{{\"phases\": [{{\"id\": 0, \"tasks\": [\n{{\"time\": 1, \"entity\": {{\"id\": 3, \"index\": {index}}}}}]}}]}}"
        );
        let selection =
            lbaf_vom::FileParts { phases: &|_| true, last: None, records: false, indices, subphases: false };
        lbaf_vom::parse(document.as_bytes(), selection, &mut lbaf_vom::Scratch::default())
    };
    let of = |index: &str| {
        let rows = parsed(index, true).unwrap().rows;
        rows.phases[0].indices.of(0).map(|(_, index)| index.to_vec())
    };
    assert_eq!(of("[-9223372036854775808, 9223372036854775807]"), Some(vec![i64::MIN, i64::MAX]));
    assert_eq!(of("[]"), None);
    for (index, message) in [
        ("7", "line 2, column 42, at /phases/0/tasks/0/entity/index: expected an array, found 7"),
        (
            "[1, 0.5]",
            "line 2, column 46, at /phases/0/tasks/0/entity/index/1: expected a whole number, found 0.5",
        ),
        (
            "[9223372036854775808]",
            "line 2, column 43, at /phases/0/tasks/0/entity/index/0: expected a whole number, found 9223372036854775808",
        ),
    ] {
        assert_eq!(parsed(index, true).unwrap_err().to_string(), message);
        assert!(parsed(index, false).is_ok());
    }
}

#[test]
fn syntax_errors_report_where_the_text_stops_being_json() {
    let syntax = |document: &str| match parse_all(document.as_bytes(), false).unwrap_err() {
        VomError::Syntax { position, message } => (position.line, position.column, message),
        other => panic!("{other:?}"),
    };
    let (line, column, message) = syntax("{\"phases\": [\n  {\"id\": [1,]}\n]}");
    assert_eq!((line, column, message.as_str()), (2, 13, "expected value"));
    let (line, _, message) = syntax("{\"phases\": [\n\n");
    assert_eq!((line, message.as_str()), (3, "the document ends early; copy or write the file again"));
    let (line, _, message) = syntax("{\"phases\": []}\n{}");
    assert_eq!((line, message.as_str()), (2, "trailing characters"));
    let (line, ..) = syntax("{\"phases\":\n [nan]}");
    assert_eq!(line, 2);
}

/// Columns of syntax errors count characters, like those of content errors.
#[test]
fn columns_of_syntax_errors_count_characters() {
    for word in ["e", "é", "€", "😀"] {
        let document = format!("{{\"{word}{word}{word}\": 1, \"phases\": [}}");
        let error = parse_all(document.as_bytes(), false).unwrap_err();
        assert_eq!(error.to_string(), "line 1, column 23: expected value", "{word}");
    }
}

#[test]
fn invalid_utf_8_is_refused_at_the_first_invalid_byte() {
    let error = parse_all(b"{\"phases\": [],\n \"\xc3\xa9x\": \"\xff\"}", false).unwrap_err();
    assert_eq!(error, VomError::NotUtf8(Position { line: 2, column: 9 }));
    assert_eq!(error.to_string(), "line 2, column 9: the text is not valid UTF-8");
}

/// 2^64, one more than the largest id. The column is that of its first digit, after an accented letter.
#[test]
fn a_number_beyond_64_bits_is_reported_with_its_position() {
    let document = "{\"é\": 0,\n \"phases\": [{\"é\": 1, \"id\": 18446744073709551616}]}";
    let error = parse_all(document.as_bytes(), false).unwrap_err();
    let about = "line 2, column 28: the number 18446744073709551616 does not fit into 64 bits";
    assert_eq!(error.to_string(), about);
}

/// Subphases that are not requested are not inspected.
#[test]
fn requested_subphases_must_have_a_number_and_seconds() {
    let parsed = |subphases: &str, asked: bool| {
        let document = format!(
            "{{\"phases\": [{{\"id\": 0, \"tasks\": [\n{{\"entity\": {{\"id\": 3}}, \"time\": 1, \"subphases\": {subphases}}}]}}]}}"
        );
        let selection = lbaf_vom::FileParts {
            phases: &|_| true,
            last: None,
            records: false,
            indices: false,
            subphases: asked,
        };
        lbaf_vom::parse(document.as_bytes(), selection, &mut lbaf_vom::Scratch::default())
    };
    let of = |subphases: &str| parsed(subphases, true).unwrap().rows.phases[0].subphases.of(0).to_vec();
    let both = r#"[{"id": 4294967295, "time": 0}, {"time": 0.25, "id": 7, "more": []}]"#;
    assert_eq!(of(both), [(7, 0.25), (u32::MAX, 0.0)]);
    assert_eq!(of("[]"), []);
    // If `subphases` is repeated, the last value counts.
    assert_eq!(of(r#"[{"id": 1, "time": 2}], "subphases": [{"id": 3, "time": 4}]"#), [(3, 4.0)]);
    for (subphases, message) in [
        ("7", "line 2, column 47, at /phases/0/tasks/0/subphases: expected an array, found 7"),
        (r#"[{"id": 0}]"#, "line 2, column 48, at /phases/0/tasks/0/subphases/0: the subphase has no `time`"),
        (r#"[{"time": 0}]"#, "line 2, column 48, at /phases/0/tasks/0/subphases/0: the subphase has no `id`"),
        (
            r#"[{"id": 0, "time": -1}]"#,
            "line 2, column 66, at /phases/0/tasks/0/subphases/0/time: expected a non-negative number, found -1",
        ),
        (
            r#"[{"id": 4294967296, "time": 1}]"#,
            "line 2, column 55, at /phases/0/tasks/0/subphases/0/id: expected a subphase below 2^32, found 4294967296",
        ),
        (
            r#"[{"id": -1, "time": 1}]"#,
            "line 2, column 55, at /phases/0/tasks/0/subphases/0/id: expected a whole number from 0 to 2^64 - 1, found -1",
        ),
        (
            r#"[{"id": 2, "time": 1}, {"id": 1, "time": 1}, {"id": 2, "time": 1}]"#,
            "line 2, column 47, at /phases/0/tasks/0/subphases: the task has subphase 2 twice",
        ),
    ] {
        assert_eq!(parsed(subphases, true).unwrap_err().to_string(), message);
        assert!(parsed(subphases, false).is_ok(), "{subphases}");
    }
}
