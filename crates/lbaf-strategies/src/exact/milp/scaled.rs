// SPDX-License-Identifier: MIT OR Apache-2.0
//! A program in units in which its coefficients are near 1.

use std::collections::BTreeSet;

use lbaf_milp::{ColumnId, Program, Relation};

/// Whole numbers are missed by so much at most, and rows, whose largest coefficient is 1, by less.
const INTEGRALITY: f64 = 1e-6;

/// Solvers take for the same what in a row is less apart than this part of its largest coefficient.
const ALIKE: f64 = 1e-9;

/// Seconds and bytes are far apart, and the tolerances of solvers are absolute. So the objective is taken in units of
/// the work at the start, other columns that are no parts from 0 to 1 in units of the largest number beside them in a
/// row, and rows are divided by their largest coefficient.
pub(super) struct Scaled<'a> {
    pub(super) program: &'a Program,
    /// The unit of every column.
    units: Vec<f64>,
    /// Rows that are to be kept by more than solvers miss them.
    clear: BTreeSet<usize>,
}

impl<'a> Scaled<'a> {
    /// A program in which a good solution has about so much `work`.
    pub(super) fn new(program: &'a Program, work: f64) -> Self {
        let ColumnId(objective) = Program::OBJECTIVE;
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
        if work > 0.0 && work.is_finite() {
            units[objective] = work;
        }
        units.iter_mut().filter(|unit| **unit == 0.0).for_each(|unit| *unit = 1.0);
        Scaled { program, units, clear: BTreeSet::new() }
    }

    /// Keeps clear of those bounds of the model which a solution misses with its whole numbers rounded; whether there is
    /// another one than before.
    pub(super) fn keep_clear_of_missed(&mut self, values: &[f64]) -> bool {
        let value = |&(ColumnId(at), factor): &(ColumnId, f64)| {
            factor
                * if self.program.columns[at].is_binary {
                    values[at].round()
                } else {
                    values[at] * self.units[at]
                }
        };
        let is_missed = |&row: &usize| {
            let row = &self.program.rows[row];
            row.terms.iter().map(value).sum::<f64>() > row.rhs
        };
        let n_before = self.clear.len();
        let missed: Vec<usize> = self.program.bound_rows.iter().copied().filter(is_missed).collect();
        self.clear.extend(missed);
        self.clear.len() > n_before
    }

    /// Bounds of a column.
    pub(super) fn bounds(&self, column: usize) -> (f64, f64) {
        let facts = &self.program.columns[column];
        (facts.lower / self.units[column], facts.upper / self.units[column])
    }

    /// Rows: terms, relation, right-hand side.
    pub(super) fn rows(&self) -> impl Iterator<Item = (Vec<(usize, f64)>, Relation, f64)> + '_ {
        self.program.rows.iter().enumerate().map(move |(at, row)| {
            let terms: Vec<(usize, f64)> =
                row.terms.iter().map(|&(ColumnId(at), factor)| (at, factor * self.units[at])).collect();
            let largest = terms.iter().map(|(_, factor)| factor.abs()).fold(0.0, f64::max);
            let unit = if largest > 0.0 { largest } else { row.rhs.abs().max(1.0) };
            let terms: Vec<(usize, f64)> =
                terms.into_iter().map(|(at, factor)| (at, factor / unit)).collect();
            let sum = terms.iter().map(|(_, factor)| factor.abs()).sum::<f64>();
            let clear = if self.clear.contains(&at) { INTEGRALITY * (1.0 + sum) } else { 0.0 };
            (terms, row.relation, row.rhs / unit - clear)
        })
    }

    /// What a lower bound of a solver proves, in seconds.
    pub(super) fn proven(&self, bound: f64) -> f64 {
        let ColumnId(objective) = Program::OBJECTIVE;
        let unit = self.units[objective];
        let rows = self.program.rows.iter().filter(|row| row.terms[0].0 == Program::OBJECTIVE);
        let largest = rows.flat_map(|row| &row.terms).map(|(_, factor)| factor.abs()).fold(unit, f64::max);
        bound * unit - INTEGRALITY * unit.max(bound * unit) - ALIKE * largest
    }
}

/// Whether a column is from 0 to 1.
fn is_part(program: &Program, ColumnId(column): ColumnId) -> bool {
    program.columns[column].upper == 1.0
}
