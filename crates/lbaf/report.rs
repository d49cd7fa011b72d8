// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf report`: one HTML page for exploring runs, a study or a simulation.

use std::path::{Path, PathBuf};

use clap::Args;
use lbaf_report::problem::share_bounds;
use lbaf_report::{OutputKind, SavedResults, SavedRun, page, simulation_page, study_page};
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
    /// Output directory of a run, a study or a simulation; or of several runs, which are compared with the first. If a
    /// directory has several kinds of results, give the file: DIR/simulation.json.
    #[arg(value_name = "DIR", required = true)]
    pub(crate) directories: Vec<PathBuf>,
    /// File of the page. Default: report.html in the directory of the first run, study.html or simulation.html in the
    /// directory of a study or simulation, where the next result replaces or removes the page.
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

/// Writes the page. Returns the text to print. If the page belongs to the results in its directory, the results file
/// lists the page with its digest, like a chart.
pub(crate) fn report(args: &ReportArgs, messages: Messages) -> Result<String, Error> {
    if args.output.is_none() {
        let first = &args.directories[0];
        let is_file =
            OutputKind::ALL.iter().any(|kind| first.file_name().is_some_and(|name| name == kind.file()));
        if is_file { directories::restore_beside(first)? } else { directories::restore(first)? }
    }
    let found = args.directories.iter().map(|path| OutputKind::of(path)).collect::<Result<Vec<_>, _>>()?;
    match &found[..] {
        [(kind @ (OutputKind::Study | OutputKind::Simulation), directory)] => {
            results(args, *kind, directory, messages)
        }
        found => {
            let runs: Vec<&Path> = found.iter().map(|(_, directory)| &**directory).collect();
            if let Some((kind, other)) = found.iter().find(|(kind, _)| *kind != OutputKind::Run) {
                return Err(Error::Usage(format!(
                    "{} is the output directory of a {}; only runs can be compared on a page",
                    other.shown(),
                    kind.noun()
                )));
            }
            of_runs(args, &runs, messages)
        }
    }
}

/// Writes the page of a study or a simulation.
fn results(
    args: &ReportArgs,
    kind: OutputKind,
    directory: &Path,
    messages: Messages,
) -> Result<String, Error> {
    if args.names.is_some() {
        return Err(Error::Usage(format!(
            "--names applies only to runs, but {} has the results of a {}",
            directory.shown(),
            kind.noun()
        )));
    }
    let results = inputs::noted(|inputs| SavedResults::read(kind, directory, inputs))?;
    let (file, html) = if kind == OutputKind::Study {
        let page = inputs::noted(|inputs| study_page::of_study(&results, inputs))?;
        (study_page::FILE, page.to_html())
    } else {
        (simulation_page::FILE, simulation_page::of_simulation(&results)?.to_html())
    };
    let html = html.map_err(lbaf_report::ReportError::from)?;
    let size = bytes(html.len() as f64);
    let path = if let Some(path) = &args.output {
        elsewhere(args, path, html.as_bytes())?
    } else {
        results.add(&[(file.to_owned(), html.into_bytes())], inputs::all(), &messages)?;
        directory.join(file)
    };
    Ok(format!("Wrote {} ({}, {size})\n", path.shown(), kind.noun()))
}

/// Writes the page to the file of `--output`.
fn elsewhere(args: &ReportArgs, path: &Path, html: &[u8]) -> Result<PathBuf, Error> {
    let files = NewFiles::of_path(path, args.replace.force)?;
    files.put(html)?;
    files.publish()?;
    Ok(path.to_path_buf())
}

/// Writes the page of one or several runs.
fn of_runs(args: &ReportArgs, directories: &[&Path], messages: Messages) -> Result<String, Error> {
    let own = own_directory(args, directories);
    if let (Some(directory), Some(_)) = (own, &args.output) {
        directories::restore(directory)?;
    }
    let mut runs = inputs::saved_runs(directories)?;
    share_bounds(&mut runs.iter_mut().map(|run| &mut run.summary).collect::<Vec<_>>());
    let names = names(args, &runs)?;
    let (page, unread) = inputs::noted(|inputs| page::of_runs(&runs, names, inputs, &messages))?;
    for error in unread {
        messages.note(&format!("the page does not contain the objects of ranks: {}", Error::from(error)));
    }
    let html = page.to_html().map_err(lbaf_report::ReportError::from)?;
    let size = html.len();
    let path = match (own, &args.output) {
        (None, Some(path)) => elsewhere(args, path, html.as_bytes())?,
        (own, _) => {
            let directory = own.unwrap_or(directories[0]);
            // Read again, because bounds proven by other runs must not be saved.
            let run = inputs::noted(|inputs| SavedRun::read(directory, inputs))?;
            run.add(&[(page::FILE.to_owned(), html.into_bytes())], inputs::all(), &messages)?;
            directory.join(page::FILE)
        }
    };
    if let [directory] = directories {
        for kind in OutputKind::all_in(directory).into_iter().filter(|kind| *kind != OutputKind::Run) {
            let file = directory.join(kind.file());
            messages.note(&format!(
                "the directory also has a {}: `lbaf report {}` writes its page",
                kind.noun(),
                file.shown()
            ));
        }
    }
    Ok(format!("Wrote {2} ({1}, {0})\n", bytes(size as f64), counted(page.runs.len(), "run"), path.shown()))
}

/// Returns the directory of the run to which the page belongs; the next run in this directory removes the page. Without
/// `--output`, it is the directory of the first run. If `--output` names `report.html` in the directory of one of the
/// runs, it is that directory. All other pages belong to no run.
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

/// Returns the names of runs: those given, or their strategies or directories.
fn names(args: &ReportArgs, runs: &[SavedRun]) -> Result<Vec<String>, Error> {
    let Some(names) = &args.names else { return Ok(page::names(runs)) };
    if names.len() == runs.len() {
        return Ok(names.iter().map(|name| line(name).into_owned()).collect());
    }
    let (given, runs) = (counted(names.len(), "name"), counted(runs.len(), "run"));
    let message = format!("--names: {given} for {runs}; give one name for each run, separated by commas");
    Err(Error::Usage(message))
}
