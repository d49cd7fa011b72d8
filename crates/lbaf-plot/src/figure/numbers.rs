// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers of a figure as CSV.

use std::fmt::Write;

use lbaf_text::cell;

use crate::figure::CsvColumn;

/// Writes columns as CSV. Shorter columns end in empty cells.
pub(crate) fn csv(columns: &[CsvColumn]) -> String {
    let mut text = String::new();
    let names: Vec<String> = columns.iter().map(|column| cell(&column.name).into_owned()).collect();
    text += &names.join(",");
    text.push('\n');
    let n_rows = columns.iter().map(|column| column.values.len().max(column.words.len())).max().unwrap_or(0);
    for row in 0..n_rows {
        for (position, column) in columns.iter().enumerate() {
            if position > 0 {
                text.push(',');
            }
            if let Some(word) = column.words.get(row) {
                text += &cell(word);
            } else if let Some(Some(value)) = column.values.get(row) {
                // Adding 0 turns -0 into 0.
                write!(text, "{}", value + 0.0).expect("invariant: writing to memory does not fail");
            }
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_neither_formulas_nor_terminal_commands() {
        let columns =
            [CsvColumn::of_words("=1+1", vec!["@x".to_owned(), "\u{1b}[1m".to_owned(), "-1.5".to_owned()])];
        assert_eq!(csv(&columns), "\"'=1+1\"\n\"'@x\"\n\\u001b[1m\n-1.5\n");
    }

    #[test]
    fn writes_all_digits_and_empty_cells() {
        let mut short = CsvColumn::new("a,\"b\"", [0.1 + 0.2, -0.0]);
        short.values.push(None);
        let columns = [CsvColumn::new("rank", [0.0, 1.0, 2.0, 3.0]), short];
        assert_eq!(csv(&columns), "rank,\"a,\"\"b\"\"\"\n0,0.30000000000000004\n1,0\n2,\n3,\n");
    }
}
