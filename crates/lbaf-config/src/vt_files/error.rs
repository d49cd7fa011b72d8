// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can be wrong with a file.

use thiserror::Error;

use crate::vt_files::Anchor;

/// What is wrong with a file, and where. The caller adds the name of the file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {}, column {}: {fault}", position.line, position.column)]
pub struct ScheduleError {
    /// The place of the first fault.
    pub position: Position,
    /// What it is.
    pub fault: Fault,
}

/// Line and column in a file, counted from one; columns are characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
}

/// What is wrong at a place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Fault {
    /// Bytes that are no text.
    #[error("this byte is not UTF-8; save the file as UTF-8 text")]
    NotUtf8,
    /// No line that says anything, so that nothing tells which kind of file it is.
    #[error(
        "the file has no line but blank ones and comments; expected lines like `%100 -3 3`, when output is \
         enabled, or `%10 GreedyLB`, which balancer runs"
    )]
    Empty,
    /// Something else than what comes at this place.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// What comes here.
        expected: &'static str,
        /// The word that stands here in quotes, or `the end of the line`.
        found: String,
    },
    /// A number that no run reaches.
    #[error("{number} is too large: phases and offsets end at 2^62")]
    TooLarge {
        /// The number as written.
        number: String,
    },
    /// `%0`.
    #[error("0 divides no phase; write `%1` for every phase, or `0` without `%` for phase 0")]
    ZeroPeriod,
    /// An offset that should reach back and does not.
    #[error("the first offset reaches back, so it is 0 or negative, not {found}; did you mean -{found}?")]
    PositiveFirst {
        /// The offset.
        found: u64,
    },
    /// An offset that should reach forward and does not.
    #[error("the second offset reaches forward, so it is 0 or positive, not -{found}; did you mean {found}?")]
    NegativeSecond {
        /// The offset without its sign.
        found: u64,
    },
    /// A second line for the same phase or period.
    #[error("{anchor} has a line already, line {first_line}; keep one of them")]
    Twice {
        /// The phase or period.
        anchor: Anchor,
        /// Where it stands first.
        first_line: usize,
    },
    /// A name that no balancer of vt has.
    #[error("vt has no balancer {name:?}; {hint}")]
    UnknownBalancer {
        /// The name.
        name: String,
        /// A name like it, or all.
        hint: String,
    },
    /// A key that the balancer does not take.
    #[error("{balancer} takes no argument {key:?}; {hint}")]
    UnknownKey {
        /// The balancer.
        balancer: &'static str,
        /// The key.
        key: String,
        /// A key like it, or all.
        hint: String,
    },
    /// A key twice, of which vt would take the last.
    #[error("the argument `{key}` stands twice in this line; keep one of them")]
    KeyTwice {
        /// The key.
        key: String,
    },
}

impl Position {
    /// The position of a byte that is not UTF-8, the `valid` ones before it being so.
    pub(crate) fn behind(valid: &str) -> Self {
        let valid = valid.strip_prefix('\u{feff}').unwrap_or(valid);
        let line = valid.rsplit('\n').next().unwrap_or_default();
        Position { line: 1 + valid.matches('\n').count(), column: 1 + line.chars().count() }
    }
}
