// SPDX-License-Identifier: MIT OR Apache-2.0
//! Visits the members of a JSON object, with the original text of their values.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Calls `member` with key and value of each member of `object`, in order. A repeated key is passed each time; callers
/// use the last value, as the reader does.
///
/// # Errors
/// If `object` is not a JSON object, or `member` returns an error.
pub(crate) fn for_each_member<'d>(
    object: &'d str,
    member: impl FnMut(&str, &'d str) -> Result<(), serde_json::Error>,
) -> Result<(), serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(object);
    deserializer.deserialize_map(Members(member))?;
    deserializer.end()
}

struct Members<F>(F);

impl<'d, F: FnMut(&str, &'d str) -> Result<(), serde_json::Error>> Visitor<'d> for Members<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'d>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some((Text(key), value)) = map.next_entry::<Text<'d>, &'d RawValue>()? {
            (self.0)(&key, value.get()).map_err(A::Error::custom)?;
        }
        Ok(())
    }
}

/// String, borrowed unless it contains escapes.
#[derive(Deserialize)]
pub(crate) struct Text<'d>(#[serde(borrow)] pub(crate) Cow<'d, str>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_original_text() {
        let object = r#"{ "a\u0062" : [ 1.50 , "x" ] , "id" : 18446744073709551615, "id":-0 }"#;
        let mut found = Vec::new();
        for_each_member(object, |key, value| {
            found.push((key.to_owned(), value));
            Ok(())
        })
        .unwrap();
        let expected = [("ab", r#"[ 1.50 , "x" ]"#), ("id", "18446744073709551615"), ("id", "-0")];
        assert_eq!(found, expected.map(|(key, value)| (key.to_owned(), value)));
    }

    #[test]
    fn values_that_are_not_objects_are_rejected() {
        assert!(for_each_member("[1]", |_, _| Ok(())).is_err());
        assert!(for_each_member("{} {}", |_, _| Ok(())).is_err());
    }
}
