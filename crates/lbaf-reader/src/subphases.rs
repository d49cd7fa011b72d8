// SPDX-License-Identifier: MIT OR Apache-2.0
//! Times of objects in each subphase, and inconsistencies of these times.

use lbaf_model::Subphases;
use lbaf_vom::{PhaseRows, SubphaseTimes};

use crate::coverage::phases_in_words;
use crate::objects::{Entries, Entry};

/// Inconsistencies between tasks and their subphases, and gaps in the numbers of subphases.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Oddities {
    /// True if a task has subphases.
    has_subphases: bool,
    /// Number of tasks with time but without subphases, if other tasks have some, and the sum of these times in
    /// seconds.
    without: (usize, f64),
    /// Number of tasks whose subphases do not sum up to their time, and the sum of the absolute differences in seconds.
    unequal: (usize, f64),
    /// Number of unused numbers between the first and the last subphase.
    n_missing: usize,
}

/// Relative tolerance for equality of two sums of seconds: times in files are rounded, with few digits in the text
/// form.
const ROUNDING: f64 = 1e-3;

/// Collects the times of all files in the order of the objects, and their inconsistencies. Subphases are `None` if no
/// task has any. O(n log s) for n times in s subphases.
pub(crate) fn gather(rows: &[&PhaseRows], entries: &Entries) -> (Option<Subphases>, Oddities) {
    if rows.iter().all(|file| file.subphases.is_empty()) {
        return (None, Oddities::default());
    }
    let of =
        |entry: &Entry| SubphaseTimes::of(&rows[entry.rank() as usize].subphases, entry.position as usize);
    let subphases: Subphases = entries.as_slice().iter().map(|entry| of(entry).iter().copied()).collect();
    let mut oddities = Oddities { has_subphases: true, ..Oddities::default() };
    for entry in entries.as_slice() {
        let load = rows[entry.rank() as usize].tasks[entry.position as usize].load;
        oddities.note(load, of(entry));
    }
    if let (Some(&first), Some(&last)) = (subphases.numbers().first(), subphases.numbers().last()) {
        // vt numbers subphases from 0, but subphases before the first recorded one do not count as missing.
        oddities.n_missing = (last - first) as usize + 1 - subphases.len();
    }
    (Some(subphases), oddities)
}

impl Oddities {
    /// Returns warnings about inconsistent subphases: one sentence for each kind, with all phases in which it occurs
    /// and the largest numbers in a phase.
    pub(crate) fn sentences(phases: &[(u64, Oddities)]) -> Vec<String> {
        let most = |of: fn(Oddities) -> (usize, f64)| {
            let odd: Vec<(u64, (usize, f64))> =
                phases.iter().map(|&(id, oddities)| (id, of(oddities))).filter(|odd| odd.1.0 > 0).collect();
            let n = odd.iter().map(|odd| odd.1.0).max()?;
            let seconds = odd.iter().map(|odd| odd.1.1).fold(0.0, f64::max);
            let ids: Vec<u64> = odd.iter().map(|odd| odd.0).collect();
            let ids_in_words = phases_in_words(&ids);
            Some(match ids.len() {
                1 => (format!("{n} in phase {ids_in_words}"), format!("{seconds:.3} s")),
                _ => (
                    format!("up to {n} in phases {ids_in_words}"),
                    format!("up to {seconds:.3} s in a phase"),
                ),
            })
        };
        let any = phases.iter().any(|(_, oddities)| oddities.has_subphases);
        let has_none = phases.iter().filter(|(_, oddities)| !oddities.has_subphases);
        let nowhere: Vec<u64> = has_none.map(|&(id, _)| id).collect();
        let nowhere = (any && !nowhere.is_empty()).then(|| {
            let phase = if nowhere.len() == 1 { "phase" } else { "phases" };
            format!(
                "{phase} {}: no task has subphases, but other phases have some",
                phases_in_words(&nowhere)
            )
        });
        let without = most(|oddities| oddities.without).map(|(tasks, seconds)| {
            format!(
                "tasks without subphases, although others have some: {tasks}; {seconds} count in no subphase"
            )
        });
        let unequal = most(|oddities| oddities.unequal).map(|(tasks, seconds)| {
            format!("tasks whose subphases do not sum up to their `time`: {tasks}; the sum of the differences is {seconds}; subphases and `time` are used as recorded")
        });
        let missing = most(|oddities| (oddities.n_missing, 0.0)).map(|(numbers, _)| {
            format!("unused subphase numbers between the first and the last, which add no barrier: {numbers}")
        });
        [nowhere, without, unequal, missing].into_iter().flatten().collect()
    }

    fn note(&mut self, load: f64, times: &[(u32, f64)]) {
        let sum: f64 = times.iter().map(|&(_, seconds)| seconds).sum();
        let difference = (load - sum).abs();
        let kind = match times {
            [] if load > 0.0 => &mut self.without,
            [_, ..] if difference > ROUNDING * load.max(sum) => &mut self.unequal,
            _ => return,
        };
        kind.0 += 1;
        kind.1 += difference;
    }
}
