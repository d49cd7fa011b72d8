// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bins of a histogram, common to all series.

use std::ops::Range;

use crate::step::Step;

/// Equal bins with round edges. A bin includes its lower edge and excludes its upper edge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bins {
    step: Step,
    /// Numbers of the bins; bin zero begins at zero.
    numbers: Range<i64>,
}

/// Minimum number of bins to aim for; fewer show no shape.
const FEWEST: usize = 10;

/// Minimum number of bins on the axis, some of which may be empty.
const SHOWN: usize = 5;

impl Bins {
    /// Creates bins for finite, non-negative values.
    ///
    /// Aims for the square root of the number of values, from [`FEWEST`] to `at_most` bins. Because edges are round,
    /// the result can be one bin more, or fewer bins. A bin is at least as wide as a thousandth of the largest value,
    /// because labels cannot distinguish narrower ones.
    pub(crate) fn over(values: &[f64], at_most: usize) -> Self {
        let largest = values.iter().copied().fold(0.0, f64::max);
        let smallest = values.iter().copied().fold(largest, f64::min);
        // Smaller than any measurement, and too small for edges in floating-point numbers.
        if largest < 1e-290 {
            return Self { step: Step::below(0.1, false), numbers: 0..1 };
        }

        let wanted = values.len().isqrt().clamp(FEWEST, at_most);
        let narrowest = ((largest - smallest) / wanted as f64).max(largest / 1000.0);
        let numbers = |step: Step| step.multiple_below(smallest)..step.multiple_below(largest) + 1;
        let mut step = Step::below(narrowest, false);
        // With round edges, the first and last bin may extend beyond the data, so one more is accepted.
        while step.at(1) < narrowest || length(&numbers(step)) > wanted + 1 {
            step = step.next();
        }
        Self { step, numbers: numbers(step) }
    }

    /// Returns the lower edges of all bins, followed by the upper edge of the last one.
    pub(crate) fn edges(&self) -> Vec<f64> {
        (self.numbers.start..=self.numbers.end).map(|number| self.step.at(number)).collect()
    }

    /// Returns the number of values in each bin.
    pub(crate) fn counts(&self, values: &[f64]) -> Vec<u32> {
        let mut counts = vec![0; length(&self.numbers)];
        for &value in values {
            let bin = usize::try_from(self.step.multiple_below(value) - self.numbers.start);
            counts[bin.expect("invariant: the bins were made over these values")] += 1;
        }
        counts
    }

    /// Returns the range of the axis: all bins and, if there are fewer than [`SHOWN`], empty bins beside them.
    pub(crate) fn range(&self) -> Range<f64> {
        let Range { start: mut first, mut end } = self.numbers;
        while length(&(first..end)) < SHOWN {
            end += 1;
            first = (first - 1).max(0);
        }
        self.step.at(first)..self.step.at(end)
    }

    /// Returns the outlines of a histogram, one for each run of non-empty bins. Each outline begins and ends at zero.
    pub(crate) fn outlines(&self, counts: &[u32]) -> Vec<Vec<(f64, f64)>> {
        let bins: Vec<(i64, u32)> = self.numbers.clone().zip(counts.iter().copied()).collect();
        let runs = bins.split(|&(_, count)| count == 0).filter(|run| !run.is_empty());
        runs.map(|run| self.outline(run)).collect()
    }

    fn outline(&self, run: &[(i64, u32)]) -> Vec<(f64, f64)> {
        let sides = |&(number, count): &(i64, u32)| {
            [number, number + 1].map(|edge| (self.step.at(edge), f64::from(count)))
        };
        let top: Vec<(f64, f64)> = run.iter().flat_map(sides).collect();
        let feet = [top.first(), top.last()].map(|corner| corner.map(|&(x, _)| (x, 0.0)));
        feet[0].into_iter().chain(top).chain(feet[1]).collect()
    }
}

fn length(numbers: &Range<i64>) -> usize {
    usize::try_from(numbers.end - numbers.start)
        .expect("invariant: bins go from the smallest value to the largest")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_agree_with_a_count_by_hand() {
        // Aim for 10 bins over 0..=20: width 2. The value 20 is in the eleventh bin.
        let values = [0.0, 1.0, 2.0, 2.5, 3.9, 4.0, 9.9, 10.0, 20.0];
        let bins = Bins::over(&values, 50);
        assert_eq!(bins.counts(&values), [2, 3, 1, 0, 1, 1, 0, 0, 0, 0, 1]);
        assert_eq!(bins.range(), 0.0..22.0);
    }

    #[test]
    fn puts_a_value_on_an_edge_into_the_upper_bin() {
        let values = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
        let bins = Bins::over(&values, 50);
        assert_eq!(bins.counts(&values), [1; 9]);
        assert_eq!(bins.range(), 0.1..1.0);
    }

    #[test]
    fn counts_every_value_once() {
        let values: Vec<f64> =
            (0..4096_u32).map(|i| f64::from(i.wrapping_mul(2_654_435_761) >> 12)).collect();
        let bins = Bins::over(&values, 50);
        let counts = bins.counts(&values);
        assert_eq!(counts.iter().sum::<u32>(), 4096);
        assert!((20..=51).contains(&counts.len()), "{}", counts.len());
    }

    #[test]
    fn shows_empty_bins_beside_a_single_one() {
        let equal = Bins::over(&[7.0; 12], 50);
        assert_eq!(equal.counts(&[7.0; 12]), [12]);
        let range = equal.range();
        assert!(range.start < 7.0 && 7.0 < range.end, "{range:?}");
        assert_eq!(Bins::over(&[0.0; 3], 50).range(), 0.0..0.5);
    }

    #[test]
    fn holds_one_huge_value_among_zeros() {
        let mut values = vec![0.0; 99];
        values.push(1e12);
        let bins = Bins::over(&values, 50);
        let counts = bins.counts(&values);
        assert_eq!((counts[0], counts[counts.len() - 1]), (99, 1));
        assert!(counts.len() <= 11);
    }

    #[test]
    fn outlines_leave_out_empty_bins() {
        let values = [0.0, 1.0, 2.0, 2.5, 3.9, 4.0, 9.9, 10.0, 20.0];
        let bins = Bins::over(&values, 50);
        let outlines = bins.outlines(&bins.counts(&values));
        assert_eq!(outlines.len(), 3);
        let second = [(8.0, 0.0), (8.0, 1.0), (10.0, 1.0), (10.0, 1.0), (12.0, 1.0), (12.0, 0.0)];
        assert_eq!(outlines[1], second);
    }
}
