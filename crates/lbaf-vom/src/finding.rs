// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a check found in a file, all of it and not only the first.

use std::fmt;

use crate::Position;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The file does not do.
    Error,
    /// The file will do, but somebody should know.
    Warning,
}

/// One thing that a check found. It displays as what is behind the name of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// Where it is; nowhere, if it is about the whole file.
    pub position: Option<Position>,
    /// JSON pointer of the value, empty for the whole document; none where there is no document.
    pub pointer: Option<String>,
    /// What should be there, where that can be said in a word.
    pub expected: Option<String>,
    /// What is there.
    pub found: Option<String>,
    /// What is wrong and what to do, in full.
    pub message: String,
}

impl Finding {
    /// An error about a whole file.
    pub fn error(message: String) -> Self {
        let severity = Severity::Error;
        Finding { severity, position: None, pointer: None, expected: None, found: None, message }
    }

    /// The same as a warning.
    #[must_use]
    pub fn as_warning(self) -> Self {
        Finding { severity: Severity::Warning, ..self }
    }

    /// The same at a place.
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
                Some("") => f.write_str(", at the top of the document")?,
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

/// The first errors and the first warnings, and how many there are in all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// The first of them.
    pub kept: Vec<Finding>,
    /// All errors, kept or not.
    pub n_errors: usize,
    /// All warnings, kept or not.
    pub n_warnings: usize,
}

impl Findings {
    /// Adds a finding, which is made only if fewer than `limit` of its severity came before.
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

    /// Adds those of another check of the same file, in the order of the document, and keeps the first `limit`
    /// of each severity.
    pub fn merge(&mut self, other: Findings, limit: usize) {
        self.n_errors += other.n_errors;
        self.n_warnings += other.n_warnings;
        self.kept.extend(other.kept);
        self.kept.sort_by_key(|finding| finding.position);
        self.keep(limit, limit);
    }

    /// Keeps `limit` of them, errors before warnings, still in the order of the document.
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

    /// How many are not kept.
    pub fn n_more(&self) -> usize {
        self.n_errors + self.n_warnings - self.kept.len()
    }
}
