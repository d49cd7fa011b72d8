// SPDX-License-Identifier: MIT OR Apache-2.0
//! Texts as cells of CSV tables, safe for spreadsheets.

use std::borrow::Cow;

use crate::line;

/// Returns a text as a cell on one line, quoted if it contains commas, semicolons or quotation marks. Hidden characters
/// become escapes, as by [`line()`](crate::line()). A text that a spreadsheet would evaluate as a formula is quoted and
/// preceded by an apostrophe; numbers are not formulas. To recover a text without hidden characters, a program reads
/// the cell as CSV, and removes one apostrophe if the cell begins with apostrophes, possibly with blanks between them,
/// followed by the first character of a formula, such as `=` or `-`.
#[must_use]
pub fn cell(text: &str) -> Cow<'_, str> {
    let shown = line(text);
    let is_formula = is_formula(&shown);
    if !is_formula && !shown.contains(['"', ',', ';']) {
        return shown;
    }
    let apostrophe = if is_formula { "'" } else { "" };
    Cow::Owned(format!("\"{apostrophe}{}\"", shown.replace('"', "\"\"")))
}

/// True for a text that a spreadsheet may evaluate as a formula. Also true if apostrophes precede the formula: such a
/// text gets a further apostrophe, so that it differs from an escaped formula.
fn is_formula(text: &str) -> bool {
    let start = text.trim_start_matches(|character: char| character == '\'' || character.is_whitespace());
    // The last four are full-width forms of East Asian keyboards.
    let begins = start.starts_with(['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}']);
    begins && !is_number(text)
}

/// True for decimal numbers, but not for words such as `-inf`.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    digits.starts_with(|character: char| character.is_ascii_digit() || character == '.')
        && text.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_but_not_numbers_are_preceded_by_an_apostrophe() {
        for (text, expected) in [
            ("GreedyLB", "GreedyLB"),
            ("", ""),
            ("=1+1", "\"'=1+1\""),
            ("+cmd|' /C calc'!A0", "\"'+cmd|' /C calc'!A0\""),
            ("-2+3", "\"'-2+3\""),
            ("@SUM(A1:A9)", "\"'@SUM(A1:A9)\""),
            ("=HYPERLINK(\"http://x\",\"y\")", "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\""),
            (" =1", "\"' =1\""),
            ("\u{ff1d}1", "\"'\u{ff1d}1\""),
            ("'=1", "\"''=1\""),
            ("'quoted'", "'quoted'"),
            ("-", "\"'-\""),
            ("-inf", "\"'-inf\""),
            ("-1.5", "-1.5"),
            ("+3e-9", "+3e-9"),
            ("-.5", "-.5"),
            ("a=b", "a=b"),
            ("a,b", "\"a,b\""),
            ("a;=b", "\"a;=b\""),
            // Hidden characters become escapes, so no cell begins with one.
            ("\t=1", "\\t=1"),
            ("\r=1", "\\r=1"),
            ("two\nlines", "two\\nlines"),
            ("\u{1b}[2J", "\\u001b[2J"),
        ] {
            assert_eq!(cell(text), expected, "{text:?}");
        }
    }

    /// Recovers the text of a cell, given without its quotation marks.
    fn text_of(cell: &str) -> &str {
        cell.strip_prefix('\'').filter(|rest| is_formula(rest)).unwrap_or(cell)
    }

    #[test]
    fn every_visible_text_can_be_recovered() {
        // All texts of up to four of these characters.
        let letters = ['=', '-', '\'', ' ', '1', 'a', '.', '"', ','];
        let mut texts = vec![String::new()];
        for length in 0..4 {
            let longest: Vec<String> =
                texts.iter().filter(|text| text.chars().count() == length).cloned().collect();
            texts.extend(longest.iter().flat_map(|text| letters.map(|letter| format!("{text}{letter}"))));
        }
        assert_eq!(texts.len(), 1 + 9 + 81 + 729 + 6561);
        for text in texts {
            let written = cell(&text).into_owned();
            // Removes the quotation marks of RFC 4180.
            let bare = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            let read = bare.map_or(written.clone(), |inner| inner.replace("\"\"", "\""));
            assert_eq!(text_of(&read), text, "{written}");
        }
    }
}
