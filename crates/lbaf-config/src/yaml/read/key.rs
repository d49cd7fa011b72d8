// SPDX-License-Identifier: MIT OR Apache-2.0
//! Deserialization of keys.

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;

use super::visit_integer;
use crate::yaml::{Error, words};

/// Reads a key as a text, as a name of an enumeration, or as an integer.
pub(super) struct KeyReader<'de>(pub(super) &'de str);

impl<'de> KeyReader<'de> {
    fn whole_number<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0.parse() {
            Ok(number) => visit_integer(number, visitor),
            Err(_) => Err(Error::custom(format_args!("expected a whole number as key, found `{}`", self.0))),
        }
    }
}

macro_rules! whole_numbers {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.whole_number(visitor)
        }
    )*};
}

impl<'de> Deserializer<'de> for KeyReader<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_borrowed_str(self.0)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        known: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let name = words::meant(self.0, known).unwrap_or(self.0);
        visitor.visit_enum(BorrowedStrDeserializer::new(name))
    }

    whole_numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    forward_to_deserialize_any! {
        bool i128 u128 f32 f64 char str string bytes byte_buf option unit unit_struct seq tuple tuple_struct map
        struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use crate::yaml::tests::{assert_refused, read};

    #[derive(Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
    struct Rank(u32);

    #[derive(Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
    #[serde(rename_all = "snake_case")]
    enum Quantity {
        Load,
        MaxMemoryUsage,
    }

    #[test]
    fn reads_numbers_names_and_texts() {
        let ids = read::<BTreeMap<u64, Rank>>("{0: 3, '1': 2, 18446744073709551615: 1}").unwrap();
        assert_eq!(ids, BTreeMap::from([(0, Rank(3)), (1, Rank(2)), (u64::MAX, Rank(1))]));
        let ranks = read::<BTreeMap<Rank, i8>>("{7: -1}").unwrap();
        assert_eq!(ranks, BTreeMap::from([(Rank(7), -1)]));
        let bounds = read::<BTreeMap<Quantity, f64>>("max_memory_usage: 8.0e+9").unwrap();
        assert_eq!(bounds, BTreeMap::from([(Quantity::MaxMemoryUsage, 8e9)]));
        let bounds = read::<BTreeMap<Quantity, f64>>("{Max-Memory-Usage: 1}").unwrap();
        assert_eq!(bounds, BTreeMap::from([(Quantity::MaxMemoryUsage, 1.0)]));
        let texts = read::<BTreeMap<String, u8>>("{off: 1, 007: 2}").unwrap();
        assert_eq!(texts, BTreeMap::from([("off".to_owned(), 1), ("007".to_owned(), 2)]));
    }

    #[test]
    fn points_at_an_invalid_key() {
        assert_refused::<BTreeMap<Rank, f64>>(&[
            "{0: 1, x: 1} => 1:8: expected a whole number as key, found `x`",
            "{-1: 1} => 1:2: expected a whole number from 0 to 4294967295, found the number -1",
        ]);
        assert_refused::<BTreeMap<Quantity, f64>>(&[
            "{lod: 1} => 1:2: unknown value `lod`; did you mean `load`?",
            "{load: [1]} => 1:8: load: expected a number, found a list",
        ]);
    }
}
