// SPDX-License-Identifier: MIT OR Apache-2.0
//! Phases made object by object, and strategies run on them.

use lbaf_model::{
    Affine, AffineParameters, Assignment, Block, BlockIdx, BoundScope, CommGraph, Communication, NodeId,
    ObjectIdx, ObjectKey, ObjectMemory, Phase, PhaseColumns, PhaseId, Rank, RankId, RankQuantity, Slot,
    UpperBound, Vertex, Volume, WorkModel,
};
use lbaf_strategies::{Checked, Context, NoObserver, Problem, Strategy, StrategyError, run};

/// An object on its rank.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Object {
    pub(crate) load: f64,
    pub(crate) rank: u32,
    pub(crate) migratable: bool,
    pub(crate) footprint_bytes: f64,
    pub(crate) block: Option<u32>,
}

/// A migratable object that is nothing but load.
pub(crate) fn object(load: f64, rank: u32) -> Object {
    Object { load, rank, migratable: true, footprint_bytes: 0.0, block: None }
}

/// One that may not move.
pub(crate) fn sentinel(load: f64, rank: u32) -> Object {
    Object { migratable: false, ..object(load, rank) }
}

/// Load alone, and this many bytes on a rank.
pub(crate) fn memory(limit: f64) -> Affine {
    let bound = UpperBound { quantity: RankQuantity::MaxMemoryUsage, limit, scope: BoundScope::Rank };
    Affine::new(AffineParameters { bounds: vec![bound], ..AffineParameters::default() }).unwrap()
}

/// What a phase is made of. Numbers of objects in files are 10, 11, .. in their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Made {
    /// One speed for each rank.
    pub(crate) alphas: Vec<f64>,
    pub(crate) ranks_per_node: u32,
    pub(crate) objects: Vec<Object>,
    /// Sizes; the home of each is rank 0.
    pub(crate) block_bytes: Vec<f64>,
    /// From object, to object, bytes.
    pub(crate) edges: Vec<(u32, u32, f64)>,
    /// Where each object is in collection 7, or nowhere; without any, nobody asked.
    pub(crate) indices: Vec<Vec<i64>>,
    /// What each object takes in each subphase; without any, nobody knows.
    pub(crate) subphases: Vec<Vec<f64>>,
}

impl Made {
    /// Objects on ranks of normal speed, each a node of its own.
    pub(crate) fn of(n_ranks: usize, objects: Vec<Object>) -> Self {
        Made { alphas: vec![1.0; n_ranks], ranks_per_node: 1, objects, ..Made::default() }
    }

    pub(crate) fn phase(&self) -> Phase {
        let objects = &self.objects;
        let edges: Vec<Communication> = (self.edges.iter())
            .map(|&(from, to, bytes)| Communication {
                from: Vertex::Object(Slot(from)),
                to: Vertex::Object(Slot(to)),
                volume: Volume { bytes, messages: 1 },
            })
            .collect();
        let rank = |(rank, &alpha): (u32, &f64)| Rank {
            alpha,
            node: NodeId(rank / self.ranks_per_node.max(1)),
            working_bytes: 0.0,
        };
        let memory = |object: &Object| ObjectMemory {
            footprint_bytes: object.footprint_bytes,
            block: object.block.map(BlockIdx),
            ..ObjectMemory::default()
        };
        let columns = PhaseColumns {
            objects: (0..objects.len()).map(ObjectIdx::from).collect(),
            load: objects.iter().map(|object| object.load).collect(),
            memory: objects.iter().map(memory).collect(),
            migratable: objects.iter().map(|object| object.migratable).collect(),
            recorded: Assignment::new(objects.iter().map(|object| RankId(object.rank)).collect()),
            ranks: (0..).zip(&self.alphas).map(rank).collect(),
            blocks: (0..)
                .zip(&self.block_bytes)
                .map(|(id, &size_bytes)| Block { id, size_bytes, home: RankId(0) })
                .collect(),
            communication: CommGraph::new(objects.len(), self.alphas.len(), &edges),
        };
        let phase = Phase::new(PhaseId(3), columns).unwrap();
        let phase = if self.subphases.is_empty() {
            phase
        } else {
            let of_object = |seconds: &Vec<f64>| (0_u32..).zip(seconds.iter().copied()).collect::<Vec<_>>();
            phase.with_subphases(self.subphases.iter().map(of_object).collect()).unwrap()
        };
        if self.indices.is_empty() {
            return phase;
        }
        let index = |at: usize| Some((Some(7), &self.indices.get(at)?[..]));
        phase.with_coordinates((0..objects.len()).map(index).collect()).unwrap()
    }

    pub(crate) fn keys(&self) -> Vec<ObjectKey> {
        let key = |(number, object): (u64, &Object)| {
            ObjectKey::new(false, number, (!object.migratable).then_some(RankId(object.rank)))
        };
        (10..).zip(&self.objects).map(key).collect()
    }

    /// What a strategy makes of it.
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

/// The ranks of an assignment as numbers.
pub(crate) fn ranks(assignment: &Assignment) -> Vec<u32> {
    assignment.as_slice().iter().map(|rank| rank.0).collect()
}
