// SPDX-License-Identifier: MIT OR Apache-2.0
//! Distances from the median and from the mean.

use super::spread::Spread;
use crate::{Judgement, Label, Mad, RunStats, Sstd};

/// Standard deviation of normally distributed samples, in median absolute deviations.
const CONSISTENCY: f64 = 1.4826;

/// The least standard deviation as a part of the median: clocks are no better, and tasks of a microsecond jitter.
const FLOOR: f64 = 1e-3;

/// Judges samples by their distance from the median of all.
pub(super) fn from_median(parameters: Mad, spread: Spread, values: &[f64], out: &mut Vec<Judgement>) {
    let Spread { median, mad } = spread;
    let scale = (CONSISTENCY * mad).max(FLOOR * median.abs());
    out.extend(values.iter().map(|value| {
        // Nothing is large by comparison with nothing: what mostly rests and then works has done so on purpose.
        let score = if median == 0.0 { 0.0 } else { (value - median).abs() / scale };
        let label = if score > parameters.threshold { Label::Outlier } else { Label::Normal };
        Judgement { score, label }
    }));
}

/// Judges samples by their distance from the mean of all.
pub(super) fn from_mean(parameters: Sstd, stats: &RunStats, values: &[f64], out: &mut Vec<Judgement>) {
    if stats.count() < 2 {
        out.resize(values.len(), Judgement::UNLABELLED);
        return;
    }
    let (mean, stddev) = (stats.mean(), stats.stddev());
    let (low, high) = (mean - parameters.sigma * stddev, mean + parameters.sigma * stddev);
    // What Chimbuko divides by, so that scores are numbers.
    let divisor = if stddev == 0.0 { 1e-10 } else { stddev };
    out.extend(values.iter().map(|value| Judgement {
        score: (value - mean).abs() / divisor,
        label: if *value < low || *value > high { Label::Outlier } else { Label::Normal },
    }));
}
