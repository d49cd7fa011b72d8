// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf plot`: the charts and tables of a run again, from what it left; or those of several over each other.

use std::path::Path;

use lbaf_config::{FONT_PT, PlotSettings, Plots, Selection, chart_named, ranges, unfit_height};
use lbaf_plot::{Format, Style};
use lbaf_reader::is_there;
use lbaf_run::summary::saved::Tables;
use lbaf_run::summary::{self, PhaseResult, Summary};
use lbaf_text::Shown as _;
use lbaf_text::number::{counted, significant_to};
use lbaf_writer::Staging;

use crate::cli::PlotArgs;
use crate::error::Error;
use crate::inputs;
use crate::report::charts::{Drawn, Shown};
use crate::report::problem::{same_load, share_bounds};
use crate::report::{charts, paper_tables};
use crate::restore;

/// What is to be written: names of files and their bytes.
struct Outputs {
    charts: Drawn,
    tables: Vec<(String, Vec<u8>)>,
}

/// Draws charts and prints tables.
pub(crate) fn plot(args: &PlotArgs) -> Result<String, Error> {
    let directories: Vec<&Path> = args.run_dirs.iter().map(|run| directory(run)).collect();
    if let ([run_dir], None) = (&directories[..], &args.output_dir) {
        restore::before(run_dir)?;
    }
    let mut summaries: Vec<Summary> =
        directories.iter().map(|run_dir| read_summary(run_dir)).collect::<Result<_, _>>()?;
    // The summary of a single run is written again, as it is.
    if summaries.len() > 1 {
        share_bounds(&mut summaries);
    }
    let plots = settings(args, summaries[0].plots.as_ref())?;
    let shown = shown(args, &directories, &summaries, &plots)?;
    let charts = charts::draw(&shown, &plots)?;
    let tables = match &shown[..] {
        [run] => paper_tables::files(run.summary)?,
        runs => {
            let named: Vec<(String, &Summary)> =
                runs.iter().map(|run| (run.name.clone(), run.summary)).collect();
            paper_tables::comparison_files(&named)?
        }
    };
    let outputs = Outputs { charts, tables };
    match (&directories[..], &mut summaries[..], &args.output_dir) {
        ([run_dir], [summary], None) => again(run_dir, summary, &outputs),
        (_, _, Some(output_dir)) => elsewhere(output_dir, &outputs),
        (_, _, None) => {
            let message = "charts of several runs need a place of their own: --output-dir DIR";
            Err(Error::Configuration(message.to_owned()))
        }
    }
}

/// Draws into the directory of the run, as the run did unless told otherwise, and notes the new digests in its summary.
/// What the run was told to draw stays there, for the next time.
fn again(run_dir: &Path, summary: &mut Summary, outputs: &Outputs) -> Result<String, Error> {
    let staging = restore::staging(run_dir)?;
    let said = outputs.put(&staging, run_dir)?;
    summary.files.extend(summary::digests(&staging));
    staging.put(summary::FILE, &summary::pretty(summary))?;
    let inputs = inputs::all().without(&run_dir.join(summary::FILE));
    staging.publish(Some(summary::FILE), &inputs, &[])?;
    Ok(said)
}

/// Draws into a directory that is no run's.
fn elsewhere(output_dir: &Path, outputs: &Outputs) -> Result<String, Error> {
    let staging = restore::staging(output_dir)?;
    let said = outputs.put(&staging, output_dir)?;
    staging.publish(None, &inputs::all(), &[])?;
    Ok(said)
}

impl Outputs {
    /// Gathers all files, and says what there is.
    fn put(&self, staging: &Staging, directory: &Path) -> Result<String, Error> {
        for (name, bytes) in self.charts.files.iter().chain(&self.tables) {
            staging.put(name, bytes)?;
        }
        let mut said = format!(
            "{} in {}, {} in {}\n",
            counted(self.charts.files.len(), "chart file"),
            directory.join("plots").shown(),
            counted(self.tables.len(), "table file"),
            directory.join(paper_tables::DIRECTORY).shown(),
        );
        if !self.charts.empty.is_empty() {
            said = format!("{said}charts that have nothing to show: {}\n", self.charts.empty.join(", "));
        }
        for refused in &self.charts.refused {
            said = format!("{said}{refused}\n");
        }
        Ok(said)
    }
}

