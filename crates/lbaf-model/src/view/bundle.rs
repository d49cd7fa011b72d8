// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bundles: objects of one rank that move together.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::edges::{EdgeSums, Edges, Volumes};
use crate::sizes::Sizes;
use crate::{BlockIdx, RankId, RankTotals, Slot, Vertex, View};

/// Objects of one rank with all sums needed to evaluate their transfer.
///
/// A bundle is created once in O(degree of the objects). It is then evaluated for every destination without
/// visiting the objects again: see [`View::with`], [`View::without`] and [`View::exchange`]. It is valid
/// until one of its objects or of their partners moves; see [`Bundle::recount_edges`]. For transfers to rank `r`, it
/// stays valid while partners move only between ranks other than its own and `r`.
#[derive(Clone, Debug)]
pub struct Bundle {
    pub(crate) from: RankId,
    pub(crate) objects: SmallVec<[Slot; FEW]>,
    /// The same objects hashed, if there are more than [`FEW`].
    hashed: FxHashSet<Slot>,
    load: f64,
    migratable_load: f64,
    footprint_bytes: f64,
    n_migratable: u32,
    pub(crate) working: Sizes,
    pub(crate) serialized: Sizes,
    /// Blocks, ascending, and the number of objects that work on each.
    pub(crate) blocks: SmallVec<[(BlockIdx, u32); 1]>,
    /// Edges to and from vertices outside the bundle, ascending by the rank of the vertex.
    edges: SmallVec<[Edges; 2]>,
    /// Volumes sent to and received from ranks themselves, ascending by rank. Usually empty.
    with_ranks: Vec<(RankId, Volumes)>,
    sent_bytes: f64,
    received_bytes: f64,
    internal_bytes: f64,
}

/// Largest number of objects that are searched linearly. Larger bundles are also hashed.
const FEW: usize = 8;

impl Bundle {
    /// Creates a bundle of distinct objects of rank `from`.
    pub(crate) fn new(view: &(impl View + ?Sized), from: RankId, objects: &[Slot]) -> Self {
        debug_assert!(objects.iter().all(|&slot| view.rank_of(slot) == from));
        let mut bundle = Bundle::empty(from);
        bundle.add_members(objects);
        for &slot in objects {
            bundle.count_object(view, slot);
        }
        if view.phase().communication().n_edges() > 0 {
            bundle.count_edges(view);
        }
        bundle
    }

    /// Updates the bundle after partners of its objects have moved. The objects must still be on their rank, and the
    /// bundle must not be [narrowed](Bundle::narrowed). O(degree of the objects).
    pub fn recount_edges(&mut self, view: &(impl View + ?Sized)) {
        debug_assert!(self.objects.iter().all(|&slot| view.rank_of(slot) == self.from));
        (self.sent_bytes, self.received_bytes, self.internal_bytes) = (0.0, 0.0, 0.0);
        self.count_edges(view);
    }

    /// Creates a bundle without objects.
    pub(crate) fn empty(from: RankId) -> Self {
        Bundle {
            from,
            objects: SmallVec::new(),
            hashed: FxHashSet::default(),
            load: 0.0,
            migratable_load: 0.0,
            footprint_bytes: 0.0,
            n_migratable: 0,
            working: Sizes::default(),
            serialized: Sizes::default(),
            blocks: SmallVec::new(),
            edges: SmallVec::new(),
            with_ranks: Vec::new(),
            sent_bytes: 0.0,
            received_bytes: 0.0,
            internal_bytes: 0.0,
        }
    }

    /// Returns a bundle of the same objects for destination `to` only. Volumes with other ranks are kept only
    /// as sums, so that further bundles can [`join`](Bundle::join) at low cost.
    #[must_use]
    pub fn narrowed(&self, to: RankId) -> Self {
        let ends = [self.from.min(to), self.from.max(to)];
        let edges = ends.map(|rank| self.edges_with(rank).copied().unwrap_or(Edges::none(rank)));
        Bundle {
            from: self.from,
            objects: self.objects.clone(),
            hashed: self.hashed.clone(),
            working: self.working.clone(),
            serialized: self.serialized.clone(),
            blocks: self.blocks.clone(),
            edges: SmallVec::from_buf(edges),
            with_ranks: self.with_ranks.iter().copied().filter(|(rank, _)| ends.contains(rank)).collect(),
            ..*self
        }
    }

