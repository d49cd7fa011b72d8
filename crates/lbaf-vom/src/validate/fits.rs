// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fast test of validity without error reports. Most documents are valid, and the test takes a fraction of the time
//! of reading them.

use simd_json::{Node, StaticNode};

use crate::schema::{Object, Schema};
use crate::walker::{Walked, Walker};

/// True if the current value satisfies the schema and no object repeats a key of the schema.
pub(super) fn fits(mut walker: Walker<'_, false>, schema: &Schema) -> bool {
    pass(&mut walker, schema).is_ok()
}

fn pass(walker: &mut Walker<'_, false>, schema: &Schema) -> Walked<()> {
    if !schema.admits(walker.ahead()) {
        return Err(refusal(walker));
    }
    match schema {
        Schema::List(item) => walker.array(|walker, _| pass(walker, item)).map(drop),
        Schema::Object(object) => pass_object(walker, object),
        _ => {
            walker.skip();
            Ok(())
        }
    }
}

fn pass_object(walker: &mut Walker<'_, false>, object: &Object) -> Walked<()> {
    let here = *walker;
    let (mut seen, mut truths, mut next) = (0_u16, 0_u16, 0);
    walker.object(|walker, key| {
        let position = object.position(key, next).ok_or_else(|| refusal(walker))?;
        let bit = 1 << position;
        if seen & bit != 0 {
            return Err(refusal(walker));
        }
        seen |= bit;
        if let Node::Static(StaticNode::Bool(true)) = walker.ahead() {
            truths |= bit;
        }
        next = position + 1;
        pass(walker, &object.members[position].schema)
    })?;
    let is_in = |bits: u16| move |key: &str| object.position(key, 0).is_some_and(|at| bits >> at & 1 == 1);
    let complete = seen & object.required == object.required;
    if complete && !object.rules.iter().any(|rule| rule.is_broken(is_in(seen), is_in(truths))) {
        Ok(())
    } else {
        Err(refusal(&here))
    }
}

/// Returns an error without a message, which ends the traversal. A second traversal reports the violations.
#[cold]
fn refusal(walker: &Walker<'_, false>) -> crate::error::Mismatch {
    walker.complain(String::new())
}
