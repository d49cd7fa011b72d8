// SPDX-License-Identifier: MIT OR Apache-2.0
//! Linear expressions: a constant plus multiples of variables.

use std::collections::BTreeMap;

use crate::program::{Constraint, Program, Relation, VariableId};

/// Linear expression `constant + sum of factor x variable`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Expression {
    constant: f64,
    terms: BTreeMap<VariableId, f64>,
}

impl Expression {
    pub(crate) fn constant(constant: f64) -> Self {
        Expression { constant, ..Expression::default() }
    }

    pub(crate) fn add(&mut self, factor: f64, variable: VariableId) {
        *self.terms.entry(variable).or_insert(0.0) += factor;
    }

    pub(crate) fn add_constant(&mut self, constant: f64) {
        self.constant += constant;
    }

    pub(crate) fn add_multiple(&mut self, factor: f64, other: &Expression) {
        self.constant += factor * other.constant;
        for (&variable, of_other) in &other.terms {
            self.add(factor * of_other, variable);
        }
    }

    /// Returns the constraint that compares the expression with 0. A constraint without variables gets the objective
    /// variable with factor 0, because file formats need a variable.
    pub(crate) fn constraint(self, name: String, relation: Relation) -> Constraint {
        let mut terms: Vec<(VariableId, f64)> =
            self.terms.into_iter().filter(|&(_, factor)| factor != 0.0).collect();
        if terms.is_empty() {
            terms.push((Program::OBJECTIVE, 0.0));
        }
        // Avoids -0.
        Constraint { name, terms, relation, rhs: 0.0 - self.constant }
    }
}
