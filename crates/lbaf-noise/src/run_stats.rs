// SPDX-License-Identifier: MIT OR Apache-2.0
//! Moments of a stream of samples, without storing them.

/// Count, extremes and the first four moments of samples, in constant memory: `RunStats` of Chimbuko.
///
/// Samples are added one at a time, and sets are merged, with the formulas of Pébay 2008 (SAND2008-6212), which for
/// the variance are those of Chan, Golub and `LeVeque` 1983. Samples are finite and of any unit. As in Chimbuko,
/// skewness and kurtosis are 0 if the sum of squared deviations is below 1e-7, so microseconds are a better unit than
/// seconds.
///
/// Unlike in Chimbuko, the merged mean of two sets with equal means is exactly this mean, so equal samples never
/// deviate from it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunStats {
    n: u64,
    mean: f64,
    m2: f64,
    m3: f64,
    m4: f64,
    min: f64,
    max: f64,
    keeps_sum: bool,
    sum: f64,
}

impl RunStats {
    /// Least sum of squared deviations for which skewness and kurtosis are computed.
    const FLAT: f64 = 1e-7;

    /// Creates empty statistics that also keep the sum.
    pub fn keeping_sum() -> Self {
        RunStats { keeps_sum: true, ..RunStats::default() }
    }

    /// Computes the statistics of samples, without their sum. O(n).
    pub fn of(values: &[f64]) -> Self {
        let mut stats = RunStats::default();
        for value in values {
            stats.push(*value);
        }
        stats
    }

    /// Adds a sample.
    pub fn push(&mut self, value: f64) {
        (self.min, self.max) = match self.n {
            0 => (value, value),
            _ => (self.min.min(value), self.max.max(value)),
        };
        let before = self.n as f64;
        self.n += 1;
        let n = self.n as f64;
        let deviation = value - self.mean;
        let step = deviation / n;
        let square = deviation * step * before;
        self.mean += step;
        self.m4 += square * step * step * (n * n - 3.0 * n + 3.0) + 6.0 * step * step * self.m2
            - 4.0 * step * self.m3;
        self.m3 += square * step * (n - 2.0) - 3.0 * step * self.m2;
        self.m2 += square;
        if self.keeps_sum {
            self.sum += value;
        }
    }

    /// Adds the samples of another set. The sum is kept if either set keeps it; the other adds its mean times its
    /// count.
    pub fn merge(&mut self, other: &RunStats) {
        let keeps_sum = self.keeps_sum || other.keeps_sum;
        let sum = if keeps_sum { self.sum_or_estimate() + other.sum_or_estimate() } else { 0.0 };
        let merged = match (self.n, other.n) {
            (_, 0) => *self,
            (0, _) => *other,
            _ => self.merged(other),
        };
        *self = RunStats { keeps_sum, sum, ..merged };
    }

    /// Number of samples.
    pub fn count(&self) -> u64 {
        self.n
    }

    /// Mean; 0 without samples.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Sample standard deviation, with the divisor n - 1; 0 for fewer than two samples.
    pub fn stddev(&self) -> f64 {
        if self.n < 2 { 0.0 } else { (self.m2 / (self.n - 1) as f64).abs().sqrt() }
    }

    /// Population skewness; 0 if the samples are almost equal.
    pub fn skewness(&self) -> f64 {
        if self.m2.abs() < Self::FLAT {
            0.0
        } else {
            (self.n as f64).sqrt() * self.m3 / libm::pow(self.m2, 1.5)
        }
    }

    /// Population excess kurtosis; 0 if the samples are almost equal.
    pub fn kurtosis(&self) -> f64 {
        if self.m2.abs() < Self::FLAT { 0.0 } else { self.n as f64 * self.m4 / (self.m2 * self.m2) - 3.0 }
    }

    /// Smallest sample; 0 without samples.
    pub fn min(&self) -> f64 {
        self.min
    }

    /// Largest sample; 0 without samples.
    pub fn max(&self) -> f64 {
        self.max
    }

    /// Sum, if it is kept.
    pub fn sum(&self) -> Option<f64> {
        self.keeps_sum.then_some(self.sum)
    }

    fn sum_or_estimate(&self) -> f64 {
        if self.keeps_sum { self.sum } else { self.mean * self.n as f64 }
    }

    /// Merges two sets that are not empty.
    fn merged(&self, other: &RunStats) -> RunStats {
        let (a, b) = (self.n as f64, other.n as f64);
        let n = a + b;
        let delta = other.mean - self.mean;
        let square = delta * delta;
        let m2 = self.m2 + other.m2 + square * a * b / n;
        let m3 = self.m3
            + other.m3
            + square * delta * a * b * (a - b) / (n * n)
            + 3.0 * delta * (a * other.m2 - b * self.m2) / n;
        let m4 = self.m4
            + other.m4
            + square * square * a * b * (a * a - a * b + b * b) / (n * n * n)
            + 6.0 * square * (a * a * other.m2 + b * b * self.m2) / (n * n)
            + 4.0 * delta * (a * other.m3 - b * self.m3) / n;
        RunStats {
            n: self.n + other.n,
            mean: self.mean + delta * b / n,
            m2,
            m3,
            m4,
            min: self.min.min(other.min),
            max: self.max.max(other.max),
            ..RunStats::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The deviations from the mean 3 are -2, -1, 0 and 3. Their squares add up to 14, cubes to 18, fourth powers
    /// to 98.
    #[test]
    fn moments_are_those_of_their_definitions() {
        let stats = RunStats::of(&[1.0, 2.0, 3.0, 6.0]);
        assert_eq!((stats.count(), stats.mean(), stats.min(), stats.max()), (4, 3.0, 1.0, 6.0));
        assert!((stats.stddev() - (14.0_f64 / 3.0).sqrt()).abs() < 1e-15);
        assert!((stats.skewness() - 2.0 * 18.0 / 14.0_f64.powf(1.5)).abs() < 1e-14);
        assert!((stats.kurtosis() - (4.0 * 98.0 / 196.0 - 3.0)).abs() < 1e-14);
    }

    #[test]
    fn empty_statistics_are_zero() {
        let mut nothing = RunStats::default();
        nothing.merge(&RunStats::default());
        assert_eq!(nothing, RunStats::default());
        assert_eq!(
            (nothing.mean(), nothing.stddev(), nothing.skewness(), nothing.kurtosis()),
            (0.0, 0.0, 0.0, 0.0)
        );
        nothing.merge(&RunStats::of(&[-2.0]));
        assert_eq!((nothing.min(), nothing.max()), (-2.0, -2.0));
    }

    #[test]
    fn sums_are_kept_if_either_side_keeps_them() {
        let mut kept = RunStats::keeping_sum();
        kept.push(1.5);
        kept.merge(&RunStats::of(&[2.0, 4.0]));
        assert_eq!(kept.sum(), Some(7.5));
        let mut other = RunStats::of(&[2.0, 4.0]);
        assert_eq!(other.sum(), None);
        other.merge(&kept);
        assert_eq!(other.sum(), Some(13.5));
    }

    #[test]
    fn equal_samples_do_not_deviate_from_their_mean() {
        let mut stats = RunStats::of(&[0.1; 3]);
        stats.merge(&RunStats::of(&[0.1; 2]));
        assert_eq!((stats.mean(), stats.stddev()), (0.1, 0.0));
    }
}
