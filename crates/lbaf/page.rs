// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf report`: runs as one HTML page to look around in.

mod detail;
mod facts;
mod migration_table;
mod placements;
mod rank_table;
mod room;
mod run;

use std::path::{Path, PathBuf};

use lbaf_page::Page;
use lbaf_run::summary::{self, Summary};
use lbaf_text::number::{bytes, counted};
use lbaf_text::{Shown as _, line};
use room::Room;
use run::Left;

use crate::cli::ReportArgs;
use crate::error::Error;
use crate::inputs;
use crate::new_files::NewFiles;
use crate::plot::{directory, read_summary};
use crate::progress::Messages;
use crate::report::console;
use crate::report::problem::share_bounds;
use crate::restore;

/// Its name in the directory of a run.
const FILE: &str = "report.html";

/// Makes the page of a run, or of several, and says where it is. In the directory of the run its digest goes into the
/// summary, as those of charts do.
pub(crate) fn report(args: &ReportArgs, messages: Messages) -> Result<String, Error> {
    let directories: Vec<&Path> = args.run_dirs.iter().map(|run| directory(run)).collect();
    if args.output.is_none() {
        restore::before(directories[0])?;
    }
    let mut summaries: Vec<Summary> =
        directories.iter().map(|run_dir| read_summary(run_dir)).collect::<Result<_, _>>()?;
    share_bounds(&mut summaries);
    let names = names(args, &summaries, &directories)?;
    let left: Vec<Left<'_>> = (summaries.iter().zip(&directories))
        .map(|(summary, run_dir)| Left::read(summary, run_dir))
        .collect::<Result<_, _>>()?;
    let mut room = Room::new(&summaries);
    let mut runs = Vec::with_capacity(left.len());
    for (name, left) in names.into_iter().zip(&left) {
        runs.push(left.to_page(name, &mut room, messages)?);
    }
    let page = Page { lbaf: env!("CARGO_PKG_VERSION").to_owned(), runs };
    let html = page.to_html()?;
    let path = match &args.output {
        Some(path) => {
            let files = NewFiles::of_path(path, args.force)?;
            files.put(html.as_bytes())?;
            files.publish()?;
            path.clone()
        }
        None => beside(directories[0], &html)?,
    };
    Ok(format!("{} of {} in {}\n", bytes(html.len() as f64), counted(page.runs.len(), "run"), path.shown()))
}

/// Puts the page beside the other files of the run.
fn beside(run_dir: &Path, html: &str) -> Result<PathBuf, Error> {
    // Bounds that other runs have proven are not this one's.
    let mut summary = read_summary(run_dir)?;
    let staging = restore::staging(run_dir)?;
    staging.put(FILE, html.as_bytes())?;
    summary.files.extend(summary::digests(&staging));
    staging.put(summary::FILE, &summary::pretty(&summary))?;
    let inputs = inputs::all().without(&run_dir.join(summary::FILE));
    staging.publish(Some(summary::FILE), &inputs, &[])?;
    Ok(run_dir.join(FILE))
}

/// What runs are called: as the user says, else by their strategies, else by their directories.
fn names(args: &ReportArgs, summaries: &[Summary], directories: &[&Path]) -> Result<Vec<String>, Error> {
    if let Some(names) = &args.names {
        if names.len() == directories.len() {
            return Ok(names.iter().map(|name| line(name).into_owned()).collect());
        }
        let (given, runs) = (counted(names.len(), "name"), counted(directories.len(), "run"));
        let message = format!("--names: {given} for {runs}; give each run one, with commas between");
        return Err(Error::Usage(message));
    }
    let strategies = summaries.iter().map(|summary| console::strategy(summary).to_owned()).collect();
    let last = |run_dir: &&Path| {
        let absolute = std::path::absolute(run_dir).unwrap_or_else(|_| run_dir.to_path_buf());
        absolute.file_name().map_or_else(String::new, |name| Path::new(name).shown())
    };
    let short = directories.iter().map(last).collect();
    let long = directories.iter().map(|run_dir| run_dir.shown()).collect();
    let candidates: [Vec<String>; 3] = [strategies, short, long];
    let differ = |names: &Vec<String>| (1..names.len()).all(|at| !names[..at].contains(&names[at]));
    let [.., last_resort] = candidates.clone();
    Ok(candidates.into_iter().find(differ).unwrap_or(last_resort))
}
