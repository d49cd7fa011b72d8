// SPDX-License-Identifier: MIT OR Apache-2.0
//! Round steps: one, two or five times a power of ten.

use std::ops::Range;

/// Distance between ticks or edges of bins: `digit` times ten to the `exponent`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    digit: u8,
    pub(crate) exponent: i32,
}

impl Step {
    /// Returns the largest power of ten up to `length`; with `whole`, at least 1.
    pub(crate) fn below(length: f64, whole: bool) -> Self {
        let exponent = exponent_of(length);
        Self { digit: 1, exponent: if whole { exponent.max(0) } else { exponent } }
    }

    pub(crate) const fn next(self) -> Self {
        match self.digit {
            1 => Self { digit: 2, ..self },
            2 => Self { digit: 5, ..self },
            _ => Self { digit: 1, exponent: self.exponent + 1 },
        }
    }

    /// Returns the value of a multiple.
    pub(crate) fn at(self, multiple: i64) -> f64 {
        let count = multiple as f64 * f64::from(self.digit);
        times_ten_to(count, self.exponent)
    }

    /// Returns the number of whole steps in a non-negative value.
    pub(crate) fn multiple_below(self, value: f64) -> i64 {
        // The quotient is rounded, so the multiples are compared with the value.
        let mut multiple = (value / self.at(1)).floor() as i64;
        while self.at(multiple) > value {
            multiple -= 1;
        }
        while self.at(multiple + 1) <= value {
            multiple += 1;
        }
        multiple
    }

    /// Returns the numbers of the multiples in a range, both ends included.
    pub(crate) fn multiples(self, range: &Range<f64>) -> Range<i64> {
        let unit = self.at(1);
        let first = (range.start / unit).ceil() as i64;
        let last = (range.end / unit).floor() as i64;
        first..last + 1
    }
}

/// Multiplies a number by a power of ten. Negative exponents divide by the inverse power: 3 / 10 is the floating-point
/// number nearest to 0.3, but 3 x 0.1 is not.
pub(crate) fn times_ten_to(number: f64, exponent: i32) -> f64 {
    let power = libm::pow(10.0, f64::from(exponent.abs()));
    if exponent < 0 { number / power } else { number * power }
}

/// Returns the exponent of the first digit of a positive number. It is read from the printed number, because a rounded
/// logarithm can be off by one.
pub(crate) fn exponent_of(number: f64) -> i32 {
    exponent_in(&format!("{number:e}"))
}

pub(crate) fn exponent_in(scientific: &str) -> i32 {
    let (_, exponent) = scientific.split_once('e').expect("invariant: this format writes an exponent");
    exponent.parse().expect("invariant: the exponent is an integer")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_ones_twos_and_fives() {
        let steps: Vec<f64> = std::iter::successors(Some(Step::below(0.02, false)), |step| Some(step.next()))
            .map(|step| step.at(1))
            .take(5)
            .collect();
        assert_eq!(steps, [0.01, 0.02, 0.05, 0.1, 0.2]);
    }

    #[test]
    fn multiples_are_the_decimal_numbers() {
        let tenth = Step::below(0.1, false);
        assert_eq!(tenth.at(3), 0.3);
        assert_eq!(tenth.at(7), 0.7);
    }

    #[test]
    fn finds_the_multiple_below_at_and_beside_an_edge() {
        let tenth = Step::below(0.1, false);
        assert_eq!(tenth.multiple_below(0.0), 0);
        // 0.3 / 0.1 is 2.9999999999999996.
        assert_eq!(tenth.multiple_below(0.3), 3);
        assert_eq!(tenth.multiple_below(0.3_f64.next_down()), 2);
    }

    #[test]
    fn reads_exponents_exactly() {
        for exponent in -300..300 {
            let number: f64 = format!("1e{exponent}").parse().unwrap();
            assert_eq!(exponent_of(number), exponent);
        }
    }
}
