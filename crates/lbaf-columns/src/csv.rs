// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comma-separated values as RFC 4180 has them, but for lines, which end as everywhere.
//!
//! Null is nothing between commas; a text of no characters is a pair of quotes.

use std::io::Write;

use crate::column::{Cell, Column};

/// The line of names.
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

/// The lines of some rows.
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
        // The fewest digits that are read as the same number, with a point or an exponent: no integer.
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
                push_text(out, &list.iter().map(i64::to_string).collect::<Vec<_>>().join(","));
            }
            Ok(())
        }
    };
}

fn push_text(out: &mut Vec<u8>, text: &str) {
    let plain = !text.is_empty() && !text.bytes().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r'));
    if plain {
        out.extend_from_slice(text.as_bytes());
        return;
    }
    out.push(b'"');
    for part in text.split_inclusive('"') {
        out.extend_from_slice(part.as_bytes());
        if part.ends_with('"') {
            out.push(b'"');
        }
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_quoted_where_they_need_it() {
        let columns = [Column::new("text", Cell::Text(|row: &Vec<&str>| row.first().copied()))];
        let texts = ["plain", "a,b", r#"say "a""#, "two\nlines", ""];
        let rows: Vec<Vec<&str>> = texts.map(|text| vec![text]).into_iter().chain([vec![]]).collect();
        let lines = lines(&columns, &rows);
        assert_eq!(lines, b"plain\n\"a,b\"\n\"say \"\"a\"\"\"\n\"two\nlines\"\n\"\"\n\n");
    }

    #[test]
    fn numbers_are_read_as_they_were() {
        let columns = [Column::new("number", Cell::Float(|row: &f64| Some(*row)))];
        let rows = [64.0, 0.1, 1e300, 5e-324, 1.0 / 3.0, 0.0];
        assert_eq!(
            String::from_utf8(lines(&columns, &rows)).unwrap(),
            "64.0\n0.1\n1e300\n5e-324\n0.3333333333333333\n0.0\n"
        );
    }
}
