// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reader of data sets: finds the files of a stem for all ranks, reads them in parallel, checks them against each
//! other and builds the phases of the model. On request, it keeps the records for writing.
//!
//! ```
//! use std::path::Path;
//!
//! use lbaf_reader::{Request, read_stem};
//!
//! # let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
//! // examples/quartet/data.0.json to data.3.json
//! let recorded = read_stem(&examples.join("quartet/data"), &Request::default())?;
//!
//! let phase = &recorded.data.phases()[0];
//! assert_eq!((recorded.data.n_ranks(), phase.n_objects()), (4, 12));
//! let seconds: f64 = phase.slots().map(|slot| phase.load(slot)).sum();
//! assert!(seconds > 0.0);
//! # Ok::<(), lbaf_reader::ReadError>(())
//! ```
#![forbid(unsafe_code)]

mod assemble;
mod assembly;
mod blocks;
mod communications;
mod coverage;
mod error;
mod file_group;
mod file_name;
mod findings;
mod input_file;
mod load;
mod locate;
mod needed_memory;
mod objects;
mod parked_records;
mod parking;
mod records;
mod request;
mod scratch_pool;
mod source;
mod stream;
mod subphases;
mod temporary_file;
mod text;
mod validation;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use lbaf_model::{DataSet, ObjectIdx, ObjectKey, Objects, Phase, PhaseId};
use lbaf_vom::Generation;

pub use communications::CommunicationCounts;
pub use coverage::{named_phases, phases_in_words, phases_of};
pub use error::ReadError;
pub use file_group::{FileGroup, Listing, RankFile, group_files, list_directory};
pub use file_name::FileName;
pub use findings::{Findings, PhaseFindings};
pub use input_file::{is_pipe, is_there, read_file, read_file_or_pipe};
pub use load::LoadedFile;
pub use locate::{Located, file_of_rank, locate};
pub use parked_records::{Owners, ParkedRecords};
pub use records::{CommunicationRecord, Document, FileRecords, PhaseRecords, Records, TaskRecord};
pub use request::{AbsentEndpoints, DEFAULT_MEMORY_BYTES, NodeRule, RecordOverflow, Request};
pub use source::{Documents, SyntheticFiles};
pub use stream::{Visited, visit};
pub use temporary_file::{Place, TemporaryFile};
pub use validation::{FileReport, ForVt, Validation, duplicate_objects, validate};

use crate::assemble::Assembled;
use crate::assembly::assemble_all;
use crate::coverage::PhaseSources;
use crate::parking::Parking;

/// Data set as recorded.
#[derive(Debug)]
pub struct Recorded {
    /// The model.
    pub data: DataSet,
    /// The records; `None` if they were not requested, left memory, or no phase was read.
    pub records: Option<Records>,
    /// The records, if they left memory: see [`RecordOverflow::Park`].
    pub parked: Option<ParkedRecords>,
    /// Information about the files that is not part of the model.
    pub findings: Findings,
}

/// Reads files of consecutive ranks, starting at `first_rank`, without checking them against each other. Information
/// that the text form lacks is derived from these files.
///
/// # Errors
/// If the data need more memory than allowed, or a file is invalid. Of several invalid files, the first is reported.
pub fn load<'a>(
    files: impl Into<Documents<'a>>,
    first_rank: u32,
    request: &Request<'_>,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<LoadedFile>, ReadError> {
    let files = files.into();
    needed_memory::check(files, request, true)?;
    load_into(None, files, first_rank, request, progress)
}

/// Reads files as [`load`] does, and moves rows beyond the limit of `parking` out of memory.
fn load_into(
    parking: Option<&Parking>,
    files: Documents<'_>,
    first_rank: u32,
    request: &Request<'_>,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<LoadedFile>, ReadError> {
    let mut files = load::load(files, request, progress, parking)?;
    text::check_empty(&files)?;
    text::settle(&mut files, first_rank, request)?;
    Ok(files)
}

/// Reads the files of a stem, `<stem>.<rank>.<suffix>`, with [`locate`] and [`read`].
///
/// # Errors
/// If files are missing, or [`read`] fails.
pub fn read_stem(stem: &Path, request: &Request<'_>) -> Result<Recorded, ReadError> {
    read(&locate(stem, None)?.files, request, &|_| {})
}

