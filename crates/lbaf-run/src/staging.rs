// SPDX-License-Identifier: MIT OR Apache-2.0
//! The output directory before anything is written there.

use std::path::Path;

use lbaf_writer::{Staging, WriteError};

use crate::Messages;

/// Puts the old files of a directory back after a process was killed while it replaced them, and says so.
///
/// # Errors
/// If they cannot be put back.
pub fn restore_before(directory: &Path, messages: &dyn Messages) -> Result<(), WriteError> {
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    if lbaf_writer::restore(directory, false)? {
        messages.note(&format!(
            "{}: a command was killed while it replaced the files there; the old ones are back",
            directory.display()
        ));
    }
    Ok(())
}

/// Prepares to write into a directory, after its old files are back.
///
/// # Errors
/// If they cannot be put back, or it cannot be written into.
pub fn staging(directory: &Path, messages: &dyn Messages) -> Result<Staging, WriteError> {
    restore_before(directory, messages)?;
    Staging::new(directory)
}
