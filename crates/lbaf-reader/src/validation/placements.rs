// SPDX-License-Identifier: MIT OR Apache-2.0
//! Placements in the files of a data set that vt would refuse or never apply. Placement is the file that lists
//! a task, whatever the task says of its `node`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use lbaf_vom::{Finding, RecordList, RecordPath, Severity, VtPhase};
use rustc_hash::FxHashMap;

use super::{AboutRecord, Checked};
use crate::scratch_pool::ScratchPool;

/// Checks the files of a data set against each other, as far as they were read.
pub(super) fn check(files: &mut [Checked], limit: usize, pool: &ScratchPool) {
    if files.len() < 2 {
        return;
    }
    check_ranks(files, limit);
    let mut found: Vec<Vec<AboutRecord<Problem>>> = files.iter().map(|_| Vec::new()).collect();
    let mut phases: BTreeMap<u64, Vec<Listed<'_>>> = BTreeMap::new();
    let ids: BTreeSet<u64> =
        files.iter().flat_map(|file| &file.vt).flat_map(|vt| &vt.phases).map(|phase| phase.id).collect();
    for (file, checked) in files.iter().enumerate() {
        let Some(vt) = &checked.vt else { continue };
        let own: BTreeMap<u64, usize> =
            vt.phases.iter().enumerate().map(|(entry, phase)| (phase.id, entry)).collect();
        for &id in &ids {
            // A phase that others have an entry of may repeat an earlier one here.
            let repeats = vt.identical_to_previous.contains(id);
            let last = own.range(..=id).next_back().filter(|&(&own, _)| own == id || repeats);
            if let Some((_, &entry)) = last {
                phases.entry(id).or_default().push(Listed { file, entry, phase: &vt.phases[entry] });
            }
        }
    }
    let skipped_ranges: BTreeSet<(u64, u64)> =
        files.iter().flat_map(|file| &file.vt).flat_map(|vt| vt.skipped.ranges.iter().copied()).collect();
    let mut before = None;
    for (&phase, entries) in &phases {
        find_twins(phase, entries, &mut found);
        if let Some(before) = before
            && let Some(skipped) = skipped_between(&skipped_ranges, before, phase)
        {
            find_lost_migrations(&places_at(&phases[&before]), entries, skipped, &mut found);
        }
        before = Some(phase);
    }
    let paths: Vec<PathBuf> = files.iter().map(|file| file.report.path.clone()).collect();
    for (file, mut found) in files.iter_mut().zip(found) {
        found.sort_by_key(|about| about.record);
        file.add(&found, limit, pool, |problem| problem.message(&paths));
    }
}

/// What is wrong with the placement of the object of a task.
enum Problem {
    /// There is another task of it in the phase.
    Twin { id: u64, phase: u64, file: usize, task: usize },
    /// It was on another rank before phases that are skipped.
    Lost { others: usize, skipped: (u64, u64) },
}

impl Problem {
    fn message(&self, paths: &[PathBuf]) -> String {
        match *self {
            Problem::Twin { id, phase, file, task } => format!(
                "the object that vt knows as id {id} is in phase {phase} already, as task {task} of {}",
                paths[file].display()
            ),
            Problem::Lost { others, skipped: (first, last) } => {
                let objects = match others {
                    0 => "this object is".to_owned(),
                    others => format!("this object and {others} more of this rank are"),
                };
                let phases = if first == last {
                    format!("phase {first}, which is")
                } else {
                    format!("phases {first}-{last}, which are")
                };
                format!(
                    "{objects} on another rank than before {phases} skipped, and vt applies no migration across that"
                )
            }
        }
    }
}

/// vt reads one file for each rank.
fn check_ranks(files: &mut [Checked], limit: usize) {
    let mut next = 0;
    for file in files {
        let Some(rank) = file.rank else { continue };
        if rank != next {
            let missing =
                if rank == next + 1 { format!("rank {next}") } else { format!("ranks {next}-{}", rank - 1) };
            file.report.findings.add(limit, Severity::Error, || {
                Finding::error(format!(
                    "there is no file of {missing} before this one; vt reads one for each rank"
                ))
            });
        }
        next = rank.saturating_add(1);
    }
}

/// A phase in one of the files.
struct Listed<'a> {
    file: usize,
    /// Its position among the phases of the file.
    entry: usize,
    phase: &'a VtPhase,
}

impl Listed<'_> {
    fn about(&self, index: usize, severity: Severity, what: Problem) -> AboutRecord<Problem> {
        let record = RecordPath { entry: self.entry, list: RecordList::Tasks, index };
        AboutRecord { record, severity, what }
    }
}

/// Objects that may migrate and that two tasks of a phase are about.
fn find_twins(phase: u64, entries: &[Listed<'_>], found: &mut [Vec<AboutRecord<Problem>>]) {
    let mut first = FxHashMap::default();
    for entry in entries {
        for &(id, index) in &entry.phase.movable {
            let (file, task) = *first.entry(id).or_insert((entry.file, index));
            if (file, task) != (entry.file, index) {
                let what = Problem::Twin { id, phase, file, task };
                found[entry.file].push(entry.about(index, Severity::Error, what));
            }
        }
    }
}

/// The phases between two others that any file declares skipped, from the first to the last.
fn skipped_between(skipped: &BTreeSet<(u64, u64)>, before: u64, after: u64) -> Option<(u64, u64)> {
    let (from, to) = (before.saturating_add(1), after.saturating_sub(1));
    if from > to {
        return None;
    }
    // Ranges hardly ever overlap: the last that begins before, and those that begin inside.
    let reaching = skipped.range(..(from, 0)).next_back();
    let ranges = reaching.into_iter().chain(skipped.range((from, 0)..=(to, u64::MAX))).copied();
    let inside =
        ranges.map(|(first, last)| (first.max(from), last.min(to))).filter(|(first, last)| first <= last);
    inside.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
}

/// The file that lists each object in a phase.
fn places_at(entries: &[Listed<'_>]) -> FxHashMap<u64, usize> {
    let of_entry = |entry: &Listed<'_>| {
        let file = entry.file;
        entry.phase.movable.iter().map(move |&(id, _)| (id, file)).collect::<Vec<_>>()
    };
    entries.iter().flat_map(of_entry).collect()
}

/// Objects that are on another rank after skipped phases than before.
fn find_lost_migrations(
    before: &FxHashMap<u64, usize>,
    after: &[Listed<'_>],
    skipped: (u64, u64),
    found: &mut [Vec<AboutRecord<Problem>>],
) {
    for entry in after {
        let moved = |&&(id, _): &&(u64, usize)| before.get(&id).is_some_and(|&file| file != entry.file);
        let mut moved = entry.phase.movable.iter().filter(moved);
        if let Some(&(_, index)) = moved.next() {
            let what = Problem::Lost { others: moved.count(), skipped };
            found[entry.file].push(entry.about(index, Severity::Warning, what));
        }
    }
}
