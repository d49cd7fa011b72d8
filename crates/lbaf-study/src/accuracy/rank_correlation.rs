// SPDX-License-Identifier: MIT OR Apache-2.0
//! Spearman's rank correlation of predictions and measurements.

use crate::ranking::places;

/// Returns Spearman's rank correlation: the correlation of the places of values in their sorted columns.
/// Equal values share the mean of their places. `None` if either column is constant.
pub(super) fn rank_correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let column = |of: fn(&(f64, f64)) -> f64| places(&pairs.iter().map(of).collect::<Vec<f64>>());
    let [predicted, measured] = [column(|pair| pair.0), column(|pair| pair.1)];
    let mean = f64::midpoint(pairs.len() as f64, 1.0);
    let product = |one: &[f64], other: &[f64]| -> f64 {
        one.iter().zip(other).map(|(a, b)| (a - mean) * (b - mean)).sum()
    };
    let spread = (product(&predicted, &predicted) * product(&measured, &measured)).sqrt();
    (spread > 0.0).then(|| product(&predicted, &measured) / spread)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1, 2, 3, 4 against 2, 1, 4, 3 have the correlation 1 - 6 x 4 / (4 x 15) = 0.6.
    #[test]
    fn rank_correlations_match_the_formula() {
        let pairs = [(1.0, 2.0), (2.0, 1.0), (3.0, 4.0), (4.0, 3.0)];
        let found = rank_correlation(&pairs).unwrap();
        assert!((found - 0.6).abs() < 1e-12, "{found}");
        assert_eq!(rank_correlation(&[(1.0, 1.0), (1.0, 2.0)]), None);
        assert_eq!(rank_correlation(&[(1.0, 9.0), (2.0, 8.0)]), Some(-1.0));
    }
}
