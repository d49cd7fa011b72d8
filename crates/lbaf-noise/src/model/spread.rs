// SPDX-License-Identifier: MIT OR Apache-2.0
//! Kept samples and their median absolute deviation.

use crate::median;

/// Samples kept for their median, in any order.
#[derive(Clone, Debug, Default)]
pub(super) struct KeptSamples {
    values: Vec<f64>,
    /// Cached spread, if it was computed since the last sample.
    spread: Option<Spread>,
}

/// Median of samples and their median distance from it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Spread {
    /// Median of the samples.
    pub(super) median: f64,
    /// Median of the distances from the median.
    pub(super) mad: f64,
}

impl KeptSamples {
    /// Adds samples.
    pub(super) fn extend(&mut self, values: &[f64]) {
        self.values.extend_from_slice(values);
        self.spread = None;
    }

    /// Returns the spread of the samples, 0 without samples. O(n) by selection after samples were added, otherwise
    /// O(1).
    pub(super) fn spread(&mut self) -> Spread {
        *self.spread.get_or_insert_with(|| Spread::of(&mut self.values))
    }

    /// Returns the spread of the samples, 0 without samples, but does not cache it.
    pub(super) fn known_spread(&self) -> Spread {
        self.spread.unwrap_or_else(|| Spread::of(&mut self.values.clone()))
    }
}

impl Spread {
    /// Returns the spread of values, 0 without values, and reorders them.
    fn of(values: &mut [f64]) -> Self {
        let median = median::median(values).unwrap_or(0.0);
        let mut distances: Vec<f64> = values.iter().map(|value| (value - median).abs()).collect();
        Spread { median, mad: median::median(&mut distances).unwrap_or(0.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviations_are_from_the_median() {
        let mut samples = KeptSamples::default();
        samples.extend(&[1.0, 2.0, 4.0]);
        let expected = Spread { median: 2.0, mad: 1.0 };
        assert_eq!((samples.known_spread(), samples.spread()), (expected, expected));
        // The distances from 3 are 2, 1, 1, 97.
        samples.extend(&[100.0]);
        let expected = Spread { median: 3.0, mad: 1.5 };
        assert_eq!((samples.known_spread(), samples.spread()), (expected, expected));
    }
}
