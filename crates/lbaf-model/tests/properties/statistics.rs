// SPDX-License-Identifier: MIT OR Apache-2.0
//! Moments equal exact ones, computed in integers.

use lbaf_model::Statistics;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::cases;

/// Exact central moments of integers: `n M2`, `n^2 M3` and `n^3 M4` are integers.
struct Exact {
    n: i128,
    sum: i128,
    n_m2: i128,
    n2_m3: i128,
    n3_m4: i128,
}

impl Exact {
    fn of(numbers: &[i32]) -> Self {
        let power =
            |exponent| -> i128 { numbers.iter().map(|&number| i128::from(number).pow(exponent)).sum() };
        let (n, s1, s2, s3, s4) = (numbers.len() as i128, power(1), power(2), power(3), power(4));
        Exact {
            n,
            sum: s1,
            n_m2: n * s2 - s1 * s1,
            n2_m3: n * n * s3 - 3 * n * s1 * s2 + 2 * s1.pow(3),
            n3_m4: n.pow(3) * s4 - 4 * n * n * s1 * s3 + 6 * n * s1 * s1 * s2 - 3 * s1.pow(4),
        }
    }

    fn m2(&self) -> f64 {
        self.n_m2 as f64 / self.n as f64
    }

    fn m3(&self) -> f64 {
        self.n2_m3 as f64 / (self.n * self.n) as f64
    }

    fn m4(&self) -> f64 {
        self.n3_m4 as f64 / self.n.pow(3) as f64
    }
}

fn near(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-10 * expected.abs().max(1.0)
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn moments_are_the_exact_ones(numbers in vec(-50..50_i32, 1..40)) {
        let found = Statistics::of(numbers.iter().copied().map(f64::from));
        let exact = Exact::of(&numbers);
        let n = exact.n as f64;
        prop_assert_eq!(found.n, numbers.len());
        prop_assert_eq!(found.n_nonzero, numbers.iter().filter(|&&number| number != 0).count());
        prop_assert_eq!(found.sum, exact.sum as f64);
        prop_assert_eq!(found.min, f64::from(*numbers.iter().min().unwrap()));
        prop_assert_eq!(found.max, f64::from(*numbers.iter().max().unwrap()));
        prop_assert!(near(found.mean(), exact.sum as f64 / n));
        prop_assert!(near(found.variance(), exact.m2() / n));
        prop_assert!(near(found.deviation(), (exact.m2() / n).sqrt()));
        let imbalance = if exact.sum > 0 { found.max * n / exact.sum as f64 - 1.0 } else { 0.0 };
        prop_assert!(near(found.imbalance(), imbalance));
        if exact.n_m2 == 0 {
            prop_assert_eq!(found.variance(), 0.0);
            return Ok(());
        }
        let (m2, m3, m4) = (exact.m2(), exact.m3(), exact.m4());
        prop_assert!(near(found.skewness(), m3 / n / (m2 / n).powf(1.5)));
        prop_assert!(near(found.kurtosis(), m4 / n / (m2 / n).powi(2)));
        prop_assert!(near(found.sample_skewness(), (n - 1.0).powf(1.5) / n * m3 / m2.powf(1.5)));
        prop_assert!(near(found.sample_kurtosis(), (n - 1.0).powi(2) / n * m4 / m2.powi(2) - 3.0));
    }

    /// The computed mean of equal numbers may be rounded.
    #[test]
    fn equal_numbers_have_no_moments(number in 0.0..100.0_f64, n in 1..60_usize) {
        let found = Statistics::of(std::iter::repeat_n(number, n));
        prop_assert_eq!([found.imbalance(), found.variance(), found.deviation()], [0.0; 3]);
        let moments = [found.skewness(), found.kurtosis(), found.sample_skewness(), found.sample_kurtosis()];
        prop_assert_eq!(moments, [0.0; 4]);
    }

    #[test]
    fn a_common_factor_changes_no_shape(numbers in vec(0..1000_u32, 2..30), exponent in -60..60_i32) {
        let factor = 2.0_f64.powi(exponent);
        let plain = Statistics::of(numbers.iter().copied().map(f64::from));
        let scaled = Statistics::of(numbers.iter().map(|&number| f64::from(number) * factor));
        prop_assert_eq!(scaled.imbalance(), plain.imbalance());
        prop_assert!(near(scaled.skewness(), plain.skewness()));
        prop_assert!(near(scaled.kurtosis(), plain.kurtosis()));
    }
}
