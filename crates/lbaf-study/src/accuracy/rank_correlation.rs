// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether predictions are in the order of what was measured.

/// Spearman's: the correlation of ranks, where equal values share the mean of theirs. Nothing if either does not differ.
pub(super) fn rank_correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let ranks = [ranks(pairs.iter().map(|pair| pair.0)), ranks(pairs.iter().map(|pair| pair.1))];
    let mean = f64::midpoint(pairs.len() as f64, 1.0);
    let product = |one: &[f64], other: &[f64]| -> f64 {
        one.iter().zip(other).map(|(a, b)| (a - mean) * (b - mean)).sum()
    };
    let [predicted, measured] = &ranks;
    let spread = (product(predicted, predicted) * product(measured, measured)).sqrt();
    (spread > 0.0).then(|| product(predicted, measured) / spread)
}

/// From 1 for the smallest; equal ones share the mean of theirs.
fn ranks(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let values: Vec<f64> = values.collect();
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut first = 0;
    for equal in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let mean = first as f64 + f64::midpoint(equal.len() as f64, 1.0);
        for &at in equal {
            ranks[at] = mean;
        }
        first += equal.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_their_ranks() {
        assert_eq!(ranks([5.0, 1.0, 5.0, 3.0].into_iter()), [3.5, 1.0, 3.5, 2.0]);
    }

    /// Of 1, 2, 3, 4 against 2, 1, 4, 3: 1 - 6 x 4 / (4 x 15).
    #[test]
    fn rank_correlations_are_those_of_the_formula() {
        let pairs = [(1.0, 2.0), (2.0, 1.0), (3.0, 4.0), (4.0, 3.0)];
        let found = rank_correlation(&pairs).unwrap();
        assert!((found - 0.6).abs() < 1e-12, "{found}");
        assert_eq!(rank_correlation(&[(1.0, 1.0), (1.0, 2.0)]), None);
        assert_eq!(rank_correlation(&[(1.0, 9.0), (2.0, 8.0)]), Some(-1.0));
    }
}
