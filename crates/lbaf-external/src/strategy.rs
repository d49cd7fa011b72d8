// SPDX-License-Identifier: MIT OR Apache-2.0
//! A command as a strategy.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lbaf_strategies::{Context, Outcome, Problem, Strategy, StrategyError};

use serde_json::Value;

use crate::answer::Answer;
use crate::process::Patience;
use crate::request::Request;
use crate::{External, ExternalError, Processes};

/// Strategy that runs a command to compute placements.
pub struct ExternalStrategy {
    parameters: External,
    time_limit: Duration,
    processes: Arc<Processes>,
}

impl ExternalStrategy {
    /// Creates the strategy without starting its command.
    ///
    /// # Errors
    /// If there is no command, or if the time limit is invalid.
    pub fn new(parameters: External, processes: &Arc<Processes>) -> Result<Self, ExternalError> {
        if parameters.command.first().is_none_or(String::is_empty) {
            return Err(ExternalError::NoCommand);
        }
        let seconds = parameters.time_limit;
        let time_limit = Duration::try_from_secs_f64(seconds).ok().filter(|limit| !limit.is_zero());
        let time_limit = time_limit.ok_or(ExternalError::TimeLimit { seconds })?;
        Ok(ExternalStrategy { parameters, time_limit, processes: Arc::clone(processes) })
    }

    /// Asks the command for a placement, like [`Strategy::rebalance`] but with typed errors.
    ///
    /// # Errors
    /// If the command cannot be started, fails or takes too long, if its answer is invalid, or if the run is cancelled.
    ///
    /// # Panics
    /// Never: a problem can always be serialized.
    pub fn ask(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, ExternalError> {
        let patience = Patience {
            limit: self.time_limit,
            deadline: Instant::now().checked_add(self.time_limit),
            is_cancelled: &|| context.cancel().is_cancelled(),
        };
        let External { command, persistent, parameters, .. } = &self.parameters;
        let mut request = Request::new(problem, context.seed(), parameters);
        let mut process = self.processes.take(command, *persistent)?;
        request.turn = persistent.then(|| process.next_turn());
        let turn = request.turn;
        let mut line = serde_json::to_vec(&request).expect("invariant: a problem can always be serialized");
        line.push(b'\n');
        // Freed early, because it is as large as the phase.
        drop(request);
        let answer = Answer::parse(&process.exchange(line, &patience)?)?;
        answer.check_turn(turn)?;
        let outcome = answer.outcome(problem, context)?;
        if *persistent {
            self.processes.give_back(command, process);
        }
        Ok(outcome)
    }
}

impl Strategy for ExternalStrategy {
    fn name(&self) -> &'static str {
        self.parameters.name()
    }

    fn honours_bounds(&self) -> bool {
        self.parameters.honours_bounds()
    }

    fn needs_coordinates(&self) -> bool {
        self.parameters.needs_coordinates()
    }

    fn needs_subphases(&self) -> bool {
        self.parameters.needs_subphases()
    }

    fn uses_random_numbers(&self) -> bool {
        self.parameters.uses_random_numbers()
    }

    fn parameters(&self) -> Value {
        Strategy::parameters(&self.parameters)
    }

    fn external(&self) -> Option<&External> {
        Some(&self.parameters)
    }

    fn digest(&self) -> Result<Option<String>, StrategyError> {
        Ok(Some(crate::digest(&self.parameters.command, self.processes.directory())?))
    }

    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        Ok(self.ask(problem, context)?)
    }
}
