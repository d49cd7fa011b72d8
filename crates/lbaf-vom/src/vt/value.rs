// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conversions of values by vt's reader.

use simd_json::{Node, StaticNode};

use super::Placed;

/// 2^53, from which on a floating-point number does not represent a unique integer.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Converts a non-negative integer in any notation. Returns `None` for values that vt would change or reject.
#[expect(clippy::cast_sign_loss, reason = "negative numbers are excluded before")]
pub(super) fn whole(value: Node<'_>) -> Option<u64> {
    match value {
        Node::Static(StaticNode::U64(integer)) => Some(integer),
        Node::Static(StaticNode::I64(integer)) => u64::try_from(integer).ok(),
        Node::Static(StaticNode::F64(float)) if float.trunc() == float && (0.0..EXACT).contains(&float) => {
            Some(float as u64)
        }
        _ => None,
    }
}

/// Returns an integer below 0.
pub(super) fn negative(value: Node<'_>) -> Option<i64> {
    match value {
        Node::Static(StaticNode::I64(integer)) if integer < 0 => Some(integer),
        _ => None,
    }
}

pub(super) fn boolean(value: Node<'_>) -> Option<bool> {
    match value {
        Node::Static(StaticNode::Bool(boolean)) => Some(boolean),
        _ => None,
    }
}

pub(super) fn string(value: Node<'_>) -> Option<&str> {
    match value {
        Node::String(string) => Some(string),
        _ => None,
    }
}

/// Calls `each` for the members of an object; ignores other values.
pub(super) fn each_member<'a>(walker: Placed<'a>, mut each: impl FnMut(Placed<'a>, &'a str)) {
    let _ = walker.find(|walker, key| {
        each(walker, key);
        Ok(false)
    });
}

/// Calls `each` for the elements of an array; ignores other values.
pub(super) fn each_element<'a>(mut walker: Placed<'a>, mut each: impl FnMut(Placed<'a>, usize)) {
    let _ = walker.array(|walker, index| {
        each(*walker, index);
        walker.skip();
        Ok(())
    });
}
