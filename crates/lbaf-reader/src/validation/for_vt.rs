// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks between the files of a data set for vt. They find files that vt would refuse or misread, and migrations
//! that vt would never apply. The rank of a task is that of its file, not its `node`.

mod identities;
mod placements;
mod problem;
mod ranks;
mod subphases;

use std::borrow::Cow;
use std::collections::BTreeSet;

use lbaf_vom::{RecordList, RecordPath, Severity, VtPhase, VtTask};
use rustc_hash::FxHashMap;

use self::problem::Problem;
use super::checked::Checked;
use super::checked_data::{AboutRecord, CheckedData};
use super::entries::{Entry, FilePhases, by_phase};
use crate::ReadError;
use crate::parking::Parking;

/// Checks the readable files of a data set against each other.
pub(super) fn check(data: &mut CheckedData<'_>) -> Result<(), ReadError> {
    // A single file need not be a complete data set.
    let is_set = data.files.len() > 1;
    if is_set {
        ranks::check(&mut data.files, data.limit);
    }
    let mut found = Found(data.nothing_found());
    let files = &data.files;
    let phases = by_phase(files.iter().map(|file| {
        let vt = file.vt.as_ref()?;
        let ids = vt.phases.iter().map(|phase| phase.id).collect();
        Some(FilePhases { ids, repeated: &vt.identical_to_previous })
    }));
    let skipped: BTreeSet<(u64, u64)> =
        files.iter().filter_map(|file| file.vt.as_ref()).flat_map(|vt| &vt.skipped.ranges).copied().collect();
    let mut before: Option<PlacedPhase<'_>> = None;
    for (&id, entries) in &phases {
        let phase = PlacedPhase::new(id, entries, files, data.parking)?;
        placements::find_twins(&phase, &mut found);
        identities::find_other_ends(&phase, &mut found);
        if let Some(before) = &before {
            let skipped = placements::skipped_between(&skipped, before.id, phase.id);
            identities::find_other_homes(before, &phase, &mut found);
            if is_set && before.is_whole {
                placements::find_new(before, &phase, &mut found);
            }
            subphases::find_fewer(before, skipped.is_none().then_some(&phase), &mut found);
            if let Some(skipped) = skipped {
                placements::find_lost_migrations(before, &phase, skipped, &mut found);
            }
        }
        before = Some(phase);
    }
    if let Some(last) = &before {
        subphases::find_fewer(last, None, &mut found);
    }
    data.add(found.0, Problem::message);
    Ok(())
}

/// Findings by file.
struct Found(Vec<Vec<AboutRecord<Problem>>>);

impl Found {
    fn task(&mut self, listed: &Listed<'_>, index: usize, severity: Severity, what: Problem) {
        self.add(listed, RecordList::Tasks, index, severity, what);
    }

    fn communication(&mut self, listed: &Listed<'_>, index: usize, what: Problem) {
        self.add(listed, RecordList::Communications, index, Severity::Error, what);
    }

    fn add(
        &mut self,
        listed: &Listed<'_>,
        list: RecordList,
        index: usize,
        severity: Severity,
        what: Problem,
    ) {
        let record = RecordPath { entry: listed.entry, list, index };
        self.0[listed.file].push(AboutRecord { record, severity, what });
    }
}

/// Phase in one file.
struct Listed<'a> {
    file: usize,
    /// Position of the phase's entry among the entries of the file.
    entry: usize,
    phase: Cow<'a, VtPhase>,
}

impl Listed<'_> {
    /// Iterates over the migratable objects.
    fn movable(&self) -> impl Iterator<Item = &VtTask> {
        self.phase.tasks.iter().filter(|task| task.is_migratable)
    }
}

/// Phase in all files.
struct PlacedPhase<'a> {
    id: u64,
    listed: Vec<Listed<'a>>,
    /// File that lists each migratable object, by its id in vt.
    places: FxHashMap<u64, usize>,
    /// True if all files contain the phase and all of its tasks were read.
    is_whole: bool,
}

impl<'a> PlacedPhase<'a> {
    fn new(id: u64, entries: &[Entry], files: &'a [Checked], parking: &Parking) -> Result<Self, ReadError> {
        let list = |&Entry { file, position: entry }: &Entry| {
            let Checked { vt, vt_places, .. } = &files[file];
            let vt = vt.as_ref().expect("invariant: the file has entries");
            Ok(Listed { file, entry, phase: parking.phase(&vt.phases, vt_places, entry)? })
        };
        let listed: Vec<Listed<'_>> = entries.iter().map(list).collect::<Result<_, ReadError>>()?;
        let mut places = FxHashMap::default();
        for listed in &listed {
            places.extend(listed.movable().map(|task| (task.id, listed.file)));
        }
        let is_whole = listed.len() == files.len() && listed.iter().all(|listed| listed.phase.n_unread == 0);
        Ok(PlacedPhase { id, listed, places, is_whole })
    }
}
