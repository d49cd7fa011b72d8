// SPDX-License-Identifier: MIT OR Apache-2.0
//! Difference of two histograms.

use serde::Serialize;

use super::rebinning::{Distribution, Grid};
use crate::record::HistogramRecord;

/// Difference of two histograms, on common bins of equal width that cover both ranges. Unless `is_coarsened`, all
/// edges of the finer histogram are edges of the common bins. Bins are open below and closed above. The values of a
/// bin are assumed to be spread evenly over it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HistogramDifference {
    /// Width of a bin in microseconds: that of the finer histogram unless `is_coarsened`. If all values of one
    /// histogram are equal, the width of the other one. If this applies to both, the distance of the two values, or a
    /// small width if they are equal.
    pub width_us: f64,
    /// Number of bins that cover the ranges of both histograms, including empty bins.
    pub bin_count: usize,
    /// True if the width of the finer histogram would give more than [`MOST_BINS`](super::MOST_BINS) bins. The width
    /// of a bin is then an integer multiple of that width.
    pub is_coarsened: bool,
    /// Number of values in the first histogram.
    pub first_total: f64,
    /// Number of values in the second histogram.
    pub second_total: f64,
    /// Total variation distance of both distributions: half the sum, over all bins, of the absolute difference of the
    /// shares of values. 0 if all shares are equal, 1 if no bin has values of both histograms.
    pub total_variation: f64,
    /// Bins with values in at least one histogram, in ascending order.
    pub bins: Vec<BinDifference>,
}

/// Common bin of two histograms. Counts are fractional if bins of a histogram were spread over several common bins.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BinDifference {
    /// Lower edge in microseconds, exclusive.
    pub start_us: f64,
    /// Upper edge in microseconds, inclusive.
    pub end_us: f64,
    /// Number of values of the first histogram.
    pub first_count: f64,
    /// Number of values of the second histogram.
    pub second_count: f64,
    /// Second count minus the first.
    pub difference: f64,
    /// Difference divided by the first count; `None` if that is 0.
    pub relative_difference: Option<f64>,
}

