// SPDX-License-Identifier: MIT OR Apache-2.0
//! Findings of the check of a file, which does not stop at the first error.

use std::fmt;

use crate::Position;

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The file is invalid.
    Error,
    /// The file is valid, but the user should know the finding.
    Warning,
}

/// Finding of a check. Displayed as the text after the file name in messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Severity of the finding.
    pub severity: Severity,
    /// Position in the document; `None` for a finding about the whole file.
    pub position: Option<Position>,
    /// JSON pointer of the value, empty for the whole document; `None` if the file is not valid JSON or the finding
    /// is about the whole file.
    pub pointer: Option<String>,
    /// Short description of the expected value, if any.
    pub expected: Option<String>,
    /// Short description of the found value, if any.
    pub found: Option<String>,
    /// Complete description of the problem, and of the remedy if any.
    pub message: String,
}

impl Finding {
    /// Creates an error about a whole file.
    pub fn error(message: String) -> Self {
        let severity = Severity::Error;
        Finding { severity, position: None, pointer: None, expected: None, found: None, message }
    }

    /// Returns this finding with the severity of a warning.
    #[must_use]
    pub fn as_warning(self) -> Self {
        Finding { severity: Severity::Warning, ..self }
    }

    /// Returns this finding with a position and a JSON pointer.
    #[must_use]
    pub fn at(self, position: Position, pointer: String) -> Self {
        Finding { position: Some(position), pointer: Some(pointer), ..self }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Position { line, column }) = self.position {
            write!(f, "line {line}, column {column}")?;
            match self.pointer.as_deref() {
                Some("") => f.write_str(", at the top level of the document")?,
                Some(pointer) => write!(f, ", at {pointer}")?,
                None => {}
            }
            f.write_str(": ")?;
        }
        if self.severity == Severity::Warning {
            f.write_str("warning: ")?;
        }
        f.write_str(&self.message)
    }
}

/// The first errors and the first warnings, and the total numbers of both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// The first errors and warnings.
    pub kept: Vec<Finding>,
    /// Number of all errors, kept or not.
    pub n_errors: usize,
    /// Number of all warnings, kept or not.
    pub n_warnings: usize,
}

impl Findings {
    /// Counts a finding. Creates it only if fewer than `limit` of its severity were added before.
    pub fn add(&mut self, limit: usize, severity: Severity, finding: impl FnOnce() -> Finding) {
        let count = match severity {
            Severity::Error => &mut self.n_errors,
            Severity::Warning => &mut self.n_warnings,
        };
        *count += 1;
        if *count <= limit {
            self.kept.push(finding());
        }
    }

    /// Adds the findings of another check of the same file and sorts all in document order. Keeps the first `limit`
    /// of each severity.
    pub fn merge(&mut self, other: Findings, limit: usize) {
        self.n_errors += other.n_errors;
        self.n_warnings += other.n_warnings;
        self.kept.extend(other.kept);
        self.kept.sort_by_key(|finding| finding.position);
        self.keep(limit, limit);
    }

    /// Keeps at most `limit` findings. Warnings are dropped before errors, and the order remains.
    pub fn shorten(&mut self, limit: usize) {
        self.keep(limit, limit.saturating_sub(self.n_errors));
    }

    fn keep(&mut self, mut n_errors: usize, mut n_warnings: usize) {
        self.kept.retain(|finding| {
            let room = match finding.severity {
                Severity::Error => &mut n_errors,
                Severity::Warning => &mut n_warnings,
            };
            let keep = *room > 0;
            *room = room.saturating_sub(1);
            keep
        });
    }

    /// Returns the number of findings that were not kept.
    pub fn n_more(&self) -> usize {
        self.n_errors + self.n_warnings - self.kept.len()
    }
}
