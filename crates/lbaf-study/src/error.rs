// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of simulated runs.

use lbaf_model::{ModelError, PhaseId};
use lbaf_strategies::{Cancelled, StrategyError};
use thiserror::Error;

/// Error of a simulated run, with the phase after which it occurred.
#[derive(Debug, Error)]
pub enum SimulationError {
    /// The strategy refused, or broke a promise.
    #[error("behind phase {phase}: {source}")]
    Strategy {
        /// The phase that ended.
        phase: PhaseId,
        /// Its error.
        source: StrategyError,
    },
    /// It was stopped by its [`Cancel`](lbaf_strategies::Cancel) token.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The best schedule of so long a run is not searched for.
    #[error(
        "the best schedule is searched for runs of up to {most} phases, not of {n_phases}; select fewer phases"
    )]
    TooManyPhases {
        /// Phases of the run.
        n_phases: usize,
        /// Phases that it may have.
        most: usize,
    },
    /// Loads were predicted that no phase can have, such as sums beyond all numbers.
    #[error("what is predicted behind phase {phase} is no phase: {source}")]
    Prediction {
        /// The phase that ended.
        phase: PhaseId,
        /// Its error.
        source: ModelError,
    },
}

impl SimulationError {
    /// The error of a strategy after a phase.
    pub(crate) fn of_strategy(phase: PhaseId, source: StrategyError) -> Self {
        match source {
            StrategyError::Cancelled(cancelled) => cancelled.into(),
            source => SimulationError::Strategy { phase, source },
        }
    }
}
