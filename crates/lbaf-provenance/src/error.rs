// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why there is no database, or no data set from it.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// The way from the database itself to files that can be read.
pub(crate) const BINARY_DATABASE: &str = "the database itself, in the binary form of UnQLite; in its directory, `provdb_query performance_analysis filter \
     anomalies DUMP > anomalies.json` writes a collection as text, which can be read (so for normalexecs and metadata; \
     `filter-global` for func_stats and counter_stats; without `performance_analysis` before version 7 of Chimbuko)";

/// Why there is no database, or no data set from it. What is wrong with single records is a
/// [`Complaint`](crate::Complaint) instead.
#[derive(Debug, Error)]
pub enum ProvenanceError {
    /// Nothing is there, or it may not be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// What was to be read.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The database itself, and nothing else to read.
    #[error("{} is {BINARY_DATABASE}", path.display())]
    BinaryDatabase {
        /// The file.
        path: PathBuf,
    },
    /// A directory without a file of a database.
    #[error(
        "no file of a provenance database in {}, but {n_ignored} other(s); such files are named like \
         0.anomalies.json, global_func_stats.json or anomalies.json",
        path.display()
    )]
    NoDatabase {
        /// The directory.
        path: PathBuf,
        /// How many files it has.
        n_ignored: usize,
    },
    /// A file without a record that anything says the collection of.
    #[error(
        "no record of a provenance database in {}: {reason}; name the file after a collection (anomalies, normalexecs, \
         metadata, func_stats, counter_stats, ad_model) if it is one",
        path.display()
    )]
    NoRecord {
        /// The file.
        path: PathBuf,
        /// What was found instead.
        reason: String,
    },
    /// Nothing says on which rank anything took how long.
    #[error("no anomalies and no normalexecs{}, so nothing says what ranks did; {}", of_program(*pid), present(present_pids))]
    NoEvents {
        /// The program that was asked for.
        pid: Option<i64>,
        /// Those that have events.
        present_pids: Vec<i64>,
    },
    /// A rank that ids of objects have no room for.
    #[error("rank {rid} (of program {pid}) is beyond 65535, the last rank that ids of objects can name")]
    RankTooLarge {
        /// The program.
        pid: i64,
        /// The rank.
        rid: i64,
    },
    /// Steps so far apart that the phases between them would fill the memory.
    #[error(
        "steps up to {last_step} on {n_ranks} rank(s) make too many phases, most of them empty; number only those with \
         events (compact phases)"
    )]
    TooManyPhases {
        /// The last step.
        last_step: u64,
        /// How many ranks there are.
        n_ranks: usize,
    },
}

fn of_program(pid: Option<i64>) -> String {
    pid.map_or_else(String::new, |pid| format!(" of program {pid}"))
}

fn present(pids: &[i64]) -> String {
    if pids.is_empty() {
        return "functions' statistics alone make no data set".to_owned();
    }
    let pids: Vec<_> = pids.iter().map(i64::to_string).collect();
    format!("there are some of program {}", pids.join(", "))
}
