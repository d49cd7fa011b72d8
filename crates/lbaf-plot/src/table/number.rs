// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers rounded to significant digits, independent of the output format.

/// Exponents of the leading digit for which numbers are printed without a power of ten.
const PLAIN: std::ops::Range<i32> = -4..6;

/// Maximum number of significant digits; a double has no more.
const MOST_DIGITS: u8 = 17;

/// Number of decimals and power of ten, common to all numbers of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Notation {
    decimals: usize,
    pub(super) power: i32,
}

impl Notation {
    /// Returns the notation for a number with `digits` significant digits. If the rounded number is below a million, all
    /// digits before the point are kept.
    pub(super) fn of(value: f64, digits: u8) -> Self {
        let digits = digits.clamp(1, MOST_DIGITS);
        // Rounds first, because rounding can carry into another power of ten.
        let leading = exponent(value, digits);
        let below_leading = i32::from(digits) - 1;
        if PLAIN.contains(&leading) {
            Self { decimals: usize::try_from(below_leading - leading).unwrap_or(0), power: 0 }
        } else {
            Self { decimals: usize::from(digits - 1), power: leading }
        }
    }

    /// Adds the decimals, up to 16 in total, that make `value` visible: a deviation or the length of an interval, which
    /// can be far smaller than the number.
    pub(super) fn showing(self, value: f64) -> Self {
        if value == 0.0 {
            return self;
        }
        let needed = usize::try_from(self.power - exponent(value, 1)).unwrap_or(0);
        let most = usize::from(MOST_DIGITS - 1);
        Self { decimals: self.decimals.max(needed.min(most)), ..self }
    }

    /// Writes the number in this notation, without a sign if it rounds to 0.
    pub(super) fn write(self, value: f64) -> Rounded {
        let Self { decimals, power } = self;
        let size = value.abs();
        let mantissa = |size: f64| format!("{size:.decimals$}");
        let text = match format!("{size:.decimals$e}").split_once('e') {
            _ if power == 0 => mantissa(size),
            // Division by a power of ten would round again.
            Some((mantissa, own)) if own.parse() == Ok(power) => mantissa.to_owned(),
            _ => mantissa(size / ten_to(power)),
        };
        let is_zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
        Rounded { negative: value < 0.0 && !is_zero, text }
    }
}

/// Number as its sign and digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rounded {
    pub(super) negative: bool,
    /// Digits, with or without a point.
    pub(super) text: String,
}

impl Rounded {
    /// Creates a count.
    pub(super) fn count(count: u64) -> Self {
        Self { negative: false, text: count.to_string() }
    }

    /// Creates the number 0 with a single digit.
    pub(super) fn zero() -> Self {
        Self::count(0)
    }

    /// Returns the digits before the point.
    pub(super) fn whole(&self) -> &str {
        self.text.split_once('.').map_or(&self.text, |(whole, _)| whole)
    }

    /// Returns the point and the digits after it.
    pub(super) fn fraction(&self) -> &str {
        &self.text[self.whole().len()..]
    }

    /// Returns the printed number times a power of ten.
    pub(super) fn value(&self, power: i32) -> f64 {
        let size = format!("{}e{power}", self.text).parse().expect("invariant: digits and an exponent");
        if self.negative { -f64::abs(size) } else { size }
    }
}

/// Returns the exponent of the leading digit after rounding.
fn exponent(value: f64, digits: u8) -> i32 {
    let text = format!("{:.*e}", usize::from(digits - 1), value.abs());
    text.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0)
}

/// Returns the number nearest to a power of ten, the same on every machine.
fn ten_to(power: i32) -> f64 {
    format!("1e{power}").parse().expect("invariant: a power of ten is a number")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: f64, digits: u8, text: &str, power: i32) {
        let notation = Notation::of(value, digits);
        let rounded = notation.write(value);
        let sign = if rounded.negative { "-" } else { "" };
        assert_eq!((format!("{sign}{}", rounded.text), notation.power), (text.to_owned(), power), "{value}");
    }

    #[test]
    fn rounds_where_the_digits_end() {
        // The double nearest to 9.995 is below 9.995.
        check(9.995, 3, "9.99", 0);
        check(9.995_000_1, 3, "10.0", 0);
        check(0.099_96, 3, "0.100", 0);
        check(-0.25, 3, "-0.250", 0);
        check(0.000_123_4, 3, "0.000123", 0);
        check(5.0, 1, "5", 0);
        check(5.0, 0, "5", 0);
    }

    #[test]
    fn keeps_digits_before_the_point() {
        check(12_345.6, 3, "12346", 0);
        check(999_499.0, 3, "999499", 0);
    }

    #[test]
    fn writes_tiny_and_huge_numbers_with_a_power_of_ten() {
        check(0.000_012_34, 3, "1.23", -5);
        // 999600 has six digits before the point, but rounds to 1.00e6.
        check(999_600.0, 3, "1.00", 6);
        check(1e-300, 3, "1.00", -300);
        check(1e300, 2, "1.0", 300);
        check(-9.996e300, 3, "-1.00", 301);
        check(f64::MAX, 3, "1.80", 308);
        check(5e-324, 2, "4.9", -324);
    }

    #[test]
    fn shows_the_smaller_number_in_the_notation_of_the_larger() {
        let notation = Notation::of(1.5e7, 3).showing(2e4);
        assert_eq!(notation.power, 7);
        assert_eq!(notation.write(1.5e7).text, "1.500");
        assert_eq!(notation.write(2e4).text, "0.002");
        assert_eq!(notation.write(-2e-9), Rounded { negative: false, text: "0.000".to_owned() });
        assert_eq!(Notation::of(1.0, 3).showing(0.0), Notation::of(1.0, 3));
        // At most 17 digits: one before the point and 16 after it.
        assert_eq!(Notation::of(1.0, 3).showing(1e-300).write(1.0).text.len(), 18);
    }

    #[test]
    fn the_value_is_that_of_the_printed_digits() {
        assert_eq!(Notation::of(-1.2345e9, 3).write(-1.2345e9).value(9), -1.23e9);
        assert_eq!(Rounded::count(12).value(0), 12.0);
    }
}
