// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of commands and of their answers.

use std::io;
use std::path::PathBuf;

use lbaf_strategies::{Cancelled, PlacementError, StrategyError};
use thiserror::Error;

use crate::External;

/// Error of a command or of its answer. `program` is the first word of the command, `stderr` the end of its
/// standard error.
#[derive(Debug, Error)]
pub enum ExternalError {
    /// The command is empty.
    #[error("it is empty; name a program and its arguments, as in `command: [python3, lpt.py]`")]
    NoCommand,
    /// The time limit is not a positive number of seconds, or too large for a [`Duration`](std::time::Duration).
    #[error("it must be a positive number of seconds, not {seconds}")]
    TimeLimit {
        /// Time limit.
        seconds: f64,
    },
    /// The system cannot start the program, or a thread to communicate with it.
    #[error(
        "cannot start `{program}`: {source}; name a program on the search path, or a path of an executable file"
    )]
    Start {
        /// First word of the command.
        program: String,
        /// Error of the system.
        source: io::Error,
    },
    /// A file that the command names cannot be read for its digest.
    #[error("cannot read {}, which the command names: {source}", path.display())]
    Unreadable {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// The process ended unsuccessfully, or without a complete answer.
    #[error("`{program}` failed ({status}){}", quoted(stderr))]
    Died {
        /// First word of the command.
        program: String,
        /// Exit status or signal.
        status: String,
        /// End of its standard error.
        stderr: String,
    },
    /// No answer within the time limit; the process was killed.
    #[error(
        "`{program}` gave no answer within {seconds} s and was killed; raise `time_limit` if it needs longer{}",
        quoted(stderr)
    )]
    Late {
        /// First word of the command.
        program: String,
        /// Time limit.
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
    /// The answer is too long.
    #[error("`{program}` answered more than {most_bytes} bytes and was killed; leave out iterations")]
    TooLong {
        /// First word of the command.
        program: String,
        /// Maximum length of an answer.
        most_bytes: u64,
    },
    /// A persistent command wrote more than one line for a problem.
    #[error(
        "`{program}` wrote more than one line for a problem; a persistent command answers each problem with one line"
    )]
    TooManyLines {
        /// First word of the command.
        program: String,
    },
    /// The answer on standard output is empty or white space.
    #[error(
        "`{program}` answered nothing; it must print {{\"placement\": [..]}} on standard output{}",
        quoted(stderr)
    )]
    NoAnswer {
        /// First word of the command.
        program: String,
        /// End of its standard error.
        stderr: String,
    },
    /// The answer is invalid JSON, or JSON of another form.
    #[error(
        "the answer is not of the form {{\"placement\": [rank of each object]}}: {source}; it begins with `{beginning}`"
    )]
    Form {
        /// Parse error, with line and column in the answer.
        source: serde_json::Error,
        /// First characters of the answer.
        beginning: String,
    },
    /// A persistent command answered another problem.
    #[error(
        "the answer has `turn` {given}, but the problem had {expected}; repeat the number of the problem"
    )]
    Turn {
        /// Value of `turn` in the answer.
        given: String,
        /// Value of `turn` in the problem.
        expected: u64,
    },
    /// A placement that does not fit the problem.
    #[error(transparent)]
    Placement(#[from] PlacementError),
    /// A knowledge ratio outside 0 to 1.
    #[error("iterations[{iteration}].knowledge is {given}; it must be a number from 0 to 1, or absent")]
    Knowledge {
        /// Position in the list of iterations.
        iteration: usize,
        /// Knowledge ratio in the answer.
        given: f64,
    },
    /// A final placement that differs from the start and from all iterations.
    #[error(
        "`placement` is neither the start nor the placement of an iteration; use that of the best iteration, or add an iteration"
    )]
    NoIteration,
}

/// Formats the end of standard error for a message.
fn quoted(stderr: &str) -> String {
    /// Maximum number of lines of standard error in messages; the listener receives all lines.
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
    /// Errors of `command` and `time_limit` become errors of these parameters, so that messages point to the
    /// configuration. A cancelled run becomes [`Cancelled`], any other error [`StrategyError::Outside`].
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
