// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parser of selections.

use crate::vt_files::Window;

use super::Part;

/// Message for `all` in a list.
pub(super) const NOT_ALONE: &str = "`all` cannot be part of a list";

/// Parses parts separated by commas, semicolons, line breaks or blanks. Windows and ranges such as `0 - 3` may
/// contain blanks. If a text between two commas, semicolons or line breaks consists of exactly three numbers, it is a
/// window.
pub(super) fn parts(text: &str) -> Result<Vec<Part>, String> {
    // Brackets of a list such as `[0, 1]` are optional.
    let text = text.trim().trim_start_matches('[').trim_end_matches(']');
    let mut parts = Vec::new();
    for piece in text.split([',', ';', '\n']) {
        let words: Vec<&str> = piece.split_whitespace().collect();
        let mut rest = &words[..];
        while !rest.is_empty() {
            let (part, n_words) = first_part(rest, rest.len() == words.len())?;
            parts.push(part);
            rest = &rest[n_words..];
        }
    }
    if parts.is_empty() { Err(unexpected("nothing")) } else { Ok(parts) }
}

/// Returns the message for a phase below 0.
pub(super) fn negative(found: &str) -> String {
    format!("phases are numbered from 0, found {found}")
}

/// Returns the first part among the words, and its number of words. `is_whole` is true if `words` are all words between
/// two separators other than blanks.
fn first_part(words: &[&str], is_whole: bool) -> Result<(Part, usize), String> {
    let windowed = |n: usize| Ok((window(&words[..n.min(words.len())])?, n.min(words.len())));
    match *words {
        // Multiples of a number, without offsets.
        [period] | [period, ..] if is_period(period) && !words.get(1).is_some_and(|word| is_offset(word)) => {
            Ok((window(&[period, "0", "0"])?, 1))
        }
        ["%", ..] => windowed(4),
        [period, ..] if period.starts_with('%') => windowed(3),
        // Ranges with blanks: `0 - 3` and `0- 3`.
        [first, "-", last, ..] => Ok((range(first, last)?, 3)),
        [first, last, ..] if first.ends_with('-') => Ok((range(first.trim_end_matches('-'), last)?, 2)),
        [phase, offset, ..] if is_number(phase) && is_negative(offset) => windowed(3),
        [phase, first, last] if is_whole && [phase, first, last].into_iter().all(is_number) => windowed(3),
        [first, ..] => Ok((single(first)?, 1)),
        [] => Err(unexpected("nothing")),
    }
}

/// Parses a phase, or a range without blanks.
fn single(word: &str) -> Result<Part, String> {
    if word == "all" {
        return Err(NOT_ALONE.to_owned());
    }
    if is_negative(word) {
        return Err(negative(word));
    }
    match word.split_once('-') {
        Some((first, last)) => range(first, last),
        None => Ok(Part::Phase(number(word, word)?)),
    }
}

fn range(first: &str, last: &str) -> Result<Part, String> {
    let written = format!("{first}-{last}");
    if is_negative(first) {
        return Err(negative(&written));
    }
    match (number(first, &written)?, number(last, &written)?) {
        (first, last) if first > last => {
            Err(format!("the range {written} goes backwards; did you mean {last}-{first}?"))
        }
        (first, last) if first == last => Ok(Part::Phase(first)),
        (first, last) => Ok(Part::Range(first, last)),
    }
}

fn window(words: &[&str]) -> Result<Part, String> {
    let written = words.join(" ");
    // Comments are supported only in files of vt's formats.
    if written.contains('#') {
        return Err(unexpected(&format!("{written:?}")));
    }
    let hint = match *words {
        [_, last] if is_negative(last) => " (a range is written like 0-3)",
        [phase, first, last] if first != "0" && [phase, first, last].into_iter().all(is_number) => {
            " (single phases are written like 2, 4, 6)"
        }
        _ => "",
    };
    let window: Result<Window, _> = written.parse();
    window.map(Part::Window).map_err(|error| format!("the window {written:?}: {}{hint}", error.fault))
}

fn number(word: &str, part: &str) -> Result<u64, String> {
    if !is_number(word) {
        return Err(unexpected(&format!("{part:?}")));
    }
    word.parse().map_err(|_| format!("{word} is too large for a phase"))
}

fn is_period(word: &str) -> bool {
    word.strip_prefix('%').is_some_and(is_number)
}

