// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf restore`: the old files of a directory after a command was killed while it replaced them.

use std::fmt::Write;

use crate::cli::RestoreArgs;
use crate::error::Error;

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
