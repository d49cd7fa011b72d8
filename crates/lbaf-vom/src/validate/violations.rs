// SPDX-License-Identifier: MIT OR Apache-2.0
//! All violations of a schema, in document order.

use simd_json::{Node, StaticNode};

use crate::collector::{Collector, Segment, Unexpected};
use crate::schema::{Object, Rule, Schema};
use crate::walker::Walker;
use crate::{DocumentType, Severity, vt};

/// Reports a type without a schema. The walker is at the type.
pub(super) fn unknown_type<'a>(
    walker: Walker<'a, true>,
    in_metadata: bool,
    collector: &mut Collector<'a, '_>,
) {
    let report = |collector: &mut Collector<'a, '_>| {
        collector.inside(Segment::Key("type"), |collector| {
            collector.unexpected(walker.offset(), Severity::Error, || Unexpected {
                expected: DocumentType::ALL.map(|document| format!("\"{document}\"")).join(" or "),
                found: found(walker.ahead()),
                advice: String::new(),
            });
        });
    };
    if in_metadata { collector.inside(Segment::Key("metadata"), report) } else { report(collector) }
}

/// Location of a value in the schema, and the criterion for violations there.
#[derive(Clone, Copy)]
pub(super) struct Place {
    judge: Judge,
    object: &'static str,
    key: &'static str,
}

/// Criterion for the severity of a violation.
#[derive(Clone, Copy)]
enum Judge {
    /// The schema: every violation is an error.
    Schema,
    /// vt: a violation is a warning if vt still reads the file correctly, and an error otherwise.
    Vt,
    /// vt, within a value that its reader never inspects: every violation is a warning.
    VtUnread,
}

impl Place {
    /// Returns the location of the document itself.
    pub(super) fn document(for_vt: bool) -> Self {
        Place { judge: if for_vt { Judge::Vt } else { Judge::Schema }, object: "", key: "" }
    }

    fn member(self, object: &'static Object, key: &'static str) -> Self {
        let judge = match self.judge {
            Judge::Vt if vt::passes_over(object.name, key) => Judge::VtUnread,
            judge => judge,
        };
        Place { judge, object: object.name, key }
    }

    fn severity(self, schema: &Schema, found: Option<Node<'_>>) -> Severity {
        let is_read = match self.judge {
            Judge::Schema => false,
            Judge::Vt => vt::takes(self.object, self.key, schema, found),
            Judge::VtUnread => true,
        };
        if is_read { Severity::Warning } else { Severity::Error }
    }

    /// Returns the severity of a violated rule. Rules concern keys that identify an object. vt rejects an object that
    /// violates one, unless vt never inspects the object.
    fn severity_of_rule(self) -> Severity {
        if matches!(self.judge, Judge::VtUnread) { Severity::Warning } else { Severity::Error }
    }

    /// Returns the severity of an unknown key. vt's reader ignores unknown keys.
    fn severity_of_unknown_key(self) -> Severity {
        if matches!(self.judge, Judge::Schema) { Severity::Error } else { Severity::Warning }
    }
}

/// Reads the current value and reports all violations of the schema.
pub(super) fn collect<'a>(
    walker: &mut Walker<'a, true>,
    schema: &'static Schema,
    place: Place,
    collector: &mut Collector<'a, '_>,
) {
    let ahead = walker.ahead();
    match schema {
        _ if !schema.admits(ahead) => {
            let severity = place.severity(schema, Some(ahead));
            collector.unexpected(walker.offset(), severity, || Unexpected {
                expected: schema.noun(),
                found: found(ahead),
                advice: advice(schema, ahead),
            });
            walker.skip();
        }
        Schema::List(item) => {
            let walked = walker.array(|walker, index| {
                collector.inside(Segment::Index(index), |collector| collect(walker, item, place, collector));
                Ok(())
            });
            debug_assert!(walked.is_ok(), "invariant: `admits` accepted an array");
        }
        Schema::Object(object) => collect_object(walker, object, place, collector),
        _ => walker.skip(),
    }
}

fn collect_object<'a>(
    walker: &mut Walker<'a, true>,
    object: &'static Object,
    place: Place,
    collector: &mut Collector<'a, '_>,
) {
    let start = walker.offset();
    let last = last_values(*walker, object);
    for (member, value) in object.members.iter().zip(&last) {
        if member.required && value.is_none() {
            let severity = place.member(object, member.key).severity(&member.schema, None);
            collector.unexpected(start, severity, || Unexpected {
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
        collector.unexpected(start, place.severity_of_rule(), || broken(rule));
    }
    let mut index = 0;
    let walked = walker.object(|walker, key| {
        collector.inside(Segment::Key(key), |collector| match object.position(key, index) {
            None => {
                let severity = place.severity_of_unknown_key();
                collector.unexpected(walker.offset(), severity, || unknown_key(object, key));
                walker.skip();
            }
            // Python's reader keeps the last of several equal keys.
            Some(position) if last[position].as_ref().is_some_and(|value| value.index > index) => {
                collector.warning(walker.offset(), || {
                    format!("`{key}` is repeated below, and the last one counts")
                });
                walker.skip();
            }
            Some(position) => {
                let member = &object.members[position];
                collect(walker, &member.schema, place.member(object, member.key), collector);
            }
        });
        index += 1;
        Ok(())
    });
    debug_assert!(walked.is_ok(), "invariant: `admits` accepted an object");
}

/// The effective value of a member, and its index among the members in the document.
struct Last<'a> {
    node: Node<'a>,
    index: usize,
}

/// Returns, for each member of the schema, the last value under its key in the current object.
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
    debug_assert!(looked.is_ok(), "invariant: `admits` accepted an object");
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
            advice: format!("; `{with}` requires it if `{flag}` is true"),
        },
    }
}

fn unknown_key(object: &Object, key: &str) -> Unexpected {
    let known: Vec<String> = object.members.iter().map(|member| format!("`{}`", member.key)).collect();
    Unexpected {
        expected: format!("one of the keys {}", known.join(", ")),
        found: format!("`{key}`"),
        advice: String::new(),
    }
}

/// Describes a value.
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

/// Returns advice if the number should have been an integer or a float.
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
