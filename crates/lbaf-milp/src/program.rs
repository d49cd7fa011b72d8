// SPDX-License-Identifier: MIT OR Apache-2.0
//! A mixed-integer program: variables, constraints, and one variable to minimize.

/// Position of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableId(pub usize);

/// An unknown of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name in files: letters, digits and `_`.
    pub name: String,
    /// The least value.
    pub lower: f64,
    /// The largest value, which may be infinite.
    pub upper: f64,
    /// True if it must be 0 or 1.
    pub is_binary: bool,
}

/// Comparison of the two sides of a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// At most.
    AtMost,
    /// At least.
    AtLeast,
    /// Equal.
    Equal,
}

/// `sum of coefficient x variable`, compared with a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// Its name in files: letters, digits and `_`.
    pub name: String,
    /// Variables, ascending, each once, with coefficients that are not 0; at least one.
    pub terms: Vec<(VariableId, f64)>,
    /// Comparison of the sum with `rhs`.
    pub relation: Relation,
    /// The right-hand side.
    pub rhs: f64,
}

/// A mixed-integer program: minimizes its first variable subject to constraints.
///
/// Variables are in the order in which the objective and the constraints first name them: solvers that number the
/// variables of an LP file by themselves come to the same numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// Comments for the head of a file, one sentence each.
    pub comments: Vec<String>,
    /// The unknowns.
    pub variables: Vec<Variable>,
    /// The constraints.
    pub constraints: Vec<Constraint>,
    /// Positions of the constraints that keep the upper bounds of the work model.
    pub bound_constraints: Vec<usize>,
}

impl Program {
    /// The variable to minimize.
    pub const OBJECTIVE: VariableId = VariableId(0);

    /// A program that minimizes a variable and says nothing else.
    pub(crate) fn minimizing(name: &str, lower: f64) -> Self {
        let objective = Variable { name: name.to_owned(), lower, upper: f64::INFINITY, is_binary: false };
        Program {
            comments: Vec::new(),
            variables: vec![objective],
            constraints: Vec::new(),
            bound_constraints: Vec::new(),
        }
    }

    /// Number of variables that are 0 or 1.
    pub fn n_binaries(&self) -> usize {
        self.variables.iter().filter(|variable| variable.is_binary).count()
    }

    /// Number of coefficients in all constraints.
    pub fn n_terms(&self) -> usize {
        self.constraints.iter().map(|constraint| constraint.terms.len()).sum()
    }

    /// Largest violation of a constraint or of a bound of a variable by these values; 0 if none is violated.
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

/// The shortest spelling that reads back as the same number, with an exponent where there would be many zeros.
pub(crate) fn spelled(number: f64) -> String {
    let size = number.abs();
    if size == 0.0 || (1e-5..1e15).contains(&size) { format!("{number}") } else { format!("{number:e}") }
}
