// SPDX-License-Identifier: MIT OR Apache-2.0
//! Replacements of files that were begun and did not end.

use std::path::PathBuf;

/// Files whose replacement has begun and not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// The directory that they are in.
    pub directory: PathBuf,
    /// Its state.
    pub state: State,
}

/// The state of a replacement that has not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Its process was killed.
    Killed,
    /// Its process was killed, and is of a user whose journal is not followed by itself.
    KilledOf {
        /// The ID of the user.
        user: u32,
    },
    /// Its process runs, as far as this machine can tell.
    Running,
    /// Its process is or was on another machine.
    On(String),
    /// Its journal cannot be followed.
    Damaged {
        /// The journal.
        journal: PathBuf,
        /// Its fault.
        fault: String,
    },
}
