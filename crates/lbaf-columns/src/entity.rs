// SPDX-License-Identifier: MIT OR Apache-2.0
//! JSON object of an entity: the `entity` of a task, or an endpoint of a communication.

use std::borrow::Cow;

use crate::leaf::{fill, fill_unless_negative};
use crate::members::for_each_member;
use crate::rest::Rest;

/// Object, rank or memory block, as named in a record.
#[derive(Debug, Default)]
pub(crate) struct Entity<'d> {
    pub(crate) kind: Option<Cow<'d, str>>,
    pub(crate) id: Option<u64>,
    pub(crate) seq_id: Option<u64>,
    pub(crate) home: Option<i64>,
    pub(crate) migratable: Option<bool>,
    pub(crate) collection_id: Option<u64>,
    pub(crate) index: Option<Vec<i64>>,
    pub(crate) objgroup_id: Option<u64>,
    /// True if the entity has a `collection_id` or an `index`, even an invalid one.
    pub(crate) in_collection: bool,
    pub(crate) rest: Rest,
}

impl<'d> Entity<'d> {
    pub(crate) fn parse(json: &'d str) -> Result<Self, serde_json::Error> {
        let mut entity = Entity::default();
        let rest = &mut entity.rest;
        for_each_member(json, |key, value| {
            match key {
                "type" => fill(&mut entity.kind, key, value, rest),
                "id" => fill(&mut entity.id, key, value, rest),
                "seq_id" => fill(&mut entity.seq_id, key, value, rest),
                "home" => fill_unless_negative(&mut entity.home, key, value, rest),
                "migratable" => fill(&mut entity.migratable, key, value, rest),
                "collection_id" => {
                    entity.in_collection = true;
                    fill(&mut entity.collection_id, key, value, rest);
                }
                "index" => {
                    entity.in_collection = true;
                    fill(&mut entity.index, key, value, rest);
                }
                "objgroup_id" => fill(&mut entity.objgroup_id, key, value, rest),
                _ => rest.add(key, value),
            }
            Ok(())
        })?;
        Ok(entity)
    }

    /// Returns the type of the entity; by default `object`.
    pub(crate) fn kind(&self) -> &str {
        self.kind.as_deref().unwrap_or("object")
    }
}
