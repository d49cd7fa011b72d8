// SPDX-License-Identifier: MIT OR Apache-2.0
//! Outliers by their distance from the median or mean.

use super::spread::Spread;
use crate::{Judgement, Label, Mad, RunStats, Sstd};

/// Standard deviation of normally distributed samples, in median absolute deviations.
const CONSISTENCY: f64 = 1.4826;

/// Least robust standard deviation as a fraction of the median: clocks have a limited precision, and tasks of a few
/// microseconds have jitter.
const FLOOR: f64 = 1e-3;

/// Judges samples by their distance from the median of all samples.
pub(super) fn from_median(parameters: Mad, spread: Spread, values: &[f64], out: &mut Vec<Judgement>) {
    let Spread { median, mad } = spread;
    let scale = (CONSISTENCY * mad).max(FLOOR * median.abs());
    out.extend(values.iter().map(|value| {
        // Objects with a median of 0 are mostly idle and work on purpose at times: they have no outliers.
        let score = if median == 0.0 { 0.0 } else { (value - median).abs() / scale };
        let label = if score > parameters.threshold { Label::Outlier } else { Label::Normal };
        Judgement { score, label }
    }));
}

/// Judges samples by their distance from the mean of all samples. With fewer than two learnt samples, they stay
/// unlabelled.
pub(super) fn from_mean(parameters: Sstd, stats: &RunStats, values: &[f64], out: &mut Vec<Judgement>) {
    if stats.count() < 2 {
        out.resize(values.len(), Judgement::UNLABELLED);
        return;
    }
    let (mean, stddev) = (stats.mean(), stats.stddev());
    let (low, high) = (mean - parameters.sigma * stddev, mean + parameters.sigma * stddev);
    // Chimbuko's divisor, which keeps scores finite.
    let divisor = if stddev == 0.0 { 1e-10 } else { stddev };
    out.extend(values.iter().map(|value| Judgement {
        score: (value - mean).abs() / divisor,
        label: if *value < low || *value > high { Label::Outlier } else { Label::Normal },
    }));
}
