// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comparison with values read by `serde_json`.

use lbaf_vom::{
    BlockRow, CommunicationKind, CommunicationRow, Endpoint, EndpointKind, FileParts, FileRows, Indices,
    MemoryRow, NONE, PhaseRows, Scratch, Span, TaskRow, home_of_packed_id, parse,
};
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestCaseError};
use serde_json::Value;

use crate::places::Places;
use crate::random_document::document;
use crate::spelling::spell;

fn unsigned(value: &Value) -> Option<u64> {
    value.as_u64()
}

/// Reads a rank; negative numbers mean "none".
fn rank(value: &Value) -> u32 {
    value.as_u64().map_or(NONE, |rank| u32::try_from(rank).unwrap())
}

fn bytes(value: &Value) -> f64 {
    value.as_f64().unwrap_or(0.0)
}

/// Reads an entity by the rules of the format: `id` takes precedence over `seq_id`. If `migratable` is absent, an
/// entity is migratable if it belongs to a collection.
fn endpoint(entity: &Value) -> Endpoint {
    let in_collection = entity.get("collection_id").is_some() || entity.get("index").is_some();
    Endpoint {
        id: unsigned(&entity["id"]).or(unsigned(&entity["seq_id"])).unwrap(),
        home: rank(&entity["home"]),
        kind: match entity["type"].as_str() {
            None | Some("object") => EndpointKind::Object,
            Some("node") => EndpointKind::Node,
            Some("shared_id") => EndpointKind::SharedBlock,
            Some(_) => EndpointKind::Other,
        },
        is_sequence: entity["id"].is_null(),
        migratable: entity["migratable"].as_bool().unwrap_or(in_collection),
        states_migratable: !entity["migratable"].is_null(),
    }
}

/// Returns the position of a row in a list, appended if it is new.
fn intern<Row: PartialEq>(rows: &mut Vec<Row>, row: Row) -> u32 {
    let known = rows.iter().position(|other| *other == row);
    known.unwrap_or_else(|| {
        rows.push(row);
        rows.len() - 1
    }) as u32
}

/// Returns the rows of a phase without spans.
fn rows(phase: &Value, at: usize) -> PhaseRows {
    let mut rows = PhaseRows { id: unsigned(&phase["id"]).unwrap_or(at as u64), ..PhaseRows::default() };
    let empty = Vec::new();
    let list = |key: &str| phase[key].as_array().unwrap_or(&empty);
    for task in list("tasks") {
        let (entity, facts) = (endpoint(&task["entity"]), &task["user_defined"]);
        let shared = ["shared_id", "shared_block_id"].map(|key| unsigned(&facts[key]));
        let block = shared.into_iter().flatten().next().map_or(NONE, |id| {
            let (size_bytes, home) = (bytes(&facts["shared_bytes"]), rank(&facts["home_rank"]));
            intern(&mut rows.blocks, BlockRow { id, size_bytes, home })
        });
        let memory = MemoryRow {
            footprint_bytes: bytes(&facts["task_footprint_bytes"]),
            working_bytes: bytes(&facts["task_working_bytes"]),
            serialized_bytes: bytes(&facts["task_serialized_bytes"]),
            rank_working_bytes: bytes(&facts["rank_working_bytes"]),
            block,
        };
        rows.tasks.push(TaskRow {
            id: entity.id,
            load: task["time"].as_f64().unwrap(),
            memory: intern(&mut rows.memory, memory),
            is_sequence: entity.is_sequence,
            migratable: entity.migratable,
        });
        rows.n_unstated += usize::from(task["entity"]["migratable"].is_null());
        rows.rank_working_bytes = rows.rank_working_bytes.max(bytes(&facts["rank_working_bytes"]));
        let packed = home_of_packed_id(entity.id).filter(|_| !entity.is_sequence);
        rows.n_home_disagreements +=
            usize::from(entity.home != NONE && packed.is_some_and(|packed| packed != entity.home));
    }
    let communication_row = |entry: &Value| CommunicationRow {
        bytes: entry["bytes"].as_f64().unwrap(),
        messages: unsigned(&entry["messages"]).unwrap_or(1),
        from: endpoint(&entry["from"]),
        to: endpoint(&entry["to"]),
        record: Span::default(),
        kind: (CommunicationKind::NAMED.into_iter())
            .find(|kind| entry["type"] == kind.name())
            .unwrap_or(CommunicationKind::Other),
    };
    rows.communications = list("communications").iter().map(communication_row).collect();
    rows.n_iterations = list("lb_iterations").len();
    let entities = list("tasks").iter().map(|task| &task["entity"]);
    let ends = list("communications").iter().flat_map(|entry| [&entry["from"], &entry["to"]]);
    let homes = entities.chain(ends).filter_map(|entity| unsigned(&entity["home"]));
    rows.largest_home = homes.max().map(|home| home as u32);
    rows
}

