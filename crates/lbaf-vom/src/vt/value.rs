// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values as vt's reader converts them.

use simd_json::{Node, StaticNode};

use super::Placed;

/// Whole numbers from here on have neighbours that no float can tell from them.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A whole number of any spelling, `None` for what vt would change or refuse.
#[expect(clippy::cast_sign_loss, reason = "negative numbers are told apart before")]
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

/// A whole number below 0.
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

/// The members of an object; of anything else, none.
pub(super) fn each_member<'a>(walker: Placed<'a>, mut each: impl FnMut(Placed<'a>, &'a str)) {
    let _ = walker.find(|walker, key| {
        each(walker, key);
        Ok(false)
    });
}

/// The elements of an array; of anything else, none.
pub(super) fn each_element<'a>(mut walker: Placed<'a>, mut each: impl FnMut(Placed<'a>, usize)) {
    let _ = walker.array(|walker, index| {
        each(*walker, index);
        walker.skip();
        Ok(())
    });
}
