// SPDX-License-Identifier: MIT OR Apache-2.0
//! Deserialization of structures from the tree.

use std::marker::PhantomData;

use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;

use super::{Entry, Error, Node, Place, Value};

mod key;
mod variant;

use key::KeyReader;
use variant::Variant;

/// Reads a structure. An omitted value can stand for an empty mapping, and an integer for a number with a fraction, but
/// not vice versa.
///
/// # Errors
/// At the first invalid key or value, or a mapping that lacks a key. The path of the error starts at `node`.
pub fn from_node<T: DeserializeOwned>(node: &Node) -> Result<T, Error> {
    Reader::new(node).read(PhantomData)
}

/// Reads a value whose type is determined at run time, like [`from_node`].
///
/// # Errors
/// As [`from_node`].
pub fn from_node_with<'de, S: DeserializeSeed<'de>>(node: &'de Node, seed: S) -> Result<S::Value, Error> {
    Reader::new(node).read(seed)
}

/// Reads the name of a unit variant of a type that also has another form. Ignores case, `_`, `-` and blanks.
///
/// # Errors
/// If the name is unknown.
pub(crate) fn from_name<T: DeserializeOwned, E: serde::de::Error>(name: &str) -> Result<T, E> {
    PhantomData::<T>.deserialize(KeyReader(name)).map_err(E::custom)
}

/// Value to read, with its place.
#[derive(Clone, Copy)]
pub(super) struct Reader<'de> {
    pub(super) value: &'de Value,
    pub(super) place: Place,
}

impl<'de> Reader<'de> {
    pub(super) fn new(node: &'de Node) -> Self {
        let Node { value, place } = node;
        Self { value, place: *place }
    }

    /// Reads the value. An error without a place gets the place of the value.
    fn read<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(self).map_err(|error| error.or_at(self.place))
    }
}

impl<'de> Deserializer<'de> for Reader<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Integer(number) => visit_integer(*number, visitor),
            Value::Float(number) => visitor.visit_f64(*number),
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Argument(text) => visit_argument(text, visitor),
            Value::Sequence(items) => visit_list(items, visitor),
            Value::Mapping(entries) => visit_mapping(entries, visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value {
            Value::Null => visit_mapping(&[], visitor),
            // Derived structures would also accept a list of their values, in an order unknown to users.
            Value::Sequence(_) => Err(Error::invalid_type(Unexpected::Seq, &"a mapping")),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        known: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(Variant::new(self, known)?)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value {
            Value::Argument(text) => match truth(text) {
                Some(value) => visitor.visit_bool(value),
                None => visitor.visit_borrowed_str(text),
            },
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value {
            Value::Argument(text) => visitor.visit_borrowed_str(text),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_str(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct seq tuple tuple_struct
        identifier
    }
}

/// Visits an integer as the first of `u64`, `i64` and `i128` that can represent it.
pub(super) fn visit_integer<'de, V: Visitor<'de>>(number: i128, visitor: V) -> Result<V::Value, Error> {
    match (u64::try_from(number), i64::try_from(number)) {
        (Ok(number), _) => visitor.visit_u64(number),
        (_, Ok(number)) => visitor.visit_i64(number),
        _ => visitor.visit_i128(number),
    }
}

/// Parses booleans as vt does.
fn truth(text: &str) -> Option<bool> {
    match text {
        "true" | "t" | "1" => Some(true),
        "false" | "f" | "0" => Some(false),
        _ => None,
    }
}

/// Visits the value of a vt argument (`key=value`) with the type that its text suggests.
fn visit_argument<'de, V: Visitor<'de>>(text: &'de str, visitor: V) -> Result<V::Value, Error> {
    // Also accepts YAML's notation `.inf` and `.nan`.
    let number = text.replace('.', "").to_lowercase();
    let bare = if matches!(number.trim_start_matches(['-', '+']), "inf" | "nan") { &number } else { text };
    match (text.parse(), bare.parse()) {
        // Integers beyond 64 bits become floating-point numbers, as in YAML.
        (Ok(number), _) if u64::try_from(number).is_ok() || i64::try_from(number).is_ok() => {
            visit_integer(number, visitor)
        }
        (_, Ok(number)) => visitor.visit_f64(number),
        _ if text.len() > 1
            && let Some(value) = truth(text) =>
        {
            visitor.visit_bool(value)
        }
        _ => visitor.visit_borrowed_str(text),
    }
}

fn visit_list<'de, V: Visitor<'de>>(items: &'de [Node], visitor: V) -> Result<V::Value, Error> {
    let mut list = List { items, read: 0 };
    let value = visitor.visit_seq(&mut list)?;
    if list.read < items.len() {
        let message = format!("expected a list of {} values, found {}", list.read, items.len());
        return Err(Error::custom(message));
    }
    Ok(value)
}

fn visit_mapping<'de, V: Visitor<'de>>(entries: &'de [Entry], visitor: V) -> Result<V::Value, Error> {
    let mut mapping = Mapping { entries, read: 0, done: false };
    let result = visitor.visit_map(&mut mapping);
    match (result, mapping.read.checked_sub(1)) {
        // An error before the end of the mapping is about the last key.
        (Err(error), Some(last)) if !mapping.done => Err(error.or_at(entries[last].key.place)),
        (result, _) => result,
    }
}

struct List<'de> {
    items: &'de [Node],
    read: usize,
}

impl<'de> SeqAccess<'de> for List<'de> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        let Some(item) = self.items.get(self.read) else {
            return Ok(None);
        };
        let index = self.read;
        self.read += 1;
        Reader::new(item).read(seed).map(Some).map_err(|error| error.within(&format!("[{index}]")))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len() - self.read)
    }
}

