// SPDX-License-Identifier: MIT OR Apache-2.0
//! Search for the next record after a record without an end.
//!
//! Programs write all records of a file in the same way. If the record without an end begins a line, the next record
//! therefore begins a line with the same indent. Otherwise, the next record is recognized by the same first key.

use memchr::{memchr, memmem};

use super::scan::{Endless, Extent, begins_record, skip_space, string_end, value_extent};

/// Returns the extent of the record at `begin`, which ends at the latest where the next record seems to begin.
pub(super) fn careful_extent(text: &[u8], begin: usize) -> Result<Extent, Endless> {
    if let Some(indent) = indent_at(text, begin) {
        return value_extent(text, begin, Some(indent));
    }
    let Some(next) = next_alike(text, begin, begin + 1) else { return value_extent(text, begin, None) };
    value_extent(&text[..next], begin, None).map_err(|endless| match endless {
        Endless::TextEnds => Endless::NextBegins(next),
        other => other,
    })
}

/// Returns the offset at which reading continues after a fault at `from` in the record at `begin`: the next record, or
/// the closing bracket of the array; `None` if neither is found.
pub(super) fn resume(text: &[u8], begin: usize, from: usize) -> Option<usize> {
    match indent_at(text, begin) {
        Some(indent) => next_beside(text, from, indent),
        None => next_alike(text, begin, from),
    }
}

/// Returns the white space before `at` in its line; `None` if other characters precede it.
fn indent_at(text: &[u8], at: usize) -> Option<&[u8]> {
    let is_indent = |byte: &u8| matches!(byte, b' ' | b'\t');
    let start = text[..at].iter().rposition(|byte| !is_indent(byte)).map_or(0, |before| before + 1);
    (start == 0 || text[start - 1] == b'\n').then(|| &text[start..at])
}

/// Returns the offset of the next opening brace at the start of a line with this indent, or of a closing bracket at
/// the start of a line with a smaller indent.
fn next_beside(text: &[u8], from: usize, indent: &[u8]) -> Option<usize> {
    let mut at = from;
    loop {
        at += memchr(b'\n', text.get(at..)?)? + 1;
        if begins_record(&text[at..], indent) {
            return Some(at + indent.len());
        }
        let first = skip_space(text, at);
        if first - at < indent.len() && text.get(first) == Some(&b']') {
            return Some(first);
        }
    }
}

/// Returns the offset of the first opening brace from `from` that is followed by the same key as the brace at `begin`.
fn next_alike(text: &[u8], begin: usize, from: usize) -> Option<usize> {
    let key = skip_space(text, begin + 1);
    if text.get(key) != Some(&b'"') {
        return None;
    }
    let opening = &text[begin..string_end(text, key).ok()?];
    Some(from + memmem::find(text.get(from..)?, opening)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_in_lines_continue_at_the_next_line_with_the_same_indent() {
        let text = b"[\n  {\n    {\n  {\n]\n";
        assert_eq!(careful_extent(text, 4), Err(Endless::NextBegins(14)));
        assert_eq!(resume(text, 4, 4), Some(14));
        assert_eq!(resume(text, 14, 14), Some(16));
        assert_eq!(resume(text, 14, 16), None);
    }

    #[test]
    fn records_in_one_line_continue_at_the_same_key() {
        let text = br#"[{"a": [1}, {"b": 2}, {"a": 3}]"#;
        assert_eq!(careful_extent(text, 1), Err(Endless::WrongBracket(9)));
        assert_eq!(resume(text, 1, 9), Some(22));
        assert_eq!(careful_extent(br#"[{"a": [1, {"a": 3}]"#, 1), Err(Endless::NextBegins(11)));
    }
}
