// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reader of documents of the usual form. It makes rows straight from a structural index, which has the offsets of
//! quotation marks, brackets, colons and commas.
//!
//! The index is made chunk by chunk during reading, so it takes little memory. Of most unselected phases, only the id
//! is read. Unusual documents are left to the slower reader of [`parse`](crate::parse), which makes a tape first: the
//! list of all values of the document. Unusual are, for example, an error, an escape or a character beyond ASCII in a
//! phase that is read, metadata after the phases, other keys at the top level, and repeated keys such as `tasks` or
//! `entity`.

mod cursor;
mod facts;
mod form;
mod number;
mod passage;
mod record;
mod split;

use std::ops::Range;

use rustc_hash::FxHashSet;
use simd_json::{Buffers, Tape};

use crate::metadata;
use crate::rows::{LAST_PHASE, PhaseRows};
use crate::walker::Walker;
use crate::{Field, FileParts, FileRows, Metadata, Span};
use cursor::Cursor;
pub(crate) use passage::Passage;
use passage::skip_blanks;
pub(crate) use split::{Content, Part, split};

/// Memory that is reused from file to file.
#[derive(Default)]
pub(crate) struct DirectReader {
    metadata: Vec<u8>,
    buffers: Buffers,
}

impl DirectReader {
    /// Reads a document. Returns `None` for an unusual or invalid document, and if indices are selected. The document
    /// must then be read with the tape. If records are selected, the passage must be the whole document.
    pub(crate) fn read(&mut self, mut text: Passage<'_>, selection: FileParts<'_>) -> Option<DirectlyRead> {
        let places = selection.records;
        if !is_direct(selection) {
            return None;
        }
        let mut file = FileRows::default();
        let mut head = Head { has_type: false, metadata: None, has_phases: false };
        (text.take()? == b'{').then_some(())?;
        loop {
            let key = text.small(key)?;
            text.peek()?;
            let start = text.offset();
            match key {
                Key::Metadata if head.metadata.is_none() && !head.has_phases => {
                    let says_what_it_is =
                        text.small(|text, start| self.metadata(text, start, places, &mut file))?;
                    head.metadata = Some(says_what_it_is);
                }
                Key::Phases if !std::mem::replace(&mut head.has_phases, true) => {
                    let may_stop = text.is_stream() && (head.has_type || head.metadata == Some(true));
                    walk_phases(&mut text, may_stop, selection, &mut file)?;
                    if file.is_partial {
                        break;
                    }
                }
                Key::Type if !std::mem::replace(&mut head.has_type, true) => {
                    let is_statistics = text.small(|text, start| {
                        let (name, after) = string(text, start)?;
                        Some((name == metadata::STATISTICS.as_bytes(), after))
                    })?;
                    (!is_statistics).then_some(())?;
                }
                _ => return None,
            }
            if places {
                file.fields.push(Field { key: key.name().to_owned(), value: span(start..text.offset())? });
            }
            match text.take()? {
                b',' => {}
                b'}' => break,
                _ => return None,
            }
        }
        (head.has_phases && (file.is_partial || text.is_at_end())).then_some(())?;
        file.state_rank_bytes();
        file.generation = file.generation(head.has_type || head.metadata == Some(true));
        Some(DirectlyRead { rows: file, document_bytes: text.n_decompressed() })
    }

    /// Reads the metadata with a separate tape, and their members if `places`. Returns the offset after them, and true
    /// if they indicate a generation of the format.
    fn metadata(
        &mut self,
        text: &[u8],
        start: usize,
        places: bool,
        file: &mut FileRows,
    ) -> Option<(bool, usize)> {
        let end = end_of_small(text, start)?;
        let value = &text[start..end];
        self.metadata.clear();
        self.metadata.extend_from_slice(value);
        self.metadata.resize(value.len() + simd_json::INPUT_PADDING, 0);
        let mut tape = Tape(Vec::new()).reset();
        simd_json::fill_tape_padded(&mut self.metadata, value.len(), &mut self.buffers, &mut tape).ok()?;
        let walker = Walker::<false>::new(&tape.0, &[]);
        file.metadata = if places {
            let mut placed = Walker::<true>::new(&tape.0, self.buffers.structural_indexes());
            let metadata = Metadata::walk(&mut placed, Some(&mut file.metadata_fields)).ok()?;
            for Field { value, .. } in &mut file.metadata_fields {
                *value = span(start + value.start as usize..start + value.end as usize)?;
            }
            metadata
        } else {
            Metadata::walk(&mut { walker }, None).ok()?
        };
        Some((metadata::says_what_it_is(walker), end))
    }
}

/// True if these parts of a file can be read without a tape.
pub(crate) fn is_direct(selection: FileParts<'_>) -> bool {
    !selection.indices
}

/// Largest gap between phases that is checked for selected phases.
const MOST_BETWEEN: u64 = 1_000_000;

