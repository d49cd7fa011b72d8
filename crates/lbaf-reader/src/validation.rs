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

use crate::input_file::read_data;
use crate::scratch_pool::ScratchPool;
use crate::{FileGroup, RankFile, ReadError};

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
pub fn validate(
    groups: &[FileGroup],
    checks: Validation,
    progress: &(dyn Fn(usize) + Sync),
) -> Vec<FileReport> {
    let pool = ScratchPool::default();
    let n_done = AtomicUsize::new(0);
    let check = |file: &RankFile, n_ranks: Option<u64>| {
        let checked = pool.with(|scratch| Checked::new(file, n_ranks, checks, scratch));
        progress(n_done.fetch_add(1, Ordering::Relaxed) + 1);
        checked
    };
    let check_group = |group: &FileGroup| {
        let n_ranks = n_ranks(group);
        let mut files: Vec<Checked> = group.files.par_iter().map(|file| check(file, n_ranks)).collect();
        accept_blank_text(&mut files);
        // For vt, `for_vt` finds duplicates among the ids that vt derives.
        if checks.vt.is_none() {
            duplicates::check(&mut files, checks.limit, &pool);
        }
        if checks.strict_links {
            links::check(&mut files, checks.limit, &pool);
        }
        if checks.vt.is_some() {
            for_vt::check(&mut files, checks.limit, &pool);
        }
        let report = |mut file: Checked| {
            file.report.findings.shorten(checks.limit);
            file.report
        };
        files.into_iter().map(report).collect::<Vec<_>>()
    };
    groups.par_iter().map(check_group).collect::<Vec<_>>().into_iter().flatten().collect()
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
    vt: Option<VtFile>,
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
        Checked { report, rank, rows: validated.rows, vt: validated.vt, content }
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
