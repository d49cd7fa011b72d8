// SPDX-License-Identifier: MIT OR Apache-2.0
//! Descriptive statistics in LBAF's wording, for tools that read LBAF's logs.

use lbaf_model::Statistics;

use lbaf_text::number::general;

/// Returns a title and four lines on a quantity.
///
/// Numbers are formatted as in Python. As in LBAF, `nan` stands for undefined numbers: statistics of an empty list, the
/// imbalance if the mean is not positive, and skewness and kurtosis of equal values.
pub(super) fn lines(quantity: &str, values: &[f64]) -> String {
    let of = Statistics::of(values.iter().copied());
    let defined = |is_defined: bool, number: f64| {
        let is_defined = is_defined && !values.is_empty();
        general(if is_defined { number } else { f64::NAN })
    };
    let (any, varies) = (|number| defined(true, number), of.variance() > 0.0);
    format!(
        "Descriptive statistics of {quantity}:\n\
         \tcardinality: {} sum: {} imbalance: {}\n\
         \tminimum: {} average: {} maximum: {}\n\
         \tstandard deviation: {} variance: {}\n\
         \tskewness: {} kurtosis: {}",
        general(of.n as f64),
        any(of.sum),
        defined(of.mean() > 0.0, of.imbalance()),
        any(of.min),
        any(of.mean()),
        any(of.max),
        any(of.deviation()),
        any(of.variance()),
        defined(varies, of.skewness()),
        defined(varies, of.kurtosis()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The deviations from the mean 3 are -2, -1, 0, 0 and 3.
    #[test]
    fn moments_are_those_of_a_population() {
        // variance: (4 + 1 + 9)/5 = 2.8
        // skewness: (-8 - 1 + 27)/5 / 2.8^1.5 = 0.768361
        // kurtosis: (16 + 1 + 81)/5 / 2.8^2 = 2.5
        assert_eq!(
            lines("load", &[1.0, 2.0, 3.0, 3.0, 6.0]),
            "Descriptive statistics of load:\n\tcardinality: 5 sum: 15 imbalance: 1\n\
             \tminimum: 1 average: 3 maximum: 6\n\tstandard deviation: 1.67332 variance: 2.8\n\
             \tskewness: 0.768361 kurtosis: 2.5"
        );
    }

    #[test]
    fn numbers_that_lbaf_does_not_define_are_nan() {
        assert_eq!(
            lines("nothing", &[]),
            "Descriptive statistics of nothing:\n\tcardinality: 0 sum: nan imbalance: nan\n\
             \tminimum: nan average: nan maximum: nan\n\tstandard deviation: nan variance: nan\n\
             \tskewness: nan kurtosis: nan"
        );
        assert_eq!(
            lines("zeros", &[0.0, 0.0]),
            "Descriptive statistics of zeros:\n\tcardinality: 2 sum: 0 imbalance: nan\n\
             \tminimum: 0 average: 0 maximum: 0\n\tstandard deviation: 0 variance: 0\n\
             \tskewness: nan kurtosis: nan"
        );
    }
}
