// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reader of data sets: finds the files of all ranks, reads them in parallel, checks them against each other and
//! builds the model. Keeps the records for writing if requested.
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
mod blocks;
mod communications;
mod coverage;
mod error;
mod file_group;
mod file_name;
mod input_file;
mod load;
mod locate;
mod objects;
mod records;
mod request;
mod scratch_pool;
mod source;
mod subphases;
mod text;
mod validation;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use lbaf_model::{CommGraph, DataSet, ObjectIdx, ObjectKey, Objects, Phase, PhaseId};
use lbaf_vom::{Generation, PhaseRows, SharedNode};
use rayon::prelude::*;

pub use communications::CommunicationCounts;
pub use coverage::{phases_in_words, phases_of};
pub use error::ReadError;
pub use file_group::{FileGroup, Listing, RankFile, group_files, list_directory};
pub use file_name::FileName;
pub use input_file::{is_pipe, is_there, read_file, read_file_or_pipe};
pub use load::LoadedFile;
pub use locate::{Located, file_of_rank, locate};
pub use records::{CommunicationRecord, Document, FileRecords, PhaseRecords, Records, TaskRecord};
pub use request::{AbsentEndpoints, NodeRule, Request};
pub use source::{Documents, SyntheticFiles};
pub use validation::{FileReport, ForVt, Validation, duplicate_objects, validate};

use crate::assemble::Assembled;
use crate::coverage::PhaseSources;

/// Data set as recorded.
#[derive(Debug)]
pub struct Recorded {
    /// The model.
    pub data: DataSet,
    /// The records; `None` if they were not requested or no phase was read.
    pub records: Option<Records>,
    /// Information about the files that is not part of the model.
    pub findings: Findings,
}

/// Information about the files of a data set that is not part of the model.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// All phases of the files, selected or not.
    pub phases_recorded: Vec<u64>,
    /// Phases that any file lists as skipped, as inclusive ranges, ascending.
    pub phases_skipped: Vec<(u64, u64)>,
    /// Numbers of communication entries by their use, for each phase read.
    pub communications: BTreeMap<PhaseId, CommunicationCounts>,
    /// Graph of `SendRecv` alone for each phase read, if other kinds also count as volume.
    pub sends: BTreeMap<PhaseId, CommGraph>,
    /// Earlier phase that a phase repeats, for each repetition read.
    pub repeats: BTreeMap<PhaseId, PhaseId>,
    /// Generations of the files, each once, oldest first.
    pub generations: Vec<Generation>,
    /// Largest number of `lb_iterations` on a rank, for each phase read that has iterations.
    pub iterations: BTreeMap<PhaseId, usize>,
    /// Compute node of each rank, if its file states it.
    pub shared_nodes: Vec<Option<SharedNode>>,
    /// Host name of the compute node of each rank, if its file states it.
    pub hostnames: Vec<Option<String>>,
    /// Total size of all files in bytes.
    pub file_bytes: u64,
    /// Total size of all decompressed documents in bytes.
    pub document_bytes: u64,
    /// Warnings about valid but unusual content: one sentence each, in the order of ranks and phases.
    pub warnings: Vec<String>,
}

/// Reads files of consecutive ranks from `first_rank`, without checking them against each other. Derives the
/// information that the text form lacks from all of these files.
///
/// # Errors
/// Returns the error of the first invalid file.
pub fn load<'a>(
    files: impl Into<Documents<'a>>,
    first_rank: u32,
    request: &Request<'_>,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<LoadedFile>, ReadError> {
    let mut files = load::load(files.into(), request, progress)?;
    text::check_empty(&files)?;
    text::settle(&mut files, first_rank, request)?;
    Ok(files)
}

/// Reads the files of a stem, `<stem>.<rank>.<suffix>`, by calling [`locate`] and [`read`].
///
/// # Errors
/// Returns an error if files are missing, or if a file or the data set is invalid.
pub fn read_stem(stem: &Path, request: &Request<'_>) -> Result<Recorded, ReadError> {
    read(&locate(stem, None)?.files, request, &|_| {})
}

/// Reads the files of all ranks, in the order of ranks. Calls `progress` with the number of finished files.
///
/// # Errors
/// Returns an error if a file is invalid or files contradict each other.
///
/// # Panics
/// Panics only on a defect of this crate.
pub fn read<'a>(
    files: impl Into<Documents<'a>>,
    request: &Request<'_>,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Recorded, ReadError> {
    let mut files = load(files, 0, request, progress)?;
    let sources = coverage::sources(&files, request)?;
    // A phase that repeats a selected phase shares its columns and is not assembled.
    let mut assembled = assemble_all(&mut files, &sources, request)?;
    let mut findings = findings(&files, &assembled, &sources);
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
    Ok(Recorded { data: DataSet::new(objects, n_ranks, phases), records, findings })
}

/// Assembles all phases except those that repeat a selected phase.
fn assemble_all(
    files: &mut [LoadedFile],
    sources: &[PhaseSources],
    request: &Request<'_>,
) -> Result<Vec<Assembled>, ReadError> {
    let sources: Vec<&PhaseSources> =
        sources.iter().filter(|source| needs_assembly(source, sources)).collect();
    let nodes = assemble::nodes(files, request.nodes);
    let logged = communications::take(files, &sources);
    let files = &*files;
    let assemble = |(source, logged): (&PhaseSources, Vec<Option<_>>)| {
        let rows: Vec<&PhaseRows> =
            files.iter().zip(&source.entries).map(|(file, &entry)| &file.rows.phases[entry]).collect();
        let shared = rows.iter().map(|row| &row.communications[..]);
        let logged = shared.zip(logged).map(|(shared, taken)| taken.map_or(shared.into(), Cow::Owned));
        Assembled::new(source.id, &rows, logged.collect(), files, &nodes, request)
    };
    let assembled: Vec<Result<Assembled, ReadError>> =
        sources.into_par_iter().zip(logged).map(assemble).collect();
    assembled.into_iter().collect()
}

