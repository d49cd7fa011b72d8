// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files of a data set, for checks between them.

use std::path::PathBuf;

use lbaf_vom::{Finding, Findings, RecordPath, Severity};
use rayon::prelude::*;

use super::FileReport;
use super::checked::{Checked, Content};
use super::entries::StoredRows;
use crate::input_file::read_data;
use crate::parking::Parking;
use crate::scratch_pool::ScratchPool;

/// Files of a data set, which were checked independently of each other.
pub(super) struct CheckedData<'a> {
    pub(super) files: Vec<Checked>,
    /// Maximum number of findings to keep for each file.
    pub(super) limit: usize,
    /// Temporary file with rows that left memory.
    pub(super) parking: &'a Parking,
    pub(super) pool: &'a ScratchPool,
}

/// Finding about a record, before its position and message are known.
pub(super) struct AboutRecord<What> {
    pub(super) record: RecordPath,
    pub(super) severity: Severity,
    pub(super) what: What,
}

impl CheckedData<'_> {
    /// Accepts blank files in a data set of the text form, where a rank that never owned an object writes no line.
    pub(super) fn accept_blank_text(&mut self) {
        if self.files.iter().any(|file| file.content == Content::Text) {
            for file in self.files.iter_mut().filter(|file| file.content == Content::Blank) {
                file.report.findings = Findings::default();
                file.rows = Some(lbaf_vom::FileRows::default());
            }
        }
    }

    /// Returns the rows of each file; `None` for a file that could not be read.
    pub(super) fn rows(&self) -> Vec<Option<StoredRows<'_>>> {
        self.files.iter().map(Checked::stored_rows).collect()
    }

    /// Returns an empty list of findings for each file.
    pub(super) fn nothing_found<What>(&self) -> Vec<Vec<AboutRecord<What>>> {
        self.files.iter().map(|_| Vec::new()).collect()
    }

    /// Adds the findings of each file, in the order of their records. A message gets the paths of all files.
    pub(super) fn add<What: Send>(
        &mut self,
        found: Vec<Vec<AboutRecord<What>>>,
        message: impl Fn(&What, &[PathBuf]) -> String + Sync,
    ) {
        let paths: Vec<PathBuf> = self.files.iter().map(|file| file.report.path.clone()).collect();
        let (limit, pool) = (self.limit, self.pool);
        self.files.par_iter_mut().zip(found).for_each(|(file, mut found)| {
            found.sort_by_key(|about| about.record);
            file.report.add(&found, limit, pool, |what| message(what, &paths));
        });
    }

    /// Returns the reports of all files, with the findings to keep.
    pub(super) fn into_reports(self) -> Vec<FileReport> {
        let report = |mut file: Checked| {
            file.report.findings.shorten(self.limit);
            file.report
        };
        self.files.into_iter().map(report).collect()
    }
}

impl FileReport {
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
        let positions = read_data(&self.path)
            .ok()
            .and_then(|raw| pool.with(|scratch| lbaf_vom::record_positions(&raw, &records, scratch)).ok());
        for (finding, position) in kept.kept.iter_mut().zip(positions.into_iter().flatten()) {
            finding.position = position;
        }
        self.findings.merge(kept, limit);
    }
}
