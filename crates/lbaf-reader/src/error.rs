// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors in a data set.

use std::io;
use std::path::PathBuf;

use lbaf_model::ModelError;
use lbaf_vom::VomError;
use thiserror::Error;

/// Reason why a data set could not be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// A directory cannot be listed.
    #[error("cannot list {}: {source}", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// The directory does not exist.
    #[error("the directory {} does not exist; the stem is the path of the files up to the rank", path.display())]
    NoDirectory {
        /// The directory.
        path: PathBuf,
    },
    /// No file matches the stem.
    #[error(
        "no file for the stem {}: expected {}.0.{suffix}, {}.1.{suffix}, ...; the stem is the path up to the rank",
        stem.display(), stem.display(), stem.display()
    )]
    NoFiles {
        /// The stem.
        stem: PathBuf,
        /// The expected suffix.
        suffix: String,
    },
    /// Files with several suffixes match the stem.
    #[error(
        "files with several suffixes match {} ({suffixes}); choose one with `suffix` under `from_data` or with --suffix",
        stem.display()
    )]
    SeveralSuffixes {
        /// The stem.
        stem: PathBuf,
        /// The suffixes.
        suffixes: String,
    },
    /// A rank has no file.
    #[error(
        "rank {rank} has no file: {} is missing, but rank {last} has a file; every rank must have one",
        missing.display()
    )]
    MissingRank {
        /// The missing file.
        missing: PathBuf,
        /// Its rank.
        rank: usize,
        /// The last rank with a file.
        last: u64,
    },
    /// The rank number has leading zeros.
    #[error("{}: the rank number has leading zeros; rename the file", path.display())]
    PaddedRank {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// The content of a file is invalid.
    #[error("{}: {source}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// The error and its position.
        source: VomError,
    },
    /// The data need more memory than allowed, by an estimate from the sizes of the files.
    #[error(
        "the data need at least {} of memory, but the limit is {}; raise it with `--memory-limit` or in the control \
         group, or read fewer phases with `--phases`",
        size(*needed), size(*limit)
    )]
    Memory {
        /// Least memory in bytes.
        needed: u64,
        /// Limit in bytes.
        limit: u64,
    },
    /// The temporary file for rows cannot be written or read.
    #[error("temporary file in {}: {_0}; `TMPDIR` selects another directory", std::env::temp_dir().display())]
    Temporary(#[source] io::Error),
    /// The file changed between reading and writing.
    #[error("{}: the file changed since it was read; run again", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// Records of the data set contradict each other, or exceed a limit of the model.
    #[error("{}: {message}", path.display())]
    Contradiction {
        /// The file in which the contradiction was found, or the first file.
        path: PathBuf,
        /// Description of the contradiction or limit.
        message: String,
    },
    /// The model rejects the data.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// Formats a number of bytes.
fn size(bytes: u64) -> String {
    const MEGABYTE: u64 = 1_000_000;
    match bytes {
        0..MEGABYTE => format!("{bytes} bytes"),
        _ => format!("{:.1} MB", bytes as f64 / MEGABYTE as f64),
    }
}
