// SPDX-License-Identifier: MIT OR Apache-2.0
//! The straight line that is nearest to values by least squares.

use super::last_values::Timed;

/// Its value at a time; that of the only one if there is no second. Nothing if there is none.
pub(super) fn value_at(values: &[Timed], time: f64) -> Option<f64> {
    let n = values.len() as f64;
    let mean = |of: fn(&Timed) -> f64| values.iter().map(of).sum::<f64>() / n;
    let (mean_time, mean_value) = (mean(|timed| timed.0), mean(|timed| timed.1));
    let spread: f64 = values.iter().map(|(time, _)| (time - mean_time).powi(2)).sum();
    let rise: f64 = values.iter().map(|(time, value)| (time - mean_time) * (value - mean_value)).sum();
    match values.len() {
        0 => None,
        1 => Some(mean_value),
        _ => Some(mean_value + rise / spread * (time - mean_time)),
    }
}
