// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects with fewer subphases than another task of their rank. When an object migrates, vt accesses its load in
//! every subphase of the rank.

use lbaf_vom::{Severity, VtTask};

use super::problem::Problem;
use super::{Found, PlacedPhase};

/// Finds migratable objects with fewer subphases, file by file. If some of the objects found in a file are on another
/// rank in the phase `after`, reports only those, as an error. Otherwise, reports all that were found, as a warning.
pub(super) fn find_fewer(phase: &PlacedPhase<'_>, after: Option<&PlacedPhase<'_>>, found: &mut Found) {
    for listed in &phase.listed {
        let most = listed.phase.tasks.iter().map(|task| task.n_subphases).max().unwrap_or(0);
        let fewer: Vec<&VtTask> = listed.movable().filter(|task| task.n_subphases < most).collect();
        let moves = |task: &&&VtTask| {
            let place = after.and_then(|after| after.places.get(&task.id));
            place.is_some_and(|&file| file != listed.file)
        };
        let (severity, few) = match fewer.iter().filter(moves).copied().collect::<Vec<_>>() {
            few if few.is_empty() => (Severity::Warning, fewer),
            few => (Severity::Error, few),
        };
        if let Some(first) = few.first() {
            let migrates = severity == Severity::Error;
            let what =
                Problem::FewerSubphases { n: first.n_subphases, most, others: few.len() - 1, migrates };
            found.task(listed, first.index, severity, what);
        }
    }
}
