// SPDX-License-Identifier: MIT OR Apache-2.0
//! The LP format of CPLEX, which HiGHS, CBC, GLPK, SCIP and Gurobi read.

use std::fmt::Write;

use crate::program::{Constraint, Program, Relation, VariableId, spelled};

/// Maximum number of terms per line: readers limit the length of lines.
const TERMS_PER_LINE: usize = 6;

/// Prints a program as an LP file.
pub fn to_lp(program: &Program) -> String {
    let mut text = String::new();
    for comment in &program.comments {
        push(&mut text, format_args!("\\ {comment}\n"));
    }
    let name = |variable: VariableId| program.variables[variable.0].name.as_str();
    push(&mut text, format_args!("Minimize\n work: {}\nSubject To\n", name(Program::OBJECTIVE)));
    for constraint in &program.constraints {
        push(&mut text, format_args!(" {}:", constraint.name));
        sum(&mut text, constraint, &name);
        let relation = match constraint.relation {
            Relation::AtMost => "<=",
            Relation::AtLeast => ">=",
            Relation::Equal => "=",
        };
        push(&mut text, format_args!(" {relation} {}\n", spelled(constraint.rhs)));
    }
    text.push_str("Bounds\n");
    for variable in program.variables.iter().filter(|variable| !variable.is_binary) {
        // The default lower bound is 0; there is no default upper bound.
        push(&mut text, format_args!(" {} >= {}\n", variable.name, spelled(variable.lower)));
        if variable.upper.is_finite() {
            push(&mut text, format_args!(" {} <= {}\n", variable.name, spelled(variable.upper)));
        }
    }
    text.push_str("Binaries\n");
    for variable in program.variables.iter().filter(|variable| variable.is_binary) {
        push(&mut text, format_args!(" {}\n", variable.name));
    }
    text.push_str("End\n");
    text
}

fn sum<'a>(text: &mut String, constraint: &Constraint, name: &impl Fn(VariableId) -> &'a str) {
    for (at, &(variable, factor)) in constraint.terms.iter().enumerate() {
        if at > 0 && at % TERMS_PER_LINE == 0 {
            text.push_str("\n  ");
        }
        let sign = if factor < 0.0 { '-' } else { '+' };
        if factor.abs() == 1.0 {
            push(text, format_args!(" {sign} {}", name(variable)));
        } else {
            push(text, format_args!(" {sign} {} {}", spelled(factor.abs()), name(variable)));
        }
    }
}

fn push(text: &mut String, what: std::fmt::Arguments<'_>) {
    text.write_fmt(what).expect("invariant: writing to a string never fails");
}
