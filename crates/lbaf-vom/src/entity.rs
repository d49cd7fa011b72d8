// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reader of entities: the `entity` of a task and the endpoints of a communication have the same form.

use crate::rows::{Endpoint, EndpointKind, NONE};
use crate::walker::{Walked, Walker};

/// Reads the parts of an entity that the model needs.
///
/// `id` takes precedence over `seq_id`. If `migratable` is absent, as in NodeStats files, an entity counts as
/// migratable if a `collection_id` or an `index` shows that it belongs to a collection.
pub(crate) fn walk_entity<const PLACED: bool>(walker: &mut Walker<'_, PLACED>) -> Walked<Endpoint> {
    let here = *walker;
    let (mut id, mut seq_id, mut migratable) = (None, None, None);
    let (mut home, mut in_collection, mut kind) = (NONE, false, EndpointKind::Object);
    walker.object(|walker, key| {
        match key {
            "home" => home = walk_rank(walker)?,
            "id" => id = Some(walker.unsigned()?),
            "collection_id" | "index" => {
                in_collection = true;
                walker.skip();
            }
            "migratable" => migratable = Some(walker.boolean()?),
            "seq_id" => seq_id = Some(walker.unsigned()?),
            "type" => {
                kind = match walker.string()? {
                    "object" => EndpointKind::Object,
                    "node" => EndpointKind::Node,
                    "shared_id" => EndpointKind::SharedBlock,
                    _ => EndpointKind::Other,
                };
            }
            _ => walker.skip(),
        }
        Ok(())
    })?;
    let Some(number) = id.or(seq_id) else {
        return Err(here.complain("the entity has neither `id` nor `seq_id`".to_owned()));
    };
    Ok(Endpoint {
        id: number,
        home,
        kind,
        is_sequence: id.is_none(),
        migratable: migratable.unwrap_or(in_collection),
        states_migratable: migratable.is_some(),
    })
}

/// Reads a rank; negative numbers mean "none".
pub(crate) fn walk_rank<const PLACED: bool>(walker: &mut Walker<'_, PLACED>) -> Walked<u32> {
    let here = *walker;
    match walker.integer()? {
        negative if negative < 0 => Ok(NONE),
        rank => u32::try_from(rank)
            .ok()
            .filter(|&rank| rank != NONE)
            .ok_or_else(|| here.mismatch("a rank below 2^32 - 1")),
    }
}