/// Asserts that every object of a phase has the position in its collection that its entity states.
fn check_indices(found: &PhaseRows, phase: &Value) -> Result<(), TestCaseError> {
    let empty = Vec::new();
    for (at, task) in phase["tasks"].as_array().unwrap_or(&empty).iter().enumerate() {
        let entity = &task["entity"];
        let index = entity["index"].as_array().map(|index| index.iter().filter_map(Value::as_i64).collect());
        let index: Vec<i64> = index.unwrap_or_default();
        let collection = unsigned(&entity["collection_id"]);
        let expected = (collection.is_some() || !index.is_empty()).then_some((collection, &index[..]));
        prop_assert_eq!(found.indices.of(at), expected);
    }
    prop_assert_eq!(found.indices.of(found.tasks.len()), None);
    Ok(())
}

/// Asserts that every task has the subphase times that it states.
fn check_subphases(found: &PhaseRows, phase: &Value) -> Result<(), TestCaseError> {
    let empty = Vec::new();
    for (at, task) in phase["tasks"].as_array().unwrap_or(&empty).iter().enumerate() {
        let subphases = task["subphases"].as_array().unwrap_or(&empty).iter();
        let time = |subphase: &Value| Some((unsigned(&subphase["id"])? as u32, subphase["time"].as_f64()?));
        let mut expected: Vec<_> = subphases.filter_map(time).collect();
        expected.sort_by_key(|subphase| subphase.0);
        prop_assert_eq!(found.subphases.of(at), &expected);
    }
    prop_assert!(found.subphases.of(found.tasks.len()).is_empty());
    Ok(())
}

/// Asserts that the rows are equal except for spans.
fn check_same(found: &PhaseRows, expected: &PhaseRows) -> Result<(), TestCaseError> {
    prop_assert_eq!(found.id, expected.id);
    prop_assert_eq!(&found.tasks, &expected.tasks);
    prop_assert_eq!(&found.memory, &expected.memory);
    prop_assert_eq!(&found.blocks, &expected.blocks);
    let without_place = |&row: &CommunicationRow| CommunicationRow { record: Span::default(), ..row };
    let communications: Vec<_> = found.communications.iter().map(without_place).collect();
    prop_assert_eq!(&communications, &expected.communications);
    prop_assert_eq!(found.rank_working_bytes, expected.rank_working_bytes);
    prop_assert_eq!(found.n_iterations, expected.n_iterations);
    prop_assert_eq!(found.n_home_disagreements, expected.n_home_disagreements);
    prop_assert_eq!(found.n_unstated, expected.n_unstated);
    prop_assert_eq!(found.largest_home, expected.largest_home);
    Ok(())
}

