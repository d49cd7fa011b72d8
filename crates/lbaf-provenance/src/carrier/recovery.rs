// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the next record is when one has no end.
//!
//! Programs write all records of a file alike, so the next one is what begins its line as this one does, or, where all
//! are in one line, what begins with the same key.

use memchr::{memchr, memmem};

use super::scan::{Endless, Extent, begins_record, skip_space, string_end, value_extent};

/// Where the record at `begin` ends, which is no further than where something begins as it does.
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

/// Where reading goes on behind a fault at `from` in the record at `begin`: at the next record, or at the closing bracket
/// of the array.
pub(super) fn resume(text: &[u8], begin: usize, from: usize) -> Option<usize> {
    match indent_at(text, begin) {
        Some(indent) => next_beside(text, from, indent),
        None => next_alike(text, begin, from),
    }
}

/// The white space before `at` in its line; none if something else is there.
fn indent_at(text: &[u8], at: usize) -> Option<&[u8]> {
    let is_indent = |byte: &u8| matches!(byte, b' ' | b'\t');
    let start = text[..at].iter().rposition(|byte| !is_indent(byte)).map_or(0, |before| before + 1);
    (start == 0 || text[start - 1] == b'\n').then(|| &text[start..at])
}

/// The next line with the same indent and an opening brace, or the closing bracket behind a smaller one.
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

/// The next opening brace with the same key behind it.
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
    fn records_in_lines_go_on_with_the_line_that_begins_alike() {
        let text = b"[\n  {\n    {\n  {\n]\n";
        assert_eq!(careful_extent(text, 4), Err(Endless::NextBegins(14)));
        assert_eq!(resume(text, 4, 4), Some(14));
        assert_eq!(resume(text, 14, 14), Some(16));
        assert_eq!(resume(text, 14, 16), None);
    }

    #[test]
    fn records_in_one_line_go_on_with_the_same_key() {
        let text = br#"[{"a": [1}, {"b": 2}, {"a": 3}]"#;
        assert_eq!(careful_extent(text, 1), Err(Endless::WrongBracket(9)));
        assert_eq!(resume(text, 1, 9), Some(22));
        assert_eq!(careful_extent(br#"[{"a": [1, {"a": 3}]"#, 1), Err(Endless::NextBegins(11)));
    }
}
