// SPDX-License-Identifier: MIT OR Apache-2.0
//! Equal sequence numbers that vt packs into different ids.

use lbaf_vom::{Severity, VtTask, sequence_of_packed_id};
use rustc_hash::{FxHashMap, FxHashSet};

use super::problem::Problem;
use super::{Found, PlacedPhase};

/// Finds migratable objects with a `seq_id` whose home differs from their home in the previous phase.
pub(super) fn find_other_homes(before: &PlacedPhase<'_>, phase: &PlacedPhase<'_>, found: &mut Found) {
    let by_sequence = |task: &&VtTask| task.is_sequence;
    let mut ids: FxHashMap<u64, u64> = FxHashMap::default();
    for listed in &before.listed {
        let tasks = listed.movable().filter(by_sequence);
        ids.extend(tasks.map(|task| (sequence_of_packed_id(task.id), task.id)));
    }
    for listed in phase.listed.iter().filter(|_| !ids.is_empty()) {
        for task in listed.movable().filter(by_sequence).filter(|task| !before.places.contains_key(&task.id))
        {
            if let Some(&id_before) = ids.get(&sequence_of_packed_id(task.id)) {
                let what = Problem::OtherHome { id: task.id, before: before.id, id_before };
                found.task(listed, task.index, Severity::Error, what);
            }
        }
    }
}

/// Finds endpoints with the sequence number of a task, but another home or migratability.
pub(super) fn find_other_ends(phase: &PlacedPhase<'_>, found: &mut Found) {
    if phase.listed.iter().all(|listed| listed.phase.sequence_ends.is_empty()) {
        return;
    }
    let tasks = phase.listed.iter().flat_map(|listed| &listed.phase.tasks).filter(|task| task.is_sequence);
    let ids: FxHashSet<u64> = tasks.clone().map(|task| task.id).collect();
    let mut by_sequence: FxHashMap<u64, u64> = FxHashMap::default();
    for task in tasks {
        by_sequence.entry(sequence_of_packed_id(task.id)).or_insert(task.id);
    }
    for listed in &phase.listed {
        for end in listed.phase.sequence_ends.iter().filter(|end| !ids.contains(&end.id)) {
            if let Some(&task) = by_sequence.get(&sequence_of_packed_id(end.id)) {
                let what = Problem::OtherEnd { is_sender: end.is_sender, id: end.id, task };
                found.communication(listed, end.index, what);
            }
        }
    }
}
