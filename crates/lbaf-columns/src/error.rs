// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of writing tables.

use std::io;

use lbaf_reader::ReadError;
use thiserror::Error;

/// Error of writing tables.
#[derive(Debug, Error)]
pub enum ColumnsError {
    /// A document could not be read again.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The data set has no records in [`Recorded::records`](lbaf_reader::Recorded::records).
    #[error(
        "the data set has no records in memory, but tables need them; set `Request::records`, and not \
         `RecordOverflow::Park`"
    )]
    NoRecords,
    /// A record that the reader accepted cannot be parsed.
    #[error("cannot parse a record of phase {phase} in the file of rank {rank}: {message}")]
    Record {
        /// Number of the rank.
        rank: u32,
        /// Number of the phase.
        phase: u64,
        /// Error of the parser.
        message: String,
    },
    /// A table cannot be written.
    #[error("cannot write the table `{table}`: {source}")]
    Write {
        /// Name of the table.
        table: &'static str,
        /// Error of the sink, or of the format of the table.
        source: io::Error,
    },
}
