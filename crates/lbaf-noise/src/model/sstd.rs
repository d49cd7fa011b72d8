// SPDX-License-Identifier: MIT OR Apache-2.0
//! Distances from the mean.

use crate::{Judgement, Label, RunStats, Sstd};

/// Judges samples by mean and standard deviation of all.
pub(super) fn judge(parameters: Sstd, stats: &RunStats, values: &[f64], out: &mut Vec<Judgement>) {
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
