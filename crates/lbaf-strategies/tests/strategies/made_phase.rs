// SPDX-License-Identifier: MIT OR Apache-2.0
//! Phases specified object by object.

use lbaf_model::{
    Affine, AffineParameters, Assignment, Block, BlockIdx, BoundScope, ObjectKey, ObjectMemory, Phase,
    PhaseId, RankId, RankQuantity, UpperBound, WorkModel,
};
use lbaf_strategies::{Checked, Context, NoObserver, Problem, Strategy, StrategyError, run};

/// Object on its rank.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Object {
    pub(crate) load: f64,
    pub(crate) rank: u32,
    pub(crate) migratable: bool,
    pub(crate) footprint_bytes: f64,
    pub(crate) block: Option<u32>,
}

/// Returns a migratable object with a load only.
pub(crate) fn object(load: f64, rank: u32) -> Object {
    Object { load, rank, migratable: true, footprint_bytes: 0.0, block: None }
}

/// Returns a non-migratable object.
pub(crate) fn sentinel(load: f64, rank: u32) -> Object {
    Object { migratable: false, ..object(load, rank) }
}

/// Returns a work model of load alone, with a bound on the memory of a rank.
pub(crate) fn memory(limit: f64) -> Affine {
    let bound = UpperBound { quantity: RankQuantity::MaxMemoryUsage, limit, scope: BoundScope::Rank };
    Affine::new(AffineParameters { bounds: vec![bound], ..AffineParameters::default() }).unwrap()
}

/// Specification of a phase. Objects have the numbers 10, 11, ... in files.
#[derive(Clone, Debug, Default)]
pub(crate) struct Made {
    /// `alpha` of each rank.
    pub(crate) alphas: Vec<f64>,
    pub(crate) ranks_per_node: u32,
    pub(crate) objects: Vec<Object>,
    /// Sizes of blocks in bytes; rank 0 is the home of every block.
    pub(crate) block_bytes: Vec<f64>,
    /// Edges: sending object, receiving object, bytes.
    pub(crate) edges: Vec<(u32, u32, f64)>,
    /// Index of each object in collection 7; empty for a phase without indices.
    pub(crate) indices: Vec<Vec<i64>>,
    /// Time of each object in each subphase; empty for a phase without subphases.
    pub(crate) subphases: Vec<Vec<f64>>,
}

impl Made {
    /// Specifies objects on ranks of alpha 1, each on its own node.
    pub(crate) fn of(n_ranks: usize, objects: Vec<Object>) -> Self {
        Made { alphas: vec![1.0; n_ranks], ranks_per_node: 1, objects, ..Made::default() }
    }

    pub(crate) fn phase(&self) -> Phase {
        let object = |object: &Object| lbaf_model::Object {
            load: object.load,
            rank: RankId(object.rank),
            migratable: object.migratable,
            memory: ObjectMemory {
                footprint_bytes: object.footprint_bytes,
                block: object.block.map(BlockIdx),
                ..ObjectMemory::default()
            },
        };
        let block = |(id, &size_bytes): (u64, &f64)| Block { id, size_bytes, home: RankId(0) };
        let mut phase = Phase::builder(self.alphas.len())
            .id(PhaseId(3))
            .alphas(self.alphas.iter().copied())
            .ranks_per_node(self.ranks_per_node as usize)
            .blocks((0..).zip(&self.block_bytes).map(block))
            .objects(self.objects.iter().map(object))
            .communications(self.edges.iter().copied());
        if !self.subphases.is_empty() {
            let of_object = |seconds: &Vec<f64>| (0_u32..).zip(seconds.iter().copied()).collect::<Vec<_>>();
            phase = phase.subphases(self.subphases.iter().map(of_object).collect());
        }
        if !self.indices.is_empty() {
            let index = |at: usize| Some((Some(7), &self.indices.get(at)?[..]));
            phase = phase.coordinates((0..self.objects.len()).map(index).collect());
        }
        phase.build().unwrap()
    }

    pub(crate) fn keys(&self) -> Vec<ObjectKey> {
        let key = |(number, object): (u64, &Object)| {
            ObjectKey::new(false, number, (!object.migratable).then_some(RankId(object.rank)))
        };
        (10..).zip(&self.objects).map(key).collect()
    }

    /// Runs a strategy on the phase.
    pub(crate) fn run(
        &self,
        strategy: &dyn Strategy,
        model: &dyn WorkModel,
        seed: u64,
    ) -> Result<Checked, StrategyError> {
        let (phase, keys) = (self.phase(), self.keys());
        let initial = phase.recorded_assignment();
        let problem = Problem { phase: &phase, initial, model, keys: &keys };
        run(strategy, &problem, &mut Context::new(seed, phase.id().0, &mut NoObserver))
    }
}

/// Returns the ranks of an assignment as numbers.
pub(crate) fn ranks(assignment: &Assignment) -> Vec<u32> {
    assignment.as_slice().iter().map(|rank| rank.0).collect()
}