    /// Adds other objects of the same rank to a [`narrowed`](Bundle::narrowed) bundle, which stays limited to
    /// its destination. O(blocks, sizes and objects of `others`), plus O(degree of `others`) if each bundle
    /// has edges to vertices on its rank outside the bundle.
    pub fn join(&mut self, view: &(impl View + ?Sized), others: &Bundle) {
        debug_assert_eq!(self.from, others.from);
        let (bytes, count) = self.between(view, others);
        for edges in &mut self.edges {
            let more = others.edges_with(edges.rank).copied().unwrap_or(Edges::none(edges.rank));
            edges.add(more);
            if edges.rank == self.from {
                // Until now, both bundles counted each edge between them, as an edge to another object of the
                // rank.
                edges.objects = edges.objects.without(bytes, bytes);
                edges.count -= 2 * count;
            }
            let more = others.volumes_with_itself(edges.rank);
            match self.with_ranks.binary_search_by_key(&edges.rank, |&(rank, _)| rank) {
                Ok(at) => self.with_ranks[at].1.add(more),
                Err(_) if more.is_nothing() => {}
                Err(at) => self.with_ranks.insert(at, (edges.rank, more)),
            }
        }
        self.sent_bytes += others.sent_bytes - bytes;
        self.received_bytes += others.received_bytes - bytes;
        self.internal_bytes += others.internal_bytes + bytes;
        self.add_members(&others.objects);
        self.load += others.load;
        self.migratable_load += others.migratable_load;
        self.footprint_bytes += others.footprint_bytes;
        self.n_migratable += others.n_migratable;
        self.working.join(&others.working);
        self.serialized.join(&others.serialized);
        for &(block, count) in &others.blocks {
            self.count_block(block, count);
        }
    }

    /// Returns bytes and number of the edges between this bundle and `others`, in both directions.
    fn between(&self, view: &(impl View + ?Sized), others: &Bundle) -> (f64, u32) {
        let (mut bytes, mut count) = (0.0, 0);
        if !self.talks_on_its_rank() || !others.talks_on_its_rank() {
            return (bytes, count);
        }
        let graph = view.phase().communication();
        for &slot in &others.objects {
            let edges = graph.outgoing(slot).chain(graph.incoming(slot));
            for (_, volume) in edges.filter(|&(other, _)| self.has(other)) {
                bytes += volume.bytes;
                count += 1;
            }
        }
        (bytes, count)
    }

    /// Returns the rank that has the objects.
    pub fn rank(&self) -> RankId {
        self.from
    }

    /// Returns the objects.
    pub fn objects(&self) -> &[Slot] {
        &self.objects
    }

    /// True if the bundle contains an object.
    pub fn has_object(&self, slot: Slot) -> bool {
        self.has(Vertex::Object(slot))
    }

    /// True if the bundle is empty.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// Returns the load of the objects in seconds.
    pub fn load(&self) -> f64 {
        self.load
    }

    /// Returns the bytes sent to vertices outside the bundle.
    pub fn sent_bytes(&self) -> f64 {
        self.sent_bytes
    }

    /// Returns the bytes received from vertices outside the bundle.
    pub fn received_bytes(&self) -> f64 {
        self.received_bytes
    }

    /// Returns the bytes between the objects.
    pub fn internal_bytes(&self) -> f64 {
        self.internal_bytes
    }

    /// Returns the ranks of the outside vertices with which the objects communicate, ascending. For a
    /// [narrowed](Self::narrowed) bundle, returns its own rank and its destination instead.
    pub fn partner_ranks(&self) -> impl Iterator<Item = RankId> {
        self.edges.iter().map(|edges| edges.rank)
    }

    /// True if an object communicates with a vertex on the same rank, but outside the bundle.
    pub fn talks_on_its_rank(&self) -> bool {
        self.edges_with(self.from).is_some_and(|edges| edges.count > 0)
    }

    /// Returns the bytes sent to and received from the other objects on a rank.
    pub(crate) fn volumes_with(&self, rank: RankId) -> Volumes {
        self.edges_with(rank).map_or_else(Volumes::default, |edges| edges.objects)
    }

    /// Returns the bytes sent to and received from a rank itself.
    fn volumes_with_itself(&self, rank: RankId) -> Volumes {
        let found = self.with_ranks.binary_search_by_key(&rank, |&(rank, _)| rank);
        found.map_or_else(|_| Volumes::default(), |at| self.with_ranks[at].1)
    }

    pub(crate) fn edges_with(&self, rank: RankId) -> Option<&Edges> {
        self.edges.binary_search_by_key(&rank, |edges| edges.rank).ok().map(|at| &self.edges[at])
    }

    /// Returns the number of objects of the bundle that work on a block.
    pub(crate) fn n_on(&self, block: BlockIdx) -> u32 {
        self.blocks.binary_search_by_key(&block, |&(block, _)| block).map_or(0, |at| self.blocks[at].1)
    }