/// Reads the phases. With `may_stop`, stops at a number of at least [`FileParts::last`] if every smaller selected number
/// was read or is declared in the metadata.
fn walk_phases(
    text: &mut Passage<'_>,
    may_stop: bool,
    selection: FileParts<'_>,
    file: &mut FileRows,
) -> Option<()> {
    let is_selected = selection.phases;
    let repeats = !file.metadata.identical_to_previous.is_empty();
    let mut seen = FxHashSet::default();
    let declared = &file.metadata;
    let is_declared = |id| declared.skipped.contains(id) || declared.identical_to_previous.contains(id);
    let (mut next, mut may_stop) = (0, may_stop);
    (text.take()? == b'[').then_some(())?;
    if text.peek()? == b']' {
        return text.take().map(|_| ());
    }
    loop {
        // vt writes the number of a phase after its communications, but most numbers are the previous number plus 1. If
        // this likely number is selected, the phase is read at once, without a search for its actual number.
        let previous = file.phase_ids.last().copied();
        let likely = previous.map_or(0, |last| last + 1);
        let (id, phase) = text.value(|text, start| walk_selected(text, start, likely, selection))?;
        file.phases.extend(phase);
        // Left to the tape: a repeated number, and an unselected phase that a selected phase may repeat.
        if !seen.insert(id) || repeats && !is_selected(id) {
            return None;
        }
        file.phase_ids.push(id);
        if let Some(last) = selection.last.filter(|_| may_stop && next <= id) {
            // A missing selected phase may follow.
            let mut between = next..id.min(last.saturating_add(1));
            may_stop = between.end.saturating_sub(next) <= MOST_BETWEEN
                && between.all(|id| !is_selected(id) || is_declared(id));
            if may_stop && last <= id {
                file.is_partial = true;
                return Some(());
            }
            next = id + 1;
        }
        match text.take()? {
            b',' => {}
            b']' => return Some(()),
            _ => return None,
        }
    }
}

/// Returns the number of the phase at `start`, its rows if it is selected, and the offset after it. `likely` is its
/// probable number.
fn walk_selected(
    text: &[u8],
    start: usize,
    likely: u64,
    selection: FileParts<'_>,
) -> Option<((u64, Option<PhaseRows>), usize)> {
    let is_selected = selection.phases;
    let mut cursor = Cursor::new(text, start);
    if !is_selected(likely) {
        let id = phase_id(&mut cursor)?;
        if !is_selected(id) {
            return Some(((id, None), cursor.offset()));
        }
        cursor = Cursor::new(text, start);
    }
    let phase = record::walk_phase(&mut cursor, selection)?;
    Some(((phase.id, Some(phase).filter(|phase| is_selected(phase.id))), cursor.offset()))
}

/// Result of reading a document.
pub(crate) struct DirectlyRead {
    pub(crate) rows: FileRows,
    /// Size in bytes of the document, or of its decompressed part if the rest was not read.
    pub(crate) document_bytes: usize,
}

/// Members of the document that were read.
struct Head {
    has_type: bool,
    /// True if the metadata indicate a generation; `None` without metadata.
    metadata: Option<bool>,
    has_phases: bool,
}

/// Skips a phase and returns its number.
fn phase_id(cursor: &mut Cursor<'_>) -> Option<u64> {
    let mut id = None;
    cursor.members(|cursor, key| {
        if key == b"id" && id.replace(cursor.unsigned()?).is_some() {
            return None;
        }
        Some(key == b"id")
    })?;
    id.filter(|&id| id <= LAST_PHASE)
}

/// Known key of the document.
#[derive(Clone, Copy)]
enum Key {
    Metadata,
    Phases,
    Type,
    Other,
}

impl Key {
    fn name(self) -> &'static str {
        match self {
            Key::Metadata => "metadata",
            Key::Phases => "phases",
            Key::Type => "type",
            Key::Other => "",
        }
    }
}

/// Returns a key and the offset of its value.
fn key(text: &[u8], at: usize) -> Option<(Key, usize)> {
    let (key, after) = string(text, at)?;
    let colon = skip_blanks(text, after);
    let key = match key {
        b"metadata" => Key::Metadata,
        b"phases" => Key::Phases,
        b"type" => Key::Type,
        _ => Key::Other,
    };
    (text.get(colon) == Some(&b':')).then_some((key, colon + 1))
}

/// Returns a range of the document as a span; `None` beyond the longest document.
fn span(range: Range<usize>) -> Option<Span> {
    Some(Span { start: u32::try_from(range.start).ok()?, end: u32::try_from(range.end).ok()? })
}

/// Returns a string of printable ASCII without escapes, and the offset after it.
fn string(text: &[u8], at: usize) -> Option<(&[u8], usize)> {
    let content = text.get(at..)?.strip_prefix(b"\"")?;
    let length = content.iter().position(|&byte| byte == b'"')?;
    let content = &content[..length];
    let is_plain = content.iter().all(|&byte| byte.is_ascii_graphic() && byte != b'\\' || byte == b' ');
    is_plain.then_some((content, at + length + 2))
}

/// Returns the offset after an object or array, found byte by byte. Strings may contain escapes.
fn end_of_small(text: &[u8], start: usize) -> Option<usize> {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for (at, &byte) in text.iter().enumerate().skip(start) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => depth += 1,
            b'}' | b']' if !in_string => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}
