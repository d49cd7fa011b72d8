// SPDX-License-Identifier: MIT OR Apache-2.0
//! Distances from the median.

use super::samples::Spread;
use crate::{Judgement, Label, Mad};

/// How many median absolute deviations a standard deviation of normally distributed samples is.
const CONSISTENCY: f64 = 1.4826;

/// The least standard deviation as a part of the median: clocks are no better, and tasks of a microsecond jitter.
const FLOOR: f64 = 1e-3;

/// Judges samples by the median of all.
pub(super) fn judge(parameters: Mad, spread: Spread, values: &[f64], out: &mut Vec<Judgement>) {
    let Spread { median, mad } = spread;
    let scale = (CONSISTENCY * mad).max(FLOOR * median.abs());
    out.extend(values.iter().map(|value| {
        // Nothing is large by comparison with nothing: what mostly rests and then works has done so on purpose.
        let score = if median == 0.0 { 0.0 } else { (value - median).abs() / scale };
        let label = if score > parameters.threshold { Label::Outlier } else { Label::Normal };
        Judgement { score, label }
    }));
}
