// SPDX-License-Identifier: MIT OR Apache-2.0
//! A small problem on two ranks: two objects of one second, where one sends three bytes to the other, and a
//! non-migratable object.

use lbaf_model::{
    Affine, AffineParameters, Block, BlockIdx, BoundScope, Object, ObjectKey, ObjectMemory, Phase, PhaseId,
    RankId, RankQuantity, UpperBound,
};

/// Builds the phase. Objects 4 (a sequence number) and 5 (a packed id) work on block 8. Object 6 is a sentinel on
/// rank 1.
pub(crate) fn phase() -> Phase {
    let memory = |working_bytes, block| ObjectMemory { working_bytes, block, ..ObjectMemory::default() };
    let block = Some(BlockIdx(0));
    Phase::builder(2)
        .id(PhaseId(7))
        .blocks([Block { id: 8, size_bytes: 1e9, home: RankId(0) }])
        .objects([
            Object { memory: memory(2.0, block), ..Object::new(1.0, RankId(0)) },
            Object { memory: memory(4.0, block), ..Object::new(1.0, RankId(0)) },
            Object { memory: memory(3.0, None), ..Object::sentinel(0.5, RankId(1)) },
        ])
        .communications([(0, 1, 3.0)])
        .build()
        .unwrap()
}

pub(crate) fn keys() -> Vec<ObjectKey> {
    vec![
        ObjectKey::new(true, 4, None),
        ObjectKey::new(false, 5, None),
        ObjectKey::new(false, 6, Some(RankId(1))),
    ]
}

/// Returns a model where communication and homing have a cost and memory has an upper bound.
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
