// SPDX-License-Identifier: MIT OR Apache-2.0
//! Collector of the findings of one traversal of a document. It tracks the path to the current value and converts
//! offsets to lines and columns.

use crate::error::{Mismatch, escaped};
use crate::{DocumentBuffer, Finding, Findings, Position, Severity};

/// Findings of a traversal in progress.
pub(crate) struct Collector<'a, 'r> {
    limit: usize,
    findings: Findings,
    path: Vec<Segment<'a>>,
    positions: Positions<'r>,
}

/// Step of the path from the document to a value.
#[derive(Clone, Copy)]
pub(crate) enum Segment<'a> {
    Key(&'a str),
    Index(usize),
}

impl<'a, 'r> Collector<'a, 'r> {
    /// Creates a collector that keeps the first `limit` findings of each severity. `raw` is the file.
    pub(crate) fn new(raw: &'r [u8], limit: usize) -> Self {
        Collector { limit, findings: Findings::default(), path: Vec::new(), positions: Positions::new(raw) }
    }

    /// True if any error was found.
    pub(crate) fn has_errors(&self) -> bool {
        self.findings.n_errors > 0
    }

    pub(crate) fn into_findings(self) -> Findings {
        self.findings
    }

    /// Runs `walk` with `segment` added to the path of the current value.
    pub(crate) fn inside(&mut self, segment: Segment<'a>, walk: impl FnOnce(&mut Self)) {
        self.path.push(segment);
        walk(self);
        self.path.pop();
    }

    /// Adds a finding for an unexpected value at an offset. `words` is called only if the finding is kept.
    pub(crate) fn unexpected(&mut self, offset: u32, severity: Severity, words: impl FnOnce() -> Unexpected) {
        self.add(severity, offset, || {
            let Unexpected { expected, found, advice } = words();
            let message = format!("expected {expected}, found {found}{advice}");
            Finding { expected: Some(expected), found: Some(found), ..Finding::error(message) }
        });
    }

    /// Adds an error with the given message at an offset.
    pub(crate) fn error(&mut self, offset: u32, message: impl FnOnce() -> String) {
        self.finding(Severity::Error, offset, message);
    }

    /// Adds a warning at an offset.
    pub(crate) fn warning(&mut self, offset: u32, message: impl FnOnce() -> String) {
        self.finding(Severity::Warning, offset, message);
    }

    /// Adds an error or a warning at an offset.
    pub(crate) fn finding(&mut self, severity: Severity, offset: u32, message: impl FnOnce() -> String) {
        self.add(severity, offset, || Finding::error(message()));
    }

    /// Adds the error that stopped a traversal, at its position.
    pub(crate) fn mismatch(&mut self, mismatch: &Mismatch) {
        let (offset, pointer, message) = mismatch.parts();
        self.findings.add(self.limit, Severity::Error, || {
            let pointer = pointer_of(&self.path) + &pointer;
            Finding::error(message.to_owned()).at(self.positions.at(offset as usize), pointer)
        });
    }

    /// Adds a warning about a value that the schema or vt accepts, but lbaf's reader rejects. The message begins with
    /// `fits`: "the schema accepts" or "vt accepts".
    pub(crate) fn unreadable(&mut self, mismatch: &Mismatch, fits: &str) {
        let (offset, pointer, message) = mismatch.parts();
        self.findings.add(self.limit, Severity::Warning, || {
            let pointer = pointer_of(&self.path) + &pointer;
            let message = format!("{fits} this, but lbaf cannot read it: {message}");
            Finding::error(message).as_warning().at(self.positions.at(offset as usize), pointer)
        });
    }

    fn add(&mut self, severity: Severity, offset: u32, finding: impl FnOnce() -> Finding) {
        self.findings.add(self.limit, severity, || {
            let position = self.positions.at(offset as usize);
            Finding { severity, ..finding().at(position, pointer_of(&self.path)) }
        });
    }
}

/// Description of an unexpected value.
pub(crate) struct Unexpected {
    pub(crate) expected: String,
    pub(crate) found: String,
    /// Advice for the user, with a leading semicolon; may be empty.
    pub(crate) advice: String,
}

fn pointer_of(path: &[Segment<'_>]) -> String {
    let mut pointer = String::new();
    for segment in path {
        pointer.push('/');
        match segment {
            Segment::Key(key) => pointer += &escaped(key),
            Segment::Index(index) => pointer += &index.to_string(),
        }
    }
    pointer
}

/// Lines and columns of offsets. Each request scans only the text after the previous offset if offsets ascend, so a
/// document with many errors is scanned once.
pub(crate) struct Positions<'r> {
    raw: &'r [u8],
    /// Unmodified copy of the document, decoded at the first request: parsing unescapes strings in place, which
    /// changes lines and columns.
    text: Option<Vec<u8>>,
    offset: usize,
    position: Position,
}

impl<'r> Positions<'r> {
    const START: Position = Position { line: 1, column: 1 };

    pub(crate) fn new(raw: &'r [u8]) -> Self {
        Positions { raw, text: None, offset: 0, position: Self::START }
    }

    pub(crate) fn at(&mut self, offset: usize) -> Position {
        let text = self.text.get_or_insert_with(|| {
            let mut document = DocumentBuffer::default();
            // An offset is known only after the document was decoded, so decoding succeeds here too.
            let _ = document.decode(self.raw);
            document.into_text()
        });
        let offset = offset.min(text.len());
        if offset < self.offset {
            (self.offset, self.position) = (0, Self::START);
        }
        let mut between = &text[self.offset..offset];
        if let Some(newline) = memchr::memrchr(b'\n', between) {
            self.position.line += memchr::memchr_iter(b'\n', between).count();
            self.position.column = 1;
            between = &between[newline + 1..];
        }
        // Columns count characters. In UTF-8, every byte of a character except the first begins with the bits 10.
        self.position.column += between.iter().filter(|&byte| byte & 0xc0 != 0x80).count();
        self.offset = offset;
        self.position
    }
}
