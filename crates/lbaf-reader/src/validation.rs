// SPDX-License-Identifier: MIT OR Apache-2.0
//! Validation of files, each alone and against the other files of its data set.

mod duplicates;
mod entries;
mod for_vt;
mod links;

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use lbaf_vom::{
    DocumentType, FileRows, Finding, Findings, RecordPath, Scratch, Severity, VtChecks, VtFile, WantedRows,
};
use rayon::prelude::*;

pub use duplicates::duplicate_objects;

use self::entries::StoredRows;
use crate::input_file::read_data;
use crate::parking::Parking;
use crate::scratch_pool::ScratchPool;
use crate::temporary_file::Place;
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
/// Files without findings are read phase by phase, except those with unusual content such as escapes. A file with
/// findings is in memory as a whole while it is read.
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
        let mut files: Vec<Checked> = files.into_iter().collect::<Result<_, ReadError>>()?;
        accept_blank_text(&mut files);
        // For vt, `for_vt` finds duplicates among the ids that vt derives.
        if checks.vt.is_none() {
            duplicates::check(&mut files, checks.limit, &parking, &pool)?;
        }
        if checks.strict_links {
            links::check(&mut files, checks.limit, &parking, &pool)?;
        }
        if checks.vt.is_some() {
            for_vt::check(&mut files, checks.limit, &parking, &pool)?;
        }
        let report = |mut file: Checked| {
            file.report.findings.shorten(checks.limit);
            file.report
        };
        Ok(files.into_iter().map(report).collect::<Vec<_>>())
    };
    let reports: Vec<Result<_, ReadError>> = groups.par_iter().map(check_group).collect();
    Ok(reports.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// Returns the number of ranks of a group of files, from the largest rank; `None` for a single file.
fn n_ranks(group: &FileGroup) -> Option<u64> {
    let last = group.files.last().filter(|_| group.files.len() > 1)?;
    Some(last.rank?.saturating_add(1))
}

/// File that was checked independently of other files.
struct Checked {
    report: FileReport,
    rank: Option<u64>,
    rows: Option<FileRows>,
    /// Places of the phases of `rows` that left memory.
    row_places: Vec<Place>,
    vt: Option<VtFile>,
    /// Places of the phases of `vt` that left memory.
    vt_places: Vec<Place>,
    content: Content,
}

/// Form of a file, as needed by checks of its data set.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Json,
    Text,
    /// Only blanks.
    Blank,
}

/// Accepts blank files in a data set of the text form, where a rank that never owned an object writes no line.
fn accept_blank_text(files: &mut [Checked]) {
    if files.iter().any(|file| file.content == Content::Text) {
        for file in files.iter_mut().filter(|file| file.content == Content::Blank) {
            file.report.findings = Findings::default();
            file.rows = Some(FileRows::default());
        }
    }
}

impl Checked {
    fn new(file: &RankFile, n_ranks: Option<u64>, checks: Validation, scratch: &mut Scratch) -> Self {
        let RankFile { path, rank, is_padded } = file.clone();
        let vt = checks.vt.map(|ForVt { allows_empty_ranks }| VtChecks { rank, n_ranks, allows_empty_ranks });
        let rows = match (checks.strict_links, vt) {
            (true, _) => WantedRows::All,
            (false, None) => WantedRows::Tasks,
            (false, Some(_)) => WantedRows::Nothing,
        };
        let of_file = lbaf_vom::Checks { limit: checks.limit, rows, vt };
        let mut content = Content::Json;
        let validated = match read_data(&path) {
            Ok(raw) => {
                let validated = lbaf_vom::validate(&raw, of_file, scratch);
                if validated.is_text {
                    content = Content::Text;
                } else if raw.trim_ascii().is_empty() {
                    content = Content::Blank;
                }
                validated
            }
            Err(error) => {
                let mut validated = lbaf_vom::Validated::default();
                // The output already shows the file name before every finding.
                let finding = Finding::error(match error {
                    ReadError::Io { source, .. } => format!("the file cannot be read: {source}"),
                    ReadError::Content { source, .. } => source.to_string(),
                    error => error.to_string(),
                });
                validated.findings.add(checks.limit, finding.severity, || finding);
                validated
            }
        };
        let mut findings = validated.findings;
        if is_padded {
            findings.add(checks.limit, Severity::Error, || {
                Finding::error("the rank number has leading zeros; rename the file".to_owned())
            });
        }
        let report = FileReport { path, document: validated.document, findings };
        let lbaf_vom::Validated { rows, vt, .. } = validated;
        Checked { report, rank, rows, row_places: Vec::new(), vt, vt_places: Vec::new(), content }
    }

    /// Moves the phases out of memory, unless they are within the limit of `parking`.
    fn park(&mut self, parking: &Parking) -> Result<(), ReadError> {
        let rows = self.rows.as_mut().map(|rows| parking.park(&mut rows.phases)).transpose();
        self.row_places = rows.map_err(ReadError::Temporary)?.unwrap_or_default();
        let vt = self.vt.as_mut().map(|vt| parking.park(&mut vt.phases)).transpose();
        self.vt_places = vt.map_err(ReadError::Temporary)?.unwrap_or_default();
        Ok(())
    }

    /// Returns the rows, if the file could be read.
    fn stored_rows(&self) -> Option<StoredRows<'_>> {
        Some(StoredRows { file: self.rows.as_ref()?, places: &self.row_places })
    }

    /// Adds findings, given in the order of their records. Reads the file again for the positions, and formats only
    /// the kept findings.
    fn add<What>(
        &mut self,
        found: &[AboutRecord<What>],
        limit: usize,
        pool: &ScratchPool,
        message: impl Fn(&What) -> String,
    ) {
        if found.is_empty() {
            return;
        }
        let mut kept = Findings::default();
        let mut records = Vec::new();
        for about in found {
            kept.add(limit, about.severity, || {
                records.push(about.record);
                Finding {
                    severity: about.severity,
                    pointer: Some(about.record.pointer()),
                    ..Finding::error(message(&about.what))
                }
            });
        }
        // If the file can no longer be read, findings have only pointers.
        let positions = read_data(&self.report.path)
            .ok()
            .and_then(|raw| pool.with(|scratch| lbaf_vom::record_positions(&raw, &records, scratch)).ok());
        for (finding, position) in kept.kept.iter_mut().zip(positions.into_iter().flatten()) {
            finding.position = position;
        }
        self.report.findings.merge(kept, limit);
    }
}

/// Finding about a record, before its position and message are known.
struct AboutRecord<What> {
    record: RecordPath,
    severity: Severity,
    what: What,
}
