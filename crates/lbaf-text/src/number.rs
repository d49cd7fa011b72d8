// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers formatted for people.

/// Formats a number with six significant digits, without trailing zeros. A magnitude from 10^10 on, or below 0.00001
/// but not 0, has an exponent. Otherwise, all digits before the decimal point are kept, even if there are more than
/// six.
pub fn significant(number: f64) -> String {
    significant_to(number, 6)
}

/// Like [`significant`], with `digits` significant digits.
pub fn significant_to(number: f64, digits: u8) -> String {
    if number == 0.0 || !number.is_finite() {
        return format!("{number}");
    }
    // Rounds first, because rounding can carry into another power of ten.
    let rounded = format!("{number:.*e}", usize::from(digits.saturating_sub(1)));
    let (mantissa, exponent) = rounded.split_once('e').unwrap_or((&rounded, "0"));
    let power: i32 = exponent.parse().unwrap_or(0);
    if (-5..10).contains(&power) {
        let decimals = usize::try_from(i32::from(digits) - 1 - power).unwrap_or(0);
        trim_zeros(&format!("{number:.decimals$}")).to_owned()
    } else {
        format!("{}e{power}", trim_zeros(mantissa))
    }
}

/// Formats a number like Python's `%.6g`: six significant digits, with an exponent below 0.0001 and from a million on.
pub fn general(number: f64) -> String {
    if number.is_nan() {
        return "nan".to_owned();
    }
    if number == 0.0 || number.is_infinite() {
        return format!("{number}");
    }
    // Rounds first, because rounding can carry into another power of ten.
    let rounded = format!("{number:.5e}");
    let (mantissa, exponent) = rounded.split_once('e').unwrap_or((&rounded, "0"));
    let power: i32 = exponent.parse().unwrap_or(0);
    match usize::try_from(5 - power) {
        Ok(decimals) if power >= -4 => trim_zeros(&format!("{number:.decimals$}")).to_owned(),
        _ => {
            let sign = if power < 0 { '-' } else { '+' };
            format!("{}e{sign}{:02}", trim_zeros(mantissa), power.abs())
        }
    }
}

/// Formats a fraction as a percentage: 0.27 as `27%`, 0.003 as `0.3%`. Percentages have no decimals from 10 % on, and
/// two significant digits below. Magnitudes below 0.0001 %, except 0, become `less than 0.0001%`.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent == 0.0 {
        "0%".to_owned()
    } else if percent.abs() < 1e-4 {
        "less than 0.0001%".to_owned()
    } else if percent.abs() >= 10.0 {
        format!("{percent:.0}%")
    } else {
        format!("{}%", significant_to(percent, 2))
    }
}

/// Like [`percent`], for a fraction that may be negative. A magnitude below 1e-12 is a rounding error and gives `0%`; of
/// others below 0.0001 %, the sign is omitted.
pub fn signed_percent(share: f64) -> String {
    if share.abs() < 1e-12 {
        "0%".to_owned()
    } else if share * 100.0 <= -1e-4 {
        format!("-{}", percent(-share))
    } else {
        percent(share)
    }
}

/// Formats a number of bytes with three significant digits and a decimal prefix: `1.54 MB`.
pub fn bytes(bytes: f64) -> String {
    const UNITS: [&str; 7] = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];
    let mut scaled = bytes;
    let mut unit = 0;
    while scaled.abs() >= 999.5 && unit + 1 < UNITS.len() {
        scaled /= 1000.0;
        unit += 1;
    }
    format!("{} {}", significant_to(scaled, 3), UNITS[unit])
}

/// Like [`percent`], but rounded up to two significant digits, for upper limits.
pub fn percent_at_most(share: f64) -> String {
    percent(rounded_up(share, 2))
}

/// Rounds a number up to `digits` significant digits. An excess below 1e-9 of the last digit counts as a rounding error
/// and is ignored. Zero, negative and non-finite numbers do not change.
pub fn rounded_up(number: f64, digits: i32) -> f64 {
    if number <= 0.0 || !number.is_finite() {
        return number;
    }
    let unit = libm::pow(10.0, libm::log10(number).floor() + f64::from(1 - digits));
    // Below the smallest unit, numbers have fewer digits anyway.
    if unit > 0.0 { (number / unit - 1e-9).ceil() * unit } else { number }
}

