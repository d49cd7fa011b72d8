// SPDX-License-Identifier: MIT OR Apache-2.0
//! Excerpts of the records of a file: those that a group of ranks needs, with their own document.

use std::io;

use lbaf_reader::{CommunicationRecord, Document, FileRecords, PhaseRecords, TaskRecord};
use lbaf_vom::{Field, Metadata, NONE, Span};
use rustc_hash::FxHashMap;

use crate::targets::Targets;

/// Excerpt that is being made.
struct Excerpt<'a> {
    document: &'a [u8],
    text: Vec<u8>,
    file: FileRecords,
    /// Positions of memory rows and blocks of the current phase in the excerpt, by their position in the file.
    memory: FxHashMap<u32, u32>,
    blocks: FxHashMap<u32, u32>,
    /// Number of the last added record, by which a record is added only once.
    last: usize,
}

/// Splits the records of the file of a rank into excerpts, one for each group of ranks. `groups` has the group of each
/// rank. An excerpt has the records that are written into files of its group, in the order of the file, and the members
/// of the file itself if its rank is in the group.
pub(crate) fn split(
    file: &FileRecords,
    document: &[u8],
    rank: usize,
    targets: &Targets<'_>,
    groups: &[usize],
) -> Vec<FileRecords> {
    let n_groups = groups.last().map_or(0, |last| last + 1);
    let mut excerpts: Vec<Excerpt<'_>> = (0..n_groups).map(|_| Excerpt::new(document)).collect();
    excerpts[groups[rank]].take_members(file);
    let mut n_records = 0;
    for (source, phase) in file.phases.iter().enumerate() {
        for excerpt in &mut excerpts {
            excerpt.begin(phase);
        }
        excerpts[groups[rank]].take_fields(phase);
        for task in &phase.tasks {
            n_records += 1;
            for target in targets.of(source, Some(task.slot), rank) {
                let excerpt = &mut excerpts[groups[target]];
                if std::mem::replace(&mut excerpt.last, n_records) != n_records {
                    excerpt.take_task(phase, *task);
                }
            }
        }
        for communication in &phase.communications {
            n_records += 1;
            for target in targets.of(source, communication.logger, rank) {
                let excerpt = &mut excerpts[groups[target]];
                if std::mem::replace(&mut excerpt.last, n_records) != n_records {
                    excerpt.take_communication(*communication);
                }
            }
        }
    }
    let finished =
        |excerpt: Excerpt<'_>| FileRecords { document: Document::Memory(excerpt.text), ..excerpt.file };
    excerpts.into_iter().map(finished).collect()
}

impl<'a> Excerpt<'a> {
    fn new(document: &'a [u8]) -> Self {
        Excerpt {
            document,
            text: Vec::new(),
            file: FileRecords {
                document: Document::Memory(Vec::new()),
                metadata: Metadata::default(),
                fields: Vec::new(),
                metadata_fields: Vec::new(),
                phases: Vec::new(),
                phase_ids: Vec::new(),
            },
            memory: FxHashMap::default(),
            blocks: FxHashMap::default(),
            last: 0,
        }
    }

    /// Takes the members of the file, except for its phases.
    fn take_members(&mut self, file: &FileRecords) {
        self.file.metadata = file.metadata.clone();
        self.file.phase_ids.clone_from(&file.phase_ids);
        self.file.fields = self.fields(&file.fields, |key| key != "phases");
        self.file.metadata_fields = self.fields(&file.metadata_fields, |_| true);
    }

    fn begin(&mut self, phase: &PhaseRecords) {
        self.memory.clear();
        self.blocks.clear();
        self.file.phases.push(PhaseRecords {
            id: phase.id,
            fields: Vec::new(),
            tasks: Vec::new(),
            communications: Vec::new(),
            memory: Vec::new(),
            blocks: Vec::new(),
        });
    }

