// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of simulated runs.

use lbaf_model::{ModelError, PhaseId};
use lbaf_strategies::{Cancelled, StrategyError};
use thiserror::Error;

/// Error of a simulated run, or of an examination of load models.
#[derive(Debug, Error)]
pub enum SimulationError {
    /// The strategy returned an error or an invalid result.
    #[error("after phase {phase}: {source}")]
    Strategy {
        /// The phase that ended; in an examination, the phase that was balanced.
        phase: PhaseId,
        /// Error of the strategy.
        source: StrategyError,
    },
    /// The run was stopped by its [`Cancel`](lbaf_strategies::Cancel) token.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The run has too many phases to search for the best schedule.
    #[error(
        "the run has {n_phases} phases, but the best schedule can only be searched for in runs of up to {most} phases; \
         select fewer phases"
    )]
    TooManyPhases {
        /// Number of phases of the run.
        n_phases: usize,
        /// Maximum number of phases.
        most: usize,
    },
    /// The predicted loads do not make a valid phase; for example, their sum overflows.
    #[error("invalid phase predicted after phase {phase}: {source}")]
    Prediction {
        /// The phase that ended; in an examination, the predicted phase.
        phase: PhaseId,
        /// Error of the predicted phase.
        source: ModelError,
    },
}

impl SimulationError {
    /// Creates the error of a strategy after a phase.
    pub(crate) fn of_strategy(phase: PhaseId, source: StrategyError) -> Self {
        match source {
            StrategyError::Cancelled(cancelled) => cancelled.into(),
            source => SimulationError::Strategy { phase, source },
        }
    }
}
