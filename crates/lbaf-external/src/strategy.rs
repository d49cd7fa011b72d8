// SPDX-License-Identifier: MIT OR Apache-2.0
//! A command as a strategy.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use lbaf_strategies::{Context, Outcome, Problem, Strategy, StrategyError};

use crate::answer::Answer;
use crate::process::{Patience, Process, Program};
use crate::request::Request;
use crate::{External, ExternalError, Listener, Promise};

/// A strategy that a command computes. Build one for a run and share it: it keeps the processes of a persistent command,
/// which end when it is dropped.
pub struct ExternalStrategy {
    parameters: External,
    program: Program,
    time_limit: Duration,
    /// Processes of a persistent command that wait for the next problem. Phases that are balanced at the same time take
    /// one each.
    idle: Mutex<Vec<Process>>,
}

impl ExternalStrategy {
    /// The strategy of a command that runs in `directory`, where its relative paths start. Nothing is started yet.
    ///
    /// # Errors
    /// If there is no command, or no possible time limit.
    pub fn new(
        parameters: External,
        directory: impl Into<PathBuf>,
        listener: Listener,
    ) -> Result<Self, ExternalError> {
        let (name, time_limit) = parameters.check()?;
        let program = Program {
            name: name.to_owned(),
            arguments: parameters.command[1..].to_vec(),
            directory: directory.into(),
            is_persistent: parameters.persistent,
            listener,
        };
        Ok(ExternalStrategy { parameters, program, time_limit, idle: Mutex::default() })
    }

    /// The placement of a command, as [`Strategy::rebalance`], with its faults by kind.
    ///
    /// # Errors
    /// If the command cannot be started, fails, takes too long, or its answer is no placement of the phase.
    ///
    /// # Panics
    /// Never: a problem is plain data.
    pub fn ask(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, ExternalError> {
        let patience = Patience {
            limit: self.time_limit,
            deadline: Instant::now().checked_add(self.time_limit),
            is_cancelled: &|| false,
        };
        let mut request = Request::new(problem, context.seed(), &self.parameters.parameters);
        let is_persistent = self.parameters.persistent;
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = if is_persistent { idle().pop() } else { None };
        let mut process = waiting.map_or_else(|| Process::start(&self.program), Ok)?;
        request.turn = is_persistent.then(|| process.next_turn());
        let mut line = serde_json::to_vec(&request).expect("invariant: a problem is plain data");
        line.push(b'\n');
        let turn = request.turn;
        // The problem may take as much memory as the phase.
        drop(request);
        let answer = process.exchange(line, &patience)?;
        let answer = Answer::parse(&answer)?;
        answer.check_turn(turn)?;
        let outcome = answer.outcome(problem, context)?;
        if is_persistent {
            idle().push(process);
        }
        Ok(outcome)
    }
}

impl Strategy for ExternalStrategy {
    fn name(&self) -> &'static str {
        External::NAME
    }

    fn honours_bounds(&self) -> bool {
        self.parameters.promises.contains(&Promise::Bounds)
    }

    fn needs_coordinates(&self) -> bool {
        self.parameters.indices
    }

    fn needs_subphases(&self) -> bool {
        self.parameters.subphases
    }

    fn draws(&self) -> bool {
        !self.parameters.promises.contains(&Promise::SeedIgnored)
    }

    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        Ok(self.ask(problem, context)?)
    }
}
