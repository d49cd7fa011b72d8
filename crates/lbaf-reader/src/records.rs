// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records that are carried from the input files to the output files.

use std::hash::{DefaultHasher, Hasher};
use std::path::PathBuf;

use lbaf_model::{PhaseId, Slot};
use lbaf_vom::{BlockRow, Field, MemoryRow, Metadata, PhaseRows, Span, TaskPlace};
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};

use crate::input_file::read_data;
use crate::{ReadError, SyntheticFiles};

/// Records of all files, by rank.
#[derive(Debug, Default)]
pub struct Records {
    /// One element for each rank.
    pub files: Vec<FileRecords>,
}

/// Records of one file.
#[derive(Debug)]
pub struct FileRecords {
    /// Document that contains the bytes of the spans.
    pub document: Document,
    /// Metadata of the rank and its phases.
    pub metadata: Metadata,
    /// Members of the document.
    pub fields: Vec<Field>,
    /// Members of the metadata.
    pub metadata_fields: Vec<Field>,
    /// Phases in ascending order. A phase that repeats another one of them on all ranks is left out.
    pub phases: Vec<PhaseRecords>,
    /// Ids of all phases with an entry in the file, read or not.
    pub phase_ids: Vec<u64>,
}

/// Records of one phase in one file.
#[derive(Debug, Serialize, Deserialize)]
pub struct PhaseRecords {
    /// The phase.
    pub id: PhaseId,
    /// Members of the phase.
    pub fields: Vec<Field>,
    /// Tasks in the order of the file.
    pub tasks: Vec<TaskRecord>,
    /// Communications in the order of the file.
    pub communications: Vec<CommunicationRecord>,
    /// Distinct combinations of memory quantities of the tasks.
    pub memory: Vec<MemoryRow>,
    /// Blocks as described by the tasks.
    pub blocks: Vec<BlockRow>,
}

/// Record of a task.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct TaskRecord {
    /// Slot of the object in the phase.
    pub slot: Slot,
    /// Position in [`PhaseRecords::memory`].
    pub memory: u32,
    /// Span of the record.
    pub record: Span,
    /// Span of the value of `node`; empty without one.
    pub node: Span,
}

/// Record of a communication.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct CommunicationRecord {
    /// Object with which the record migrates; `None` if the record stays in its file.
    pub logger: Option<Slot>,
    /// Span of the record.
    pub record: Span,
}

/// Decompressed document: in memory, or to be read or generated again.
#[derive(Debug)]
pub enum Document {
    /// The bytes.
    Memory(Vec<u8>),
    /// A file, with a digest of its document.
    File {
        /// Path of the file.
        path: PathBuf,
        /// Expected digest of the document.
        digest: u64,
    },
    /// A synthetic document that can be generated again.
    Made {
        /// Files of its data set.
        files: SyntheticFiles,
        /// Rank of the file.
        rank: usize,
    },
}

impl Document {
    /// Returns the bytes, read or generated again if necessary.
    ///
    /// # Errors
    /// If the file cannot be read again or its content changed.
    pub fn bytes(&self) -> Result<std::borrow::Cow<'_, [u8]>, ReadError> {
        match self {
            Document::Memory(bytes) => Ok(bytes.into()),
            Document::Made { files, rank } => Ok(files.bytes(*rank).into()),
            Document::File { path, digest } => {
                let raw = read_data(path)?;
                let mut document = lbaf_vom::DocumentBuffer::default();
                let decoded = document.decode(&raw);
                decoded.map_err(|source| ReadError::Content { path: path.clone(), source })?;
                if digest_of(document.text()) != *digest {
                    return Err(ReadError::Changed { path: path.clone() });
                }
                Ok(document.into_text().into())
            }
        }
    }
}

/// Returns the records of a phase in one file. `slots` has the objects of its tasks. If the rows have no places of
/// tasks, the spans of the records are empty.
pub(crate) fn records_of(
    id: PhaseId,
    rows: &PhaseRows,
    slots: Vec<Slot>,
    communications: Vec<CommunicationRecord>,
) -> PhaseRecords {
    let nowhere = TaskPlace { record: Span::default(), node: Span::default() };
    let places = rows.task_places.iter().copied().chain(std::iter::repeat(nowhere));
    let tasks = slots.into_iter().zip(&rows.tasks).zip(places);
    PhaseRecords {
        id,
        fields: rows.fields.clone(),
        tasks: tasks
            .map(|((slot, task), place)| TaskRecord {
                slot,
                memory: task.memory,
                record: place.record,
                node: place.node,
            })
            .collect(),
        communications,
        memory: rows.memory.clone(),
        blocks: rows.blocks.clone(),
    }
}

/// Returns a digest that detects changes of a document within a run. It is never stored.
pub(crate) fn digest_of(document: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(document);
    hasher.finish()
}

/// Returns a digest that detects changes of a file within a run. It is never stored.
pub(crate) fn file_digest(raw: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(raw);
    hasher.finish()
}
