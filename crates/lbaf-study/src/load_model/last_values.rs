// SPDX-License-Identifier: MIT OR Apache-2.0
//! The last values of an object, their median and the straight line through them.

use crate::History;

/// A value and its time, in phase numbers from the next phase.
type Timed = (f64, f64);

/// The values of the last `n` phases, as far as there are so many and the object was there, the oldest first.
pub(super) fn last_values(n: usize, history: &History<'_>, value: impl Fn(i64) -> Option<f64>) -> Vec<Timed> {
    let timed = |back: usize| {
        let position = i64::try_from(back).ok().map(|back| -back)?;
        Some((history.time(back)?, value(position)?))
    };
    (1..=n.min(history.len())).rev().filter_map(timed).collect()
}

/// The median; of an even number, the mean of the middle two.
pub(super) fn median(values: Vec<Timed>) -> Option<f64> {
    let mut values: Vec<f64> = values.into_iter().map(|(_, value)| value).collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        n if n % 2 == 1 => Some(values[middle]),
        _ => Some(f64::midpoint(values[middle - 1], values[middle])),
    }
}

/// The value at a time of the straight line fitted to values by least squares; that of a single value if there is no
/// second. `None` without values.
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
