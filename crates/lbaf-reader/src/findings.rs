// SPDX-License-Identifier: MIT OR Apache-2.0
//! Information about the files of a data set that is not part of the model.

use std::collections::{BTreeMap, BTreeSet};

use lbaf_model::{CommGraph, PhaseId};
use lbaf_vom::{Generation, SharedNode};

use crate::communications::CommunicationCounts;
use crate::coverage::{self, PhaseSources, named_phases, phases_in_words};
use crate::load::LoadedFile;
use crate::subphases::Oddities;

/// Information about the files of a data set that is not part of the model.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// All phases of the files, selected or not, as far as the files were read.
    pub phases_recorded: Vec<u64>,
    /// True if a file was read only up to the last selected phase.
    pub has_later_phases: bool,
    /// Phases that any file lists as skipped, as inclusive ranges, ascending.
    pub phases_skipped: Vec<(u64, u64)>,
    /// Numbers of communication entries by their use, for each phase that was read.
    pub communications: BTreeMap<PhaseId, CommunicationCounts>,
    /// Graph of `SendRecv` alone for each phase that was read, if other kinds also count as volume.
    pub sends: BTreeMap<PhaseId, CommGraph>,
    /// Phases that were read and repeat an earlier phase, each with that earlier phase.
    pub repeats: BTreeMap<PhaseId, PhaseId>,
    /// Generations of the files with tasks, or of all files if none has tasks, each once, oldest first.
    pub generations: Vec<Generation>,
    /// Phases that were read and have `lb_iterations`, each with the largest number of iterations on a rank.
    pub iterations: BTreeMap<PhaseId, usize>,
    /// Compute node of each rank, if its file states it.
    pub shared_nodes: Vec<Option<SharedNode>>,
    /// Host name of the compute node of each rank, if its file states it.
    pub hostnames: Vec<Option<String>>,
    /// Total size of all files in bytes.
    pub file_bytes: u64,
    /// Total size of all documents in bytes, as far as they were decompressed.
    pub document_bytes: u64,
    /// Warnings about valid but unusual content, one sentence each: first those about single files, by rank, then those
    /// about the whole data set, then those about single phases.
    pub warnings: Vec<String>,
}

impl Findings {
    /// Formats the phases of the files with their noun: `phases 0-3, 7`, or `phases 0-3, 7 and later phases` if a file
    /// was not read to its end.
    pub fn named_phases_recorded(&self) -> String {
        let later = if self.has_later_phases { " and later phases" } else { "" };
        named_phases(&self.phases_recorded) + later
    }
}

/// Information about one phase that is not part of the model.
#[derive(Clone, Debug)]
pub struct PhaseFindings {
    /// The phase.
    pub id: PhaseId,
    /// Numbers of communication entries by their use.
    pub counts: CommunicationCounts,
    /// Graph of `SendRecv` alone, if other kinds also count as volume.
    pub(crate) sends: Option<CommGraph>,
    pub(crate) warnings: Vec<String>,
    /// Number of tasks whose `home` differs from the home packed into their id.
    pub(crate) n_home_disagreements: usize,
    /// Inconsistencies of subphases, if these were requested.
    pub(crate) oddities: Option<Oddities>,
}

impl PhaseFindings {
    /// Removes warnings, for a phase that shares them with the phase that it repeats.
    pub(crate) fn without_warnings(self) -> Self {
        PhaseFindings { warnings: Vec::new(), n_home_disagreements: 0, oddities: None, ..self }
    }
}

/// Combines the findings of the files and of the phases.
pub(crate) fn combined(
    files: &[LoadedFile],
    sources: &[PhaseSources],
    phases: Vec<PhaseFindings>,
) -> Findings {
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
    warnings.extend(home_disagreements(&phases));
    let odd = phases.iter().filter_map(|phase| Some((phase.id.0, phase.oddities?)));
    warnings.extend(Oddities::sentences(&odd.collect::<Vec<_>>()));
    let (mut communications, mut sends) = (BTreeMap::new(), BTreeMap::new());
    for phase in phases {
        warnings.extend(phase.warnings);
        communications.insert(phase.id, phase.counts);
        sends.extend(phase.sends.map(|sends| (phase.id, sends)));
    }
    Findings {
        phases_recorded: coverage::phases_of(files),
        has_later_phases: files.iter().any(|file| file.rows.is_partial),
        phases_skipped: coverage::skipped(files),
        communications,
        sends,
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

/// Returns the generations of the files with tasks, or of all files if none has tasks, because the generation of a
/// file without tasks is ambiguous.
fn generations(files: &[LoadedFile]) -> Vec<Generation> {
    let any = files.iter().any(|file| file.has_tasks);
    let telling = files.iter().filter(|file| !any || file.has_tasks);
    telling.map(|file| file.rows.generation).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Returns a warning if the metadata state more nodes than the files cover, for example if the last files are
/// missing.
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

/// Returns one warning about all tasks whose `home` differs from the home in their id; `None` without such tasks.
fn home_disagreements(phases: &[PhaseFindings]) -> Option<String> {
    let odd = || phases.iter().filter(|phase| phase.n_home_disagreements > 0);
    let most = odd().map(|phase| phase.n_home_disagreements).max()?;
    let ids: Vec<u64> = odd().map(|phase| phase.id.0).collect();
    let (phase, up_to) = if ids.len() == 1 { ("phase", "") } else { ("phases", "up to ") };
    let ids = phases_in_words(&ids);
    Some(format!("{phase} {ids}: tasks whose `home` differs from the home in their id: {up_to}{most}"))
}

/// Returns the largest number of iterations on a rank for each phase that was read and has iterations.
fn iterations(files: &[LoadedFile], sources: &[PhaseSources]) -> BTreeMap<PhaseId, usize> {
    let of_entry = |(file, &entry): (&LoadedFile, &usize)| file.rows.phases[entry].n_iterations;
    let most = |source: &PhaseSources| files.iter().zip(&source.entries).map(of_entry).max().unwrap_or(0);
    sources.iter().map(|source| (PhaseId(source.id), most(source))).filter(|&(_, most)| most > 0).collect()
}

/// Returns a warning if a home refers to a rank after the last file. `locate` refuses gaps between files, but cannot
/// detect missing files at the end.
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
