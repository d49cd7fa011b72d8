// SPDX-License-Identifier: MIT OR Apache-2.0
//! Histograms with equally wide bins, whose range grows with the data.

mod cumulative;
mod redistribution;
mod width;

pub(crate) use cumulative::Cumulative;
pub use width::BinWidth;

/// Distance of the first edge below the smallest value, in bin widths. Positive because bins are open below.
const SHIFT: f64 = 1e-6;

/// Maximum number of bins of a merged histogram. If the rule for the bin width requires more, the narrower width of the
/// two histograms is kept.
const TOO_MANY_BINS: f64 = 50_000.0;

/// Counts of values in equally wide bins, open below and closed above, as in Chimbuko.
///
/// The first bin begins a millionth of a width below the smallest value, or a whole width if all values are equal; the
/// last one ends at the largest. Memory is one count per bin. Values are finite and of any unit.
///
/// A value of the histogram that rounding moves outside of all bins counts in the nearest bin; Chimbuko aborts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Histogram {
    counts: Vec<u64>,
    start: f64,
    width: f64,
    min: f64,
    max: f64,
}

/// Position of a value in a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bin {
    /// Below all bins.
    Left,
    /// In the bin of this index.
    Inside(usize),
    /// Above all bins.
    Right,
}

impl Histogram {
    /// Builds the histogram of values. Bins are as wide as the rule requires, or narrower because their number is
    /// rounded up. Equal values have one narrow bin. O(n).
    pub fn of(values: &[f64], rule: BinWidth) -> Self {
        let Some(first) = values.first() else { return Histogram::default() };
        let (min, max) =
            values.iter().fold((*first, *first), |(low, high), value| (low.min(*value), high.max(*value)));
        if min == max {
            let width = if max == 0.0 { 1e-12 } else { 1e-12 * max.abs() };
            return Histogram { counts: vec![values.len() as u64], start: max - width, width, min, max };
        }
        let wanted = rule.of_values(values, min, max);
        // The differences of very small numbers can underflow to a width of 0.
        let wanted = if wanted > 0.0 { wanted } else { max - min };
        let mut histogram = Histogram::empty(min - SHIFT * wanted, wanted, [min, max]);
        for value in values {
            let bin = histogram.nearest_bin(*value);
            histogram.counts[bin] += 1;
        }
        histogram
    }

    /// Adds the values of another histogram. The rule gives the new bin width for all values. If this width is not
    /// positive, or would give more than 50,000 bins, the narrower width of the two histograms is kept. Counts stay
    /// integers with the same total. O(bins).
    pub fn merge(&mut self, other: &Histogram, rule: BinWidth) {
        if other.is_empty() {
            return;
        }
        if self.is_empty() {
            self.clone_from(other);
            return;
        }
        let (min, max) = (self.min.min(other.min), self.max.max(other.max));
        let mut width = rule.of_histograms([self, other], min, max);
        if width.is_nan() || width <= 0.0 || ((max - min) / width).ceil() > TOO_MANY_BINS {
            width = self.width.min(other.width);
        }
        let mut start = min - SHIFT * width;
        if start == max {
            start = min - width;
            if start == max {
                width = if min == 0.0 { 1e-6 } else { 1e-6 * min.abs() };
                start = min - width;
            }
        }
        let mut merged = Histogram::empty(start, width, [min, max]);
        redistribution::pour(self, &mut merged);
        redistribution::pour(other, &mut merged);
        *self = merged;
    }

    /// True if there are no values.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Returns the number of values in each bin.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Returns the number of values. O(bins).
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Smallest value; 0 if there are none.
    pub fn min(&self) -> f64 {
        self.min
    }

    /// Largest value; 0 if there are none.
    pub fn max(&self) -> f64 {
        self.max
    }

    /// Lower edge of the first bin; 0 without bins.
    pub fn start(&self) -> f64 {
        self.start
    }

    /// Width of a bin; 0 without bins.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// True if all values are equal.
    pub fn is_point(&self) -> bool {
        self.min == self.max
    }