fn check_metadata(found: &FileRows, document: &Value) -> Result<(), TestCaseError> {
    let (metadata, said) = (&found.metadata, &document["metadata"]);
    prop_assert_eq!(metadata.rank, unsigned(&said["rank"]));
    prop_assert_eq!(metadata.rank_alpha, said["rank_alpha"].as_f64());
    let node = metadata.shared_node.map(|node| (Some(node.id), Some(node.size)));
    let said_node = said.get("shared_node").map(|node| (unsigned(&node["id"]), unsigned(&node["size"])));
    prop_assert_eq!(node, said_node);
    let skipped = &said["phases"]["skipped"];
    for phase in 0..70_u64 {
        let listed = skipped["list"].as_array().is_some_and(|list| list.contains(&phase.into()));
        let in_range = |pair: &Value| (pair[0].as_u64()..=pair[1].as_u64()).contains(&Some(phase));
        let ranged = skipped["range"].as_array().is_some_and(|ranges| ranges.iter().any(in_range));
        prop_assert_eq!(metadata.skipped.contains(phase), listed || ranged);
    }
    prop_assert!(metadata.identical_to_previous.is_empty());
    Ok(())
}

fn config() -> ProptestConfig {
    let config = ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() };
    let rng_seed = match config.rng_seed {
        RngSeed::Random => RngSeed::Fixed(0),
        chosen @ RngSeed::Fixed(_) => chosen,
    };
    ProptestConfig { rng_seed, ..config }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn rows_and_places_are_those_of_serde_json(
        document in document(),
        seed in any::<u64>(),
        wanted in prop_oneof![Just(1_u64), 2..4_u64],
        indices in any::<bool>(),
    ) {
        let raw = spell(&document, seed);
        let text = std::str::from_utf8(&raw).unwrap();
        let read: Value = serde_json::from_str(text).unwrap();
        let phases = |id: u64| id.is_multiple_of(wanted);
        let mut scratch = Scratch::default();
        let placed = parse(&raw, FileParts { phases: &phases, last: None, records: true, indices, subphases: true }, &mut scratch);
        prop_assert!(placed.is_ok(), "{}", placed.unwrap_err());
        let placed = placed.unwrap();
        prop_assert_eq!(placed.document_bytes, raw.len());
        prop_assert_eq!(&placed.document, &raw);

        let all = read["phases"].as_array().unwrap();
        let expected: Vec<PhaseRows> = all.iter().enumerate().map(|(at, phase)| rows(phase, at)).collect();
        prop_assert_eq!(&placed.rows.phase_ids, &expected.iter().map(|phase| phase.id).collect::<Vec<_>>());
        let n_unnumbered = all.iter().filter(|phase| phase.get("id").is_none()).count();
        prop_assert_eq!(placed.rows.warnings.len(), n_unnumbered);
        let expected: Vec<&PhaseRows> = expected.iter().filter(|phase| phases(phase.id)).collect();
        prop_assert_eq!(placed.rows.phases.len(), expected.len());
        for (found, expected) in placed.rows.phases.iter().zip(&expected) {
            check_same(found, expected)?;
        }
        let wanted = all.iter().enumerate().filter(|(at, phase)| {
            phases(unsigned(&phase["id"]).unwrap_or(*at as u64))
        });
        for (found, (_, phase)) in placed.rows.phases.iter().zip(wanted) {
            if indices {
                check_indices(found, phase)?;
            }
            check_subphases(found, phase)?;
        }
        check_metadata(&placed.rows, &read)?;
        Places(text).check_file(&placed.rows)?;

        // Reads the document again without spans, into the same memory.
        let plain = parse(&raw, FileParts { phases: &phases, last: None, records: false, indices: false, subphases: false }, &mut scratch).unwrap();
        prop_assert!(plain.document.is_empty() && plain.rows.fields.is_empty());
        prop_assert_eq!(plain.document_bytes, raw.len());
        prop_assert_eq!(&plain.rows.metadata, &placed.rows.metadata);
        prop_assert_eq!(&plain.rows.warnings, &placed.rows.warnings);
        prop_assert_eq!(&plain.rows.phase_ids, &placed.rows.phase_ids);
        for (found, expected) in plain.rows.phases.iter().zip(&expected) {
            prop_assert!(found.fields.is_empty() && found.task_places.is_empty());
            prop_assert!(found.communications.iter().all(|row| row.record.is_empty()));
            prop_assert_eq!(&found.indices, &Indices::default());
            prop_assert!(found.subphases.is_empty());
            check_same(found, expected)?;
        }
    }
}
