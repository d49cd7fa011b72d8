// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plain wording for serde's error messages.

use serde::de::{Expected, Unexpected};

/// Describes the value found.
pub(super) fn found(value: Unexpected<'_>) -> String {
    match value {
        Unexpected::Bool(value) => format!("`{value}`"),
        Unexpected::Unsigned(number) => format!("the number {number}"),
        Unexpected::Signed(number) => format!("the number {number}"),
        Unexpected::Float(number) => format!("the number {number:?}"),
        Unexpected::Str(text) => format!("the string {text:?}"),
        Unexpected::Unit | Unexpected::Option => "no value".to_owned(),
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Map => "a mapping".to_owned(),
        other => other.to_string(),
    }
}

/// Describes the expected type, for a value of another type.
pub(super) fn expected_type(expected: &dyn Expected) -> String {
    let expected = expected.to_string();
    match expected.as_str() {
        "f32" | "f64" => "a number".to_owned(),
        "a boolean" => "`true` or `false`".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "a mapping".to_owned(),
        "unit" => "no value".to_owned(),
        name if integers(name).is_some() => "a whole number".to_owned(),
        name if name.starts_with("struct ") => "a mapping".to_owned(),
        name => match length(name) {
            Some(length) => format!("a list of {length} values"),
            None => expected,
        },
    }
}

/// Describes the expected values, for a value of the same type.
pub(super) fn expected_value(expected: &dyn Expected) -> String {
    match integers(&expected.to_string()) {
        Some((min, max)) => format!("a whole number from {min} to {max}"),
        None => expected_type(expected),
    }
}

/// Returns the known name that equals `name` except for case, `_`, `-` and blanks.
pub fn meant<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let letters = |name: &str| {
        let letters = name.chars().filter(|letter| !matches!(letter, '_' | '-' | ' '));
        letters.flat_map(char::to_lowercase).collect::<String>()
    };
    let asked = letters(name);
    let exact = known.iter().find(|known| **known == name);
    exact.or_else(|| known.iter().find(|known| letters(known) == asked)).copied()
}

/// Returns the known name of which `name` is probably a misspelling.
pub fn alike<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let lower = name.to_lowercase();
    let likeness = |other: &str| strsim::jaro_winkler(&lower, &other.to_lowercase());
    // Reversed to prefer the first name: `max_by` returns the last of equal maxima.
    let closest = known.iter().rev().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    closest.copied().filter(|closest| likeness(closest) >= LIKE)
}

/// Returns a suggestion for an unknown name, as the end of a sentence.
pub fn instead(name: &str, known: &[&str]) -> String {
    match (alike(name, known), known) {
        (Some(closest), _) => format!("; did you mean `{closest}`?"),
        (_, []) => "; none is expected here".to_owned(),
        (_, [only]) => format!("; expected `{only}`"),
        (_, known) => format!("; expected one of `{}`", known.join("`, `")),
    }
}

/// Minimum similarity for a suggestion: `betta` is similar enough to `beta`, but not to `delta`.
const LIKE: f64 = 0.85;

/// Returns the range of an integer type, given by name.
fn integers(name: &str) -> Option<(i128, i128)> {
    Some(match name {
        "u8" => (0, u8::MAX.into()),
        "u16" => (0, u16::MAX.into()),
        "u32" => (0, u32::MAX.into()),
        "u64" | "usize" => (0, u64::MAX.into()),
        "i8" => (i8::MIN.into(), i8::MAX.into()),
        "i16" => (i16::MIN.into(), i16::MAX.into()),
        "i32" => (i32::MIN.into(), i32::MAX.into()),
        "i64" | "isize" => (i64::MIN.into(), i64::MAX.into()),
        _ => return None,
    })
}

/// Returns the length of a tuple or an array in serde's description of it.
fn length(expected: &str) -> Option<&str> {
    expected.strip_prefix("a tuple of size ").or_else(|| expected.strip_prefix("an array of length "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_only_similar_names() {
        let known = ["alpha", "beta", "gamma", "delta", "n_iterations"];
        assert_eq!(instead("betta", &known), "; did you mean `beta`?");
        assert_eq!(instead("Beta", &known), "; did you mean `beta`?");
        assert_eq!(instead("n_iters", &known), "; did you mean `n_iterations`?");
        assert_eq!(instead("zeta", &["alpha", "delta"]), "; expected one of `alpha`, `delta`");
        assert_eq!(instead("x", &["y"]), "; expected `y`");
        assert_eq!(instead("x", &[]), "; none is expected here");
    }

    #[test]
    fn ignores_case_and_separators_in_names() {
        let known = ["element_id", "LoadOnly", "all", "ALL"];
        for (name, expected) in [
            ("element_id", Some("element_id")),
            ("Element_ID", Some("element_id")),
            ("element-id", Some("element_id")),
            ("load_only", Some("LoadOnly")),
            ("ALL", Some("ALL")),
            ("All", Some("all")),
            ("element", None),
            ("", None),
        ] {
            assert_eq!(meant(name, &known), expected, "{name}");
        }
    }

    #[test]
    fn suggests_the_first_of_equally_similar_names() {
        assert_eq!(instead("rank_x", &["rank_a", "rank_b"]), "; did you mean `rank_a`?");
    }
}
