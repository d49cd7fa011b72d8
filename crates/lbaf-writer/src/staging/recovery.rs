// SPDX-License-Identifier: MIT OR Apache-2.0
//! Recovery from killed processes: staged files are removed, and partially replaced results are restored.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::disk::Disk;
use super::hidden::{
    JOURNAL, LOCK, Owner, alone, alone_at_once, has_journal, hidden_directories, remove, seen,
};
use super::journal::{Journal, trust};
use crate::WriteError;
use crate::unfinished::{State, Unfinished};

impl State {
    fn of(owner: &Owner, hidden: &Path, directory: &Path) -> Self {
        if let Some(fault) = Journal::fault(directory, hidden) {
            return State::Damaged { journal: hidden.join(JOURNAL), fault };
        }
        match owner {
            Owner::Running => State::Running,
            Owner::Elsewhere { machine } => State::On(machine.clone()),
            Owner::Dead { .. } | Owner::Unknown => match trust::other_user(hidden, directory) {
                Some(user) => State::KilledOf { user },
                None => State::Killed,
            },
        }
    }

    /// True if the old files can be restored. `force` allows this in cases that the user must confirm.
    fn can_be_restored(&self, force: bool) -> bool {
        match self {
            State::Killed => true,
            State::KilledOf { .. } | State::Running | State::On(_) => force,
            State::Damaged { .. } => false,
        }
    }
}

/// Returns the first unfinished replacement in a directory, for commands that read there. Changes nothing.
pub fn unfinished(directory: &Path) -> Option<Unfinished> {
    unfinished_besides(directory, None)
}

/// As [`unfinished`], except for the replacement from the hidden directory with this name.
pub(super) fn unfinished_besides(directory: &Path, own: Option<&OsStr>) -> Option<Unfinished> {
    let mut others = hidden_directories(directory).into_iter().filter(|hidden| hidden.file_name() != own);
    let hidden = others.find(|hidden| has_journal(hidden))?;
    let state = State::of(&Owner::of(&hidden), &hidden, directory);
    // The replacement may have finished in the meantime.
    has_journal(&hidden).then(|| Unfinished { directory: directory.to_path_buf(), state })
}

/// Restores the files of a directory to the state before an unfinished replacement. Returns true if there was one.
/// With `force`, also restores files of a process that is not known to be killed or belonged to another user.
///
/// # Errors
/// If the journal cannot be followed, or is followed only with `force`, or a file cannot be moved.
pub fn restore(directory: &Path, force: bool) -> Result<bool, WriteError> {
    let disk = Disk::default();
    let alone = alone(directory);
    let restored = restore_all(directory, force, &disk);
    remove_abandoned(directory, alone.is_some(), &disk);
    remove_abandoned_above(directory, &disk);
    restored
}

/// Abandons a damaged journal. The files of the directory remain unchanged, and the hidden directory, which may
/// contain old files, gets a visible name. Returns the new path; `None` if no journal is damaged.
///
/// # Errors
/// If the directory cannot be renamed.
pub fn set_aside(directory: &Path) -> Result<Option<PathBuf>, WriteError> {
    let disk = Disk::default();
    let _alone = alone(directory);
    let hidden = hidden_directories(directory).into_iter().filter(|hidden| has_journal(hidden));
    for hidden in hidden {
        if Journal::fault(directory, &hidden).is_some() {
            let seen = seen(&hidden, "lbaf-damaged-");
            let renamed = disk.rename(&hidden, &seen);
            renamed.map_err(|source| WriteError::Io { path: seen.clone(), source })?;
            return Ok(Some(seen));
        }
    }
    Ok(None)
}

/// Restores all unfinished replacements. Returns an error if one cannot be restored.
pub(super) fn restore_all(output_dir: &Path, force: bool, disk: &Disk) -> Result<bool, WriteError> {
    let mut restored = false;
    for hidden in hidden_directories(output_dir).into_iter().filter(|hidden| has_journal(hidden)) {
        // The lock is held until the files are restored.
        let owner = Owner::of(&hidden);
        let state = State::of(&owner, &hidden, output_dir);
        if !state.can_be_restored(force) {
            let directory = output_dir.to_path_buf();
            return Err(WriteError::Unfinished(Unfinished { directory, state }));
        }
        Journal::restore(output_dir, &hidden, disk)?;
        remove(&hidden, disk);
        restored = true;
    }
    Ok(restored)
}

/// Removes the hidden directories of killed processes, except those with a journal. Directories of another machine
/// are left to it.
pub(super) fn remove_abandoned(directory: &Path, is_alone: bool, disk: &Disk) {
    for hidden in hidden_directories(directory).into_iter().filter(|hidden| !has_journal(hidden)) {
        let is_empty =
            || hidden.read_dir().is_ok_and(|files| files.flatten().all(|file| file.file_name() == LOCK));
        match Owner::of(&hidden) {
            Owner::Dead { .. } => {
                Journal::finish(directory, &hidden, disk);
                remove(&hidden, disk);
            }
            // The process was killed before it recorded its machine. It has not just started, because it would then
            // hold the lock on `directory`.
            Owner::Unknown if is_alone && is_empty() => {
                remove(&hidden, disk);
            }
            Owner::Unknown | Owner::Running | Owner::Elsewhere { .. } => {}
        }
    }
}

/// Removes abandoned hidden directories next to an output directory, from which results are swapped, unless another
/// process is working there.
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
