// SPDX-License-Identifier: MIT OR Apache-2.0
//! Changes of level that are detected while a series is recorded.

use crate::median::median;

use super::{Level, jitter};

/// Number of successive samples away from a level, on the same side, that form another level.
pub(crate) const SUCCESSIVE: usize = 3;

/// Returns the levels of a series. A change of level is detected from the samples so far, at least five and at least
/// `min_samples`. A level begins with the first of three successive samples that deviate from the previous level on
/// the same side, and becomes known with the third. An earlier level to which the series returns becomes known with
/// its first sample. O(samples²), by selection.
pub(super) fn levels(times: &[f64], min_samples: usize, min_relative: f64) -> Vec<Level> {
    let series = jitter::logarithms(times);
    let mut found = vec![Level { since: 0, known: 0 }];
    let mut left = Left::default();
    for at in min_samples.max(SUCCESSIVE + 2)..=times.len() {
        let tolerance = jitter::tolerance(&series[..at], min_relative);
        let since = found[found.len() - 1].since;
        let value = series[at - 1];
        if at - since >= 2 {
            let level = middle(&series[since..at - 1]);
            if (value - level).abs() > tolerance && left.has(value, tolerance) {
                left.add(level, tolerance);
                found.push(Level { since: at - 1, known: at - 1 });
                continue;
            }
        }
        if at - since >= SUCCESSIVE + 2 {
            let level = middle(&series[since..at - SUCCESSIVE]);
            let last = &series[at - SUCCESSIVE..at];
            let is_above = last.iter().all(|value| value - level > tolerance);
            if is_above || last.iter().all(|value| level - value > tolerance) {
                left.add(level, tolerance);
                found.push(Level { since: at - SUCCESSIVE, known: at - 1 });
            }
        }
    }
    found
}

/// Levels left by the series.
#[derive(Default)]
struct Left(Vec<f64>);

impl Left {
    fn has(&self, value: f64, tolerance: f64) -> bool {
        self.0.iter().any(|level| (value - level).abs() <= tolerance)
    }

    fn add(&mut self, level: f64, tolerance: f64) {
        if !self.has(level, tolerance) {
            self.0.push(level);
        }
    }
}

fn middle(series: &[f64]) -> f64 {
    median(&mut series.to_vec()).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(times: &[f64]) -> Vec<(usize, usize)> {
        levels(times, 5, 0.1).iter().map(|level| (level.since, level.known)).collect()
    }

    #[test]
    fn a_level_is_known_with_its_third_sample() {
        let mut times = vec![1.0; 10];
        times.extend([3.0; 2]);
        assert_eq!(found(&times), [(0, 0)]);
        times.push(3.0);
        assert_eq!(found(&times), [(0, 0), (10, 12)]);
        // Returns to the old level and then to the new one are known at once.
        times.extend([1.0, 1.0, 3.0, 3.0]);
        assert_eq!(found(&times), [(0, 0), (10, 12), (13, 13), (15, 15)]);
    }

    #[test]
    fn deviations_that_return_are_not_a_level() {
        let mut times = [1.0; 20];
        times[8] = 3.0;
        times[12] = 3.0;
        times[13] = 3.0;
        assert_eq!(found(&times), [(0, 0)]);
        // Three deviations on different sides are not a level either.
        times[14] = 0.3;
        assert_eq!(found(&times), [(0, 0)]);
    }
}
