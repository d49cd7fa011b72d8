// SPDX-License-Identifier: MIT OR Apache-2.0
//! Moments of a quantity over ranks or objects, as defined by LBAF and by vt.

/// Sum, extremes and central moments of a list of numbers.
///
/// They are computed in two passes in the given order: the mean, then the powers of the deviations from it.
/// This avoids cancellation and does not depend on the number of threads.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Number of values.
    pub n: usize,
    /// Number of values that are not zero.
    pub n_nonzero: usize,
    /// Sum of the values.
    pub sum: f64,
    /// The smallest value, 0 without values.
    pub min: f64,
    /// The largest value, 0 without values.
    pub max: f64,
    /// Divisor of deviations: 1, or a power of two if their powers could overflow or underflow; 0 without values.
    scale: f64,
    /// Sum of the squares of the deviations from the mean, each divided by `scale`.
    m2: f64,
    /// Sum of the cubes of these scaled deviations.
    m3: f64,
    /// Sum of the fourth powers of these scaled deviations.
    m4: f64,
}

impl Statistics {
    /// Computes the statistics of numbers, in their order. O(n).
    pub fn of(numbers: impl IntoIterator<Item = f64, IntoIter: Clone>) -> Self {
        let numbers = numbers.into_iter();
        let mut statistics = Statistics { min: f64::INFINITY, max: f64::NEG_INFINITY, ..Self::default() };
        for number in numbers.clone() {
            statistics.n += 1;
            statistics.n_nonzero += usize::from(number != 0.0);
            statistics.sum += number;
            statistics.min = statistics.min.min(number);
            statistics.max = statistics.max.max(number);
        }
        if statistics.n == 0 {
            return Self::default();
        }
        let mean = statistics.mean();
        statistics.scale = scale(statistics.max.max(-statistics.min));
        for deviation in numbers.map(|number| (number - mean) / statistics.scale) {
            let square = deviation * deviation;
            statistics.m2 += square;
            statistics.m3 += square * deviation;
            statistics.m4 += square * square;
        }
        statistics
    }

    /// Returns the mean, 0 without values.
    pub fn mean(&self) -> f64 {
        if self.n == 0 {
            return 0.0;
        }
        // Rounding may place the quotient outside the extremes, so that equal numbers would seem to deviate.
        (self.sum / self.n as f64).max(self.min).min(self.max)
    }

    /// Returns the imbalance `max / mean - 1`: the relative extra time of the slowest rank compared with an
    /// even distribution. 0 if the mean is not positive, as in vt; LBAF prints nan.
    pub fn imbalance(&self) -> f64 {
        let mean = self.mean();
        if mean >= f64::MIN_POSITIVE {
            self.max / mean - 1.0
        } else if self.sum > 0.0 {
            // The mean is subnormal and has few significant digits, but the sum is accurate.
            (self.max * SMALL / (self.sum * SMALL / self.n as f64) - 1.0).max(0.0)
        } else {
            0.0
        }
    }

    /// Returns the population variance `M2 / n`, limited to the largest floating-point number.
    pub fn variance(&self) -> f64 {
        (self.scaled_variance() * self.scale * self.scale).min(f64::MAX)
    }

    /// Returns the population standard deviation.
    pub fn deviation(&self) -> f64 {
        self.scaled_variance().sqrt() * self.scale
    }

    fn scaled_variance(&self) -> f64 {
        if self.n == 0 { 0.0 } else { self.m2 / self.n as f64 }
    }

    fn squared_variance(&self) -> f64 {
        self.scaled_variance() * self.scaled_variance()
    }

    /// Returns the population skewness `g1 = (M3 / n) / variance^1.5`, as on LBAF's console; 0 if all numbers
    /// are equal.
    pub fn skewness(&self) -> f64 {
        if self.is_flat() { 0.0 } else { self.m3 / self.n as f64 / libm::pow(self.scaled_variance(), 1.5) }
    }

    /// Returns the population kurtosis `g2 = (M4 / n) / variance^2`, 3 for a normal distribution, as on
    /// LBAF's console; 0 if all numbers are equal.
    pub fn kurtosis(&self) -> f64 {
        if self.is_flat() { 0.0 } else { self.m4 / self.n as f64 / self.squared_variance() }
    }

    /// Returns the skewness of vt's LB statistics: `(n - 1)^1.5 / n x M3 / M2^1.5`; 0 if all numbers are
    /// equal.
    pub fn sample_skewness(&self) -> f64 {
        let n = self.n as f64;
        if self.is_flat() { 0.0 } else { libm::pow(n - 1.0, 1.5) / n * self.m3 / libm::pow(self.m2, 1.5) }
    }

