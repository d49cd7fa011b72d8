// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading of a document with a tape for each of its phases, so that memory follows the largest phase.

use rustc_hash::FxHashSet;
use simd_json::Node;

use crate::direct::{Content, DirectlyRead, Part, Passage, split};
use crate::rows::{FileRows, Generation, PhaseRows};
use crate::tape::{TapeBuffer, walk_tape};
use crate::{DocumentBuffer, Field, FileParts, Span};

/// Memory for the parts of a document.
#[derive(Default)]
pub(crate) struct PartsReader {
    part: DocumentBuffer,
    tape: TapeBuffer,
}

impl PartsReader {
    /// Parses a part and passes its tape to `walk`. Returns `None` if it is not valid JSON.
    pub(crate) fn on_tape<T>(
        &mut self,
        part: &Part<'_>,
        walk: impl FnOnce(&[Node<'_>], &[u32]) -> T,
    ) -> Option<T> {
        self.part.put(part.text);
        self.tape.fill(&mut self.part, walk).ok()
    }

    /// Reads a document. Returns `None` for an unusual or invalid document, which must then be read with a tape of the
    /// whole.
    pub(crate) fn read(&mut self, text: Passage<'_>, selection: FileParts<'_>) -> Option<DirectlyRead> {
        let mut joined = Joined::default();
        let document_bytes = split(text, |part| {
            let walk = |nodes: &[Node<'_>], structurals: &[u32]| walk_tape(nodes, structurals, selection);
            let rows = self.on_tape(&part, walk)?.ok()?;
            joined.add(&part, rows)
        })?;
        Some(DirectlyRead { rows: joined.rows, document_bytes })
    }
}

/// Rows of the parts of a document that were read so far.
#[derive(Default)]
pub(crate) struct Joined {
    pub(crate) rows: FileRows,
    ids: FxHashSet<u64>,
}

impl Joined {
    /// Adds the rows of the next part. Returns `None` if they depend on other parts.
    pub(crate) fn add(&mut self, part: &Part<'_>, rows: FileRows) -> Option<()> {
        // A warning about a phase states its position in the document.
        rows.warnings.is_empty().then_some(())?;
        match part.content {
            Content::Phase(n_bytes) => {
                let &id = rows.phase_ids.first()?;
                // A repeated number is an error.
                self.ids.insert(id).then_some(())?;
                self.rows.phase_ids.push(id);
                self.rows.phases.extend(rows.phases.into_iter().map(|phase| phase.moved(n_bytes)));
            }
            Content::Others(members) => {
                // A selected phase may repeat one that is not selected.
                let all_are_selected = self.rows.phases.len() == self.rows.phase_ids.len();
                (rows.metadata.identical_to_previous.is_empty() || all_are_selected).then_some(())?;
                let file = &mut self.rows;
                file.metadata = rows.metadata;
                file.state_rank_bytes();
                // Without tasks, the generation follows from the members.
                file.generation = file.generation(rows.generation >= Generation::LbData);
                if !rows.fields.is_empty() {
                    let fields = members.iter().map(|member| (member.key.to_owned(), member.value));
                    file.fields = fields.map(|(key, value)| Field { key, value }).collect();
                }
                if let Some(metadata) = members.iter().rfind(|member| member.key == "metadata") {
                    let moved = |field| moved(field, metadata.value.start - metadata.start_in_part);
                    file.metadata_fields = rows.metadata_fields.into_iter().map(moved).collect();
                }
            }
        }
        Some(())
    }
}

impl PhaseRows {
    /// Returns the phase with its spans after `n_bytes` more bytes.
    fn moved(mut self, n_bytes: u32) -> Self {
        for field in &mut self.fields {
            field.value = field.value.moved(n_bytes);
        }
        for place in &mut self.task_places {
            (place.record, place.node) = (place.record.moved(n_bytes), place.node.moved(n_bytes));
        }
        for row in &mut self.communications {
            row.record = row.record.moved(n_bytes);
        }
        self
    }
}

fn moved(field: Field, n_bytes: u32) -> Field {
    Field { value: field.value.moved(n_bytes), ..field }
}

impl Span {
    /// Returns the span after `n_bytes` more bytes. An empty span means that there is no value.
    fn moved(self, n_bytes: u32) -> Self {
        if self.is_empty() { self } else { Span { start: self.start + n_bytes, end: self.end + n_bytes } }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::decompress::Decompressor;

    /// Compresses with the smallest window, so that the stream is decompressed in pieces of 1 KiB.
    fn with_small_window(text: &str) -> Vec<u8> {
        let mut writer = brotli::CompressorWriter::new(Vec::new(), 4096, 5, 10);
        writer.write_all(text.as_bytes()).expect("invariant: writing to a vector does not fail");
        writer.into_inner()
    }

    /// Spans of phases, records and members refer to the document.
    #[test]
    fn rows_and_spans_of_a_stream_are_those_of_the_document_in_memory() {
        let parts =
            FileParts { phases: &|_| true, last: None, records: true, indices: true, subphases: true };
        let entity = r#"{"collection_id": 7, "home": 0, "id": 262147, "index": [3], "type": "object"}"#;
        let task = format!(r#"{{"entity": {entity}, "node": 0 , "time": 1.5}}"#);
        let sent = format!(r#"{{"bytes": 8, "from": {entity}, "to": {entity}, "type": "SendRecv"}}"#);
        let phase = |id: u64| {
            let tasks = vec![task.as_str(); 20].join(" , ");
            format!(r#"{{"communications": [{sent}], "id": {id}, "tasks": [{tasks}]}}"#)
        };
        let phases = (0..9).map(phase).collect::<Vec<_>>().join(" ,\n");
        let attributes = "1, ".repeat(999);
        let members = [
            format!(r#""metadata" : {{"attributes": [{attributes}1], "rank": 0, "type": "LBDatafile"}}"#),
            r#""type" : "LBDatafile" "#.to_owned(),
            format!(r#""phases" : [ {phases} ]"#),
        ];
        for order in [[0, 1, 2], [1, 2, 0], [2, 0, 1]] {
            let text = format!(" {{{}}}\n", order.map(|at| members[at].as_str()).join(", "));
            let stream = with_small_window(&text);
            let in_pieces = Passage::of_stream(Decompressor::default().begin(&stream), text.len());
            let read = [in_pieces, Passage::whole(text.as_bytes())].map(|passage| {
                let read = PartsReader::default().read(passage, parts).expect("the document is usual");
                assert_eq!(read.document_bytes, text.len());
                read.rows
            });
            assert_eq!(format!("{:?}", read[0]), format!("{:?}", read[1]));
            assert_eq!(read[0].fields.len(), members.len());
        }
    }
}