struct Mapping<'de> {
    entries: &'de [Entry],
    read: usize,
    done: bool,
}

impl<'de> MapAccess<'de> for Mapping<'de> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        let Some(Entry { key, .. }) = self.entries.get(self.read) else {
            self.done = true;
            return Ok(None);
        };
        self.read += 1;
        seed.deserialize(KeyReader(&key.text)).map(Some).map_err(|error| error.or_at(key.place))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        let Entry { key, value } = &self.entries[self.read - 1];
        Reader::new(value).read(seed).map_err(|error| error.within(&key.text))
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::super::tests::{assert_refused, read};

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Run {
        algorithm: Algorithm,
        #[serde(default)]
        phases: Vec<u32>,
        #[serde(default)]
        sampler: Option<(f64, f64)>,
        #[serde(default, alias = "rng_seed")]
        seed: Option<u64>,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Algorithm {
        name: String,
        #[serde(default)]
        parameters: Parameters,
    }

    #[derive(Debug, Default, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields, default)]
    struct Parameters {
        beta: f64,
        fanout: Fanout,
        small: u8,
        flag: bool,
    }

    #[derive(Debug, Default, Deserialize, PartialEq)]
    #[serde(try_from = "u32")]
    struct Fanout(u32);

    impl TryFrom<u32> for Fanout {
        type Error = String;

        fn try_from(fanout: u32) -> Result<Self, String> {
            match fanout {
                0..100 => Ok(Self(fanout)),
                _ => Err(format!("a fanout of {fanout} is too large")),
            }
        }
    }

    #[test]
    fn reads_a_whole_structure() {
        let parameters = "{beta: 3, fanout: 99, small: 255, flag: yes}";
        let text =
            format!("algorithm:\n  name: x\n  parameters: {parameters}\nphases: [0, 1]\nsampler: [1, 2.5]\n");
        let (beta, fanout, small, flag) = (3.0, Fanout(99), 255, true);
        let parameters = Parameters { beta, fanout, small, flag };
        let name = "x".to_owned();
        let algorithm = Algorithm { name, parameters };
        let (phases, sampler, seed) = (vec![0, 1], Some((1.0, 2.5)), None);
        let expected = Run { algorithm, phases, sampler, seed };
        assert_eq!(read::<Run>(&text).unwrap(), expected);
    }

    #[test]
    fn reads_omitted_values_as_defaults() {
        let run: Run = read("algorithm:\n  name: x\n  parameters:\nseed:\n").unwrap();
        assert_eq!((run.algorithm.parameters, run.seed), (Parameters::default(), None));
    }

    #[test]
    fn points_at_an_unknown_key() {
        assert_eq!(
            read::<Run>("seed: 1\nalogrithm:\n  name: x\n").unwrap_err(),
            "a.yaml:2:1: unknown key `alogrithm`; did you mean `algorithm`?\n  \
             |\n2 | alogrithm:\n  | ^^^^^^^^^"
        );
        assert_refused::<Run>(&[
            "algorithm: {nime: x} => 1:13: algorithm: unknown key `nime`; did you mean `name`?",
            "algorithm: {fast: x} => 1:13: algorithm: unknown key `fast`; expected one of `name`, `parameters`",
        ]);
    }

    #[test]
    fn points_at_a_value_of_the_wrong_kind() {
        assert_eq!(
            read::<Run>("algorithm:\n  name: x\n  parameters:\n    beta: abc\n").unwrap_err(),
            "a.yaml:4:11: algorithm.parameters.beta: expected a number, found the string \"abc\"\n  \
             |\n4 |     beta: abc\n  |           ^^^"
        );
        assert_refused::<Run>(&[
            "algorithm: 3 => 1:12: algorithm: expected a mapping, found the number 3",
            "algorithm: [x, {beta: 1}] => 1:12: algorithm: expected a mapping, found a list",
            "algorithm: [] => 1:12: algorithm: expected a mapping, found a list",
            "algorithm: {name: x, parameters: [1, 2]} => 1:34: algorithm.parameters: expected a mapping, found a list",
            "phases: {0: 1} => 1:9: phases: expected a list, found a mapping",
            "sampler: {0: 1, 1: 2} => 1:10: sampler: expected a list of 2 values, found a mapping",
            "algorithm: {name: [x]} => 1:19: algorithm.name: expected a string, found a list",
            "algorithm: {name: 3} => 1:19: algorithm.name: expected a string, found the number 3; \
             quote it to make it a string",
            "phases: 3 => 1:9: phases: expected a list, found the number 3",
            "phases: [1, x] => 1:13: phases[1]: expected a whole number, found the string \"x\"",
            "phases: [1, 4.0] => 1:13: phases[1]: expected a whole number, found the number 4.0",
            "phases: [1, ~] => 1:13: phases[1]: expected a whole number, found no value",
            "sampler: [1] => 1:10: sampler: expected a list of 2 values, found 1",
            "sampler: [1, 2, 3] => 1:10: sampler: expected a list of 2 values, found 3",
        ]);
    }

    #[test]
    fn refuses_values_out_of_range_or_rejected_by_their_type() {
        assert_refused::<Parameters>(&[
            "small: 300 => 1:8: small: expected a whole number from 0 to 255, found the number 300",
            "small: -1 => 1:8: small: expected a whole number from 0 to 255, found the number -1",
            "fanout: -1 => 1:9: fanout: expected a whole number from 0 to 4294967295, found the number -1",
            "fanout: 100 => 1:9: fanout: a fanout of 100 is too large",
            "flag: 1 => 1:7: flag: expected `true` or `false`, found the number 1",
        ]);
    }

    #[test]
    fn points_at_the_mapping_that_lacks_a_key() {
        assert_eq!(
            read::<Run>("seed: 1\nalgorithm:\n  parameters: {}\n").unwrap_err(),
            "a.yaml:2:1: algorithm: missing key `name`\n  |\n2 | algorithm:\n  | ^^^^^^^^^"
        );
        assert_refused::<Run>(&["seed: 1 => 1:1: missing key `algorithm`"]);
    }

    #[test]
    fn points_at_the_second_name_of_a_key() {
        assert_refused::<Run>(&[
            "{seed: 1, rng_seed: 2} => 1:11: `seed` is given twice, under two of its names",
        ]);
    }

    #[test]
    fn accepts_non_finite_numbers() {
        // Where infinity or NaN is invalid, the structure that is read must reject it.
        assert_eq!(read::<Parameters>("beta: .inf").unwrap().beta, f64::INFINITY);
        assert!(read::<Parameters>("beta: .nan").unwrap().beta.is_nan());
    }
}
