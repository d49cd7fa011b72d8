// SPDX-License-Identifier: MIT OR Apache-2.0
//! Self-contained HTML page for exploring one or several runs. The page needs no network, no other file and no server.
//!
//! [`of_runs`] creates a [`Page`] from output directories. [`Page::to_html`] embeds data, style, scripts and the chart
//! library into one document, which is reproducible byte by byte. Statistics are exact. To save space, numbers of every
//! rank or object are [`PackedNumbers`]: exact integers, or floating-point numbers with about seven digits.
//!
//! ```
//! use lbaf_report::page::{Page, PageError};
//!
//! let page = Page { lbaf: "0.2.0".to_owned(), runs: Vec::new() };
//! let html = page.to_html()?;
//! assert!(html.starts_with("<!DOCTYPE html>"));
//! # Ok::<(), PageError>(())
//! ```

pub(crate) mod assets;
mod base64;
mod detail;
pub(crate) mod document;
mod facts;
mod migration_table;
mod pairs;
mod placements;
mod rank_table;
mod run;
mod size_budget;
mod strategy_times;
mod table_rows;
mod view;
mod volume_table;

use std::path::Path;

use lbaf_run::{Messages, RunError};
use lbaf_text::Shown as _;
use lbaf_writer::Inputs;

use self::run::SmallResults;
use self::size_budget::SizeBudget;
pub use self::view::{
    BoundView, Fact, FrontPointView, IterationView, KnownBoundView, LargestObjects, MigrationTotals,
    MomentsView, Neighbours, OverBounds, OverRanks, PackedNumbers, Page, PairMigrations, PairVolumes,
    PhaseView, QuantityLabel, QuantityUnit, RankDetails, RankDistribution, RankPairs, RestrictedBoundView,
    RunView,
};
pub use crate::error::PageError;
use crate::{ReportError, SavedRun};

/// Name of the page in an output directory.
pub const FILE: &str = "report.html";

/// Creates the page of runs from their output directories, with a name for each run, and adds the files it reads to
/// `inputs`. Call [`share_bounds`](crate::problem::share_bounds) first if there are several runs.
///
/// Also returns the errors of data files. If the placements of a run cannot be read, the page lacks the objects and
/// neighbours of its ranks, and states this.
///
/// # Errors
/// If a table of a run cannot be read, or a number is not finite.
pub fn of_runs(
    runs: &[SavedRun],
    names: Vec<String>,
    inputs: &mut Inputs,
    messages: &dyn Messages,
) -> Result<(Page, Vec<RunError>), ReportError> {
    let results: Vec<SmallResults<'_>> =
        runs.iter().map(|run| SmallResults::read(run, inputs)).collect::<Result<_, _>>()?;
    let mut budget = SizeBudget::new(runs);
    let (mut views, mut unread) = (Vec::with_capacity(runs.len()), Vec::new());
    for (name, results) in names.into_iter().zip(&results) {
        views.push(results.view(name, &mut budget, &mut unread, inputs, messages)?);
    }
    Ok((Page { lbaf: env!("CARGO_PKG_VERSION").to_owned(), runs: views }, unread))
}

/// Returns names for runs: labels of the strategies; if these are equal, names of the directories; if these are equal
/// too, paths of the directories.
pub fn names(runs: &[SavedRun]) -> Vec<String> {
    let last = |run: &SavedRun| {
        let directory = &run.directory;
        let absolute = std::path::absolute(directory).unwrap_or_else(|_| directory.clone());
        absolute.file_name().map_or_else(String::new, |name| Path::new(name).shown())
    };
    let strategies = runs.iter().map(|run| run.summary.strategy_label().to_owned()).collect();
    let short = runs.iter().map(last).collect();
    let candidates: [Vec<String>; 2] = [strategies, short];
    let differ = |names: &Vec<String>| (1..names.len()).all(|at| !names[..at].contains(&names[at]));
    let long = || runs.iter().map(|run| run.directory.shown()).collect();
    candidates.into_iter().find(differ).unwrap_or_else(long)
}
