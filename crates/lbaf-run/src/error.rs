// SPDX-License-Identifier: MIT OR Apache-2.0
//! The error of a run.

use lbaf_config::ConfigError;
use lbaf_reader::ReadError;
use lbaf_writer::{Unfinished, WriteError};
use thiserror::Error;

/// A run that ended without results.
#[derive(Debug, Error)]
pub enum RunError {
    /// A configuration that is wrong or does not fit the data.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Data that cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Data that are well-formed but of no use.
    #[error("{0}")]
    Input(String),
    /// Data in a directory whose files are being replaced.
    #[error("{0}")]
    Unfinished(Unfinished),
    /// Data that do not fit their schema: a line for each of the first errors.
    #[error("{0}")]
    NotBySchema(String),
    /// Outputs that cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Files for vt's OfflineLB that vt could not take, for no reason in the data: a defect.
    #[error(
        "the files for OfflineLB do not pass `lbaf validate --vt`, though the data do: a defect of lbaf, so nothing was \
         written ({counts}); the first: {first}"
    )]
    NotForVt {
        /// Findings, counted.
        counts: String,
        /// The first of them.
        first: String,
    },
}

impl RunError {
    /// A configuration that does not fit, for a reason that no key is about.
    pub(crate) fn configuration(message: impl Into<String>) -> Self {
        ConfigError::Invalid(message.into()).into()
    }
}
