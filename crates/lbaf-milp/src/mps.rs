// SPDX-License-Identifier: MIT OR Apache-2.0
//! The MPS format with free columns, as names are longer than the eight letters of fixed ones.

use std::fmt::Write;

use crate::program::{ColumnId, Program, Relation, spelled};

/// A program as a free MPS file. GLPK wants to be told that it is free (`--freemps`); others see it.
pub fn to_mps(program: &Program) -> String {
    let mut text = String::new();
    for comment in &program.comments {
        push(&mut text, format_args!("* {comment}\n"));
    }
    text.push_str("NAME lbaf FREE\nROWS\n N work\n");
    for row in &program.rows {
        let relation = match row.relation {
            Relation::AtMost => 'L',
            Relation::AtLeast => 'G',
            Relation::Equal => 'E',
        };
        push(&mut text, format_args!(" {relation} {}\n", row.name));
    }
    text.push_str("COLUMNS\n");
    let mut entries = vec![Vec::new(); program.columns.len()];
    for row in &program.rows {
        for &(ColumnId(column), factor) in &row.terms {
            entries[column].push((row.name.as_str(), factor));
        }
    }
    let mut is_binary = false;
    for (at, (column, entries)) in program.columns.iter().zip(&entries).enumerate() {
        marker(&mut text, &mut is_binary, column.is_binary);
        if ColumnId(at) == Program::OBJECTIVE {
            push(&mut text, format_args!(" {} work 1\n", column.name));
        }
        for (row, factor) in entries {
            push(&mut text, format_args!(" {} {row} {}\n", column.name, spelled(*factor)));
        }
    }
    marker(&mut text, &mut is_binary, false);
    text.push_str("RHS\n");
    for row in program.rows.iter().filter(|row| row.rhs != 0.0) {
        push(&mut text, format_args!(" RHS {} {}\n", row.name, spelled(row.rhs)));
    }
    text.push_str("BOUNDS\n");
    for column in &program.columns {
        if column.lower != 0.0 {
            push(&mut text, format_args!(" LO BND {} {}\n", column.name, spelled(column.lower)));
        }
        if column.upper.is_finite() {
            push(&mut text, format_args!(" UP BND {} {}\n", column.name, spelled(column.upper)));
        }
    }
    text.push_str("ENDATA\n");
    text
}

/// Binary columns stand between markers.
fn marker(text: &mut String, is_inside: &mut bool, inside: bool) {
    if *is_inside != inside {
        let which = if inside { "INTORG" } else { "INTEND" };
        push(text, format_args!(" MARKER 'MARKER' '{which}'\n"));
        *is_inside = inside;
    }
}

fn push(text: &mut String, what: std::fmt::Arguments<'_>) {
    text.write_fmt(what).expect("invariant: a string takes everything");
}
