// SPDX-License-Identifier: MIT OR Apache-2.0
//! The free MPS format. Names are too long for the fixed format, which limits them to eight characters.

use std::fmt::Write;

use crate::program::{Program, Relation, VariableId, spelled};

/// Prints a program as a free MPS file. GLPK needs the option `--freemps`; other solvers detect the format.
pub fn to_mps(program: &Program) -> String {
    let mut text = String::new();
    for comment in &program.comments {
        push(&mut text, format_args!("* {comment}\n"));
    }
    text.push_str("NAME lbaf FREE\nROWS\n N work\n");
    for constraint in &program.constraints {
        let relation = match constraint.relation {
            Relation::AtMost => 'L',
            Relation::AtLeast => 'G',
            Relation::Equal => 'E',
        };
        push(&mut text, format_args!(" {relation} {}\n", constraint.name));
    }
    text.push_str("COLUMNS\n");
    let mut entries = vec![Vec::new(); program.variables.len()];
    for constraint in &program.constraints {
        for &(VariableId(variable), factor) in &constraint.terms {
            entries[variable].push((constraint.name.as_str(), factor));
        }
    }
    let mut is_binary = false;
    for (at, (variable, entries)) in program.variables.iter().zip(&entries).enumerate() {
        marker(&mut text, &mut is_binary, variable.is_binary);
        if VariableId(at) == Program::OBJECTIVE {
            push(&mut text, format_args!(" {} work 1\n", variable.name));
        }
        for (constraint, factor) in entries {
            push(&mut text, format_args!(" {} {constraint} {}\n", variable.name, spelled(*factor)));
        }
    }
    marker(&mut text, &mut is_binary, false);
    text.push_str("RHS\n");
    for constraint in program.constraints.iter().filter(|constraint| constraint.rhs != 0.0) {
        push(&mut text, format_args!(" RHS {} {}\n", constraint.name, spelled(constraint.rhs)));
    }
    text.push_str("BOUNDS\n");
    for variable in &program.variables {
        if variable.lower != 0.0 {
            push(&mut text, format_args!(" LO BND {} {}\n", variable.name, spelled(variable.lower)));
        }
        if variable.upper.is_finite() {
            push(&mut text, format_args!(" UP BND {} {}\n", variable.name, spelled(variable.upper)));
        }
    }
    text.push_str("ENDATA\n");
    text
}

/// Writes a marker where integer variables begin or end.
fn marker(text: &mut String, is_inside: &mut bool, inside: bool) {
    if *is_inside != inside {
        let which = if inside { "INTORG" } else { "INTEND" };
        push(text, format_args!(" MARKER 'MARKER' '{which}'\n"));
        *is_inside = inside;
    }
}

fn push(text: &mut String, what: std::fmt::Arguments<'_>) {
    text.write_fmt(what).expect("invariant: writing to a string never fails");
}
