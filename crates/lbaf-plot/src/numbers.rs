// SPDX-License-Identifier: MIT OR Apache-2.0
//! The numbers behind a figure as text.

use std::fmt::Write;

use crate::figure::Column;

/// Columns as CSV. Shorter ones end in empty cells.
pub(crate) fn csv(columns: &[Column]) -> String {
    let mut text = String::new();
    let names: Vec<String> = columns.iter().map(|column| quoted(&column.name)).collect();
    text += &names.join(",");
    text.push('\n');
    let n_rows = columns.iter().map(|column| column.values.len().max(column.words.len())).max().unwrap_or(0);
    for row in 0..n_rows {
        for (position, column) in columns.iter().enumerate() {
            if position > 0 {
                text.push(',');
            }
            if let Some(word) = column.words.get(row) {
                text += &quoted(word);
            } else if let Some(Some(value)) = column.values.get(row) {
                // A sum of nothing is -0.
                write!(text, "{}", value + 0.0).expect("invariant: writing to memory does not fail");
            }
        }
        text.push('\n');
    }
    text
}

/// A name as a cell: names of runs are up to the user.
fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_all_digits_and_leaves_out_what_is_not_there() {
        let mut short = Column::new("a,\"b\"", [0.1 + 0.2, -0.0]);
        short.values.push(None);
        let columns = [Column::new("rank", [0.0, 1.0, 2.0, 3.0]), short];
        assert_eq!(csv(&columns), "rank,\"a,\"\"b\"\"\"\n0,0.30000000000000004\n1,0\n2,\n3,\n");
    }
}
