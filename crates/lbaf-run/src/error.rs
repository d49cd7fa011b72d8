// SPDX-License-Identifier: MIT OR Apache-2.0
//! The error of a run.

use std::fmt;

use lbaf_claims::ClaimsError;
use lbaf_config::ConfigError;
use lbaf_reader::ReadError;
use lbaf_strategies::{Cancelled, StrategyError};
use lbaf_writer::{Unfinished, WriteError};
use thiserror::Error;

/// Error that leaves a run without results.
#[derive(Debug, Error)]
pub enum RunError {
    /// The configuration is invalid or does not fit the data.
    #[error(transparent)]
    Config(ConfigError),
    /// The data cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The data are missing, or well-formed but unusable.
    #[error("{0}")]
    Input(String),
    /// The data are in a directory whose files are being replaced, or whose replacement was interrupted.
    #[error("{0}")]
    Unfinished(Unfinished),
    /// The data violate their schema; the text has a line for each of the first errors.
    #[error("{0}")]
    NotBySchema(String),
    /// A [`Cancel`](lbaf_strategies::Cancel) token stopped the run.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Outputs cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Work cannot be shared with other processes.
    #[error(transparent)]
    Claims(#[from] ClaimsError),
    /// Cells of a study are in none of its shards.
    #[error("{0}")]
    MissingCells(MissingCells),
    /// vt could read the data but not the files for OfflineLB: a defect of lbaf.
    #[error(
        "the files for OfflineLB fail `lbaf validate --vt`, although the data pass it: a defect of lbaf, so nothing was \
         written ({counts}); the first findings: {first}"
    )]
    NotForVt {
        /// Numbers of errors and warnings, as text.
        counts: String,
        /// The first findings.
        first: String,
    },
}

impl RunError {
    /// Returns an error of the configuration without a key.
    pub(crate) fn configuration(message: impl Into<String>) -> Self {
        ConfigError::Invalid(message.into().into()).into()
    }
}

/// Cells of a study that are in none of its shards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingCells {
    /// Number of missing cells.
    pub n_missing: usize,
    /// Number of all cells.
    pub n_cells: usize,
    /// Number of the first missing cell, from 0.
    pub first: usize,
    /// Labels of the choices of the first missing cell.
    pub labels: Vec<String>,
    /// Error that prevents the file name of the first missing cell from being determined; `None` if the name is known.
    pub wrong: Option<String>,
}

impl fmt::Display for MissingCells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MissingCells { n_missing, n_cells, first, labels, wrong } = self;
        let labels = labels.join(", ");
        write!(
            f,
            "{n_missing} of {n_cells} cells are missing from all shards, the first is cell {first} ({labels}); "
        )?;
        match wrong {
            Some(error) => write!(f, "its file name cannot be determined here: {error}"),
            None => f.write_str("compute them first, or also name the directories that hold them"),
        }
    }
}

/// A cancelled strategy becomes [`RunError::Cancelled`].
impl From<ConfigError> for RunError {
    fn from(error: ConfigError) -> Self {
        match error {
            ConfigError::Strategy(StrategyError::Cancelled(cancelled)) => RunError::Cancelled(cancelled),
            error => RunError::Config(error),
        }
    }
}
