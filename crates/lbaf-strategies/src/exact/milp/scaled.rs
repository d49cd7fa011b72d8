// SPDX-License-Identifier: MIT OR Apache-2.0
//! Program scaled to coefficients near 1.

use std::collections::BTreeSet;

use lbaf_milp::{Program, Relation, VariableId};

/// Integrality tolerance of solvers. Solvers violate constraints whose largest coefficient is 1 by less than this.
const INTEGRALITY: f64 = 1e-6;

/// Solvers treat numbers in a constraint as equal if they differ by less than this fraction of the largest coefficient.
const ALIKE: f64 = 1e-9;

/// Program in scaled units.
///
/// Seconds and bytes differ by orders of magnitude, but the tolerances of solvers are absolute. The objective is
/// therefore measured in units of the work at the start. Binary variables, and fractions from 0 to 1, are not scaled.
/// For any other variable, each of its constraints gives a quotient: the largest coefficient of a variable that is
/// not scaled, divided by the coefficient of the variable itself. The unit is the largest quotient. Finally,
/// constraints are divided by their largest coefficient.
pub(super) struct Scaled<'a> {
    pub(super) program: &'a Program,
    /// Unit of each variable.
    units: Vec<f64>,
    /// Numbers of the constraints with a margin larger than the tolerance of solvers.
    clear: BTreeSet<usize>,
}

impl<'a> Scaled<'a> {
    /// Scales a program in which a good solution has about the given `work`. If `work` is 0 or infinite, the objective
    /// is scaled like other variables.
    pub(super) fn new(program: &'a Program, work: f64) -> Self {
        let VariableId(objective) = Program::OBJECTIVE;
        let mut units = vec![0.0_f64; program.variables.len()];
        for constraint in &program.constraints {
            for &(VariableId(variable), own) in
                constraint.terms.iter().filter(|&&(variable, own)| !is_part(program, variable) && own != 0.0)
            {
                let others = constraint.terms.iter().filter(|&&(other, _)| is_part(program, other));
                let largest = others.map(|&(_, factor)| factor.abs()).fold(0.0, f64::max);
                units[variable] = units[variable].max(largest / own.abs());
            }
        }
        if work > 0.0 && work.is_finite() {
            units[objective] = work;
        }
        units.iter_mut().filter(|unit| **unit == 0.0).for_each(|unit| *unit = 1.0);
        Scaled { program, units, clear: BTreeSet::new() }
    }

    /// Adds a margin to the bounds of the model that a solution violates after its binary values are rounded. Returns
    /// true if at least one of these bounds had no margin before.
    pub(super) fn keep_clear_of_missed(&mut self, values: &[f64]) -> bool {
        let value = |&(VariableId(at), factor): &(VariableId, f64)| {
            factor
                * if self.program.variables[at].is_binary {
                    values[at].round()
                } else {
                    values[at] * self.units[at]
                }
        };
        let is_missed = |&constraint: &usize| {
            let constraint = &self.program.constraints[constraint];
            constraint.terms.iter().map(value).sum::<f64>() > constraint.rhs
        };
        let n_before = self.clear.len();
        let missed: Vec<usize> = self.program.bound_constraints.iter().copied().filter(is_missed).collect();
        self.clear.extend(missed);
        self.clear.len() > n_before
    }

    /// Returns the scaled lower and upper bound of a variable.
    pub(super) fn bounds(&self, variable: usize) -> (f64, f64) {
        let facts = &self.program.variables[variable];
        (facts.lower / self.units[variable], facts.upper / self.units[variable])
    }

    /// Iterates over the scaled constraints: terms, relation, right-hand side.
    pub(super) fn constraints(&self) -> impl Iterator<Item = (Vec<(usize, f64)>, Relation, f64)> + '_ {
        self.program.constraints.iter().enumerate().map(move |(at, constraint)| {
            let terms: Vec<(usize, f64)> = constraint
                .terms
                .iter()
                .map(|&(VariableId(at), factor)| (at, factor * self.units[at]))
                .collect();
            let largest = terms.iter().map(|(_, factor)| factor.abs()).fold(0.0, f64::max);
            let unit = if largest > 0.0 { largest } else { constraint.rhs.abs().max(1.0) };
            let terms: Vec<(usize, f64)> =
                terms.into_iter().map(|(at, factor)| (at, factor / unit)).collect();
            let sum = terms.iter().map(|(_, factor)| factor.abs()).sum::<f64>();
            let clear = if self.clear.contains(&at) { INTEGRALITY * (1.0 + sum) } else { 0.0 };
            (terms, constraint.relation, constraint.rhs / unit - clear)
        })
    }

    /// Converts a lower bound of a solver into a proven lower bound on work: undoes the scaling and subtracts the
    /// tolerances.
    pub(super) fn proven(&self, bound: f64) -> f64 {
        let VariableId(objective) = Program::OBJECTIVE;
        let unit = self.units[objective];
        let constraints =
            self.program.constraints.iter().filter(|constraint| constraint.terms[0].0 == Program::OBJECTIVE);
        let largest = constraints
            .flat_map(|constraint| &constraint.terms)
            .map(|(_, factor)| factor.abs())
            .fold(unit, f64::max);
        bound * unit - INTEGRALITY * unit.max(bound * unit) - ALIKE * largest
    }
}

/// True if a variable is binary or a fraction from 0 to 1.
fn is_part(program: &Program, VariableId(variable): VariableId) -> bool {
    program.variables[variable].upper == 1.0
}
