// SPDX-License-Identifier: MIT OR Apache-2.0
//! Phases for unit tests.

use lbaf_model::{
    Assignment, CommGraph, NodeId, ObjectIdx, ObjectMemory, Phase, PhaseColumns, PhaseId, Rank, RankId,
};

/// An object with a load in seconds and nothing else.
#[derive(Clone, Copy)]
pub(crate) struct Object {
    pub(crate) load: f64,
    pub(crate) home: u32,
    pub(crate) migratable: bool,
}

/// Objects on ranks that are alike, and do not talk.
pub(crate) fn phase(n_ranks: usize, objects: &[Object]) -> Phase {
    let n = objects.len();
    let columns = PhaseColumns {
        objects: (0..n).map(ObjectIdx::from).collect(),
        load: objects.iter().map(|object| object.load).collect(),
        memory: (0..n).map(|_| ObjectMemory::default()).collect(),
        migratable: objects.iter().map(|object| object.migratable).collect(),
        recorded: Assignment::new(objects.iter().map(|object| RankId(object.home)).collect()),
        ranks: vec![Rank { alpha: 1.0, node: NodeId(0), working_bytes: 0.0 }; n_ranks],
        blocks: Vec::new(),
        communication: CommGraph::new(n, n_ranks, &[]),
    };
    Phase::new(PhaseId(0), columns).unwrap()
}
