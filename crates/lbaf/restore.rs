// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf restore`: restores old files after a command was killed while it replaced them.

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
    /// Restore even if the command that replaced the files may still be running (on another machine, or on a file
    /// system without locks) or belonged to another user. A damaged journal is set aside: all files stay as they are,
    /// including files that were moved away.
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// Restores the old files of directories. Returns the text to print.
pub(crate) fn restore(args: &RestoreArgs) -> Result<String, Error> {
    let mut report = String::new();
    for directory in &args.directories {
        if !directory.is_dir() {
            return Err(Error::Input(format!("{}: no such directory", directory.display())));
        }
        while args.force
            && let Some(kept) = lbaf_writer::set_aside(directory)?
        {
            let (directory, kept) = (directory.display(), kept.display());
            let _ = writeln!(
                report,
                "{directory}: the files stay as they are; {kept} may contain old files, because the journal was damaged"
            );
        }
        let what = if lbaf_writer::restore(directory, args.force)? {
            "the old files are restored"
        } else {
            "nothing to restore"
        };
        let _ = writeln!(report, "{}: {what}", directory.display());
    }
    Ok(report)
}