/// The runs with the tables that their charts need, and names that differ.
fn shown<'a>(
    args: &PlotArgs,
    directories: &[&Path],
    summaries: &'a [Summary],
    plots: &Plots,
) -> Result<Vec<Shown<'a>>, Error> {
    let names = names(args, summaries)?;
    if let Some(twice) = (1..names.len()).find(|&at| names[..at].contains(&names[at])) {
        return Err(Error::Configuration(format!("--names: two runs are called `{}`", names[twice])));
    }
    let phases: Vec<u64> = summaries[0].phases.iter().map(|result| result.phase).collect();
    let named = plots.phases.as_ref();
    if let Some(phase) = named.and_then(|named| named.missing_from(|phase| phases.contains(&phase))) {
        let balanced = ranges(&phases);
        return Err(Error::Configuration(format!(
            "--phases: phase {phase} was not balanced in the run, which balanced {balanced}"
        )));
    }
    let mut shown = Vec::new();
    for ((run_dir, summary), name) in directories.iter().zip(summaries).zip(names) {
        if let Some((what, [here, first])) = difference(summary, &summaries[0]) {
            return Err(Error::Input(format!(
                "{} is of {first} {what} and {} of {here}: runs of the same data can be laid over each other",
                directories[0].display(),
                run_dir.display(),
            )));
        }
        shown.push(Shown { name, summary, tables: read_tables(run_dir, plots)? });
    }
    Ok(shown)
}

/// In what the data of two runs differ, and what each has of that.
fn difference(one: &Summary, other: &Summary) -> Option<(String, [String; 2])> {
    let n_edges = |summary: &Summary| summary.phases.iter().map(|phase| phase.n_edges).sum();
    let ranks = ("ranks", [one.input.n_ranks, other.input.n_ranks]);
    let objects = ("objects", [one.input.n_objects, other.input.n_objects]);
    let edges = ("edges between objects", [n_edges(one), n_edges(other)]);
    let phases = |summary: &Summary| summary.phases.iter().map(|phase| phase.phase).collect::<Vec<u64>>();
    // Other phases have other edges.
    let edges = Some(edges).filter(|_| phases(one) == phases(other));
    let counts = [Some(ranks), Some(objects), edges].into_iter().flatten();
    let mut counts = counts.filter(|(_, [a, b])| a != b);
    if let Some((what, counts)) = counts.next() {
        return Some((what.to_owned(), counts.map(|count| count.to_string())));
    }
    let same_phase = |phase: &PhaseResult| other.phases.iter().find(|result| result.phase == phase.phase);
    let pairs = one.phases.iter().filter_map(|phase| Some((phase, same_phase(phase)?)));
    let (phase, other) = pairs.into_iter().find(|(phase, other)| !same_load(phase, other))?;
    let loads = [phase, other].map(|result| significant_to(result.before.load.sum, 10));
    Some((format!("s of load in phase {}", phase.phase), loads))
}

/// Names for legends: given, or those of the strategies, numbered where they are the same.
fn names(args: &PlotArgs, summaries: &[Summary]) -> Result<Vec<String>, Error> {
    if let Some(names) = &args.names {
        return if names.len() == summaries.len() {
            Ok(names.clone())
        } else {
            let (names, runs) = (counted(names.len(), "name"), counted(summaries.len(), "run"));
            Err(Error::Configuration(format!("--names: {names} for {runs}")))
        };
    }
    let strategies: Vec<&str> = summaries.iter().map(|summary| summary.strategy.label()).collect();
    let number = |at: usize| strategies[..=at].iter().filter(|name| **name == strategies[at]).count();
    let is_single = |at: usize| strategies.iter().filter(|name| **name == strategies[at]).count() == 1;
    let name = |at: usize| {
        if is_single(at) { strategies[at].to_owned() } else { format!("{} ({})", strategies[at], number(at)) }
    };
    Ok((0..strategies.len()).map(name).collect())
}

