// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parallel reading of all files of a data set.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use lbaf_vom::{Encoding, FileParts, FileRows, Generation, ParsedFile, PhaseRows, Scratch, VomError};
use rayon::prelude::*;

use crate::parking::{Parking, Place};
use crate::records::{Document, digest_of};
use crate::scratch_pool::ScratchPool;
use crate::{Documents, ReadError, Request};

/// Content of one file, before the files are combined into phases.
#[derive(Debug)]
pub struct LoadedFile {
    /// Path of the file, or a description for synthetic data.
    pub path: PathBuf,
    /// Content of the file.
    pub rows: FileRows,
    /// Document that contains the spans of the records; `None` if records were not requested.
    pub document: Option<Document>,
    /// Encoding of the document.
    pub encoding: Encoding,
    /// Places of the rows of the phases, in the order of the phases; empty if the rows are in memory.
    pub(crate) parked: Vec<Place>,
    /// True if a selected phase has tasks.
    pub has_tasks: bool,
    /// Size of the file in bytes.
    pub file_bytes: u64,
    /// Size of the decompressed document in bytes.
    pub document_bytes: u64,
}

impl LoadedFile {
    /// Moves the rows of tasks and communications out of memory, if memory is limited. Rows of the text form stay,
    /// because other files complete them.
    fn park(&mut self, parking: &Parking) -> io::Result<()> {
        if self.rows.generation == Generation::Text || parking.stays(&self.rows.phases) {
            return Ok(());
        }
        for phase in &mut self.rows.phases {
            self.parked.push(parking.put(phase)?);
            *phase = PhaseRows {
                id: phase.id,
                largest_home: phase.largest_home,
                n_iterations: phase.n_iterations,
                ..PhaseRows::default()
            };
        }
        Ok(())
    }
}

/// Reads and parses all files in parallel. Calls `progress` with the number of finished files.
///
/// Returns the error of the lowest rank, independent of the order of threads.
pub(crate) fn load(
    files: Documents<'_>,
    request: &Request<'_>,
    progress: &(dyn Fn(usize) + Sync),
    parking: Option<&Parking>,
) -> Result<Vec<LoadedFile>, ReadError> {
    let pool = ScratchPool::default();
    let n_done = AtomicUsize::new(0);
    let kept_bytes = AtomicU64::new(0);
    let loaded: Vec<Result<LoadedFile, ReadError>> = (0..files.len())
        .into_par_iter()
        .map(|position| {
            let mut file = pool.with(|scratch| load_one(files, position, request, &kept_bytes, scratch));
            if let (Ok(loaded), Some(parking)) = (&mut file, parking)
                && let Err(error) = loaded.park(parking)
            {
                file = Err(ReadError::Temporary(error));
            }
            progress(n_done.fetch_add(1, Ordering::Relaxed) + 1);
            file
        })
        .collect();
    loaded.into_iter().collect()
}

fn load_one(
    files: Documents<'_>,
    position: usize,
    request: &Request<'_>,
    kept_bytes: &AtomicU64,
    scratch: &mut Scratch,
) -> Result<LoadedFile, ReadError> {
    let path = files.path(position);
    let raw = files.bytes(position)?;
    let selection = FileParts {
        phases: request.phases,
        last: request.last_phase,
        records: request.records,
        indices: request.coordinates,
        subphases: request.subphases,
    };
    let parsed = match lbaf_vom::parse(&raw, selection, scratch) {
        // In the text form, a rank without objects writes an empty file. `text::check_empty` refuses it in other
        // forms.
        Err(VomError::Empty) => ParsedFile::empty(),
        outcome => outcome.map_err(|source| ReadError::Content { path: path.clone(), source })?,
    };
    let document_bytes = parsed.document_bytes as u64;
    let document = request.records.then(|| {
        // Text documents stay in memory: they are small, and `text::settle` completes them.
        let is_text = parsed.rows.generation == Generation::Text;
        if is_text
            || kept_bytes.fetch_add(document_bytes, Ordering::Relaxed) + document_bytes
                <= request.record_memory_bytes
        {
            Document::Memory(parsed.document)
        } else {
            match files {
                Documents::Files(_) => {
                    Document::File { path: path.clone(), digest: digest_of(&parsed.document) }
                }
                Documents::Synthetic(files) => Document::Made { files: files.clone(), rank: position },
            }
        }
    });
    Ok(LoadedFile {
        path,
        parked: Vec::new(),
        has_tasks: parsed.rows.phases.iter().any(|phase| !phase.tasks.is_empty()),
        rows: parsed.rows,
        document,
        encoding: parsed.encoding,
        file_bytes: raw.len() as u64,
        document_bytes,
    })
}
