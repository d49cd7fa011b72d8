// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can be wrong with a model.

use thiserror::Error;

use crate::PhaseId;

/// Why a model could not be built.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ModelError {
    /// The columns of a phase contradict each other.
    #[error("phase {phase}: {message}")]
    Phase {
        /// Which phase.
        phase: PhaseId,
        /// What is wrong.
        message: String,
    },
    /// No rank quantity has this name.
    #[error("`{name}` is not a rank quantity; known are {known}")]
    UnknownQuantity {
        /// What was asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A parameter that a work model cannot take.
    #[error("`{name}` must be a finite number that is not negative, not {value}")]
    BadParameter {
        /// Which parameter.
        name: &'static str,
        /// The value given.
        value: f64,
    },
    /// What exceeding a bound is to cost is neither everything nor nothing.
    #[error("`epsilon` is inf (bounds hold) or 0 (they do not), not {value}")]
    BadEpsilon {
        /// The value given.
        value: f64,
    },
}
