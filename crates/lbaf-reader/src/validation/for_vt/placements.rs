// SPDX-License-Identifier: MIT OR Apache-2.0
//! Duplicate tasks of an object, objects that are missing in the previous phase, and migrations across skipped
//! phases.

use std::collections::BTreeSet;

use lbaf_vom::{Severity, VtTask};
use rustc_hash::FxHashMap;

use super::problem::Problem;
use super::{Found, PlacedPhase};

/// Finds objects with two tasks in a phase. Non-migratable objects of different ranks may have the same id.
pub(super) fn find_twins(phase: &PlacedPhase<'_>, found: &mut Found) {
    let mut first = FxHashMap::default();
    for listed in &phase.listed {
        for task in &listed.phase.tasks {
            let rank = (!task.is_migratable).then_some(listed.file);
            let place = (listed.file, task.index);
            let (file, other) = *first.entry((task.id, rank)).or_insert(place);
            if (file, other) != place {
                let what = Problem::Twin { id: task.id, phase: phase.id, file, task: other };
                found.task(listed, task.index, Severity::Error, what);
            }
        }
    }
}

/// Finds migratable objects that are missing in the previous phase: reports the first one of each file, with the number
/// of others.
pub(super) fn find_new(before: &PlacedPhase<'_>, phase: &PlacedPhase<'_>, found: &mut Found) {
    let is_new = |task: &&VtTask| !before.places.contains_key(&task.id);
    let new = |others| Problem::New { others, before: before.id };
    find_first(phase, |_| is_new, Severity::Warning, new, found);
}

/// Finds migratable objects that change rank across skipped phases: reports the first one of each file, with the number
/// of others.
pub(super) fn find_lost_migrations(
    before: &PlacedPhase<'_>,
    phase: &PlacedPhase<'_>,
    skipped: (u64, u64),
    found: &mut Found,
) {
    let moved = |file| move |task: &&VtTask| before.places.get(&task.id).is_some_and(|&place| place != file);
    find_first(phase, moved, Severity::Error, |others| Problem::Lost { others, skipped }, found);
}

/// Reports the first object of each file that satisfies a condition, and the number of others.
fn find_first<Is: FnMut(&&VtTask) -> bool>(
    phase: &PlacedPhase<'_>,
    is: impl Fn(usize) -> Is,
    severity: Severity,
    what: impl Fn(usize) -> Problem,
    found: &mut Found,
) {
    for listed in &phase.listed {
        let mut tasks = listed.movable().filter(is(listed.file));
        if let Some(first) = tasks.next() {
            found.task(listed, first.index, severity, what(tasks.count()));
        }
    }
}

/// Returns the first and the last skipped phase between `before` and `after`, as listed by any file; `None` if none is
/// listed there.
pub(super) fn skipped_between(skipped: &BTreeSet<(u64, u64)>, before: u64, after: u64) -> Option<(u64, u64)> {
    let (from, to) = (before.saturating_add(1), after.saturating_sub(1));
    if from > to {
        return None;
    }
    // Of the skipped ranges that begin before phase `from`, only the last is considered, because ranges rarely overlap.
    let reaching = skipped.range(..(from, 0)).next_back();
    let ranges = reaching.into_iter().chain(skipped.range((from, 0)..=(to, u64::MAX))).copied();
    let inside =
        ranges.map(|(first, last)| (first.max(from), last.min(to))).filter(|(first, last)| first <= last);
    inside.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
}
