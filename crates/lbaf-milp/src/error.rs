// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of formulation and of reading solutions.

use thiserror::Error;

use crate::Form;

/// Error of formulating a problem as a program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FormulationError {
    /// A work model that is not a sum of terms.
    #[error("the work model {model} cannot be written as linear terms")]
    Model {
        /// Its name.
        model: &'static str,
    },
    /// A bound on a nonlinear quantity.
    #[error("a bound on {quantity} cannot be written as a linear row; leave it out")]
    Quantity {
        /// The quantity.
        quantity: &'static str,
    },
    /// A term or bound that the formulation has no variables for.
    #[error("the formulation {form} cannot write {what}; take {instead}")]
    Form {
        /// The form.
        form: Form,
        /// The term or bound.
        what: String,
        /// Forms that can.
        instead: &'static str,
    },
    /// A problem without unknowns.
    #[error("there is nothing to be placed: no object may migrate, or there are no ranks")]
    Empty,
}

/// Error in a solution file. Lines count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SolutionError {
    /// The solver has no placement.
    #[error("line {line}: the solver found no placement: it says `{status}`")]
    NoSolution {
        /// Line of the status.
        line: usize,
        /// The status.
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
        "line {line}: the program has no column `{name}`; the answer is to another one: take the configuration, the \
         phase, the formulation and the options that the program was written with"
    )]
    UnknownVariable {
        /// Line number.
        line: usize,
        /// The name.
        name: String,
    },
    /// A variable twice.
    #[error("line {line}: `{name}` has a value already, in line {first}")]
    Twice {
        /// Line number.
        line: usize,
        /// The name.
        name: String,
        /// Line of its first value.
        first: usize,
    },
    /// A value that is neither 0 nor 1.
    #[error("line {line}: `{name}` is 0 or 1, not {value}; has the solver solved the relaxation alone?")]
    Fractional {
        /// Line number.
        line: usize,
        /// The name.
        name: String,
        /// The value.
        value: String,
    },
    /// An object without a rank.
    #[error("object {object} has no rank: none of `{variables}` is 1")]
    NoRank {
        /// The object.
        object: String,
        /// Its variables.
        variables: String,
    },
    /// An object on two ranks.
    #[error("object {object} has two ranks: `{first}` and `{second}` (line {line}) are both 1")]
    TwoRanks {
        /// The object.
        object: String,
        /// The variable of one rank.
        first: String,
        /// The variable of the other.
        second: String,
        /// Line of the second variable.
        line: usize,
    },
    /// Fewer variables than the file says.
    #[error("line {line}: the file ends after {found} of {expected} columns")]
    Cut {
        /// The last line.
        line: usize,
        /// Number of variables found.
        found: usize,
        /// Number of variables announced.
        expected: usize,
    },
    /// A file without values.
    #[error("no value in it; expected an answer of HiGHS, CBC, GLPK, SCIP or Gurobi, or lines `name value`")]
    Empty,
}
