// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random valid documents with most known elements and many unknown ones.

use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

type Members = Vec<(&'static str, Option<Value>)>;

/// Generates a valid document as a JSON value, with keys in any order, some of them unknown.
pub(crate) fn document() -> impl Strategy<Value = Value> {
    let parts = (of(metadata()), vec(phase(), 0..4), of(Just(json!("LBDatafile"))));
    parts.prop_flat_map(|(metadata, phases, kind)| {
        let phases = phases.into_iter().enumerate().map(|(at, phase)| with_id(phase, at)).collect();
        shuffled(vec![("metadata", metadata), ("type", kind), ("phases", Some(Value::Array(phases)))])
    })
}

/// Makes phase ids distinct: the position of the phase becomes the last digit of its id. Without an id, the parser
/// uses the position.
fn with_id(phase: Value, at: usize) -> Value {
    let Value::Object(mut members) = phase else { unreachable!("phases are objects") };
    if let Some(id) = members.get_mut("id") {
        *id = json!(id.as_u64().unwrap() * 10 + at as u64);
    }
    Value::Object(members)
}

fn phase() -> impl Strategy<Value = Value> {
    let id = of((0..2000_u64).prop_map(Value::from));
    let iterations = of(vec(any_value(), 0..3).prop_map(Value::Array));
    let parts = (
        id,
        of(prop_oneof![9 => vec(task(), 0..5), 1 => vec(task(), 12..16)]),
        of(vec(communication(), 0..4)),
        iterations,
    );
    parts.prop_flat_map(|(id, tasks, communications, iterations)| {
        shuffled(vec![
            ("id", id),
            ("tasks", tasks.map(Value::Array)),
            ("communications", communications.map(Value::Array)),
            ("lb_iterations", iterations),
        ])
    })
}

fn task() -> impl Strategy<Value = Value> {
    let parts = (
        entity(Just("object")),
        of(0..9_u32),
        amount(),
        of(subphases()),
        of(user_defined()),
        of(any_value()),
    );
    parts.prop_flat_map(|(entity, node, time, subphases, user_defined, attributes)| {
        shuffled(vec![
            ("entity", Some(entity)),
            ("node", node.map(Value::from)),
            ("resource", Some(json!("cpu"))),
            ("subphases", subphases),
            ("time", Some(time)),
            ("user_defined", user_defined),
            ("attributes", attributes),
        ])
    })
}

/// Generates subphases with distinct numbers, in any order and with gaps.
fn subphases() -> impl Strategy<Value = Value> {
    let numbers = prop_oneof![Just(vec![0, 1, 2]), Just(vec![4_000_000_000_u32, 0]), Just(vec![])];
    let times = vec((amount(), of(any_value())), 3);
    let parts = (numbers.prop_shuffle(), times);
    parts.prop_map(|(numbers, times)| {
        let subphase = |(number, (time, more))| match more {
            Some(more) => json!({"more": more, "time": time, "id": number}),
            None => json!({"id": number, "time": time}),
        };
        numbers.into_iter().zip(times).map(subphase).collect()
    })
}

fn entity(kind: impl Strategy<Value = &'static str>) -> impl Strategy<Value = Value> {
    let number = || prop_oneof![any::<u64>(), 0..100_u64, Just(u64::MAX), Just(1 << 53 | 1)];
    let ids = prop_oneof![
        number().prop_map(|id| (Some(id), None)),
        number().prop_map(|seq_id| (None, Some(seq_id))),
        (number(), number()).prop_map(|(id, seq_id)| (Some(id), Some(seq_id))),
    ];
    let index = of(vec(any::<i16>(), 0..4).prop_map(Value::from));
    let parts = (ids, of(-1..20_i64), of(any::<bool>()), of(0..9_u64), index, of(kind));
    parts.prop_flat_map(|((id, seq_id), home, migratable, collection_id, index, kind)| {
        shuffled(vec![
            ("id", id.map(Value::from)),
            ("seq_id", seq_id.map(Value::from)),
            ("home", home.map(Value::from)),
            ("migratable", migratable.map(Value::from)),
            ("collection_id", collection_id.map(Value::from)),
            ("index", index),
            ("type", kind.map(Value::from)),
        ])
    })
}

fn user_defined() -> impl Strategy<Value = Value> {
    let key = prop_oneof![Just("shared_id"), Just("shared_block_id")];
    let parts = (key, of(-2..4_i64), of(amount()), of(-1..4_i64), vec(of(amount()), 4));
    parts.prop_flat_map(|(key, block, block_bytes, home, mut others)| {
        shuffled(vec![
            (key, block.map(Value::from)),
            ("shared_bytes", block_bytes),
            ("home_rank", home.map(Value::from)),
            ("task_footprint_bytes", others.remove(0)),
            ("task_working_bytes", others.remove(0)),
            ("task_serialized_bytes", others.remove(0)),
            ("rank_working_bytes", others.remove(0)),
        ])
    })
}

fn communication() -> impl Strategy<Value = Value> {
    let kind = prop::sample::select(vec!["SendRecv", "Broadcast", "WriteShared", "NodeToCollection", "new"]);
    let end = || entity(prop::sample::select(vec!["object", "node", "shared_id", "something"]));
    let parts = (kind, end(), end(), amount(), of(any::<u64>()));
    parts.prop_flat_map(|(kind, from, to, bytes, messages)| {
        shuffled(vec![
            ("type", Some(json!(kind))),
            ("from", Some(from)),
            ("to", Some(to)),
            ("bytes", Some(bytes)),
            ("messages", messages.map(Value::from)),
        ])
    })
}

fn metadata() -> impl Strategy<Value = Value> {
    let node = of((0..9_u64, 0..9_u64).prop_map(|(id, size)| json!({"id": id, "x": [], "size": size})));
    let ranges = || {
        let pair = (0..50_u64, 0..9_u64).prop_map(|(first, more)| json!([first, first + more]));
        (vec(0..50_u64, 0..3), vec(pair, 0..3))
            .prop_map(|(list, range)| json!({"list": list, "range": range}))
    };
    // Without `identical_to_previous`, for which the parser would also read the repeated entries.
    let phases = of(ranges().prop_map(|skipped| json!({"count": 3, "skipped": skipped})));
    let parts = (of(0..9_u64), of(amount()), node, phases, of(any_value()));
    parts.prop_flat_map(|(rank, alpha, node, phases, attributes)| {
        shuffled(vec![
            ("type", Some(json!("LBDatafile"))),
            ("rank", rank.map(Value::from)),
            ("rank_alpha", alpha),
            ("shared_node", node),
            ("phases", phases),
            ("attributes", attributes),
        ])
    })
}

/// Generates a time or size, as an integer or a float.
fn amount() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<u64>().prop_map(Value::from),
        (0..100_u32).prop_map(Value::from),
        any::<f64>().prop_map(|number| if number.is_finite() { json!(number.abs()) } else { json!(0.25) }),
        (0.0..10.0_f64).prop_map(Value::from),
    ]
}

/// Returns the present members in any order, with up to two unknown members.
fn shuffled(members: Members) -> impl Strategy<Value = Value> {
    let unknown = vec((text(), any_value()), 0..3);
    unknown.prop_flat_map(move |unknown| {
        let known = members.iter().filter_map(|(key, value)| Some(((*key).to_owned(), value.clone()?)));
        // No known key begins with a tilde.
        let unknown = unknown.into_iter().map(|(key, value)| (format!("~{key}"), value));
        let all: Vec<(String, Value)> = known.chain(unknown).collect();
        Just(all).prop_shuffle().prop_map(|all| Value::Object(all.into_iter().collect::<Map<_, _>>()))
    })
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{0,6}",
        "[\"\\\\/{}\\[\\]:, \n\té€😀]{0,4}",
        Just("id".to_owned()),
        Just("phases".to_owned()),
    ]
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        amount(),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let members = vec((text(), inner.clone()), 0..4);
        prop_oneof![
            vec(inner, 0..4).prop_map(Value::Array),
            members.prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}
