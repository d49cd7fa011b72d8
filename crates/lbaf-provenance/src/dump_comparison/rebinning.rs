// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rebinning of two histograms to common bins.

use crate::record::HistogramRecord;

/// Maximum number of common bins for the comparison of two histograms. Bins are widened to keep within it.
pub const MOST_BINS: usize = 10_000;

/// Maximum distance, in bins, of edges that count as equal: they differ only by rounding.
const SAME_EDGE: f64 = 1e-9;

/// Largest width of a bin whose values are all equal, as a fraction of this value; for values below a microsecond, as a
/// fraction of a microsecond.
const NARROW: f64 = 1e-9;

/// Histogram with valid bins.
pub(super) enum Distribution<'a> {
    /// Bins of equal positive width. `start` is the lower edge of the first bin.
    Bins { counts: &'a [u64], start: f64, width: f64 },
    /// Equal values, which Chimbuko writes as one very narrow bin.
    Point { count: f64, at: f64 },
}

/// Equally wide bins, open below and closed above.
pub(super) struct Grid {
    /// Lower edge of the first bin.
    start: f64,
    n_bins: usize,
    /// An edge of the finer histogram. Positions count bins of the finer histogram from this edge, so all edges of that
    /// histogram have integer positions.
    anchor: f64,
    /// Bin width of the finer histogram.
    unit: f64,
    /// Position of the lower edge of the first bin.
    origin: f64,
    /// Number of bins of the finer histogram in each bin.
    n_units: f64,
}

impl<'a> Distribution<'a> {
    /// Validates a histogram; `None` if it has no values, or their positions are unknown.
    pub(super) fn of(histogram: &'a HistogramRecord) -> Option<Self> {
        let HistogramRecord { counts, width, start, max, min, .. } = histogram;
        let (n_bins, total) = (counts.len() as f64, counts.iter().map(|&count| count as f64).sum());
        let n_occupied = counts.iter().filter(|&&count| count > 0).count();
        if n_occupied == 0 || !start.is_finite() || !max.is_finite() {
            return None;
        }
        // A histogram without a valid width may still have a range.
        let width = if width.is_finite() && *width > 0.0 { *width } else { (max - start) / n_bins };
        let is_narrow = width <= NARROW * max.abs().max(1.0);
        if n_occupied == 1 && (min == max || counts.len() == 1 && (0.0..).contains(&width) && is_narrow) {
            return Some(Distribution::Point { count: total, at: *max });
        }
        let is_sensible = width > 0.0 && (start + n_bins * width).is_finite() && start + width > *start;
        is_sensible.then_some(Distribution::Bins { counts, start: *start, width })
    }

    /// Number of values.
    pub(super) fn total(&self) -> f64 {
        match self {
            Distribution::Bins { counts, .. } => counts.iter().map(|&count| count as f64).sum(),
            Distribution::Point { count, .. } => *count,
        }
    }
}

impl Grid {
    /// Returns bins that cover both histograms. They are as wide as the bins of the finer histogram, or wider to keep
    /// within [`MOST_BINS`]. `None` if the histograms are too far apart for floating-point numbers.
    pub(super) fn of(both: &[Distribution; 2]) -> Option<Self> {
        let (anchor, unit) = finer(both);
        let (mut first, mut last) = (0.0_f64, 0.0_f64);
        for distribution in both {
            let [below, above] = match *distribution {
                Distribution::Bins { counts, start, width } => {
                    let start = (start - anchor) / unit;
                    [start, start + counts.len() as f64 * (width / unit)]
                }
                // Bins are closed above: a point on an edge lies in the bin below.
                Distribution::Point { at, .. } => {
                    let at = snapped((at - anchor) / unit).ceil();
                    [at - 1.0, at]
                }
            };
            first = first.min(snapped(below).floor());
            last = last.max(snapped(above).ceil());
        }
        let n_fine = last - first;
        if !n_fine.is_finite() {
            return None;
        }
        let n_units = (n_fine / MOST_BINS as f64).ceil().max(1.0);
        // Rounding must not add another bin.
        let n_bins = (n_fine / n_units).ceil().min(MOST_BINS as f64);
        let start = anchor + first * unit;
        let is_sensible = start.is_finite() && (start + n_bins * n_units * unit).is_finite();
        #[expect(clippy::cast_sign_loss, reason = "the number of bins is not negative")]
        is_sensible.then_some(Grid { start, unit, n_units, n_bins: n_bins as usize, origin: first, anchor })
    }

