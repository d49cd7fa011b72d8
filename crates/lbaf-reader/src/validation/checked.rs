// SPDX-License-Identifier: MIT OR Apache-2.0
//! A file that was checked independently of the other files of its data set.

use lbaf_vom::{FileRows, Finding, Scratch, Severity, VtChecks, VtFile, WantedRows};

use super::entries::StoredRows;
use super::{FileReport, ForVt, Validation};
use crate::input_file::read_data;
use crate::parking::Parking;
use crate::temporary_file::Place;
use crate::{RankFile, ReadError};

/// File that was checked independently of other files.
pub(super) struct Checked {
    pub(super) report: FileReport,
    pub(super) rank: Option<u64>,
    pub(super) rows: Option<FileRows>,
    /// Places of the phases of `rows` that left memory.
    row_places: Vec<Place>,
    pub(super) vt: Option<VtFile>,
    /// Places of the phases of `vt` that left memory.
    pub(super) vt_places: Vec<Place>,
    pub(super) content: Content,
}

/// Form of a file, as needed by checks of its data set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    Json,
    Text,
    /// Only blanks.
    Blank,
}

impl Checked {
    pub(super) fn new(
        file: &RankFile,
        n_ranks: Option<u64>,
        checks: Validation,
        scratch: &mut Scratch,
    ) -> Self {
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
                } else if validated.is_empty {
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
    pub(super) fn park(&mut self, parking: &Parking) -> Result<(), ReadError> {
        let rows = self.rows.as_mut().map(|rows| parking.park(&mut rows.phases)).transpose();
        self.row_places = rows.map_err(ReadError::Temporary)?.unwrap_or_default();
        let vt = self.vt.as_mut().map(|vt| parking.park(&mut vt.phases)).transpose();
        self.vt_places = vt.map_err(ReadError::Temporary)?.unwrap_or_default();
        Ok(())
    }

    /// Returns the rows, if the file could be read.
    pub(super) fn stored_rows(&self) -> Option<StoredRows<'_>> {
        Some(StoredRows { file: self.rows.as_ref()?, places: &self.row_places })
    }
}
