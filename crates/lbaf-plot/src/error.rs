// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of drawing charts.

use lbaf_text::number::counted;
use thiserror::Error;

/// Error of drawing or converting a chart.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlotError {
    /// Unknown word in a configuration.
    #[error("unknown {kind} `{given}`: use {expected}")]
    UnknownWord {
        /// Kind of value that the word should name.
        kind: &'static str,
        /// Unknown word.
        given: String,
        /// Valid words.
        expected: &'static str,
    },
    /// Missing data, or data that do not fit the rows or columns of the chart.
    #[error("the {item} of the chart are missing or do not fit together")]
    Empty {
        /// Name of the data in the plural.
        item: String,
    },
    /// More parts than can be distinguished.
    #[error("the chart has {n} parts, but at most {most} can be distinguished")]
    ManyParts {
        /// Number of parts.
        n: usize,
        /// Largest number of parts.
        most: usize,
    },
    /// Number that cannot be shown on an axis.
    #[error("{what} is {value:e}: charts take finite numbers from 0 to 1e300")]
    BadValue {
        /// Description of the number.
        what: String,
        /// Number.
        value: f64,
    },
    /// Series over different numbers of ranks.
    #[error("one series has {first} ranks, another has {second}: give the same ranks in all series")]
    DifferentRanks {
        /// Number of ranks of the first series.
        first: usize,
        /// Number of ranks of another series.
        second: usize,
    },
    /// Part whose number of values differs from the number of bars.
    #[error("the part \u{201c}{part}\u{201d} has {} for {}", counted(*.found, "value"), counted(*.n_bars, "bar"))]
    DifferentBars {
        /// Name of the part.
        part: String,
        /// Number of bars.
        n_bars: usize,
        /// Number of values of the part.
        found: usize,
    },
    /// Phases or iterations out of order or repeated.
    #[error("{steps} {second} follows {steps} {first}: give them in ascending order, each once")]
    StepsOutOfOrder {
        /// Kind of step that is out of order.
        steps: String,
        /// First number.
        first: u64,
        /// Number that must not follow it.
        second: u64,
    },
    /// Resolution out of range.
    #[error("the resolution of {dpi} dots per inch is out of range: use 36 to 1200")]
    Resolution {
        /// Requested resolution.
        dpi: u32,
    },
    /// The drawing library failed.
    #[error("drawing failed: {0}")]
    Draw(String),
    /// Conversion of a picture to another format failed.
    #[error("conversion to {format} failed: {reason}")]
    Convert {
        /// Requested format.
        format: &'static str,
        /// Reason given by the converter.
        reason: String,
    },
}

/// Returns an error for a number that cannot be shown on an axis, with its description.
pub(crate) fn check_value(value: f64, what: impl FnOnce() -> String) -> Result<(), PlotError> {
    // The upper limit leaves space up to `f64::MAX` for the margin of an axis.
    if (0.0..=1e300).contains(&value) { Ok(()) } else { Err(PlotError::BadValue { what: what(), value }) }
}
