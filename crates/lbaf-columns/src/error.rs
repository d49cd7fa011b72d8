// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why tables could not be written.

use std::io;

use lbaf_reader::ReadError;
use thiserror::Error;

/// Why tables could not be written.
#[derive(Debug, Error)]
pub enum ColumnsError {
    /// A document could not be read again.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The data set was read without its records.
    #[error(
        "the data were read without records, which tables are made from; ask for them with `Request::records`"
    )]
    NoRecords,
    /// A record that the reader let pass cannot be taken apart.
    #[error("a record of phase {phase} in the file of rank {rank} cannot be taken apart: {message}")]
    Record {
        /// The rank.
        rank: u32,
        /// The phase.
        phase: u64,
        /// What is wrong.
        message: String,
    },
    /// A table cannot be written.
    #[error("cannot write the table of {table}: {source}")]
    Write {
        /// Name of the table.
        table: &'static str,
        /// What the system says.
        source: io::Error,
    },
}
