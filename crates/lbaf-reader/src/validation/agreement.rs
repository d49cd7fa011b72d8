// SPDX-License-Identifier: MIT OR Apache-2.0
//! Agreement of files with their names and with each other: ranks and phases.

use lbaf_vom::{FileRows, Finding, Severity};

use super::checked::{Checked, Content};
use crate::coverage::{entry_of, named_phases, phases_of_rows};

/// Warns about ranks in metadata that are not those of the file names, and about phases that only other files of the
/// data set have. Other commands use the rank of the name, and refuse data sets with missing phases.
pub(super) fn check(files: &mut [Checked], limit: usize) {
    // A text file has no entry for a phase without objects.
    let json = |file: &Checked| file.content == Content::Json;
    let all = phases_of_rows(files.iter().filter(|file| json(file)).filter_map(|file| file.rows.as_ref()));
    for file in files.iter_mut().filter(|file| json(file)) {
        let Some(rows) = &file.rows else { continue };
        let mut warn = |pointer: &str, message: String| {
            file.report.findings.add(limit, Severity::Warning, || Finding {
                pointer: Some(pointer.to_owned()),
                ..Finding::error(message).as_warning()
            });
        };
        if let (Some(rank), Some(other)) = (file.rank, rows.metadata.rank)
            && rank != other
        {
            let message =
                format!("the metadata state rank {other}; other commands use rank {rank} of the file name");
            warn("/metadata/rank", message);
        }
        let missing = missing(rows, &all);
        if !missing.is_empty() {
            let are = if missing.len() == 1 { "is" } else { "are" };
            let message = format!(
                "{} {are} in other files of the data set, but not in this one; most commands refuse such data",
                named_phases(&missing)
            );
            warn("/phases", message);
        }
    }
}

/// Returns the phases of `all` that a file lacks.
fn missing(rows: &FileRows, all: &[u64]) -> Vec<u64> {
    let mut kept: Vec<(u64, ())> = rows.phase_ids.iter().map(|&id| (id, ())).collect();
    kept.sort_unstable();
    let identical = &rows.metadata.identical_to_previous;
    all.iter().copied().filter(|&phase| entry_of(phase, &kept, identical).is_none()).collect()
}
