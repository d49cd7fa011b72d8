// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random small models that files can hold.

use std::collections::{BTreeMap, BTreeSet};

use lbaf_model::{
    Block, BlockIdx, Communication, Coordinates, DataSet, NodeId, Object, ObjectIdx, ObjectKey, ObjectMemory,
    Phase, PhaseBuilder, PhaseId, Rank, RankId, Slot, Subphases, Vertex, Volume,
};
use lbaf_vom::packed_id;
use proptest::collection::vec;
use proptest::num::f64::{NORMAL, POSITIVE, SUBNORMAL, ZERO};
use proptest::option;
use proptest::prelude::*;

/// Largest number of objects.
const MOST_OBJECTS: usize = 9;
/// Number of ranks.
const N_RANKS: u32 = 4;

/// Numbers from the whole range whose sums and products remain finite.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        2 => 0.0..1e3,
        1 => (POSITIVE | NORMAL | SUBNORMAL | ZERO).prop_map(|number| number.min(1e300)),
        1 => prop_oneof![Just(0.0), Just(-0.0), Just(1e300), Just(f64::MIN_POSITIVE), Just(5e-324)],
    ]
}

#[derive(Clone, Debug)]
struct Task {
    rank: u32,
    load: f64,
    bytes: [f64; 3],
    block: Option<u64>,
    index: Vec<i64>,
    times: BTreeMap<u32, f64>,
}

#[derive(Clone, Debug)]
struct PhaseSpec {
    gap: u64,
    /// By object; `None` if the object has no task in this phase.
    tasks: Vec<Option<Task>>,
    working: Vec<f64>,
    edges: Vec<(usize, usize, f64, u64)>,
    has_coordinates: bool,
    has_subphases: bool,
    block_size: f64,
}

fn key() -> impl Strategy<Value = ObjectKey> {
    // Often one of few numbers, so that objects share numbers.
    (any::<bool>(), prop_oneof![0..3_u64, any::<u64>()], option::of(0..N_RANKS), 0..N_RANKS as u16).prop_map(
        |(is_sequence, number, sentinel, home)| {
            let number = match (is_sequence, number) {
                (true, _) => number,
                (false, 0) if sentinel.is_some() => 0,
                (false, _) => packed_id(number & 0xffff, home, sentinel.is_none()),
            };
            ObjectKey::new(is_sequence, number, sentinel.map(RankId))
        },
    )
}

fn task() -> impl Strategy<Value = Task> {
    let bytes = [number(), number(), number()];
    let block = option::of(prop_oneof![0..3_u64, Just(u64::MAX)]);
    let times = proptest::collection::btree_map(prop_oneof![0..4_u32, any::<u32>()], number(), 0..4);
    (0..N_RANKS, number(), bytes, block, vec(any::<i64>(), 0..3), times)
        .prop_map(|(rank, load, bytes, block, index, times)| Task { rank, load, bytes, block, index, times })
}

fn phase() -> impl Strategy<Value = PhaseSpec> {
    let end = 0..MOST_OBJECTS + N_RANKS as usize;
    (
        prop_oneof![4 => Just(0), 2 => 1..5_u64, 1 => Just(3_000_000_000)],
        vec(option::weighted(0.7, task()), MOST_OBJECTS),
        vec(number(), N_RANKS as usize),
        vec((end.clone(), end, number(), any::<u64>()), 0..20),
        any::<(bool, bool)>(),
        number(),
    )
        .prop_map(|(gap, tasks, working, edges, (has_coordinates, has_subphases), block_size)| {
            PhaseSpec { gap, tasks, working, edges, has_coordinates, has_subphases, block_size }
        })
}

/// Up to three phases, each with some of the objects.
pub(crate) fn model() -> impl Strategy<Value = DataSet> {
    let keys = proptest::collection::btree_set(key(), 0..=MOST_OBJECTS);
    let ranks = vec((number().prop_map(|alpha| alpha.min(1e3)), 0..3_u32), N_RANKS as usize);
    (keys, ranks, vec(phase(), 0..4)).prop_map(|(keys, ranks, phases)| build(&keys, &ranks, &phases))
}

