// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which phases a converted file has, and what its metadata say of the others.

use std::collections::{BTreeMap, BTreeSet};

use lbaf_vom::FileRows;

use super::Conversion;

/// The phases of a converted file.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// Phases with an entry of their own, ascending.
    pub(crate) entries: Vec<Entry>,
    /// Phases that repeat the entry before them.
    pub(crate) repeated: Vec<u64>,
    /// Phases without data, as inclusive ranges.
    pub(crate) skipped: Vec<(u64, u64)>,
    /// Whether metadata must be changed to say so.
    pub(crate) is_changed: bool,
    /// Memory of the rank in phases whose tasks do not state it.
    pub(crate) rank_working_bytes: BTreeMap<u64, f64>,
}

/// A phase with an entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// The number it gets.
    pub(crate) id: u64,
    /// The position of its records among the phases of the file that were read.
    pub(crate) source: usize,
}

/// Chooses among the phases of a file. With lists in the metadata, a repetition stays one as long as the entry it
/// repeats is the last before it, and phases that are left out are listed as skipped; without lists it becomes an
/// entry.
pub(crate) fn plan(rows: &FileRows, conversion: &Conversion<'_>, has_lists: bool) -> Plan {
    let listed = &rows.metadata.identical_to_previous;
    let repeats: BTreeSet<u64> = listed.ranges.iter().flat_map(|&(first, last)| first..=last).collect();
    let entries: BTreeSet<u64> = rows.phase_ids.iter().copied().collect();
    let recorded: BTreeSet<u64> = entries.union(&repeats).copied().collect();
    let new_id = |phase: u64| conversion.renumbered.get(&phase).copied().unwrap_or(phase);
    let positions: BTreeMap<u64, usize> =
        rows.phases.iter().enumerate().map(|(position, entry)| (entry.id, position)).collect();
    let mut plan = Plan::default();
    let mut last_source = None;
    for &phase in recorded.iter().filter(|&&phase| (conversion.phases)(phase)) {
        let base = entries.range(..=phase).next_back();
        // A file whose first phases are listed as repetitions of nothing has nothing for them.
        let Some(source) = base.and_then(|base| positions.get(base).copied()) else {
            continue;
        };
        let is_repetition = !entries.contains(&phase);
        if is_repetition && has_lists && last_source == Some(source) {
            plan.repeated.push(new_id(phase));
        } else {
            plan.entries.push(Entry { id: new_id(phase), source });
        }
        last_source = Some(source);
    }
    let unstated =
        |entry: &Entry| rows.metadata.rank_working_bytes.get(&rows.phases[entry.source].id).copied();
    plan.rank_working_bytes =
        plan.entries.iter().filter_map(|entry| Some((entry.id, unstated(entry)?))).collect();
    let kept: BTreeSet<u64> =
        recorded.iter().copied().filter(|&phase| (conversion.phases)(phase)).map(new_id).collect();
    let dropped = kept.len() < recorded.len() || !conversion.renumbered.is_empty();
    plan.skipped = if dropped { gaps(&kept) } else { rows.metadata.skipped.ranges.clone() };
    let old_repeats: Vec<u64> = repeats.into_iter().collect();
    plan.is_changed = dropped || plan.repeated != old_repeats;
    plan
}

/// What is missing before and between phases, as inclusive ranges.
fn gaps(phases: &BTreeSet<u64>) -> Vec<(u64, u64)> {
    let mut next = 0;
    let mut gaps = Vec::new();
    for &phase in phases {
        if phase > next {
            gaps.push((next, phase - 1));
        }
        next = phase + 1;
    }
    gaps
}
