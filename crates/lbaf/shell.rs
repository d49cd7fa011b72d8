// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf completions` and `lbaf man`: files for shells and manuals, from the definition of the command line.

use std::io;
use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::{Shell, generate};
use clap_mangen::Man;

use crate::directories;
use crate::error::Error;
use crate::inputs;

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Directory for the pages of all commands. Without it, the page of `lbaf` is printed.
    #[arg(value_name = "DIR")]
    directory: Option<PathBuf>,
}

/// Returns the completions of a shell for the command line `lbaf`.
pub(crate) fn completions(args: &CompletionsArgs, mut lbaf: Command) -> String {
    let mut script = Vec::new();
    generate(args.shell, &mut lbaf, "lbaf", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// Writes the manual pages of all commands into a directory, or returns that of `lbaf`.
pub(crate) fn man(args: &ManArgs, mut lbaf: Command) -> Result<String, Error> {
    lbaf.build();
    let Some(directory) = &args.directory else { return Ok(page(&lbaf).1) };
    let staging = directories::staging(directory)?;
    let commands = lbaf.get_subcommands().filter(|command| command.get_name() != "help");
    let pages: Vec<(String, String)> = std::iter::once(&lbaf).chain(commands).map(page).collect();
    for (name, text) in &pages {
        staging.put(name, text.as_bytes())?;
    }
    staging.publish(None, &inputs::all(), &[])?;
    Ok(format!("Wrote {} pages to {}\n", pages.len(), directory.display()))
}

/// Returns the file name and the text of a manual page.
fn page(command: &Command) -> (String, String) {
    let man = Man::new(command.clone());
    let mut text = Vec::new();
    let written: io::Result<()> = man.render(&mut text);
    debug_assert!(written.is_ok(), "a vector takes all bytes");
    (man.get_filename(), String::from_utf8_lossy(&text).into_owned())
}