/// Builds a model with all ranks. Keys without a task in any phase are removed.
fn build(keys: &BTreeSet<ObjectKey>, ranks: &[(f64, u32)], phases: &[PhaseSpec]) -> DataSet {
    let has_task = |at: usize| phases.iter().any(|phase| phase.tasks[at].is_some());
    let kept: Vec<(usize, ObjectKey)> =
        keys.iter().copied().enumerate().filter(|&(at, _)| has_task(at)).collect();
    let mut id = 0;
    let phases = phases.iter().map(|spec| {
        id += spec.gap;
        let phase = build_phase(PhaseId(id), &kept, ranks, spec);
        id += 1;
        phase
    });
    let phases = phases.collect();
    DataSet::new(kept.iter().map(|&(_, key)| key).collect(), ranks.len(), phases)
}

fn build_phase(id: PhaseId, kept: &[(usize, ObjectKey)], ranks: &[(f64, u32)], spec: &PhaseSpec) -> Phase {
    let tasks: Vec<(ObjectIdx, ObjectKey, &Task)> = kept
        .iter()
        .enumerate()
        .filter_map(|(index, &(at, key))| Some((ObjectIdx::from(index), key, spec.tasks[at].as_ref()?)))
        .collect();
    // Readers number nodes in the order of their first rank.
    let mut known = Vec::new();
    let ranks = ranks.iter().zip(&spec.working).map(|(&(alpha, node), &working_bytes)| {
        if !known.contains(&node) {
            known.push(node);
        }
        let node = NodeId::from(known.iter().position(|other| *other == node).unwrap());
        Rank { alpha, node, working_bytes }
    });
    let blocks: BTreeSet<u64> = tasks.iter().filter_map(|(.., task)| task.block).collect();
    let block_at = |id: u64| BlockIdx::from(blocks.iter().position(|block| *block == id).unwrap());
    let n_objects = tasks.len();
    let vertex = |end: usize| match end.checked_sub(MOST_OBJECTS) {
        Some(rank) => Some(Vertex::Rank(RankId::from(rank))),
        None => (end < n_objects).then(|| Vertex::Object(Slot::from(end))),
    };
    let edges = spec.edges.iter().filter_map(|&(from, to, bytes, messages)| {
        let (from, to) = (vertex(from)?, vertex(to)?);
        let is_valid = !matches!((from, to), (Vertex::Rank(_), Vertex::Rank(_)));
        is_valid.then_some(Communication { from, to, volume: Volume { bytes, messages } })
    });
    let objects = tasks.iter().map(|(_, key, task)| {
        let [footprint_bytes, working_bytes, serialized_bytes] = task.bytes;
        let block = task.block.map(block_at);
        Object {
            load: task.load,
            rank: key.rank().unwrap_or(RankId(task.rank)),
            migratable: key.rank().is_none(),
            memory: ObjectMemory { footprint_bytes, working_bytes, serialized_bytes, block },
        }
    });
    let coordinates: Coordinates = tasks
        .iter()
        .map(|(_, key, task)| {
            // Migratable objects with sequence numbers need a collection.
            let collection = (key.rank().is_none() || task.rank > 1).then_some(u64::from(task.rank));
            (collection.is_some() || !task.index.is_empty()).then_some((collection, &task.index[..]))
        })
        .collect();
    let subphases: Subphases = tasks.iter().map(|(.., task)| task.times.clone()).collect();
    let mut phase: PhaseBuilder = Phase::builder(0)
        .id(id)
        .ranks(ranks)
        .indices(tasks.iter().map(|&(index, ..)| index))
        .blocks(blocks.iter().map(|&id| Block {
            id,
            size_bytes: spec.block_size,
            home: RankId((id % 4) as u32),
        }))
        .objects(objects)
        .communications(edges);
    if spec.has_coordinates {
        phase = phase.coordinates(coordinates);
    }
    if spec.has_subphases {
        phase = phase.subphases(subphases);
    }
    phase.build().unwrap()
}
