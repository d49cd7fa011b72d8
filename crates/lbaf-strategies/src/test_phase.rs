// SPDX-License-Identifier: MIT OR Apache-2.0
//! Phases for unit tests.

use lbaf_model::{
    Affine, AffineParameters, BoundScope, ObjectMemory, Phase, RankId, RankQuantity, UpperBound, WorkModel,
};

use crate::Problem;

/// Object with a load in seconds, its recorded rank (`home`) and a footprint in bytes.
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

/// Builds a phase of objects without communication on equal ranks, two ranks per node.
pub(crate) fn phase(n_ranks: usize, objects: &[Object]) -> Phase {
    let object = |object: &Object| lbaf_model::Object {
        load: object.load,
        rank: RankId(object.home),
        migratable: object.migratable,
        memory: ObjectMemory { footprint_bytes: object.bytes, ..ObjectMemory::default() },
    };
    Phase::builder(n_ranks).ranks_per_node(2).objects(objects.iter().map(object)).build().unwrap()
}

/// Returns a problem that starts from the recorded placement of a phase.
pub(crate) fn problem<'a>(phase: &'a Phase, model: &'a dyn WorkModel) -> Problem<'a> {
    Problem { phase, initial: phase.recorded_assignment(), model, keys: &[] }
}

/// Returns a work model of load alone, with an upper bound of `limit` bytes on the memory of each rank or node.
pub(crate) fn within(limit: f64, scope: BoundScope) -> Affine {
    let bounds = vec![UpperBound { quantity: RankQuantity::MaxMemoryUsage, limit, scope }];
    Affine::new(AffineParameters { beta: 0.0, bounds, ..AffineParameters::default() }).unwrap()
}
