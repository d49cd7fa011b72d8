// SPDX-License-Identifier: MIT OR Apache-2.0
//! A number that depends on columns: a constant and multiples of them.

use std::collections::BTreeMap;

use crate::program::{ColumnId, Program, Relation, Row};

/// `constant + sum of factor x column`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Expression {
    constant: f64,
    terms: BTreeMap<ColumnId, f64>,
}

impl Expression {
    pub(crate) fn constant(constant: f64) -> Self {
        Expression { constant, ..Expression::default() }
    }

    pub(crate) fn add(&mut self, factor: f64, column: ColumnId) {
        *self.terms.entry(column).or_insert(0.0) += factor;
    }

    pub(crate) fn add_constant(&mut self, constant: f64) {
        self.constant += constant;
    }

    pub(crate) fn add_multiple(&mut self, factor: f64, other: &Expression) {
        self.constant += factor * other.constant;
        for (&column, of_other) in &other.terms {
            self.add(factor * of_other, column);
        }
    }

    /// A row that says how it compares with 0. Without columns there is the objective, with the factor 0: rows have to
    /// name something.
    pub(crate) fn row(self, name: String, relation: Relation) -> Row {
        let mut terms: Vec<(ColumnId, f64)> =
            self.terms.into_iter().filter(|&(_, factor)| factor != 0.0).collect();
        if terms.is_empty() {
            terms.push((Program::OBJECTIVE, 0.0));
        }
        // Not -0.
        Row { name, terms, relation, rhs: 0.0 - self.constant }
    }
}
