// SPDX-License-Identifier: MIT OR Apache-2.0
//! Extents of JSON values, found without parsing their contents.
//!
//! Only strings, escapes and brackets are inspected. So the end of a record is found in spite of most faults in the
//! record, and its values take no memory.

use memchr::memchr3;

/// Extent of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    /// Offset after its last byte.
    pub(super) end: usize,
    /// Maximum nesting depth of brackets.
    pub(super) depth: usize,
}

/// Reason why a value has no end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Endless {
    /// The text ends first.
    TextEnds,
    /// The next record begins first, at this offset.
    NextBegins(usize),
    /// A string is not closed in its line, which ends at this offset.
    LineEndsInString(usize),
    /// The bracket at this offset closes a bracket of the other kind, such as `]` after `{`.
    WrongBracket(usize),
    /// There is no value at this offset.
    NoValue(usize),
}

/// Returns the offset of the first byte from `at` that is not white space, or the end of the text.
pub(super) fn skip_space(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(rest.len())
}

/// Returns the offset after the string whose opening quote is at `at`.
pub(super) fn string_end(text: &[u8], at: usize) -> Result<usize, Endless> {
    let mut at = at + 1;
    while let Some(found) = memchr3(b'"', b'\\', b'\n', text.get(at..).unwrap_or_default()) {
        at += found;
        match text[at] {
            b'"' => return Ok(at + 1),
            b'\\' => at += 2,
            _ => return Err(Endless::LineEndsInString(at)),
        }
    }
    Err(Endless::TextEnds)
}

/// Returns the extent of the value at `at`. If `beside`, the white space before the value in its line, is given, a
/// line with the same white space followed by an opening brace counts as the next record.
pub(super) fn value_extent(text: &[u8], at: usize, beside: Option<&[u8]>) -> Result<Extent, Endless> {
    match text.get(at) {
        None => Err(Endless::TextEnds),
        Some(b'"') => string_end(text, at).map(|end| Extent { end, depth: 0 }),
        Some(b'{' | b'[') => container_extent(text, at, beside),
        Some(_) => {
            let ends = |byte: &u8| byte.is_ascii_whitespace() || b",:[]{}\"".contains(byte);
            let length = text[at..].iter().position(ends).unwrap_or(text.len() - at);
            if length == 0 { Err(Endless::NoValue(at)) } else { Ok(Extent { end: at + length, depth: 0 }) }
        }
    }
}

fn container_extent(text: &[u8], at: usize, beside: Option<&[u8]>) -> Result<Extent, Endless> {
    let mut open = OpenBrackets::default();
    let mut depth = 0;
    let mut at = at;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => {
                at = string_end(text, at)?;
                continue;
            }
            b'{' | b'[' => {
                open.push(byte == b'{');
                depth = depth.max(open.n_open);
            }
            b'}' | b']' => {
                if open.pop() != Some(byte == b'}') {
                    return Err(Endless::WrongBracket(at));
                }
                if open.n_open == 0 {
                    return Ok(Extent { end: at + 1, depth });
                }
            }
            b'\n' => {
                if let Some(indent) = beside
                    && begins_record(&text[at + 1..], indent)
                {
                    return Err(Endless::NextBegins(at + 1 + indent.len()));
                }
            }
            _ => {}
        }
        at += 1;
    }
    Err(Endless::TextEnds)
}

/// True if a line begins with this white space and an opening brace.
pub(super) fn begins_record(line: &[u8], indent: &[u8]) -> bool {
    line.strip_prefix(indent).is_some_and(|rest| rest.first() == Some(&b'{'))
}

/// Stack of open brackets, one bit each, set for braces. Even for a text of opening brackets alone, the stack has only
/// an eighth of the size of the text.
#[derive(Default)]
struct OpenBrackets {
    bits: Vec<u64>,
    n_open: usize,
}

impl OpenBrackets {
    fn push(&mut self, is_brace: bool) {
        let (word, bit) = (self.n_open / 64, self.n_open % 64);
        if word == self.bits.len() {
            self.bits.push(0);
        }
        self.bits[word] = self.bits[word] & !(1 << bit) | u64::from(is_brace) << bit;
        self.n_open += 1;
    }

    fn pop(&mut self) -> Option<bool> {
        self.n_open = self.n_open.checked_sub(1)?;
        Some(self.bits[self.n_open / 64] >> (self.n_open % 64) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(text: &str) -> Result<usize, Endless> {
        value_extent(text.as_bytes(), 0, None).map(|extent| extent.end)
    }

    #[test]
    fn values_end_where_they_are_closed() {
        for (text, expected) in
            [(r#"{"a]}": "\"}", "b": [1, {}]} ,"#, 28), (r#""\\" x"#, 4), ("-1.5e3,", 6), ("[[[]]]]", 6)]
        {
            assert_eq!(end(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn values_without_an_end_give_the_reason() {
        for (text, expected) in [
            (r#"{"a": [1, 2"#, Endless::TextEnds),
            (r#"{"a\"#, Endless::TextEnds),
            (r#"{"a": [1}"#, Endless::WrongBracket(8)),
            ("{\"a\n\": 1}", Endless::LineEndsInString(3)),
            (",", Endless::NoValue(0)),
            ("", Endless::TextEnds),
        ] {
            assert_eq!(end(text), Err(expected), "{text}");
        }
    }

    #[test]
    fn a_million_brackets_nest_without_recursion() {
        let deep = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
        assert_eq!(value_extent(deep.as_bytes(), 0, None), Ok(Extent { end: deep.len(), depth: 1_000_000 }));
    }
}
