// SPDX-License-Identifier: MIT OR Apache-2.0
//! Phases in which the rank of a file has no migratable object. OfflineLB cannot handle such phases.

use super::{Placed, VtChecks, VtFile, each_element};
use crate::Severity;
use crate::collector::{Collector, Segment};

/// Reports phases without a migratable object.
pub(super) fn check<'a>(
    walker: Placed<'a>,
    file: &VtFile,
    checks: VtChecks,
    collector: &mut Collector<'a, '_>,
) {
    let severity = if checks.allows_empty_ranks { Severity::Warning } else { Severity::Error };
    let mut found = found(file).into_iter().peekable();
    each_element(walker, |walker, entry| {
        if let Some((_, message)) = found.next_if(|&(other, _)| other == entry) {
            collector.inside(Segment::Index(entry), |collector| {
                collector.finding(severity, walker.offset(), || message);
            });
        }
    });
}

/// Returns the entries to report, ascending, each with its message. For the first phase, there are two reasons to report
/// it: the next phase is identical, so vt aborts on that phase; or the next entry has migratable objects, which OfflineLB
/// then ignores.
pub(super) fn found(file: &VtFile) -> Vec<(usize, String)> {
    let phases = &file.phases;
    let is_empty = |entry: usize| !phases[entry].tasks.iter().any(|task| task.is_migratable);
    let mut ascending: Vec<usize> = (0..phases.len()).collect();
    ascending.sort_by_key(|&entry| phases[entry].id);
    let (first, second) = (ascending.first().copied(), ascending.get(1).copied());
    let message = |entry: usize| {
        let id = phases[entry].id;
        let consequence = match second {
            _ if first != Some(entry) => "; vt's OfflineLB aborts on such a rank".to_owned(),
            _ if file.identical_to_previous.contains(id.saturating_add(1)) => {
                "; vt aborts on the next phase, which is identical".to_owned()
            }
            Some(second) if !is_empty(second) => {
                let second = phases[second].id;
                format!(", so vt's OfflineLB ignores the objects that phase {second} places here")
            }
            _ => return None,
        };
        Some((entry, format!("this rank has no migratable object in phase {id}{consequence}")))
    };
    (0..phases.len()).filter(|&entry| is_empty(entry)).filter_map(message).collect()
}