fn is_offset(word: &str) -> bool {
    is_number(word) || is_negative(word)
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_negative(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit()))
}

fn unexpected(found: &str) -> String {
    format!("expected phases like 3, \"0-10\", \"0-3, 7\", \"%100 -3 3\" or `all`, found {found}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the parts as text, with ranges without blanks and windows in brackets.
    fn parsed(text: &str) -> String {
        let shown = |part: &Part| match part {
            Part::Phase(phase) => phase.to_string(),
            Part::Range(first, last) => format!("{first}-{last}"),
            Part::Window(window) => format!("[{window}]"),
        };
        let parts = parts(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        parts.iter().map(shown).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn notations_without_windows_are_understood() {
        for (text, expected) in [
            ("3", "3"),
            ("0-10", "0-10"),
            ("0 - 3", "0-3"),
            ("0- 3", "0-3"),
            ("[0, 1]", "0 1"),
            ("[3, 5 - 7]", "3 5-7"),
            ("2 4", "2 4"),
            ("2 4 6 8", "2 4 6 8"),
            ("0-3 7 9", "0-3 7 9"),
            (" 0-3,7,, ", "0-3 7"),
            ("7-7", "7"),
        ] {
            assert_eq!(parsed(text), expected, "{text}");
        }
    }

    #[test]
    fn windows_are_understood_alone_and_among_other_parts() {
        for (text, expected) in [
            ("%100 -3 3", "[%100 -3 3]"),
            ("% 100 -3 3", "[%100 -3 3]"),
            ("200 -5 5", "[200 -5 5]"),
            ("0 0 10", "[0 0 10]"),
            ("7 200 -5 5 9", "7 [200 -5 5] 9"),
            ("0-3, %100 -1 1", "0-3 [%100 -1 1]"),
            ("0-3;%100 0 1;2 4", "0-3 [%100 0 1] 2 4"),
            ("0 0 10\n%100 -3 3\r\n200 -5 5\n", "[0 0 10] [%100 -3 3] [200 -5 5]"),
            ("[%7 0 0, 3]", "[%7 0 0] 3"),
            ("%100", "[%100 0 0]"),
            ("3, %100; 0-2 %7", "3 [%100 0 0] 0-2 [%7 0 0]"),
        ] {
            assert_eq!(parsed(text), expected, "{text}");
        }
    }

    #[test]
    fn a_message_names_the_part_that_is_wrong() {
        const LIKE: &str = "expected phases like 3, \"0-10\", \"0-3, 7\", \"%100 -3 3\" or `all`, found ";
        for found in ["a", "1-2-3", "0-x", "-", "0--3", "+3", "3%", "[1", "%9 0 0#", "#4"] {
            assert_eq!(parts(&format!("0-3, {found}")), Err(format!("{LIKE}{found:?}")));
        }
        for empty in ["", " ", "[]", ";,\n"] {
            assert_eq!(parts(empty), Err(format!("{LIKE}nothing")), "{empty:?}");
        }
        for (text, message) in [
            ("0, -1", "phases are numbered from 0, found -1"),
            ("-3-5", "phases are numbered from 0, found -3-5"),
            ("-3 - 5", "phases are numbered from 0, found -3-5"),
            ("7, 3-1", "the range 3-1 goes backwards; did you mean 1-3?"),
            ("200 - 100", "the range 200-100 goes backwards; did you mean 100-200?"),
            ("0-3, all", "`all` cannot be part of a list"),
            ("18446744073709551616", "18446744073709551616 is too large for a phase"),
            (
                "0 -3",
                "the window \"0 -3\": expected the offset of the last phase, as 3 in `100 -3 3`, found the end of the \
                 line (a range is written like 0-3)",
            ),
            (
                "2 4 6",
                "the window \"2 4 6\": the first offset must be 0 or negative, not 4; did you mean -4? \
                 (single phases are written like 2, 4, 6)",
            ),
            (
                "%100 -3 -3",
                "the window \"%100 -3 -3\": the second offset must be 0 or positive, not -3; did you \
                 mean 3?",
            ),
            (
                "%0 -3 3",
                "the window \"%0 -3 3\": the period 0 is invalid; write `%1` for every phase, or `0` without `%` for phase \
                 0",
            ),
        ] {
            assert_eq!(parts(text), Err(message.to_owned()), "{text}");
        }
    }
}
