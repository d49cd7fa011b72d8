// SPDX-License-Identifier: MIT OR Apache-2.0
//! Samples that are kept, and where the middle of them is.

use crate::median;

/// Samples that are kept for their median, in any order.
#[derive(Clone, Debug, Default)]
pub(super) struct KeptSamples {
    values: Vec<f64>,
    /// If it was asked for since the last sample.
    spread: Option<Spread>,
}

/// Where the middle of samples is, and how far they are from it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Spread {
    /// The middle one.
    pub(super) median: f64,
    /// The median of the distances from it.
    pub(super) mad: f64,
}

impl KeptSamples {
    /// Adds samples.
    pub(super) fn extend(&mut self, values: &[f64]) {
        self.values.extend_from_slice(values);
        self.spread = None;
    }

    /// Their median and its deviation. O(n) by selection after samples were added, else O(1). There are samples.
    pub(super) fn spread(&mut self) -> Spread {
        *self.spread.get_or_insert_with(|| Spread::of(&mut self.values))
    }

    /// The same where nothing may change, of none as well.
    pub(super) fn known_spread(&self) -> Spread {
        self.spread.unwrap_or_else(|| Spread::of(&mut self.values.clone()))
    }
}

impl Spread {
    /// That of values, whose order changes; 0 of none.
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
