// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reader from the lines of a text file to rows.

use rustc_hash::FxHashMap;

use super::{Record, endpoint, lines};
use crate::rows::{CommunicationRow, FileRows, Generation, MemoryRow, NONE, PhaseRows, TaskPlace, TaskRow};
use crate::{FileParts, Span, VomError};

/// Memory row for objects of text files, which state no memory.
const NO_MEMORY: MemoryRow = MemoryRow {
    footprint_bytes: 0.0,
    working_bytes: 0.0,
    serialized_bytes: 0.0,
    rank_working_bytes: 0.0,
    block: NONE,
};

/// Reads a document in one pass. The span of a record is that of its line.
///
/// # Errors
/// Returns the first error, with line and column.
pub(crate) fn read(document: &[u8], selection: FileParts<'_>) -> Result<FileRows, VomError> {
    let mut reader = Reader {
        file: FileRows { generation: Generation::Text, ..FileRows::default() },
        positions: FxHashMap::default(),
        last: None,
        first_phases: FxHashMap::default(),
        selection,
    };
    for (line, record) in lines(document) {
        let (phase, record) = record?;
        reader.take(phase, record, line);
    }
    let mut first_phases: Vec<(u64, u64)> = Vec::with_capacity(reader.first_phases.len());
    first_phases.extend(reader.first_phases);
    first_phases.sort_unstable();
    Ok(FileRows { first_phases, ..reader.file })
}

struct Reader<'a> {
    file: FileRows,
    /// Position of the entry of each phase; `None` if the phase is not selected.
    positions: FxHashMap<u64, Option<usize>>,
    /// Phase of the previous line and position of its entry; most lines have the same phase as the previous one.
    last: Option<(u64, Option<usize>)>,
    first_phases: FxHashMap<u64, u64>,
    selection: FileParts<'a>,
}

impl Reader<'_> {
    fn take(&mut self, phase: u64, record: Record<'_>, line: Span) {
        if let Record::Load { object, .. } = record {
            let first = self.first_phases.entry(object).or_insert(phase);
            *first = phase.min(*first);
        }
        let Some(position) = self.entry(phase) else { return };
        let rows = &mut self.file.phases[position];
        let record_place = if self.selection.records { line } else { Span::default() };
        match record {
            Record::Load { object, load, subphases } => {
                if self.selection.subphases && !subphases.is_empty() {
                    rows.subphases.put(rows.tasks.len(), (0..).zip(subphases.times()));
                }
                rows.tasks.push(TaskRow {
                    id: object,
                    load,
                    memory: 0,
                    is_sequence: false,
                    migratable: true,
                });
                if self.selection.records {
                    rows.task_places.push(TaskPlace { record: record_place, node: Span::default() });
                }
            }
            Record::Communication { to, from, bytes, kind } => rows.communications.push(CommunicationRow {
                bytes,
                messages: 1,
                from: endpoint(from, kind.sender_is_rank()),
                to: endpoint(to, kind.receiver_is_rank()),
                record: record_place,
                kind,
            }),
        }
    }

    /// Returns the position of the entry of a phase, which is added if it is new. `None` if the phase is not
    /// selected.
    fn entry(&mut self, phase: u64) -> Option<usize> {
        if let Some((last, position)) = self.last
            && last == phase
        {
            return position;
        }
        let position = *self.positions.entry(phase).or_insert_with(|| {
            self.file.phase_ids.push(phase);
            (self.selection.phases)(phase).then(|| {
                self.file.phases.push(PhaseRows {
                    id: phase,
                    memory: vec![NO_MEMORY],
                    ..PhaseRows::default()
                });
                self.file.phases.len() - 1
            })
        });
        self.last = Some((phase, position));
        position
    }
}
