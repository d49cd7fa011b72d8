// SPDX-License-Identifier: MIT OR Apache-2.0
//! Small random phases with memory, blocks, sentinels, nodes and communication.

use lbaf_model::{
    AffineParameters, Assignment, Block, BlockIdx, BoundScope, CcmParameters, Communication, Dictionary,
    NodeId, Object, ObjectIdx, ObjectMemory, OnRankVolume, Phase, PhaseColumns, Rank, RankId, RankQuantity,
    Slot, UpperBound, Vertex, Volume, rank_totals, ranks_by_node,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// A phase, and its communication before parallel edges were merged.
#[derive(Clone, Debug)]
pub(crate) struct RandomPhase {
    pub(crate) phase: Phase,
    pub(crate) communications: Vec<Communication>,
}

/// Largest numbers of ranks and objects of a phase.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    pub(crate) ranks: u32,
    pub(crate) objects: usize,
}

/// Draws phases up to a size, with ranks of different speed on several nodes, blocks with homes, sentinels,
/// and all kinds of edges.
pub(crate) fn random_phase(size: Size) -> impl Strategy<Value = RandomPhase> {
    (1..=size.ranks, 0..=size.objects, 0..4_u32).prop_flat_map(|(n_ranks, n_objects, n_blocks)| {
        let parts = (
            vec(rank(n_ranks), n_ranks as usize),
            vec(block(n_ranks), n_blocks as usize),
            vec(object(n_ranks, n_blocks), n_objects),
            vec(communication(n_ranks, n_objects), 0..3 * n_objects + 1),
        );
        parts.prop_map(|(ranks, blocks, objects, communications)| {
            let phase = phase(ranks, blocks, &objects, &communications);
            RandomPhase { phase, communications }
        })
    })
}

/// Draws any placement of `n_objects` objects on `n_ranks` ranks.
pub(crate) fn placement(n_objects: usize, n_ranks: usize) -> impl Strategy<Value = Assignment> {
    vec(0..n_ranks, n_objects)
        .prop_map(|ranks| Assignment::new(ranks.into_iter().map(RankId::from).collect()))
}

/// Draws coefficients, and upper bounds on any quantities.
pub(crate) fn affine_parameters() -> impl Strategy<Value = AffineParameters> {
    let scope = prop_oneof![Just(BoundScope::Rank), Just(BoundScope::Node)];
    let quantity = prop::sample::select(RankQuantity::ALL);
    let bound = (quantity, amount(), scope).prop_map(|(quantity, limit, scope)| UpperBound {
        quantity,
        limit,
        scope,
    });
    let coefficients = (amount(), amount(), amount(), amount(), vec(bound, 0..4));
    coefficients.prop_map(|(alpha, beta, gamma, delta, bounds)| AffineParameters {
        alpha,
        beta,
        gamma,
        delta,
        bounds,
    })
}

/// Draws an upper bound on memory or on the number of blocks, so tight that often only some placements
/// satisfy it.
pub(crate) fn memory_bound(phase: &Phase) -> impl Strategy<Value = UpperBound> + use<> {
    let totals = rank_totals(phase, phase.recorded_assignment());
    let n_places = |scope| match scope {
        BoundScope::Rank => phase.n_ranks(),
        BoundScope::Node => ranks_by_node(phase).iter().filter(|ranks| !ranks.is_empty()).count(),
    };
    let scopes = [BoundScope::Rank, BoundScope::Node].map(|scope| (scope, n_places(scope) as f64));
    let quantities = [
        RankQuantity::MaxMemoryUsage,
        RankQuantity::MemoryWithSerialized,
        RankQuantity::SharedMemory,
        RankQuantity::NumSharedBlocks,
    ];
    (prop::sample::select(quantities.to_vec()), prop::sample::select(scopes.to_vec()), 0.6..2.0_f64).prop_map(
        move |(quantity, (scope, n_places), tightness)| {
            let recorded: f64 = totals.iter().map(|rank| quantity.of(rank)).sum();
            UpperBound { quantity, limit: tightness * recorded / n_places, scope }
        },
    )
}

