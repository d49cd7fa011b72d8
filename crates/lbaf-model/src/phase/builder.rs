// SPDX-License-Identifier: MIT OR Apache-2.0
//! Phases built object by object.

use crate::{
    Assignment, Block, CommGraph, Communication, Coordinates, ModelError, NodeId, ObjectIdx, ObjectMemory,
    Objects, Phase, PhaseColumns, PhaseId, Rank, RankId, Slot, Subphases, Vertex, Volume,
};

/// An object of a phase to be built.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Object {
    /// Seconds measured.
    pub load: f64,
    /// The rank that it was recorded on.
    pub rank: RankId,
    /// False for a sentinel, which stays on its rank.
    pub migratable: bool,
    /// Its memory, and the block that it works on.
    pub memory: ObjectMemory,
}

/// Builder of a [`Phase`]: ranks, then objects in the order of their slots, blocks and communication.
///
/// Nothing is checked before [`build`](Self::build). Readers of large data put together [`PhaseColumns`] instead.
///
/// ```
/// use lbaf_model::{Block, BlockIdx, Object, ObjectMemory, Phase, RankId, Slot, rank_totals};
///
/// let shared = ObjectMemory { footprint_bytes: 4e6, block: Some(BlockIdx(0)), ..ObjectMemory::default() };
/// let phase = Phase::builder(2)
///     .alphas([1.0, 1.5])
///     .blocks([Block { id: 7, size_bytes: 1e9, home: RankId(0) }])
///     .objects([
///         Object::new(2.0, RankId(0)),
///         Object { memory: shared, ..Object::new(1.0, RankId(0)) },
///         Object::sentinel(0.5, RankId(1)),
///     ])
///     // 1024 bytes from object 0 to object 2.
///     .communications([(0, 2, 1024.0)])
///     .build()?;
///
/// let totals = rank_totals(&phase, phase.recorded_assignment());
/// assert_eq!((totals[0].load, totals[1].load), (3.0, 0.5));
/// assert!(!phase.is_migratable(Slot(2)));
/// # Ok::<(), lbaf_model::ModelError>(())
/// ```
///
/// Objects and communication that are nothing but numbers may be given as tuples:
///
/// ```
/// # use lbaf_model::Phase;
/// // Load in seconds and rank; sender, receiver and bytes of one message.
/// let phase = Phase::builder(4).objects([(2.5, 0), (1.0, 3)]).communications([(0, 1, 64.0)]).build()?;
/// assert_eq!((phase.n_objects(), phase.communication().n_edges()), (2, 1));
///
/// let error = Phase::builder(4).objects([(2.5, 4)]).build().unwrap_err();
/// assert_eq!(error.to_string(), "phase 0: an object or block on rank 4 of 4");
/// # Ok::<(), lbaf_model::ModelError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct PhaseBuilder {
    id: PhaseId,
    ranks: Vec<Rank>,
    n_alphas: usize,
    objects: Vec<Object>,
    indices: Option<Vec<ObjectIdx>>,
    blocks: Vec<Block>,
    communications: Vec<Communication>,
    coordinates: Option<Coordinates>,
    subphases: Option<Subphases>,
}

impl Object {
    /// A migratable object without memory: its load in seconds, and the rank that it was recorded on.
    pub fn new(load: f64, rank: RankId) -> Self {
        Object { load, rank, migratable: true, memory: ObjectMemory::default() }
    }

    /// The same as a sentinel, which stays on its rank.
    pub fn sentinel(load: f64, rank: RankId) -> Self {
        Object { migratable: false, ..Object::new(load, rank) }
    }
}

impl From<(f64, u32)> for Object {
    /// A migratable object: load in seconds, number of its rank.
    fn from((load, rank): (f64, u32)) -> Self {
        Object::new(load, RankId(rank))
    }
}

impl From<(Vertex, Vertex, f64)> for Communication {
    /// One message: sender, receiver, bytes.
    fn from((from, to, bytes): (Vertex, Vertex, f64)) -> Self {
        Communication { from, to, volume: Volume { bytes, messages: 1 } }
    }
}

impl From<(u32, u32, f64)> for Communication {
    /// One message between objects: slot of the sender, slot of the receiver, bytes.
    fn from((from, to, bytes): (u32, u32, f64)) -> Self {
        (Vertex::Object(Slot(from)), Vertex::Object(Slot(to)), bytes).into()
    }
}

impl Phase {
    /// Builder of a phase on `n_ranks` ranks of alpha 1, each on a node of its own; number 0 unless another is given.
    pub fn builder(n_ranks: usize) -> PhaseBuilder {
        let rank = |rank| Rank { alpha: 1.0, node: NodeId::from(rank), working_bytes: 0.0 };
        PhaseBuilder {
            id: PhaseId(0),
            ranks: (0..n_ranks).map(rank).collect(),
            n_alphas: n_ranks,
            objects: Vec::new(),
            indices: None,
            blocks: Vec::new(),
            communications: Vec::new(),
            coordinates: None,
            subphases: None,
        }
    }
}

