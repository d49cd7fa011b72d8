// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf plot`: the charts of a run again, from its summary.

use std::path::Path;

use lbaf_plot::{Format, Style, Width};
use lbaf_writer::Staging;

use crate::cli::PlotArgs;
use crate::config::Plots;
use crate::error::Error;
use crate::report::charts;
use crate::report::number::counted;
use crate::report::summary::{self, Summary};

/// Draws charts into the directory of the run, as the run did unless told otherwise, and notes the new digests
/// in its summary. What the run was told to draw stays there, for the next time.
pub(crate) fn plot(args: &PlotArgs) -> Result<String, Error> {
    let run_dir = directory(&args.run_dir);
    let mut summary = read_summary(run_dir)?;
    let plots = settings(args, summary.plots.as_ref())?;
    let staging = Staging::new(run_dir)?;
    let drawn = charts::draw(&summary, &plots)?;
    for (name, bytes) in &drawn {
        staging.put(name, bytes)?;
    }
    summary.files.extend(summary::digests(&staging));
    staging.put(summary::FILE, &summary::pretty(&summary))?;
    staging.publish(Some(summary::FILE), &[], &[])?;
    Ok(format!("{} in {}\n", counted(drawn.len(), "chart file"), run_dir.join("plots").display()))
}

/// The directory of a run, also where its summary is named instead.
fn directory(run: &Path) -> &Path {
    let is_summary = run.is_file() && run.file_name().is_some_and(|name| name == summary::FILE);
    if is_summary {
        run.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."))
    } else {
        run
    }
}

fn read_summary(run_dir: &Path) -> Result<Summary, Error> {
    let path = run_dir.join(summary::FILE);
    if !path.is_file() {
        let name = run_dir.display();
        return Err(Error::Input(format!(
            "{name} is not the output directory of a run: it has no {}",
            summary::FILE
        )));
    }
    let bytes = std::fs::read(&path)
        .map_err(|source| Error::Read(lbaf_reader::ReadError::Io { path: path.clone(), source }))?;
    let summary: Summary = serde_json::from_slice(&bytes)
        .map_err(|error| Error::Input(format!("{}: not the summary of a run: {error}", path.display())))?;
    if summary.version != summary::VERSION {
        let (found, known) = (summary.version, summary::VERSION);
        return Err(Error::Input(format!("{}: version {found} of the summary, not {known}", path.display())));
    }
    Ok(summary)
}

/// The command line over what the run did over the defaults.
fn settings(args: &PlotArgs, recorded: Option<&summary::PlotSettings>) -> Result<Plots, Error> {
    let default = Style::default();
    let recorded_formats =
        || -> Option<Vec<Format>> { recorded?.formats.iter().map(|format| format.parse().ok()).collect() };
    let recorded_width = || -> Option<Width> { recorded?.width.parse().ok() };
    let charts = args.charts.clone().or_else(|| recorded?.charts.clone());
    let charts = charts.map(|charts| charts.iter().map(|name| charts::named(name)).collect()).transpose();
    let charts = charts.map_err(|message| Error::Configuration(format!("--charts: {message}")))?;
    Ok(Plots {
        formats: args.formats.clone().or_else(recorded_formats).unwrap_or_else(|| Format::ALL.to_vec()),
        charts,
        style: Style {
            width: args.width.or_else(recorded_width).unwrap_or(default.width),
            png_dpi: args.dpi.or(recorded.map(|recorded| recorded.dpi)).unwrap_or(default.png_dpi),
        },
    })
}
