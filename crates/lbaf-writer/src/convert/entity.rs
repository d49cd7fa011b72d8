// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conversion of entities between the generations of the JSON format.

use lbaf_vom::{Generation, home_of_packed_id, packed_id};
use serde_json::{Map, Value, json};

use super::known::Migratable;
use super::{ConvertError, Ids, Losses, Target};

/// vt's number of the first collection, used for objects without a collection.
const COLLECTION: u64 = 7;

/// True for an object, false for a rank or a memory block.
pub(crate) fn is_object(entity: &Map<String, Value>) -> bool {
    entity.get("type").is_none_or(|kind| kind == "object")
}

/// True if the object is migratable: as stated, or else if it belongs to a collection.
fn is_migratable(entity: &Map<String, Value>) -> bool {
    entity.get("migratable").and_then(Value::as_bool).unwrap_or_else(|| is_in_collection(entity))
}

fn is_in_collection(entity: &Map<String, Value>) -> bool {
    entity.contains_key("collection_id") || entity.contains_key("index")
}

/// Converts the entity of a task. An entity that is not an object is unchanged.
pub(crate) fn convert_task(
    entity: &mut Map<String, Value>,
    source: Generation,
    target: &Target<'_>,
    losses: &mut Losses,
) -> Result<(), ConvertError> {
    if !is_object(entity) {
        return Ok(());
    }
    if !entity.contains_key("home") {
        let id = entity.get("id").and_then(Value::as_u64);
        let packed = id.filter(|_| source >= Generation::LbData).and_then(home_of_packed_id);
        entity.insert("home".to_owned(), json!(packed.unwrap_or(target.rank)));
        losses.made_up("a task had no `home`; it was set to the home in the id, or to the rank of the file");
    }
    let had_collection = entity.contains_key("collection_id");
    convert(entity, Some(is_migratable(entity)), source, target, losses)?;
    // vt's reader requires a collection in every task with a sequence number, regardless of the schema.
    if target.generation == Generation::SeqId {
        entity.entry("collection_id").or_insert(json!(COLLECTION));
    }
    if !had_collection && entity.contains_key("collection_id") {
        losses.made_up("an object had no `collection_id`, which this form requires; it was set to 7");
    }
    entity.sort_keys();
    Ok(())
}

/// Converts the entity at an endpoint of a communication in a phase.
///
/// Missing members are taken from the tasks of its object: `migratable`; the collection, if the target needs one; and
/// the home, if a `seq_id` is packed into an id. If a packed id becomes a `seq_id`, a missing home is taken from the
/// id.
pub(crate) fn convert_end(
    entity: &mut Map<String, Value>,
    phase: u64,
    source: Generation,
    target: &Target<'_>,
    losses: &mut Losses,
) -> Result<(), ConvertError> {
    if !is_object(entity) {
        return Ok(());
    }
    let number = |key: &str| entity.get(key).and_then(Value::as_u64);
    let key = match (number("id"), number("seq_id")) {
        (Some(id), _) => Some((false, id)),
        (None, Some(sequence)) => Some((true, sequence)),
        (None, None) => None,
    };
    let known = key.and_then(|(is_sequence, number)| target.known.migratable(is_sequence, number));
    let collection = key.and_then(|(is_sequence, number)| target.known.collection(is_sequence, number));
    let (had_home, had_collection) = (number("home").is_some(), entity.contains_key("collection_id"));
    let unstated_home = match (number("home"), number("id"), number("seq_id")) {
        (None, None, Some(sequence)) if target.ids == Ids::Packed => {
            target.known.home(phase, sequence, target.rank)
        }
        // The home in the id is lost when the id becomes a sequence number.
        (None, Some(id), None) if target.generation == Generation::SeqId && source >= Generation::LbData => {
            home_of_packed_id(id)
        }
        _ => None,
    };
    let home = unstated_home.map(u64::from).or(number("home"));
    let unstated = match known {
        Some(Migratable::Agreed(migratable)) => Some(migratable),
        // Several objects share the number, and the home identifies one of them. An inferred `migratable` could
        // contradict this home, so it is added only for a packed id, which requires it.
        Some(Migratable::Contradicted) if target.ids != Ids::Packed => None,
        Some(Migratable::Contradicted) => {
            let at_home = number("seq_id").zip(home);
            let at_home = at_home.and_then(|(number, home)| target.known.migratable_at(phase, number, home));
            Some(at_home.unwrap_or(true))
        }
        None => is_in_collection(entity).then_some(true),
    };
    let migratable = entity.get("migratable").and_then(Value::as_bool).or(unstated);
    if let Some(home) = unstated_home {
        entity.insert("home".to_owned(), json!(home));
    }
    convert(entity, migratable, source, target, losses)?;
    if !had_home && entity.contains_key("home") {
        losses.made_up(
            "an endpoint of a communication had no `home`; it was set to the home in the id, or to that of the object's \
             tasks",
        );
    }
    if !had_collection && let Some(added) = entity.get_mut("collection_id") {
        match collection {
            Some(collection) => *added = json!(collection),
            None => losses.made_up(
                "an endpoint of a communication had no `collection_id`, which this form requires, and no task of its \
                 object states one; it was set to 7",
            ),
        }
    }
    entity.sort_keys();
    Ok(())
}

