// SPDX-License-Identifier: MIT OR Apache-2.0
//! A faulty record is reported with its position, and all other records are read.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use lbaf_provenance::record::Collection;
use lbaf_provenance::{Complaint, Read, read};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/faults").join(name)
}

fn read_text(name: &str, text: impl AsRef<[u8]>) -> Read {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join(name);
    fs::write(&path, text).expect("a file");
    read(&path).expect("a database")
}

fn names(read: &Read) -> Vec<&str> {
    read.database.anomalies.iter().map(|event| event.record.event_id.as_str()).collect()
}

fn messages(read: &Read) -> Vec<String> {
    let complaint = |found: &Complaint| format!("{}:{}: {}", found.line, found.column, found.message);
    read.complaints.iter().map(complaint).collect()
}

fn entry(descr: &str) -> String {
    format!(r#"{{"pid":0,"rid":0,"tid":0,"descr":"{descr}","value":"v"}}"#)
}

fn described(read: &Read) -> String {
    read.database.metadata.iter().map(|entry| entry.record.descr.as_str()).collect()
}

/// Reads a directory whose `anomalies.json` has a fault in the third line, its second record. Returns the column and
/// the message of the only complaint. `n_rest` records are read from this file.
fn only_complaint(name: &str, n_rest: usize) -> (usize, String) {
    let read = read(&data(name)).expect("a database");
    let [complaint] = read.complaints.as_slice() else { panic!("{name}: {:?}", read.complaints) };
    assert_eq!(complaint.file, data(name).join("anomalies.json"));
    assert_eq!((complaint.line, complaint.record), (3, Some(2)), "{name}");
    assert_eq!(complaint.collection, Some(Collection::Anomalies));
    assert_eq!(names(&read), ["0:0:10", "0:0:30"][..n_rest], "{name}");
    assert_eq!(read.database.metadata.len(), 1, "{name}: the other file");
    (complaint.column, complaint.message.clone())
}

/// Returns the column after the last occurrence of a text in the third line, which is ASCII up to it.
fn column_after(name: &str, before: &str) -> usize {
    let text = fs::read(data(name).join("anomalies.json")).expect("a file");
    let line = text.split(|byte| *byte == b'\n').nth(2).expect("three lines");
    let line = String::from_utf8_lossy(line);
    line.rfind(before).expect("the text is there") + before.len() + 1
}

#[test]
fn a_field_is_missing() {
    let (column, message) = only_complaint("missing_field", 2);
    // The missing field is noticed at the closing brace.
    assert_eq!(column, 852);
    assert_eq!(message, "missing field `fid`");
}

#[test]
fn a_field_is_of_another_type() {
    let (column, message) = only_complaint("wrong_type", 2);
    // The fault is at the last character of the value, its quote.
    assert_eq!(column, column_after("wrong_type", "\"runtime_exclusive\":\"long"));
    assert_eq!(message, "invalid type: string \"long\", expected f64");
}

#[test]
fn a_value_is_not_a_number() {
    let (column, message) = only_complaint("not_a_number", 2);
    assert_eq!(column, column_after("not_a_number", "\"outlier_score\":"));
    assert_eq!(message, "`NaN` is not a JSON number; write null or omit the record");
}

#[test]
fn spellings_of_nan_and_infinity_are_recognized() {
    for name in ["NaN", "nan", "Infinity", "-Infinity", "inf", "-inf"] {
        let read = read_text("metadata.json", format!("[{{\"x\": {name}}}, {}]", entry("a")));
        assert_eq!(described(&read), "a");
        let message = &read.complaints[0].message;
        assert!(message.starts_with(&format!("`{}`", name.trim_start_matches('-'))), "{name}: {message}");
    }
}

#[test]
fn the_file_is_truncated() {
    let (column, message) = only_complaint("truncated", 1);
    assert_eq!(column, 201);
    assert_eq!(message, "the file ends inside the record that begins at 3:1");
}

#[test]
fn a_byte_is_not_utf8() {
    let (column, message) = only_complaint("not_utf8", 2);
    assert_eq!(column, column_after("not_utf8", "\"hostname\":\"al"));
    assert_eq!(message, "the byte 0xff is not UTF-8");
}

#[test]
fn a_string_is_not_closed() {
    let (_, message) = only_complaint("open_string", 2);
    assert!(message.starts_with("a string is not closed"), "{message}");
}

#[test]
fn a_bracket_is_missing() {
    let (column, message) = only_complaint("missing_bracket", 2);
    assert_eq!(column, column_after("missing_bracket", "\"ts\":101}"));
    assert_eq!(message, "mismatched bracket in the record that begins at 3:1");
}

#[test]
fn a_record_is_not_closed_before_the_next() {
    let read = read(&data("missing_brace")).expect("a database");
    assert_eq!(names(&read), ["0:0:1", "1:0:1"]);
    let [complaint] = read.complaints.as_slice() else { panic!("{:?}", read.complaints) };
    assert!(complaint.message.starts_with("the next record begins inside the record"), "{complaint}");
    let text = fs::read_to_string(data("missing_brace").join("anomalies.json")).expect("a file");
    let braces: Vec<_> = text.lines().enumerate().filter(|(_, line)| *line == "    {").collect();
    assert_eq!((complaint.line, complaint.column), (braces[2].0 + 1, 5));
}

#[test]
fn a_complaint_states_the_position() {
    let read = read(&data("missing_field")).expect("a database");
    let said = read.complaints[0].to_string();
    assert!(said.ends_with("anomalies.json:3:852: record 2, of `anomalies`: missing field `fid`"), "{said}");
}

#[test]
fn records_in_one_line_are_read_after_one_without_end() {
    let broken = entry("b").replace('}', "");
    let read = read_text("metadata.json", format!("[{},{broken},{},{}]", entry("a"), entry("c"), entry("d")));
    assert_eq!(described(&read), "acd");
    assert_eq!(read.complaints.len(), 1);
}

#[test]
fn lines_without_records_are_reported() {
    let text = format!("{}\nnonsense\n{}\ndone\n", entry("a"), entry("b"));
    let read = read_text("metadata.jsonl", text);
    assert_eq!(described(&read), "ab");
    assert_eq!(
        messages(&read),
        ["2:1: skipped text that is not a record", "4:1: skipped text that is not a record"]
    );
}

#[test]
fn other_elements_of_an_array_of_records_are_reported() {
    let read = read_text(
        "metadata.json",
        format!("[{}, 1, null :: {}, [[[{}]]]", entry("a"), entry("b"), entry("c")),
    );
    assert_eq!(described(&read), "abc");
    let column = |text: &str, from: usize| from + text.len();
    let first = column(&format!("[{}, ", entry("a")), 1);
    let nothing = "an array of records contains a value that is not a record";
    let expected = [
        format!("1:{first}: {nothing}"),
        format!("1:{}: {nothing}", column("1, ", first)),
        format!("1:{}: {nothing}", column("1, null ", first)),
    ];
    let messages = messages(&read);
    assert_eq!(messages[..3], expected);
    assert!(messages.len() == 4 && messages[3].contains("ends inside an array"), "{messages:?}");
}

#[test]
fn values_that_cannot_be_written_again_are_refused() {
    for (value, fault) in [(r#""\ud800""#, "hex escape"), ("1e999", "out of range")] {
        let bad = entry("b").replace(r#""value":"#, &format!(r#""other":{value},"value":"#));
        let read = read_text("metadata.json", format!("[{bad}, {}]", entry("a")));
        assert_eq!(described(&read), "a");
        assert!(read.complaints[0].message.contains(fault), "{}", read.complaints[0]);
    }
}

#[test]
fn deep_nesting_is_refused_without_an_overflow() {
    let n = 1_000_000;
    let deep = entry("b").replace('{', &format!(r#"{{"deep":{}{},"#, "[".repeat(n), "]".repeat(n)));
    let quoted = serde_json::to_string(
        &entry("c").replace('{', &format!(r#"{{"deep":{}{},"#, "[".repeat(n), "]".repeat(n))),
    );
    let text = format!("[\n{deep},\n{},\n{}]", quoted.expect("a string"), entry("a"));
    let read = read_text("metadata.json", text);
    assert_eq!(described(&read), "a");
    assert_eq!(messages(&read)[0], "2:1: this record nests deeper than 100 levels and is not read");
    assert_eq!(read.complaints.len(), 2);
    // Nested holders and brackets alone do not overflow either.
    let read = read_text("metadata.json", format!("{}\n{}", "[".repeat(n), entry("a")));
    assert_eq!(read.complaints.len(), 1);
    let read = read_text("metadata.json", "{\"x\":[".repeat(10_000));
    assert!(read.database.is_empty() && !read.complaints.is_empty());
}

#[test]
fn many_records_without_end_are_read_in_linear_time() {
    let read = read_text("metadata.json", "{\"pid\":\n".repeat(200_000));
    assert_eq!(read.complaints.len(), 200_000);
    let read = read_text("metadata.json", format!("[{}", "{\"pid\":".repeat(200_000)));
    assert_eq!(read.complaints.len(), 200_000);
}

#[test]
fn a_record_that_is_too_large_is_skipped() {
    // The file is sparse: unwritten bytes take no space and are read as zeros.
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("metadata.json");
    let mut file = File::create(&path).expect("a file");
    let (begin, end) = (br#"[{"pid":0,"rid":0,"descr":"b","value":""#, b"\"},\n");
    file.write_all(begin).expect("a write");
    file.seek(SeekFrom::Start(65 << 20)).expect("a place");
    file.write_all(end).expect("a write");
    file.write_all(format!("{}]\n", entry("a")).as_bytes()).expect("a write");
    drop(file);
    let read = read(&path).expect("a database");
    assert_eq!(described(&read), "a");
    assert_eq!(messages(&read), ["1:2: this record has 65 MiB and is not read; the limit is 64 MiB"]);
}

#[test]
fn a_file_that_cannot_be_read_is_reported() {
    #[cfg(unix)]
    {
        let directory = tempfile::tempdir().expect("a temporary directory");
        fs::write(directory.path().join("metadata.json"), format!("[{}]", entry("a"))).expect("a file");
        std::os::unix::fs::symlink("nowhere", directory.path().join("anomalies.json")).expect("a link");
        let read = read(directory.path()).expect("a database");
        assert_eq!(described(&read), "a");
        assert!(read.complaints[0].to_string().contains("anomalies.json: cannot be read"));
    }
}
