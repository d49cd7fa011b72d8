// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records carried from the files that were read to those that will be written.

use std::hash::{DefaultHasher, Hasher};
use std::path::PathBuf;

use lbaf_model::{PhaseId, Slot};
use lbaf_vom::{BlockRow, Field, MemoryRow, Metadata, Span};

use crate::input_file::read_data;
use crate::{MadeFiles, ReadError};

/// The records of all files, by rank.
#[derive(Debug, Default)]
pub struct Records {
    /// One for each rank.
    pub files: Vec<FileRecords>,
}

/// The records of one file.
#[derive(Debug)]
pub struct FileRecords {
    /// Where the bytes of the spans are.
    pub document: Document,
    /// What the file says of its rank and phases.
    pub metadata: Metadata,
    /// Members of the document.
    pub fields: Vec<Field>,
    /// Members of its metadata.
    pub metadata_fields: Vec<Field>,
    /// The phases that were kept, in the order of the file.
    pub phases: Vec<PhaseRecords>,
    /// Ids of all phases with an entry in the file, kept or not.
    pub phase_ids: Vec<u64>,
}

/// The records of one phase in one file.
#[derive(Debug)]
pub struct PhaseRecords {
    /// The phase.
    pub id: PhaseId,
    /// Members of the phase.
    pub fields: Vec<Field>,
    /// Tasks in the order of the file.
    pub tasks: Vec<TaskRecord>,
    /// Communication in the order of the file.
    pub communications: Vec<CommunicationRecord>,
    /// Memory as the tasks state it, each combination once.
    pub memory: Vec<MemoryRow>,
    /// Blocks as the tasks describe them.
    pub blocks: Vec<BlockRow>,
}

/// The record of a task.
#[derive(Clone, Copy, Debug)]
pub struct TaskRecord {
    /// Which object of the phase.
    pub slot: Slot,
    /// Position in [`PhaseRecords::memory`].
    pub memory: u32,
    /// The record.
    pub record: Span,
    /// Its value of `node`; empty if it has none.
    pub node: Span,
}

/// The record of a communication.
#[derive(Clone, Copy, Debug)]
pub struct CommunicationRecord {
    /// The object that logged it and takes it along when it moves; `None` if it stays with the file.
    pub logger: Option<Slot>,
    /// The record.
    pub record: Span,
}

/// A decompressed document: in memory, or to be read or made again.
#[derive(Debug)]
pub enum Document {
    /// The bytes.
    Memory(Vec<u8>),
    /// The file, with a digest of its document.
    File {
        /// Where it is.
        path: PathBuf,
        /// What its document must digest to.
        digest: u64,
    },
    /// One that was made, and can be made again.
    Made {
        /// The files of its data set.
        files: MadeFiles,
        /// Its rank.
        rank: usize,
    },
}

impl Document {
    /// The bytes, read again if need be.
    ///
    /// # Errors
    /// If the file cannot be read again or holds something else by now.
    pub fn bytes(&self) -> Result<std::borrow::Cow<'_, [u8]>, ReadError> {
        match self {
            Document::Memory(bytes) => Ok(bytes.into()),
            Document::Made { files, rank } => Ok((files.make)(*rank).into()),
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

/// Tells whether a document changed within a run; never stored.
pub(crate) fn digest_of(document: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(document);
    hasher.finish()
}
