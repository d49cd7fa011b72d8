// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts and pages of runs.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use lbaf_config::CHARTS_OF_RUNS;
use lbaf_report::charts::{Drawn, Shown, draw};
use lbaf_report::problem::share_bounds;
use lbaf_report::{SavedRun, page};
use lbaf_run::Silent;
use lbaf_run::summary::Summary;
use lbaf_run::summary::saved::{self, Tables};
use lbaf_writer::Inputs;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::engine::work;
use crate::failure::Failure;
use crate::work_model::configured;

/// Files by name, and the reasons for which charts are not drawn.
pub(crate) type Files<'py> = (Vec<(String, Bound<'py, PyBytes>)>, Vec<String>);

/// Tables that charts are drawn from.
const TABLES: [&str; 4] = [saved::RANKS, saved::VOLUMES, saved::MIGRATIONS, saved::OBJECT_LOADS];

/// A run: its name, its summary as JSON, and its tables as CSV by file name.
type Run = (String, String, HashMap<String, Vec<u8>>);

/// Returns the names of all charts of runs.
#[pyfunction]
pub(crate) fn chart_names() -> Vec<&'static str> {
    CHARTS_OF_RUNS.to_vec()
}

/// Draws charts of one run, or of several that are compared. `text` is a configuration with the section `plots`.
/// Returns the files by name, and the reasons for which charts are not drawn.
#[pyfunction]
pub(crate) fn charts<'py>(py: Python<'py>, runs: Vec<Run>, text: &str) -> PyResult<Files<'py>> {
    let (_, run) = configured("<plot>", text, ".".as_ref())?;
    let plots = run.plots.ok_or_else(|| Failure::config("`plots` selects no chart"))?;
    let drawn = work(py, &Arc::default(), None, None, move || {
        let mut summaries = runs.iter().map(|(_, json, _)| summary(json)).collect::<Result<Vec<_>, _>>()?;
        if summaries.len() > 1 {
            share_bounds(&mut summaries.iter_mut().collect::<Vec<_>>());
        }
        let shown = runs.iter().zip(&summaries).map(|((name, _, files), summary)| {
            let mut tables = Tables::default();
            for table in TABLES {
                if let Some(bytes) = files.get(table) {
                    tables.add(table, bytes).map_err(Failure::input)?;
                }
            }
            Ok(Shown { name: name.clone(), summary, tables })
        });
        Ok(draw(&shown.collect::<Result<Vec<_>, Failure>>()?, &plots, &Silent)?)
    })?;
    Ok(files_and_reasons(py, drawn))
}

/// Returns files by name, and the reasons for which charts are not drawn.
pub(crate) fn files_and_reasons(py: Python<'_>, drawn: Drawn) -> Files<'_> {
    let Drawn { files, empty, of_one_run, of_runs, of_simulations, refused } = drawn;
    let files = files.into_iter().map(|(name, bytes)| (name, PyBytes::new(py, &bytes))).collect();
    let reasons = [
        (empty, "the data have nothing that it shows"),
        (of_one_run, "it shows a single run"),
        (of_runs, "it shows runs, not simulations"),
        (of_simulations, "it shows simulations, not runs"),
    ];
    let reasons = reasons.into_iter().filter(|(charts, _)| !charts.is_empty());
    let reasons = reasons.map(|(_, reason)| reason.to_owned()).chain(refused);
    (files, reasons.collect())
}

fn summary(json: &str) -> Result<Summary, Failure> {
    serde_json::from_str(json).map_err(|error| Failure::input(format!("not the summary of a run: {error}")))
}

/// Returns the page of runs from their output directories.
#[pyfunction]
pub(crate) fn report(py: Python<'_>, directories: Vec<PathBuf>) -> PyResult<String> {
    work(py, &Arc::default(), None, None, move || {
        let mut inputs = Inputs::none();
        let read = directories.iter().map(|directory| SavedRun::read(directory, &mut inputs));
        let mut runs = read.collect::<Result<Vec<_>, _>>()?;
        share_bounds(&mut runs.iter_mut().map(|run| &mut run.summary).collect::<Vec<_>>());
        let names = page::names(&runs);
        let (page, _) = page::of_runs(&runs, names, &mut inputs, &Silent)?;
        Ok(page.to_html().map_err(lbaf_report::ReportError::from)?)
    })
}