    pub(super) fn n_bins(&self) -> usize {
        self.n_bins
    }

    pub(super) fn width(&self) -> f64 {
        self.n_units * self.unit
    }

    pub(super) fn is_coarsened(&self) -> bool {
        self.n_units > 1.0
    }

    /// Returns the lower and upper edge of a bin.
    pub(super) fn edges(&self, bin: usize) -> [f64; 2] {
        [bin, bin + 1].map(|edge| self.start + edge as f64 * self.width())
    }

    /// Returns the counts on these bins. Each original bin is spread evenly over its range.
    pub(super) fn rebinned(&self, distribution: &Distribution) -> Vec<f64> {
        let mut rebinned = vec![0.0; self.n_bins];
        let place = |fine: f64| snapped((fine - self.origin) / self.n_units);
        match *distribution {
            Distribution::Bins { counts, start, width } => {
                // In units of the finer bins, in which the edges of the finer histogram are exact integers.
                let (start, width) = ((start - self.anchor) / self.unit, width / self.unit);
                for (bin, &count) in counts.iter().enumerate().filter(|&(_, &count)| count > 0) {
                    let edges = [bin, bin + 1].map(|edge| place(start + edge as f64 * width));
                    spread(&mut rebinned, count as f64, edges);
                }
            }
            Distribution::Point { count, at } => {
                let at = place((at - self.anchor) / self.unit);
                spread(&mut rebinned, count, [at, at]);
            }
        }
        rebinned
    }
}

/// Returns the start and the bin width of the finer histogram. A histogram with a single value never counts as the
/// finer one. For two single values, returns the smaller one and their distance, or a small width if they are equal.
fn finer(both: &[Distribution; 2]) -> (f64, f64) {
    use Distribution::{Bins, Point};
    match *both {
        [Bins { start, width, .. }, Bins { start: other_start, width: other_width, .. }] => {
            // Ties: the lower start, independent of the order of the runs.
            let is_other = other_width.total_cmp(&width).then(other_start.total_cmp(&start)).is_lt();
            if is_other { (other_start, other_width) } else { (start, width) }
        }
        [Bins { start, width, .. }, Point { .. }] | [Point { .. }, Bins { start, width, .. }] => {
            (start, width)
        }
        [Point { at, .. }, Point { at: other, .. }] => {
            let distance = (at - other).abs();
            // For equal values, any width that is resolvable at this magnitude.
            let width = if distance > 0.0 { distance } else { NARROW * at.abs().max(1.0) };
            (at.min(other), width)
        }
    }
}

/// Rounds a position to the nearest edge if it is at most [`SAME_EDGE`] away.
fn snapped(place: f64) -> f64 {
    let edge = place.round();
    if (place - edge).abs() <= SAME_EDGE { edge } else { place }
}

