// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of strategies.

use thiserror::Error;

use crate::Cancelled;

/// Error of a strategy: it could not run, was stopped, or returned a wrong result.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StrategyError {
    /// Unknown name of a strategy.
    #[error("there is no strategy `{name}`; {instead}")]
    UnknownName {
        /// Name that was given.
        name: String,
        /// "did you mean ..?", or a list of all valid names.
        instead: String,
    },
    /// Parameters that are invalid or do not fit the phase.
    #[error("{strategy}: {message}")]
    Parameters {
        /// Name of the strategy.
        strategy: &'static str,
        /// Description of the conflict and of valid values.
        message: String,
    },
    /// Parameter that is invalid or does not fit the phase.
    #[error("{strategy}: `{key}`: {message}")]
    Parameter {
        /// Name of the strategy.
        strategy: &'static str,
        /// Key of the parameter, or of an entry below it: `a.b`.
        key: String,
        /// Description of the conflict and of valid values.
        message: String,
    },
    /// Fault of an external program that computes a placement.
    #[error("{strategy}: {message}")]
    Outside {
        /// Name of the strategy.
        strategy: &'static str,
        /// Description of the fault, with the object it belongs to, if any, and a remedy.
        message: String,
    },
    /// Work that may exceed the range of floating-point numbers.
    #[error("{message}")]
    Work {
        /// Description of the overflow, with the phase, and a remedy.
        message: String,
    },
    /// The run was stopped by its [`Cancel`](crate::Cancel) token.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Result that breaks a promise that all strategies make: a defect of the strategy.
    #[error(
        "{strategy} returned a wrong result ({message}); this is a defect of the strategy, please report it to its author"
    )]
    Broken {
        /// Name of the strategy.
        strategy: &'static str,
        /// Description of the broken promise.
        message: String,
    },
}