/// Converts the number and the migratability, for tasks and endpoints.
fn convert(
    entity: &mut Map<String, Value>,
    migratable: Option<bool>,
    source: Generation,
    target: &Target<'_>,
    losses: &mut Losses,
) -> Result<(), ConvertError> {
    if target.ids == Ids::Packed {
        pack(entity, migratable.unwrap_or(false), source, target)?;
    }
    rename(entity, target.generation);
    if target.generation == Generation::NodeStats {
        entity.remove("migratable");
        if migratable == Some(false) {
            leave_out_collection(entity, losses);
        }
    } else if let Some(migratable) = migratable {
        entity.insert("migratable".to_owned(), json!(migratable));
    }
    let says_nothing = match target.generation {
        Generation::NodeStats => !is_in_collection(entity),
        Generation::SeqId => !entity.contains_key("collection_id"),
        Generation::LbData | Generation::Text => false,
    };
    if says_nothing && migratable == Some(true) {
        entity.insert("collection_id".to_owned(), json!(COLLECTION));
    }
    entity.entry("type").or_insert_with(|| json!("object"));
    Ok(())
}

/// Removes the collection of a non-migratable object: in the oldest JSON, every object of a collection is migratable.
fn leave_out_collection(entity: &mut Map<String, Value>, losses: &mut Losses) {
    for key in ["collection_id", "index"] {
        if entity.remove(key).is_some() {
            losses.left_out(&format!("`{key}` of a non-migratable object"));
        }
    }
}

/// Stores the number of an object under the key of the target. An object with both keys keeps them: every reader uses
/// `id`.
fn rename(entity: &mut Map<String, Value>, target: Generation) {
    let (from, to) = if target == Generation::SeqId { ("id", "seq_id") } else { ("seq_id", "id") };
    if !entity.contains_key(to)
        && let Some(number) = entity.remove(from)
    {
        entity.insert(to.to_owned(), number);
    }
}

/// Packs the number of an object as vt does.
fn pack(
    entity: &mut Map<String, Value>,
    migratable: bool,
    source: Generation,
    target: &Target<'_>,
) -> Result<(), ConvertError> {
    let number = |key: &str| entity.get(key).and_then(Value::as_u64);
    let stated_home = number("home");
    let (number, sequence, home) = match (number("id"), number("seq_id")) {
        // Already packed.
        (Some(_), _) if source >= Generation::LbData => return Ok(()),
        (Some(number), _) => (number, number >> 32, number & 0xffff_ffff),
        (None, Some(number)) => (number, number, stated_home.ok_or(ConvertError::Homeless { number })?),
        (None, None) => return Ok(()),
    };
    // In the text form, the stated home is only the rank that had the object first, so only the home encoded in the
    // number counts.
    let contradicts = source == Generation::NodeStats && stated_home.is_some_and(|stated| stated != home);
    let is_no_rank = || target.known.n_ranks.is_some_and(|n_ranks| home >= n_ranks as u64);
    if contradicts || source < Generation::LbData && is_no_rank() {
        return Err(ConvertError::OtherHome { number, home });
    }
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
