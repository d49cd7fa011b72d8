// SPDX-License-Identifier: MIT OR Apache-2.0
//! JSON as spelled by Chimbuko.
//!
//! A floating-point number has the shortest digits that identify it. It has an exponent if it would otherwise have more
//! than 15 digits before the point, or at least four zeros directly after the point. An exponent has at least two
//! digits.

use std::io::{self, Write};

use serde::Serializer as _;
use serde::ser::SerializeSeq as _;
use serde_json::Value;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};

/// Prints an array record by record, with four spaces for each level and a line feed at the end.
pub(super) fn indented(
    records: impl Iterator<Item = Value>,
    out: &mut (impl Write + ?Sized),
) -> io::Result<()> {
    printed(records, PrettyFormatter::with_indent(b"    "), out)?;
    out.write_all(b"\n")
}

/// Prints an array record by record, in one line without a line feed.
pub(super) fn compact(
    records: impl Iterator<Item = Value>,
    out: &mut (impl Write + ?Sized),
) -> io::Result<()> {
    printed(records, CompactFormatter, out)
}

fn printed<F: Formatter>(
    records: impl Iterator<Item = Value>,
    layout: F,
    out: &mut (impl Write + ?Sized),
) -> io::Result<()> {
    let mut serializer = Serializer::with_formatter(out, Numbers(layout));
    let mut array = serializer.serialize_seq(None)?;
    for record in records {
        array.serialize_element(&record)?;
    }
    Ok(array.end()?)
}

/// Layout that spells floating-point numbers like Chimbuko's library and leaves all else to another layout.
struct Numbers<F>(F);

/// Forwards calls to the layout.
macro_rules! hand_on {
    ($($name:ident($($argument:ident: $type:ty),*);)*) => {
        $(fn $name<W: ?Sized + Write>(&mut self, writer: &mut W $(, $argument: $type)*) -> io::Result<()> {
            self.0.$name(writer $(, $argument)*)
        })*
    };
}

impl<F: Formatter> Formatter for Numbers<F> {
    hand_on! {
        begin_array();
        end_array();
        begin_array_value(first: bool);
        end_array_value();
        begin_object();
        end_object();
        begin_object_key(first: bool);
        end_object_key();
        begin_object_value();
        end_object_value();
    }

    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        writer.write_all(spelled(value).as_bytes())
    }
}

fn spelled(value: f64) -> String {
    // Shortest digits that identify the number.
    let scientific = format!("{value:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let sign = if mantissa.starts_with('-') { "-" } else { "" };
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    // Number of digits before the point.
    let n_whole = exponent.parse::<i32>().unwrap_or(0) + 1;
    let n_digits = digits.len();
    match usize::try_from(n_whole) {
        Ok(n_whole) if n_digits <= n_whole && n_whole <= 15 => {
            format!("{sign}{digits}{}.0", "0".repeat(n_whole - n_digits))
        }
        Ok(n_whole @ 1..=15) => format!("{sign}{}.{}", &digits[..n_whole], &digits[n_whole..]),
        _ if (-3..=0).contains(&n_whole) => {
            format!("{sign}0.{}{digits}", "0".repeat(n_whole.unsigned_abs() as usize))
        }
        _ => {
            let point = if n_digits > 1 { "." } else { "" };
            let sign_of_exponent = if n_whole > 0 { '+' } else { '-' };
            let exponent = (n_whole - 1).unsigned_abs();
            format!("{sign}{}{point}{}e{sign_of_exponent}{exponent:02}", &digits[..1], &digits[1..])
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_are_spelled_as_by_chimbuko() {
        for (value, expected) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (399_107.0, "399107.0"),
            (100.000_111, "100.000111"),
            (0.001, "0.001"),
            (0.000_1, "0.0001"),
            (0.000_012_5, "1.25e-05"),
            (1e14, "100000000000000.0"),
            (1e15, "1e+15"),
            (-1.5e300, "-1.5e+300"),
            (123_456_789_012_345.6, "123456789012345.6"),
            (1_234_567_890_123_456.0, "1.234567890123456e+15"),
        ] {
            assert_eq!(spelled(value), expected);
        }
    }

    #[test]
    fn empty_arrays_stay_in_their_line() {
        let records = || [json!({"a": [], "b": {}, "c": [1, 2.0]})].into_iter();
        let mut out = Vec::new();
        compact(records(), &mut out).expect("memory takes it");
        assert_eq!(out, br#"[{"a":[],"b":{},"c":[1,2.0]}]"#);
        out.clear();
        indented(records(), &mut out).expect("memory takes it");
        let expected = "[\n    {\n        \"a\": [],\n        \"b\": {},\n        \"c\": [\n            1,\n            2.0\n        \
                        ]\n    }\n]\n";
        assert_eq!(String::from_utf8(out).expect("text"), expected);
        for (print, expected) in [(true, "[]\n"), (false, "[]")] {
            let mut out = Vec::new();
            let none = std::iter::empty();
            let printed = if print { indented(none, &mut out) } else { compact(none, &mut out) };
            assert!(printed.is_ok() && out == expected.as_bytes(), "{expected}");
        }
    }

    proptest! {
        #[test]
        fn every_written_number_is_read_unchanged(bits: u64) {
            let value = f64::from_bits(bits);
            if value.is_finite() {
                let read: f64 = serde_json::from_str(&spelled(value)).expect("a number");
                prop_assert_eq!(read.to_bits(), bits);
            }
        }
    }
}
