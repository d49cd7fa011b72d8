// SPDX-License-Identifier: MIT OR Apache-2.0
//! The errors of charts, tables, pictures and pages.

use lbaf_plot::{PlotError, TableError};
use lbaf_reader::ReadError;
use lbaf_run::RunError;
use lbaf_writer::{Unfinished, WriteError};
use thiserror::Error;

/// Reason for which a run is not shown.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The data of the run cannot be found or read.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A file of the run cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Files of the run are well-formed but not those of a run, or runs are not comparable.
    #[error("{0}")]
    Input(String),
    /// The run is in a directory whose files are being replaced.
    #[error("{0}")]
    Unfinished(Unfinished),
    /// Two runs to compare have the same name.
    #[error("two runs are called `{0}`")]
    SameName(String),
    /// A selected phase was not balanced.
    #[error("phase {phase} was not balanced in the run, which balanced {balanced}")]
    AbsentPhase {
        /// Number of the phase.
        phase: u64,
        /// Phases that were balanced, as ranges.
        balanced: String,
    },
    /// Outputs cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A chart cannot be drawn.
    #[error("cannot draw {chart}: {source}")]
    Plot {
        /// Name of the chart.
        chart: String,
        /// Reason.
        source: PlotError,
    },
    /// A table cannot be made.
    #[error("cannot make the table {table}: {source}")]
    Table {
        /// Name of the table.
        table: String,
        /// Reason.
        source: TableError,
    },
    /// A picture or mesh of objects on ranks cannot be made.
    #[error("cannot draw {picture}: {source}")]
    Picture {
        /// Stem of its file.
        picture: String,
        /// Reason.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Data have no place on a page.
    #[error(transparent)]
    Page(#[from] PageError),
}

/// Reason for which data have no place on a page.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PageError {
    /// A number that has no place in a table or on an axis.
    #[error("{what} is {value}: a page takes finite numbers; was the run changed by hand?")]
    NotFinite {
        /// Its name.
        what: String,
        /// The number.
        value: f64,
    },
    /// Data that are no JSON, a number that is not finite among them.
    #[error("the data of the page are no JSON: {0}")]
    Json(#[from] serde_json::Error),
}
