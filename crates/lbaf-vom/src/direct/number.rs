// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers and literals of JSON. Functions return `None` for text of another form, and for numbers that need special
//! care, which are read with the tape.

/// Maximum number of digits with which an integer certainly fits into 64 bits, even with a sign.
const SURE_DIGITS: usize = 18;

/// Reads an integer of up to 18 digits without a sign.
#[inline]
pub(super) fn unsigned(text: &[u8]) -> Option<u64> {
    let is_plain = text.len() == 1 || text.first() != Some(&b'0');
    if !is_plain || text.is_empty() || text.len() > SURE_DIGITS {
        return None;
    }
    text.iter()
        .try_fold(0_u64, |number, &byte| byte.is_ascii_digit().then(|| 10 * number + u64::from(byte - b'0')))
}

/// Reads an integer of up to 18 digits.
#[inline]
pub(super) fn integer(text: &[u8]) -> Option<i64> {
    match text.strip_prefix(b"-") {
        Some(digits) => unsigned(digits).map(|number| -number.cast_signed()),
        None => unsigned(text).map(u64::cast_signed),
    }
}

/// Powers of ten that are exact as floating-point numbers.
const EXACT_POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// Reads a number without a sign.
///
/// The number is the integer that its digits form without the point, divided by a power of ten. Both are exact in
/// floating point if the integer is at most 2^53 and the number has at most 22 decimals, so the result is correctly
/// rounded (W. D. Clinger, How to read floating point numbers accurately, PLDI 1990, doi:10.1145/93542.93557).
#[inline]
pub(super) fn magnitude(text: &[u8]) -> Option<f64> {
    let (mut digits, mut point) = (0_u64, None);
    for (at, &byte) in text.iter().enumerate() {
        match byte {
            b'0'..=b'9' if at < SURE_DIGITS => digits = 10 * digits + u64::from(byte - b'0'),
            b'.' if point.is_none() => point = Some(at),
            _ => return other_magnitude(text),
        }
    }
    let n_whole = point.unwrap_or(text.len());
    let n_decimals = point.map_or(0, |point| text.len() - 1 - point);
    let is_number = n_whole > 0 && (n_whole == 1 || text[0] != b'0') && (point.is_none() || n_decimals > 0);
    if !is_number {
        return None;
    }
    if digits > 1 << 53 {
        return std::str::from_utf8(text).ok()?.parse().ok();
    }
    Some(digits as f64 / EXACT_POWERS[n_decimals])
}

/// Reads a number with a fraction or an exponent, of any length, without a sign.
#[cold]
fn other_magnitude(text: &[u8]) -> Option<f64> {
    let is_sure = form(text)? != Form::Integer || text.len() <= SURE_DIGITS;
    let number: f64 = std::str::from_utf8(text).ok()?.parse().ok()?;
    (is_sure && text[0] != b'-' && number.is_finite()).then_some(number)
}

/// True for a literal, or a number that needs no special care.
pub(super) fn is_scalar(text: &[u8]) -> bool {
    match text {
        b"true" | b"false" | b"null" => true,
        _ => match form(text) {
            Some(Form::Integer) => text.len() <= SURE_DIGITS,
            Some(Form::Fraction) => text.len() <= 2 * SURE_DIGITS,
            Some(Form::Exponent) => {
                let number = std::str::from_utf8(text).ok().and_then(|text| text.parse::<f64>().ok());
                number.is_some_and(f64::is_finite)
            }
            None => false,
        },
    }
}

/// Form of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Integer,
    Fraction,
    Exponent,
}

/// Returns the form of a number; `None` if the text is not a number of JSON.
#[inline]
fn form(text: &[u8]) -> Option<Form> {
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut rest = text.strip_prefix(b"-").unwrap_or(text);
    let n_whole = digits(rest);
    if n_whole == 0 || n_whole > 1 && rest[0] == b'0' {
        return None;
    }
    rest = &rest[n_whole..];
    let mut form = Form::Integer;
    if let Some(fraction) = rest.strip_prefix(b".") {
        let n_fraction = digits(fraction);
        if n_fraction == 0 {
            return None;
        }
        (rest, form) = (&fraction[n_fraction..], Form::Fraction);
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let unsigned = exponent.strip_prefix(b"+").or_else(|| exponent.strip_prefix(b"-"));
        let exponent = unsigned.unwrap_or(exponent);
        let n_exponent = digits(exponent);
        if n_exponent == 0 {
            return None;
        }
        (rest, form) = (&exponent[n_exponent..], Form::Exponent);
    }
    rest.is_empty().then_some(form)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_form_of_json() {
        for text in ["0", "12", "-3", "1.5", "-0.25", "1e5", "1.5E-3", "0e+0", "true", "false", "null"] {
            assert!(is_scalar(text.as_bytes()), "{text}");
        }
        for text in ["", "01", "-", "1.", ".5", "1e", "1e+", "+1", "1 2", "NaN", "tru", "1e999", "0x1", "1,5"]
        {
            assert!(!is_scalar(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn numbers_are_read_exactly() {
        assert_eq!(unsigned(b"262147"), Some(262_147));
        assert_eq!(unsigned(b"0"), Some(0));
        for text in ["", "01", "-1", "1.0", "1e3", "12345678901234567890"] {
            assert_eq!(unsigned(text.as_bytes()), None, "{text}");
        }
        assert_eq!((integer(b"-1"), integer(b"7"), integer(b"-01")), (Some(-1), Some(7), None));
        assert_eq!(magnitude(b"0.1"), Some(0.1));
        assert_eq!(magnitude(b"123456789012345678"), Some(123_456_789_012_345_678_f64));
        assert_eq!(magnitude(b"1e-3"), Some(1e-3));
        assert_eq!(magnitude(b"123456789.123456789"), Some(123_456_789.123_456_79));
        for text in ["-1", "-0.0", "", ".", "1.", ".5", "1.2.3", "1e999", "01", "12345678901234567890123"] {
            assert_eq!(magnitude(text.as_bytes()), None, "{text}");
        }
    }
}
