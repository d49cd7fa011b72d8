// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf restore`: the old files of a directory after a command was killed while it replaced them.

use std::fmt::Write;
use std::path::Path;

use lbaf_writer::Staging;

use crate::cli::RestoreArgs;
use crate::error::Error;
use crate::progress;

/// Puts the old files of a directory back before anything is read or written there, and says so.
///
/// # Errors
/// If they cannot be put back.
pub(crate) fn before(directory: &Path) -> Result<(), Error> {
    Ok(lbaf_run::restore_before(directory, &progress::messages())?)
}

/// The same for the directory of a file or stem.
///
/// # Errors
/// If they cannot be put back.
pub(crate) fn before_beside(path: &Path) -> Result<(), Error> {
    before(path.parent().unwrap_or(Path::new("")))
}

/// Prepares to write into a directory, after its old files are back.
///
/// # Errors
/// If they cannot be put back, or it cannot be written into.
pub(crate) fn staging(directory: &Path) -> Result<Staging, Error> {
    Ok(lbaf_run::staging(directory, &progress::messages())?)
}

/// Restores the old files of directories, and says which.
pub(crate) fn restore(args: &RestoreArgs) -> Result<String, Error> {
    let mut said = String::new();
    for directory in &args.directories {
        if !directory.is_dir() {
            return Err(Error::Input(format!("{}: there is no such directory", directory.display())));
        }
        while args.force
            && let Some(kept) = lbaf_writer::set_aside(directory)?
        {
            let (directory, kept) = (directory.display(), kept.display());
            let _ = writeln!(
                said,
                "{directory}: the files stay as they are; {kept} may have old ones that the damaged journal did not put back"
            );
        }
        let what = if lbaf_writer::restore(directory, args.force)? {
            "the old files are back"
        } else {
            "nothing to restore"
        };
        let _ = writeln!(said, "{}: {what}", directory.display());
    }
    Ok(said)
}
