// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reader of documents of the usual form, straight from a structural index into rows.
//!
//! The index is made chunk by chunk while the document is read, so it takes no memory worth mentioning. Of phases that are
//! not selected, only the numbers are read. Everything unusual is left to the
//! [tape](crate::parse): errors, escapes, characters beyond ASCII in phases, metadata after the phases, repeated keys.

mod cursor;
mod number;
mod record;

use rustc_hash::FxHashSet;
use simd_json::{Buffers, Tape};

use crate::metadata;
use crate::rows::LAST_PHASE;
use crate::walker::Walker;
use crate::{FileParts, FileRows, Metadata};
use cursor::Cursor;

/// Memory that is reused from file to file.
#[derive(Default)]
pub(crate) struct DirectReader {
    metadata: Vec<u8>,
    buffers: Buffers,
}

impl DirectReader {
    /// Reads a document. Returns `None` if the document is unusual or wrong; it must then be read with the tape.
    pub(crate) fn read(&mut self, text: &[u8], selection: FileParts<'_>) -> Option<FileRows> {
        if selection.records || selection.indices {
            return None;
        }
        let mut file = FileRows::default();
        let mut head = Head { has_type: false, metadata: None, has_phases: false };
        let mut at = skip_blanks(text, 0);
        (text.get(at) == Some(&b'{')).then_some(())?;
        at = skip_blanks(text, at + 1);
        loop {
            let (key, after) = key(text, at)?;
            at = match key {
                b"metadata" if head.metadata.is_none() && !head.has_phases => {
                    self.metadata(text, after, &mut file, &mut head)?
                }
                b"phases" if !std::mem::replace(&mut head.has_phases, true) => {
                    walk_phases(text, after, selection, &mut file)?
                }
                b"type" if !std::mem::replace(&mut head.has_type, true) => {
                    let (name, after) = string(text, after)?;
                    (name != metadata::STATISTICS.as_bytes()).then_some(after)?
                }
                _ => return None,
            };
            at = skip_blanks(text, at);
            match text.get(at)? {
                b',' => at = skip_blanks(text, at + 1),
                b'}' => break,
                _ => return None,
            }
        }
        let is_whole = skip_blanks(text, at + 1) == text.len();
        (is_whole && head.has_phases).then_some(())?;
        for phase in &mut file.phases {
            let stated = file.metadata.rank_working_bytes.get(&phase.id);
            phase.rank_working_bytes = stated.copied().unwrap_or(phase.rank_working_bytes);
        }
        file.generation = file.generation(head.has_type || head.metadata == Some(true));
        Some(file)
    }

    /// Reads the metadata with a tape of their own, and returns the offset after them.
    fn metadata(&mut self, text: &[u8], start: usize, file: &mut FileRows, head: &mut Head) -> Option<usize> {
        let end = end_of_small(text, start)?;
        let value = &text[start..end];
        self.metadata.clear();
        self.metadata.extend_from_slice(value);
        self.metadata.resize(value.len() + simd_json::INPUT_PADDING, 0);
        let mut tape = Tape(Vec::new()).reset();
        simd_json::fill_tape_padded(&mut self.metadata, value.len(), &mut self.buffers, &mut tape).ok()?;
        let walker = Walker::<false>::new(&tape.0, &[]);
        file.metadata = Metadata::walk(&mut { walker }, None).ok()?;
        head.metadata = Some(metadata::says_what_it_is(walker));
        Some(end)
    }
}

/// Reads the phases, and returns the offset after them.
fn walk_phases(text: &[u8], start: usize, selection: FileParts<'_>, file: &mut FileRows) -> Option<usize> {
    let is_selected = selection.phases;
    let repeats = !file.metadata.identical_to_previous.is_empty();
    let mut seen = FxHashSet::default();
    let mut cursor = Cursor::new(text, start);
    cursor.array(|cursor| {
        // vt writes the number of a phase after its communications. Most phases have the number that follows the
        // previous one, so the number need not be searched in advance.
        let likely = file.phase_ids.last().map_or(0, |&last| last + 1);
        let id = if is_selected(likely) {
            let phase = record::walk_phase(cursor, selection.subphases)?;
            let id = phase.id;
            if is_selected(id) {
                file.phases.push(phase);
            }
            id
        } else {
            let start = cursor.next_offset()?;
            let id = phase_id(cursor)?;
            if is_selected(id) {
                file.phases.push(record::walk_phase(&mut Cursor::new(text, start), selection.subphases)?);
            }
            id
        };
        // A selected phase may repeat one that is not selected.
        if !seen.insert(id) || repeats && !is_selected(id) {
            return None;
        }
        file.phase_ids.push(id);
        Some(())
    })?;
    Some(cursor.offset())
}

/// Members of the document that were read.
struct Head {
    has_type: bool,
    /// True if the metadata indicate a generation; `None` without metadata.
    metadata: Option<bool>,
    has_phases: bool,
}

/// Passes over a phase and returns its number.
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

/// Returns the offset of the next byte that is not white space.
fn skip_blanks(text: &[u8], at: usize) -> usize {
    let blanks = text.get(at..).unwrap_or_default();
    at + blanks.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count()
}

/// Returns a key and the offset of its value.
fn key(text: &[u8], at: usize) -> Option<(&[u8], usize)> {
    let (key, after) = string(text, at)?;
    let colon = skip_blanks(text, after);
    (text.get(colon) == Some(&b':')).then(|| (key, skip_blanks(text, colon + 1)))
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
