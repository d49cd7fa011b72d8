// SPDX-License-Identifier: MIT OR Apache-2.0
//! The error of reading configurations.

use std::io;
use std::path::PathBuf;

use lbaf_strategies::StrategyError;
use lbaf_writer::Unfinished;
use thiserror::Error;

/// A configuration that cannot be read, is wrong, or does not fit the data.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// A key or value that is wrong, rendered with its file, line and column and the line itself.
    #[error("{0}")]
    Invalid(String),
    /// A file that cannot be read.
    #[error("cannot read the configuration {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file in a directory whose files are being replaced.
    #[error("{0}")]
    Unfinished(Unfinished),
    /// A strategy that refuses the problem, for a reason that no key is about.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    /// Data that the configuration cannot be applied to, though it says nothing wrong.
    #[error("{0}")]
    Data(String),
}

/// A result whose error has the key that it is about, and a message.
pub(super) type Keyed<T> = Result<T, (String, String)>;

/// A result whose error has the position in a list that it is about, and a message.
pub(super) type Listed<T> = Result<T, (usize, String)>;
