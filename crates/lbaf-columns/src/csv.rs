// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comma-separated values of RFC 4180, but lines end with `\n`.
//!
//! Null is an empty cell, an empty text a pair of quotation marks. [`lbaf_text::cell`] escapes formulas and hidden
//! characters.

use std::io::Write;

use lbaf_text::cell;

use crate::column::{Cell, Column};

/// Returns the header line with the names of the columns.
pub(crate) fn header<'c, R: 'c>(columns: impl IntoIterator<Item = &'c Column<R>>) -> Vec<u8> {
    let mut line = Vec::new();
    for (position, column) in columns.into_iter().enumerate() {
        if position > 0 {
            line.push(b',');
        }
        push_text(&mut line, &column.name);
    }
    line.push(b'\n');
    line
}

/// Returns the lines of some rows.
pub(crate) fn lines<R>(columns: &[Column<R>], rows: &[R]) -> Vec<u8> {
    let mut out = Vec::new();
    for row in rows {
        for (position, column) in columns.iter().enumerate() {
            if position > 0 {
                out.push(b',');
            }
            push_cell(&mut out, &column.cell, row);
        }
        out.push(b'\n');
    }
    out
}

pub(crate) fn push_cell<R>(out: &mut Vec<u8>, cell: &Cell<R>, row: &R) {
    // Writing to memory does not fail.
    let _ = match cell {
        Cell::Unsigned(of) => of(row).map_or(Ok(()), |number| write!(out, "{number}")),
        Cell::Signed(of) => of(row).map_or(Ok(()), |number| write!(out, "{number}")),
        // The fewest digits that give the same number, with a point or an exponent, unlike integers.
        Cell::Float(of) => of(row).map_or(Ok(()), |number| write!(out, "{number:?}")),
        Cell::Flag(of) => of(row).map_or(Ok(()), |flag| write!(out, "{flag}")),
        Cell::Text(of) => {
            if let Some(text) = of(row) {
                push_text(out, text);
            }
            Ok(())
        }
        Cell::List(of) => {
            if let Some(list) = of(row) {
                // Not escaped: numbers separated by commas are no formula, even with a sign.
                let list = list.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
                let quotes = if list.is_empty() || list.contains(',') { "\"" } else { "" };
                out.extend_from_slice(format!("{quotes}{list}{quotes}").as_bytes());
            }
            Ok(())
        }
    };
}

fn push_text(out: &mut Vec<u8>, text: &str) {
    if text.is_empty() {
        out.extend_from_slice(b"\"\"");
    } else {
        out.extend_from_slice(cell(text).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_quoted_only_if_necessary() {
        let columns = [Column::new("text", Cell::Text(|row: &Vec<&str>| row.first().copied()))];
        let texts = ["plain", "a,b", r#"say "a""#, "two\nlines", "", "=1+1", "-1.5"];
        let rows: Vec<Vec<&str>> = texts.map(|text| vec![text]).into_iter().chain([vec![]]).collect();
        let lines = lines(&columns, &rows);
        assert_eq!(lines, b"plain\n\"a,b\"\n\"say \"\"a\"\"\"\ntwo\\nlines\n\"\"\n\"'=1+1\"\n-1.5\n\n");
    }

    #[test]
    fn lists_with_a_leading_sign_are_not_formulas() {
        let columns = [Column::new("list", Cell::List(|row: &Vec<i64>| Some(&row[..])))];
        let lines = lines(&columns, &[vec![-1, 5], vec![-1], vec![]]);
        assert_eq!(String::from_utf8(lines).unwrap(), "\"-1,5\"\n-1\n\"\"\n");
    }

    #[test]
    fn numbers_are_read_back_exactly() {
        let columns = [Column::new("number", Cell::Float(|row: &f64| Some(*row)))];
        let rows = [64.0, 0.1, 1e300, 5e-324, 1.0 / 3.0, 0.0];
        assert_eq!(
            String::from_utf8(lines(&columns, &rows)).unwrap(),
            "64.0\n0.1\n1e300\n5e-324\n0.3333333333333333\n0.0\n"
        );
    }
}
