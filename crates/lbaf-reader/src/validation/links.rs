// SPDX-License-Identifier: MIT OR Apache-2.0
//! Endpoints of communications whose objects have no task.

use std::borrow::Cow;
use std::fmt;

use lbaf_vom::{DocumentType, Endpoint, EndpointKind, Finding, PhaseRows, RecordList, RecordPath, Severity};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::checked::Checked;
use super::checked_data::{AboutRecord, CheckedData};
use super::entries::{Entry, StoredRows, by_phase};
use crate::ReadError;
use crate::parking::Parking;

/// Checks that every object at an endpoint of a communication has a task in the same phase, in any file. If a file
/// cannot be read, only warns that the links were not checked.
pub(super) fn check(data: &mut CheckedData<'_>) -> Result<(), ReadError> {
    let is_statistics = |file: &Checked| file.report.document == Some(DocumentType::LbStatsfile);
    let mut unread = data.files.iter_mut().filter(|file| file.rows.is_none() && !is_statistics(file));
    if let Some(file) = unread.next() {
        let files = match unread.count() {
            0 => "this file".to_owned(),
            others => format!("this file and {others} more"),
        };
        let message =
            format!("links between objects of this data set were not checked: {files} cannot be read");
        file.report.findings.add(data.limit, Severity::Warning, || Finding::error(message).as_warning());
        return Ok(());
    }
    let (rows, parking) = (data.rows(), data.parking);
    let phases = by_phase(rows.iter().map(|file| file.map(StoredRows::phases)));
    let of_phase = |(&phase, entries): (&u64, &Vec<Entry>)| dangling(phase, entries, &rows, parking);
    let of_phases: Vec<Result<Vec<(usize, Found)>, ReadError>> = phases.par_iter().map(of_phase).collect();
    let mut found: Vec<Vec<Found>> = data.nothing_found();
    for of_phase in of_phases {
        of_phase?.into_iter().for_each(|(file, about)| found[file].push(about));
    }
    data.add(found, |dangling, _| dangling.to_string());
    Ok(())
}

type Found = AboutRecord<Dangling>;

/// Endpoint of a communication whose object has no task in the phase.
struct Dangling {
    key: &'static str,
    end: Endpoint,
    phase: u64,
}

impl fmt::Display for Dangling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Dangling { key, end, phase } = self;
        let kind = if end.is_sequence { "seq_id" } else { "id" };
        write!(f, "`{key}` is the object with {kind} {}, which has no task in phase {phase}", end.id)
    }
}

/// Returns the endpoints without a task in a phase, in the order of the files, each with its file.
fn dangling(
    phase: u64,
    entries: &[Entry],
    files: &[Option<StoredRows<'_>>],
    parking: &Parking,
) -> Result<Vec<(usize, Found)>, ReadError> {
    let rows = entries.iter().map(|entry| entry.rows(files, parking));
    let rows: Vec<Cow<'_, PhaseRows>> = rows.collect::<Result<_, _>>()?;
    let tasks = rows.iter().flat_map(|rows| &rows.tasks);
    let objects: FxHashSet<(bool, u64)> = tasks.map(|task| (task.is_sequence, task.id)).collect();
    let is_there =
        |end: &Endpoint| end.kind != EndpointKind::Object || objects.contains(&(end.is_sequence, end.id));
    let mut found = Vec::new();
    // Communication of an entry that is repeated in this phase is checked in its own phase.
    for (entry, rows) in entries.iter().zip(&rows).filter(|(_, rows)| rows.id == phase) {
        for (index, communication) in rows.communications.iter().enumerate() {
            let ends = [("from", communication.from), ("to", communication.to)];
            for (key, end) in ends.into_iter().filter(|(_, end)| !is_there(end)) {
                let record = RecordPath { entry: entry.position, list: RecordList::Communications, index };
                let what = Dangling { key, end, phase };
                found.push((entry.file, AboutRecord { record, severity: Severity::Error, what }));
            }
        }
    }
    Ok(found)
}
