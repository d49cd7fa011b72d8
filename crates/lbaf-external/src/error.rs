// SPDX-License-Identifier: MIT OR Apache-2.0
//! Faults of commands and their answers.

use std::io;
use std::path::PathBuf;

use lbaf_strategies::{Cancelled, StrategyError};
use thiserror::Error;

use crate::External;

/// A fault of a command or of its answer. `program` is the first word of the command, `stderr` the end of its standard error.
#[derive(Debug, Error)]
pub enum ExternalError {
    /// Parameters without a program.
    #[error("it is empty; name a program and its arguments, as in `command: [python3, lpt.py]`")]
    NoCommand,
    /// A time limit that is no positive number of seconds, or beyond all clocks.
    #[error("it must be a positive number of seconds, not {seconds}")]
    TimeLimit {
        /// The limit.
        seconds: f64,
    },
    /// The system does not start the program, or a thread that talks to it.
    #[error(
        "cannot start `{program}`: {source}; name a program on the search path, or a path of an executable file"
    )]
    Start {
        /// First word of the command.
        program: String,
        /// Reason of the system.
        source: io::Error,
    },
    /// A file named by the command that cannot be read for its digest.
    #[error("cannot read {}, which the command names: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Reason of the system.
        source: io::Error,
    },
    /// The process ended unsuccessfully, or without a whole answer.
    #[error("`{program}` failed ({status}){}", quoted(stderr))]
    Died {
        /// First word of the command.
        program: String,
        /// Exit status or signal.
        status: String,
        /// End of its standard error.
        stderr: String,
    },
    /// No answer in time; the process was killed.
    #[error(
        "`{program}` gave no answer within {seconds} s and was killed; raise `time_limit` if it needs longer{}",
        quoted(stderr)
    )]
    Late {
        /// First word of the command.
        program: String,
        /// The limit.
        seconds: f64,
        /// End of its standard error.
        stderr: String,
    },
    /// The run was cancelled; the process was killed.
    #[error("`{program}` was killed because the run was cancelled")]
    Cancelled {
        /// First word of the command.
        program: String,
    },
    /// The answer is longer than any placement.
    #[error("`{program}` answered more than {most_bytes} bytes and was killed; leave out iterations")]
    TooLong {
        /// First word of the command.
        program: String,
        /// The longest answer that is read.
        most_bytes: u64,
    },
    /// A persistent command wrote more than one line for a problem.
    #[error(
        "`{program}` wrote more than one line for a problem; a persistent command answers each with one line"
    )]
    TooManyLines {
        /// First word of the command.
        program: String,
    },
    /// Nothing on standard output.
    #[error(
        "`{program}` answered nothing; it has to print {{\"placement\": [..]}} on standard output{}",
        quoted(stderr)
    )]
    NoAnswer {
        /// First word of the command.
        program: String,
        /// End of its standard error.
        stderr: String,
    },
    /// The answer is no JSON, or JSON of another form.
    #[error(
        "the answer is not of the form {{\"placement\": [rank of each object]}}: {source}; it begins with `{beginning}`"
    )]
    Form {
        /// The fault, with line and column in the answer.
        source: serde_json::Error,
        /// The first characters of the answer.
        beginning: String,
    },
    /// The answer of a persistent command to another problem.
    #[error(
        "the answer has `turn` {given}, but the problem had {expected}; repeat the number of the problem"
    )]
    Turn {
        /// The number of the answer.
        given: String,
        /// The number of the problem.
        expected: u64,
    },
    /// Too few or too many ranks.
    #[error(
        "{place} has {n_given} entries for {n_objects} objects; it needs one rank for each, in the order of `objects`"
    )]
    Length {
        /// The placement within the answer.
        place: String,
        /// Number of its entries.
        n_given: usize,
        /// Number of objects of the phase.
        n_objects: usize,
    },
    /// An entry that is no rank of the problem.
    #[error(
        "{place}[{position}] puts object {object} on `{given}`; ranks are whole numbers from 0 to {last_rank}"
    )]
    NoRank {
        /// The placement within the answer.
        place: String,
        /// Position in the list of objects.
        position: usize,
        /// The object as files name it.
        object: String,
        /// The entry, as JSON.
        given: String,
        /// The last rank of the problem.
        last_rank: usize,
    },
    /// A non-migratable object on another rank.
    #[error(
        "{place}[{position}] moves object {object}, which is not migratable, from rank {from} to {to}; leave objects with \
         `migratable` false on their `rank`"
    )]
    Moved {
        /// The placement within the answer.
        place: String,
        /// Position in the list of objects.
        position: usize,
        /// The object as files name it.
        object: String,
        /// Its rank.
        from: u32,
        /// The rank of the answer.
        to: u32,
    },
    /// A knowledge ratio outside 0 to 1.
    #[error("iterations[{iteration}].knowledge is {given}; it is a number from 0 to 1, or left out")]
    Knowledge {
        /// Position in the list of iterations.
        iteration: usize,
        /// The ratio.
        given: f64,
    },
    /// A final placement that no iteration ended with.
    #[error(
        "`placement` is neither that of an iteration nor the start; repeat that of the best iteration, or add one"
    )]
    NoIteration,
}

/// The end of standard error as part of a message.
fn quoted(stderr: &str) -> String {
    /// Lines of standard error in messages; the listener has had all.
    const MOST_LINES: usize = 5;
    let lines: Vec<&str> = stderr.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(MOST_LINES)..];
    if last.is_empty() {
        "; its standard error is empty".to_owned()
    } else {
        format!("; its standard error ends with: {}", last.join(" | "))
    }
}

impl From<ExternalError> for StrategyError {
    /// Parameters that are wrong are errors about their key, so that they are shown where they were written.
    fn from(error: ExternalError) -> Self {
        let strategy = External::NAME;
        let message = error.to_string();
        let key = match error {
            ExternalError::NoCommand | ExternalError::Start { .. } | ExternalError::Unreadable { .. } => {
                "command"
            }
            ExternalError::TimeLimit { .. } => "time_limit",
            ExternalError::Cancelled { .. } => return Cancelled.into(),
            _ => return StrategyError::Outside { strategy, message },
        };
        StrategyError::Parameter { strategy, key: key.to_owned(), message }
    }
}
