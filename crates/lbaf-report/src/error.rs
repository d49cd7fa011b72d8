// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of charts, tables, pictures and pages.

use lbaf_plot::{PlotError, TableError};
use lbaf_reader::ReadError;
use lbaf_run::{Fault, RunError};
use lbaf_writer::{Unfinished, WriteError};
use thiserror::Error;

/// Error that prevents the output of charts, tables, pictures or pages.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The data of a run cannot be found or read.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A file in an output directory cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Files of results are missing, damaged or of another kind, or runs are not comparable.
    #[error("{0}")]
    Input(String),
    /// A replacement of files in an output directory is unfinished.
    #[error("{0}")]
    Unfinished(Unfinished),
    /// Two runs to compare have the same name.
    #[error("two runs have the name `{0}`")]
    SameName(String),
    /// A selected phase was not balanced.
    #[error("the run did not balance phase {phase} (balanced phases: {balanced})")]
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
    #[error("cannot draw the chart `{chart}`: {source}")]
    Plot {
        /// Name of the chart.
        chart: String,
        /// Reason.
        source: PlotError,
    },
    /// A table cannot be created.
    #[error("cannot create the table `{table}`: {source}")]
    Table {
        /// Name of the table.
        table: String,
        /// Reason.
        source: TableError,
    },
    /// A picture or mesh of objects on ranks cannot be created.
    #[error("cannot draw the picture {picture}: {source}")]
    Picture {
        /// Stem of the file.
        picture: String,
        /// Reason.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A page cannot contain the data.
    #[error(transparent)]
    Page(#[from] PageError),
}

impl From<&ReportError> for Fault {
    fn from(error: &ReportError) -> Self {
        match error {
            ReportError::Run(error) => error.into(),
            ReportError::Read(error) => error.into(),
            ReportError::Write(error) => error.into(),
            ReportError::Input(_) | ReportError::Unfinished(_) | ReportError::Page(_) => Fault::Input,
            ReportError::SameName(_) | ReportError::AbsentPhase { .. } => Fault::Configuration,
            ReportError::Plot { .. } | ReportError::Table { .. } | ReportError::Picture { .. } => {
                Fault::Output
            }
        }
    }
}

/// Reason why a page cannot contain its data.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PageError {
    /// A number is not finite.
    #[error(
        "{what} is {value}, but a page requires finite numbers; check whether files of the run were edited"
    )]
    NotFinite {
        /// Name of the number.
        what: String,
        /// The number.
        value: f64,
    },
    /// The data cannot be represented as JSON, for example because a number is not finite.
    #[error("cannot write the data of the page as JSON: {0}")]
    Json(#[from] serde_json::Error),
}
