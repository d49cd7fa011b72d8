// SPDX-License-Identifier: MIT OR Apache-2.0
//! Printer from records to the bytes of a file.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Output;
use crate::record::{DataFile, PhaseRecord};

/// Prints a file as JSON. Equal records yield equal bytes. The output is compact, but every phase, task and
/// communication begins a new line, for search and comparison line by line.
///
/// JSON cannot represent numbers that are not finite. They become `null`; the caller must exclude them.
#[expect(clippy::missing_panics_doc, reason = "writing to memory does not fail")]
pub fn print(file: &DataFile) -> Vec<u8> {
    let mut out = Output::new(Vec::new(), None);
    print_to(&mut out, file);
    out.finish().expect("invariant: writing to memory does not fail")
}

/// Prints a file as [`print()`] does, into an output that compresses or writes piece by piece.
pub fn print_to<W: Write>(out: &mut Output<W>, file: &DataFile) {
    print_into(out, file);
}

/// Returns the number of bytes of the printed file.
pub(crate) fn printed_bytes(file: &DataFile) -> usize {
    let mut counter = Counter(0);
    print_into(&mut counter, file);
    counter.0
}

/// Receiver of a printed file.
trait Sink {
    type Text: Write;

    /// Returns the text, to append to it.
    fn text(&mut self) -> &mut Self::Text;

    /// Called after each record.
    fn pass(&mut self);
}

impl<W: Write> Sink for Output<W> {
    type Text = Vec<u8>;

    fn text(&mut self) -> &mut Vec<u8> {
        Output::text(self)
    }

    fn pass(&mut self) {
        Output::pass(self);
    }
}

/// Sink that only counts bytes.
struct Counter(usize);

impl Sink for Counter {
    type Text = Self;

    fn text(&mut self) -> &mut Self {
        self
    }

    fn pass(&mut self) {}
}

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn print_into(out: &mut impl Sink, file: &DataFile) {
    put(out, b"{\"metadata\":");
    print_compact(out, &file.metadata);
    put(out, b",\"phases\":");
    print_lines(out, &file.phases, print_phase);
    put(out, b"}\n");
}

/// Parses a JSON value of a document that was read before. The value may nest as deeply as the parser accepts.
///
/// # Panics
/// If the bytes are not a JSON value. The bytes of a nonempty [`Span`](crate::Span) of a JSON document always are one.
pub fn value_of(json: &[u8]) -> Value {
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    // The document was read by a parser that rejects more than 1024 levels.
    deserializer.disable_recursion_limit();
    Value::deserialize(&mut deserializer).expect("invariant: the document was parsed before")
}

fn print_phase<S: Sink>(out: &mut S, phase: &PhaseRecord) {
    put(out, b"{");
    if !phase.communications.is_empty() {
        put(out, b"\"communications\":");
        print_lines(out, &phase.communications, print_compact);
        put(out, b",");
    }
    put(out, b"\"id\":");
    print_compact(out, &phase.id);
    put(out, b",\"tasks\":");
    print_lines(out, &phase.tasks, print_compact);
    put(out, b"}");
}

fn print_lines<S: Sink, T>(out: &mut S, items: &[T], print_item: impl Fn(&mut S, &T)) {
    put(out, b"[");
    for (position, item) in items.iter().enumerate() {
        put(out, if position == 0 { b"\n" } else { b",\n" });
        print_item(out, item);
        out.pass();
    }
    put(out, if items.is_empty() { b"]" } else { b"\n]" });
}

fn put(out: &mut impl Sink, text: &[u8]) {
    out.text().write_all(text).expect("invariant: writing to memory does not fail");
}

fn print_compact<T: Serialize>(out: &mut impl Sink, value: &T) {
    serde_json::to_writer(out.text(), value)
        .expect("invariant: records have string keys, and writing to memory does not fail");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CommunicationKind;
    use crate::record::{Communication, Entity, Metadata, Task, UserDefined};

    fn object(id: u64) -> Entity {
        Entity { home: Some(0), id: Some(id), migratable: Some(true), ..Entity::default() }
    }

    fn small_file() -> DataFile {
        let facts = UserDefined { shared_bytes: Some(9.0), shared_id: Some(2), ..UserDefined::default() };
        let task = |id, time| Task {
            entity: object(id),
            time,
            user_defined: Some(facts.clone()),
            ..Task::default()
        };
        let message = |from, to| Communication {
            bytes: 1456.0,
            from: object(from),
            messages: 26,
            to: object(to),
            kind: CommunicationKind::SendRecv,
        };
        DataFile {
            metadata: Metadata::default(),
            phases: vec![
                PhaseRecord {
                    communications: vec![message(3, 7), message(7, 3)],
                    id: 0,
                    tasks: vec![task(3, 1.0), task(7, 1.166_999_936_685_897_4e-6)],
                },
                PhaseRecord { id: 1, ..PhaseRecord::default() },
            ],
        }
    }

    #[test]
    fn one_record_per_line_in_vt_spelling() {
        let expected = r#"{"metadata":{"rank":0,"type":"LBDatafile"},"phases":[
{"communications":[
{"bytes":1456.0,"from":{"home":0,"id":3,"migratable":true,"type":"object"},"messages":26,"to":{"home":0,"id":7,"migratable":true,"type":"object"},"type":"SendRecv"},
{"bytes":1456.0,"from":{"home":0,"id":7,"migratable":true,"type":"object"},"messages":26,"to":{"home":0,"id":3,"migratable":true,"type":"object"},"type":"SendRecv"}
],"id":0,"tasks":[
{"entity":{"home":0,"id":3,"migratable":true,"type":"object"},"node":0,"resource":"cpu","time":1.0,"user_defined":{"shared_bytes":9.0,"shared_id":2}},
{"entity":{"home":0,"id":7,"migratable":true,"type":"object"},"node":0,"resource":"cpu","time":1.1669999366858974e-6,"user_defined":{"shared_bytes":9.0,"shared_id":2}}
]},
{"id":1,"tasks":[]}
]}
"#;
        assert_eq!(String::from_utf8(print(&small_file())).unwrap(), expected);
    }

    #[test]
    fn printed_records_parse_to_the_same_values() {
        for file in [small_file(), DataFile::default()] {
            let parsed: serde_json::Value = serde_json::from_slice(&print(&file)).unwrap();
            assert_eq!(parsed, serde_json::to_value(&file).unwrap());
        }
    }
}
