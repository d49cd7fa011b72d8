// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comparison of numbers up to rounding.

use std::cmp::Ordering;

/// Maximum relative difference that counts as rounding: sums of millions of numbers in different orders differ by less.
pub const ROUNDING: f64 = 1e-9;

/// True if two numbers differ at most by rounding.
pub fn same(one: f64, other: f64) -> bool {
    (one - other).abs() <= ROUNDING * one.abs().max(other.abs())
}

/// Compares two numbers. Numbers that differ at most by rounding are equal.
pub fn compare(one: f64, other: f64) -> Ordering {
    if same(one, other) { Ordering::Equal } else { one.total_cmp(&other) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_magnitude_are_the_same_up_to_rounding() {
        for unit in [1e-12, 1.0, 1e12] {
            assert!(same(3.0 * unit, (3.0 + 1e-12) * unit), "{unit}");
            assert!(!same(3.0 * unit, 3.0001 * unit), "{unit}");
        }
        assert!(same(0.0, 0.0) && !same(0.0, 1.0));
    }

    #[test]
    fn comparison_ignores_rounding() {
        assert_eq!(compare(3.0, 3.0 + 1e-12), Ordering::Equal);
        assert_eq!(compare(3.0, 3.1), Ordering::Less);
        assert_eq!(compare(3.0, 2.9), Ordering::Greater);
        assert_eq!(compare(f64::INFINITY, f64::INFINITY), Ordering::Equal);
    }
}