/// True unless the phase repeats a selected phase, whose columns it shares. `sources` are ascending.
fn needs_assembly(source: &PhaseSources, sources: &[PhaseSources]) -> bool {
    let is_there = |base: u64| sources.binary_search_by_key(&base, |other| other.id).is_ok();
    !source.repeats.is_some_and(is_there)
}

fn phase_repeated(source: &PhaseSources, sources: &[PhaseSources], phases: &[Phase]) -> Option<Phase> {
    let base = source.repeats.filter(|_| !needs_assembly(source, sources))?;
    let repeated = phases.binary_search_by_key(&PhaseId(base), Phase::id).ok()?;
    Some(phases[repeated].repeated_as(PhaseId(source.id)))
}

/// Returns the ascending objects of all phases, and true if every phase has all of them. In this usual case, keys
/// are moved instead of copied.
fn all_objects(assembled: &mut [Assembled]) -> (Vec<ObjectKey>, bool) {
    let Some((first, rest)) = assembled.split_first_mut() else {
        return (Vec::new(), true);
    };
    if rest.iter().all(|phase| phase.keys == first.keys) {
        return (std::mem::take(&mut first.keys), true);
    }
    let mut objects: Vec<ObjectKey> = assembled.iter().flat_map(|phase| &phase.keys).copied().collect();
    objects.sort_unstable();
    objects.dedup();
    (objects, false)
}

/// Returns the index of each key. Both lists are in ascending order.
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

fn findings(files: &[LoadedFile], assembled: &[Assembled], sources: &[PhaseSources]) -> Findings {
    let mut warnings = Vec::new();
    for (rank, file) in files.iter().enumerate() {
        let path = file.path.display();
        warnings.extend(file.rows.warnings.iter().map(|warning| format!("{path}: {warning}")));
        if let Some(other) = file.rows.metadata.rank.filter(|&other| other != rank as u64) {
            warnings
                .push(format!("{path}: the metadata state rank {other}; using the rank in the file name"));
        }
    }
    warnings.extend(missing_ranks(files));
    warnings.extend(missing_nodes(files));
    warnings.extend(Assembled::home_disagreements(assembled));
    warnings.extend(Assembled::odd_subphases(assembled));
    warnings.extend(assembled.iter().flat_map(|phase| phase.warnings.iter().cloned()));
    let counts = assembled.iter().map(|phase| (phase.id, phase.counts.clone()));
    let sends = assembled.iter().filter_map(|phase| Some((phase.id, phase.sends.clone()?)));
    Findings {
        phases_recorded: coverage::phases_of(files),
        phases_skipped: coverage::skipped(files),
        communications: counts.collect(),
        sends: sends.collect(),
        repeats: (sources.iter())
            .filter_map(|source| Some((PhaseId(source.id), PhaseId(source.repeats?))))
            .collect(),
        generations: generations(files),
        iterations: iterations(files, sources),
        shared_nodes: files.iter().map(|file| file.rows.metadata.shared_node).collect(),
        hostnames: files.iter().map(|file| file.rows.metadata.hostname.clone()).collect(),
        file_bytes: files.iter().map(|file| file.file_bytes).sum(),
        document_bytes: files.iter().map(|file| file.document_bytes).sum(),
        warnings,
    }
}

/// Returns the generations of the files. A file without tasks is ambiguous and counts only if no file has tasks.
fn generations(files: &[LoadedFile]) -> Vec<Generation> {
    let has_tasks = |file: &LoadedFile| file.rows.phases.iter().any(|phase| !phase.tasks.is_empty());
    let any = files.iter().any(has_tasks);
    let telling = files.iter().filter(|file| !any || has_tasks(file));
    telling.map(|file| file.rows.generation).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Returns a warning if the metadata state more nodes than the files cover.
fn missing_nodes(files: &[LoadedFile]) -> Option<String> {
    let nodes = || files.iter().filter_map(|file| file.rows.metadata.shared_node);
    let counted = nodes().map(|node| node.num_nodes).max()?;
    let there = nodes().map(|node| node.id).collect::<BTreeSet<u64>>().len() as u64;
    (there < counted).then(|| {
        format!(
            "the metadata state {counted} nodes, but the ranks of these files are on only {there}; check for missing files"
        )
    })
}

/// Returns the largest number of iterations on a rank for each phase that has iterations.
fn iterations(files: &[LoadedFile], sources: &[PhaseSources]) -> BTreeMap<PhaseId, usize> {
    let of_entry = |(file, &entry): (&LoadedFile, &usize)| file.rows.phases[entry].n_iterations;
    let most = |source: &PhaseSources| files.iter().zip(&source.entries).map(of_entry).max().unwrap_or(0);
    sources.iter().map(|source| (PhaseId(source.id), most(source))).filter(|&(_, most)| most > 0).collect()
}

/// Returns a warning if a home refers to a rank after the last file. `locate` detects only files that are missing
/// before the last file.
fn missing_ranks(files: &[LoadedFile]) -> Option<String> {
    let home =
        files.iter().flat_map(|file| &file.rows.phases).filter_map(|phase| phase.largest_home).max()?;
    let n_ranks = files.len();
    (home as usize >= n_ranks).then(|| {
        format!(
            "there are files of ranks 0 to {}, but rank {home} is a home in the records; check for missing files",
            n_ranks - 1
        )
    })
}

/// Copies the value of each phase to the phases that repeat it, unless they have their own.
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

/// Returns the records by rank; `None` if records were not requested or no phase was read.
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
