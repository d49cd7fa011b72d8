// SPDX-License-Identifier: MIT OR Apache-2.0
//! Median of a few repetitions, with a confidence interval.

/// A median with a confidence interval for the median of all possible repetitions.
///
/// The ends of the interval are two of the values (order statistics): the `k`-th from below and the `k`-th from above.
/// They enclose the median of any distribution with probability `1 - 2 P(B < k)`, where `B` is binomial with `n` trials
/// and `p` = 1/2. No distribution is assumed, and no random numbers are drawn. Thompson 1936, "On confidence ranges for
/// the median and other expectation distributions for populations of unknown distribution form", DOI
/// 10.1214/aoms/1177732502.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Median {
    /// Number of values.
    pub n: usize,
    /// Median of the values; for an even number, the mean of the middle two.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
    /// Confidence of the interval, at least the requested one. With too few values, the interval is their
    /// whole range, and the confidence is lower than requested.
    pub confidence: f64,
}

impl Median {
    /// Computes the median of finite values with an interval of at least the given `confidence`, if possible.
    /// `None` without values. O(n log n).
    pub fn of(values: impl IntoIterator<Item = f64>, confidence: f64) -> Option<Self> {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        let n = values.len();
        let (low, high) = (values.get(n.checked_sub(1)? / 2)?, values.get(n / 2)?);
        let (outer, confidence) = outermost(n, confidence);
        Some(Median {
            n,
            value: f64::midpoint(*low, *high),
            low: values[outer],
            high: values[n - 1 - outer],
            confidence,
        })
    }
}

/// Returns the largest number of values that can be left out at each end while the interval still has the `wanted`
/// confidence, and the confidence of this interval. The number is 0 if even the whole range has less confidence.
fn outermost(n: usize, wanted: f64) -> (usize, f64) {
    // P(B = 0) underflows for many values, hence its logarithm. Further probabilities follow from the ratio
    // to the previous one.
    let mut logarithm = -(n as f64) * std::f64::consts::LN_2;
    let (mut outside, mut found) = (0.0, (0, 0.0));
    for k in 0..n.div_ceil(2) {
        outside += 2.0 * libm::exp(logarithm);
        let confidence = (1.0 - outside).max(0.0);
        if k > 0 && confidence < wanted {
            break;
        }
        found = (k, confidence);
        logarithm += libm::log((n - k) as f64 / (k + 1) as f64);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_are_in_the_middle() {
        let of = |values: &[f64]| Median::of(values.iter().copied(), 0.95).map(|median| median.value);
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[3.0]), Some(3.0));
        assert_eq!(of(&[4.0, 1.0]), Some(2.5));
        assert_eq!(of(&[4.0, 1.0, 9.0]), Some(4.0));
    }

    /// Tabulated confidences: 1 - 2/64 for the whole range of 6 values; 1 - 22/1024 for 10 values without one
    /// on either side; for 20 values without five on either side, 1 - 2 (1 + 20 + 190 + 1140 + 4845 +
    /// 15504)/2^20.
    #[test]
    fn intervals_have_the_confidence_of_the_binomial_distribution() {
        let check = |n: usize, expected: (f64, f64), confidence: f64| {
            let median = Median::of((0..n).map(|value| value as f64), 0.95).unwrap();
            assert_eq!((median.low, median.high), expected, "of {n}");
            assert!((median.confidence - confidence).abs() < 1e-12, "{median:?}");
        };
        check(1, (0.0, 0.0), 0.0);
        check(5, (0.0, 4.0), 1.0 - 2.0 / 32.0);
        check(6, (0.0, 5.0), 1.0 - 2.0 / 64.0);
        check(10, (1.0, 8.0), 1.0 - 22.0 / 1024.0);
        check(20, (5.0, 14.0), 1.0 - 2.0 * 21700.0 / f64::from(1 << 20));
    }

    #[test]
    fn many_values_have_narrow_intervals() {
        let median = Median::of((0..5000).map(f64::from), 0.95).unwrap();
        // About 1.96 times the square root of n/4 on either side.
        assert!((median.value - median.low - 69.3).abs() < 2.0, "{median:?}");
        assert!(median.confidence >= 0.95 && median.confidence < 0.952);
    }
}
