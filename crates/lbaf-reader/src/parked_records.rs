// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records outside of memory. The objects to which records belong (their owners) are in a temporary file, and the text
//! of records is read again from the data files.

use std::collections::BTreeSet;
use std::path::PathBuf;

use lbaf_model::{PhaseId, Slot};
use lbaf_vom::{FileParts, Scratch};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::assemble::Assembled;
use crate::coverage::PhaseSources;
use crate::load::LoadedFile;
use crate::parking::Parking;
use crate::records::{CommunicationRecord, Document, FileRecords, PhaseRecords, file_digest, records_of};
use crate::scratch_pool::ScratchPool;
use crate::temporary_file::Place;
use crate::{Documents, ReadError, SyntheticFiles};

/// Records of a data set whose documents exceed [`Request::record_memory_bytes`](crate::Request::record_memory_bytes).
#[derive(Debug)]
pub struct ParkedRecords {
    parking: Parking,
    source: OwnedDocuments,
    files: Vec<ParkedFile>,
    /// Phases with records, ascending. A phase that repeats another one of them on all ranks is left out.
    phases: Vec<PhaseId>,
    /// Limit in bytes on records in memory.
    memory_bytes: u64,
}

/// Documents of a data set, to be read again.
#[derive(Debug)]
enum OwnedDocuments {
    Files(Vec<PathBuf>),
    Synthetic(SyntheticFiles),
}

/// File whose records are read again.
#[derive(Debug)]
struct ParkedFile {
    /// Digest of the bytes of the file.
    digest: u64,
    document_bytes: u64,
    /// Ids of the entries that were read.
    entry_ids: BTreeSet<u64>,
    /// Records by phase.
    phases: Vec<ParkedPhase>,
}

/// Records of a phase in a file.
#[derive(Clone, Copy, Debug)]
struct ParkedPhase {
    /// Position of the entry among the phases read from the file.
    entry: usize,
    /// Place of the owners.
    owners: Place,
}

/// Owners of the records of a phase in one file, in the order of the file.
#[derive(Debug, Serialize, Deserialize)]
pub struct Owners {
    /// Objects of the tasks.
    pub tasks: Vec<Slot>,
    /// Objects with which communications migrate; `None` for those that stay in their file.
    pub communications: Vec<Option<Slot>>,
}

impl ParkedRecords {
    /// Collects the places of the records. Each phase is given with its entries in the files.
    pub(crate) fn new(
        parking: Parking,
        documents: Documents<'_>,
        files: &[LoadedFile],
        phases: &[(&PhaseSources, &Assembled)],
        memory_bytes: u64,
    ) -> Self {
        let of_file = |(rank, file): (usize, &LoadedFile)| ParkedFile {
            digest: file.digest,
            document_bytes: file.document_bytes,
            entry_ids: file.rows.phases.iter().map(|entry| entry.id).collect(),
            phases: phases
                .iter()
                .map(|(source, phase)| ParkedPhase {
                    entry: source.entries[rank],
                    owners: phase.owners[rank],
                })
                .collect(),
        };
        ParkedRecords {
            parking,
            source: match documents {
                Documents::Files(paths) => OwnedDocuments::Files(paths.to_vec()),
                Documents::Synthetic(files) => OwnedDocuments::Synthetic(files.clone()),
            },
            files: files.iter().enumerate().map(of_file).collect(),
            phases: phases.iter().map(|(_, phase)| phase.id).collect(),
            memory_bytes,
        }
    }

    /// Returns the number of files, one for each rank.
    pub fn n_files(&self) -> usize {
        self.files.len()
    }

    /// Returns the phases with records, ascending. A phase that repeats another one of them on all ranks is left out.
    pub fn phases(&self) -> &[PhaseId] {
        &self.phases
    }

    /// Returns the limit in bytes on records in memory.
    pub fn memory_bytes(&self) -> u64 {
        self.memory_bytes
    }

    /// Returns the total size of all documents in bytes.
    pub fn document_bytes(&self) -> u64 {
        self.files.iter().map(|file| file.document_bytes).sum()
    }

    /// Returns the owners of the records of a file, by phase.
    ///
    /// # Errors
    /// If the temporary file cannot be read.
    pub fn owners(&self, rank: usize) -> Result<Vec<Owners>, ReadError> {
        let phases = self.files[rank].phases.iter();
        phases.map(|phase| self.parking.get(phase.owners).map_err(ReadError::Temporary)).collect()
    }

    /// Reads all files again, in parallel, and passes the rank of each and its records to `visit`. Returns the results
    /// in the order of ranks.
    ///
    /// # Errors
    /// The error of the lowest rank whose file cannot be read or has changed, or for which `visit` fails.
    pub fn visit<T: Send, E: From<ReadError> + Send>(
        &self,
        visit: impl Fn(usize, FileRecords) -> Result<T, E> + Sync,
    ) -> Result<Vec<T>, E> {
        let pool = ScratchPool::default();
        let visited = |rank: usize| visit(rank, pool.with(|scratch| self.read(rank, scratch))?);
        let outcomes: Vec<Result<T, E>> = (0..self.files.len()).into_par_iter().map(visited).collect();
        outcomes.into_iter().collect()
    }

    fn read(&self, rank: usize, scratch: &mut Scratch) -> Result<FileRecords, ReadError> {
        let documents = match &self.source {
            OwnedDocuments::Files(paths) => Documents::Files(paths),
            OwnedDocuments::Synthetic(files) => Documents::Synthetic(files),
        };
        let file = &self.files[rank];
        let path = documents.path(rank);
        let raw = documents.bytes(rank)?;
        if file_digest(&raw) != file.digest {
            return Err(ReadError::Changed { path });
        }
        let selection = FileParts {
            phases: &|phase| file.entry_ids.contains(&phase),
            last: None,
            records: true,
            indices: false,
            subphases: false,
        };
        let parsed = lbaf_vom::parse(&raw, selection, scratch);
        let parsed = parsed.map_err(|source| ReadError::Content { path, source })?;
        drop(raw);
        let rows = parsed.rows;
        let phases = self.phases.iter().zip(&file.phases).zip(self.owners(rank)?);
        let phases: Vec<PhaseRecords> = phases
            .map(|((&id, phase), Owners { tasks, communications })| {
                let rows = &rows.phases[phase.entry];
                let communications = rows.communications.iter().zip(communications);
                let communications =
                    communications.map(|(row, logger)| CommunicationRecord { logger, record: row.record });
                records_of(id, rows, tasks, communications.collect())
            })
            .collect();
        Ok(FileRecords {
            document: Document::Memory(parsed.document),
            metadata: rows.metadata,
            fields: rows.fields,
            metadata_fields: rows.metadata_fields,
            phases,
            phase_ids: rows.phase_ids,
        })
    }
}

/// Stores the owners of the records of a phase, by rank.
pub(crate) fn park(parking: &Parking, records: Vec<PhaseRecords>) -> Result<Vec<Place>, ReadError> {
    let place = |records: PhaseRecords| {
        let owners = Owners {
            tasks: records.tasks.iter().map(|task| task.slot).collect(),
            communications: records.communications.iter().map(|entry| entry.logger).collect(),
        };
        parking.put(&owners).map_err(ReadError::Temporary)
    };
    records.into_iter().map(place).collect()
}
