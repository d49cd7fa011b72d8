// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf report`: one HTML page for exploring runs.

use std::path::{Path, PathBuf};

use clap::Args;
use lbaf_report::problem::share_bounds;
use lbaf_report::{SavedRun, directory_of, page};
use lbaf_run::Messages as _;
use lbaf_text::number::{bytes, counted};
use lbaf_text::{Shown as _, line};

use crate::arguments::{CommonArgs, ReplaceOutputArg};
use crate::error::Error;
use crate::new_files::NewFiles;
use crate::progress::Messages;
use crate::{directories, inputs};

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Output directory of a run; further runs are compared with it.
    #[arg(value_name = "RUN_DIR", required = true)]
    pub(crate) run_dirs: Vec<PathBuf>,
    /// File of the page. Default: report.html in the directory of the first run, which the next run there removes.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) replace: ReplaceOutputArg,
    /// Names of the runs, in their order. Default: their strategies, or their directories if the strategies do not
    /// differ.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) names: Option<Vec<String>>,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// Writes the page of one or several runs. Returns the text to print. A page in the directory of the run is listed
/// in the summary with its digest, like a chart.
pub(crate) fn report(args: &ReportArgs, messages: Messages) -> Result<String, Error> {
    let directories: Vec<&Path> = args.run_dirs.iter().map(|run| directory_of(run)).collect();
    let own = own_directory(args, &directories);
    if let Some(directory) = own {
        directories::restore(directory)?;
    }
    let mut runs = inputs::saved_runs(&directories)?;
    share_bounds(&mut runs.iter_mut().map(|run| &mut run.summary).collect::<Vec<_>>());
    let names = names(args, &runs)?;
    let (page, unread) = inputs::noted(|inputs| page::of_runs(&runs, names, inputs, &messages))?;
    for error in unread {
        messages.note(&format!("the page does not contain the objects of ranks: {}", Error::from(error)));
    }
    let html = page.to_html().map_err(lbaf_report::ReportError::from)?;
    let size = html.len();
    let path = match (own, &args.output) {
        (None, Some(path)) => {
            let files = NewFiles::of_path(path, args.replace.force)?;
            files.put(html.as_bytes())?;
            files.publish()?;
            path.clone()
        }
        (own, _) => {
            let directory = own.unwrap_or(directories[0]);
            // Read again, because the saved summary must not contain bounds proven by other runs.
            let run = inputs::noted(|inputs| SavedRun::read(directory, inputs))?;
            run.add(&[(page::FILE.to_owned(), html.into_bytes())], inputs::all(), &messages)?;
            directory.join(page::FILE)
        }
    };
    Ok(format!("Wrote {2} ({1}, {0})\n", bytes(size as f64), counted(page.runs.len(), "run"), path.shown()))
}

/// Returns the directory of the run to which the page belongs: that of the first run, unless `--output` names another
/// file. A path that is `report.html` of one of the runs means the page of this run, so the next run removes it.
fn own_directory<'a>(args: &ReportArgs, directories: &[&'a Path]) -> Option<&'a Path> {
    let Some(path) = &args.output else { return directories.first().copied() };
    if path.file_name() != Some(page::FILE.as_ref()) {
        return None;
    }
    let real = |directory: &Path| {
        let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
        directory.canonicalize().ok()
    };
    let parent = real(path.parent()?)?;
    directories.iter().copied().find(|&directory| real(directory).as_ref() == Some(&parent))
}

/// Returns the names of runs: those given, or those of their strategies or directories.
fn names(args: &ReportArgs, runs: &[SavedRun]) -> Result<Vec<String>, Error> {
    let Some(names) = &args.names else { return Ok(page::names(runs)) };
    if names.len() == runs.len() {
        return Ok(names.iter().map(|name| line(name).into_owned()).collect());
    }
    let (given, runs) = (counted(names.len(), "name"), counted(runs.len(), "run"));
    let message = format!("--names: {given} for {runs}; give one name for each run, separated by commas");
    Err(Error::Usage(message))
}
