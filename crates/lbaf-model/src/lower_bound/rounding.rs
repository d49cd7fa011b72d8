// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bounds on work as it is computed, rounding included.
//!
//! The proofs of bounds are about real numbers. The work of a rank is a sum of floating-point numbers in some order, and may be
//! less than the real sum of the same numbers; then a placement that reaches the bound would be below it by some ulps. So bounds
//! are rounded down by as much as sums may lose:
//!
//! * A sum of `n` numbers that are not negative loses `n - 1` halves of an ulp of itself at most (N. J. Higham, Accuracy and
//!   Stability of Numerical Algorithms, 2002, section 4.2, to first order; the terms of higher order are covered by what is
//!   added here).
//! * A rank that reaches a bound has no more objects than the smallest that sum up to it, or else has clearly more work. What
//!   counts is objects also where they are placed block by block: work is summed up object by object.
//! * Where all loads are multiples of a power of two, of which the total is less than 2^53, and speeds are powers of two,
//!   nothing is rounded in any order, and a bound stays as it is: work is a floating-point number, and the least such number
//!   above a quotient is no less than its rounding.
//!
//! A bound by a single object needs none of this: rounding is monotone, and no sum is less than one of its terms.

use super::items::Items;

/// Half an ulp of 1.
const HALF_ULP: f64 = f64::EPSILON / 2.0;

/// Operations for a work and a bound beside sums.
const OTHERS: usize = 16;

/// Rounding of the bounds of a instance.
pub(super) struct Rounding {
    /// True if no sum in the instance is rounded.
    is_exact: bool,
    /// Most objects that may not move and have load, on any rank.
    n_sentinels: usize,
    /// Ranks over which sums run that need not be whole numbers.
    n_ranks: usize,
}

impl Rounding {
    /// That of ranks with these costs of load, and of items beside sentinels with these loads, of which a rank has
    /// `n_sentinels` at most. O(ranks + loads).
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
            // Loads times and divided by a cost.
            is_exact: spread.is_some_and(|spread| grid.n_bits() + 2 * spread <= 53),
            n_sentinels,
            n_ranks: if is_even { 0 } else { cost.len() },
        }
    }

    /// The same if ranks have more than load for certain, of so many terms.
    pub(super) fn beside(self, n_terms: usize) -> Self {
        Rounding { is_exact: false, n_sentinels: self.n_sentinels.max(n_terms), ..self }
    }

    /// Terms of what may not move, at most, of any rank.
    pub(super) fn n_sentinels(&self) -> usize {
        self.n_sentinels
    }

    /// No more than any work that is `work` in real numbers, of which `room` seconds are items at most.
    pub(super) fn down(&self, work: f64, items: &Items, room: f64) -> f64 {
        if self.is_exact {
            return work;
        }
        down(work, self.n_terms(items, room))
    }

    /// Terms of the sums for a rank with `room` seconds of items at most.
    pub(super) fn n_terms(&self, items: &Items, room: f64) -> usize {
        items.objects().most_within(room) + self.n_sentinels + 3 * self.n_ranks
    }
}

/// A number less by what a sum of so many terms, and what is made of it, may lose; not below 0.
pub(super) fn down(work: f64, n_terms: usize) -> f64 {
    /// Loss by rounding to the smallest numbers, which have no digits to spare.
    const LEAST: f64 = 5e-324;
    let lost = (n_terms + OTHERS) as f64 * (HALF_ULP * work + LEAST);
    (work - lost).max(0.0)
}

/// True if numbers have the same sum in any order, because nothing is rounded.
pub(super) fn are_whole(numbers: &[f64]) -> bool {
    Grid::of(numbers).n_bits() <= 53
}

/// The exponent of a power of two.
fn power_of_two(number: f64) -> Option<i32> {
    let (mantissa, exponent) = parts(number);
    (number > 0.0 && mantissa.is_power_of_two()).then(|| exponent + mantissa.trailing_zeros().cast_signed())
}

/// Numbers as whole multiples of a power of two.
#[derive(Clone, Copy)]
struct Grid {
    /// The exponent of the largest power of two of which all are multiples.
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

    /// Bits of the sum above the unit.
    fn n_bits(self) -> i32 {
        if self.sum <= 0.0 {
            return 0;
        }
        let (mantissa, exponent) = parts(self.sum);
        exponent + (u64::BITS - mantissa.leading_zeros()).cast_signed() - self.unit
    }
}

/// A positive number as a whole one and the exponent of a power of two.
fn parts(number: f64) -> (u64, i32) {
    const DIGITS: u32 = f64::MANTISSA_DIGITS - 1;
    let bits = number.abs().to_bits();
    let (fraction, exponent) = (bits & ((1 << DIGITS) - 1), (bits >> DIGITS) as i32);
    // The smallest numbers have no leading 1.
    if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << DIGITS, exponent - 1075) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_whole_multiples() {
        let n_bits = |numbers: &[f64]| Grid::of(numbers).n_bits();
        assert_eq!(n_bits(&[]), 0);
        assert_eq!(n_bits(&[1.0, 0.0]), 1);
        // 27 quarters.
        assert_eq!(n_bits(&[0.25, 6.5]), 5);
        assert_eq!(n_bits(&[5e-324, 1.5e-323]), 3);
        assert!(n_bits(&[0.1, 0.2]) > 53);
        assert!(n_bits(&[1e300, 5e-324]) > 53);
        assert_eq!([1.0, 0.125, 5e-324, 8.0].map(power_of_two), [0, -3, -1074, 3].map(Some));
        assert_eq!([0.0, 3.0, 0.1].map(power_of_two), [None; 3]);
    }

    #[test]
    fn what_sums_may_lose_is_below_every_order_of_summation() {
        let loads = [0.1, 0.7, 0.3, 1e-17, 0.2, 0.9, 1e-17];
        let sum = |order: &mut dyn Iterator<Item = &f64>| order.fold(0.0, |sum, load| sum + load);
        let (forth, back) = (sum(&mut loads.iter()), sum(&mut loads.iter().rev()));
        assert!(forth != back);
        assert!(down(forth.max(back), loads.len()) <= forth.min(back));
        assert_eq!([down(1e-323, 0), down(5e-324, 9)], [0.0; 2]);
    }
}
