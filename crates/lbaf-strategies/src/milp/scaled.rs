// SPDX-License-Identifier: MIT OR Apache-2.0
//! A program in units in which its coefficients are near 1.

use lbaf_milp::{ColumnId, Program, Relation};

/// Seconds and bytes are far apart, and the tolerances of solvers are absolute. So columns that are no parts from 0 to
/// 1 are taken in units of the largest number beside them in a row, and rows are divided by their largest coefficient.
pub(super) struct Scaled<'a> {
    pub(super) program: &'a Program,
    /// The unit of every column.
    units: Vec<f64>,
}

impl<'a> Scaled<'a> {
    pub(super) fn new(program: &'a Program) -> Self {
        let mut units = vec![0.0_f64; program.columns.len()];
        for row in &program.rows {
            for &(ColumnId(column), own) in
                row.terms.iter().filter(|&&(column, own)| !is_part(program, column) && own != 0.0)
            {
                let others = row.terms.iter().filter(|&&(other, _)| is_part(program, other));
                let largest = others.map(|&(_, factor)| factor.abs()).fold(0.0, f64::max);
                units[column] = units[column].max(largest / own.abs());
            }
        }
        units.iter_mut().filter(|unit| **unit == 0.0).for_each(|unit| *unit = 1.0);
        Scaled { program, units }
    }

    /// Bounds of a column.
    pub(super) fn bounds(&self, column: usize) -> (f64, f64) {
        let facts = &self.program.columns[column];
        (facts.lower / self.units[column], facts.upper / self.units[column])
    }

    /// Rows: terms, relation, right-hand side.
    pub(super) fn rows(&self) -> impl Iterator<Item = (Vec<(usize, f64)>, Relation, f64)> + '_ {
        self.program.rows.iter().map(|row| {
            let terms: Vec<(usize, f64)> =
                row.terms.iter().map(|&(ColumnId(at), factor)| (at, factor * self.units[at])).collect();
            let largest = terms.iter().map(|(_, factor)| factor.abs()).fold(0.0, f64::max);
            let unit = if largest > 0.0 { largest } else { row.rhs.abs().max(1.0) };
            (
                terms.into_iter().map(|(at, factor)| (at, factor / unit)).collect(),
                row.relation,
                row.rhs / unit,
            )
        })
    }

    /// A value of the objective, in seconds.
    pub(super) fn objective(&self, value: f64) -> f64 {
        let ColumnId(objective) = Program::OBJECTIVE;
        value * self.units[objective]
    }
}

/// Whether a column is from 0 to 1.
fn is_part(program: &Program, ColumnId(column): ColumnId) -> bool {
    program.columns[column].upper == 1.0
}
