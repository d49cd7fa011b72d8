// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors in the formulation of programs and in solution files.

use thiserror::Error;

use crate::Form;

/// Error in the formulation of a problem as a program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FormulationError {
    /// A work model that is not a sum of terms.
    #[error("the work model {model} cannot be written as linear terms")]
    Model {
        /// Name of the work model.
        model: &'static str,
    },
    /// An upper bound on a nonlinear quantity.
    #[error("an upper bound on `{quantity}` cannot be written as a linear constraint; remove the bound")]
    Quantity {
        /// Name of the quantity.
        quantity: &'static str,
    },
    /// A term of work or an upper bound for which the formulation has no variables.
    #[error("the formulation `{form}` cannot express {what}; use {instead}")]
    Form {
        /// Formulation.
        form: Form,
        /// Term or bound.
        what: String,
        /// Formulations that can express it.
        instead: &'static str,
    },
    /// A problem without migratable objects or without ranks.
    #[error("nothing to place: there are no migratable objects or no ranks")]
    Empty,
}

/// Error in a solution file. Lines count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SolutionError {
    /// The solver found no placement.
    #[error("line {line}: the solver found no placement: its status is `{status}`")]
    NoSolution {
        /// Line of the status.
        line: usize,
        /// Status reported by the solver.
        status: String,
    },
    /// A malformed line.
    #[error("line {line}: expected {expected}, not `{found}`")]
    Malformed {
        /// Line number.
        line: usize,
        /// Expected content.
        expected: &'static str,
        /// Content found.
        found: String,
    },
    /// A variable that the program does not have.
    #[error(
        "line {line}: the program has no column `{name}`; the solution belongs to another program: use the configuration, the \
         phase, the formulation and the options with which the program was written"
    )]
    UnknownVariable {
        /// Line number.
        line: usize,
        /// Name of the variable.
        name: String,
    },
    /// A variable with two values.
    #[error("line {line}: `{name}` already has a value in line {first}")]
    Twice {
        /// Line number.
        line: usize,
        /// Name of the variable.
        name: String,
        /// Line of its first value.
        first: usize,
    },
    /// A binary variable whose value is neither 0 nor 1.
    #[error("line {line}: `{name}` must be 0 or 1, not {value}; did the solver solve only the relaxation?")]
    Fractional {
        /// Line number.
        line: usize,
        /// Name of the variable.
        name: String,
        /// Value in the file.
        value: String,
    },
    /// An object without a rank.
    #[error("object {object} has no rank: none of `{variables}` is 1")]
    NoRank {
        /// Name of the object.
        object: String,
        /// Pattern of its variables.
        variables: String,
    },
    /// An object on two ranks.
    #[error("object {object} has two ranks: `{first}` and `{second}` (line {line}) are both 1")]
    TwoRanks {
        /// Name of the object.
        object: String,
        /// Variable of the first rank.
        first: String,
        /// Variable of the second rank.
        second: String,
        /// Line of the second variable.
        line: usize,
    },
    /// The file has fewer variables than it announces.
    #[error("line {line}: the file ends after {found} of {expected} columns")]
    Cut {
        /// Last line of the file.
        line: usize,
        /// Number of variables found.
        found: usize,
        /// Number of variables announced.
        expected: usize,
    },
    /// A file without values.
    #[error(
        "the file has no values; expected a solution of HiGHS, CBC, GLPK, SCIP or Gurobi, or lines `name value`"
    )]
    Empty,
}
