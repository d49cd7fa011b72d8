// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf plot`: redraws the charts and tables of a saved run, or overlays the results of several runs.

use std::path::{Path, PathBuf};

use clap::Args;
use lbaf_config::{FONT_PT, PlotSettings, Plots, Selection, chart_named, unfit_height};
use lbaf_plot::{Format, Style};
use lbaf_report::problem::share_bounds;
use lbaf_report::redraw::{Redrawn, names_by_strategy, redraw};
use lbaf_report::{OutputKind, SavedRun, directory_of, paper_tables};
use lbaf_run::{Messages as _, simulate, study, summary};
use lbaf_text::Shown as _;
use lbaf_text::number::counted;

use crate::arguments::CommonArgs;
use crate::error::Error;
use crate::{directories, inputs, progress};

#[derive(Debug, Args)]
pub(crate) struct PlotArgs {
    /// Output directory of a run; give several to overlay their results.
    #[arg(value_name = "RUN_DIR", required = true)]
    pub(crate) run_dirs: Vec<PathBuf>,
    /// Names of the runs in legends, in the same order. Default: their strategies.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) names: Option<Vec<String>>,
    /// Output directory, required for several runs; charts go to its folder `plots`, tables to `tables`. Default: the
    /// directory of the run.
    #[arg(long, value_name = "DIR")]
    pub(crate) output_dir: Option<PathBuf>,
    /// Formats to draw: svg, pdf, png. Default: as in the run.
    #[arg(long, value_name = "FORMAT", value_delimiter = ',')]
    pub(crate) formats: Option<Vec<lbaf_plot::Format>>,
    /// Charts to draw, by name, or `all`. Default: as in the run.
    #[arg(long, value_name = "CHART", value_delimiter = ',')]
    pub(crate) charts: Option<Vec<String>>,
    /// Phases to draw in charts of a single phase, for example `0-3, 7`. Default: as in the run.
    #[arg(long, value_name = "PHASES")]
    pub(crate) phases: Option<String>,
    /// Width of charts: `one_column` or `two_column`. Default: as in the run.
    #[arg(long, value_name = "WIDTH")]
    pub(crate) width: Option<lbaf_plot::Width>,
    /// Height of charts in millimetres, 30 to 250. Default: as in the run.
    #[arg(long, value_name = "MM")]
    pub(crate) height: Option<f64>,
    /// Font size of axis labels in points, 5 to 16. Default: as in the run.
    #[arg(long, value_name = "PT")]
    pub(crate) font_size: Option<f64>,
    /// Palette of charts: `colour` or `grey`. Default: as in the run.
    #[arg(long, value_name = "PALETTE")]
    pub(crate) palette: Option<lbaf_plot::Palette>,
    /// Draw titles above charts.
    #[arg(long)]
    pub(crate) titles: bool,
    /// Also write charts for LaTeX with the package pgfplots.
    #[arg(long)]
    pub(crate) pgfplots: bool,
    /// Resolution of PNG files in dots per inch. Default: as in the run.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(36..=1200))]
    pub(crate) dpi: Option<u32>,
    /// Width of tables for LaTeX: `column` or `page`. Default: as in the run.
    #[arg(long, value_name = "WIDTH")]
    pub(crate) table_width: Option<lbaf_plot::TableWidth>,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// Draws charts and writes tables. Returns the text to print.
pub(crate) fn plot(args: &PlotArgs) -> Result<String, Error> {
    let directories: Vec<&Path> = args.run_dirs.iter().map(|run| directory_of(run)).collect();
    let is_own =
        |output_dir: &&Path| matches!(directories[..], [run] if directories::is_same(run, output_dir));
    let output_dir = args.output_dir.as_deref().filter(|output_dir| !is_own(output_dir));
    match (&directories[..], output_dir) {
        ([run_dir], None) => directories::restore(run_dir)?,
        (_, None) => {
            let message = "charts of several runs need an output directory: --output-dir DIR";
            return Err(Error::Usage(message.to_owned()));
        }
        (_, Some(output_dir)) => {
            directories::restore(output_dir)?;
            check_apart(output_dir)?;
        }
    }
    directories.iter().try_for_each(|directory| check_kind(directory))?;
    let mut runs = inputs::saved_runs(&directories)?;
    // A single run keeps its own bounds, because its summary is written again.
    if runs.len() > 1 {
        share_bounds(&mut runs.iter_mut().map(|run| &mut run.summary).collect::<Vec<_>>());
    }
    let plots = settings(args, runs[0].summary.plots.as_ref())?;
    let names = names(args, &runs)?;
    let redrawn = inputs::noted(|inputs| redraw(&runs, &names, &plots, inputs, &progress::messages()))?;
    if let Some(output_dir) = output_dir {
        return elsewhere(output_dir, &redrawn);
    }
    // The summary keeps the settings of the run, which are the defaults of the next call.
    let run = runs.pop().expect("invariant: clap requires a run");
    run.add(redrawn.files(), inputs::all(), &progress::messages())?;
    Ok(report(&redrawn, directories[0]))
}

/// Refuses an output directory with results, because new charts would be mixed with those of the results.
fn check_apart(output_dir: &Path) -> Result<(), Error> {
    let Some(kind) = OutputKind::all_in(output_dir).first().copied() else { return Ok(()) };
    let (directory, kind) = (output_dir.shown(), kind.noun());
    Err(Error::Usage(format!(
        "{directory} holds a {kind}; its charts would be mixed with the new ones; choose another directory with \
         --output-dir"
    )))
}

/// Refuses a directory with the results of a study or simulation, because the command that wrote them draws the charts.
/// Also refuses a directory with charts but no results.
fn check_kind(directory: &Path) -> Result<(), Error> {
    let has = |name: &str| directory.join(name).exists();
    let what = if has(summary::FILE) {
        return Ok(());
    } else if has(study::FILE) {
        "holds a study, whose charts `lbaf study` or `lbaf compare` draws; to change the charts, repeat that command \
         with other settings of charts: it does not compute the cells again"
    } else if has(simulate::FILE) {
        "holds a simulation, whose charts `lbaf simulate` draws"
    } else if has("plots") {
        "holds charts without the results from which they were drawn; name the output directory of the run"
    } else {
        return Ok(());
    };
    Err(Error::Input(format!("{} {what}", directory.display())))
}

/// Writes into the directory of `--output-dir`.
fn elsewhere(output_dir: &Path, redrawn: &Redrawn) -> Result<String, Error> {
    let staging = directories::staging(output_dir)?;
    for (name, bytes) in redrawn.files() {
        staging.put(name, bytes)?;
    }
    staging.publish(None, &inputs::all(), &[])?;
    Ok(report(redrawn, output_dir))
}

/// Prints notes and warnings about charts that are not drawn. Returns a report on the written files.
fn report(Redrawn { charts, tables }: &Redrawn, directory: &Path) -> String {
    let messages = progress::messages();
    charts.notes().iter().for_each(|note| messages.note(note));
    charts.refused.iter().for_each(|refused| messages.warning(refused));
    format!(
        "{} in {}, {} in {}\n",
        counted(charts.files.len(), "chart file"),
        directory.join("plots").shown(),
        counted(tables.len(), "table file"),
        directory.join(paper_tables::DIRECTORY).shown(),
    )
}

/// Returns the names for legends: those given, or the strategies.
fn names(args: &PlotArgs, runs: &[SavedRun]) -> Result<Vec<String>, Error> {
    match &args.names {
        Some(names) if names.len() != runs.len() => {
            let (names, runs) = (counted(names.len(), "name"), counted(runs.len(), "run"));
            let message =
                format!("--names: {names} for {runs}; give one name for each run, separated by commas");
            Err(Error::Usage(message))
        }
        Some(names) => Ok(names.clone()),
        None => Ok(names_by_strategy(runs)),
    }
}

/// Returns the settings of the command line, completed by those of the first run and by defaults.
fn settings(args: &PlotArgs, recorded: Option<&PlotSettings>) -> Result<Plots, Error> {
    let default = Style::default();
    let refused = |option: &str, message: String| Error::Usage(format!("--{option}: {message}"));
    let recorded_formats =
        || -> Option<Vec<Format>> { recorded?.formats.iter().map(|format| format.parse().ok()).collect() };
    let charts = args.charts.clone().or_else(|| recorded?.charts.clone());
    let charts = charts.map(|charts| charts.iter().map(|name| chart_named(name)).collect()).transpose();
    let charts = charts.map_err(|message| refused("charts", message))?;
    let phases = args.phases.clone().or_else(|| recorded?.phases.clone());
    let phases = phases.map(|phases| Selection::parse(&phases)).transpose();
    let phases = phases.map_err(|message| refused("phases", message))?;
    if let Some(size) = args.font_size.filter(|size| !FONT_PT.contains(size)) {
        return Err(refused("font-size", format!("font size must be 5 to 16 points, not {size}")));
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
        table_width: args.table_width.or_else(|| recorded?.table_width.as_ref()?.parse().ok()),
    })
}
