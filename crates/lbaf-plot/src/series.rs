// SPDX-License-Identifier: MIT OR Apache-2.0
//! Series of a chart: states before and after a strategy, or results of several runs.

use crate::PlotError;
use crate::error::check_value;
use crate::palette::{AFTER, BEFORE, Look, MOST_RUNS, run};

/// Series of a chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Series<T> {
    /// Name in the legend.
    pub name: String,
    /// State or run that determines the look.
    pub state: State,
    /// Data.
    pub values: T,
}

/// State or run that a series shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Data before a strategy.
    Before,
    /// Result of a strategy.
    After,
    /// Result of the run with this number in a comparison, from 0.
    Run(usize),
}

impl<T> Series<T> {
    /// Creates the state before a strategy, named `before`.
    pub fn before(values: T) -> Self {
        Self { name: "before".to_owned(), state: State::Before, values }
    }

    /// Creates the state after a strategy, named `after`.
    pub fn after(values: T) -> Self {
        Self { name: "after".to_owned(), state: State::After, values }
    }
}

impl State {
    /// Number of runs with different colours. Further runs have the same colours with narrower lines and other markers.
    pub const N_LOOKS: usize = MOST_RUNS;

    pub(crate) fn look(self) -> Look {
        match self {
            Self::Before => BEFORE,
            Self::After => AFTER,
            Self::Run(number) => run(number),
        }
    }
}

/// Checks that there are values, that each series has the same number of them, and that they are in range. `items`
/// names the values in messages, for example `ranks`.
pub(crate) fn check_series(series: &[Series<Vec<f64>>], items: &str) -> Result<(), PlotError> {
    let first = series.first().map_or(0, |series| series.values.len());
    if first == 0 {
        return Err(PlotError::Empty { item: items.to_owned() });
    }
    for Series { name, values, .. } in series {
        if values.len() != first {
            return Err(PlotError::DifferentRanks { first, second: values.len() });
        }
        for (number, &value) in values.iter().enumerate() {
            check_value(value, || format!("value {number} in the series \u{201c}{name}\u{201d} of {items}"))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &[f64], after: &[f64]) -> Result<(), PlotError> {
        check_series(&[Series::before(before.to_vec()), Series::after(after.to_vec())], "ranks")
    }

    #[test]
    fn names_the_rank_of_a_bad_value() {
        let error = check(&[1.0, 2.0], &[1.0, f64::NAN]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "value 1 in the series \u{201c}after\u{201d} of ranks is NaN: charts take finite numbers from 0 to 1e300"
        );
    }

    #[test]
    fn refuses_negative_infinite_and_missing_values() {
        for bad in [-1.0, f64::INFINITY, f64::NEG_INFINITY, 1e301] {
            assert!(matches!(check(&[bad], &[0.0]), Err(PlotError::BadValue { .. })), "{bad}");
        }
        assert!(matches!(check(&[], &[]), Err(PlotError::Empty { .. })));
        assert!(matches!(check_series(&[], "ranks"), Err(PlotError::Empty { .. })));
        assert!(matches!(check(&[1.0], &[]), Err(PlotError::DifferentRanks { first: 1, second: 0 })));
        check(&[0.0, 1e300], &[0.0, 1e-300]).unwrap();
    }
}
