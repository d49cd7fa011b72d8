// SPDX-License-Identifier: MIT OR Apache-2.0
//! The LP format of CPLEX, which HiGHS, CBC, GLPK, SCIP and Gurobi read.

use std::fmt::Write;

use crate::program::{ColumnId, Program, Relation, Row, spelled};

/// Readers have lines of limited length.
const TERMS_PER_LINE: usize = 6;

/// A program as an LP file.
pub fn to_lp(program: &Program) -> String {
    let mut text = String::new();
    for comment in &program.comments {
        push(&mut text, format_args!("\\ {comment}\n"));
    }
    let name = |column: ColumnId| program.columns[column.0].name.as_str();
    push(&mut text, format_args!("Minimize\n work: {}\nSubject To\n", name(Program::OBJECTIVE)));
    for row in &program.rows {
        push(&mut text, format_args!(" {}:", row.name));
        sum(&mut text, row, &name);
        let relation = match row.relation {
            Relation::AtMost => "<=",
            Relation::AtLeast => ">=",
            Relation::Equal => "=",
        };
        push(&mut text, format_args!(" {relation} {}\n", spelled(row.rhs)));
    }
    text.push_str("Bounds\n");
    for column in program.columns.iter().filter(|column| !column.is_binary) {
        // Without a bound above there is none, and without one below it is 0.
        push(&mut text, format_args!(" {} >= {}\n", column.name, spelled(column.lower)));
        if column.upper.is_finite() {
            push(&mut text, format_args!(" {} <= {}\n", column.name, spelled(column.upper)));
        }
    }
    text.push_str("Binaries\n");
    for column in program.columns.iter().filter(|column| column.is_binary) {
        push(&mut text, format_args!(" {}\n", column.name));
    }
    text.push_str("End\n");
    text
}

fn sum<'a>(text: &mut String, row: &Row, name: &impl Fn(ColumnId) -> &'a str) {
    for (at, &(column, factor)) in row.terms.iter().enumerate() {
        if at > 0 && at % TERMS_PER_LINE == 0 {
            text.push_str("\n  ");
        }
        let sign = if factor < 0.0 { '-' } else { '+' };
        if factor.abs() == 1.0 {
            push(text, format_args!(" {sign} {}", name(column)));
        } else {
            push(text, format_args!(" {sign} {} {}", spelled(factor.abs()), name(column)));
        }
    }
}

fn push(text: &mut String, what: std::fmt::Arguments<'_>) {
    text.write_fmt(what).expect("invariant: a string takes everything");
}
