// SPDX-License-Identifier: MIT OR Apache-2.0
//! Phases of a data set, and the entry that holds each phase in each file.

use std::collections::BTreeSet;

use lbaf_vom::{FileRows, PhaseRanges};

use crate::load::LoadedFile;
use crate::{ReadError, Request};

/// Selected phase, and its entries in the files.
pub(crate) struct PhaseSources {
    pub(crate) id: u64,
    /// Position of the entry among the phases read from the file, by rank.
    pub(crate) entries: Vec<usize>,
    /// Earlier phase that this phase repeats, if it repeats the same phase on all ranks.
    pub(crate) repeats: Option<u64>,
}

/// Returns the ids of all phases, ascending, including repetitions and unselected phases, as far as the files were
/// read.
pub fn phases_of(files: &[LoadedFile]) -> Vec<u64> {
    phases_of_rows(files.iter().map(|file| &file.rows))
}

/// Returns the ids of all phases of files, as [`phases_of`].
pub(crate) fn phases_of_rows<'a>(files: impl Iterator<Item = &'a FileRows>) -> Vec<u64> {
    let mut all = BTreeSet::new();
    for rows in files {
        let identical = rows.metadata.identical_to_previous.ranges.iter();
        all.extend(rows.phase_ids.iter().copied().chain(identical.flat_map(|&(first, last)| first..=last)));
    }
    all.into_iter().collect()
}

/// Returns the phases that any file lists as skipped, as distinct inclusive ranges, ascending.
pub(crate) fn skipped(files: &[LoadedFile]) -> Vec<(u64, u64)> {
    let ranges = files.iter().flat_map(|file| file.rows.metadata.skipped.ranges.iter().copied());
    ranges.collect::<BTreeSet<(u64, u64)>>().into_iter().collect()
}

/// Formats ascending phases in short form: `0-3, 7`; `none` without phases.
pub fn phases_in_words(phases: &[u64]) -> String {
    let run = |run: &[u64]| match run {
        [first, .., last] => format!("{first}-{last}"),
        _ => run.iter().map(u64::to_string).collect(),
    };
    let runs: Vec<String> = phases.chunk_by(|a, b| a + 1 == *b).map(run).collect();
    if runs.is_empty() { "none".to_owned() } else { runs.join(", ") }
}

/// Formats ascending phases with their noun: `phase 0`, `phases 0-3, 7`, or `no phases`.
pub fn named_phases(phases: &[u64]) -> String {
    match phases {
        [] => "no phases".to_owned(),
        [phase] => format!("phase {phase}"),
        phases => format!("phases {}", phases_in_words(phases)),
    }
}

/// Finds the entry of every selected phase in every file.
///
/// # Errors
/// If a file has no entry of a selected phase, and no earlier entry that the phase repeats there.
pub(crate) fn sources(files: &[LoadedFile], request: &Request<'_>) -> Result<Vec<PhaseSources>, ReadError> {
    let wanted = phases_of(files).into_iter().filter(|&phase| (request.phases)(phase));
    let by_id: Vec<Vec<(u64, usize)>> = files.iter().map(|file| positions(&file.rows)).collect();
    wanted.map(|phase| source_of(phase, files, &by_id)).collect()
}

fn positions(rows: &FileRows) -> Vec<(u64, usize)> {
    let mut positions: Vec<_> = rows.phases.iter().enumerate().map(|(at, phase)| (phase.id, at)).collect();
    positions.sort_unstable();
    positions
}

fn source_of(
    phase: u64,
    files: &[LoadedFile],
    by_id: &[Vec<(u64, usize)>],
) -> Result<PhaseSources, ReadError> {
    let mut entries = Vec::with_capacity(files.len());
    let mut ids = Vec::with_capacity(files.len());
    for (file, kept) in files.iter().zip(by_id) {
        let Some((id, at)) = entry_of(phase, kept, &file.rows.metadata.identical_to_previous) else {
            return Err(missing(phase, file, files));
        };
        entries.push(at);
        ids.push(id);
    }
    let first = ids.first().copied().filter(|&id| id != phase && ids.iter().all(|&other| other == id));
    Ok(PhaseSources { id: phase, entries, repeats: first })
}

/// Returns the entry of a phase in a file, or the entry that the phase repeats there; `None` if the file lacks the
/// phase. `kept` are the ids of entries, ascending, each with a value.
pub(crate) fn entry_of<T: Copy>(phase: u64, kept: &[(u64, T)], identical: &PhaseRanges) -> Option<(u64, T)> {
    let upto = kept.partition_point(|&(id, _)| id <= phase);
    kept[..upto].last().copied().filter(|&(id, _)| id == phase || identical.contains(phase))
}

fn missing(phase: u64, file: &LoadedFile, files: &[LoadedFile]) -> ReadError {
    let rank = files.iter().position(|other| std::ptr::eq(other, file)).unwrap_or(0);
    let metadata = &file.rows.metadata;
    let message = if metadata.skipped.contains(phase) {
        format!("phase {phase} is listed as skipped on rank {rank} but exists on other ranks")
    } else if metadata.identical_to_previous.contains(phase) {
        format!(
            "phase {phase} of rank {rank} is listed as identical to the previous phase, but it is the first"
        )
    } else {
        let other = files.iter().find(|other| other.rows.phase_ids.contains(&phase));
        let other =
            other.map_or_else(|| "files of other ranks".to_owned(), |other| other.path.display().to_string());
        format!("phase {phase} is missing on rank {rank} but exists in {other}")
    };
    ReadError::Contradiction { path: file.path.clone(), message }
}
