// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values that are one of a few words, or a mapping.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Unexpected, Visitor};

use crate::yaml;

/// Implements `Deserialize` and `JsonSchema` for a type that is written as a word or as a mapping.
macro_rules! word_or_mapping {
    ($type:ident: $expected:literal, {$($word:literal => $value:expr),+}, $settings:ty => $of:expr) => {
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let words = [$(($word, $value)),+];
                $crate::raw::word_or_mapping::deserialize(deserializer, $expected, words, $of)
            }
        }

        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let settings = generator.subschema_for::<$settings>();
                schemars::json_schema!({"anyOf": [{"enum": [$($word),+]}, settings]})
            }
        }
    };
}

pub(crate) use word_or_mapping;

/// Deserializes a word or a mapping. `words` are the words with their values, and `of` converts the mapping.
pub(crate) fn deserialize<'de, D, T, M, const N: usize>(
    deserializer: D,
    expected: &'static str,
    words: [(&'static str, T); N],
    of: fn(M) -> T,
) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    M: Deserialize<'de>,
{
    struct Form<T, M, const N: usize> {
        expected: &'static str,
        words: [(&'static str, T); N],
        of: fn(M) -> T,
    }

    impl<'de, T, M: Deserialize<'de>, const N: usize> Visitor<'de> for Form<T, M, N> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.expected)
        }

        fn visit_str<E: Error>(self, word: &str) -> Result<T, E> {
            let unknown = E::invalid_value(Unexpected::Str(word), &self);
            let known = self.words.each_ref().map(|(word, _)| *word);
            let meant = yaml::meant(word, &known);
            let found = self.words.into_iter().find(|(word, _)| Some(*word) == meant);
            found.map(|(_, value)| value).ok_or(unknown)
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            M::deserialize(MapAccessDeserializer::new(map)).map(self.of)
        }
    }

    deserializer.deserialize_any(Form { expected, words, of })
}
