// SPDX-License-Identifier: MIT OR Apache-2.0
//! Everything in which a document differs from its schema, in the order of the document.

use simd_json::{Node, StaticNode};

use crate::DocumentType;
use crate::collector::{Collector, Segment, Unexpected};
use crate::schema::{Object, Rule, Schema};
use crate::walker::Walker;

/// Reports a type, before which the walker stands, that has no schema.
pub(super) fn unknown_type<'a>(
    walker: Walker<'a, true>,
    in_metadata: bool,
    collector: &mut Collector<'a, '_>,
) {
    let report = |collector: &mut Collector<'a, '_>| {
        collector.inside(Segment::Key("type"), |collector| {
            collector.unexpected(walker.offset(), || Unexpected {
                expected: DocumentType::ALL.map(|document| format!("\"{document}\"")).join(" or "),
                found: found(walker.ahead()),
                advice: String::new(),
            });
        });
    };
    if in_metadata { collector.inside(Segment::Key("metadata"), report) } else { report(collector) }
}

/// Walks the value ahead and reports all that is not as the schema asks.
pub(super) fn collect<'a>(
    walker: &mut Walker<'a, true>,
    schema: &'static Schema,
    collector: &mut Collector<'a, '_>,
) {
    let ahead = walker.ahead();
    match schema {
        _ if !schema.admits(ahead) => {
            collector.unexpected(walker.offset(), || Unexpected {
                expected: schema.noun(),
                found: found(ahead),
                advice: advice(schema, ahead),
            });
            walker.skip();
        }
        Schema::List(item) => {
            let walked = walker.array(|walker, index| {
                collector.inside(Segment::Index(index), |collector| collect(walker, item, collector));
                Ok(())
            });
            debug_assert!(walked.is_ok(), "an array is ahead");
        }
        Schema::Object(object) => collect_object(walker, object, collector),
        _ => walker.skip(),
    }
}

fn collect_object<'a>(
    walker: &mut Walker<'a, true>,
    object: &'static Object,
    collector: &mut Collector<'a, '_>,
) {
    let start = walker.offset();
    let last = last_values(*walker, object);
    for (member, value) in object.members.iter().zip(&last) {
        if member.required && value.is_none() {
            collector.unexpected(start, || Unexpected {
                expected: format!("the key `{}` with {}", member.key, member.schema.noun()),
                found: "no such key".to_owned(),
                advice: String::new(),
            });
        }
    }
    let value_of = |key: &str| object.position(key, 0).and_then(|position| last[position].as_ref());
    let is_true =
        |key: &str| value_of(key).is_some_and(|value| value.node == Node::Static(StaticNode::Bool(true)));
    for rule in object.rules.iter().filter(|rule| rule.is_broken(|key| value_of(key).is_some(), is_true)) {
        collector.unexpected(start, || broken(rule));
    }
    let mut index = 0;
    let walked = walker.object(|walker, key| {
        collector.inside(Segment::Key(key), |collector| match object.position(key, index) {
            None => {
                collector.unexpected(walker.offset(), || unknown_key(object, key));
                walker.skip();
            }
            // Python's reader keeps the last of equal keys.
            Some(position) if last[position].as_ref().is_some_and(|value| value.index > index) => {
                collector.warning(walker.offset(), || format!("`{key}` stands again below, and that counts"));
                walker.skip();
            }
            Some(position) => collect(walker, &object.members[position].schema, collector),
        });
        index += 1;
        Ok(())
    });
    debug_assert!(walked.is_ok(), "an object is ahead");
}

/// The value of a member that counts, and which of the members in the document it is.
struct Last<'a> {
    node: Node<'a>,
    index: usize,
}

/// For each member of the schema, what the object ahead has under its key.
fn last_values<'a>(walker: Walker<'a, true>, object: &Object) -> Vec<Option<Last<'a>>> {
    let mut last: Vec<Option<Last<'a>>> = object.members.iter().map(|_| None).collect();
    let mut index = 0;
    let looked = walker.find(|walker, key| {
        if let Some(position) = object.position(key, index) {
            last[position] = Some(Last { node: walker.ahead(), index });
        }
        index += 1;
        Ok(false)
    });
    debug_assert!(looked.is_ok(), "an object is ahead");
    last
}

fn broken(rule: &Rule) -> Unexpected {
    let quoted = |keys: &[&str]| keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(" or ");
    match rule {
        Rule::AnyOf(keys) => Unexpected {
            expected: format!("the key {}", quoted(keys)),
            found: "neither".to_owned(),
            advice: String::new(),
        },
        Rule::NeededWith { flag, with, needed } => Unexpected {
            expected: format!("the key `{needed}`"),
            found: "no such key".to_owned(),
            advice: format!("; where `{flag}` is true, `{with}` needs it"),
        },
    }
}

fn unknown_key(object: &Object, key: &str) -> Unexpected {
    let known: Vec<&str> = object.members.iter().map(|member| member.key).collect();
    Unexpected {
        expected: format!("one of the keys {}", known.join(", ")),
        found: format!("`{key}`"),
        advice: String::new(),
    }
}

/// What a value is, in words.
fn found(value: Node<'_>) -> String {
    const LONG: usize = 40;
    match value {
        Node::String(text) if text.chars().count() > LONG => "a long string".to_owned(),
        Node::String(text) => format!("the string {text:?}"),
        Node::Object { .. } => "an object".to_owned(),
        Node::Array { .. } => "an array".to_owned(),
        Node::Static(value @ (StaticNode::I64(_) | StaticNode::U64(_))) => format!("the integer {value}"),
        Node::Static(StaticNode::F64(float)) => format!("the float {float:?}"),
        Node::Static(value) => value.to_string(),
    }
}

/// What to write instead of a number of the other kind.
fn advice(schema: &Schema, value: Node<'_>) -> String {
    match (schema, value) {
        (Schema::Float, Node::Static(StaticNode::I64(integer))) => format!("; write {integer}.0"),
        (Schema::Float, Node::Static(StaticNode::U64(integer))) => format!("; write {integer}.0"),
        (Schema::Integer, Node::Static(StaticNode::F64(float)))
            if float.trunc() == float && float.abs() < 1e15 =>
        {
            format!("; write {float:.0}")
        }
        _ => String::new(),
    }
}
