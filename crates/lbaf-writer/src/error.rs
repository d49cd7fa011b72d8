// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why nothing was written.

use std::io;
use std::path::PathBuf;

use lbaf_reader::ReadError;
use thiserror::Error;

/// Why outputs could not be written. Whatever is returned, no output has been half-written.
#[derive(Debug, Error)]
pub enum WriteError {
    /// A file or directory cannot be made.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The output directory is something else.
    #[error("cannot write into {}: it is not a directory", path.display())]
    NotADirectory {
        /// What stands there.
        path: PathBuf,
    },
    /// A directory stands where a file is to be written.
    #[error("cannot write {}: a directory of this name is in the way", path.display())]
    InTheWay {
        /// The directory.
        path: PathBuf,
    },
    /// A name that leads out of the output directory.
    #[error("{name:?} leads out of the output directory")]
    Outside {
        /// The name.
        name: String,
    },
    /// An output would replace an input.
    #[error(
        "{} is an input and would be overwritten; choose another place or name (for a run, `output_dir` or \
         `output_file_stem`)",
        path.display()
    )]
    OverwritesInput {
        /// The file.
        path: PathBuf,
    },
    /// Ranks that OfflineLB cannot handle, and `empty_ranks: refuse`.
    #[error(
        "rank(s) {ranks} own no migratable object in phase {phase}, which aborts or confuses OfflineLB; \
         `write_JSON.empty_ranks: insert` adds an object of load 0 there"
    )]
    EmptyRanks {
        /// The ranks.
        ranks: String,
        /// The first phase in which it shows.
        phase: u64,
    },
    /// A record could not be read again.
    #[error(transparent)]
    Read(#[from] ReadError),
}