impl HistogramDifference {
    /// Compares two histograms; `None` if one has no values or no valid bins, or they are too far apart for
    /// floating-point numbers.
    pub(super) fn of(first: &HistogramRecord, second: &HistogramRecord) -> Option<Self> {
        let both = [Distribution::of(first)?, Distribution::of(second)?];
        let grid = Grid::of(&both)?;
        let [first, second] = both.each_ref().map(|distribution| grid.rebinned(distribution));
        let [first_total, second_total] = both.map(|distribution| distribution.total());
        let pairs = || first.iter().copied().zip(second.iter().copied());
        let distance: f64 =
            pairs().map(|(one, other)| (one / first_total - other / second_total).abs()).sum();
        let bins = pairs().enumerate().filter(|&(_, (one, other))| one > 0.0 || other > 0.0);
        let bins = bins.map(|(bin, (first_count, second_count))| {
            let [start_us, end_us] = grid.edges(bin);
            let difference = second_count - first_count;
            let relative_difference = (first_count > 0.0).then_some(difference / first_count);
            BinDifference { start_us, end_us, first_count, second_count, difference, relative_difference }
        });
        Some(HistogramDifference {
            width_us: grid.width(),
            bin_count: grid.n_bins(),
            is_coarsened: grid.is_coarsened(),
            first_total,
            second_total,
            // Rounding can make the sum slightly larger than 1.
            total_variation: (distance / 2.0).min(1.0),
            bins: bins.collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn histogram(counts: &[u64], start: f64, width: f64) -> HistogramRecord {
        HistogramRecord::new(counts.to_vec(), start, width, [start, start + counts.len() as f64 * width])
    }

    /// Counts 4 and 6 on (0, 4], (4, 8] against 3, 0, 5 on (6, 8], (8, 10], (10, 12]: the finer width is 2, which
    /// halves each bin of the first histogram. Shares are .2 .2 .3 .3 0 0 and 0 0 0 .375 0 .625.
    #[test]
    fn the_coarser_histogram_is_spread_over_the_bins_of_the_finer_one() {
        let (coarse, fine) = (histogram(&[4, 6], 0.0, 4.0), histogram(&[3, 0, 5], 6.0, 2.0));
        let difference = HistogramDifference::of(&coarse, &fine).unwrap();
        let bin = |start_us: f64, first_count: f64, second_count: f64, relative: Option<f64>| BinDifference {
            start_us,
            end_us: start_us + 2.0,
            first_count,
            second_count,
            difference: second_count - first_count,
            relative_difference: relative,
        };
        let expected = [
            bin(0.0, 2.0, 0.0, Some(-1.0)),
            bin(2.0, 2.0, 0.0, Some(-1.0)),
            bin(4.0, 3.0, 0.0, Some(-1.0)),
            bin(6.0, 3.0, 3.0, Some(0.0)),
            bin(10.0, 0.0, 5.0, None),
        ];
        assert_eq!(difference.bins, expected);
        assert_eq!((difference.width_us, difference.bin_count, difference.is_coarsened), (2.0, 6, false));
        assert_eq!((difference.first_total, difference.second_total), (10.0, 8.0));
        assert!((difference.total_variation - 0.7).abs() < 1e-15, "{difference:?}");
    }

    #[test]
    fn histograms_far_apart_share_nothing() {
        let (near, far) = (histogram(&[1, 2], 0.0, 1.0), histogram(&[7], 1e9, 2.0));
        let difference = HistogramDifference::of(&near, &far).unwrap();
        assert_eq!(difference.total_variation, 1.0);
        assert!(difference.is_coarsened && difference.bin_count <= super::super::MOST_BINS);
        // All values of the near histogram are in the first bin.
        assert_eq!(difference.bins.len(), 2);
        assert_eq!((difference.bins[0].first_count, difference.bins[1].second_count), (3.0, 7.0));
    }

    /// 25 000 bins are merged in threes: 8333 bins with three values, and one with the last value.
    #[test]
    fn a_histogram_of_too_many_bins_does_not_differ_from_itself() {
        let fine = histogram(&vec![1; 25_000], 7.0, 0.1);
        let difference = HistogramDifference::of(&fine, &fine).unwrap();
        assert_eq!((difference.bin_count, difference.is_coarsened), (8334, true));
        assert_eq!(difference.total_variation, 0.0);
        assert!((difference.bins[8333].second_count - 1.0).abs() < 1e-9);
        assert!(difference.bins[..8333].iter().all(|bin| (bin.first_count - 3.0).abs() < 1e-9));
    }

    #[test]
    fn only_proportions_count_for_the_distance() {
        let difference =
            HistogramDifference::of(&histogram(&[1, 3], 0.0, 1.0), &histogram(&[10, 30], 0.0, 1.0)).unwrap();
        assert_eq!(difference.total_variation, 0.0);
        assert_eq!(difference.bins[1].difference, 27.0);
        assert_eq!(difference.bins[1].relative_difference, Some(9.0));
    }

    #[test]
    fn histograms_without_values_are_not_compared() {
        let some = histogram(&[1], 0.0, 1.0);
        for nothing in [histogram(&[], 0.0, 0.0), histogram(&[0, 0], 0.0, 1.0)] {
            assert_eq!(HistogramDifference::of(&some, &nothing), None);
            assert_eq!(HistogramDifference::of(&nothing, &some), None);
        }
    }

    fn any_histogram() -> impl Strategy<Value = HistogramRecord> {
        (prop::collection::vec(0_u64..50, 1..20), -100.0..100.0, 0.01..10.0)
            .prop_filter("no values", |(counts, ..)| counts.iter().any(|&count| count > 0))
            .prop_map(|(counts, start, width)| histogram(&counts, start, width))
    }

    proptest! {
        #[test]
        fn counts_are_conserved(first in any_histogram(), second in any_histogram()) {
            let difference = HistogramDifference::of(&first, &second).unwrap();
            let sums = [
                difference.bins.iter().map(|bin| bin.first_count).sum::<f64>(),
                difference.bins.iter().map(|bin| bin.second_count).sum::<f64>(),
            ];
            for (sum, record) in sums.into_iter().zip([&first, &second]) {
                let total = record.counts.iter().sum::<u64>() as f64;
                prop_assert!((sum - total).abs() <= 1e-9 * total, "{} for {}", sum, total);
            }
            prop_assert!(difference.bins.iter().all(|bin| bin.first_count >= 0.0 && bin.second_count >= 0.0));
            prop_assert!((0.0..=1.0).contains(&difference.total_variation));
        }

        #[test]
        fn the_distance_is_symmetric(first in any_histogram(), second in any_histogram()) {
            let there = HistogramDifference::of(&first, &second).unwrap();
            let back = HistogramDifference::of(&second, &first).unwrap();
            prop_assert_eq!(there.total_variation, back.total_variation);
            prop_assert_eq!(there.bins.len(), back.bins.len());
            prop_assert!(there.bins.iter().zip(&back.bins).all(|(one, other)| one.difference == -other.difference));
        }

        #[test]
        fn a_histogram_does_not_differ_from_itself(one in any_histogram()) {
            let difference = HistogramDifference::of(&one, &one).unwrap();
            prop_assert_eq!(difference.total_variation, 0.0);
            prop_assert!(difference.bins.iter().all(|bin| bin.difference == 0.0));
            let counts: Vec<f64> = difference.bins.iter().map(|bin| bin.first_count).collect();
            let expected: Vec<f64> =
                one.counts.iter().filter(|&&count| count > 0).map(|&count| count as f64).collect();
            prop_assert_eq!(counts, expected);
        }

        #[test]
        fn disjoint_ranges_have_a_distance_of_one(first in any_histogram(), second in any_histogram()) {
            // The gap is wider than any bin, so no bin has values of both histograms.
            let moved = histogram(&second.counts, second.start + 500.0, second.width);
            let difference = HistogramDifference::of(&first, &moved).unwrap();
            prop_assert!((difference.total_variation - 1.0).abs() < 1e-9);
        }
    }
}
