// SPDX-License-Identifier: MIT OR Apache-2.0
//! Processes of commands, shared by strategies.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::process::{Process, ProcessCommand, end};
use crate::{ExternalError, Listener};

/// Starts commands in a directory, and keeps persistent processes until it is dropped.
///
/// All strategies of a run or a study share one instance, so that a persistent command has one process for
/// all phases and cells. Phases and cells that are computed at the same time use one process each.
pub struct Processes {
    directory: PathBuf,
    listener: Mutex<Listener>,
    /// Idle persistent processes, by command.
    idle: Mutex<BTreeMap<Vec<String>, Vec<Process>>>,
}

impl Processes {
    /// Creates an instance that runs commands in `directory`, to which relative paths in commands refer. The
    /// standard error of commands is discarded until [`listen`](Self::listen) is called.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        let dropped: Listener = Arc::new(|_: &str| {});
        Processes { directory: directory.into(), listener: Mutex::new(dropped), idle: Mutex::default() }
    }

    /// Passes the standard error of commands that start from now on to a listener.
    pub fn listen(&self, listener: Listener) {
        *self.listener.lock().unwrap_or_else(PoisonError::into_inner) = listener;
    }

    /// Returns the directory in which commands run.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns a process of a command for exclusive use: an idle one if the command is persistent and has
    /// one, else a new one.
    ///
    /// # Errors
    /// If the command is empty, or the system cannot start it.
    pub(crate) fn take(&self, command: &[String], is_persistent: bool) -> Result<Process, ExternalError> {
        let waiting = || self.idle.lock().unwrap_or_else(PoisonError::into_inner).get_mut(command)?.pop();
        if let Some(process) = is_persistent.then(waiting).flatten() {
            return Ok(process);
        }
        let (name, arguments) = command.split_first().ok_or(ExternalError::NoCommand)?;
        let listener = Arc::clone(&self.listener.lock().unwrap_or_else(PoisonError::into_inner));
        let (directory, listener) = (&self.directory, &listener);
        Process::start(&ProcessCommand { name, arguments, directory, is_persistent, listener })
    }

    /// Keeps a persistent process for the next problem.
    pub(crate) fn give_back(&self, command: &[String], process: Process) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.entry(command.to_vec()).or_default().push(process);
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        let idle = self.idle.get_mut().unwrap_or_else(PoisonError::into_inner);
        end(std::mem::take(idle).into_values().flatten().collect());
    }
}
