// SPDX-License-Identifier: MIT OR Apache-2.0
//! Positions of single records, for findings that require a comparison of files.

use simd_json::Node;

use crate::collector::Positions;
use crate::error::Step;
use crate::parse::on_tape;
use crate::walker::{Walked, Walker};
use crate::{Position, Scratch, VomError};

/// Path of a record through the document of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordPath {
    /// Index of the phase among the phases of the file.
    pub entry: usize,
    /// List that contains the record.
    pub list: RecordList,
    /// Index of the record in that list.
    pub index: usize,
}

/// Record lists of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RecordList {
    /// `communications`
    Communications,
    /// `tasks`
    Tasks,
}

impl RecordPath {
    /// Returns the path as a JSON pointer.
    pub fn pointer(self) -> String {
        let RecordPath { entry, list, index } = self;
        format!("/phases/{entry}/{}/{index}", list.key())
    }
}

impl RecordList {
    fn key(self) -> &'static str {
        match self {
            RecordList::Communications => "communications",
            RecordList::Tasks => "tasks",
        }
    }
}

/// Returns the positions of the given records, which must ascend; `None` for a record that does not exist.
///
/// # Errors
/// If the file cannot be read.
pub fn record_positions(
    raw: &[u8],
    records: &[RecordPath],
    scratch: &mut Scratch,
) -> Result<Vec<Option<Position>>, VomError> {
    scratch.document.decode(raw)?;
    let mut offsets = vec![None; records.len()];
    let walk = |nodes: &[Node<'_>], structurals: &[u32]| {
        note_offsets(Walker::new(nodes, structurals), records, &mut offsets)
    };
    on_tape(raw, false, scratch, walk)?;
    let mut positions = Positions::new(raw);
    Ok(offsets.into_iter().map(|offset| Some(positions.at(offset?))).collect())
}

fn note_offsets(
    document: Walker<'_, true>,
    records: &[RecordPath],
    offsets: &mut [Option<usize>],
) -> Walked<()> {
    let Some(mut phases) = document.member("phases") else { return Ok(()) };
    phases
        .array(|walker, entry| {
            for list in [RecordList::Communications, RecordList::Tasks] {
                let path = |index| RecordPath { entry, list, index };
                let wanted = records.partition_point(|&record| record < path(0))
                    ..records.partition_point(|&record| record <= path(usize::MAX));
                let Some(mut array) = walker.member(list.key()).filter(|_| !wanted.is_empty()) else {
                    continue;
                };
                let mut next = wanted.start;
                array.array(|walker, index| {
                    while next < wanted.end && records[next].index == index {
                        offsets[next] = Some(walker.offset() as usize);
                        next += 1;
                    }
                    walker.skip();
                    Ok(())
                })?;
            }
            walker.skip();
            Ok(())
        })
        .map(drop)
        .map_err(|mismatch| mismatch.inside(Step::Key("phases".to_owned())))
}
