// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of reading a database or building a data set from it.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Message about the binary database, with instructions for exporting it as text.
pub(crate) const BINARY_DATABASE: &str = "the database itself, in the binary format of UnQLite, which lbaf cannot read; to \
     write the collection `anomalies` as text, run \
     `provdb_query performance_analysis filter anomalies DUMP > anomalies.json` in the directory of the database; for \
     `normalexecs` and `metadata`, replace the name of the collection; for `func_stats` and `counter_stats`, also replace \
     `filter` by `filter-global`; before version 7 of Chimbuko, leave out `performance_analysis`";

/// Error of reading a database or building a data set from it. Faults of single records are
/// [`Complaint`](crate::Complaint)s instead.
#[derive(Debug, Error)]
pub enum ProvenanceError {
    /// The file or directory is missing or not readable.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// Path that cannot be read.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// The path is the binary database itself, or a directory with the binary database and no file that lbaf can read.
    #[error("{} is {BINARY_DATABASE}", path.display())]
    BinaryDatabase {
        /// File.
        path: PathBuf,
    },
    /// A directory without files of a database.
    #[error(
        "no file of a provenance database in {} ({n_ignored} other files or directories found); expected names like \
         0.anomalies.json, global_func_stats.json or anomalies.json",
        path.display()
    )]
    NoDatabase {
        /// Directory.
        path: PathBuf,
        /// Number of other files and directories in it.
        n_ignored: usize,
    },
    /// A file without a record of a known collection.
    #[error(
        "no record of a provenance database in {}: {reason}; if the file is a collection, name it after that \
         collection (anomalies, normalexecs, metadata, func_stats, counter_stats or ad_model)",
        path.display()
    )]
    NoRecord {
        /// File.
        path: PathBuf,
        /// Reason, such as the first fault.
        reason: String,
    },
    /// No execution of the program can be imported, so the times of ranks are unknown.
    #[error(
        "there are no usable records in `anomalies` or `normalexecs`{}, so the times of ranks are unknown; {}",
        of_program(*pid),
        present(present_pids)
    )]
    NoEvents {
        /// Program to be imported; `None` if none was requested and none has executions.
        pid: Option<i64>,
        /// Programs with records of executions, ascending.
        present_pids: Vec<i64>,
    },
    /// A rank that exceeds the 16 bits for ranks in ids of objects.
    #[error("rank {rid} of program {pid} exceeds 65535, the largest rank that fits into ids of objects")]
    RankTooLarge {
        /// Program.
        pid: i64,
        /// Rank.
        rid: i64,
    },
    /// Too many phases of all ranks together, usually due to large gaps between the numbers of steps. Empty phases
    /// would exhaust memory.
    #[error(
        "steps up to {last_step} give too many phases of all ranks together (number of ranks: {n_ranks}); if most steps have no executions, \
         leave out these steps (`--compact-phases`)"
    )]
    TooManyPhases {
        /// Last step.
        last_step: u64,
        /// Number of ranks.
        n_ranks: usize,
    },
}

fn of_program(pid: Option<i64>) -> String {
    pid.map_or_else(String::new, |pid| format!(" of program {pid}"))
}

fn present(pids: &[i64]) -> String {
    if pids.is_empty() {
        return "statistics of functions alone are not enough for a data set".to_owned();
    }
    let pids: Vec<_> = pids.iter().map(i64::to_string).collect();
    format!("programs with such records: {}", pids.join(", "))
}
