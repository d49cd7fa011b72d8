// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of configurations.

use std::fmt;
use std::io;
use std::path::PathBuf;

use lbaf_strategies::StrategyError;
use lbaf_writer::Unfinished;
use thiserror::Error;

use crate::yaml::{self, Sources};

/// A configuration that cannot be read, is invalid, or does not fit the data.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// Invalid keys and values.
    #[error("{0}")]
    Invalid(Invalid),
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

/// Invalid keys and values, rendered: each with its file, line and column and the text of the line.
#[derive(Debug)]
pub struct Invalid {
    texts: Vec<String>,
    /// The error, if it is a single one about the tree of the configuration.
    pub(super) error: Option<Box<yaml::Error>>,
}

impl Invalid {
    /// Upper limit on the number of errors of a configuration that are found.
    pub(super) const MAX: usize = 20;

    /// Renders an error about the tree of the configuration.
    pub(super) fn in_tree(sources: &Sources, error: &yaml::Error) -> Self {
        Invalid { error: Some(Box::new(error.clone())), ..Self::in_other_file(sources, error) }
    }

    /// Renders an error about a file that the configuration names.
    pub(super) fn in_other_file(sources: &Sources, error: &yaml::Error) -> Self {
        sources.render(error).trim_end().to_owned().into()
    }

    /// Joins several errors.
    pub(super) fn joined(mut errors: Vec<Invalid>) -> Self {
        match errors.len() {
            1 => errors.remove(0),
            _ => Invalid { texts: errors.into_iter().flat_map(|error| error.texts).collect(), error: None },
        }
    }

    /// Returns the text of each error.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }
}

impl From<String> for Invalid {
    fn from(text: String) -> Self {
        Invalid { texts: vec![text], error: None }
    }
}

impl fmt::Display for Invalid {
    /// Formats the errors in paragraphs. If there are several, their number follows.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.texts.join("\n\n"))?;
        match self.texts.len() {
            1 => Ok(()),
            Self::MAX => write!(f, "\n\nat least {} errors", Self::MAX),
            n => write!(f, "\n\n{n} errors"),
        }
    }
}

/// Result whose error holds the faulty key and a message.
pub(super) type Keyed<T> = Result<T, (String, String)>;

/// Result whose error holds a position in a list and a message.
pub(super) type Listed<T> = Result<T, (usize, String)>;
