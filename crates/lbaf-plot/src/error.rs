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
    #[error("{chart} has no {item}: give at least one")]
    Empty {
        /// Name of the chart.
        chart: &'static str,
        /// What is missing.
        item: &'static str,
    },
    /// A number that has no place on an axis.
    #[error("{what} is {value}: charts take finite numbers from 0 to 1e300")]
    BadValue {
        /// Which number it is.
        what: String,
        /// The number.
        value: f64,
    },
    /// Series over ranks that are not the same ranks.
    #[error("{before} ranks before but {after} after: give both for the same ranks")]
    DifferentRanks {
        /// Number of ranks before.
        before: usize,
        /// Number of ranks after.
        after: usize,
    },
    /// Phases out of order, or one phase twice.
    #[error("phase {second} follows phase {first}: give phases in ascending order, each once")]
    PhasesOutOfOrder {
        /// The phase that came first.
        first: u64,
        /// The phase that should not have followed it.
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

/// Refuses loads that are missing, out of range, or not for the same ranks before and after.
pub(crate) fn check_loads(chart: &'static str, before: &[f64], after: &[f64]) -> Result<(), PlotError> {
    if before.len() != after.len() {
        return Err(PlotError::DifferentRanks { before: before.len(), after: after.len() });
    }
    if before.is_empty() {
        return Err(PlotError::Empty { chart, item: "ranks" });
    }
    for (time, loads) in [("before", before), ("after", after)] {
        for (rank, &load) in loads.iter().enumerate() {
            check_value(load, || format!("the value {time} of rank {rank}"))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_rank_of_a_bad_value() {
        let error = check_loads("rank_loads", &[1.0, 2.0], &[1.0, f64::NAN]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the value after of rank 1 is NaN: charts take finite numbers from 0 to 1e300"
        );
    }

    #[test]
    fn refuses_negative_infinite_and_missing_loads() {
        for bad in [-1.0, f64::INFINITY, f64::NEG_INFINITY, 1e301] {
            assert!(matches!(check_loads("c", &[bad], &[0.0]), Err(PlotError::BadValue { .. })), "{bad}");
        }
        assert!(matches!(check_loads("c", &[], &[]), Err(PlotError::Empty { .. })));
        assert!(matches!(
            check_loads("c", &[1.0], &[]),
            Err(PlotError::DifferentRanks { before: 1, after: 0 })
        ));
        check_loads("c", &[0.0, 1e300], &[0.0, 1e-300]).unwrap();
    }
}
