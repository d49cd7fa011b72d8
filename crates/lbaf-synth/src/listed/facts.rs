// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values recorded with a listed object.

use std::collections::BTreeMap;

use lbaf_vom::record::UserDefined;
use serde_json::Value;

use crate::SynthError;
use crate::error::require;

/// Returns the values under setting `key`. Sizes are checked, other values kept unchanged.
///
/// # Errors
/// If a size is invalid, a value or a part of it is null, or a key belongs to a memory block, which is listed under
/// `shared_blocks`.
pub(super) fn facts(key: &str, given: &BTreeMap<String, Value>) -> Result<UserDefined, SynthError> {
    let mut facts = UserDefined::default();
    for (name, value) in given {
        let key = format!("{key}.{name}");
        match name.as_str() {
            "rank_working_bytes" => facts.rank_working_bytes = Some(size(&key, value)?),
            "task_footprint_bytes" => facts.task_footprint_bytes = Some(size(&key, value)?),
            "task_serialized_bytes" => facts.task_serialized_bytes = Some(size(&key, value)?),
            "task_working_bytes" => facts.task_working_bytes = Some(size(&key, value)?),
            "home_rank" | "shared_block_id" | "shared_bytes" | "shared_id" => {
                require(false, &key, value, "memory blocks are described under `shared_blocks`")?;
            }
            _ => {
                // Non-finite numbers arrive as null.
                let rule = "it must have a value, and numbers must be finite";
                require(!holds_null(value), &key, value, rule)?;
                facts.other.insert(name.clone(), value.clone());
            }
        }
    }
    Ok(facts)
}

fn size(key: &str, value: &Value) -> Result<f64, SynthError> {
    let size = value.as_f64().filter(|&size| size >= 0.0);
    require(size.is_some(), key, value, "a size must be a finite non-negative number")?;
    Ok(size.unwrap_or_default())
}

fn holds_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.iter().any(holds_null),
        Value::Object(map) => map.values().any(holds_null),
        _ => false,
    }
}
