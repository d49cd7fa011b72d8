// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conversion of JSON values into cells. Values of another type are kept as JSON text.

use std::borrow::Cow;

use crate::members::Text;
use crate::rest::Rest;

/// Value that a cell can hold.
pub(crate) trait Leaf<'d>: Sized {
    /// Converts the text of a JSON value; `None` if the value has another type or is out of range.
    fn of(json: &'d str) -> Option<Self>;
}

/// Puts a JSON value or null into its cell. A value that the cell cannot hold is added to `rest` instead.
pub(crate) fn fill<'d, T: Leaf<'d>>(cell: &mut Option<T>, key: &str, json: &'d str, rest: &mut Rest) {
    match T::of(json) {
        None if json != "null" => rest.add(key, json),
        value => *cell = value,
    }
}

/// Like [`fill`], but a negative number, which stands for an absent value, makes the cell null.
pub(crate) fn fill_unless_negative<'d, T: Leaf<'d>>(
    cell: &mut Option<T>,
    key: &str,
    json: &'d str,
    rest: &mut Rest,
) {
    if f64::of(json).is_some_and(|number| number < 0.0) {
        *cell = None;
    } else {
        fill(cell, key, json, rest);
    }
}

impl Leaf<'_> for u64 {
    fn of(json: &str) -> Option<Self> {
        // The second conversion accepts -0.
        json.parse().ok().or_else(|| u64::try_from(json.parse::<i64>().ok()?).ok())
    }
}

impl Leaf<'_> for i64 {
    fn of(json: &str) -> Option<Self> {
        json.parse().ok()
    }
}

impl Leaf<'_> for f64 {
    fn of(json: &str) -> Option<Self> {
        // Excludes numbers too large for `f64`. Names like "inf" are not JSON and never occur here.
        json.parse().ok().filter(|number: &f64| number.is_finite())
    }
}

impl Leaf<'_> for bool {
    fn of(json: &str) -> Option<Self> {
        json.parse().ok()
    }
}

impl<'d> Leaf<'d> for Cow<'d, str> {
    fn of(json: &'d str) -> Option<Self> {
        serde_json::from_str::<Text<'d>>(json).ok().map(|Text(text)| text)
    }
}

impl Leaf<'_> for Vec<i64> {
    fn of(json: &str) -> Option<Self> {
        serde_json::from_str(json).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_exact_or_rejected() {
        assert_eq!(u64::of("18446744073709551615"), Some(u64::MAX));
        assert_eq!(u64::of("-0"), Some(0));
        for other in ["-1", "1.0", "1e3", "\"1\"", "true", "[]", "18446744073709551616"] {
            assert_eq!(u64::of(other), None, "{other}");
        }
        assert_eq!(f64::of("1.5e-3"), Some(0.0015));
        assert_eq!(f64::of("1e999"), None);
    }

    #[test]
    fn values_of_other_types_are_kept_separately() {
        let mut rest = Rest::default();
        let mut cell = Some(5_u64);
        fill(&mut cell, "collection_id", "\"seven\"", &mut rest);
        assert_eq!(cell, Some(5));
        fill(&mut cell, "collection_id", "null", &mut rest);
        assert_eq!(cell, None);
        fill_unless_negative(&mut cell, "shared_id", "-1.0", &mut rest);
        fill_unless_negative(&mut cell, "home", "0.5", &mut rest);
        assert_eq!(cell, None);
        assert_eq!(rest.into_text().as_deref(), Some(r#"{"collection_id":"seven","home":0.5}"#));
    }
}
