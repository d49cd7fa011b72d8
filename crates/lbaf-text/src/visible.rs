// SPDX-License-Identifier: MIT OR Apache-2.0
//! Escapes for hidden characters, which programs such as terminals obey instead of displaying.
//!
//! The escapes are those of JSON, such as `\u001b`, so that escaped JSON text keeps its meaning.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::Path;

/// True for hidden characters: control characters (including those above 127), marks that change the writing
/// direction, separators of lines and paragraphs, and the noncharacters U+FFFE and U+FFFF.
#[must_use]
pub fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2066}'..='\u{2069}'
                | '\u{fffe}'
                | '\u{ffff}'
        )
}

/// Returns a text on one line. Hidden characters, including ends of lines and tabs, become escapes.
#[must_use]
pub fn line(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden)
}

/// Returns a text that may have several lines. Hidden characters except line feeds and tabs become escapes.
#[must_use]
pub fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, |character| is_hidden(character) && !matches!(character, '\n' | '\t'))
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    // Most texts contain no hidden characters, and some are long.
    if !text.chars().any(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match character {
            '\n' if is_escaped('\n') => out += "\\n",
            '\t' if is_escaped('\t') => out += "\\t",
            '\r' => out += "\\r",
            character if is_escaped(character) => {
                // Writing to memory does not fail.
                let _ = write!(out, "\\u{:04x}", u32::from(character));
            }
            character => out.push(character),
        }
    }
    Cow::Owned(out)
}

/// Display form of paths in messages and tables.
pub trait Shown {
    /// Returns the path on one line, with escapes. Bytes that are not UTF-8 become replacement characters.
    fn shown(&self) -> String;
}

impl Shown for Path {
    fn shown(&self) -> String {
        line(&self.to_string_lossy()).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_become_escapes_and_others_stay() {
        for (text, expected) in [
            ("a\u{1b}[31mb", "a\\u001b[31mb"),
            ("a\0b\u{7f}c", "a\\u0000b\\u007fc"),
            ("\u{9b}31m", "\\u009b31m"),
            ("gpj.\u{202e}exe", "gpj.\\u202eexe"),
            ("\u{2066}a\u{2069}\u{200f}", "\\u2066a\\u2069\\u200f"),
            ("a\nb\tc\rd\u{2028}", "a\\nb\\tc\\rd\\u2028"),
            ("größe 東京 👩\u{200d}🚀 \\u001b", "größe 東京 👩\u{200d}🚀 \\u001b"),
            ("", ""),
        ] {
            assert_eq!(line(text), expected, "{text:?}");
        }
    }

    #[test]
    fn every_control_character_and_every_mark_of_direction_is_hidden() {
        // The Unicode property Bidi_Control has twelve characters.
        let marks =
            [0x61c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069];
        for code in (0..0x20).chain(0x7f..0xa0).chain(marks) {
            let character = char::from_u32(code).unwrap();
            let text = line(&character.to_string()).into_owned();
            assert!(text.starts_with('\\') && text.is_ascii(), "{code:x}");
        }
    }

    #[test]
    fn line_feeds_and_tabs_stay_and_carriage_returns_become_escapes() {
        assert_eq!(lines("a\tb\r\nc\u{1b}\n"), "a\tb\\r\nc\\u001b\n");
        assert!(matches!(lines("a\tb\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_path_is_on_one_line() {
        assert_eq!(Path::new("a\nerror: b").shown(), "a\\nerror: b");
    }
}
