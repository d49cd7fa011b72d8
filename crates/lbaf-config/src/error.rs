// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of configurations.

use std::io;
use std::path::PathBuf;

use lbaf_strategies::StrategyError;
use lbaf_writer::Unfinished;
use thiserror::Error;

/// A configuration that cannot be read, is invalid, or does not fit the data.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// An invalid key or value, rendered with its file, line and column and the text of the line.
    #[error("{0}")]
    Invalid(String),
    /// A file cannot be read.
    #[error("cannot read the configuration {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file is in a directory whose files are being replaced.
    #[error("{0}")]
    Unfinished(Unfinished),
    /// A strategy rejects the problem, and no key of the configuration is the cause.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    /// The configuration is valid but cannot be applied to the data.
    #[error("{0}")]
    Data(String),
}

/// Result whose error holds the faulty key and a message.
pub(super) type Keyed<T> = Result<T, (String, String)>;

/// Result whose error holds a position in a list and a message.
pub(super) type Listed<T> = Result<T, (usize, String)>;
