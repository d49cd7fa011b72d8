// SPDX-License-Identifier: MIT OR Apache-2.0
//! Redistribution of the counts of one histogram over the bins of another.

use super::Histogram;

/// Remainder of the bin whose counts are being redistributed: `(lower, upper]` and its count.
struct Rest {
    lower: f64,
    upper: f64,
    count: u64,
}

/// Adds all counts of a histogram to the bins of another, which must cover its range. Values are spread evenly over
/// their bin, but counts stay integers. If a new edge cuts an old bin, the counts of both parts are rounded. The larger
/// part, or the left one in a tie, absorbs the rounding error. A histogram whose values are all equal is added to the
/// one bin that contains this value. O(bins of both).
///
/// Values that rounding leaves below the first new edge go to the first bin, and values above the last edge to the last
/// bin. Chimbuko would lose both.
pub(super) fn pour(from: &Histogram, into: &mut Histogram) {
    if from.is_point() {
        let bin = bin_around(into, from.max);
        into.counts[bin] += from.total();
        return;
    }
    let last = into.counts.len() - 1;
    let mut olds = 0..from.counts.len();
    let mut rest = Rest { lower: from.start, upper: from.start, count: 0 };
    for new in 0..last {
        let (_, edge) = into.edges(new);
        // Entire old bins up to the edge.
        while rest.upper <= edge {
            into.counts[new] += rest.count;
            rest.count = 0;
            let Some(old) = olds.next() else { return };
            // Each old bin begins at the end of the previous one.
            rest = Rest { lower: rest.upper, upper: from.edges(old).1, count: from.counts[old] };
        }
        if rest.lower < edge {
            into.counts[new] += rest.cut(edge);
        }
    }
    into.counts[last] += rest.count + olds.map(|old| from.counts[old]).sum::<u64>();
}

impl Rest {
    /// Removes the values below an edge inside the remainder, and returns their number.
    fn cut(&mut self, edge: f64) -> u64 {
        let count = self.count as f64;
        let share = (edge - self.lower) / (self.upper - self.lower);
        let (left, right) = ((share * count + 0.5).floor(), ((1.0 - share) * count + 0.5).floor());
        let debt = count - left - right;
        let left = if 1.0 - share > share { left } else { left + debt };
        // A count below 2^53 is exact: the conversion loses no value.
        #[expect(clippy::cast_sign_loss, reason = "a part of a count")]
        let left = (left as u64).min(self.count);
        self.count -= left;
        self.lower = edge;
        left
    }
}

/// Returns the bin of a value, according to the edges at which [`pour`] cuts bins.
fn bin_around(histogram: &Histogram, value: f64) -> usize {
    let (mut low, mut high) = (0, histogram.counts.len() - 1);
    while low < high {
        let middle = low.midpoint(high);
        if value <= histogram.edges(middle).1 {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Redistributes counts over `n_bins` bins of the same range, which begins at 0.
    fn cut(counts: &[u64], n_bins: usize) -> Vec<u64> {
        let max = 12.0;
        let width = |n: usize| max / n as f64;
        let from =
            Histogram { counts: counts.to_vec(), start: 0.0, width: width(counts.len()), min: 0.0, max };
        let mut into = Histogram { counts: vec![0; n_bins], width: width(n_bins), ..from.clone() };
        pour(&from, &mut into);
        into.counts
    }

    /// A count of 3 is cut into halves of 1.5, both rounded up to 2. Neither is larger, so the left one is reduced
    /// to 1. Likewise, a count of 1 is cut into 0 and 1.
    #[test]
    fn halves_go_to_the_right() {
        assert_eq!(cut(&[3, 1], 4), [1, 2, 0, 1]);
    }

    /// A third of 8 is 2.7, rounded to 3. Half of the remaining 5 is 2.5: both halves are rounded up to 3, and the
    /// left one is reduced to 2.
    #[test]
    fn bins_are_cut_from_the_left() {
        assert_eq!(cut(&[8], 3), [3, 2, 3]);
        assert_eq!(cut(&[2, 4, 6], 2), [4, 8]);
    }

    #[test]
    fn equal_values_stay_in_their_bin() {
        let from = Histogram { counts: vec![7], start: 4.9, width: 0.1, min: 5.0, max: 5.0 };
        for (min, expected) in [(4.0, [0, 7, 0, 0]), (5.0, [7, 0, 0, 0]), (1.0, [0, 0, 0, 7])] {
            let mut into =
                Histogram { counts: vec![0; 4], start: min - 1.0, width: 1.0, min, max: min + 3.0 };
            into.start = min - 0.5;
            pour(&from, &mut into);
            assert_eq!(into.counts, expected, "from {min}");
        }
    }
}