    /// Subtracts loads, footprints, counts and volumes of the bundle from the totals of its rank.
    pub(crate) fn leave(&self, totals: &mut RankTotals) {
        totals.load -= self.load;
        totals.migratable_load -= self.migratable_load;
        totals.footprint_bytes -= self.footprint_bytes;
        totals.n_objects -= self.objects.len() as u32;
        totals.n_migratable -= self.n_migratable;
        let (objects, itself) = (self.volumes_with(self.from), self.volumes_with_itself(self.from));
        let to_rank = objects.sent_bytes + itself.sent_bytes;
        let from_rank = objects.received_bytes + itself.received_bytes;
        totals.sent_bytes += from_rank - (self.sent_bytes - to_rank);
        totals.received_bytes += to_rank - (self.received_bytes - from_rank);
        totals.on_rank_bytes -= objects.sent_bytes + objects.received_bytes + self.internal_bytes;
        totals.to_rank_bytes -= itself.sent_bytes;
        totals.from_rank_bytes -= itself.received_bytes;
        not_negative(totals);
    }

    /// Adds loads, footprints, counts and volumes of the bundle to the totals of a rank. `objects` is the
    /// volume exchanged with the objects of that rank.
    pub(crate) fn arrive(&self, totals: &mut RankTotals, rank: RankId, objects: Volumes) {
        totals.load += self.load;
        totals.migratable_load += self.migratable_load;
        totals.footprint_bytes += self.footprint_bytes;
        totals.n_objects += self.objects.len() as u32;
        totals.n_migratable += self.n_migratable;
        let itself = self.volumes_with_itself(rank);
        let to_rank = objects.sent_bytes + itself.sent_bytes;
        let from_rank = objects.received_bytes + itself.received_bytes;
        totals.sent_bytes += self.sent_bytes - to_rank - from_rank;
        totals.received_bytes += self.received_bytes - from_rank - to_rank;
        totals.on_rank_bytes += objects.sent_bytes + objects.received_bytes + self.internal_bytes;
        totals.to_rank_bytes += itself.sent_bytes;
        totals.from_rank_bytes += itself.received_bytes;
        not_negative(totals);
    }

    /// True if a vertex of the communication graph is one of the objects.
    pub(crate) fn has(&self, vertex: Vertex) -> bool {
        let Vertex::Object(slot) = vertex else { return false };
        if self.hashed.is_empty() { self.objects.contains(&slot) } else { self.hashed.contains(&slot) }
    }

    fn add_members(&mut self, objects: &[Slot]) {
        self.objects.extend_from_slice(objects);
        if !self.hashed.is_empty() {
            self.hashed.extend(objects);
        } else if self.objects.len() > FEW {
            self.hashed.extend(&self.objects);
        }
    }

    fn count_object(&mut self, view: &(impl View + ?Sized), slot: Slot) {
        let columns = view.phase().columns();
        let memory = view.phase().memory(slot);
        let load = columns.load[slot.index()];
        self.load += load;
        self.footprint_bytes += memory.footprint_bytes;
        if columns.migratable[slot.index()] {
            self.migratable_load += load;
            self.n_migratable += 1;
        }
        self.working.count(memory.working_bytes, 1);
        self.serialized.count(memory.serialized_bytes, 1);
        if let Some(block) = memory.block {
            self.count_block(block, 1);
        }
    }

    fn count_block(&mut self, block: BlockIdx, count: u32) {
        match self.blocks.binary_search_by_key(&block, |&(block, _)| block) {
            Ok(at) => self.blocks[at].1 += count,
            Err(at) => self.blocks.insert(at, (block, count)),
        }
    }

    /// Sums the volumes of all edges of the objects.
    fn count_edges(&mut self, view: &(impl View + ?Sized)) {
        let graph = view.phase().communication();
        let mut sums = EdgeSums::new(self.objects.len());
        for &slot in &self.objects {
            let (outgoing, incoming) = (graph.outgoing(slot), graph.incoming(slot));
            for (other, volume) in outgoing {
                let rank = view.rank_of_vertex(other);
                if rank == self.from && self.has(other) {
                    self.internal_bytes += volume.bytes;
                } else {
                    sums.add(other, rank, Volumes { sent_bytes: volume.bytes, received_bytes: 0.0 });
                    self.sent_bytes += volume.bytes;
                }
            }
            for (other, volume) in incoming {
                let rank = view.rank_of_vertex(other);
                if rank != self.from || !self.has(other) {
                    sums.add(other, rank, Volumes { sent_bytes: 0.0, received_bytes: volume.bytes });
                    self.received_bytes += volume.bytes;
                }
            }
        }
        (self.edges, self.with_ranks) = sums.finish();
    }
}

/// Raises negative volumes to 0: differences of sums may be slightly negative due to rounding.
fn not_negative(totals: &mut RankTotals) {
    for bytes in [
        &mut totals.sent_bytes,
        &mut totals.received_bytes,
        &mut totals.on_rank_bytes,
        &mut totals.to_rank_bytes,
        &mut totals.from_rank_bytes,
    ] {
        *bytes = bytes.max(0.0);
    }
}
