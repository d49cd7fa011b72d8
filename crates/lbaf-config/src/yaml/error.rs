// SPDX-License-Identifier: MIT OR Apache-2.0
//! Error type of configurations.

use std::fmt::Display;

use serde::de::{Expected, Unexpected};

use super::{Place, words};

/// Error in a configuration, with its place and key.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{path}{}{message}", if path.is_empty() { "" } else { ": " })]
pub struct Error {
    /// Description of the error and its remedy.
    pub message: String,
    /// Place of the faulty key or value.
    pub place: Option<Place>,
    /// Path of the invalid value, such as `a.b[2].c`. For an invalid key, the path of its mapping, which is empty at
    /// the top level.
    pub path: String,
}

impl Error {
    /// Creates an error at a place.
    pub fn new(message: impl Into<String>, place: Place) -> Self {
        Self { message: message.into(), place: Some(place), path: String::new() }
    }

    /// Prepends `parent` to the path: a key, keys joined by dots or an index `[2]`.
    #[must_use]
    pub fn within(mut self, parent: &str) -> Self {
        let joined = parent.is_empty() || self.path.is_empty() || self.path.starts_with('[');
        let dot = if joined { "" } else { "." };
        self.path = format!("{parent}{dot}{}", self.path);
        self
    }

    /// Sets the place, unless the error has one: the innermost place is the most precise.
    pub(super) fn or_at(mut self, place: Place) -> Self {
        self.place.get_or_insert(place);
        self
    }
}

impl serde::de::Error for Error {
    fn custom<T: Display>(message: T) -> Self {
        Self { message: message.to_string(), place: None, path: String::new() }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let quotable = matches!(
            found,
            Unexpected::Bool(_) | Unexpected::Unsigned(_) | Unexpected::Signed(_) | Unexpected::Float(_)
        );
        let expected = words::expected_type(expected);
        let hint = if quotable && expected == "a string" { "; quote it to make it a string" } else { "" };
        Self::custom(format_args!("expected {expected}, found {}{hint}", words::found(found)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format_args!(
            "expected {}, found {}",
            words::expected_value(expected),
            words::found(found)
        ))
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self::custom(format_args!("expected {}, found {length}", words::expected_type(expected)))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Self::custom(format_args!("unknown value `{variant}`{}", words::instead(variant, expected)))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Self::custom(format_args!("unknown key `{field}`{}", words::instead(field, expected)))
    }

    fn missing_field(field: &'static str) -> Self {
        Self::custom(format_args!("missing key `{field}`"))
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::custom(format_args!("`{field}` is given twice, under two of its names"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::de::Error as _;

    #[test]
    fn joins_keys_and_indices_into_a_path() {
        let error = Error::custom("no").within("c").within("[2]").within("b").within("a");
        assert_eq!(error.to_string(), "a.b[2].c: no");
        assert_eq!(Error::custom("no").to_string(), "no");
    }
}
