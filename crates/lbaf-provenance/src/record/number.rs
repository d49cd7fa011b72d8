// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers as databases spell them.

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::Serializer;

/// Reads an integer, also from a floating-point number. Fractions are rounded.
pub(super) fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    struct Whole;
    impl Visitor<'_> for Whole {
        type Value = i64;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a whole number")
        }

        fn visit_i64<E: de::Error>(self, value: i64) -> Result<i64, E> {
            Ok(value)
        }

        fn visit_u64<E: de::Error>(self, value: u64) -> Result<i64, E> {
            i64::try_from(value).map_err(|_| E::custom(format_args!("{value} is too large")))
        }

        fn visit_f64<E: de::Error>(self, value: f64) -> Result<i64, E> {
            // Slightly more than 2^63, the limit of `i64`. Larger values are not valid times or indices.
            if value.abs() < 9.3e18 {
                Ok(value.round() as i64)
            } else {
                Err(E::custom(format_args!("{value} is too large")))
            }
        }
    }
    deserializer.deserialize_any(Whole)
}

/// Reads an integer; null counts as 0.
pub(super) fn whole_or_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    #[derive(serde::Deserialize)]
    struct Wrapped(#[serde(deserialize_with = "whole")] i64);
    Ok(Option::<Wrapped>::deserialize(deserializer)?.map_or(0, |Wrapped(value)| value))
}

/// Reads a score. Null counts as -1, because scores that are not numbers are written as null.
pub(super) fn score_or_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::<f64>::deserialize(deserializer)?.unwrap_or(-1.0))
}

/// Reads a value; null counts as the default.
pub(super) fn or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}

/// Writes a number without a fraction as an integer, like Chimbuko's times. Times of exported tasks can have
/// fractions.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
pub(super) fn whole_if_exact<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    // 2^53: doubles represent all integers up to this number.
    if value.fract() == 0.0 && value.abs() < 9_007_199_254_740_992.0 {
        serializer.serialize_i64(*value as i64)
    } else {
        serializer.serialize_f64(*value)
    }
}
