// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can be wrong with one file.

use std::fmt;

use thiserror::Error;

/// Why a file could not be read. The caller adds the name of the file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum VomError {
    /// Nothing but white space.
    #[error("the file is empty")]
    Empty,
    /// The decompressed document exceeds 4 GiB.
    #[error("the document is larger than 4 GiB, which no single rank's file should be")]
    TooLarge,
    /// A brotli stream that unfolds to much more than data do, and holds none.
    #[error(
        "the brotli stream of {bytes} B unfolds to {length} B and more with hardly a value among them; no data do that, so \
         it is damaged or was made to exhaust memory; write the file again"
    )]
    Inflated {
        /// Length of the stream.
        bytes: usize,
        /// Length of the document as far as it was looked at.
        length: usize,
    },
    /// A large document that looks back further than brotli's standard allows.
    #[error(
        "the brotli stream has a window of more than 16 MiB, which vt does not read either; compress the file without \
         `--large_window`"
    )]
    LargeWindow,
    /// The system refuses the memory.
    #[error(
        "reading the file takes {bytes} B of memory or more, which the system refuses; raise the limit (`ulimit -v`) or \
         use a machine with more"
    )]
    NoMemory {
        /// Memory for this file, at least.
        bytes: usize,
    },
    /// Something behind the end of a brotli stream.
    #[error(
        "something stands behind the end of the brotli stream ({bytes} B); was it appended to the file? \
         Copy or write the file again"
    )]
    BehindBrotli {
        /// How many bytes.
        bytes: usize,
    },
    /// A brotli stream that ends early or is damaged. How far it could be decompressed depends on the memory that
    /// was there, so that nothing is said of it.
    #[error("the brotli stream is damaged or ends early; copy the file again")]
    TruncatedBrotli,
    /// Compressed with gzip.
    #[error(
        "the file is compressed with gzip, which vt does not read either; decompress it with gunzip, or use brotli"
    )]
    Gzip,
    /// Neither of the known encodings.
    #[error(
        "the file is neither JSON nor brotli nor lines of text (it starts with byte {first_byte:#04x}); is it an LB data \
         file, and whole?"
    )]
    UnknownContent {
        /// The first byte of the file.
        first_byte: u8,
    },
    /// Not UTF-8.
    #[error("line {}, column {}: the text is not UTF-8", .0.line, .0.column)]
    NotUtf8(Position),
    /// Not JSON.
    #[error("line {}, column {}: {message}", position.line, position.column)]
    Syntax {
        /// Where the parser gave up.
        position: Position,
        /// What it says.
        message: String,
    },
    /// JSON, but not what the format asks for.
    #[error("line {}, column {}, at {pointer}: {message}", position.line, position.column)]
    Content {
        /// Where the value stands.
        position: Position,
        /// JSON pointer of the value.
        pointer: String,
        /// What was expected and what was found.
        message: String,
    },
}

/// Line and column in a document, counted from one; columns are characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
}

impl Position {
    /// The position of a byte offset in a document.
    pub(crate) fn at(text: &[u8], offset: usize) -> Self {
        let before = &text[..offset.min(text.len())];
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
        Position {
            line: 1 + memchr::memchr_iter(b'\n', before).count(),
            column: 1 + String::from_utf8_lossy(&before[line_start..]).chars().count(),
        }
    }

    /// The position of a line and a column in bytes, both from 1, as `serde_json` counts.
    pub(crate) fn of_byte_column(text: &[u8], line: usize, column: usize) -> Self {
        let newline = line.checked_sub(2).and_then(|nth| memchr::memchr_iter(b'\n', text).nth(nth));
        let line_start = newline.map_or(0, |newline| newline + 1);
        Position::at(text, line_start + column.saturating_sub(1))
    }
}

/// One step of a JSON pointer, gathered while an error travels outwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Key(String),
    Index(usize),
}

/// An error on its way out of the walk. Boxed: it is rare and large, and results are passed for every number.
#[derive(Clone, Debug)]
pub(crate) struct Mismatch(Box<Fault>);

#[derive(Clone, Debug)]
struct Fault {
    /// Byte offset of the value.
    offset: u32,
    message: String,
    /// Filled from the inside: innermost step first.
    path: Vec<Step>,
}

impl Mismatch {
    pub(crate) fn new(offset: u32, message: String) -> Self {
        Mismatch(Box::new(Fault { offset, message, path: Vec::new() }))
    }

    /// The same error, seen from the container that holds the value at `step`.
    #[cold]
    pub(crate) fn inside(mut self, step: Step) -> Self {
        self.0.path.push(step);
        self
    }

    /// The offset of the value, the JSON pointer to it from the outermost container so far, and what is wrong.
    pub(crate) fn parts(&self) -> (u32, String, &str) {
        let pointer = if self.0.path.is_empty() { String::new() } else { Pointer(&self.0.path).to_string() };
        (self.0.offset, pointer, &self.0.message)
    }

    pub(crate) fn into_error(self, text: &[u8]) -> VomError {
        VomError::Content {
            position: Position::at(text, self.0.offset as usize),
            pointer: Pointer(&self.0.path).to_string(),
            message: self.0.message,
        }
    }
}

struct Pointer<'a>(&'a [Step]);

impl fmt::Display for Pointer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("the top of the document");
        }
        self.0.iter().rev().try_for_each(|step| match step {
            Step::Key(key) => write!(f, "/{}", escaped(key)),
            Step::Index(index) => write!(f, "/{index}"),
        })
    }
}

/// A key as part of a JSON pointer.
pub(crate) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
