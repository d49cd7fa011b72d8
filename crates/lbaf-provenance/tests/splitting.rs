// SPDX-License-Identifier: MIT OR Apache-2.0
//! A text is split into exactly its records, for any layout and contents.

use std::fs;

use lbaf_provenance::{Read, Stored, read};
use proptest::prelude::*;
use serde_json::ser::{PrettyFormatter, Serializer};
use serde_json::{Value, json};

use serde::Serialize;

/// Any value, with strings and keys that contain characters which look like the end of a value.
fn value() -> impl Strategy<Value = Value> {
    let text = || prop_oneof![r#"[\[\]{}",:\\\n\té€ a-z0-9]{0,8}"#, any::<String>()];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e300..1e300f64).prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(text(), inner, 0..4).prop_map(|map| map.into_iter().collect()),
        ]
    })
}

/// Records with any value in an unknown field, before or after the known fields.
fn records() -> impl Strategy<Value = Vec<Value>> {
    let record = |(other, rid, first): (Value, u32, bool)| {
        let mut record = if first { json!({"other": other}) } else { json!({}) };
        for (key, known) in
            [("pid", json!(0)), ("rid", json!(rid)), ("descr", json!("d")), ("value", json!("v"))]
        {
            record[key] = known;
        }
        if !first {
            record["other"] = other;
        }
        record
    };
    prop::collection::vec((value(), any::<u32>(), any::<bool>()).prop_map(record), 0..6)
}

fn spelled(records: &[Value], layout: usize) -> String {
    let lines = |separator: &str| {
        let lines: Vec<_> = records.iter().map(Value::to_string).collect();
        lines.join(separator)
    };
    match layout {
        0 => format!("{}\n", lines("\n")),
        1 => format!("[{}]", lines(",")),
        2 => format!("[\r\n{}\r\n]\r\n", lines(",\r\n")),
        3 => format!(r#"{{"metadata":[{}],"version":1}}"#, lines(" ,")),
        indent => {
            let indent = " ".repeat(indent - 4);
            let mut out = Vec::new();
            let layout = PrettyFormatter::with_indent(indent.as_bytes());
            records.serialize(&mut Serializer::with_formatter(&mut out, layout)).expect("plain data");
            String::from_utf8(out).expect("text")
        }
    }
}

fn read_text(text: &[u8]) -> Read {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("metadata.json");
    fs::write(&path, text).expect("a file");
    read(&path).expect("a database")
}

fn values(read: &Read) -> Vec<Value> {
    read.database.metadata.iter().map(Stored::value).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn records_are_read_as_written(records in records(), layout in 0usize..9) {
        let read = read_text(spelled(&records, layout).as_bytes());
        prop_assert_eq!(&read.complaints, &[]);
        prop_assert_eq!(values(&read), records);
    }

    /// Reading a truncated text succeeds and returns the records before the cut.
    #[test]
    fn a_truncated_text_has_the_preceding_records(
        records in records(),
        layout in 0usize..9,
        share in 0.0..1.0f64,
    ) {
        let text = spelled(&records, layout);
        #[expect(clippy::cast_sign_loss, reason = "a fraction of a length is not negative")]
        let cut = (text.len() as f64 * share) as usize;
        let found = values(&read_text(&text.as_bytes()[..cut]));
        let n = found.len();
        prop_assert!(n <= records.len());
        prop_assert_eq!(found, &records[..n]);
        // With one record per line, the number of complete records is known.
        if layout == 0 && !records.is_empty() {
            let ends = text.match_indices('\n').filter(|(at, _)| *at <= cut).count();
            prop_assert_eq!(n, ends);
        }
    }

    #[test]
    fn any_change_of_a_text_leaves_it_readable(
        records in records(),
        layout in 0usize..9,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut text = spelled(&records, layout).into_bytes();
        for (at, byte) in changes {
            if !text.is_empty() {
                let at = at.index(text.len());
                text[at] = byte;
            }
        }
        let read = read_text(&text);
        for complaint in &read.complaints {
            let line = text.split(|byte| *byte == b'\n').nth(complaint.line - 1);
            prop_assert!(line.is_some_and(|line| complaint.column <= line.len() + 1), "{}", complaint);
        }
    }
}
