// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values that violate the schema but that vt reads correctly: it converts numbers of any notation and ignores some
//! keys.

use simd_json::{Node, StaticNode};

use super::value::whole;
use crate::schema::Schema;

/// True if vt's reader never inspects the content of the object or array under a key.
pub(crate) fn passes_over(object: &str, key: &str) -> bool {
    matches!((object, key), ("phase", "lb_iterations") | ("metadata", "shared_node"))
}

/// True if vt reads a file correctly although the value `found` under `key` violates the schema. `object` is the name
/// of the enclosing object, and `found` is `None` for a missing key.
pub(crate) fn takes(object: &str, key: &str, schema: &Schema, found: Option<Node<'_>>) -> bool {
    let Some(found) = found else {
        return matches!(
            (object, key),
            ("task", "resource")
                | ("phases_without_entry", "identical_to_previous" | "skipped")
                | ("ranges", "list" | "range")
        );
    };
    match (object, key) {
        ("LBDatafile", "metadata" | "type")
        | ("metadata", "attributes" | "rank" | "rank_alpha" | "type")
        | ("phases_without_entry", "count")
        | ("task", "attributes" | "resource" | "user_defined")
        | ("entity" | "endpoint", "collection_id" | "objgroup_id") => true,
        // Elements of an array are checked separately, as integers.
        ("entity" | "endpoint", "index") if matches!(schema, Schema::List(_)) => true,
        // vt drops the fraction.
        ("communication", "messages") => is_number(found),
        _ => match schema {
            Schema::Integer => whole(found).is_some(),
            Schema::Float => is_number(found),
            _ => false,
        },
    }
}

fn is_number(value: Node<'_>) -> bool {
    matches!(value, Node::Static(StaticNode::I64(_) | StaticNode::U64(_) | StaticNode::F64(_)))
}
