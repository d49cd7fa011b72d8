// SPDX-License-Identifier: MIT OR Apache-2.0
//! Printer from records to the bytes of a file.

use std::io::Write;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::record::{DataFile, PhaseRecord};

/// Size of the buffer of the compressor. With a much smaller one, brotli's fastest qualities compress several
/// times worse.
const BUFFER_BYTES: usize = 64 * 1024;
/// Base-two logarithm of the size of brotli's window: 4 MiB, the default of brotli.
const WINDOW_LOG2: u32 = 22;
const BEST_QUALITY: u32 = 11;

/// Prints a file as JSON. Equal records yield equal bytes. The output is compact, but every phase, task and
/// communication has its own line, so that files can be searched and compared line by line.
///
/// Numbers that are not finite have no representation in JSON and become `null`; the caller must exclude them.
pub fn print(file: &DataFile) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend_from_slice(b"{\"metadata\":");
    print_compact(&mut out, &file.metadata);
    out.extend_from_slice(b",\"phases\":");
    print_lines(&mut out, &file.phases, print_phase);
    out.extend_from_slice(b"}\n");
    out
}

/// Parses a JSON value from a document that was read before. The value may be nested as deeply as the parser
/// accepts.
///
/// # Panics
/// Panics if the bytes are not a JSON value. The bytes of a [`Span`](crate::Span) that the parser returned for a
/// JSON document are always a JSON value, unless the span is empty.
pub fn value_of(json: &[u8]) -> Value {
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    // The document was parsed before, by a parser that rejects more than 1024 levels.
    deserializer.disable_recursion_limit();
    Value::deserialize(&mut deserializer).expect("invariant: the document was parsed before")
}

/// Compresses the bytes of a file with brotli.
///
/// Quality ranges from 0 (fastest) to 11 (smallest, about 1 MB/s); larger values mean 11.
#[expect(clippy::missing_panics_doc, reason = "writing to memory does not fail")]
pub fn compress(bytes: &[u8], quality: u32) -> Vec<u8> {
    let quality = quality.min(BEST_QUALITY);
    let mut writer = brotli::CompressorWriter::new(Vec::new(), BUFFER_BYTES, quality, WINDOW_LOG2);
    writer.write_all(bytes).expect("invariant: writing to memory does not fail");
    writer.into_inner()
}

fn print_phase(out: &mut Vec<u8>, phase: &PhaseRecord) {
    out.push(b'{');
    if !phase.communications.is_empty() {
        out.extend_from_slice(b"\"communications\":");
        print_lines(out, &phase.communications, print_compact);
        out.push(b',');
    }
    out.extend_from_slice(b"\"id\":");
    print_compact(out, &phase.id);
    out.extend_from_slice(b",\"tasks\":");
    print_lines(out, &phase.tasks, print_compact);
    out.push(b'}');
}

fn print_lines<T>(out: &mut Vec<u8>, items: &[T], print_item: impl Fn(&mut Vec<u8>, &T)) {
    out.push(b'[');
    for (position, item) in items.iter().enumerate() {
        out.extend_from_slice(if position == 0 { b"\n" } else { b",\n" });
        print_item(out, item);
    }
    out.extend_from_slice(if items.is_empty() { b"]" } else { b"\n]" });
}

fn print_compact<T: Serialize>(out: &mut Vec<u8>, value: &T) {
    serde_json::to_writer(out, value)
        .expect("invariant: records have string keys, and writing to memory does not fail");
}

#[cfg(test)]
mod tests {
    use std::io::Read;

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

    #[test]
    fn compressed_bytes_decompress_to_the_same_at_every_quality() {
        let bytes = print(&small_file()).repeat(200);
        for quality in [0, 1, 5, 9, 11, 99] {
            let compressed = compress(&bytes, quality);
            assert!(compressed.len() * 10 < bytes.len(), "quality {quality}: {}", compressed.len());
            let mut back = Vec::new();
            brotli::Decompressor::new(&compressed[..], 4096).read_to_end(&mut back).unwrap();
            assert_eq!(back, bytes, "quality {quality}");
        }
        assert_eq!(compress(&bytes, 99), compress(&bytes, 11));
    }
}
