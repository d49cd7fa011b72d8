// SPDX-License-Identifier: MIT OR Apache-2.0
//! Validation of files, each alone and against the other files of its data set.

mod agreement;
mod checked;
mod checked_data;
mod duplicates;
mod entries;
mod for_vt;
mod links;

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use lbaf_vom::{DocumentType, Findings};
use rayon::prelude::*;

pub use duplicates::duplicate_objects;

use self::checked::Checked;
use self::checked_data::CheckedData;
use crate::parking::Parking;
use crate::scratch_pool::ScratchPool;
use crate::{FileGroup, RankFile, ReadError, Request};

/// Options of a validation: limit of findings, and checks in addition to the schema.
#[derive(Clone, Copy, Debug)]
pub struct Validation {
    /// Maximum number of findings to keep for each file, errors before warnings; all are counted.
    pub limit: usize,
    /// True if every object at an endpoint of a communication must have a task in the same phase. Recorded iterations
    /// are not checked.
    pub strict_links: bool,
    /// Rules for files that vt will read: deviations that vt ignores are only warnings.
    pub vt: Option<ForVt>,
    /// Limit in bytes on rows that are kept in memory for checks between files. Further rows are in a temporary file.
    pub row_memory_bytes: usize,
}

impl Default for Validation {
    fn default() -> Self {
        let row_memory_bytes = Request::default().row_memory_bytes;
        Validation { limit: usize::MAX, strict_links: false, vt: None, row_memory_bytes }
    }
}

/// Requirements on files that vt will read.
#[derive(Clone, Copy, Debug, Default)]
pub struct ForVt {
    /// True if a rank without a migratable object is a warning instead of an error. OfflineLB cannot handle such
    /// ranks.
    pub allows_empty_ranks: bool,
}

/// Findings of a file.
#[derive(Clone, Debug)]
pub struct FileReport {
    /// The file.
    pub path: PathBuf,
    /// Type of the document, if it is known and has a schema.
    pub document: Option<DocumentType>,
    /// Errors and warnings.
    pub findings: Findings,
}

/// Checks files in parallel and returns reports in the given order. Calls `progress` with the number of finished
/// files.
///
/// Compressed files without findings are read phase by phase, except those with unusual content such as escapes. Any
/// other file is in memory as a whole while it is read.
///
/// # Errors
/// If the temporary file for rows cannot be written or read.
pub fn validate(
    groups: &[FileGroup],
    checks: Validation,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<FileReport>, ReadError> {
    let pool = ScratchPool::default();
    let parking = Parking::new(checks.row_memory_bytes);
    let n_done = AtomicUsize::new(0);
    let check = |file: &RankFile, n_ranks: Option<u64>| {
        let mut checked = pool.with(|scratch| Checked::new(file, n_ranks, checks, scratch));
        progress(n_done.fetch_add(1, Ordering::Relaxed) + 1);
        checked.park(&parking).map(|()| checked)
    };
    let check_group = |group: &FileGroup| {
        let n_ranks = n_ranks(group);
        let files: Vec<_> = group.files.par_iter().map(|file| check(file, n_ranks)).collect();
        let files = files.into_iter().collect::<Result<_, ReadError>>()?;
        let mut data = CheckedData { files, limit: checks.limit, parking: &parking, pool: &pool };
        data.accept_blank_text();
        // For vt, `for_vt` checks ranks and last phases, and finds duplicates among the ids that vt derives.
        if checks.vt.is_none() {
            agreement::check(&mut data.files, checks.limit);
            duplicates::check(&mut data)?;
        }
        if checks.strict_links {
            links::check(&mut data)?;
        }
        if checks.vt.is_some() {
            for_vt::check(&mut data)?;
        }
        Ok(data.into_reports())
    };
    let reports: Vec<Result<_, ReadError>> = groups.par_iter().map(check_group).collect();
    Ok(reports.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// Returns the number of ranks of a group of files, from the largest rank; `None` for a single file.
fn n_ranks(group: &FileGroup) -> Option<u64> {
    let last = group.files.last().filter(|_| group.files.len() > 1)?;
    Some(last.rank?.saturating_add(1))
}
