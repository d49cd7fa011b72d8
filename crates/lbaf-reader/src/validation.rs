// SPDX-License-Identifier: MIT OR Apache-2.0
//! All that is wrong with files and data sets, file by file and between the files of a set.

mod links;
mod placements;

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use lbaf_vom::{DocumentType, FileRows, Finding, Findings, RecordPath, Scratch, Severity, VtChecks, VtFile};
use rayon::prelude::*;

use crate::scratch_pool::ScratchPool;
use crate::{FileGroup, RankFile};

/// What to check beside the schema.
#[derive(Clone, Copy, Debug)]
pub struct Validation {
    /// How many findings are kept of each file; the rest is counted.
    pub limit: usize,
    /// Whether every object that communication names must have a task in the same phase of its data set.
    /// Iterations that are recorded with a phase are not looked at.
    pub strict_links: bool,
    /// Whether the files are to be fit for vt itself.
    pub vt: bool,
}

/// What was found in a file.
#[derive(Clone, Debug)]
pub struct FileReport {
    /// The file.
    pub path: PathBuf,
    /// Whose schema was applied, if any was.
    pub document: Option<DocumentType>,
    /// What is wrong.
    pub findings: Findings,
}

/// Checks files in parallel and reports on them in the order given. `progress` is told how many are done.
pub fn validate(
    groups: &[FileGroup],
    checks: Validation,
    progress: &(dyn Fn(usize) + Sync),
) -> Vec<FileReport> {
    let pool = ScratchPool::default();
    let n_done = AtomicUsize::new(0);
    let check = |file: &RankFile| {
        let checked = pool.with(|scratch| Checked::new(file, checks, scratch));
        progress(n_done.fetch_add(1, Ordering::Relaxed) + 1);
        checked
    };
    let check_group = |group: &FileGroup| {
        let mut files: Vec<Checked> = group.files.par_iter().map(check).collect();
        if checks.strict_links {
            links::check(&mut files, checks.limit, &pool);
        }
        if checks.vt {
            placements::check(&mut files, checks.limit, &pool);
        }
        files.into_iter().map(|file| file.report).collect::<Vec<_>>()
    };
    groups.par_iter().map(check_group).collect::<Vec<_>>().into_iter().flatten().collect()
}

/// A file that was checked by itself.
struct Checked {
    report: FileReport,
    rank: Option<u64>,
    rows: Option<FileRows>,
    vt: Option<VtFile>,
}

impl Checked {
    fn new(file: &RankFile, checks: Validation, scratch: &mut Scratch) -> Self {
        let RankFile { path, rank } = file.clone();
        let vt = checks.vt.then_some(VtChecks { rank });
        let of_file = lbaf_vom::Checks { limit: checks.limit, rows: checks.strict_links, vt };
        let validated = match std::fs::read(&path) {
            Ok(raw) => lbaf_vom::validate(&raw, of_file, scratch),
            Err(error) => {
                let mut validated = lbaf_vom::Validated::default();
                let finding = Finding::error(format!("the file cannot be read: {error}"));
                validated.findings.add(checks.limit, finding.severity, || finding);
                validated
            }
        };
        let report = FileReport { path, document: validated.document, findings: validated.findings };
        Checked { report, rank, rows: validated.rows, vt: validated.vt }
    }

    /// Adds findings about records, in the order of the records, which are looked for in the file again. They
    /// are put into words only if they are kept.
    fn add<What>(
        &mut self,
        found: Vec<AboutRecord<What>>,
        limit: usize,
        pool: &ScratchPool,
        message: impl Fn(&What) -> String,
    ) {
        if found.is_empty() {
            return;
        }
        let records: Vec<RecordPath> = found.iter().take(limit).map(|about| about.record).collect();
        // If the file is gone meanwhile, the pointer has to do.
        let positions = std::fs::read(&self.report.path)
            .ok()
            .and_then(|raw| pool.with(|scratch| lbaf_vom::record_positions(&raw, &records, scratch)).ok());
        let mut findings = Findings::default();
        for (nth, AboutRecord { record, severity, what }) in found.into_iter().enumerate() {
            findings.add(limit, severity, || {
                let position = positions.as_ref().and_then(|positions| *positions.get(nth)?);
                let finding = Finding::error(message(&what));
                Finding { severity, position, pointer: Some(record.pointer()), ..finding }
            });
        }
        self.report.findings.merge(findings, limit);
    }
}

/// Something about a record, still without place and words.
struct AboutRecord<What> {
    record: RecordPath,
    severity: Severity,
    what: What,
}
