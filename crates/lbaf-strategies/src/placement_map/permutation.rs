// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prescribed placements in all their formats.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use lbaf_model::RankId;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, MapAccess};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::json;

/// Prescribed ranks of objects. The number of an object is its `id` in files, or its `seq_id` if there is no `id`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Permutation {
    /// Object -> rank. Lists all migratable objects and no others.
    Ranks(BTreeMap<u64, u32>),
    /// Rank -> objects, the format that `lbaf tasks` prints. Lists all migratable objects. Non-migratable objects
    /// may be listed on their rank.
    Objects(BTreeMap<u32, Vec<u64>>),
    /// Phase -> migrations, as in `migrations.csv`. Objects without a migration stay on their rank.
    Migrations(BTreeMap<u64, Vec<PrescribedMigration>>),
    /// Content of a file.
    File(PermutationFile),
}

/// File with a permutation. Strategies access no files, so the reader of the configuration also reads this file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PermutationFile {
    /// Path as written in the parameters.
    pub path: String,
    /// Content of the file, or `None` before the file is read.
    pub content: Option<Arc<Permutation>>,
}

/// Prescribed migration of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PrescribedMigration {
    /// Number of the object.
    pub number: u64,
    /// True if the number is a `seq_id`, false if it is an `id`; `None` if unspecified.
    pub is_sequence: Option<bool>,
    /// Rank of the object before the migration, if specified.
    pub from: Option<RankId>,
    /// Rank of the object after the migration.
    pub to: RankId,
    /// Line in the file, from 1; 0 if the migration was not read from a table.
    pub line: u64,
}

impl Permutation {
    /// Returns the phases with listed migrations, ascending. `None` for a permutation of every phase or an unread file.
    pub fn phases(&self) -> Option<Vec<u64>> {
        match self {
            Permutation::Migrations(phases) => Some(phases.keys().copied().collect()),
            Permutation::File(file) => file.content.as_ref().and_then(|content| content.phases()),
            Permutation::Ranks(_) | Permutation::Objects(_) => None,
        }
    }
}

impl Default for Permutation {
    fn default() -> Self {
        Permutation::Ranks(BTreeMap::new())
    }
}

impl FromIterator<(u64, u32)> for Permutation {
    /// Collects pairs of object and rank into [`Permutation::Ranks`].
    fn from_iter<I: IntoIterator<Item = (u64, u32)>>(pairs: I) -> Self {
        Permutation::Ranks(pairs.into_iter().collect())
    }
}

impl Serialize for PermutationFile {
    /// Serializes the path of the file.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.path)
    }
}

impl JsonSchema for Permutation {
    fn schema_name() -> Cow<'static, str> {
        "Permutation".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let rank = json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX });
        let objects = json!({ "type": "array", "items": { "type": "integer", "minimum": 0 } });
        json_schema!({
            "anyOf": [
                {
                    "title": "{object: rank}",
                    "type": "object",
                    "additionalProperties": rank,
                    "description": "All migratable objects and no others.",
                },
                {
                    "title": "{rank: [objects]}",
                    "type": "object",
                    "additionalProperties": objects,
                    "description": "Lists of objects by rank. Non-migratable objects can be listed where they are.",
                },
                {
                    "title": "path",
                    "type": "string",
                    "description": "Path of a file with one of these maps, or with a table of migrations.",
                },
            ]
        })
    }
}

impl<'de> Deserialize<'de> for Permutation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Visitor)
    }
}

struct Visitor;

impl<'de> serde::de::Visitor<'de> for Visitor {
    type Value = Permutation;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a mapping object -> rank, a mapping rank -> list of objects, or the path of a file with one of \
             these mappings or with a table of migrations",
        )
    }

    fn visit_str<E: Error>(self, path: &str) -> Result<Permutation, E> {
        Ok(Permutation::File(PermutationFile { path: path.to_owned(), content: None }))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Permutation, A::Error> {
        let Some((key, value)) = map.next_entry::<u64, Place>()? else { return Ok(Permutation::default()) };
        match value {
            Place::Rank(rank) => {
                let mut ranks = BTreeMap::from([(key, rank)]);
                while let Some((object, rank)) = map.next_entry()? {
                    ranks.insert(object, rank);
                }
                Ok(Permutation::Ranks(ranks))
            }
            Place::Objects(objects) => {
                let rank = u32::try_from(key).map_err(|_| {
                    A::Error::custom(format!("expected a rank before its list of objects, found {key}"))
                })?;
                let mut ranks = BTreeMap::from([(rank, objects)]);
                while let Some((rank, objects)) = map.next_entry()? {
                    ranks.insert(rank, objects);
                }
                Ok(Permutation::Objects(ranks))
            }
        }
    }
}

/// First value of a map, which determines the type of all values.
enum Place {
    Rank(u32),
    Objects(Vec<u64>),
}

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PlaceVisitor;
        impl<'de> serde::de::Visitor<'de> for PlaceVisitor {
            type Value = Place;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a rank, or a list of objects")
            }

            fn visit_u64<E: Error>(self, rank: u64) -> Result<Place, E> {
                let unexpected = serde::de::Unexpected::Unsigned(rank);
                u32::try_from(rank).map(Place::Rank).map_err(|_| E::invalid_value(unexpected, &self))
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut items: A) -> Result<Place, A::Error> {
                let mut objects = Vec::new();
                while let Some(object) = items.next_element()? {
                    objects.push(object);
                }
                Ok(Place::Objects(objects))
            }
        }
        deserializer.deserialize_any(PlaceVisitor)
    }
}
