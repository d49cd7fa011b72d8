// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why a run could not be simulated to its end.

use lbaf_model::{ModelError, PhaseId};
use lbaf_strategies::{Cancelled, StrategyError};
use thiserror::Error;

/// Why a run could not be simulated to its end, and behind which phase.
#[derive(Debug, Error)]
pub enum SimulationError {
    /// The strategy refused, or broke a promise.
    #[error("behind phase {phase}: {source}")]
    Strategy {
        /// The phase that ended.
        phase: PhaseId,
        /// What it says.
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
        /// What is wrong.
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
