// SPDX-License-Identifier: MIT OR Apache-2.0
//! Phases of a converted file, and the lists of other phases in its metadata.

use std::collections::{BTreeMap, BTreeSet};

use lbaf_vom::FileRows;

use super::Conversion;

/// Phases of a converted file.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// Phases with an entry, ascending.
    pub(crate) entries: Vec<Entry>,
    /// Phases that repeat the previous entry.
    pub(crate) repeated: Vec<u64>,
    /// Phases without data, as inclusive ranges.
    pub(crate) skipped: Vec<(u64, u64)>,
    /// True if the lists in the metadata must change.
    pub(crate) is_changed: bool,
    /// Working memory of the rank in bytes, for phases whose tasks do not state it.
    pub(crate) rank_working_bytes: BTreeMap<u64, f64>,
}

/// Phase with an entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// Number of the phase in the output.
    pub(crate) id: u64,
    /// Position of its records among the phases read from the file.
    pub(crate) source: usize,
}

/// Selects the phases of a file for the output. Phases that repeat an entry become entries themselves, unless the
/// metadata of the target have lists of phases (`has_lists`) and the repeated entry is the previous one in the
/// output. With lists, omitted phases are listed as skipped.
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
        // A phase listed as a repetition without a previous entry has no data, so it is left out.
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

/// Returns the numbers that are missing before and between these phases, as inclusive ranges.
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
