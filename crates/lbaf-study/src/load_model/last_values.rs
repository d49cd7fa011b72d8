// SPDX-License-Identifier: MIT OR Apache-2.0
//! Last values of an object, with their median and the least-squares line through them.

use crate::History;

/// A time, in phase numbers relative to the next phase, and the value at that time.
type Timed = (f64, f64);

/// Returns the values of an object in the last `n` phases, oldest first, without phases that lack the object.
pub(super) fn last_values(n: usize, history: &History<'_>, value: impl Fn(i64) -> Option<f64>) -> Vec<Timed> {
    let timed = |back: usize| {
        let position = i64::try_from(back).ok().map(|back| -back)?;
        Some((history.time(back)?, value(position)?))
    };
    (1..=n.min(history.len())).rev().filter_map(timed).collect()
}

/// Returns the median of the values; for an even number, the mean of the middle two. `None` without values.
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

/// Returns the value at `time` of the least-squares line through the values, or a single value itself. `None`
/// without values.
pub(super) fn value_at(values: &[Timed], time: f64) -> Option<f64> {
    let n = values.len() as f64;
    let mean = |of: fn(&Timed) -> f64| values.iter().map(of).sum::<f64>() / n;
    let (mean_time, mean_value) = (mean(|timed| timed.0), mean(|timed| timed.1));
    let spread: f64 = values.iter().map(|(time, _)| (time - mean_time) * (time - mean_time)).sum();
    let rise: f64 = values.iter().map(|(time, value)| (time - mean_time) * (value - mean_value)).sum();
    match values.len() {
        0 => None,
        1 => Some(mean_value),
        _ => Some(mean_value + rise / spread * (time - mean_time)),
    }
}
