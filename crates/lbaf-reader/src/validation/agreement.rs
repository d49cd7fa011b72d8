// SPDX-License-Identifier: MIT OR Apache-2.0
//! Agreement of files with their names and with each other: ranks and phases.

use std::collections::BTreeSet;

use lbaf_vom::{FileRows, Finding, Severity};

use super::checked::{Checked, Content};
use crate::coverage::named_phases;

/// Warns about ranks in metadata that are not those of the file names, and about phases that only other files of the
/// data set have. Other commands use the rank of the name, and refuse data sets with missing phases.
pub(super) fn check(files: &mut [Checked], limit: usize) {
    // A text file has no entry for a phase without objects.
    let json = |file: &Checked| file.content == Content::Json;
    let of_json = files.iter().filter(|file| json(file)).filter_map(|file| file.rows.as_ref());
    let all: BTreeSet<u64> = of_json.flat_map(|rows| rows.phase_ids.iter().copied()).collect();
    for file in files.iter_mut().filter(|file| json(file)) {
        let Some(rows) = &file.rows else { continue };
        let mut warn = |message: String| {
            file.report.findings.add(limit, Severity::Warning, || Finding::error(message).as_warning());
        };
        if let (Some(rank), Some(other)) = (file.rank, rows.metadata.rank)
            && rank != other
        {
            warn(format!("the metadata state rank {other}; other commands use rank {rank} of the file name"));
        }
        let missing = missing(rows, &all);
        if !missing.is_empty() {
            let are = if missing.len() == 1 { "is" } else { "are" };
            warn(format!(
                "{} {are} in other files of the data set, but not in this one; most commands refuse such data",
                named_phases(&missing)
            ));
        }
    }
}

/// Returns the phases of `all` that a file neither has nor lists as identical to the previous phase.
fn missing(rows: &FileRows, all: &BTreeSet<u64>) -> Vec<u64> {
    let there: BTreeSet<u64> = rows.phase_ids.iter().copied().collect();
    let is_listed = |phase: u64| rows.metadata.identical_to_previous.contains(phase);
    all.difference(&there).copied().filter(|&phase| !is_listed(phase)).collect()
}
