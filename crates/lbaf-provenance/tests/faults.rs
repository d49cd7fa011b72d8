// SPDX-License-Identifier: MIT OR Apache-2.0
//! A record with a fault is complained of where it is, and costs no other.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use lbaf_provenance::record::Collection;
use lbaf_provenance::{Complaint, Read, read};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/faults").join(name)
}

fn read_text(name: &str, text: impl AsRef<[u8]>) -> Read {
    let directory = tempfile::tempdir().expect("room for a file");
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

/// Reads a directory where the second record of `anomalies.json` has a fault, in its third line.
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

/// The column behind the last occurrence of a text in the third line, which is all ASCII up to there.
fn column_behind(name: &str, before: &str) -> usize {
    let text = fs::read(data(name).join("anomalies.json")).expect("a file");
    let line = text.split(|byte| *byte == b'\n').nth(2).expect("three lines");
    let line = String::from_utf8_lossy(line);
    line.rfind(before).expect("the text is there") + before.len() + 1
}

#[test]
fn a_field_is_missing() {
    let (column, message) = only_complaint("missing_field", 2);
    // That it is missing is known at the closing brace, with a comma behind it.
    assert_eq!(column, 852);
    assert_eq!(message, "missing field `fid`");
}

#[test]
fn a_field_is_of_another_type() {
    let (column, message) = only_complaint("wrong_type", 2);
    // The fault is at the last character of the value, its quote.
    assert_eq!(column, column_behind("wrong_type", "\"runtime_exclusive\":\"long"));
    assert_eq!(message, "invalid type: string \"long\", expected f64");
}

#[test]
fn a_number_is_none() {
    let (column, message) = only_complaint("not_a_number", 2);
    assert_eq!(column, column_behind("not_a_number", "\"outlier_score\":"));
    assert_eq!(message, "`NaN` is no number in JSON; write null, or leave the record out");
}

#[test]
fn the_names_of_what_is_no_number_are_known() {
    for name in ["NaN", "nan", "Infinity", "-Infinity", "inf", "-inf"] {
        let read = read_text("metadata.json", format!("[{{\"x\": {name}}}, {}]", entry("a")));
        assert_eq!(described(&read), "a");
        let message = &read.complaints[0].message;
        assert!(message.starts_with(&format!("`{}`", name.trim_start_matches('-'))), "{name}: {message}");
    }
}

#[test]
fn the_file_is_cut_off() {
    let (column, message) = only_complaint("truncated", 1);
    assert_eq!(column, 201);
    assert_eq!(message, "the file ends inside a record, which begins at 3:1");
}

#[test]
fn a_byte_is_no_character() {
    let (column, message) = only_complaint("not_utf8", 2);
    assert_eq!(column, column_behind("not_utf8", "\"hostname\":\"al"));
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
    assert_eq!(column, column_behind("missing_bracket", "\"ts\":101}"));
    assert_eq!(message, "a bracket closes one of the other kind in a record, which begins at 3:1");
}

#[test]
fn a_record_is_not_closed_before_the_next() {
    let read = read(&data("missing_brace")).expect("a database");
    assert_eq!(names(&read), ["0:0:1", "1:0:1"]);
    let [complaint] = read.complaints.as_slice() else { panic!("{:?}", read.complaints) };
    assert!(complaint.message.starts_with("the next record begins inside one"), "{complaint}");
    let text = fs::read_to_string(data("missing_brace").join("anomalies.json")).expect("a file");
    let braces: Vec<_> = text.lines().enumerate().filter(|(_, line)| *line == "    {").collect();
    assert_eq!((complaint.line, complaint.column), (braces[2].0 + 1, 5));
}

#[test]
fn a_complaint_says_where() {
    let read = read(&data("missing_field")).expect("a database");
    let said = read.complaints[0].to_string();
    assert!(said.ends_with("anomalies.json:3:852: record 2, of anomalies: missing field `fid`"), "{said}");
}

#[test]
fn records_in_one_line_are_read_behind_one_without_end() {
    let broken = entry("b").replace('}', "");
    let read = read_text("metadata.json", format!("[{},{broken},{},{}]", entry("a"), entry("c"), entry("d")));
    assert_eq!(described(&read), "acd");
    assert_eq!(read.complaints.len(), 1);
}

#[test]
fn lines_without_records_are_said() {
    let text = format!("{}\nnonsense\n{}\ndone\n", entry("a"), entry("b"));
    let read = read_text("metadata.jsonl", text);
    assert_eq!(described(&read), "ab");
    assert_eq!(messages(&read), ["2:1: passed over what is no record", "4:1: passed over what is no record"]);
}

#[test]
fn what_is_no_record_in_an_array_is_said() {
    let read = read_text(
        "metadata.json",
        format!("[{}, 1, null :: {}, [[[{}]]]", entry("a"), entry("b"), entry("c")),
    );
    assert_eq!(described(&read), "abc");
    let column = |text: &str, from: usize| from + text.len();
    let first = column(&format!("[{}, ", entry("a")), 1);
    let nothing = "an array of records has something else in it";
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
fn what_could_not_be_written_again_is_refused() {
    for (value, fault) in [(r#""\ud800""#, "hex escape"), ("1e999", "out of range")] {
        let bad = entry("b").replace(r#""value":"#, &format!(r#""other":{value},"value":"#));
        let read = read_text("metadata.json", format!("[{bad}, {}]", entry("a")));
        assert_eq!(described(&read), "a");
        assert!(read.complaints[0].message.contains(fault), "{}", read.complaints[0]);
    }
}

#[test]
fn deep_nesting_is_refused_and_overflows_nothing() {
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
    // Neither do holders of holders, or brackets alone.
    let read = read_text("metadata.json", format!("{}\n{}", "[".repeat(n), entry("a")));
    assert_eq!(read.complaints.len(), 1);
    let read = read_text("metadata.json", "{\"x\":[".repeat(10_000));
    assert!(read.database.is_empty() && !read.complaints.is_empty());
}

#[test]
fn many_records_without_end_take_no_longer_than_the_text() {
    let read = read_text("metadata.json", "{\"pid\":\n".repeat(200_000));
    assert_eq!(read.complaints.len(), 200_000);
    let read = read_text("metadata.json", format!("[{}", "{\"pid\":".repeat(200_000)));
    assert_eq!(read.complaints.len(), 200_000);
}

#[test]
fn a_string_of_any_length_is_passed_over() {
    // The system keeps no room for what was never written, and gives it back as zeros.
    let directory = tempfile::tempdir().expect("room for a file");
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
    assert_eq!(messages(&read), ["1:2: this record has 65 MiB; one of more than 64 MiB is not read"]);
}

#[test]
fn a_file_that_cannot_be_read_is_complained_of() {
    #[cfg(unix)]
    {
        let directory = tempfile::tempdir().expect("room for files");
        fs::write(directory.path().join("metadata.json"), format!("[{}]", entry("a"))).expect("a file");
        std::os::unix::fs::symlink("nowhere", directory.path().join("anomalies.json")).expect("a link");
        let read = read(directory.path()).expect("a database");
        assert_eq!(described(&read), "a");
        assert!(read.complaints[0].to_string().contains("anomalies.json: cannot be read"));
    }
}
