// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bin widths of histograms.

use super::{Histogram, SHIFT};

/// Rule for the width of bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinWidth {
    /// Fixed number of bins, at least one: Chimbuko's rule for HBOS, although its documentation mentions Scott.
    Fixed(usize),
    /// 3.5 standard deviations divided by the cube root of the number of values (Scott 1979, doi
    /// 10.1093/biomet/66.3.605).
    Scott,
}

impl BinWidth {
    /// Returns the width for values that are not all equal.
    pub(super) fn of_values(self, values: &[f64], min: f64, max: f64) -> f64 {
        match self {
            BinWidth::Fixed(n_bins) => fixed(n_bins, min, max),
            BinWidth::Scott => {
                let n = values.len() as f64;
                let mean = values.iter().sum::<f64>() / n;
                let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
                scott(squares / n, n)
            }
        }
    }

    /// Returns the width for the values of two histograms, each at the middle of its bin.
    pub(super) fn of_histograms(self, histograms: [&Histogram; 2], min: f64, max: f64) -> f64 {
        match self {
            BinWidth::Fixed(n_bins) => fixed(n_bins, min, max),
            BinWidth::Scott => {
                let (mut n, mut sum, mut squares) = (0.0, 0.0, 0.0);
                for histogram in histograms {
                    for (bin, count) in histogram.counts().iter().enumerate() {
                        let (count, middle) = (*count as f64, histogram.midpoint(bin));
                        n += count;
                        sum += count * middle;
                        squares += count * middle * middle;
                    }
                }
                let mean = sum / n;
                scott((squares / n - mean * mean).max(0.0), n)
            }
        }
    }
}

/// Returns the width of a fixed number of bins. A thousandth of a bin stays free, so rounding never creates an extra
/// bin.
fn fixed(n_bins: usize, min: f64, max: f64) -> f64 {
    (max - min) / (n_bins.max(1) as f64 - SHIFT - 0.001)
}

fn scott(variance: f64, n: f64) -> f64 {
    3.5 * variance.sqrt() / libm::pow(n, 1.0 / 3.0)
}
