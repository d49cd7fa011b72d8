// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of configurations.

use std::fmt;
use std::io;
use std::path::PathBuf;

use lbaf_strategies::StrategyError;
use lbaf_writer::Unfinished;
use thiserror::Error;

use crate::yaml::{self, Sources};

/// Error of a configuration that cannot be read, is invalid, or does not fit the data.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// Invalid keys and values.
    #[error("{0}")]
    Invalid(Invalid),
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file is in a directory with an unfinished replacement of files.
    #[error("{0}")]
    Unfinished(Unfinished),
    /// A strategy rejects the problem, and no key of the configuration is the cause.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    /// The configuration is valid, but cannot be applied to the data.
    #[error("{0}")]
    Data(String),
}

/// Invalid keys and values.
#[derive(Debug)]
pub struct Invalid(Vec<InvalidValue>);

/// An invalid key or value.
#[derive(Debug)]
pub struct InvalidValue {
    /// The error with its place, and the text of the line.
    pub text: String,
    /// Name of the file or argument, line and column, from 1; `None` if the error has no place.
    pub place: Option<(String, usize, usize)>,
    /// Path of the invalid value, such as `a.b[2].c`. For an invalid key, the path of its mapping, which is empty at
    /// the top level.
    pub path: String,
    /// The error, if it is about the tree of the configuration.
    pub(super) error: Option<Box<yaml::Error>>,
}

impl InvalidValue {
    /// Returns an error without a place.
    pub fn of_text(text: String) -> Self {
        InvalidValue { text, place: None, path: String::new(), error: None }
    }
}

impl Invalid {
    /// Number of errors after which the search for further ones ends.
    pub(super) const MAX: usize = 20;

    /// Renders an error about the tree of the configuration.
    pub(super) fn in_tree(sources: &Sources, error: &yaml::Error) -> Self {
        let mut invalid = Self::in_other_file(sources, error);
        invalid.0[0].error = Some(Box::new(error.clone()));
        invalid
    }

    /// Renders an error about a file that the configuration names.
    pub(super) fn in_other_file(sources: &Sources, error: &yaml::Error) -> Self {
        let place =
            error.place.map(|place| (sources.name(place.source).to_owned(), place.line, place.column));
        let text = sources.render(error).trim_end().to_owned();
        Invalid(vec![InvalidValue { text, place, path: error.path.clone(), error: None }])
    }

    /// Joins several errors.
    pub(super) fn joined(values: Vec<InvalidValue>) -> Self {
        Invalid(values)
    }

    /// Leaves out errors about missing keys. Returns `None` if there are no others.
    pub(super) fn without_missing_keys(mut self) -> Option<ConfigError> {
        let is_missing =
            |value: &InvalidValue| value.text.lines().next().is_some_and(|line| line.contains("missing"));
        self.0.retain(|value| !is_missing(value));
        (!self.0.is_empty()).then_some(ConfigError::Invalid(self))
    }

    /// Returns the errors.
    pub fn into_values(self) -> Vec<InvalidValue> {
        self.0
    }
}

impl From<String> for Invalid {
    fn from(text: String) -> Self {
        Invalid(vec![InvalidValue::of_text(text)])
    }
}

impl fmt::Display for Invalid {
    /// Formats the errors in paragraphs, followed by their number if there are several.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<&str> = self.0.iter().map(|value| &*value.text).collect();
        f.write_str(&texts.join("\n\n"))?;
        match texts.len() {
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
