// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf report`: runs as one HTML page to look around in.

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
    /// The output directory of a run; further ones are compared with it.
    #[arg(value_name = "RUN_DIR", required = true)]
    pub(crate) run_dirs: Vec<PathBuf>,
    /// Where the page goes. Default: report.html in the directory of the first run.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) replace: ReplaceOutputArg,
    /// What the runs are called, in their order. Default: their strategies, or their directories where those do not
    /// differ.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) names: Option<Vec<String>>,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// Makes the page of a run, or of several, and says where it is. In the directory of the run its digest goes into the
/// summary, as those of charts do.
pub(crate) fn report(args: &ReportArgs, messages: Messages) -> Result<String, Error> {
    let directories: Vec<&Path> = args.run_dirs.iter().map(|run| directory_of(run)).collect();
    if args.output.is_none() {
        directories::restore(directories[0])?;
    }
    let mut runs = inputs::saved_runs(&directories)?;
    share_bounds(&mut runs.iter_mut().map(|run| &mut run.summary).collect::<Vec<_>>());
    let names = names(args, &runs)?;
    let (page, unread) = inputs::noted(|inputs| page::of_runs(&runs, names, inputs, &messages))?;
    for error in unread {
        messages.note(&format!("objects of ranks are not in the page: {}", Error::from(error)));
    }
    let html = page.to_html().map_err(lbaf_report::ReportError::from)?;
    let size = html.len();
    let path = if let Some(path) = &args.output {
        let files = NewFiles::of_path(path, args.replace.force)?;
        files.put(html.as_bytes())?;
        files.publish()?;
        path.clone()
    } else {
        // Bounds that other runs have proven are not this one's.
        let run = inputs::noted(|inputs| SavedRun::read(directories[0], inputs))?;
        run.add(&[(page::FILE.to_owned(), html.into_bytes())], inputs::all(), &messages)?;
        directories[0].join(page::FILE)
    };
    Ok(format!("{} of {} in {}\n", bytes(size as f64), counted(page.runs.len(), "run"), path.shown()))
}

/// Names of runs: given, or those of their strategies or directories.
fn names(args: &ReportArgs, runs: &[SavedRun]) -> Result<Vec<String>, Error> {
    let Some(names) = &args.names else { return Ok(page::names(runs)) };
    if names.len() == runs.len() {
        return Ok(names.iter().map(|name| line(name).into_owned()).collect());
    }
    let (given, runs) = (counted(names.len(), "name"), counted(runs.len(), "run"));
    let message = format!("--names: {given} for {runs}; give each run one, with commas between");
    Err(Error::Usage(message))
}
