// SPDX-License-Identifier: MIT OR Apache-2.0
//! Builder that creates a phase object by object.

use crate::{
    Assignment, Block, CommGraph, Communication, Coordinates, ModelError, NodeId, ObjectIdx, ObjectMemory,
    Objects, Phase, PhaseColumns, PhaseId, Rank, RankId, Slot, Subphases, Vertex, Volume,
};

/// An object of a phase to be built.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Object {
    /// Measured load in seconds.
    pub load: f64,
    /// The recorded rank.
    pub rank: RankId,
    /// False for a sentinel, which stays on its rank.
    pub migratable: bool,
    /// Memory requirements, and the block that the object works on.
    pub memory: ObjectMemory,
}

/// Builder of a [`Phase`] from ranks, objects in the order of their slots, blocks and communication.
///
/// Values are checked in [`build`](Self::build). For large data, assemble [`PhaseColumns`] instead.
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
/// Objects and communication that consist only of numbers may be given as tuples:
///
/// ```
/// # use lbaf_model::Phase;
/// // Load in seconds and rank; sender, receiver and bytes of one message.
/// let phase = Phase::builder(4).objects([(2.5, 0), (1.0, 3)]).communications([(0, 1, 64.0)]).build()?;
/// assert_eq!((phase.n_objects(), phase.communication().n_edges()), (2, 1));
///
/// let error = Phase::builder(4).objects([(2.5, 4)]).build().unwrap_err();
/// assert_eq!(error.to_string(), "phase 0: an object or block is on rank 4, but the phase has 4 ranks");
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
    /// Creates a migratable object without memory, from its load in seconds and its recorded rank.
    pub fn new(load: f64, rank: RankId) -> Self {
        Object { load, rank, migratable: true, memory: ObjectMemory::default() }
    }

    /// Like [`Object::new`], but creates a sentinel.
    pub fn sentinel(load: f64, rank: RankId) -> Self {
        Object { migratable: false, ..Object::new(load, rank) }
    }
}

impl From<(f64, u32)> for Object {
    /// Creates a migratable object from its load in seconds and the number of its rank.
    fn from((load, rank): (f64, u32)) -> Self {
        Object::new(load, RankId(rank))
    }
}

impl From<(Vertex, Vertex, f64)> for Communication {
    /// Creates one message from sender, receiver and bytes.
    fn from((from, to, bytes): (Vertex, Vertex, f64)) -> Self {
        Communication { from, to, volume: Volume { bytes, messages: 1 } }
    }
}

impl From<(u32, u32, f64)> for Communication {
    /// Creates one message between objects from the slots of sender and receiver, and bytes.
    fn from((from, to, bytes): (u32, u32, f64)) -> Self {
        (Vertex::Object(Slot(from)), Vertex::Object(Slot(to)), bytes).into()
    }
}

impl Phase {
    /// Returns a builder of phase 0 with `n_ranks` ranks of alpha 1, each on its own node.
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
    /// Sets the number of the phase in the run.
    pub fn id(mut self, id: PhaseId) -> Self {
        self.id = id;
        self
    }

    /// Replaces all ranks.
    pub fn ranks(mut self, ranks: impl IntoIterator<Item = Rank>) -> Self {
        self.ranks = ranks.into_iter().collect();
        self.n_alphas = self.ranks.len();
        self
    }

    /// Sets the alpha of each rank, seconds of work per second of load.
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

    /// Assigns ranks to nodes, `n` consecutive ranks each; 0 counts as 1.
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

    /// Sets the [`ObjectIdx`] of each object, strictly ascending. By default, the phase has all objects of
    /// its data set.
    pub fn indices(mut self, indices: impl IntoIterator<Item = ObjectIdx>) -> Self {
        self.indices = Some(indices.into_iter().collect());
        self
    }

    /// Adds blocks. [`BlockIdx`](crate::BlockIdx) 0 is the first one.
    pub fn blocks(mut self, blocks: impl IntoIterator<Item = Block>) -> Self {
        self.blocks.extend(blocks);
        self
    }

    /// Adds communication among objects and ranks.
    pub fn communications<C: Into<Communication>>(
        mut self,
        communications: impl IntoIterator<Item = C>,
    ) -> Self {
        self.communications.extend(communications.into_iter().map(Into::into));
        self
    }

