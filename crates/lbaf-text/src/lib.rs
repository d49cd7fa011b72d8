// SPDX-License-Identifier: MIT OR Apache-2.0
//! Text for people: escapes that make text of unknown origin safe in terminals and spreadsheets, and formats of
//! [`number`]s.
//!
//! File names, labels in configurations and texts in data may contain any characters. A terminal obeys control
//! characters, and a spreadsheet evaluates some texts as formulas. So printed text of unknown origin passes through
//! [`line()`] or [`lines()`], and text in CSV tables through [`cell()`].
#![forbid(unsafe_code)]

mod cell;
pub mod number;
mod visible;

pub use cell::cell;
pub use visible::{Shown, is_hidden, line, lines};

/// Splits a text at spaces into lines for which `fits` is true. A word that does not fit has its own line.
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
