// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects with two tasks in a phase, in one file or in two.

use std::path::PathBuf;

use lbaf_model::{ObjectKey, RankId};
use lbaf_vom::{FileRows, RecordList, RecordPath, Severity};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::entries::{Entry, FilePhases, by_phase};
use super::{AboutRecord, Checked};
use crate::LoadedFile;
use crate::scratch_pool::ScratchPool;

/// Two tasks of one object in a phase.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Duplicate {
    key: ObjectKey,
    phase: u64,
    /// Entry of the second task, and position of the task in the entry.
    second: (Entry, usize),
    /// File of the first task, and position of the task in its entry.
    first: (usize, usize),
}

/// Reports every task of an object in a phase except the first.
pub(super) fn check(files: &mut [Checked], limit: usize, pool: &ScratchPool) {
    let rows: Vec<Option<&FileRows>> = files.iter().map(|file| file.rows.as_ref()).collect();
    let mut found: Vec<Vec<AboutRecord<Duplicate>>> = files.iter().map(|_| Vec::new()).collect();
    for what in duplicates(&rows) {
        let (Entry { file, position: entry }, index) = what.second;
        let record = RecordPath { entry, list: RecordList::Tasks, index };
        found[file].push(AboutRecord { record, severity: Severity::Error, what });
    }
    let paths: Vec<PathBuf> = files.iter().map(|file| file.report.path.clone()).collect();
    for (file, mut found) in files.iter_mut().zip(found) {
        found.sort_by_key(|about| about.record);
        file.add(&found, limit, pool, |Duplicate { key, phase, first: (file, task), .. }| {
            format!(
                "the object with {key} has two tasks in phase {phase}; the other is task {task} of {}",
                paths[*file].display()
            )
        });
    }
}

/// Returns a message about the first object with two tasks in a phase and the number of other cases, if any.
pub fn duplicate_objects(files: &[LoadedFile]) -> Option<String> {
    let rows: Vec<Option<&FileRows>> = files.iter().map(|file| Some(&file.rows)).collect();
    let found = duplicates(&rows);
    let Duplicate { key, phase, second: (entry, task), first } = found.first()?;
    let place = |file: usize, task: usize| format!("task {task} of {}", files[file].path.display());
    let more = match found.len() - 1 {
        0 => String::new(),
        more => format!("; {more} more such case(s)"),
    };
    Some(format!(
        "phase {phase}: the object with {key} has two tasks: {} and {}{more}",
        place(first.0, first.1),
        place(entry.file, *task)
    ))
}

/// Returns all duplicates, by phase and in the order of the files.
fn duplicates(files: &[Option<&FileRows>]) -> Vec<Duplicate> {
    let phases = |rows: &&FileRows| rows.phases.iter().map(|phase| phase.id).collect();
    let phases = files.iter().map(|rows| {
        let rows = rows.as_ref()?;
        Some(FilePhases { ids: phases(rows), repeated: &rows.metadata.identical_to_previous })
    });
    let of_phase = |(&phase, entries): (&u64, &Vec<Entry>)| in_phase(phase, entries, files);
    let found: Vec<Vec<Duplicate>> = by_phase(phases).par_iter().map(of_phase).collect();
    found.concat()
}

fn in_phase(phase: u64, entries: &[Entry], files: &[Option<&FileRows>]) -> Vec<Duplicate> {
    let tasks = |entry: &Entry| {
        &files[entry.file].expect("invariant: the file has entries").phases[entry.position].tasks
    };
    let n_tasks = entries.iter().map(|entry| tasks(entry).len()).sum();
    let mut first = FxHashMap::with_capacity_and_hasher(n_tasks, rustc_hash::FxBuildHasher);
    let mut found = Vec::new();
    for entry in entries {
        for (index, task) in tasks(entry).iter().enumerate() {
            let rank = (!task.migratable).then(|| RankId::from(entry.file));
            let key = ObjectKey::new(task.is_sequence, task.id, rank);
            let place = (entry.file, index);
            let first = *first.entry(key).or_insert(place);
            if first != place {
                found.push(Duplicate { key, phase, second: (*entry, index), first });
            }
        }
    }
    found
}