    /// Sets the indices of the objects in their collections.
    pub fn coordinates(mut self, coordinates: Coordinates) -> Self {
        self.coordinates = Some(coordinates);
        self
    }

    /// Sets the seconds of the objects in each subphase.
    pub fn subphases(mut self, subphases: Subphases) -> Self {
        self.subphases = Some(subphases);
        self
    }

    /// Builds the phase. O(E log E + objects + ranks) for E communications.
    ///
    /// # Errors
    /// As for [`Phase::new`], [`Phase::with_coordinates`] and [`Phase::with_subphases`]; if the number of
    /// alphas is not the number of ranks; if communication names an object or rank that does not exist.
    pub fn build(self) -> Result<Phase, ModelError> {
        self.check().map_err(|message| ModelError::Phase { phase: self.id, message })?;
        let (n_objects, n_ranks) = (self.objects.len(), self.ranks.len());
        let columns = PhaseColumns {
            objects: self.indices.map_or(Objects::All(n_objects), Objects::from_iter),
            load: self.objects.iter().map(|object| object.load).collect(),
            memory: self.objects.iter().map(|object| object.memory).collect(),
            migratable: self.objects.iter().map(|object| object.migratable).collect(),
            recorded: Assignment::new(self.objects.iter().map(|object| object.rank).collect()).into(),
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

    /// Checks the conditions that [`Phase::new`] does not check.
    fn check(&self) -> Result<(), String> {
        let n_ranks = self.ranks.len();
        if self.n_alphas != n_ranks {
            return Err(format!(
                "the number of alphas is {}, but the phase has {n_ranks} ranks",
                self.n_alphas
            ));
        }
        for vertex in self.communications.iter().flat_map(|one| [one.from, one.to]) {
            let (kind, at, n) = match vertex {
                Vertex::Object(slot) => ("object", slot.index(), self.objects.len()),
                Vertex::Rank(rank) => ("rank", rank.index(), n_ranks),
            };
            if at >= n {
                return Err(format!("communication names {kind} {at}, but the phase has {n} {kind}s"));
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
    fn a_built_phase_has_every_given_value() {
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
        assert_eq!(*phase.columns().migratable, [true, false]);
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
    fn by_default_ranks_are_equal_and_each_has_its_own_node() {
        let phase = Phase::builder(3).build().unwrap();
        assert_eq!(phase.n_objects(), 0);
        assert!(phase.ranks().iter().all(|rank| rank.alpha == 1.0 && rank.working_bytes == 0.0));
        assert!(phase.ranks().iter().map(|rank| rank.node.0).eq(0..3));
        let all: Vec<Rank> = phase.ranks().iter().map(|rank| Rank { working_bytes: 2.0, ..*rank }).collect();
        assert_eq!(Phase::builder(1).ranks(all.clone()).build().unwrap().ranks(), all);
    }

    #[test]
    fn invalid_ranks_objects_and_numbers_are_rejected() {
        let two = || Phase::builder(2).objects([(1.0, 0), (1.0, 1)]);
        for n in [1, 3] {
            let expected = format!("phase 0: the number of alphas is {n}, but the phase has 2 ranks");
            assert_eq!(message(two().alphas(vec![1.0; n])), expected);
        }
        assert_eq!(
            message(two().communications([(0, 2, 1.0)])),
            "phase 0: communication names object 2, but the phase has 2 objects"
        );
        let to_rank = (Vertex::Rank(RankId(2)), Vertex::Object(Slot(0)), 1.0);
        assert_eq!(
            message(two().communications([to_rank])),
            "phase 0: communication names rank 2, but the phase has 2 ranks"
        );
        assert_eq!(
            message(two().id(PhaseId(4)).objects([(f64::NAN, 0)])),
            "phase 4: loads, sizes and alphas must be finite and non-negative, but one is NaN"
        );
        assert!(message(two().indices([ObjectIdx(3)])).contains("the columns have the lengths"));
        assert!(message(two().indices([3, 1].map(ObjectIdx))).contains("not strictly ascending"));
        assert!(
            message(two().coordinates(Coordinates::default()))
                .contains("coordinates for 0 objects, but the phase has 2")
        );
        assert!(
            message(two().subphases(Subphases::default()))
                .contains("subphases for 0 objects, but the phase has 2")
        );
        assert!(
            message(Phase::builder(0).objects([(1.0, 0)])).contains("on rank 0, but the phase has 0 ranks")
        );
    }
}
