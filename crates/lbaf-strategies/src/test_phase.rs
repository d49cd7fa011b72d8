// SPDX-License-Identifier: MIT OR Apache-2.0
//! Phases for unit tests.

use lbaf_model::{
    Affine, AffineParameters, Assignment, BoundScope, CommGraph, NodeId, ObjectIdx, ObjectMemory, Phase,
    PhaseColumns, PhaseId, Rank, RankId, RankQuantity, UpperBound, WorkModel,
};

use crate::Problem;

/// An object with a load in seconds and a footprint.
#[derive(Clone, Copy)]
pub(crate) struct Object {
    pub(crate) load: f64,
    pub(crate) home: u32,
    pub(crate) migratable: bool,
    pub(crate) bytes: f64,
}

impl Default for Object {
    fn default() -> Self {
        Object { load: 0.0, home: 0, migratable: true, bytes: 0.0 }
    }
}

/// Objects that do not talk, on ranks that are alike, two of them on each node.
pub(crate) fn phase(n_ranks: usize, objects: &[Object]) -> Phase {
    let n = objects.len();
    let memory = |object: &Object| ObjectMemory { footprint_bytes: object.bytes, ..ObjectMemory::default() };
    let node = |rank: usize| NodeId::from(rank / 2);
    let columns = PhaseColumns {
        objects: (0..n).map(ObjectIdx::from).collect(),
        load: objects.iter().map(|object| object.load).collect(),
        memory: objects.iter().map(memory).collect(),
        migratable: objects.iter().map(|object| object.migratable).collect(),
        recorded: Assignment::new(objects.iter().map(|object| RankId(object.home)).collect()),
        ranks: (0..n_ranks).map(|rank| Rank { alpha: 1.0, node: node(rank), working_bytes: 0.0 }).collect(),
        blocks: Vec::new(),
        communication: CommGraph::new(n, n_ranks, &[]),
    };
    Phase::new(PhaseId(0), columns).unwrap()
}

/// The phase as a problem, from where its objects are at home.
pub(crate) fn problem<'a>(phase: &'a Phase, model: &'a dyn WorkModel) -> Problem<'a> {
    Problem { phase, initial: phase.recorded_assignment(), model, keys: &[] }
}

/// Load, within a limit of memory.
pub(crate) fn within(limit: f64, scope: BoundScope) -> Affine {
    let bounds = vec![UpperBound { quantity: RankQuantity::MaxMemoryUsage, limit, scope }];
    Affine::new(AffineParameters { beta: 0.0, bounds, ..AffineParameters::default() }).unwrap()
}
