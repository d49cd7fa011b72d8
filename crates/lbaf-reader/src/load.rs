// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parallel reading of all files of a data set.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use lbaf_vom::{Encoding, FileParts, FileRows, Generation, ParsedFile, Scratch, VomError};
use rayon::prelude::*;

use crate::parking::{ParkedPhase, Parking};
use crate::records::{Document, digest_of, file_digest};
use crate::scratch_pool::ScratchPool;
use crate::temporary_file::Place;
use crate::{Documents, ReadError, RecordOverflow, Request};

/// Content of one file, before the files are combined into phases.
#[derive(Debug)]
pub struct LoadedFile {
    /// Path of the file, or a description for synthetic data.
    pub path: PathBuf,
    /// Content of the file.
    pub rows: FileRows,
    /// Document that contains the spans of the records; `None` if records were not requested or left memory.
    pub document: Option<Document>,
    /// Digest of the bytes of the file, if records may leave memory.
    pub(crate) digest: u64,
    /// Encoding of the document.
    pub encoding: Encoding,
    /// Sizes of the rows of the phases in memory, in the order of the phases.
    pub(crate) row_bytes: Vec<u64>,
    /// Places of the rows of the phases, in the order of the phases; empty if the rows are in memory.
    pub(crate) parked: Vec<Place>,
    /// True if a selected phase has tasks.
    pub has_tasks: bool,
    /// Size of the file in bytes.
    pub file_bytes: u64,
    /// Size of the document in bytes, or of its decompressed part if the rest was not read.
    pub document_bytes: u64,
}

impl LoadedFile {
    /// Moves the rows of the phases out of memory, unless they are within the limit. Rows of the text form stay,
    /// because other files complete them.
    fn park(&mut self, parking: &Parking) -> io::Result<()> {
        let is_parked = !self.parked.is_empty();
        if !is_parked && self.rows.generation != Generation::Text {
            self.parked = parking.park(&mut self.rows.phases)?;
        }
        Ok(())
    }
}

/// Number of bytes of all documents so far, and the limit up to which they stay in memory.
struct Kept {
    bytes: AtomicU64,
    limit: u64,
}

impl Kept {
    /// Counts a document. Returns true if it stays in memory.
    fn has_room_for(&self, bytes: u64) -> bool {
        self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes <= self.limit
    }

    fn is_full(&self) -> bool {
        self.bytes.load(Ordering::Relaxed) > self.limit
    }
}

fn can_park(request: &Request<'_>) -> bool {
    request.record_overflow == RecordOverflow::Park
}

/// Reads and parses all files in parallel. Calls `progress` with the number of finished files.
///
/// Of several errors, returns that of the lowest rank, independent of the order of threads.
pub(crate) fn load(
    files: Documents<'_>,
    request: &Request<'_>,
    progress: &(dyn Fn(usize) + Sync),
    parking: Option<&Parking>,
) -> Result<Vec<LoadedFile>, ReadError> {
    let pool = ScratchPool::default();
    let n_done = AtomicUsize::new(0);
    let kept = Kept { bytes: AtomicU64::new(0), limit: request.record_memory_bytes };
    // Rows with records stay in memory unless the records leave it.
    let leave_memory = || !request.records || can_park(request) && kept.is_full();
    let park = |file: &mut LoadedFile| {
        let parked = parking.filter(|_| leave_memory()).map_or(Ok(()), |parking| file.park(parking));
        parked.map_err(ReadError::Temporary)
    };
    let load = |position: usize| {
        let loaded = pool.with(|scratch| load_one(files, position, request, &kept, scratch));
        let loaded = loaded.and_then(|mut file| park(&mut file).map(|()| file));
        progress(n_done.fetch_add(1, Ordering::Relaxed) + 1);
        loaded
    };
    let loaded: Vec<Result<LoadedFile, ReadError>> = (0..files.len()).into_par_iter().map(load).collect();
    let mut loaded: Vec<LoadedFile> = loaded.into_iter().collect::<Result<_, _>>()?;
    // Files that were read before the limit was reached.
    if request.records && leave_memory() {
        for file in loaded.iter_mut().filter(|file| file.rows.generation != Generation::Text) {
            file.document = None;
            park(file)?;
        }
    }
    Ok(loaded)
}

fn load_one(
    files: Documents<'_>,
    position: usize,
    request: &Request<'_>,
    kept: &Kept,
    scratch: &mut Scratch,
) -> Result<LoadedFile, ReadError> {
    let path = files.path(position);
    let unparsed = files.unparsed(position, request.records || request.coordinates)?;
    let keeps_records = request.records && !(can_park(request) && kept.is_full());
    let selection = FileParts {
        phases: request.phases,
        // With records, files are always read to their end, so that written files do not depend on limits of memory.
        last: request.last_phase.filter(|_| !request.records),
        records: keeps_records,
        indices: request.coordinates,
        subphases: request.subphases,
    };
    let mut parse = |selection| match unparsed.parse(selection, scratch) {
        // In the text form, a rank without objects writes an empty file. `text::check_empty` refuses it in other
        // forms.
        Err(VomError::Empty) => Ok(ParsedFile::empty()),
        outcome => outcome.map_err(|source| ReadError::Content { path: path.clone(), source }),
    };
    let mut parsed = parse(selection)?;
    let is_text = parsed.rows.generation == Generation::Text;
    if request.records && !keeps_records && is_text {
        parsed = parse(FileParts { records: true, ..selection })?;
    }
    let document_bytes = parsed.document_bytes as u64;
    let document = request.records.then(|| {
        // Text documents stay in memory: they are small, and `text::settle` completes them.
        if kept.has_room_for(document_bytes) || is_text {
            Some(Document::Memory(std::mem::take(&mut parsed.document)))
        } else if can_park(request) {
            None
        } else {
            Some(match files {
                Documents::Files(_) => {
                    Document::File { path: path.clone(), digest: digest_of(&parsed.document) }
                }
                Documents::Synthetic(files) => Document::Made { files: files.clone(), rank: position },
            })
        }
    });
    Ok(LoadedFile {
        parked: Vec::new(),
        row_bytes: parsed.rows.phases.iter().map(ParkedPhase::bytes).collect(),
        digest: unparsed.bytes().filter(|_| can_park(request)).map_or(0, file_digest),
        has_tasks: parsed.rows.phases.iter().any(|phase| !phase.tasks.is_empty()),
        rows: parsed.rows,
        document: document.flatten(),
        encoding: parsed.encoding,
        // Synthetic files are not compressed.
        file_bytes: unparsed.bytes().map_or(document_bytes, |raw| raw.len() as u64),
        document_bytes,
        path,
    })
}
