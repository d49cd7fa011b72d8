// SPDX-License-Identifier: MIT OR Apache-2.0
//! Entities as each generation of the JSON format wants them.

use lbaf_vom::{Generation, home_of_packed_id, packed_id};
use serde_json::{Map, Value, json};

use super::json::Target;
use super::{ConvertError, Ids, Losses};

/// vt's number of the first collection; a collection that nobody named gets it.
const COLLECTION: u64 = 7;

/// Whether an entity is an object, and not a rank or a memory block.
pub(crate) fn is_object(entity: &Map<String, Value>) -> bool {
    entity.get("type").is_none_or(|kind| kind == "object")
}

/// Whether the object may move: as it says, else if it belongs to a collection.
pub(crate) fn is_migratable(entity: &Map<String, Value>) -> bool {
    let in_collection = || entity.contains_key("collection_id") || entity.contains_key("index");
    entity.get("migratable").and_then(Value::as_bool).unwrap_or_else(in_collection)
}

/// The number of an object, rank or block.
pub(crate) fn number(entity: &Map<String, Value>) -> Option<u64> {
    entity.get("id").or(entity.get("seq_id")).and_then(Value::as_u64)
}

/// Changes the entity of a task (`of_task`) or of an end of a communication. Others than objects stay as they are.
pub(crate) fn convert(
    entity: &mut Map<String, Value>,
    of_task: bool,
    source: Generation,
    target: &Target,
    losses: &mut Losses,
) -> Result<(), ConvertError> {
    if !is_object(entity) {
        return Ok(());
    }
    let migratable = is_migratable(entity);
    if !entity.contains_key("home") && of_task {
        let packed = number(entity).filter(|_| entity.contains_key("id")).and_then(home_of_packed_id);
        let home = packed.filter(|_| source >= Generation::LbData).unwrap_or(target.rank);
        entity.insert("home".to_owned(), json!(home));
        losses.made_up("a task states no home; it got that of its id, or the rank of its file");
    }
    if target.ids == Ids::Packed {
        pack(entity, migratable, source)?;
    }
    if target.generation == Generation::SeqId {
        if let Some(id) = entity.remove("id") {
            entity.insert("seq_id".to_owned(), id);
        }
    } else if let Some(sequence) = entity.remove("seq_id")
        && !entity.contains_key("id")
    {
        entity.insert("id".to_owned(), sequence);
    }
    let says_so = target.generation != Generation::NodeStats;
    if says_so {
        entity.insert("migratable".to_owned(), json!(migratable));
    } else {
        entity.remove("migratable");
    }
    // What a migratable object needs, and what would make another one migratable.
    let needs_collection = match target.generation {
        Generation::NodeStats => !is_migratable(entity),
        // vt's reader wants one in every task, whatever the schema says.
        Generation::SeqId => !entity.contains_key("collection_id") && (migratable || of_task),
        Generation::LbData | Generation::Text => false,
    };
    if needs_collection && (migratable || target.generation == Generation::SeqId) {
        entity.insert("collection_id".to_owned(), json!(COLLECTION));
        losses.made_up("an object names no collection; it got `collection_id` 7, since this form needs one");
    }
    if !migratable && !says_so {
        for key in ["collection_id", "index"] {
            if entity.remove(key).is_some() {
                losses.left_out(&format!("`{key}` of an object that may not migrate"));
            }
        }
    }
    if !entity.contains_key("type") {
        entity.insert("type".to_owned(), json!("object"));
    }
    entity.sort_keys();
    Ok(())
}

/// Packs the number of an object as vt does.
fn pack(entity: &mut Map<String, Value>, migratable: bool, source: Generation) -> Result<(), ConvertError> {
    let is_packed = source >= Generation::LbData && entity.contains_key("id");
    let Some(number) = number(entity).filter(|_| !is_packed) else { return Ok(()) };
    let (sequence, home) = if source >= Generation::LbData {
        let home = entity.get("home").and_then(Value::as_u64);
        (number, home.ok_or(ConvertError::Homeless { number })?)
    } else {
        (number >> 32, number & 0xffff_ffff)
    };
    let unpackable = || ConvertError::Unpackable { number, home };
    if sequence >= 1 << 46 {
        return Err(unpackable());
    }
    let short_home = u16::try_from(home).map_err(|_| unpackable())?;
    entity.remove("seq_id");
    entity.insert("id".to_owned(), json!(packed_id(sequence, short_home, migratable)));
    entity.insert("home".to_owned(), json!(home));
    Ok(())
}
