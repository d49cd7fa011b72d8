// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two objects of a second that say three bytes, on two ranks; a third that may not migrate.

use lbaf_model::{
    Affine, AffineParameters, Assignment, Block, BlockIdx, BoundScope, CommGraph, Communication, NodeId,
    ObjectIdx, ObjectKey, ObjectMemory, Phase, PhaseColumns, PhaseId, Rank, RankId, RankQuantity, Slot,
    UpperBound, Vertex, Volume,
};

/// Objects 4 (by sequence number), 5 (packed) and the sentinel 6 on rank 1. Block 8 belongs to the first two.
pub(crate) fn phase() -> Phase {
    let edge = Communication {
        from: Vertex::Object(Slot(0)),
        to: Vertex::Object(Slot(1)),
        volume: Volume { bytes: 3.0, messages: 1 },
    };
    let memory = |working_bytes, block| ObjectMemory { working_bytes, block, ..ObjectMemory::default() };
    let rank = |rank: u32| Rank { alpha: 1.0, node: NodeId(rank), working_bytes: 0.0 };
    let columns = PhaseColumns {
        objects: (0..3).map(ObjectIdx::from).collect(),
        load: vec![1.0, 1.0, 0.5],
        memory: [memory(2.0, Some(BlockIdx(0))), memory(4.0, Some(BlockIdx(0))), memory(3.0, None)]
            .iter()
            .copied()
            .collect(),
        migratable: vec![true, true, false],
        recorded: Assignment::new(vec![RankId(0), RankId(0), RankId(1)]),
        ranks: vec![rank(0), rank(1)],
        blocks: vec![Block { id: 8, size_bytes: 1e9, home: RankId(0) }],
        communication: CommGraph::new(3, 2, &[edge]),
    };
    Phase::new(PhaseId(7), columns).unwrap()
}

pub(crate) fn keys() -> Vec<ObjectKey> {
    vec![
        ObjectKey::new(true, 4, None),
        ObjectKey::new(false, 5, None),
        ObjectKey::new(false, 6, Some(RankId(1))),
    ]
}

/// Communication and homing cost, and memory is bounded.
pub(crate) fn model() -> Affine {
    let bound = UpperBound { quantity: RankQuantity::MaxMemoryUsage, limit: 2e9, scope: BoundScope::Rank };
    let parameters = AffineParameters {
        beta: 1e-6,
        gamma: 0.25,
        delta: 1e-9,
        bounds: vec![bound],
        ..AffineParameters::default()
    };
    Affine::new(parameters).unwrap()
}
