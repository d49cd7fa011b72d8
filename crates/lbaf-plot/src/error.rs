// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can go wrong when a chart is drawn.

use thiserror::Error;

/// Why a chart could not be drawn or converted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlotError {
    /// A word of a configuration that names nothing.
    #[error("unknown {kind} `{given}`: use {expected}")]
    UnknownWord {
        /// What the word should have named.
        kind: &'static str,
        /// The word.
        given: String,
        /// The words that are known.
        expected: &'static str,
    },
    /// A chart without a single rank or phase.
    #[error("there are no {item} to show: give at least one")]
    Empty {
        /// What is missing.
        item: String,
    },
    /// A number that has no place on an axis.
    #[error("{what} is {value:e}: charts take finite numbers from 0 to 1e300")]
    BadValue {
        /// Which number it is.
        what: String,
        /// The number.
        value: f64,
    },
    /// Series over ranks that are not the same ranks.
    #[error("{first} ranks in one series but {second} in another: give all for the same ranks")]
    DifferentRanks {
        /// Number of ranks of the first series.
        first: usize,
        /// Number of ranks of another.
        second: usize,
    },
    /// Parts that are not of all bars.
    #[error("the part \u{201c}{part}\u{201d} has {found} value(s) for {n_bars} piles")]
    DifferentBars {
        /// Name of the part.
        part: String,
        /// Number of bars.
        n_bars: usize,
        /// Number of its values.
        found: usize,
    },
    /// Phases or iterations out of order, or one of them twice.
    #[error("{steps} {second} follows {steps} {first}: give them in ascending order, each once")]
    StepsOutOfOrder {
        /// What is out of order.
        steps: String,
        /// The number that came first.
        first: u64,
        /// The number that should not have followed it.
        second: u64,
    },
    /// A resolution that no printer and no screen has.
    #[error("{dpi} dots per inch: use 36 to 1200")]
    Resolution {
        /// The resolution asked for.
        dpi: u32,
    },
    /// The drawing library failed.
    #[error("drawing failed: {0}")]
    Draw(String),
    /// A drawn picture could not be turned into another format.
    #[error("conversion to {format} failed: {reason}")]
    Convert {
        /// The format asked for.
        format: &'static str,
        /// What the converter said.
        reason: String,
    },
}

/// Refuses a number that has no place on an axis; `what` names it in the message.
pub(crate) fn check_value(value: f64, what: impl FnOnce() -> String) -> Result<(), PlotError> {
    // The upper limit leaves room for the margin above the largest value.
    if (0.0..=1e300).contains(&value) { Ok(()) } else { Err(PlotError::BadValue { what: what(), value }) }
}