    /// Takes the members of a phase of the file, except for its records.
    fn take_fields(&mut self, phase: &PhaseRecords) {
        let fields = self.fields(&phase.fields, |key| key != "tasks" && key != "communications");
        self.phase().fields = fields;
    }

    fn take_task(&mut self, phase: &PhaseRecords, task: TaskRecord) {
        let TaskRecord { slot, memory, record, node } = task;
        let copy = self.copy(record);
        // Spans of values inside of the record move with it.
        let moved = |offset: u32| offset - record.start + copy.start;
        let node =
            if node.is_empty() { node } else { Span { start: moved(node.start), end: moved(node.end) } };
        let memory = self.memory(phase, memory);
        self.phase().tasks.push(TaskRecord { slot, memory, record: copy, node });
    }

    fn take_communication(&mut self, CommunicationRecord { logger, record }: CommunicationRecord) {
        let record = self.copy(record);
        self.phase().communications.push(CommunicationRecord { logger, record });
    }

    /// Returns the position of a memory row of the file in the excerpt, which takes the row and its block.
    fn memory(&mut self, phase: &PhaseRecords, position: u32) -> u32 {
        if let Some(&known) = self.memory.get(&position) {
            return known;
        }
        let mut row = phase.memory[position as usize];
        if row.block != NONE {
            let blocks = &mut self.file.phases.last_mut().expect("invariant: a phase was begun").blocks;
            row.block = *self.blocks.entry(row.block).or_insert_with(|| {
                blocks.push(phase.blocks[row.block as usize]);
                blocks.len() as u32 - 1
            });
        }
        let rows = &mut self.phase().memory;
        rows.push(row);
        let taken = rows.len() as u32 - 1;
        self.memory.insert(position, taken);
        taken
    }

    /// Returns copies of members. Members that `is_copied` does not accept get an empty value.
    fn fields(&mut self, fields: &[Field], is_copied: impl Fn(&str) -> bool) -> Vec<Field> {
        let field = |field: &Field| Field {
            key: field.key.clone(),
            value: if is_copied(&field.key) { self.copy(field.value) } else { Span::default() },
        };
        fields.iter().map(field).collect()
    }

    fn copy(&mut self, span: Span) -> Span {
        let start = self.text.len() as u32;
        self.text.extend_from_slice(span.of(self.document));
        Span { start, end: self.text.len() as u32 }
    }

    fn phase(&mut self) -> &mut PhaseRecords {
        self.file.phases.last_mut().expect("invariant: a phase was begun")
    }
}

/// Returns an excerpt as compressed bytes.
pub(crate) fn pack(excerpt: &FileRecords) -> io::Result<Vec<u8>> {
    let FileRecords { document, metadata, fields, metadata_fields, phases, phase_ids } = excerpt;
    let places = postcard::to_stdvec(&(metadata, fields, metadata_fields, phases, phase_ids));
    let places = places.map_err(io::Error::other)?;
    let document = document.bytes().map_err(io::Error::other)?;
    let bytes = [&(places.len() as u64).to_le_bytes()[..], &places, &document].concat();
    snap::raw::Encoder::new().compress_vec(&bytes).map_err(io::Error::other)
}

/// Returns the excerpt in compressed bytes.
pub(crate) fn unpack(bytes: &[u8]) -> io::Result<FileRecords> {
    let mut bytes = snap::raw::Decoder::new().decompress_vec(bytes).map_err(io::Error::other)?;
    let (length, rest) = bytes.split_first_chunk().ok_or(io::ErrorKind::UnexpectedEof)?;
    let n_places = u64::from_le_bytes(*length) as usize;
    let places = rest.get(..n_places).ok_or(io::ErrorKind::UnexpectedEof)?;
    let (metadata, fields, metadata_fields, phases, phase_ids) =
        postcard::from_bytes(places).map_err(io::Error::other)?;
    bytes.drain(..size_of::<u64>() + n_places);
    let document = Document::Memory(bytes);
    Ok(FileRecords { document, metadata, fields, metadata_fields, phases, phase_ids })
}
