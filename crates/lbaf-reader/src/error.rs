// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can be wrong with a data set.

use std::io;
use std::path::PathBuf;

use lbaf_model::ModelError;
use lbaf_vom::VomError;
use thiserror::Error;

/// Why a data set could not be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The directory of the stem cannot be listed.
    #[error("cannot list {}: {source}", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// There is no such directory.
    #[error("there is no directory {}; the stem is the path of the files up to the rank", path.display())]
    NoDirectory {
        /// The directory.
        path: PathBuf,
    },
    /// Nothing matches the stem.
    #[error(
        "no file for the stem {}: expected {}.0.{suffix}, {}.1.{suffix}, ..; the stem is the path up to the rank",
        stem.display(), stem.display(), stem.display()
    )]
    NoFiles {
        /// The stem.
        stem: PathBuf,
        /// The suffix looked for.
        suffix: String,
    },
    /// Several suffixes match the stem.
    #[error(
        "files of several suffixes match {} ({suffixes}); choose one with `suffix` under `from_data` or --suffix",
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
        "rank {rank} has no file: {} is missing, though files up to rank {last} are there; every rank writes one",
        missing.display()
    )]
    MissingRank {
        /// The file that should be there.
        missing: PathBuf,
        /// Its rank.
        rank: usize,
        /// The last rank that has one.
        last: u64,
    },
    /// A rank number with leading zeros.
    #[error("{}: rank numbers are not padded; rename the file", path.display())]
    PaddedRank {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The content of a file is wrong.
    #[error("{}: {source}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong and where.
        source: VomError,
    },
    /// A file changed between reading and writing.
    #[error("{}: the file changed since it was read; run again", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// Files contradict each other.
    #[error("{}: {message}", path.display())]
    Contradiction {
        /// The file in which it shows.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// The model refuses the data.
    #[error(transparent)]
    Model(#[from] ModelError),
}
