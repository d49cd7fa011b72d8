// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why a program cannot be written, or an answer not be read.

use thiserror::Error;

use crate::Form;

/// Why a problem cannot be written down as a program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FormulationError {
    /// Work is no sum of terms.
    #[error("the work model {model} cannot be written as linear terms")]
    Model {
        /// Its name.
        model: &'static str,
    },
    /// A bound on what is not linear.
    #[error("a bound on {quantity} cannot be written as a linear row; leave it out")]
    Quantity {
        /// The quantity.
        quantity: &'static str,
    },
    /// What the form has no variables for.
    #[error("the formulation {form} cannot write {what}; take {instead}")]
    Form {
        /// The form.
        form: Form,
        /// What it cannot write.
        what: String,
        /// Forms that can.
        instead: &'static str,
    },
    /// Nothing is unknown.
    #[error("there is nothing to be placed: no object may migrate, or there are no ranks")]
    Empty,
}

/// Why an answer of a solver is no placement. Lines count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SolutionError {
    /// The solver has no placement.
    #[error("line {line}: the solver found no placement: it says `{status}`")]
    NoSolution {
        /// Where it says so.
        line: usize,
        /// What it says.
        status: String,
    },
    /// A line that is none of such a file.
    #[error("line {line}: expected {expected}, not `{found}`")]
    Malformed {
        /// Which line.
        line: usize,
        /// What it should be.
        expected: &'static str,
        /// What it is.
        found: String,
    },
    /// A variable that the program does not have.
    #[error(
        "line {line}: the program has no column `{name}`; the answer is to another one: take the configuration, the \
         phase, the formulation and the options that the program was written with"
    )]
    UnknownVariable {
        /// Which line.
        line: usize,
        /// The name.
        name: String,
    },
    /// A variable twice.
    #[error("line {line}: `{name}` has a value already, in line {first}")]
    Twice {
        /// Which line.
        line: usize,
        /// The name.
        name: String,
        /// Where it was before.
        first: usize,
    },
    /// A value that is neither 0 nor 1.
    #[error("line {line}: `{name}` is 0 or 1, not {value}; has the solver solved the relaxation alone?")]
    Fractional {
        /// Which line.
        line: usize,
        /// The name.
        name: String,
        /// The value.
        value: String,
    },
    /// An object nowhere.
    #[error("object {object} has no rank: none of `{variables}` is 1")]
    NoRank {
        /// The object.
        object: String,
        /// Its variables.
        variables: String,
    },
    /// An object in two places.
    #[error("object {object} has two ranks: `{first}` and `{second}` (line {line}) are both 1")]
    TwoRanks {
        /// The object.
        object: String,
        /// The variable of one rank.
        first: String,
        /// The variable of the other.
        second: String,
        /// Where the latter stands.
        line: usize,
    },
    /// Fewer variables than the file says.
    #[error("line {line}: the file ends after {found} of {expected} columns")]
    Cut {
        /// The last line.
        line: usize,
        /// How many variables there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// Nothing at all.
    #[error("no value in it; expected an answer of HiGHS, CBC, GLPK, SCIP or Gurobi, or lines `name value`")]
    Empty,
}
