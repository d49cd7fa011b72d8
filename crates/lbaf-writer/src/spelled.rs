// SPDX-License-Identifier: MIT OR Apache-2.0
//! Members of a JSON object with their original text, so that a change of one leaves the others unchanged.

use std::borrow::Cow;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::compact::copy_compact;
use crate::layout::Members;

/// Keys and values in document order.
pub(crate) struct Spelled<'a>(pub(crate) Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de> Deserialize<'de> for Spelled<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Form;
        impl<'de> Visitor<'de> for Form {
            type Value = Spelled<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((key, value)) = map.next_entry::<Cow<'de, str>, &'de RawValue>()? {
                    members.push((key, value));
                }
                Ok(Spelled(members))
            }
        }
        deserializer.deserialize_map(Form)
    }
}

impl<'a> Spelled<'a> {
    /// Returns the value of a key. If the key is repeated, the last value counts, as for every reader.
    pub(crate) fn get(&self, wanted: &str) -> Option<&'a RawValue> {
        self.0.iter().rfind(|(key, _)| key == wanted).map(|&(_, value)| value)
    }

    /// Returns the object with new values of some keys. Missing keys are appended.
    pub(crate) fn with(&self, values: &[(&str, String)]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut printed = Members::default();
        out.push(b'{');
        for (key, value) in &self.0 {
            printed.key(&mut out, key);
            let new = values.iter().find(|(changed, _)| changed == key).map(|(_, value)| value.as_bytes());
            copy_compact(&mut out, new.unwrap_or(value.get().as_bytes()));
        }
        for (key, value) in values.iter().filter(|(key, _)| self.get(key).is_none()) {
            printed.key(&mut out, key);
            copy_compact(&mut out, value.as_bytes());
        }
        out.push(b'}');
        out
    }
}
