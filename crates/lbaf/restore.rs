// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf restore`: the old files of a directory after a command was killed while it replaced them.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;

use crate::arguments::CommonArgs;
use crate::error::Error;

#[derive(Debug, Args)]
pub(crate) struct RestoreArgs {
    /// Directories of results or data.
    #[arg(value_name = "DIR", required = true)]
    pub(crate) directories: Vec<PathBuf>,
    /// Also if the command may still run (on another machine, or on a file system that cannot tell) or was another user's. A
    /// damaged journal is given up: all files stay, also those that it moved away.
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
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
