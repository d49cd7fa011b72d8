// SPDX-License-Identifier: MIT OR Apache-2.0
//! Directories of inputs and outputs: none is read while its files are being replaced, and old files are put back before a
//! command writes there.

use std::path::Path;

use lbaf_writer::Staging;

use crate::error::Error;
use crate::progress;

/// Puts the old files of a directory back before anything is read or written there, and says so.
///
/// # Errors
/// If they cannot be put back.
pub(crate) fn restore(directory: &Path) -> Result<(), Error> {
    Ok(lbaf_run::restore_before(directory, &progress::messages())?)
}

/// The same for the directory of a file or stem.
///
/// # Errors
/// If they cannot be put back.
pub(crate) fn restore_beside(path: &Path) -> Result<(), Error> {
    restore(path.parent().unwrap_or(Path::new("")))
}

/// Prepares to write into a directory, after its old files are back.
///
/// # Errors
/// If they cannot be put back, or it cannot be written into.
pub(crate) fn staging(directory: &Path) -> Result<Staging, Error> {
    Ok(lbaf_run::staging(directory, &progress::messages())?)
}

/// Refuses to read from a directory whose files are being replaced, or were when a command was killed. Changes nothing.
///
/// # Errors
/// If they are neither the old ones nor the new ones.
pub(crate) fn check_whole(directory: &Path) -> Result<(), Error> {
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    match lbaf_writer::unfinished(directory) {
        Some(unfinished) => Err(Error::Unfinished { unfinished, is_read: true }),
        None => Ok(()),
    }
}

/// The same for the directory of a file or stem.
pub(crate) fn check_whole_beside(path: &Path) -> Result<(), Error> {
    check_whole(path.parent().unwrap_or(Path::new("")))
}
