// SPDX-License-Identifier: MIT OR Apache-2.0
//! Text form of older vt ("processor statistics"): one record per line, without metadata.
//!
//! ```text
//! <phase>, <object>, <seconds> [[,] <number of subphases>[,] '[' <seconds> .. ']']
//! <phase>, <receiver>, <sender>, <bytes>, <communication type 1..6>
//! ```
//!
//! Blanks are optional. So are the commas around the number of subphases, which the documentation of the format
//! omits, and the commas between subphases. Every object is migratable, and every communication is one message. Its
//! type determines whether an endpoint is the number of an object or of a rank.

mod as_json;
mod cursor;
mod print;
mod read;

use crate::rows::{CommunicationKind, Endpoint, EndpointKind, NONE, UNKNOWN};
use crate::{Span, VomError};
use cursor::{Cursor, LineFault, fault};

pub use as_json::text_as_json;
pub use print::{LoadLine, print_communication_line, print_load_line};
pub(crate) use read::read;

/// Content of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Record<'a> {
    Load { object: u64, load: f64, subphases: Subphases<'a> },
    Communication { to: u64, from: u64, bytes: f64, kind: CommunicationKind },
}

/// Text between the brackets of a load line, checked against the stated number of subphases.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Subphases<'a>(&'a [u8]);

impl<'a> Subphases<'a> {
    /// True if there are no subphases.
    pub(crate) fn is_empty(self) -> bool {
        self.times().next().is_none()
    }

    /// Returns the times in seconds.
    pub(crate) fn times(self) -> impl Iterator<Item = f64> + 'a {
        let mut cursor = Cursor::new(self.0);
        std::iter::from_fn(move || {
            cursor.skip_separators();
            cursor.peek()?;
            cursor.magnitude("").ok()
        })
    }
}

/// Line that is not blank: its span, and its phase and record or else its error.
pub(crate) type Line<'a> = (Span, Result<(u64, Record<'a>), VomError>);

/// Iterates over the lines of a document in order, except blank lines.
pub(crate) fn lines(document: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let (mut start, mut number) = (0, 0);
    let mut ends = memchr::memchr_iter(b'\n', document).chain([document.len()]);
    std::iter::from_fn(move || {
        let end = ends.next()?;
        let line = &document[start..end];
        let span = Span { start: start as u32, end: end as u32 };
        start = end + 1;
        number += 1;
        Some((number, span, line))
    })
    .filter(|(_, _, line)| !line.trim_ascii().is_empty())
    .map(|(number, span, line)| (span, parse_line(line).map_err(|fault| fault.in_line(number, line))))
}

/// Iterates over the errors of a text document: the first error of each line.
pub fn text_faults(document: &[u8]) -> impl Iterator<Item = VomError> + '_ {
    lines(document).filter_map(|(_, record)| record.err())
}

/// True if the bytes have the text form or probably should: the first line is printable and begins with a number and a
/// comma. In files of 5 bytes or more, a digit, a sign or `#` at the beginning suffices in place of the number and the
/// comma. No JSON object or array begins like this, and hardly any brotli stream does.
pub(crate) fn looks_like_text(raw: &[u8]) -> bool {
    /// Length in bytes of the shortest brotli stream that can hold a document.
    const SHORTEST: usize = 5;
    let raw = raw.trim_ascii_start();
    // This test of the first byte comes first, because the first line of a JSON document may be the whole document.
    if !raw.first().is_some_and(|byte| byte.is_ascii_digit() || b"+-#".contains(byte)) {
        return false;
    }
    let line = &raw[..memchr::memchr(b'\n', raw).unwrap_or(raw.len())];
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let has_comma = digits > 0 && line[digits..].trim_ascii_start().starts_with(b",");
    (has_comma || raw.len() >= SHORTEST)
        && line.iter().all(|&byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace())
}

/// Largest phase number. Larger numbers cannot stem from a run, and their successors could overflow.
const LAST_PHASE: u64 = 1 << 62;