    /// Returns the bin of a value. A value at most `tolerance` widths outside of all bins counts in the nearest bin.
    /// An empty histogram returns [`Bin::Right`].
    pub fn bin(&self, value: f64, tolerance: f64) -> Bin {
        if self.is_empty() || value > self.max + tolerance * self.width {
            return Bin::Right;
        }
        if value <= self.start - tolerance * self.width {
            return Bin::Left;
        }
        Bin::Inside(self.nearest_bin(value))
    }

    /// Returns the middle of a bin.
    pub fn midpoint(&self, bin: usize) -> f64 {
        self.start + (bin as f64 + 0.5) * self.width
    }

    /// Creates a histogram with empty bins from `start` to the largest value. Bins can be narrower than
    /// `wanted_width`, because their number is rounded up.
    fn empty(start: f64, wanted_width: f64, [min, max]: [f64; 2]) -> Self {
        #[expect(clippy::cast_sign_loss, reason = "the largest value is at or above the first edge")]
        let n_bins = (((max - start) / wanted_width).ceil() as usize).max(1);
        Histogram { counts: vec![0; n_bins], start, width: (max - start) / n_bins as f64, min, max }
    }

    /// Returns the edges of a bin. The upper edge can differ from the next lower edge in the last bit. This
    /// affects the rounding if a redistribution cuts a count into two halves.
    fn edges(&self, bin: usize) -> (f64, f64) {
        let lower = self.start + bin as f64 * self.width;
        let upper = if bin + 1 == self.counts.len() { self.max } else { lower + self.width };
        (lower, upper)
    }

    /// Returns the bin of a value, or the nearest bin. The histogram must have bins.
    fn nearest_bin(&self, value: f64) -> usize {
        let last = self.counts.len() - 1;
        if value <= self.start {
            return 0;
        }
        if value >= self.max {
            return last;
        }
        #[expect(clippy::cast_sign_loss, reason = "the value is above the first edge")]
        let bin = ((value - self.start) / self.width) as usize;
        let is_on_edge = value <= self.start + bin as f64 * self.width;
        bin.saturating_sub(usize::from(is_on_edge)).min(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_are_open_below_and_closed_above() {
        let histogram = Histogram { counts: vec![1; 4], start: 0.0, width: 1.0, min: 0.5, max: 4.0 };
        for (value, bin) in [(1e-9, 0), (1.0, 0), (1.1, 1), (3.0, 2), (3.1, 3), (4.0, 3)] {
            assert_eq!(histogram.bin(value, 0.0), Bin::Inside(bin), "{value}");
        }
        assert_eq!(histogram.bin(0.0, 0.0), Bin::Left);
        assert_eq!(histogram.bin(-0.01, 0.05), Bin::Inside(0));
        assert_eq!(histogram.bin(4.01, 0.0), Bin::Right);
        assert_eq!(histogram.bin(4.01, 0.05), Bin::Inside(3));
    }

    /// The first edge is slightly below 0, so inner edges are slightly below integers.
    #[test]
    fn bins_begin_just_below_the_smallest_value() {
        let histogram = Histogram::of(&[0.0, 1.0, 2.0, 3.0, 4.0], BinWidth::Fixed(4));
        assert_eq!(histogram.counts(), [1, 1, 1, 2]);
        assert_eq!(Histogram::of(&[0.0, 0.9, 4.0], BinWidth::Fixed(1)).counts(), [3]);
    }

    #[test]
    fn equal_values_have_one_bin() {
        for value in [0.0, 5.0, -3.0, 1e300] {
            let histogram = Histogram::of(&[value; 3], BinWidth::Scott);
            assert_eq!((histogram.counts(), histogram.is_point()), (&[3][..], true), "{value}");
            let mut twice = histogram.clone();
            twice.merge(&histogram, BinWidth::Scott);
            assert_eq!((twice.total(), twice.is_point()), (6, true), "{value}");
        }
    }
}
