// SPDX-License-Identifier: MIT OR Apache-2.0
//! Empirical distribution function of a histogram.

use super::{Bin, Histogram};

/// Empirical distribution of a histogram, cumulated from below or from above.
#[derive(Debug)]
pub(crate) struct Cumulative {
    histogram: Histogram,
    /// Number of values in the bins before each bin.
    before: Vec<u64>,
    n: f64,
}

impl Cumulative {
    /// Cumulates from below. O(bins).
    pub(crate) fn from_below(histogram: &Histogram) -> Self {
        Cumulative::of(histogram.clone())
    }

    /// Cumulates from above: negates all values and cumulates from below. Bins of negated values would be open above,
    /// so they are shifted slightly.
    pub(crate) fn from_above(histogram: &Histogram) -> Self {
        let mut counts = histogram.counts.clone();
        counts.reverse();
        let (min, max, width) = (-histogram.max, -histogram.min, histogram.width);
        Cumulative::of(Histogram { counts, start: min - super::SHIFT * width, width, min, max })
    }

    fn of(histogram: Histogram) -> Self {
        let mut sum = 0;
        let before = histogram
            .counts
            .iter()
            .map(|count| {
                sum += count;
                sum - count
            })
            .collect();
        Cumulative { histogram, before, n: sum as f64 }
    }

    /// Returns the share of the histogram's values that are at most `value`, with the values of each bin spread evenly
    /// over it. From the smallest of the n values of the histogram on, the share is increased by 1/n, up to 1, so no
    /// observed value has the share 0. O(1). The values of the histogram must not all be equal.
    pub(crate) fn share(&self, value: f64) -> f64 {
        let share = match self.histogram.bin(value, 0.0) {
            Bin::Left => 0.0,
            Bin::Right => 1.0,
            Bin::Inside(bin) => {
                let (lower, upper) = self.histogram.edges(bin);
                let part = (value - lower) / (upper - lower);
                (self.before[bin] as f64 + part * self.histogram.counts[bin] as f64) / self.n
            }
        };
        if value >= self.histogram.min { (share + 1.0 / self.n).min(1.0) } else { share }
    }
}