    /// Returns the excess kurtosis of vt's LB statistics: `(n - 1)^2 / n x M4 / M2^2 - 3`; 0 if all numbers
    /// are equal.
    pub fn sample_kurtosis(&self) -> f64 {
        let n = self.n as f64;
        if self.is_flat() { 0.0 } else { (n - 1.0) * (n - 1.0) / n * self.m4 / (self.m2 * self.m2) - 3.0 }
    }

    /// True if higher moments are undefined: all deviations are 0, or the square of the variance underflows.
    fn is_flat(&self) -> bool {
        !(self.m2 > 0.0 && self.squared_variance() > 0.0)
    }
}

/// Factor that makes subnormal numbers normal, so that quotients have full precision.
const SMALL: f64 = 1e200;

/// Returns the divisor of deviations: a power of two that prevents overflow and underflow of their fourth
/// powers and of sums of these powers. It is 1 if `largest`, the largest magnitude of the numbers, is 0 or
/// between 1e-60 and 1e60, as for all realistic measurements.
fn scale(largest: f64) -> f64 {
    const SAFE: f64 = 1e60;
    if largest == 0.0 || (1.0 / SAFE..=SAFE).contains(&largest) {
        return 1.0;
    }
    libm::ldexp(1.0, (libm::log2(largest).ceil() as i32).max(f64::MIN_EXP))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-12 * a.abs().max(b.abs()).max(1.0)
    }

    /// If only one of P ranks has load, the moments have closed forms (SAND2019-5139).
    #[test]
    fn one_loaded_rank_has_the_closed_forms() {
        for n_ranks in [2_u16, 3, 16, 1000] {
            let (p, load) = (f64::from(n_ranks), 7.5);
            let statistics = Statistics::of((0..n_ranks).map(|rank| if rank == 1 { load } else { 0.0 }));
            assert!(close(statistics.imbalance(), p - 1.0));
            assert!(close(statistics.variance(), load * load * (p - 1.0) / (p * p)));
            assert!(close(statistics.skewness(), (p * p - 3.0 * p + 2.0) / (p - 1.0).powf(1.5)));
            let kurtosis = (p.powi(3) - 4.0 * p * p + 6.0 * p - 3.0) / (p - 1.0).powi(2);
            assert!(close(statistics.kurtosis(), kurtosis));
            // The moments of vt follow from those of LBAF by known factors.
            let ratio = ((p - 1.0) / p).powf(1.5);
            assert!(close(statistics.sample_skewness(), statistics.skewness() * ratio));
            let ratio = ((p - 1.0) / p).powi(2);
            assert!(close(statistics.sample_kurtosis(), statistics.kurtosis() * ratio - 3.0));
            assert_eq!(statistics.n_nonzero, 1);
        }
    }

    /// Moments that are ratios do not depend on the unit.
    #[test]
    fn the_largest_numbers_have_the_moments_of_small_ones() {
        let numbers = [1.0, 2.0, 2.0, 7.0];
        let small = Statistics::of(numbers);
        for unit in [1e100, 1e300, 1e307] {
            let large = Statistics::of(numbers.map(|number| number * unit));
            assert!(close(large.imbalance(), small.imbalance()));
            assert!(close(large.deviation() / unit, small.deviation()), "{}", large.deviation());
            assert!(close(large.skewness(), small.skewness()) && close(large.kurtosis(), small.kurtosis()));
            assert!(close(large.sample_skewness(), small.sample_skewness()));
            assert!(close(large.sample_kurtosis(), small.sample_kurtosis()));
            let variance = if unit > 1e200 { f64::MAX } else { large.deviation().powi(2) };
            assert!(close(large.variance() / variance, 1.0));
        }
    }

    /// Integer multiples of a subnormal number have the imbalance of the integers.
    #[test]
    fn the_smallest_numbers_have_the_imbalance_of_large_ones() {
        for numbers in
            [[1.0, 0.0, 0.0, 0.0], [3.0, 1.0, 1.0, 2.0], [7.0, 7.0, 7.0, 7.0], [9.0, 0.0, 1.0, 1.0]]
        {
            let large = Statistics::of(numbers);
            for unit in [5e-324, 4e-320, 1e-310] {
                let small = Statistics::of(numbers.map(|number| number * unit));
                assert!(close(small.imbalance(), large.imbalance()), "{numbers:?} {}", small.imbalance());
            }
        }
    }

    #[test]
    fn no_statistic_is_nan_for_equal_tiny_or_missing_numbers() {
        for numbers in [vec![], vec![0.0; 4], vec![2.0; 5], vec![1e-320, 2e-320], vec![9.0]] {
            let s = Statistics::of(numbers.iter().copied());
            let values = [
                s.mean(),
                s.imbalance(),
                s.variance(),
                s.deviation(),
                s.skewness(),
                s.kurtosis(),
                s.sample_skewness(),
                s.sample_kurtosis(),
                s.min,
                s.max,
            ];
            assert!(values.iter().all(|value| value.is_finite()), "{numbers:?}: {values:?}");
        }
    }
}
