// SPDX-License-Identifier: MIT OR Apache-2.0
//! Directories of inputs and outputs. After an unfinished replacement of files, a command that writes into the
//! directory restores the old files, and a command that reads there ends with an error.

use std::path::Path;

use lbaf_writer::{Staging, Touched};

use crate::error::Error;
use crate::progress;

/// Parent of the default output directories. Into each directory below it, commands write a list of their files with
/// digests, by which later commands recognize an untouched result.
pub(crate) const DEFAULT: &str = "lbaf-output";

/// Restores the old files of a directory, with a note, if a command was killed while it replaced them.
///
/// # Errors
/// If the old files cannot be restored.
pub(crate) fn restore(directory: &Path) -> Result<(), Error> {
    Ok(lbaf_run::restore_before(directory, &progress::messages())?)
}

/// True if two paths are the same existing directory.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// Applies [`restore`] to the directory of a file or stem.
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
    Ok(listed(lbaf_run::staging(directory, &progress::messages())?, directory))
}

/// Requests a list of the files if the directory is below [`DEFAULT`].
pub(crate) fn listed(mut staging: Staging, directory: &Path) -> Staging {
    if directory.starts_with(DEFAULT) {
        staging.list_files();
    }
    staging
}

/// Restores the old files of a directory, and checks that it holds only an untouched result and files that `is_apart`
/// accepts. With `is_dry`, nothing is restored, and an unfinished replacement is an error.
///
/// # Errors
/// If the old files cannot be restored, or a file is foreign or was changed.
pub(crate) fn check_replaceable(
    directory: &Path,
    is_dry: bool,
    is_apart: impl Fn(&Path) -> bool,
) -> Result<(), Error> {
    if is_dry { check_whole(directory) } else { restore(directory) }?;
    let touched = lbaf_writer::touched(directory, is_apart);
    let directory = directory.to_path_buf();
    Err(match touched {
        None => return Ok(()),
        Some(Touched::Foreign(file)) => Error::Foreign { directory, file },
        Some(Touched::Changed(file)) => Error::Changed { directory, file },
    })
}

/// Refuses a directory whose files a command is replacing, or was replacing when it was killed. Changes nothing.
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
