// SPDX-License-Identifier: MIT OR Apache-2.0
//! Preparation of the output directory.

use std::path::Path;

use lbaf_writer::{Staging, WriteError};

use crate::Messages;

/// Restores the previous files of a directory, with a note, if a process was killed while replacing them.
///
/// # Errors
/// If the files cannot be restored, or another process is replacing them.
pub fn restore_before(directory: &Path, messages: &dyn Messages) -> Result<(), WriteError> {
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    if lbaf_writer::restore(directory, false)? {
        messages.note(&format!(
            "{}: a command was killed while it replaced the files there; the previous files are restored",
            directory.display()
        ));
    }
    Ok(())
}

/// Returns a staging for a directory, after restoring its previous files if needed.
///
/// # Errors
/// If the files cannot be restored, another process is replacing them, or the directory cannot be written.
pub fn staging(directory: &Path, messages: &dyn Messages) -> Result<Staging, WriteError> {
    restore_before(directory, messages)?;
    Staging::new(directory)
}
