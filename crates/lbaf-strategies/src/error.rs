// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of strategies.

use thiserror::Error;

use crate::Cancelled;

/// Why a strategy could not run, or was found to be broken.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StrategyError {
    /// No strategy has this name.
    #[error("there is no strategy `{name}`{suggestion}; known are {known}")]
    UnknownName {
        /// What was asked for.
        name: String,
        /// "; did you mean ..?", or nothing.
        suggestion: String,
        /// The names there are.
        known: String,
    },
    /// Parameters that do not fit the phase.
    #[error("{strategy}: {message}")]
    Parameters {
        /// Which strategy.
        strategy: &'static str,
        /// What does not fit, and what would.
        message: String,
    },
    /// A parameter that does not fit the phase.
    #[error("{strategy}: `{key}`: {message}")]
    Parameter {
        /// Which strategy.
        strategy: &'static str,
        /// Which parameter, or which key below it: `a.b`.
        key: String,
        /// What does not fit, and what would.
        message: String,
    },
    /// A fault of a program outside this one that computes a placement.
    #[error("{strategy}: {message}")]
    Outside {
        /// Which strategy.
        strategy: &'static str,
        /// What it did, with the object concerned, and what to do.
        message: String,
    },
    /// Work that numbers may not hold.
    #[error("{message}")]
    Work {
        /// In which phase, and what to do.
        message: String,
    },
    /// The run was stopped by its [`Cancel`](crate::Cancel) token.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The result breaks a promise that every strategy makes. A defect of this program.
    #[error("{strategy} returned a wrong result ({message}); this is a defect of lbaf, please report it")]
    Broken {
        /// Which strategy.
        strategy: &'static str,
        /// The promise.
        message: String,
    },
}
