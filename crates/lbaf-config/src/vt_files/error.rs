// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors in specification files and LB configuration files of vt.

use thiserror::Error;

use crate::vt_files::Anchor;

/// First error in a file, with its position. The caller adds the name of the file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {}, column {}: {fault}", position.line, position.column)]
pub struct ScheduleError {
    /// Position of the first error.
    pub position: Position,
    /// The error.
    pub fault: Fault,
}

/// Line and column in a file, counted from 1. Columns are characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
}

/// Kinds of errors.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Fault {
    /// The file is not UTF-8.
    #[error("this byte is not UTF-8; save the file as UTF-8 text")]
    NotUtf8,
    /// The file has only blank lines and comments, so its format is unknown.
    #[error(
        "the file has only blank lines and comments; expected lines like `%100 -3 3` (specification: phases with \
         output) or `%10 GreedyLB` (LB configuration: phases with a balancer)"
    )]
    Empty,
    /// A word or the end of the line is unexpected.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// Description of the expected word.
        expected: &'static str,
        /// The word in quotes, `the end of the line`, or `nothing` for an empty text.
        found: String,
    },
    /// A number is too large for a phase, period or offset.
    #[error("{number} is too large: phases and offsets are at most 2^62")]
    TooLarge {
        /// The number as written.
        number: String,
    },
    /// The period is 0.
    #[error("the period 0 is invalid; write `%1` for every phase, or `0` without `%` for phase 0")]
    ZeroPeriod,
    /// The first offset is positive.
    #[error("the first offset must be 0 or negative, not {found}; did you mean -{found}?")]
    PositiveFirst {
        /// The offset.
        found: u64,
    },
    /// The second offset is negative.
    #[error("the second offset must be 0 or positive, not -{found}; did you mean {found}?")]
    NegativeSecond {
        /// The offset without its sign.
        found: u64,
    },
    /// A phase or period occurs twice.
    #[error("{anchor} already has a line (line {first_line}); keep one of them")]
    Twice {
        /// The phase or period.
        anchor: Anchor,
        /// Line of its first occurrence.
        first_line: usize,
    },
    /// vt has no balancer with this name.
    #[error("vt has no balancer {name:?}; {hint}")]
    UnknownBalancer {
        /// The name.
        name: String,
        /// A similar name, or all names.
        hint: String,
    },
    /// The balancer does not accept the key.
    #[error("{balancer} takes no argument {key:?}; {hint}")]
    UnknownKey {
        /// The balancer.
        balancer: &'static str,
        /// The key.
        key: String,
        /// A similar key, or all keys.
        hint: String,
    },
    /// A key occurs twice in the arguments of a balancer. vt would take the last value.
    #[error("the argument `{key}` occurs twice; keep one of them")]
    KeyTwice {
        /// The key.
        key: String,
    },
}

impl Position {
    /// Returns the position of an invalid byte after the text `valid`.
    pub(crate) fn after(valid: &str) -> Self {
        let valid = valid.strip_prefix('\u{feff}').unwrap_or(valid);
        let line = valid.rsplit('\n').next().unwrap_or_default();
        Position { line: 1 + valid.matches('\n').count(), column: 1 + line.chars().count() }
    }
}
