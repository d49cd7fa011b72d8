// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables in Markdown, which are also readable as plain text.

use super::grid::{ColumnHead, Grid, Printed};
use super::number::Rounded;
use super::shown::{Around, Shown, blank};

/// Prints the caption, followed by the table.
pub(super) fn print(grid: &Grid, caption: &str) -> String {
    let heads = std::iter::once(escaped(&grid.head)).chain(grid.columns.iter().map(head));
    let rows = grid.lines.iter().map(|line| {
        std::iter::once(escaped(&line.name)).chain(line.cells.iter().map(cell)).collect::<Vec<String>>()
    });
    let rows: Vec<Vec<String>> = std::iter::once(heads.collect()).chain(rows).collect();
    let length = |cell: &String| cell.chars().count();
    let width = |column: usize| rows.iter().map(|row| length(&row[column])).max().unwrap_or(0).max(3);
    let widths: Vec<usize> = (0..=grid.columns.len()).map(width).collect();
    let is_left = |column: usize| column == 0 || grid.columns[column - 1].is_text;
    let line = |row: &Vec<String>| {
        let pad = |(column, cell): (usize, &String)| {
            let blanks = " ".repeat(widths[column] - length(cell));
            if is_left(column) { format!("{cell}{blanks}") } else { format!("{blanks}{cell}") }
        };
        format!("| {} |\n", row.iter().enumerate().map(pad).collect::<Vec<_>>().join(" | "))
    };
    let rule = |(column, width): (usize, &usize)| {
        let dashes = "-".repeat(width - 1);
        if is_left(column) { format!(":{dashes}") } else { format!("{dashes}:") }
    };
    let rules: Vec<String> = widths.iter().enumerate().map(rule).collect();
    let mut out = if caption.is_empty() { String::new() } else { format!("{}\n\n", escaped(caption)) };
    out += &line(&rows[0]);
    out += &line(&rules);
    out.extend(rows[1..].iter().map(line));
    out
}

/// Returns the head of a column with that of its group, because Markdown has no heads above several columns.
fn head(column: &ColumnHead) -> String {
    let ColumnHead { group, head, .. } = column;
    escaped(&if group.is_empty() { head.clone() } else { format!("{group}, {head}") })
}

fn cell(cell: &Printed) -> String {
    let text = match &cell.shown {
        Shown::Text(text) => escaped(text),
        _ => plain(cell),
    };
    if cell.is_bold { format!("**{text}**") } else { text }
}

/// Returns the text of a cell without markup.
pub(super) fn plain(cell: &Printed) -> String {
    match &cell.shown {
        Shown::Absent => "\u{2013}".to_owned(),
        Shown::Text(text) => text.clone(),
        Shown::Number { value, around, power } => {
            let text = match around {
                Around::Nothing => number(value),
                Around::Deviation(deviation) => format!("{} \u{b1} {}", number(value), number(deviation)),
                Around::Ends(low, high) => {
                    format!("{} [{}, {}]", number(value), number(low), number(high))
                }
            };
            match (power, around) {
                (0, _) => text,
                (power, Around::Nothing) => format!("{text}\u{d7}10{}", raised(*power)),
                (power, _) => format!("({text})\u{d7}10{}", raised(*power)),
            }
        }
    }
}

fn number(number: &Rounded) -> String {
    format!("{}{}", if number.negative { "\u{2212}" } else { "" }, number.text)
}

/// Formats an exponent in superscript digits.
fn raised(power: i32) -> String {
    const DIGITS: [char; 10] = [
        '\u{2070}', '\u{b9}', '\u{b2}', '\u{b3}', '\u{2074}', '\u{2075}', '\u{2076}', '\u{2077}', '\u{2078}',
        '\u{2079}',
    ];
    let raise = |character: char| {
        let digit = character.to_digit(10).and_then(|digit| usize::try_from(digit).ok());
        digit.map_or('\u{207b}', |digit| DIGITS[digit])
    };
    power.to_string().chars().map(raise).collect()
}

/// Escapes text so that Markdown prints it unchanged, on one line and in one cell.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let text = lbaf_text::line(&blank(text)).into_owned();
    let mut characters = text.chars().peekable();
    let mut before = ' ';
    while let Some(character) = characters.next() {
        let after = characters.peek().copied().unwrap_or(' ');
        let marks = match character {
            '\\' | '|' | '*' | '`' | '<' | '>' | '[' | ']' | '~' | '&' | '$' => true,
            // An underscore inside a word is not markup.
            '_' => !(before.is_alphanumeric() && after.is_alphanumeric()),
            _ => false,
        };
        if marks {
            out.push('\\');
        }
        out.push(character);
        before = character;
    }
    out
}
