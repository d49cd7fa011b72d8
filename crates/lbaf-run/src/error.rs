// SPDX-License-Identifier: MIT OR Apache-2.0
//! The error of a run.

use std::fmt;

use lbaf_config::ConfigError;
use lbaf_reader::ReadError;
use lbaf_strategies::{Cancelled, StrategyError};
use lbaf_writer::{Unfinished, WriteError};
use thiserror::Error;

/// Reason for which a run has no results.
#[derive(Debug, Error)]
pub enum RunError {
    /// The configuration is wrong or does not fit the data.
    #[error(transparent)]
    Config(ConfigError),
    /// The data cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The data are well-formed but of no use, or not there.
    #[error("{0}")]
    Input(String),
    /// The data are in a directory whose files are being replaced.
    #[error("{0}")]
    Unfinished(Unfinished),
    /// The data do not fit their schema: a line for each of the first errors.
    #[error("{0}")]
    NotBySchema(String),
    /// It was stopped by its [`Cancel`](lbaf_strategies::Cancel) token.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Outputs cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Cells of a study that are in none of its shards.
    #[error("{0}")]
    MissingCells(MissingCells),
    /// Files for vt's OfflineLB that vt could not read although it could read the data: a defect.
    #[error(
        "the files for OfflineLB do not pass `lbaf validate --vt`, though the data do: a defect of lbaf, so nothing was \
         written ({counts}); the first: {first}"
    )]
    NotForVt {
        /// Numbers of errors and warnings, as text.
        counts: String,
        /// The first findings.
        first: String,
    },
}

impl RunError {
    /// An error of the configuration without a key.
    pub(crate) fn configuration(message: impl Into<String>) -> Self {
        ConfigError::Invalid(message.into()).into()
    }
}

/// Cells that are of a study that are in none of its shards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingCells {
    /// Number of missing cells.
    pub n_missing: usize,
    /// Number of all cells.
    pub n_cells: usize,
    /// Number of the first missing cell, from 0.
    pub first: usize,
    /// Labels of its choices.
    pub labels: Vec<String>,
    /// Error for which the name of its file is unknown here, if there is one.
    pub wrong: Option<String>,
}

impl fmt::Display for MissingCells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MissingCells { n_missing, n_cells, first, labels, wrong } = self;
        let labels = labels.join(", ");
        write!(
            f,
            "{n_missing} of {n_cells} cells are in none of the parts, the first of them cell {first} ({labels}); "
        )?;
        match wrong {
            Some(error) => write!(f, "it is not known by which name to look for it, for here {error}"),
            None => f.write_str("compute them first, or name their directories too"),
        }
    }
}

/// A strategy that was cancelled did not refuse anything.
impl From<ConfigError> for RunError {
    fn from(error: ConfigError) -> Self {
        match error {
            ConfigError::Strategy(StrategyError::Cancelled(cancelled)) => RunError::Cancelled(cancelled),
            error => RunError::Config(error),
        }
    }
}
