// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf completions` and `lbaf man`: files for shells and manuals, from the definition of the command line.

use std::io;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command, ValueHint};
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use lbaf_strategies::StrategyName;
use lbaf_text::Shown as _;

use crate::directories;
use crate::error::Error;
use crate::inputs;

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// Shell for which to print completions.
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
pub(crate) fn completions(args: &CompletionsArgs, lbaf: Command) -> String {
    let mut script = Vec::new();
    generate(args.shell, &mut with_values(lbaf), "lbaf", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// Adds values for completions: names of strategies, and directories. Shells complete other paths as files. The values
/// are only for completions, because a running command checks names with its own message, which suggests similar ones.
fn with_values(command: Command) -> Command {
    let command = command.mut_args(|arg| {
        let strategies = StrategyName::ALL.iter().map(|strategy| strategy.name());
        match arg.get_id().as_str() {
            "strategy" => arg.value_parser(PossibleValuesParser::new(strategies)),
            "strategies" => arg.value_parser(PossibleValuesParser::new(strategies.chain(["all"]))),
            _ if is_directory(&arg) => arg.value_hint(ValueHint::DirPath),
            _ => arg,
        }
    });
    command.mut_subcommands(with_values)
}

fn is_directory(arg: &Arg) -> bool {
    arg.get_value_names().is_some_and(|names| names.iter().any(|name| name.as_str() == "DIR"))
}

/// Writes the manual pages of all commands into a directory and returns a report; without a directory, returns the page
/// of `lbaf`.
pub(crate) fn man(args: &ManArgs, lbaf: Command) -> Result<String, Error> {
    let mut lbaf = without_help(lbaf);
    lbaf.build();
    let Some(directory) = &args.directory else { return Ok(page(&lbaf).1) };
    let mut pages = Vec::new();
    collect(&lbaf, &mut pages);
    let staging = directories::staging(directory)?;
    for (name, text) in &pages {
        let path = directory.join(name);
        if path.symlink_metadata().is_ok() && !is_page(&path) {
            let message = format!("{} exists and is not a manual page of lbaf; move it away", path.shown());
            return Err(Error::Input(message));
        }
        staging.put(name, text.as_bytes())?;
    }
    staging.publish(None, &inputs::all(), &[])?;
    Ok(format!("Wrote {} pages to {}\n", pages.len(), directory.shown()))
}

/// Removes the commands `help`, whose pages would repeat those of other commands.
fn without_help(command: Command) -> Command {
    command.disable_help_subcommand(true).mut_subcommands(without_help)
}

/// Appends the pages of a command and its subcommands.
fn collect(command: &Command, pages: &mut Vec<(String, String)>) {
    pages.push(page(command));
    command.get_subcommands().for_each(|subcommand| collect(subcommand, pages));
}

/// True for a manual page of any version of `lbaf`.
fn is_page(path: &Path) -> bool {
    let text = lbaf_reader::read_file(path).unwrap_or_default();
    String::from_utf8_lossy(&text).lines().any(|line| line.starts_with(".TH lbaf"))
}

/// Returns the file name and the text of a manual page.
fn page(command: &Command) -> (String, String) {
    let man = Man::new(command.clone());
    let mut text = Vec::new();
    let written: io::Result<()> = man.render(&mut text);
    debug_assert!(written.is_ok(), "a vector takes all bytes");
    (man.get_filename(), String::from_utf8_lossy(&text).into_owned())
}
