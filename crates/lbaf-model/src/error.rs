// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of the model.

use thiserror::Error;

use crate::PhaseId;

/// Reason why a model could not be built.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ModelError {
    /// The data of a phase contradict each other, or are out of range.
    #[error("phase {phase}: {message}")]
    Phase {
        /// Number of the phase.
        phase: PhaseId,
        /// Description of the fault.
        message: String,
    },
    /// No rank quantity has this name.
    #[error("`{name}` is not a rank quantity; known are {known}")]
    UnknownQuantity {
        /// The unknown name.
        name: String,
        /// All known names.
        known: String,
    },
    /// A work model cannot use this value of a parameter.
    #[error("`{name}` must be a finite non-negative number, not {value}")]
    BadParameter {
        /// Name of the parameter.
        name: &'static str,
        /// The value given.
        value: f64,
    },
    /// Epsilon, the cost of exceeding a bound, is neither infinite nor 0.
    #[error("`epsilon` must be inf (bounds apply) or 0 (bounds are ignored), not {value}")]
    BadEpsilon {
        /// The value given.
        value: f64,
    },
}
