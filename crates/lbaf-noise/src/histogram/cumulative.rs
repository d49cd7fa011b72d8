// SPDX-License-Identifier: MIT OR Apache-2.0
//! How many values are not above another.

use super::{Bin, Histogram};

/// The empirical distribution of a histogram from either end.
#[derive(Debug)]
pub(crate) struct Cumulative {
    histogram: Histogram,
    /// How many values are in the bins before each.
    before: Vec<u64>,
    n: f64,
}

impl Cumulative {
    /// That of values from below. O(bins).
    pub(crate) fn from_below(histogram: &Histogram) -> Self {
        Cumulative::of(histogram.clone())
    }

    /// That of the negated values: from above. Bins are open on the other side then, so they are shifted a little.
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

    /// The share of values that are not above this one, as if they were spread evenly over their bins, and one value more
    /// if it is not below all: nothing that was seen is impossible. O(1). Values are not all equal.
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