/// Formats a count with its noun: "1 rank", "2 ranks", "2 entries".
pub fn counted(count: usize, noun: &str) -> String {
    match noun.strip_suffix('y') {
        _ if count == 1 => format!("1 {noun}"),
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{count} {stem}ies"),
        _ => format!("{count} {noun}s"),
    }
}

fn trim_zeros(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_shares_have_a_sign_and_rounding_errors_have_none() {
        let cases = [(-0.0012, "-0.12%"), (0.27, "27%"), (-1e-16, "0%"), (1e-16, "0%"), (-0.5, "-50%")];
        for (share, expected) in cases {
            assert_eq!(signed_percent(share), expected);
        }
    }

    /// Regression: the plural of "entry" was "entrys".
    #[test]
    fn counts_have_the_plural_of_their_noun() {
        let counts = [
            counted(1, "rank"),
            counted(0, "rank"),
            counted(1, "entry"),
            counted(2, "entry"),
            counted(2, "key"),
        ];
        assert_eq!(counts, ["1 rank", "0 ranks", "1 entry", "2 entries", "2 keys"]);
    }

    #[test]
    fn tiny_negative_shares_do_not_have_a_sign_before_words() {
        assert_eq!(signed_percent(-1e-8), "less than 0.0001%");
    }

    #[test]
    fn the_smallest_numbers_rounded_up_are_not_nan() {
        assert_eq!(rounded_up(1e-323, 2), 1e-323);
        assert_eq!(percent_at_most(1e-323), "less than 0.0001%");
    }

    #[test]
    fn numbers_have_six_digits_or_all_before_the_decimal_point() {
        let cases = [
            (0.0, "0"),
            (0.992_172_9, "0.992173"),
            (10.581_7, "10.5817"),
            (999_999.7, "1000000"),
            (123_456_789.0, "123456789"),
            (9.360_3e9, "9360300000"),
            (9.360_3e10, "9.3603e10"),
            (1.234_567e-7, "1.23457e-7"),
            (-0.25, "-0.25"),
        ];
        for (number, expected) in cases {
            assert_eq!(significant(number), expected);
        }
    }

    /// Expected texts are those of Python's `'%.6g' % number`.
    #[test]
    fn pythons_general_format_has_at_least_two_digits_of_exponent_and_rounds_half_to_even() {
        let cases = [
            (0.0, "0"),
            (-0.0, "-0"),
            (32.0, "32"),
            (10.581_7, "10.5817"),
            (0.992_172_999, "0.992173"),
            (-0.25, "-0.25"),
            (999_999.4, "999999"),
            (999_999.5, "1e+06"),
            (123_456_789.0, "1.23457e+08"),
            (100_000.5, "100000"),
            (100_001.5, "100002"),
            (1e-4, "0.0001"),
            (9.999_995e-5, "0.0001"),
            (9.999_99e-5, "9.99999e-05"),
            (1.234_567e-7, "1.23457e-07"),
            (3.5e300, "3.5e+300"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "nan"),
        ];
        for (number, expected) in cases {
            assert_eq!(general(number), expected, "{number}");
        }
    }

    #[test]
    fn upper_limits_are_rounded_up() {
        let cases = [
            (120.0 / 87.5 - 1.0, "38%"),
            (2.5 / 2.45 - 1.0, "2.1%"),
            (0.000_5, "0.05%"),
            (0.02, "2%"),
            (0.285, "29%"),
            (0.0, "0%"),
            (0.099_9, "10%"),
        ];
        for (share, expected) in cases {
            assert_eq!(percent_at_most(share), expected, "{share}");
        }
        assert_eq!(significant_to(rounded_up(2.203_45, 3), 3), "2.21");
    }

    #[test]
    fn percentages_have_two_significant_digits_or_no_decimals() {
        let cases = [
            (0.0, "0%"),
            (0.27, "27%"),
            (0.003, "0.3%"),
            (0.999, "100%"),
            (2e-9, "less than 0.0001%"),
            (0.0949, "9.5%"),
        ];
        for (share, expected) in cases {
            assert_eq!(percent(share), expected);
        }
    }

    #[test]
    fn bytes_have_prefixes() {
        assert_eq!(bytes(0.0), "0 B");
        assert_eq!(bytes(999.7), "1 kB");
        assert_eq!(bytes(157_000_000.0), "157 MB");
    }
}
