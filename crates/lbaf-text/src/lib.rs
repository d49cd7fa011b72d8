// SPDX-License-Identifier: MIT OR Apache-2.0
//! Text for people: text of unknown origin, made safe for terminals and spreadsheets, and [`number`]s.
//!
//! Names of files, labels of configurations and texts of data may hold anything. A terminal obeys control characters in
//! them, and a spreadsheet takes some of them for formulas. Everything that prints goes through [`line()`] or [`lines()`],
//! every cell of a CSV table through [`cell()`].
#![forbid(unsafe_code)]

mod cell;
pub mod number;
mod visible;

pub use cell::cell;
pub use visible::{Shown, is_hidden, line, lines};

/// The words of a text on lines that fit; a word that does not fit alone has a line of its own.
///
/// ```
/// let lines = lbaf_text::wrapped("off-rank volume (MB)", |line| line.len() <= 12);
/// assert_eq!(lines, ["off-rank", "volume (MB)"]);
/// ```
pub fn wrapped(text: &str, fits: impl Fn(&str) -> bool) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let longer = lines.last().map(|line| format!("{line} {word}")).filter(|line| fits(line));
        match (lines.last_mut(), longer) {
            (Some(line), Some(longer)) => *line = longer,
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
