// SPDX-License-Identifier: MIT OR Apache-2.0
//! Processes of commands, shared by strategies.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crate::process::{Process, Program};
use crate::{ExternalError, Listener};

/// Starts commands in a directory, and keeps persistent ones until it is dropped. All strategies of a run or a study
/// share one, so that a persistent command has one process for all phases and cells; those that are computed at the same
/// time have one each.
pub struct Processes {
    directory: PathBuf,
    listener: Listener,
    /// Persistent processes that wait for the next problem, by command.
    idle: Mutex<BTreeMap<Vec<String>, Vec<Process>>>,
}

impl Processes {
    /// Commands run in `directory`, where their relative paths start; the listener gets their standard error.
    pub fn new(directory: impl Into<PathBuf>, listener: Listener) -> Self {
        Processes { directory: directory.into(), listener, idle: Mutex::default() }
    }

    /// A process of a command for one caller: one that waits, or a new one.
    ///
    /// # Errors
    /// If the system does not start it.
    pub(crate) fn take(&self, command: &[String], is_persistent: bool) -> Result<Process, ExternalError> {
        let waiting = || self.idle.lock().unwrap_or_else(PoisonError::into_inner).get_mut(command)?.pop();
        if let Some(process) = is_persistent.then(waiting).flatten() {
            return Ok(process);
        }
        let (name, arguments) = command.split_first().ok_or(ExternalError::NoCommand)?;
        let (directory, listener) = (&self.directory, &self.listener);
        Process::start(&Program { name, arguments, directory, is_persistent, listener })
    }

    /// Keeps a process for the next problem.
    pub(crate) fn give_back(&self, command: &[String], process: Process) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.entry(command.to_vec()).or_default().push(process);
    }
}
