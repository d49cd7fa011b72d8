// SPDX-License-Identifier: MIT OR Apache-2.0
//! Split of a document of the usual form at its phases, so that the parser gets one phase at a time.

use super::passage::Passage;
use super::{Key, end_of_small, key, span, string};
use crate::Span;
use crate::structure::{EndOfValue, Search};

/// Part of a document, as a document. Values nest as deeply as in the whole document.
pub(crate) struct Part<'p> {
    pub(crate) text: &'p [u8],
    pub(crate) content: Content<'p>,
}

/// Content of a part.
pub(crate) enum Content<'p> {
    /// A phase alone, and the number of bytes before it in the document that the part lacks.
    Phase(u32),
    /// All members of the document, with an empty list of phases.
    Others(&'p [Member]),
}

/// Member of a document.
pub(crate) struct Member {
    pub(crate) key: &'static str,
    /// Span of the value in the document. The span of a string includes the white space after it.
    pub(crate) value: Span,
    /// Offset of the value in the part.
    pub(crate) start_in_part: u32,
}

const PHASES: &str = "phases";
/// Beginning of a part with a phase. The phase has at least as many bytes before it in the document.
const BEFORE_PHASE: &[u8] = b"{\"phases\":[";

/// Passes parts of a document to `see`: first its phases, then all other members. Returns the length of the document.
///
/// Returns `None` if `see` returns `None`, or if the document is unusual or its parts are not separated as in JSON. The
/// content of the parts is not checked.
pub(crate) fn split(mut text: Passage<'_>, mut see: impl FnMut(Part<'_>) -> Option<()>) -> Option<usize> {
    let mut others = Vec::new();
    let mut members: Vec<Member> = Vec::new();
    (text.take()? == b'{').then_some(())?;
    loop {
        let key = match text.small(key)? {
            Key::Metadata => "metadata",
            Key::Type => "type",
            Key::Phases => PHASES,
            Key::Other => return None,
        };
        others.push(if others.is_empty() { b'{' } else { b',' });
        others.extend([b"\"", key.as_bytes(), b"\":"].concat());
        text.peek()?;
        let (start, start_in_part) = (text.offset(), u32::try_from(others.len()).ok()?);
        if key == PHASES {
            members.iter().all(|member| member.key != PHASES).then_some(())?;
            split_phases(&mut text, &mut see)?;
            others.extend(b"[]");
        } else {
            text.small(|text, start| {
                let end = end_of_small(text, start).or_else(|| Some(string(text, start)?.1))?;
                others.extend(&text[start..end]);
                Some(((), end))
            })?;
        }
        let after_value = text.offset();
        text.peek()?;
        let end = if others.ends_with(b"\"") { text.offset() } else { after_value };
        members.push(Member { key, value: span(start..end)?, start_in_part });
        match text.take()? {
            b',' => {}
            b'}' => break,
            _ => return None,
        }
    }
    others.push(b'}');
    let has_phases = members.iter().any(|member| member.key == PHASES);
    (has_phases && text.is_at_end()).then_some(())?;
    see(Part { text: &others, content: Content::Others(&members) })?;
    Some(text.n_decompressed())
}

fn split_phases(text: &mut Passage<'_>, see: &mut impl FnMut(Part<'_>) -> Option<()>) -> Option<()> {
    (text.take()? == b'[').then_some(())?;
    if text.peek()? == b']' {
        return text.take().map(|_| ());
    }
    loop {
        text.peek()?;
        let before = u32::try_from(text.offset() - BEFORE_PHASE.len()).ok()?;
        let part = text.value(|text, start| match EndOfValue::new(start).advance(text, true) {
            Search::Found(end) => Some(([BEFORE_PHASE, &text[start..end], b"]}"].concat(), end)),
            Search::NotYet | Search::Unusual => None,
        })?;
        see(Part { text: &part, content: Content::Phase(before) })?;
        match text.take()? {
            b',' => {}
            b']' => return Some(()),
            _ => return None,
        }
    }
}
