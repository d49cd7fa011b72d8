// SPDX-License-Identifier: MIT OR Apache-2.0
//! Unfinished replacements of files.

use std::path::PathBuf;

/// Files whose replacement has started and not finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// Directory of the files.
    pub directory: PathBuf,
    /// State of the replacement.
    pub state: State,
}

/// State of an unfinished replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// The process was killed.
    Killed,
    /// The process was killed and belonged to another user, whose journal is not followed automatically.
    KilledOf {
        /// ID of the user.
        user: u32,
    },
    /// The process is running, as far as this machine can determine.
    Running,
    /// The process is or was on another machine.
    On(String),
    /// The journal cannot be followed.
    Damaged {
        /// Path of the journal.
        journal: PathBuf,
        /// Description of the damage.
        fault: String,
    },
}