impl PhaseBuilder {
    /// Number of the phase in the run.
    pub fn id(mut self, id: PhaseId) -> Self {
        self.id = id;
        self
    }

    /// All ranks, in place of those so far.
    pub fn ranks(mut self, ranks: impl IntoIterator<Item = Rank>) -> Self {
        self.ranks = ranks.into_iter().collect();
        self.n_alphas = self.ranks.len();
        self
    }

    /// Speed of each rank: seconds of work per second of load.
    pub fn alphas(mut self, alphas: impl IntoIterator<Item = f64>) -> Self {
        let mut alphas = alphas.into_iter();
        self.n_alphas = 0;
        for (rank, alpha) in self.ranks.iter_mut().zip(alphas.by_ref()) {
            rank.alpha = alpha;
            self.n_alphas += 1;
        }
        self.n_alphas += alphas.count();
        self
    }

    /// Ranks on each node, in the order of their numbers; 0 counts as 1.
    pub fn ranks_per_node(mut self, n: usize) -> Self {
        for (at, rank) in self.ranks.iter_mut().enumerate() {
            rank.node = NodeId::from(at / n.max(1));
        }
        self
    }

    /// Adds objects, in the order of their slots.
    pub fn objects<O: Into<Object>>(mut self, objects: impl IntoIterator<Item = O>) -> Self {
        self.objects.extend(objects.into_iter().map(Into::into));
        self
    }

    /// Index of each object in the data set, strictly ascending. By default a phase has all objects of its data set.
    pub fn indices(mut self, indices: impl IntoIterator<Item = ObjectIdx>) -> Self {
        self.indices = Some(indices.into_iter().collect());
        self
    }

    /// Adds blocks. [`BlockIdx`](crate::BlockIdx) 0 is the first one.
    pub fn blocks(mut self, blocks: impl IntoIterator<Item = Block>) -> Self {
        self.blocks.extend(blocks);
        self
    }

    /// Adds communication between objects, and between objects and ranks.
    pub fn communications<C: Into<Communication>>(
        mut self,
        communications: impl IntoIterator<Item = C>,
    ) -> Self {
        self.communications.extend(communications.into_iter().map(Into::into));
        self
    }

    /// Places of the objects in their collections.
    pub fn coordinates(mut self, coordinates: Coordinates) -> Self {
        self.coordinates = Some(coordinates);
        self
    }

    /// Seconds of the objects in each subphase.
    pub fn subphases(mut self, subphases: Subphases) -> Self {
        self.subphases = Some(subphases);
        self
    }

    /// Puts the phase together. O(E log E + objects).
    ///
    /// # Errors
    /// As [`Phase::new`], [`Phase::with_coordinates`] and [`Phase::with_subphases`]; alphas of another number of ranks;
    /// communication of an object or rank that does not exist.
    pub fn build(self) -> Result<Phase, ModelError> {
        self.check().map_err(|message| ModelError::Phase { phase: self.id, message })?;
        let (n_objects, n_ranks) = (self.objects.len(), self.ranks.len());
        let columns = PhaseColumns {
            objects: self.indices.map_or(Objects::All(n_objects), Objects::Listed),
            load: self.objects.iter().map(|object| object.load).collect(),
            memory: self.objects.iter().map(|object| object.memory).collect(),
            migratable: self.objects.iter().map(|object| object.migratable).collect(),
            recorded: Assignment::new(self.objects.iter().map(|object| object.rank).collect()),
            ranks: self.ranks,
            blocks: self.blocks,
            communication: CommGraph::from_vec(n_objects, n_ranks, self.communications),
        };
        let mut phase = Phase::new(self.id, columns)?;
        if let Some(coordinates) = self.coordinates {
            phase = phase.with_coordinates(coordinates)?;
        }
        if let Some(subphases) = self.subphases {
            phase = phase.with_subphases(subphases)?;
        }
        Ok(phase)
    }

