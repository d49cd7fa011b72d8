// SPDX-License-Identifier: MIT OR Apache-2.0
//! Variants of enumerations.

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error as _, VariantAccess, Visitor};

use super::Reader;
use crate::yaml::{Entry, Error, Place, Value, words};

/// Variant: its name, or a mapping of its name to its content. Case, `_`, `-` and blanks in names are ignored.
pub(super) struct Variant<'de> {
    name: &'de str,
    place: Place,
    content: Reader<'de>,
    /// Key of the content; empty if there is none.
    parent: &'de str,
}

impl<'de> Variant<'de> {
    /// Creates the variant of a value.
    ///
    /// # Errors
    /// If the value has neither form.
    pub(super) fn new(reader: Reader<'de>, known: &[&'static str]) -> Result<Self, Error> {
        let name = |written: &'de str| words::meant(written, known).unwrap_or(written);
        match reader.value {
            Value::String(written) | Value::Argument(written) => {
                let content = Reader { value: &Value::Null, ..reader };
                Ok(Self { name: name(written), place: reader.place, content, parent: "" })
            }
            Value::Mapping(entries) if let [Entry { key, value }] = entries.as_slice() => {
                let content = Reader::new(value);
                Ok(Self { name: name(&key.text), place: key.place, content, parent: &key.text })
            }
            other => Err(Error::invalid_type(other.unexpected(), &"a name or a mapping of one name")),
        }
    }

    fn read<T>(self, read: impl FnOnce(Reader<'de>) -> Result<T, Error>) -> Result<T, Error> {
        read(self.content).map_err(|error| error.or_at(self.content.place).within(self.parent))
    }
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Error> {
        match seed.deserialize(BorrowedStrDeserializer::<Error>::new(self.name)) {
            Ok(variant) => Ok((variant, self)),
            Err(error) => Err(error.or_at(self.place)),
        }
    }
}

impl<'de> VariantAccess<'de> for Variant<'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        self.read(<()>::deserialize)
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        self.read(|content| seed.deserialize(content))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.read(|content| content.deserialize_any(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.read(|content| content.deserialize_map(visitor))
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use crate::yaml::tests::{assert_refused, read};

    #[derive(Debug, Deserialize)]
    struct Loop {
        order: Order,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "snake_case", deny_unknown_fields)]
    enum Order {
        ElementId,
        Weighted(f64),
        Between(f64, f64),
        Random {
            #[serde(default)]
            seed: u64,
        },
    }

    #[test]
    fn reads_a_name_or_a_mapping_of_one_name() {
        for (text, order) in [
            ("element_id", Order::ElementId),
            ("{element_id: }", Order::ElementId),
            ("{weighted: 2}", Order::Weighted(2.0)),
            ("{between: [1, 2]}", Order::Between(1.0, 2.0)),
            ("{random: {seed: 3}}", Order::Random { seed: 3 }),
            ("random", Order::Random { seed: 0 }),
            ("Element_ID", Order::ElementId),
            ("elementId", Order::ElementId),
            ("{RANDOM: {seed: 3}}", Order::Random { seed: 3 }),
        ] {
            assert_eq!(read::<Loop>(&format!("order: {text}")).unwrap().order, order);
        }
    }

    #[test]
    fn points_at_the_name_or_into_the_content() {
        assert_refused::<Loop>(&[
            "order: element => 1:8: order: unknown value `element`; did you mean `element_id`?",
            "order: {weight: 1} => 1:9: order: unknown value `weight`; did you mean `weighted`?",
            "order: {element_id: 1} => 1:21: order.element_id: expected no value, found the number 1",
            "order: {weighted: x} => 1:19: order.weighted: expected a number, found the string \"x\"",
            "order: weighted => 1:8: order: expected a number, found no value",
            "order: {random: {sed: 1}} => 1:18: order.random: unknown key `sed`; did you mean `seed`?",
            "order: {between: [1, x]} => 1:22: order.between[1]: expected a number, found the string \"x\"",
            "order: {random: [3]} => 1:17: order.random: expected a mapping, found a list",
            "order: {between: {0: 1, 1: 2}} => 1:18: order.between: expected tuple variant Order::Between, found a mapping",
            "order: [1] => 1:8: order: expected a name or a mapping of one name, found a list",
        ]);
    }
}
