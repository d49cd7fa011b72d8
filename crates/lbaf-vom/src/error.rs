// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors in a single file.

use std::fmt;

use thiserror::Error;

/// Reason why a file could not be read. The caller adds the name of the file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum VomError {
    /// The file has no bytes or contains only white space.
    #[error("the file is empty")]
    Empty,
    /// The text form of a file takes more than 2 GiB as JSON.
    #[error("the text form takes more than 2 GiB as JSON, the limit for the file of one rank")]
    TextTooLarge,
    /// The document, after decompression, exceeds 4 GiB.
    #[error("the document is larger than 4 GiB, the limit for the file of one rank")]
    TooLarge,
    /// The brotli stream expands by a far larger factor than recorded data do, and the document contains hardly any
    /// values.
    #[error(
        "the brotli stream of {bytes} B expands to {length} B or more and contains hardly any values; it is damaged or \
             was made to exhaust memory; write the file again"
    )]
    Inflated {
        /// Length of the stream.
        bytes: usize,
        /// Number of document bytes up to the point where decompression stopped.
        length: usize,
    },
    /// The brotli stream expands by a far larger factor than recorded data do, and the document nests deeper than the
    /// parser accepts.
    #[error(
        "the brotli stream of {bytes} B expands to {length} B or more and nests more than 1024 levels deep; it is damaged \
             or was made to exhaust memory; write the file again"
    )]
    DeeplyNested {
        /// Length of the stream.
        bytes: usize,
        /// Number of document bytes up to the point where decompression stopped.
        length: usize,
    },
    /// The brotli stream of a large document requires a larger window than the standard allows.
    #[error(
        "the brotli stream has a window of more than 16 MiB; vt cannot read it either; compress the file without \
         `--large_window`"
    )]
    LargeWindow,
    /// The system refuses the memory that reading the file needs.
    #[error(
        "reading the file needs at least {bytes} B of memory, which the system refuses; raise the limit (`ulimit -v`) or \
             use a machine with more memory"
    )]
    NoMemory {
        /// Lower bound on the required memory.
        bytes: usize,
    },
    /// Bytes follow the end of a brotli stream.
    #[error(
        "trailing data after the brotli stream ({bytes} B); data may have been appended to the file; copy or write the \
             file again"
    )]
    TrailingData {
        /// Number of trailing bytes.
        bytes: usize,
    },
    /// The brotli stream ends early or is damaged. The number of decompressed bytes is left out, because it depends
    /// on memory from earlier streams.
    #[error("the brotli stream is damaged or ends early; copy the file again")]
    TruncatedBrotli,
    /// The file is compressed with gzip.
    #[error(
        "the file is compressed with gzip; vt cannot read it either; decompress it with gunzip, or use brotli"
    )]
    Gzip,
    /// The file has none of the known encodings.
    #[error(
        "the file is neither JSON nor brotli nor lines of text (its first byte is {first_byte:#04x}); check that it is a \
             complete LB data file"
    )]
    UnknownContent {
        /// The first byte of the file.
        first_byte: u8,
    },
    /// The text is not valid UTF-8.
    #[error("line {}, column {}: the text is not valid UTF-8", .0.line, .0.column)]
    NotUtf8(Position),
    /// The text is not valid JSON, exceeds a limit of the JSON parser, or has an invalid line of the text form.
    #[error("line {}, column {}: {message}", position.line, position.column)]
    Syntax {
        /// Position of the error.
        position: Position,
        /// Message of the parser.
        message: String,
    },
    /// The document is valid JSON but does not conform to the format.
    #[error("line {}, column {}, at {pointer}: {message}", position.line, position.column)]
    Content {
        /// Position of the value.
        position: Position,
        /// JSON pointer of the value.
        pointer: String,
        /// Description of the deviation, usually the expected and the found value.
        message: String,
    },
}

/// Line and column in a document, both counted from 1. Columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
}

impl Position {
    /// Returns the position of a byte offset in a document.
    pub(crate) fn at(text: &[u8], offset: usize) -> Self {
        let before = &text[..offset.min(text.len())];
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
        Position {
            line: 1 + memchr::memchr_iter(b'\n', before).count(),
            column: 1 + String::from_utf8_lossy(&before[line_start..]).chars().count(),
        }
    }

    /// Returns the position of a line and a byte column, both counted from 1 as in `serde_json`.
    pub(crate) fn of_byte_column(text: &[u8], line: usize, column: usize) -> Self {
        let newline = line.checked_sub(2).and_then(|nth| memchr::memchr_iter(b'\n', text).nth(nth));
        let line_start = newline.map_or(0, |newline| newline + 1);
        Position::at(text, line_start + column.saturating_sub(1))
    }
}

/// One step of a JSON pointer, collected while an error propagates outwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Key(String),
    Index(usize),
}

/// Error that ends a traversal. Boxed to keep results small: every number returns one, and errors are rare.
#[derive(Clone, Debug)]
pub(crate) struct Mismatch(Box<Fault>);

#[derive(Clone, Debug)]
struct Fault {
    /// Byte offset of the value.
    offset: u32,
    message: String,
    /// JSON pointer in reverse: innermost step first.
    path: Vec<Step>,
}

impl Mismatch {
    pub(crate) fn new(offset: u32, message: String) -> Self {
        Mismatch(Box::new(Fault { offset, message, path: Vec::new() }))
    }

    /// Adds the step from the enclosing container to the value.
    #[cold]
    pub(crate) fn inside(mut self, step: Step) -> Self {
        self.0.path.push(step);
        self
    }

    /// Returns the offset of the value, its JSON pointer, and the message. The pointer begins at the outermost
    /// container from which the error has been returned so far.
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
            return f.write_str("the top level of the document");
        }
        self.0.iter().rev().try_for_each(|step| match step {
            Step::Key(key) => write!(f, "/{}", escaped(key)),
            Step::Index(index) => write!(f, "/{index}"),
        })
    }
}

/// Escapes a key for a JSON pointer.
pub(crate) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
