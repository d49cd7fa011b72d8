// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parser from the bytes of a file to rows.

use serde::de::IgnoredAny;

use crate::direct::{self, DirectReader, DirectlyRead, Passage};
use crate::error::Position;
use crate::parts::PartsReader;
use crate::rows::{FileRows, Generation};
use crate::tape::{TapeBuffer, walk_tape};
use crate::text;
use crate::walker::Walked;
use crate::{DocumentBuffer, Encoding, FileParts, VomError};

/// Memory that is reused from file to file, one instance per thread.
#[derive(Default)]
pub struct Scratch {
    pub(crate) document: DocumentBuffer,
    tape: TapeBuffer,
    direct: DirectReader,
    pub(crate) parts: PartsReader,
}

/// Result of parsing a file.
#[derive(Debug)]
pub struct ParsedFile {
    /// Content of the file.
    pub rows: FileRows,
    /// Decompressed document to which the spans of the rows refer; empty if records were not requested.
    pub document: Vec<u8>,
    /// Size of the document in bytes, or of its decompressed part if the rest was not read.
    pub document_bytes: usize,
    /// Encoding of the document.
    pub encoding: Encoding,
}

impl ParsedFile {
    /// Returns the content of an empty file, as in data sets of the text form.
    pub fn empty() -> Self {
        let rows = FileRows { generation: Generation::Text, ..FileRows::default() };
        ParsedFile { rows, document: Vec::new(), document_bytes: 0, encoding: Encoding::Plain }
    }
}

/// Reads an LB data file of any generation, plain or brotli.
///
/// In a text file, the span of a record is that of its line; [`text_as_json`](crate::text_as_json) converts lines to
/// JSON records. Unselected phases may be checked only for brackets, strings and the phase number. Phases after the
/// last selected one may remain unread. If a selected phase is listed as identical to the previous one, the entry that
/// it repeats is read too.
///
/// # Errors
/// If the file cannot be decoded or the document is invalid. An error in a document states line and column. If the
/// document is valid JSON but does not conform to the format, the error also states a JSON pointer.
pub fn parse(raw: &[u8], selection: FileParts<'_>, scratch: &mut Scratch) -> Result<ParsedFile, VomError> {
    if let Some(parsed) = parse_stream(raw, selection, scratch) {
        return Ok(parsed);
    }
    let encoding = scratch.document.decode(raw)?;
    let Scratch { document, direct, parts, .. } = &mut *scratch;
    let document_bytes = document.text().len();
    let rows = if document.is_text() {
        text::read(document.text(), selection)?
    } else if let Some(read) = by_phase(document.text(), selection, direct, parts) {
        read.rows
    } else {
        walk_document(raw, selection, scratch)?
    };
    let document = if selection.records { scratch.document.text().to_vec() } else { Vec::new() };
    Ok(ParsedFile { rows, document, document_bytes, encoding })
}

/// Reads a large brotli file of the usual form phase by phase, without the whole document in memory. Returns `None` for
/// all other files, and if records are selected.
fn parse_stream(raw: &[u8], selection: FileParts<'_>, scratch: &mut Scratch) -> Option<ParsedFile> {
    if selection.records {
        return None;
    }
    let passage = scratch.document.passage(raw)?;
    let Scratch { direct, parts, .. } = scratch;
    let DirectlyRead { rows, document_bytes } = if direct::is_direct(selection) {
        direct.read(passage, selection)?
    } else {
        parts.read(passage, selection)?
    };
    Some(ParsedFile { rows, document: Vec::new(), document_bytes, encoding: Encoding::Brotli })
}

/// Reads a document phase by phase: without a tape, or else with a tape for each phase. Returns `None` for a document
/// that both refuse.
fn by_phase(
    text: &[u8],
    selection: FileParts<'_>,
    direct: &mut DirectReader,
    parts: &mut PartsReader,
) -> Option<DirectlyRead> {
    let read_directly = || direct.read(Passage::whole(text), selection);
    let read = direct::is_direct(selection).then(read_directly).flatten();
    read.or_else(|| parts.read(Passage::whole(text), selection))
}

fn walk_document(raw: &[u8], selection: FileParts<'_>, scratch: &mut Scratch) -> Result<FileRows, VomError> {
    let walk = |nodes: &[simd_json::Node<'_>], structurals: &[u32]| walk_tape(nodes, structurals, selection);
    on_tape(raw, selection.records, scratch, walk)
}

/// Parses the document decoded from `raw` into a tape and passes the tape to `walk`. With `keep_text`, the document
/// is unchanged afterwards.
pub(crate) fn on_tape<T>(
    raw: &[u8],
    keep_text: bool,
    scratch: &mut Scratch,
    walk: impl FnOnce(&[simd_json::Node<'_>], &[u32]) -> Walked<T>,
) -> Result<T, VomError> {
    let Scratch { document, tape, .. } = scratch;
    // Unescaping happens in place, so a document with a backslash is saved if records will be copied from it.
    let escapes = keep_text && memchr::memchr(b'\\', document.text()).is_some();
    let original = escapes.then(|| document.text().to_vec());
    let parsed = tape.fill(document, walk).map_err(|error| (error.index(), in_words(&error)));
    if let Some(original) = original {
        document.put(&original);
    }
    if !matches!(parsed, Ok(Ok(_))) {
        // The position of an error refers to the unmodified text.
        document.decode(raw)?;
    }
    match parsed {
        Ok(walked) => walked.map_err(|mismatch| mismatch.into_error(document.text())),
        Err((offset, message)) => Err(diagnose(document.text(), offset, message)),
    }
}

/// Returns the message of simd-json, except for excessive nesting, where its message addresses developers.
fn in_words(error: &simd_json::Error) -> String {
    match error.error() {
        simd_json::ErrorType::DepthLimitExceeded => "values are nested more than 1024 levels deep".to_owned(),
        _ => error.to_string(),
    }
}

/// Parses a rejected document again with `serde_json`, which locates errors more precisely than simd-json.
#[cold]
fn diagnose(document: &[u8], offset: usize, message: String) -> VomError {
    if let Err(error) = std::str::from_utf8(document) {
        return VomError::NotUtf8(Position::at(document, error.valid_up_to()));
    }
    if let Err(error) = serde_json::from_slice::<IgnoredAny>(document) {
        return VomError::Syntax {
            position: Position::of_byte_column(document, error.line(), error.column()),
            message: if error.is_eof() {
                "the document ends early; copy or write the file again".to_owned()
            } else {
                error.to_string().split(" at line ").next().unwrap_or_default().to_owned()
            },
        };
    }
    // serde_json accepts the document, because it skips numbers without conversion to 64 bits and allows any depth.
    let (start, number) = number_around(document, offset);
    VomError::Syntax {
        position: Position::at(document, start),
        message: if number.is_empty() {
            message
        } else {
            format!("the number {number} does not fit into 64 bits")
        },
    }
}

/// Returns the start of the number that contains `offset` or ends there, and the number; empty if there is none.
fn number_around(document: &[u8], offset: usize) -> (usize, String) {
    let is_part = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    let (before, behind) = document.split_at(offset.min(document.len()));
    let start = before.len() - before.iter().rev().take_while(|byte| is_part(byte)).count();
    let end = before.len() + behind.iter().take_while(|byte| is_part(byte)).count();
    (start, String::from_utf8_lossy(&document[start..end]).into_owned())
}
