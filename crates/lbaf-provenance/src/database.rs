// SPDX-License-Identifier: MIT OR Apache-2.0
//! Provenance database in memory.

use serde::Serialize;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::record::{AdModel, Collection, CounterStats, Event, FunctionStats, MetadataEntry};

/// Record: its known fields, and its text, which also contains unknown fields.
///
/// Files are written from the text. A change of `record` has no effect on files; create a new record instead.
#[derive(Clone, Debug)]
pub struct Stored<T> {
    /// Known fields.
    pub record: T,
    /// JSON text: as read, or as created from the fields by [`Stored::new`].
    pub json: Box<RawValue>,
}

/// Records of all collections, in the order of reading.
#[derive(Clone, Debug, Default)]
pub struct Database {
    /// Executions that are anomalies.
    pub anomalies: Vec<Stored<Event>>,
    /// Normal executions, for comparison.
    pub normalexecs: Vec<Stored<Event>>,
    /// Metadata of programs and ranks.
    pub metadata: Vec<Stored<MetadataEntry>>,
    /// Times of functions, and their anomalies.
    pub func_stats: Vec<Stored<FunctionStats>>,
    /// Counters.
    pub counter_stats: Vec<Stored<CounterStats>>,
    /// Model of each function.
    pub ad_model: Vec<Stored<AdModel>>,
}

impl<T: Serialize> Stored<T> {
    /// Creates a record that was not read from a file.
    ///
    /// # Panics
    /// Never for the records of this crate, which always can be written as JSON.
    pub fn new(record: T) -> Self {
        let json = serde_json::value::to_raw_value(&record).expect("invariant: records are plain data");
        Stored { record, json }
    }
}

impl<T: DeserializeOwned> Stored<T> {
    /// Parses the text of a record.
    ///
    /// # Errors
    /// If the text is not valid JSON, or not a record of this type.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        let record = serde_json::from_str(text)?;
        // Unknown fields are kept as text and written again, so they must be valid.
        serde_json::from_str::<Sound>(text)?;
        Ok(Stored { record, json: serde_json::from_str(text)? })
    }
}

impl<T> Stored<T> {
    /// Returns all fields of the record except its number, which another database does not share.
    pub fn value(&self) -> Value {
        let mut value = lbaf_vom::value_of(self.json.get().as_bytes());
        if let Value::Object(members) = &mut value {
            members.shift_remove("__id");
        }
        value
    }
}

impl Database {
    /// Number of records of a collection.
    pub fn n_records(&self, collection: Collection) -> usize {
        match collection {
            Collection::Anomalies => self.anomalies.len(),
            Collection::Normalexecs => self.normalexecs.len(),
            Collection::Metadata => self.metadata.len(),
            Collection::FuncStats => self.func_stats.len(),
            Collection::CounterStats => self.counter_stats.len(),
            Collection::AdModel => self.ad_model.len(),
        }
    }

    /// True if there are no records.
    pub fn is_empty(&self) -> bool {
        Collection::ALL.into_iter().all(|collection| self.n_records(collection) == 0)
    }

    /// Appends the records of another database.
    pub fn append(&mut self, mut other: Database) {
        self.anomalies.append(&mut other.anomalies);
        self.normalexecs.append(&mut other.normalexecs);
        self.metadata.append(&mut other.metadata);
        self.func_stats.append(&mut other.func_stats);
        self.counter_stats.append(&mut other.counter_stats);
        self.ad_model.append(&mut other.ad_model);
    }

    /// Parses the text of a record of a collection and appends it.
    ///
    /// # Errors
    /// If the text is not valid JSON, or not a record of this collection. Nothing is appended then.
    pub fn push(&mut self, collection: Collection, text: &str) -> Result<(), serde_json::Error> {
        match collection {
            Collection::Anomalies => self.anomalies.push(Stored::parse(text)?),
            Collection::Normalexecs => self.normalexecs.push(Stored::parse(text)?),
            Collection::Metadata => self.metadata.push(Stored::parse(text)?),
            Collection::FuncStats => self.func_stats.push(Stored::parse(text)?),
            Collection::CounterStats => self.counter_stats.push(Stored::parse(text)?),
            Collection::AdModel => self.ad_model.push(Stored::parse(text)?),
        }
        Ok(())
    }
}

/// Check that all numbers are in range and all strings are valid, without storing the value.
struct Sound;

impl<'de> Deserialize<'de> for Sound {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Anything;
        impl<'de> Visitor<'de> for Anything {
            type Value = Sound;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("anything")
            }

            fn visit_bool<E>(self, _: bool) -> Result<Sound, E> {
                Ok(Sound)
            }

            fn visit_i64<E>(self, _: i64) -> Result<Sound, E> {
                Ok(Sound)
            }

            fn visit_u64<E>(self, _: u64) -> Result<Sound, E> {
                Ok(Sound)
            }

            fn visit_f64<E>(self, _: f64) -> Result<Sound, E> {
                Ok(Sound)
            }

            fn visit_str<E>(self, _: &str) -> Result<Sound, E> {
                Ok(Sound)
            }

            fn visit_unit<E>(self) -> Result<Sound, E> {
                Ok(Sound)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Sound, A::Error> {
                while items.next_element::<Sound>()?.is_some() {}
                Ok(Sound)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Sound, A::Error> {
                while members.next_entry::<Sound, Sound>()?.is_some() {}
                Ok(Sound)
            }
        }
        deserializer.deserialize_any(Anything)
    }
}
