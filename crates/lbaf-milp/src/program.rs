// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mixed-integer programs: variables, constraints, and one variable to minimize.

/// Position of a variable in its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableId(pub usize);

/// Unknown of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Name in files: letters, digits and `_`.
    pub name: String,
    /// Least value.
    pub lower: f64,
    /// Largest value, possibly infinite.
    pub upper: f64,
    /// True if the value must be 0 or 1.
    pub is_binary: bool,
}

/// Comparison of the left and the right side of a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The left side is at most the right side.
    AtMost,
    /// The left side is at least the right side.
    AtLeast,
    /// Both sides are equal.
    Equal,
}

/// Constraint: compares the sum of `coefficient x variable` on the left side with a number on the right side.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// Name in files: letters, digits and `_`.
    pub name: String,
    /// Variables with their coefficients, at least one, in ascending order without repetition.
    pub terms: Vec<(VariableId, f64)>,
    /// Comparison of the sum of `terms` with `rhs`.
    pub relation: Relation,
    /// Right-hand side.
    pub rhs: f64,
}

/// Mixed-integer program: minimizes its first variable subject to constraints.
///
/// Variables are in the order in which the objective and the constraints first name them. A solver that numbers the
/// variables of an LP file in order of appearance uses the same numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// Comments for the head of a file.
    pub comments: Vec<String>,
    /// Unknowns.
    pub variables: Vec<Variable>,
    /// Constraints.
    pub constraints: Vec<Constraint>,
    /// Positions of the constraints that express the upper bounds of the work model.
    pub bound_constraints: Vec<usize>,
}

impl Program {
    /// Variable to minimize.
    pub const OBJECTIVE: VariableId = VariableId(0);

    /// Creates a program without constraints that minimizes a variable with this name and least value.
    pub(crate) fn minimizing(name: &str, lower: f64) -> Self {
        let objective = Variable { name: name.to_owned(), lower, upper: f64::INFINITY, is_binary: false };
        Program {
            comments: Vec::new(),
            variables: vec![objective],
            constraints: Vec::new(),
            bound_constraints: Vec::new(),
        }
    }

    /// Returns the number of binary variables.
    pub fn n_binaries(&self) -> usize {
        self.variables.iter().filter(|variable| variable.is_binary).count()
    }

    /// Returns the number of coefficients in all constraints.
    pub fn n_terms(&self) -> usize {
        self.constraints.iter().map(|constraint| constraint.terms.len()).sum()
    }

    /// Returns the largest amount by which these values violate a constraint or a limit of a variable; 0 without
    /// violations.
    pub fn violation(&self, values: &[f64]) -> f64 {
        let of_constraint = |constraint: &Constraint| {
            let beyond =
                constraint.terms.iter().map(|&(VariableId(at), factor)| factor * values[at]).sum::<f64>()
                    - constraint.rhs;
            match constraint.relation {
                Relation::AtMost => beyond,
                Relation::AtLeast => -beyond,
                Relation::Equal => beyond.abs(),
            }
        };
        let of_variable =
            |(variable, &value): (&Variable, &f64)| (variable.lower - value).max(value - variable.upper);
        let constraints = self.constraints.iter().map(of_constraint);
        constraints.chain(self.variables.iter().zip(values).map(of_variable)).fold(0.0, f64::max)
    }

    pub(crate) fn binary(&mut self, name: String) -> VariableId {
        self.variable(Variable { name, lower: 0.0, upper: 1.0, is_binary: true })
    }

    pub(crate) fn variable(&mut self, variable: Variable) -> VariableId {
        self.variables.push(variable);
        VariableId(self.variables.len() - 1)
    }
}

/// Returns the shortest text from which this number can be read back exactly. A magnitude below 1e-5 or from 1e15 on
/// has an exponent.
pub(crate) fn spelled(number: f64) -> String {
    let size = number.abs();
    if size == 0.0 || (1e-5..1e15).contains(&size) { format!("{number}") } else { format!("{number:e}") }
}
