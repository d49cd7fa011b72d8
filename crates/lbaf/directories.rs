// SPDX-License-Identifier: MIT OR Apache-2.0
//! Directories of inputs and outputs. No command reads a directory whose files are being replaced, and old files
//! are restored before a command writes there.

use std::path::Path;

use lbaf_writer::Staging;

use crate::error::Error;
use crate::progress;

/// Restores the old files of a directory before it is read or written, and prints a message.
///
/// # Errors
/// If the old files cannot be restored.
pub(crate) fn restore(directory: &Path) -> Result<(), Error> {
    Ok(lbaf_run::restore_before(directory, &progress::messages())?)
}

/// Restores the old files of the directory of a file or stem.
///
/// # Errors
/// If the old files cannot be restored.
pub(crate) fn restore_beside(path: &Path) -> Result<(), Error> {
    restore(path.parent().unwrap_or(Path::new("")))
}

/// Restores the old files of a directory and prepares to write there.
///
/// # Errors
/// If the old files cannot be restored, or the directory cannot be written.
pub(crate) fn staging(directory: &Path) -> Result<Staging, Error> {
    Ok(lbaf_run::staging(directory, &progress::messages())?)
}

/// Refuses a directory if a command is replacing its files, or was killed while it replaced them. Changes nothing.
///
/// # Errors
/// If the replacement of the files is unfinished.
pub(crate) fn check_whole(directory: &Path) -> Result<(), Error> {
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    match lbaf_writer::unfinished(directory) {
        Some(unfinished) => Err(Error::Unfinished { unfinished, is_read: true }),
        None => Ok(()),
    }
}

/// Applies [`check_whole`] to the directory of a file or stem.
pub(crate) fn check_whole_beside(path: &Path) -> Result<(), Error> {
    check_whole(path.parent().unwrap_or(Path::new("")))
}
