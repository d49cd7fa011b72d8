// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rounding of lower bounds, so that they hold for work computed in floating-point numbers.
//!
//! The proofs of bounds are about real numbers. The work of a rank is a floating-point sum, which may be less than
//! the real one: a placement that reaches the bound might be some ulps below it. Bounds are therefore reduced by the
//! *loss* of such a sum, which is its largest possible rounding error:
//!
//! * A sum of `n` non-negative numbers loses at most `n - 1` half ulps of itself (N. J. Higham, Accuracy and
//!   Stability of Numerical Algorithms, 2002, section 4.2, to first order; [`OTHERS`] covers the terms of
//!   higher order).
//! * Let `n` be the largest number of objects, smallest first, whose loads sum up to at most the bound. A
//!   rank with more than `n` objects has clearly more work than the bound, so the loss matters only for up to
//!   `n` objects. Objects count even if they are placed block by block, because work is summed object by
//!   object.
//! * No reduction is needed if no sum is rounded. This is so under three conditions: all loads are multiples of a power
//!   of two; costs of load are powers of two; and the total load is less than 2^53 times the power of two that divides
//!   the loads, even after products and quotients with costs. Every work is then exact, and only the quotient that
//!   gives the bound may be rounded. Rounding is monotone: a floating-point number that is at least the quotient is
//!   also at least the rounded quotient.
//!
//! A bound by a single object or by the sentinels of a rank needs no reduction: addition of a non-negative number
//! never lowers a floating-point sum, so the computed work of the rank is at least this bound.

use super::items::Items;

/// Half an ulp of 1.
const HALF_ULP: f64 = f64::EPSILON / 2.0;

/// Number of rounded operations in a work and its bound, besides sums.
const OTHERS: usize = 16;

/// Rounding of the bounds of an instance.
pub(super) struct Rounding {
    /// True if no sum in the instance is rounded.
    is_exact: bool,
    /// Largest number of fixed terms in the work of any rank: its sentinels with load, or the terms given to
    /// `with_fixed_terms` if these are more.
    n_sentinels: usize,
    /// Number of terms in sums over ranks; 0 if all costs are equal and no sentinel has load.
    n_ranks: usize,
}

impl Rounding {
    /// Creates the rounding for ranks with these costs of load, items, and loads of sentinels, of which a
    /// rank has at most `n_sentinels`. O(ranks + loads).
    pub(super) fn new(
        cost: &[f64],
        items: &Items,
        sentinels: impl Iterator<Item = f64>,
        n_sentinels: usize,
    ) -> Self {
        let grid = sentinels.fold(Grid::of(&items.objects().loads), Grid::with);
        let exponents: Option<Vec<i32>> = cost.iter().map(|&cost| power_of_two(cost)).collect();
        let spread = exponents.map(|exponents| exponents.into_iter().map(i32::abs).max().unwrap_or(0));
        let is_even = n_sentinels == 0 && cost.windows(2).all(|pair| pair[0] == pair[1]);
        Rounding {
            // Loads are multiplied and divided by a cost.
            is_exact: spread.is_some_and(|spread| grid.n_bits() + 2 * spread <= 53),
            n_sentinels,
            n_ranks: if is_even { 0 } else { cost.len() },
        }
    }

    /// Returns the rounding for fixed work that includes bytes, with up to `n_terms` terms.
    pub(super) fn with_fixed_terms(self, n_terms: usize) -> Self {
        Rounding { is_exact: false, n_sentinels: self.n_sentinels.max(n_terms), ..self }
    }

    /// Returns the largest number of fixed terms on any rank.
    pub(super) fn n_sentinels(&self) -> usize {
        self.n_sentinels
    }

    /// Returns a lower bound on any computed work that is `work` in real numbers and includes at most
    /// `capacity` seconds of items.
    pub(super) fn down(&self, work: f64, items: &Items, capacity: f64) -> f64 {
        if self.is_exact {
            return work;
        }
        down(work, self.n_terms(items, capacity))
    }

