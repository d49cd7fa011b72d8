// SPDX-License-Identifier: MIT OR Apache-2.0
//! Leftovers of processes that were killed: staged files are removed, and a result that was being replaced is restored.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::disk::Disk;
use super::hidden::{LOCK, Owner, alone, alone_at_once, hidden_directories, remove, seen};
use super::journal::{self, Journal};
use crate::WriteError;

/// Files whose replacement has begun and not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// The directory that they are in.
    pub directory: PathBuf,
    /// The process that replaces them.
    pub process: Process,
}

/// The state of a process that replaces files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Process {
    /// It was killed.
    Killed,
    /// It runs, as far as this machine can tell.
    Running,
    /// It is or was on another machine.
    On(String),
}

/// The first replacement in a directory that has begun and not ended, for commands that read there. Changes nothing.
pub fn unfinished(directory: &Path) -> Option<Unfinished> {
    unfinished_besides(directory, None)
}

/// The same, but for the replacement from the hidden directory of this name.
pub(super) fn unfinished_besides(directory: &Path, own: Option<&OsStr>) -> Option<Unfinished> {
    let mut others = hidden_directories(directory).into_iter().filter(|hidden| hidden.file_name() != own);
    let hidden = others.find(|hidden| journal::is_in(hidden))?;
    let process = match Owner::of(&hidden) {
        Owner::Dead { .. } | Owner::Unknown => Process::Killed,
        Owner::Running => Process::Running,
        Owner::Elsewhere { machine } => Process::On(machine),
    };
    // It may have ended meanwhile.
    journal::is_in(&hidden).then(|| Unfinished { directory: directory.to_path_buf(), process })
}

/// Restores the files of a directory as they were before a replacement that did not end. Returns true if there was one.
/// With `force` also if it cannot be seen from here that its process was killed.
///
/// # Errors
/// If the process may run, or a file cannot be moved.
pub fn restore(directory: &Path, force: bool) -> Result<bool, WriteError> {
    let disk = Disk::default();
    let alone = alone(directory);
    let mut restored = restore_all(directory, false, &disk);
    if force && matches!(restored, Err(WriteError::Unfinished(_))) {
        restored = restore_all(directory, true, &disk);
    }
    remove_abandoned(directory, alone.is_some(), &disk);
    remove_abandoned_above(directory, &disk);
    restored
}

/// Gives up a damaged journal: the files of the directory stay as they are, and the hidden directory, in which there may be old
/// ones, gets a name that is seen. Returns that, if there is a damaged journal.
///
/// # Errors
/// If it cannot be renamed.
pub fn set_aside(directory: &Path) -> Result<Option<PathBuf>, WriteError> {
    let disk = Disk::default();
    let _alone = alone(directory);
    let hidden = hidden_directories(directory).into_iter().filter(|hidden| journal::is_in(hidden));
    for hidden in hidden {
        if let Err(WriteError::Damaged { .. }) = Journal::check(directory, &hidden) {
            let seen = seen(&hidden, "lbaf-damaged-");
            let renamed = disk.rename(&hidden, &seen);
            renamed.map_err(|source| WriteError::Io { path: seen.clone(), source })?;
            return Ok(Some(seen));
        }
    }
    Ok(None)
}

/// Restores what can be restored, and refuses to go on where something cannot.
pub(super) fn restore_all(output_dir: &Path, force: bool, disk: &Disk) -> Result<bool, WriteError> {
    let mut restored = false;
    for hidden in hidden_directories(output_dir).into_iter().filter(|hidden| journal::is_in(hidden)) {
        // The lock is held until the files are back.
        let owner = Owner::of(&hidden);
        let process = match &owner {
            Owner::Running => Some(Process::Running),
            Owner::Elsewhere { machine } => Some(Process::On(machine.clone())),
            Owner::Dead { .. } | Owner::Unknown => None,
        };
        if let Some(process) = process.filter(|_| !force) {
            let directory = output_dir.to_path_buf();
            return Err(WriteError::Unfinished(Unfinished { directory, process }));
        }
        Journal::restore(output_dir, &hidden, disk)?;
        remove(&hidden, disk);
        restored = true;
    }
    Ok(restored)
}

/// Removes hidden directories of processes that were killed, but for those with a journal. What another machine left is for
/// that to remove.
pub(super) fn remove_abandoned(directory: &Path, is_alone: bool, disk: &Disk) {
    for hidden in hidden_directories(directory).into_iter().filter(|hidden| !journal::is_in(hidden)) {
        let is_empty =
            || hidden.read_dir().is_ok_and(|files| files.flatten().all(|file| file.file_name() == LOCK));
        match Owner::of(&hidden) {
            Owner::Dead { .. } => {
                Journal::finish(directory, &hidden, disk);
                remove(&hidden, disk);
            }
            // Killed before it said where it is, unless it has just begun.
            Owner::Unknown if is_alone && is_empty() => {
                remove(&hidden, disk);
            }
            Owner::Unknown | Owner::Running | Owner::Elsewhere { .. } => {}
        }
    }
}

/// The same above an output directory, where results are swapped; not if another process is at work there.
pub(super) fn remove_abandoned_above(output_dir: &Path, disk: &Disk) {
    let path = output_dir.canonicalize().ok();
    let Some(parent) = path.as_deref().and_then(Path::parent) else { return };
    if hidden_directories(parent).is_empty() {
        return;
    }
    if let Some(_alone) = alone_at_once(parent) {
        remove_abandoned(parent, true, disk);
    }
}
