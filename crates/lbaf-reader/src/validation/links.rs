// SPDX-License-Identifier: MIT OR Apache-2.0
//! Endpoints of communications whose objects have no task.

use std::fmt;

use lbaf_vom::{DocumentType, Endpoint, EndpointKind, FileRows, Finding, RecordList, RecordPath, Severity};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::entries::{Entry, FilePhases, by_phase};
use super::{AboutRecord, Checked};
use crate::scratch_pool::ScratchPool;

/// Numbers of the objects of each phase; true for sequence numbers, false for ids.
type Objects = FxHashMap<u64, FxHashSet<(bool, u64)>>;

/// Checks that every object at an endpoint of a communication has a task in the same phase, in any file. If a file
/// cannot be read, only warns that the links were not checked.
pub(super) fn check(files: &mut [Checked], limit: usize, pool: &ScratchPool) {
    let is_statistics = |file: &Checked| file.report.document == Some(DocumentType::LbStatsfile);
    let mut unread = files.iter_mut().filter(|file| file.rows.is_none() && !is_statistics(file));
    if let Some(file) = unread.next() {
        let files = match unread.count() {
            0 => "this file".to_owned(),
            others => format!("this file and {others} more"),
        };
        let message =
            format!("links between objects of this data set were not checked: {files} cannot be read");
        file.report.findings.add(limit, Severity::Warning, || Finding::error(message).as_warning());
        return;
    }
    let rows: Vec<Option<&FileRows>> = files.iter().map(|file| file.rows.as_ref()).collect();
    let phases = |rows: &FileRows| rows.phases.iter().map(|phase| phase.id).collect();
    let phases = by_phase(rows.iter().map(|rows| {
        let rows = (*rows)?;
        Some(FilePhases { ids: phases(rows), repeated: &rows.metadata.identical_to_previous })
    }));
    let mut objects = Objects::default();
    for (&id, entries) in &phases {
        let tasks = entries.iter().flat_map(|&Entry { file, position }| {
            rows[file].map_or(&[][..], |rows| &rows.phases[position].tasks)
        });
        objects.entry(id).or_default().extend(tasks.map(|task| (task.is_sequence, task.id)));
    }
    files.par_iter_mut().for_each(|file| {
        let found = file.rows.take().map_or_else(Vec::new, |rows| dangling(&rows, &objects));
        file.add(&found, limit, pool, ToString::to_string);
    });
}

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

/// Returns the endpoints without a task, in the order of the file.
fn dangling(rows: &FileRows, objects: &Objects) -> Vec<AboutRecord<Dangling>> {
    let mut found = Vec::new();
    for (entry, phase) in rows.phases.iter().enumerate() {
        let there = objects.get(&phase.id);
        let is_there = |end: &Endpoint| {
            end.kind != EndpointKind::Object
                || there.is_some_and(|objects| objects.contains(&(end.is_sequence, end.id)))
        };
        for (index, communication) in phase.communications.iter().enumerate() {
            let ends = [("from", communication.from), ("to", communication.to)];
            for (key, end) in ends.into_iter().filter(|(_, end)| !is_there(end)) {
                let record = RecordPath { entry, list: RecordList::Communications, index };
                let what = Dangling { key, end, phase: phase.id };
                found.push(AboutRecord { record, severity: Severity::Error, what });
            }
        }
    }
    found
}
