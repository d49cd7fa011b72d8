// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records are parsed like the printed records.

use lbaf_vom::record::{
    Communication, DataFile, Entity, EntityKind, Metadata, PhaseGaps, PhaseRecord, PhaseSet, SharedNode,
    Subphase, Task, UserDefined,
};
use lbaf_vom::{CommunicationKind, FileParts, ParsedFile, Scratch, VomError, parse, parse_records, print};
use proptest::collection::{btree_map, vec};
use proptest::option::{of, weighted};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Generates a size or time, rarely one that is not valid.
fn amount() -> impl Strategy<Value = f64> {
    let unusual =
        prop::sample::select(vec![-1.0, -0.0, f64::NAN, f64::INFINITY, f64::MAX, f64::MIN_POSITIVE]);
    prop_oneof![400 => (0_u8..4).prop_map(f64::from), 400 => 0.0..1e9_f64, 1 => unusual]
}

fn rank() -> impl Strategy<Value = u32> {
    prop_oneof![1000 => 0..5_u32, 1 => u32::MAX - 1..=u32::MAX]
}

fn id() -> impl Strategy<Value = u64> {
    prop_oneof![20 => 0..1_u64 << 30, 1 => any::<u64>()]
}

fn entity(kind: impl Strategy<Value = EntityKind>) -> impl Strategy<Value = Entity> {
    let collection = (of(0..9_u64), of(vec(any::<i64>(), 0..3)), of(0..3_u64));
    let parts = (weighted(0.9, id()), of(id()), of(rank()), of(any::<bool>()), collection, kind);
    parts.prop_map(|(id, seq_id, home, migratable, (collection_id, index, objgroup_id), kind)| Entity {
        collection_id,
        home,
        // An entity without both is invalid, which another test checks.
        id: id.or_else(|| seq_id.is_none().then_some(5)),
        index,
        migratable,
        objgroup_id,
        seq_id,
        kind,
    })
}

fn user_defined() -> impl Strategy<Value = UserDefined> {
    let others = prop_oneof![
        300 => Just(json!({})),
        1 => Just(json!({"shared_block_id": 3})),
        1 => Just(json!({"shared_block_id": -3, "note": ["x"]})),
        1 => Just(json!({"shared_block_id": "x"})),
    ];
    let parts = (of(rank()), vec(of(amount()), 5), of(id()), others);
    parts.prop_map(|(home_rank, bytes, shared_id, others)| UserDefined {
        home_rank,
        rank_working_bytes: bytes[0],
        shared_bytes: bytes[1],
        shared_id,
        task_footprint_bytes: bytes[2],
        task_serialized_bytes: bytes[3],
        task_working_bytes: bytes[4],
        other: others.as_object().unwrap().clone().into_iter().collect(),
    })
}

fn task() -> impl Strategy<Value = Task> {
    let kind = prop_oneof![600 => Just(EntityKind::Object), 1 => Just(EntityKind::Node)];
    let number = prop_oneof![300 => 0..9_u64, 1 => Just(1 << 40)];
    let ascending = btree_map(number, amount(), 0..3).prop_map(|times| times.into_iter().collect());
    let subphases = prop_oneof![100 => ascending, 1 => vec((0..3_u64, amount()), 0..3)];
    let attributes = weighted(0.005, btree_map("[a-z\"é]{1,4}", any::<i64>().prop_map(Value::from), 0..3));
    let parts = (attributes, entity(kind), rank(), subphases, amount(), of(user_defined()));
    parts.prop_map(|(attributes, entity, node, subphases, time, user_defined)| Task {
        attributes: attributes.map(|attributes| attributes.into_iter().collect()),
        entity,
        node,
        subphases: subphases.into_iter().map(|(id, time)| Subphase { id, time }).collect(),
        time,
        user_defined,
        ..Task::default()
    })
}

fn communication() -> impl Strategy<Value = Communication> {
    let kinds = [&CommunicationKind::NAMED[..], &[CommunicationKind::Other]].concat();
    let end =
        || entity(prop::sample::select(vec![EntityKind::Object, EntityKind::Node, EntityKind::SharedId]));
    let parts = (amount(), end(), any::<u64>(), end(), prop::sample::select(kinds));
    parts.prop_map(|(bytes, from, messages, to, kind)| Communication { bytes, from, messages, to, kind })
}

fn metadata() -> impl Strategy<Value = Metadata> {
    let set = || {
        let range = prop_oneof![10 => (0..9_u64, 0..4_u64), 1 => Just((5, 1 << 30))];
        (vec(0..9_u64, 0..2), vec(range.prop_map(|(first, more)| [first, first + more]), 0..2))
            .prop_map(|(list, range)| PhaseSet { list, range })
    };
    let gaps = of((weighted(0.2, set()), set()).prop_map(|(identical_to_previous, skipped)| PhaseGaps {
        identical_to_previous: identical_to_previous.unwrap_or_default(),
        skipped,
    }));
    let attributes = prop_oneof![
        Just(None),
        Just(Some(json!({"Hostname": "né\"1", "lbaf": {"rank_working_bytes": [
            {"bytes": 9.5, "phases": {"list": [1], "range": [[3, 4]]}},
        ]}}))),
        Just(Some(json!({"lbaf": {"rank_working_bytes": [{"bytes": 1.0}]}}))),
    ];
    let node = of((0..4_u32).prop_map(|id| SharedNode { id, num_nodes: 4, rank: 0, size: 1 }));
    let parts = (attributes, gaps, rank(), of(amount()), node);
    parts.prop_map(|(attributes, phases, rank, rank_alpha, shared_node)| Metadata {
        attributes: attributes.map(|value| value.as_object().unwrap().clone()),
        phases,
        rank,
        rank_alpha,
        shared_node,
        ..Metadata::default()
    })
}

fn file() -> impl Strategy<Value = DataFile> {
    let number = prop_oneof![30 => 0..6_u64, 1 => any::<u64>()];
    let phase = (number, vec(task(), 0..12), vec(communication(), 0..4));
    let phase = phase.prop_map(|(id, tasks, communications)| PhaseRecord { communications, id, tasks });
    (metadata(), vec(phase, 0..4)).prop_map(|(metadata, phases)| DataFile { metadata, phases })
}

fn outcome(parsed: Result<ParsedFile, VomError>) -> Result<String, String> {
    parsed.map(|parsed| format!("{parsed:?}")).map_err(|error| error.to_string())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn records_are_parsed_like_the_printed_file(
        file in file(),
        first in 0..4_u64,
        last in of(0..6_u64),
        records in weighted(0.1, Just(())),
        indices in weighted(0.1, Just(())),
        subphases in any::<bool>(),
    ) {
        let phases = |phase| first <= phase && last.is_none_or(|last| phase <= last);
        let (records, indices) = (records.is_some(), indices.is_some());
        let selection = FileParts { phases: &phases, last, records, indices, subphases };
        let mut scratch = Scratch::default();
        let printed = parse(&print(&file), selection, &mut scratch);
        let direct = parse_records(&file, selection, &mut scratch);
        prop_assert_eq!(outcome(direct), outcome(printed));
    }
}
