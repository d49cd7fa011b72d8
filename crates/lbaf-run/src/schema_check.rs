// SPDX-License-Identifier: MIT OR Apache-2.0
//! Check of data files against their schema.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lbaf_reader::{FileReport, ReadError, Validation, group_files};
use lbaf_text::{Shown as _, line};
use lbaf_vom::Severity;

use crate::{Messages, RunError};

/// Returns an error with the first findings if files violate their schema.
pub(crate) fn check_schema(stem: &Path, files: &[PathBuf], messages: &dyn Messages) -> Result<(), RunError> {
    const FIRST: usize = 5;
    let reports = check(files.to_vec(), Validation { limit: FIRST, ..Validation::default() }, messages)?;
    let n_errors: usize = reports.iter().map(|report| report.findings.n_errors).sum();
    if n_errors == 0 {
        return Ok(());
    }
    let errors = reports.iter().flat_map(|report| {
        let errors = report.findings.kept.iter().filter(|finding| finding.severity == Severity::Error);
        errors.map(|finding| format!("\n  {}: {}", report.path.shown(), line(&finding.to_string())))
    });
    let first: Vec<String> = errors.take(FIRST).collect();
    let more = n_errors - first.len();
    let more = if more > 0 { format!("\n  and {more} more") } else { String::new() };
    Err(RunError::NotBySchema(format!(
        "the data are invalid, and `check_schema` is on; `lbaf validate {}` lists all errors:{}{more}",
        stem.shown(),
        first.concat()
    )))
}

/// Checks files against their schema and each other. Returns a report for each, and warns about ranks without a file.
///
/// # Errors
/// If the temporary file for rows cannot be written or read.
pub fn check(
    paths: Vec<PathBuf>,
    checks: Validation,
    messages: &dyn Messages,
) -> Result<Vec<FileReport>, ReadError> {
    let bar = messages.progress("validating", paths.len());
    let groups = group_files(paths);
    // A single file may be checked alone. With `--vt`, a missing file is an error.
    for group in groups.iter().filter(|group| group.files.len() > 1 && checks.vt.is_none()) {
        let ranks: BTreeSet<u64> = group.files.iter().filter_map(|file| file.rank).collect();
        let last = ranks.last().copied().unwrap_or(0);
        let missing: Vec<u64> = (0..last).filter(|rank| !ranks.contains(rank)).take(1000).collect();
        if let (Some(first), false) = (group.files.first(), missing.is_empty()) {
            let missing = lbaf_config::ranges(&missing);
            messages
                .warning(&format!("{}: its data set has no file for rank {missing}", first.path.display()));
        }
    }
    lbaf_reader::validate(&groups, checks, &|done| bar.set(done))
}