/// Spreads a count evenly over the bins between two positions, given in bins. If both positions are in the same bin,
/// this bin gets the whole count.
#[expect(clippy::cast_sign_loss, reason = "positions are clamped to the existing bins")]
fn spread(bins: &mut [f64], count: f64, [from, to]: [f64; 2]) {
    let last_bin = bins.len().saturating_sub(1);
    // A position on an edge belongs to the bin below as upper end, to the bin above as lower end.
    let first = from.floor().clamp(0.0, last_bin as f64) as usize;
    let last = (to.ceil() - 1.0).clamp(0.0, last_bin as f64) as usize;
    if last <= first {
        bins[last] += count;
        return;
    }
    for (bin, value) in bins.iter_mut().enumerate().take(last + 1).skip(first) {
        let overlap = to.min((bin + 1) as f64) - from.max(bin as f64);
        *value += count * (overlap / (to - from));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(counts: &[u64], start: f64, width: f64, range: [f64; 2]) -> HistogramRecord {
        HistogramRecord::new(counts.to_vec(), start, width, range)
    }

    /// Returns the width of the bins and both rebinned histograms.
    fn rebinned(first: &HistogramRecord, second: &HistogramRecord) -> (f64, [Vec<f64>; 2]) {
        let both = [first, second].map(|record| Distribution::of(record).unwrap());
        let grid = Grid::of(&both).unwrap();
        (grid.width(), both.each_ref().map(|distribution| grid.rebinned(distribution)))
    }

    #[test]
    fn counts_are_spread_over_overlapping_bins() {
        let after = |from: f64, to: f64| {
            let mut bins = vec![0.0; 4];
            spread(&mut bins, 8.0, [from, to]);
            bins
        };
        assert_eq!(after(0.0, 4.0), [2.0, 2.0, 2.0, 2.0]);
        assert_eq!(after(0.5, 2.5), [2.0, 4.0, 2.0, 0.0]);
        assert_eq!(after(1.25, 1.5), [0.0, 8.0, 0.0, 0.0]);
        // Closed above: a value on an edge is in the bin below.
        assert_eq!(after(2.0, 2.0), [0.0, 8.0, 0.0, 0.0]);
        assert_eq!(after(0.0, 0.0), [8.0, 0.0, 0.0, 0.0]);
        assert_eq!(after(2.5, 2.5), [0.0, 0.0, 8.0, 0.0]);
        assert_eq!(after(9.0, 9.0), [0.0, 0.0, 0.0, 8.0], "no count is lost");
    }

    #[test]
    fn edges_of_the_finer_histogram_are_kept() {
        // (0, 1] .. (2, 3] against (-1.5, 0.5], (0.5, 2.5]: bins from -2 to 3. 4 over a width of 2 are 2 per bin.
        let fine = record(&[5, 0, 6], 0.0, 1.0, [0.0, 3.0]);
        let coarse = record(&[4, 4], -1.5, 2.0, [-1.5, 2.5]);
        let (width, [first, second]) = rebinned(&fine, &coarse);
        assert_eq!(width, 1.0);
        assert_eq!(first, [0.0, 0.0, 5.0, 0.0, 6.0]);
        assert_eq!(second, [1.0, 2.0, 2.0, 2.0, 1.0]);
    }

    /// (0, 2] and (1.5, 3.5]: bins are (0, 2] and (2, 4]. The first bin has a quarter of the second histogram.
    #[test]
    fn equally_fine_histograms_use_the_edges_of_the_lower_one() {
        let (low, high) = (record(&[8], 0.0, 2.0, [0.5, 2.0]), record(&[8], 1.5, 2.0, [1.7, 3.5]));
        assert_eq!(rebinned(&low, &high).1, [vec![8.0, 0.0], vec![2.0, 6.0]]);
        assert_eq!(rebinned(&high, &low).1, [vec![2.0, 6.0], vec![8.0, 0.0]]);
    }

    #[test]
    fn widths_that_differ_by_rounding_are_equal() {
        let (a, b) = (0.1 + 0.2, 0.3);
        let (_, [first, second]) =
            rebinned(&record(&[1, 2, 3], 0.1, a, [0.1, 1.0]), &record(&[4, 5], 0.1 + 0.3, b, [0.4, 1.0]));
        assert_eq!(first, [1.0, 2.0, 3.0]);
        assert_eq!(second, [0.0, 4.0, 5.0]);
    }

    /// All values are 40. The first of Chimbuko's two formats states the smallest value; in the second, the lower edge
    /// of the bin takes its place.
    #[test]
    fn a_single_value_takes_the_bins_of_the_other_histogram() {
        let delta = 40e-12;
        let broad = record(&[1, 1, 1], 20.0, 10.0, [20.0, 50.0]);
        for min in [40.0, 40.0 - delta] {
            let point = record(&[9], 40.0 - delta, delta, [min, 40.0]);
            let (width, [first, second]) = rebinned(&point, &broad);
            assert_eq!(width, 10.0);
            // 40 is the upper edge of the second bin.
            assert_eq!((first, second), (vec![0.0, 9.0, 0.0], vec![1.0, 1.0, 1.0]));
        }
        let below = record(&[9], 20.0 - 20e-12, 20e-12, [20.0, 20.0]);
        let (_, [first, second]) = rebinned(&below, &broad);
        assert_eq!((first, second), (vec![9.0, 0.0, 0.0, 0.0], vec![0.0, 1.0, 1.0, 1.0]));
        let above = record(&[9], 71.0, 71e-12, [71.0, 71.0]);
        assert_eq!(rebinned(&broad, &above).1[1], [0.0, 0.0, 0.0, 0.0, 0.0, 9.0]);
    }

    #[test]
    fn two_equal_single_values_share_a_bin() {
        let point = |at: f64, count: u64| record(&[count], at - 1e-12, 1e-12, [at, at]);
        for at in [0.0, 40.0, -40.0, 1e15] {
            assert_eq!(rebinned(&point(at, 3), &point(at, 4)).1, [vec![3.0], vec![4.0]], "{at}");
        }
        let (width, counts) = rebinned(&point(50.0, 4), &point(40.0, 3));
        assert_eq!((width, counts), (10.0, [vec![0.0, 4.0], vec![3.0, 0.0]]));
    }

    #[test]
    fn too_many_bins_become_wider() {
        // 25 000 bins of width 1 exceed the maximum, so every three of them are merged.
        let (fine, far) =
            (record(&[3, 6, 9, 1], 0.0, 1.0, [0.0, 4.0]), record(&[2], 24_990.0, 10.0, [24_995.0, 25_000.0]));
        let both = [&fine, &far].map(|record| Distribution::of(record).unwrap());
        let grid = Grid::of(&both).unwrap();
        assert_eq!((grid.width(), grid.n_bins(), grid.is_coarsened()), (3.0, 8334, true));
        assert_eq!(grid.edges(1), [3.0, 6.0]);
        assert_eq!(grid.rebinned(&both[0])[..3], [18.0, 1.0, 0.0]);
        assert!((grid.rebinned(&both[1]).iter().sum::<f64>() - 2.0).abs() < 1e-12);
    }

    #[test]
    fn invalid_histograms_neither_hang_nor_panic() {
        let (nan, inf) = (f64::NAN, f64::INFINITY);
        let refused = [
            record(&[1, 2], 5.0, 0.0, [5.0, 5.0]),
            record(&[1, 2], 5.0, -1.0, [0.0, 1.0]),
            record(&[1], nan, 1.0, [0.0, 1.0]),
            record(&[1], 0.0, 1.0, [0.0, inf]),
            record(&[1, 2], 1e300, 1.0, [1e300, 1e300]),
            record(&[1, 2], 1e308, 1e308, [1e308, 1.5e308]),
            record(&[], 0.0, 0.0, [0.0, 0.0]),
        ];
        for histogram in &refused {
            assert!(Distribution::of(histogram).is_none(), "{histogram:?}");
        }
        // A width of zero is replaced by one derived from the range.
        let mended = record(&[1, 2], 0.0, 0.0, [0.0, 4.0]);
        assert!(matches!(Distribution::of(&mended), Some(Distribution::Bins { width: 2.0, .. })));
        // A contradiction: several occupied bins cannot hold a single value.
        let several = record(&[1, 2], 0.0, 2.0, [4.0, 4.0]);
        assert!(matches!(Distribution::of(&several), Some(Distribution::Bins { .. })));
        let extremes =
            [record(&[1, 1], 0.0, 1e-300, [0.0, 2e-300]), record(&[1, 1], -1e307, 1e307, [-1e307, 1e307])];
        let both = extremes.each_ref().map(|record| Distribution::of(record).unwrap());
        assert!(Grid::of(&both).is_none(), "too many bins for a number");
        let vast = record(&[u64::MAX, 1], 0.0, 1e-9, [0.0, 1.0]);
        let (_, [first, second]) = rebinned(&vast, &record(&[1, 2], 0.0, 1e15, [0.0, 2e15]));
        assert!(first.len() <= MOST_BINS && second.len() == first.len());
    }
}