/// Draws coefficients and upper bounds for the CCM model, with either definition of the on-rank volume.
pub(crate) fn ccm_parameters() -> impl Strategy<Value = CcmParameters> {
    (affine_parameters(), any::<bool>()).prop_map(|(affine, as_vt)| CcmParameters {
        alpha: affine.alpha,
        beta: affine.beta,
        gamma: affine.gamma,
        delta: affine.delta,
        on_rank_volume: if as_vt { OnRankVolume::Vt } else { OnRankVolume::Paper },
        bounds: affine.bounds,
        ..CcmParameters::default()
    })
}

/// Draws loads, bytes, alphas, coefficients and limits: often 0, often a multiple of 0.5, else any number below 3.
fn amount() -> impl Strategy<Value = f64> {
    prop_oneof![
        2 => Just(0.0),
        4 => (0..5_u8).prop_map(|halves| f64::from(halves) / 2.0),
        4 => 0.0..3.0_f64,
    ]
}

fn rank(n_ranks: u32) -> impl Strategy<Value = Rank> {
    let alpha = prop_oneof![3 => Just(1.0), 2 => amount()];
    (alpha, 0..n_ranks, amount()).prop_map(|(alpha, node, working_bytes)| Rank {
        alpha,
        node: NodeId(node),
        working_bytes,
    })
}

fn block(n_ranks: u32) -> impl Strategy<Value = Block> {
    (any::<u64>(), amount(), 0..n_ranks).prop_map(|(id, size_bytes, home)| Block {
        id,
        size_bytes,
        home: RankId(home),
    })
}

fn object(n_ranks: u32, n_blocks: u32) -> impl Strategy<Value = Object> {
    // The block number `n_blocks` means no block.
    let memory = (amount(), amount(), amount(), 0..=n_blocks);
    let facts = (amount(), memory, any::<u8>(), 0..n_ranks);
    facts.prop_map(
        move |(load, (footprint_bytes, working_bytes, serialized_bytes, block), chance, recorded)| Object {
            load,
            rank: RankId(recorded),
            migratable: chance >= 64,
            memory: ObjectMemory {
                footprint_bytes,
                working_bytes,
                serialized_bytes,
                block: (block < n_blocks).then_some(BlockIdx(block)),
            },
        },
    )
}

fn communication(n_ranks: u32, n_objects: usize) -> impl Strategy<Value = Communication> {
    let n_vertices = n_objects as u32 + n_ranks;
    let vertex = move || {
        (0..n_vertices).prop_map(move |number| match number.checked_sub(n_ranks) {
            Some(slot) => Vertex::Object(Slot(slot)),
            None => Vertex::Rank(RankId(number)),
        })
    };
    (vertex(), vertex(), amount(), 0..9_u64).prop_map(|(from, to, bytes, messages)| Communication {
        from,
        to,
        volume: Volume { bytes, messages },
    })
}

/// Returns a dictionary in which equal values are stored once. The first value may be unused.
fn shared(column: impl Iterator<Item = ObjectMemory>) -> Dictionary<ObjectMemory> {
    let mut values = vec![ObjectMemory::default()];
    let positions = column
        .map(|value| {
            let known = values.iter().position(|&other| other == value);
            known.unwrap_or_else(|| {
                values.push(value);
                values.len() - 1
            }) as u32
        })
        .collect();
    Dictionary::new(values, positions).unwrap()
}

fn phase(
    ranks: Vec<Rank>,
    blocks: Vec<Block>,
    objects: &[Object],
    communications: &[Communication],
) -> Phase {
    let phase = Phase::builder(0).ranks(ranks).blocks(blocks).objects(objects.iter().copied());
    let phase = phase.indices((0..objects.len()).map(|position| ObjectIdx::from(2 * position)));
    let phase = phase.communications(communications.iter().copied()).build().unwrap();
    let memory = shared(objects.iter().map(|object| object.memory));
    phase.with_columns(PhaseColumns { memory, ..phase.columns().clone() }).unwrap()
}