/// Returns the phase and the record of a line that is not blank.
pub(crate) fn parse_line(line: &[u8]) -> Result<(u64, Record<'_>), LineFault> {
    let mut cursor = Cursor::new(line);
    let has_subphases = memchr::memchr(b'[', line).is_some();
    let n_fields = 1 + memchr::memchr_iter(b',', line).count();
    let start = cursor.at;
    let phase = cursor.unsigned("a phase")?;
    if phase > LAST_PHASE {
        return Err(fault(start, format!("expected a phase of at most 2^62, found {phase}")));
    }
    let record = match n_fields {
        _ if has_subphases => load_with_subphases(&mut cursor)?,
        3 => {
            let (object, load) = object_and_load(&mut cursor)?;
            Record::Load { object, load, subphases: Subphases::default() }
        }
        5 => communication(&mut cursor)?,
        n => {
            let message = format!(
                "expected 3 fields (phase, object, seconds), 5 (phase, receiver, sender, bytes, type) or \
                 subphases in brackets, found {n}"
            );
            return Err(fault(0, message));
        }
    };
    cursor.end()?;
    Ok((phase, record))
}

fn object_and_load(cursor: &mut Cursor<'_>) -> Result<(u64, f64), LineFault> {
    cursor.expect(b',')?;
    let object = cursor.unsigned("the number of an object")?;
    cursor.expect(b',')?;
    let load = cursor.magnitude("a time in seconds")?;
    Ok((object, load))
}

fn load_with_subphases<'a>(cursor: &mut Cursor<'a>) -> Result<Record<'a>, LineFault> {
    let (object, load) = object_and_load(cursor)?;
    cursor.pass(b',');
    cursor.blanks();
    let start = cursor.at;
    let announced = cursor.unsigned("the number of subphases")?;
    cursor.pass(b',');
    cursor.expect(b'[')?;
    let inside = cursor.at;
    let mut n: u64 = 0;
    loop {
        cursor.skip_separators();
        match cursor.peek() {
            Some(b']') => break,
            None => return Err(cursor.fault("expected `]` after the subphases, found the end of the line")),
            Some(_) => {
                cursor.magnitude("the time of a subphase in seconds")?;
                n += 1;
            }
        }
    }
    if n != announced {
        let message = format!("the number of subphases is {announced}, but the brackets contain {n}");
        return Err(fault(start, message));
    }
    let subphases = Subphases(&cursor.line[inside..cursor.at]);
    cursor.expect(b']')?;
    Ok(Record::Load { object, load, subphases })
}

fn communication<'a>(cursor: &mut Cursor<'a>) -> Result<Record<'a>, LineFault> {
    cursor.expect(b',')?;
    cursor.blanks();
    let start_of_to = cursor.at;
    let to = cursor.unsigned("the number of the receiver")?;
    cursor.expect(b',')?;
    cursor.blanks();
    let start_of_from = cursor.at;
    let from = cursor.unsigned("the number of the sender")?;
    cursor.expect(b',')?;
    let bytes = cursor.magnitude("a number of bytes")?;
    cursor.expect(b',')?;
    cursor.blanks();
    let start = cursor.at;
    let number = cursor.unsigned("a communication type")?;
    let kind = kind_of_number(number).ok_or_else(|| {
        fault(start, format!("unknown communication type {number}; the text form has types 1 to 6"))
    })?;
    let ends = [(to, kind.receiver_is_rank(), start_of_to), (from, kind.sender_is_rank(), start_of_from)];
    let wrong = ends.into_iter().find(|&(number, is_rank, _)| is_rank && number >= u64::from(UNKNOWN));
    if let Some((rank, _, start)) = wrong {
        let message = format!(
            "this endpoint of a communication of type {} must be a rank, but {rank} is not a valid rank",
            kind.name()
        );
        return Err(fault(start, message));
    }
    Ok(Record::Communication { to, from, bytes, kind })
}

/// Kinds of communication in the text form, numbered from 1.
const KINDS: &[CommunicationKind] = CommunicationKind::NAMED.split_at(6).0;

fn kind_of_number(number: u64) -> Option<CommunicationKind> {
    KINDS.get(usize::try_from(number.checked_sub(1)?).ok()?).copied()
}

fn number_of_kind(kind: CommunicationKind) -> Option<usize> {
    KINDS.iter().position(|&known| known == kind).map(|position| position + 1)
}

/// Returns the endpoint with this number. The homes of objects are unknown until all files are read.
fn endpoint(id: u64, is_rank: bool) -> Endpoint {
    let (kind, home) = if is_rank { (EndpointKind::Node, NONE) } else { (EndpointKind::Object, UNKNOWN) };
    Endpoint { id, home, kind, is_sequence: false, migratable: !is_rank, states_migratable: false }
}