/// The tables that charts need, as far as the run wrote them.
fn read_tables(run_dir: &Path, plots: &Plots) -> Result<Tables, Error> {
    let mut tables = Tables::default();
    for name in charts::tables(plots) {
        let path = run_dir.join(name);
        if is_there(&path) {
            let bytes = read(&path)?;
            tables.add(name, &bytes).map_err(|reason| {
                Error::Input(format!("{}: not a table of a run: {reason}", run_dir.display()))
            })?;
        }
    }
    Ok(tables)
}

/// The bytes of a file that a run left.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Error> {
    inputs::read(path)
        .map_err(|source| Error::Read(lbaf_reader::ReadError::Io { path: path.to_path_buf(), source }))
}

/// The directory of a run, also where its summary is named instead.
pub(crate) fn directory(run: &Path) -> &Path {
    let is_summary = is_there(run) && run.file_name().is_some_and(|name| name == summary::FILE);
    if is_summary {
        run.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."))
    } else {
        run
    }
}

/// Its summary.
///
/// # Errors
/// If it has none, or one of another version.
pub(crate) fn read_summary(run_dir: &Path) -> Result<Summary, Error> {
    inputs::check_whole(run_dir)?;
    let path = run_dir.join(summary::FILE);
    if !is_there(&path) {
        let name = run_dir.display();
        return Err(Error::Input(format!(
            "{name} is not the output directory of a run: it has no {}",
            summary::FILE
        )));
    }
    let bytes = read(&path)?;
    let summary: Summary = serde_json::from_slice(&bytes)
        .map_err(|error| Error::Input(format!("{}: not the summary of a run: {error}", path.display())))?;
    if !(summary::OLDEST_VERSION..=summary::VERSION).contains(&summary.version) {
        let (found, oldest, newest) = (summary.version, summary::OLDEST_VERSION, summary::VERSION);
        return Err(Error::Input(format!(
            "{}: version {found} of the summary, not {oldest} to {newest}: run `lbaf run` again with this version of lbaf",
            path.display()
        )));
    }
    Ok(summary)
}

/// The command line over what the run did over the defaults.
fn settings(args: &PlotArgs, recorded: Option<&PlotSettings>) -> Result<Plots, Error> {
    let default = Style::default();
    let refused = |option: &str, message: String| Error::Configuration(format!("--{option}: {message}"));
    let recorded_formats =
        || -> Option<Vec<Format>> { recorded?.formats.iter().map(|format| format.parse().ok()).collect() };
    let charts = args.charts.clone().or_else(|| recorded?.charts.clone());
    let charts = charts.map(|charts| charts.iter().map(|name| chart_named(name)).collect()).transpose();
    let charts = charts.map_err(|message| refused("charts", message))?;
    let phases = args.phases.clone().or_else(|| recorded?.phases.clone());
    let phases = phases.map(|phases| Selection::parse(&phases)).transpose();
    let phases = phases.map_err(|message| refused("phases", message))?;
    if let Some(size) = args.font_size.filter(|size| !FONT_PT.contains(size)) {
        return Err(refused("font-size", format!("letters have 5 to 16 points, not {size}")));
    }
    let font_pt = args.font_size.or(recorded.map(|recorded| recorded.font_size)).unwrap_or(default.font_pt);
    let height_mm = args.height.or_else(|| recorded?.height);
    if let Some(message) = height_mm.and_then(|height| unfit_height(height, font_pt)) {
        return Err(refused(if args.height.is_some() { "height" } else { "font-size" }, message));
    }
    Ok(Plots {
        formats: args.formats.clone().or_else(recorded_formats).unwrap_or_else(|| Format::ALL.to_vec()),
        charts,
        phases,
        pgfplots: args.pgfplots || recorded.is_some_and(|recorded| recorded.pgfplots),
        style: Style {
            width: args.width.or_else(|| recorded?.width.parse().ok()).unwrap_or(default.width),
            height_mm,
            font_pt,
            palette: args.palette.or_else(|| recorded?.palette.parse().ok()).unwrap_or(default.palette),
            has_titles: args.titles || recorded.is_some_and(|recorded| recorded.titles),
            png_dpi: args.dpi.or(recorded.map(|recorded| recorded.dpi)).unwrap_or(default.png_dpi),
        },
    })
}