/// Reads the files of all ranks, in the order of ranks. Calls `progress` with the number of finished files.
///
/// # Errors
/// If the data need more memory than allowed, a file is invalid, files contradict each other, or the temporary file for
/// rows cannot be written or read.
///
/// # Panics
/// Only on a defect of this crate.
pub fn read<'a>(
    files: impl Into<Documents<'a>>,
    request: &Request<'_>,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Recorded, ReadError> {
    let documents = files.into();
    needed_memory::check(documents, request, true)?;
    let parking = Parking::new(request.row_memory_bytes);
    let mut files = load_into(Some(&parking), documents, 0, request, progress)?;
    let parks_records = request.records && files.iter().any(|file| file.document.is_none());
    if parks_records && files.iter().any(|file| file.rows.generation == Generation::Text) {
        // Records of the text form exist in memory only.
        return read(
            documents,
            &Request { record_overflow: RecordOverflow::ReadAgain, ..*request },
            progress,
        );
    }
    let sources = coverage::sources(&files, request)?;
    // All phases are assembled first, except those that repeat a selected phase and share its columns.
    let to_assemble: Vec<&PhaseSources> =
        sources.iter().filter(|source| needs_assembly(source, &sources)).collect();
    let mut assembled = assemble_all(&mut files, &to_assemble, request, &parking, parks_records)?;
    let of_phases = assembled.iter().map(|phase| phase.findings.clone()).collect();
    let mut findings = findings::combined(&files, &sources, of_phases);
    let parked = (parks_records && !sources.is_empty()).then(|| {
        let phases = to_assemble.iter().copied().zip(&assembled).collect::<Vec<_>>();
        ParkedRecords::new(parking, documents, &files, &phases, request.record_memory_bytes)
    });
    let records = take_records(&mut assembled);
    let (objects, all_the_same) = all_objects(&mut assembled);
    let mut phases = Vec::with_capacity(sources.len());
    let mut assembled = assembled.into_iter();
    for source in &sources {
        let phase = if let Some(phase) = phase_repeated(source, &sources, &phases) {
            phase
        } else {
            let next = assembled.next().expect("invariant: every source that needs assembly was assembled");
            let indices =
                if all_the_same { Objects::All(objects.len()) } else { indices(&next.keys, &objects) };
            next.finish(indices)?
        };
        phases.push(phase);
    }
    fill_in_repeats(&mut findings.communications, &phases, &findings.repeats);
    fill_in_repeats(&mut findings.sends, &phases, &findings.repeats);
    let n_ranks = files.len();
    let records = records.map(|by_file| Records { files: carried(files, by_file) });
    Ok(Recorded { data: DataSet::new(objects, n_ranks, phases), records, parked, findings })
}

/// True if a phase must be assembled from its entries; false if it repeats a selected phase and shares its columns.
/// Sources are in ascending order.
fn needs_assembly(source: &PhaseSources, sources: &[PhaseSources]) -> bool {
    let is_there = |base: u64| sources.binary_search_by_key(&base, |other| other.id).is_ok();
    !source.repeats.is_some_and(is_there)
}

fn phase_repeated(source: &PhaseSources, sources: &[PhaseSources], phases: &[Phase]) -> Option<Phase> {
    let base = source.repeats.filter(|_| !needs_assembly(source, sources))?;
    let repeated = phases.binary_search_by_key(&PhaseId(base), Phase::id).ok()?;
    Some(phases[repeated].repeated_as(PhaseId(source.id)))
}

/// Returns all objects of all phases, ascending, and true if every phase has all of them. In this most frequent case
/// the keys are moved, not copied.
fn all_objects(assembled: &mut [Assembled]) -> (Vec<ObjectKey>, bool) {
    let Some((first, rest)) = assembled.split_first_mut() else {
        return (Vec::new(), true);
    };
    if rest.iter().all(|phase| phase.keys == first.keys) {
        for phase in rest {
            phase.keys = Arc::default();
        }
        return (Arc::unwrap_or_clone(std::mem::take(&mut first.keys)), true);
    }
    let mut objects = Vec::new();
    for phase in assembled {
        add_objects(&mut objects, &phase.keys);
    }
    (objects, false)
}

/// Adds the objects of a phase to those of other phases. Both lists ascend.
fn add_objects(objects: &mut Vec<ObjectKey>, of_phase: &[ObjectKey]) {
    if objects.is_empty() {
        objects.extend_from_slice(of_phase);
    } else if objects != of_phase {
        objects.extend_from_slice(of_phase);
        // Both parts are sorted, so a stable sort merges them.
        objects.sort();
        objects.dedup();
    }
}

/// Returns the index of each key. Both lists ascend.
fn indices(keys: &[ObjectKey], objects: &[ObjectKey]) -> Objects {
    let mut at = 0;
    let index = |key: &ObjectKey| {
        while objects[at] < *key {
            at += 1;
        }
        ObjectIdx::from(at)
    };
    keys.iter().map(index).collect()
}

/// Copies the entry of each phase in `known` to the phases that repeat it, unless these have their own.
fn fill_in_repeats<T: Clone>(
    known: &mut BTreeMap<PhaseId, T>,
    phases: &[Phase],
    repeats: &BTreeMap<PhaseId, PhaseId>,
) {
    for phase in phases {
        if !known.contains_key(&phase.id())
            && let Some(base) = repeats.get(&phase.id()).and_then(|base| known.get(base)).cloned()
        {
            known.insert(phase.id(), base);
        }
    }
}

/// Returns the records of all phases, by rank; `None` if they were not requested or left memory, or without a phase.
fn take_records(assembled: &mut [Assembled]) -> Option<Vec<Vec<PhaseRecords>>> {
    let n_ranks = assembled.first()?.records.len();
    if n_ranks == 0 {
        return None;
    }
    let mut by_file: Vec<Vec<PhaseRecords>> = (0..n_ranks).map(|_| Vec::new()).collect();
    for phase in assembled {
        for (file, records) in by_file.iter_mut().zip(std::mem::take(&mut phase.records)) {
            file.push(records);
        }
    }
    Some(by_file)
}

fn carried(files: Vec<LoadedFile>, by_file: Vec<Vec<PhaseRecords>>) -> Vec<FileRecords> {
    let carry = |(file, phases): (LoadedFile, Vec<PhaseRecords>)| FileRecords {
        document: file.document.expect("invariant: documents are kept with records"),
        metadata: file.rows.metadata,
        fields: file.rows.fields,
        metadata_fields: file.rows.metadata_fields,
        phases,
        phase_ids: file.rows.phase_ids,
    };
    files.into_iter().zip(by_file).map(carry).collect()
}
