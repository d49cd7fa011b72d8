// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects with two tasks in a phase, in one file or in two.

use lbaf_model::{ObjectKey, RankId};
use lbaf_vom::{RecordList, RecordPath, Severity};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::checked_data::{AboutRecord, CheckedData};
use super::entries::{Entry, StoredRows, by_phase};
use crate::parking::Parking;
use crate::{LoadedFile, ReadError};

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
pub(super) fn check(data: &mut CheckedData<'_>) -> Result<(), ReadError> {
    let mut found = data.nothing_found();
    for what in duplicates(&data.rows(), data.parking)? {
        let (Entry { file, position: entry }, index) = what.second;
        let record = RecordPath { entry, list: RecordList::Tasks, index };
        found[file].push(AboutRecord { record, severity: Severity::Error, what });
    }
    data.add(found, |Duplicate { key, phase, first: (file, task), .. }, paths| {
        format!(
            "the object with {key} has two tasks in phase {phase}; the other is task {task} of {}",
            paths[*file].display()
        )
    });
    Ok(())
}

/// Returns a message about the first object with two tasks in a phase and the number of other cases, if any.
///
/// # Panics
/// Only on a defect of this crate.
pub fn duplicate_objects(files: &[LoadedFile]) -> Option<String> {
    let rows = files.iter().map(|file| {
        debug_assert!(file.parked.is_empty(), "`load` leaves rows in memory");
        Some(StoredRows { file: &file.rows, places: &[] })
    });
    let found = duplicates(&rows.collect::<Vec<_>>(), &Parking::new(0))
        .expect("invariant: rows in memory are not read from a temporary file");
    let Duplicate { key, phase, second: (entry, task), first } = found.first()?;
    let place = |file: usize, task: usize| format!("task {task} of {}", files[file].path.display());
    let more = match found.len() - 1 {
        0 => String::new(),
        more => format!("; further such cases: {more}"),
    };
    Some(format!(
        "phase {phase}: the object with {key} has two tasks: {} and {}{more}",
        place(first.0, first.1),
        place(entry.file, *task)
    ))
}

/// Returns all duplicates, by phase and in the order of the files.
fn duplicates(files: &[Option<StoredRows<'_>>], parking: &Parking) -> Result<Vec<Duplicate>, ReadError> {
    let of_phase = |(&phase, entries): (&u64, &Vec<Entry>)| in_phase(phase, entries, files, parking);
    let phases = by_phase(files.iter().map(|file| file.map(StoredRows::phases)));
    let found: Vec<Result<Vec<Duplicate>, ReadError>> = phases.par_iter().map(of_phase).collect();
    Ok(found.into_iter().collect::<Result<Vec<_>, _>>()?.concat())
}

fn in_phase(
    phase: u64,
    entries: &[Entry],
    files: &[Option<StoredRows<'_>>],
    parking: &Parking,
) -> Result<Vec<Duplicate>, ReadError> {
    let mut first = FxHashMap::default();
    let mut found = Vec::new();
    for entry in entries {
        let rows = entry.rows(files, parking)?;
        first.reserve(rows.tasks.len());
        for (index, task) in rows.tasks.iter().enumerate() {
            let rank = (!task.migratable).then(|| RankId::from(entry.file));
            let key = ObjectKey::new(task.is_sequence, task.id, rank);
            let place = (entry.file, index);
            let first = *first.entry(key).or_insert(place);
            if first != place {
                found.push(Duplicate { key, phase, second: (*entry, index), first });
            }
        }
    }
    Ok(found)
}