    /// Returns the number of terms in the sums for a rank with at most `capacity` seconds of items.
    pub(super) fn n_terms(&self, items: &Items, capacity: f64) -> usize {
        items.objects().most_within(capacity) + self.n_sentinels + 3 * self.n_ranks
    }
}

/// Returns `work` minus the possible loss of a sum of `n_terms` terms and further operations; at least 0.
pub(super) fn down(work: f64, n_terms: usize) -> f64 {
    /// Loss by rounding of subnormal numbers.
    const LEAST: f64 = 5e-324;
    let lost = (n_terms + OTHERS) as f64 * (HALF_ULP * work + LEAST);
    (work - lost).max(0.0)
}

/// True if the sum of the numbers is exact in any order.
pub(super) fn are_whole(numbers: &[f64]) -> bool {
    Grid::of(numbers).n_bits() <= 53
}

/// Returns the exponent of a power of two, `None` for other numbers.
fn power_of_two(number: f64) -> Option<i32> {
    let (mantissa, exponent) = parts(number);
    (number > 0.0 && mantissa.is_power_of_two()).then(|| exponent + mantissa.trailing_zeros().cast_signed())
}

/// Numbers as integer multiples of a power of two.
#[derive(Clone, Copy)]
struct Grid {
    /// Exponent of the largest power of two of which all numbers are multiples.
    unit: i32,
    sum: f64,
}

impl Grid {
    fn of(numbers: &[f64]) -> Self {
        numbers.iter().copied().fold(Grid { unit: i32::MAX, sum: 0.0 }, Grid::with)
    }

    fn with(self, number: f64) -> Self {
        if number <= 0.0 {
            return self;
        }
        let (mantissa, exponent) = parts(number);
        Grid {
            unit: self.unit.min(exponent + mantissa.trailing_zeros().cast_signed()),
            sum: self.sum + number,
        }
    }

    /// Returns the number of bits of the sum above the unit.
    fn n_bits(self) -> i32 {
        if self.sum <= 0.0 {
            return 0;
        }
        let (mantissa, exponent) = parts(self.sum);
        exponent + (u64::BITS - mantissa.leading_zeros()).cast_signed() - self.unit
    }
}

/// Returns `m` and `e` of a number `m x 2^e` with integer `m`, without its sign.
fn parts(number: f64) -> (u64, i32) {
    const DIGITS: u32 = f64::MANTISSA_DIGITS - 1;
    let bits = number.abs().to_bits();
    let (fraction, exponent) = (bits & ((1 << DIGITS) - 1), (bits >> DIGITS) as i32);
    // Subnormal numbers have no implicit leading 1.
    if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << DIGITS, exponent - 1075) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_and_powers_of_two_are_found() {
        let n_bits = |numbers: &[f64]| Grid::of(numbers).n_bits();
        assert_eq!(n_bits(&[]), 0);
        assert_eq!(n_bits(&[1.0, 0.0]), 1);
        // The sum is 27 quarters, and 27 has 5 bits.
        assert_eq!(n_bits(&[0.25, 6.5]), 5);
        assert_eq!(n_bits(&[5e-324, 1.5e-323]), 3);
        assert!(n_bits(&[0.1, 0.2]) > 53);
        assert!(n_bits(&[1e300, 5e-324]) > 53);
        assert_eq!([1.0, 0.125, 5e-324, 8.0].map(power_of_two), [0, -3, -1074, 3].map(Some));
        assert_eq!([0.0, 3.0, 0.1].map(power_of_two), [None; 3]);
    }

    #[test]
    fn a_sum_rounded_down_is_at_most_the_sum_in_reverse_order() {
        let loads = [0.1, 0.7, 0.3, 1e-17, 0.2, 0.9, 1e-17];
        let sum = |order: &mut dyn Iterator<Item = &f64>| order.fold(0.0, |sum, load| sum + load);
        let (forth, back) = (sum(&mut loads.iter()), sum(&mut loads.iter().rev()));
        assert!(forth != back);
        assert!(down(forth.max(back), loads.len()) <= forth.min(back));
        assert_eq!([down(1e-323, 0), down(5e-324, 9)], [0.0; 2]);
    }
}
