// SPDX-License-Identifier: MIT OR Apache-2.0
//! The output directory before a run writes to it.

use std::path::Path;

use lbaf_writer::{Staging, WriteError};

use crate::Messages;

/// Restores the old files of a directory if a process was killed while it replaced them, with a note.
///
/// # Errors
/// If they cannot be restored.
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

/// Prepares to write into a directory whose old files are restored first.
///
/// # Errors
/// If they cannot be restored, or the directory cannot be written.
pub fn staging(directory: &Path, messages: &dyn Messages) -> Result<Staging, WriteError> {
    restore_before(directory, messages)?;
    Staging::new(directory)
}
