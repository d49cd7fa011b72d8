// SPDX-License-Identifier: MIT OR Apache-2.0
//! Robust mean of values and its uncertainty.

use std::f64::consts::PI;

use crate::median::median;

/// Standard deviation of normally distributed values, in median absolute deviations.
const CONSISTENCY: f64 = 1.4826;

/// Largest distance of a value from the mean, in standard deviations; a value farther away counts as if at this
/// distance. The mean of normally distributed values is then 95 % efficient.
const HUBER: f64 = 1.345;

/// Least standard error of a logarithm, given by clock precision.
const LEAST_ERROR: f64 = 1e-3;

/// Value with its weight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weighted {
    pub(crate) value: f64,
    /// Inversely proportional to the variance of the value.
    pub(crate) weight: f64,
}

/// Robust mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Center {
    pub(crate) value: f64,
    /// Standard error.
    pub(crate) error: f64,
    /// Number of values.
    pub(crate) n: usize,
    /// Effective sample size: number of values of equal weight with the same standard error.
    n_effective: f64,
}

impl Center {
    /// Computes Huber's mean of values, and its standard error from their spread; `None` without values. O(values).
    pub(crate) fn of(values: &[Weighted]) -> Option<Self> {
        let n = values.len();
        let mut center = median(&mut values.iter().map(|of| of.value).collect::<Vec<_>>())?;
        let distance = |of: &Weighted, center: f64| (of.value - center).abs() * of.weight.sqrt();
        let mut distances: Vec<f64> = values.iter().map(|of| distance(of, center)).collect();
        let most = HUBER * CONSISTENCY * median(&mut distances)?;
        let weight = |of: &Weighted, center: f64| {
            let distance = distance(of, center);
            if distance <= most { of.weight } else { of.weight * most / distance }
        };
        for _ in 0..20 {
            let sums = values.iter().fold((0.0, 0.0), |(sum, weights), of| {
                let weight = weight(of, center);
                (sum + weight * of.value, weights + weight)
            });
            if sums.1 > 0.0 {
                center = sums.0 / sums.1;
            }
        }
        let deviation = |of: &Weighted| weight(of, center) * (of.value - center);
        let squares: f64 = values.iter().map(|of| deviation(of) * deviation(of)).sum();
        let inner: f64 = values.iter().filter(|of| distance(of, center) <= most).map(|of| of.weight).sum();
        let correction = n as f64 / (n.max(2) - 1) as f64;
        let error = if inner > 0.0 { (correction * squares).sqrt() / inner } else { 0.0 };
        let weights: f64 = values.iter().map(|of| of.weight).sum();
        let squared_weights: f64 = values.iter().map(|of| of.weight * of.weight).sum();
        Some(Center {
            value: center,
            error: error.max(LEAST_ERROR),
            n,
            n_effective: weights * weights / squared_weights,
        })
    }

    /// Subtracts `origin` from the mean.
    pub(crate) fn less(self, origin: f64) -> Self {
        Center { value: self.value - origin, ..self }
    }

    /// Returns an approximate upper bound on the probability that chance alone moves the mean by a distance in one
    /// direction: Student's t by Wallace's approximation (1959), and the normal tail by Mills' ratio. The bound is 1 if
    /// the distance is not positive or if there are too few values for a spread.
    pub(crate) fn chance(&self, distance: f64) -> f64 {
        let freedom = self.n_effective - 1.0;
        if distance <= 0.0 || freedom <= 0.0 {
            return 1.0;
        }
        let t = distance / self.error;
        let z =
            (8.0 * freedom + 1.0) / (8.0 * freedom + 3.0) * (freedom * libm::log1p(t * t / freedom)).sqrt();
        (libm::exp(-z * z / 2.0) / (z * (2.0 * PI).sqrt())).min(1.0)
    }
}