    /// Checks what only a builder can get wrong.
    fn check(&self) -> Result<(), String> {
        let n_ranks = self.ranks.len();
        if self.n_alphas != n_ranks {
            return Err(format!("alphas of {} ranks for {n_ranks}", self.n_alphas));
        }
        for vertex in self.communications.iter().flat_map(|one| [one.from, one.to]) {
            let (what, at, n) = match vertex {
                Vertex::Object(slot) => ("object", slot.index(), self.objects.len()),
                Vertex::Rank(rank) => ("rank", rank.index(), n_ranks),
            };
            if at >= n {
                return Err(format!("communication of {what} {at} of {n}"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BlockIdx;

    fn message(builder: PhaseBuilder) -> String {
        builder.build().unwrap_err().to_string()
    }

    #[test]
    fn a_phase_has_all_that_was_given() {
        let blocks = [Block { id: 9, size_bytes: 8.0, home: RankId(2) }];
        let memory = ObjectMemory { working_bytes: 3.0, block: Some(BlockIdx(0)), ..ObjectMemory::default() };
        let objects = [Object { memory, ..Object::new(2.0, RankId(2)) }, Object::sentinel(1.0, RankId(0))];
        let edges = [
            (Vertex::Object(Slot(0)), Vertex::Rank(RankId(1)), 5.0),
            (Vertex::Object(Slot(0)), Vertex::Object(Slot(1)), 7.0),
        ];
        let index = [4_i64];
        let phase = Phase::builder(3)
            .id(PhaseId(6))
            .alphas([1.0, 2.0, 0.5])
            .ranks_per_node(2)
            .blocks(blocks)
            .objects(objects)
            .indices([ObjectIdx(1), ObjectIdx(4)])
            .communications(edges)
            .coordinates([Some((Some(3), &index[..])), None].into_iter().collect())
            .subphases([vec![(0, 2.0)], vec![(1, 1.0)]].into_iter().collect())
            .build()
            .unwrap();
        assert_eq!(phase.id(), PhaseId(6));
        let rank = |alpha, node| Rank { alpha, node: NodeId(node), working_bytes: 0.0 };
        assert_eq!(phase.ranks(), [rank(1.0, 0), rank(2.0, 0), rank(0.5, 1)]);
        assert_eq!((phase.blocks(), phase.memory(Slot(0))), (&blocks[..], &memory));
        assert_eq!(phase.columns().load, [2.0, 1.0]);
        assert_eq!(phase.columns().migratable, [true, false]);
        assert_eq!(phase.recorded_assignment().as_slice(), [RankId(2), RankId(0)]);
        assert_eq!((phase.slot_of(ObjectIdx(4)), phase.slot_of(ObjectIdx(0))), (Some(Slot(1)), None));
        assert_eq!(phase.coordinates().and_then(|all| all.of(Slot(0))), Some((0, &index[..])));
        assert_eq!(phase.subphases().map(|all| all.sum(Slot(1))), Some(1.0));
        let volume = |bytes| Volume { bytes, messages: 1 };
        let there: Vec<_> = phase.communication().edges().collect();
        let [(from, rank, _), (_, to, _)] = edges;
        assert_eq!(there, [(from, to, volume(7.0)), (from, rank, volume(5.0))]);
    }

    #[test]
    fn ranks_are_alike_and_on_nodes_of_their_own() {
        let phase = Phase::builder(3).build().unwrap();
        assert_eq!(phase.n_objects(), 0);
        assert!(phase.ranks().iter().all(|rank| rank.alpha == 1.0 && rank.working_bytes == 0.0));
        assert!(phase.ranks().iter().map(|rank| rank.node.0).eq(0..3));
        let all: Vec<Rank> = phase.ranks().iter().map(|rank| Rank { working_bytes: 2.0, ..*rank }).collect();
        assert_eq!(Phase::builder(1).ranks(all.clone()).build().unwrap().ranks(), all);
    }

    #[test]
    fn what_does_not_exist_is_refused() {
        let two = || Phase::builder(2).objects([(1.0, 0), (1.0, 1)]);
        assert_eq!(message(two().alphas([1.0])), "phase 0: alphas of 1 ranks for 2");
        assert_eq!(message(two().alphas([1.0; 3])), "phase 0: alphas of 3 ranks for 2");
        assert_eq!(message(two().communications([(0, 2, 1.0)])), "phase 0: communication of object 2 of 2");
        let to_rank = (Vertex::Rank(RankId(2)), Vertex::Object(Slot(0)), 1.0);
        assert_eq!(message(two().communications([to_rank])), "phase 0: communication of rank 2 of 2");
        assert_eq!(
            message(two().id(PhaseId(4)).objects([(f64::NAN, 0)])),
            "phase 4: loads, sizes and alphas are finite and not negative, but one is NaN"
        );
        assert!(message(two().indices([ObjectIdx(3)])).contains("columns of lengths"));
        assert!(message(two().indices([3, 1].map(ObjectIdx))).contains("not strictly ascending"));
        assert!(
            message(two().coordinates(Coordinates::default())).contains("coordinates of 0 objects for 2")
        );
        assert!(message(two().subphases(Subphases::default())).contains("subphases of 0 objects for 2"));
        assert!(message(Phase::builder(0).objects([(1.0, 0)])).contains("on rank 0 of 0"));
    }
}
