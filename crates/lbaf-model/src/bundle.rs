// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects of one rank, taken together.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::{BlockIdx, RankId, RankTotals, Slot, Vertex, View};

/// Objects of one rank, and everything about them that a what-if needs to know.
///
/// Made once in O(degree of the objects), it then answers for every destination without a look at the objects:
/// see [`View::with`], [`View::without`] and [`View::exchange`]. It holds for the placement that it was made in,
/// and is out of date as soon as one of its objects or of their partners moves.
#[derive(Clone, Debug)]
pub struct Bundle {
    pub(crate) from: RankId,
    pub(crate) objects: SmallVec<[Slot; FEW]>,
    /// The same, where they are more than few.
    hashed: FxHashSet<Slot>,
    load: f64,
    migratable_load: f64,
    footprint_bytes: f64,
    n_migratable: u32,
    /// Working memories as ordered bits, descending, and how often each occurs.
    working: SmallVec<[(u64, u32); 1]>,
    /// Blocks, ascending, and how many of the objects work on each.
    pub(crate) blocks: SmallVec<[(BlockIdx, u32); 1]>,
    /// Edges to and from everything outside, by the rank of the other end, ascending.
    edges: SmallVec<[Edges; 2]>,
    sent_bytes: f64,
    received_bytes: f64,
    internal_bytes: f64,
}

/// So many objects are searched one by one; more are hashed.
const FEW: usize = 8;

/// All edges between a bundle and what is on one rank.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edges {
    rank: RankId,
    sent_bytes: f64,
    received_bytes: f64,
    count: u32,
}

impl Bundle {
    /// Objects of `from`, each once.
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

    /// No objects.
    pub(crate) fn empty(from: RankId) -> Self {
        Bundle {
            from,
            objects: SmallVec::new(),
            hashed: FxHashSet::default(),
            load: 0.0,
            migratable_load: 0.0,
            footprint_bytes: 0.0,
            n_migratable: 0,
            working: SmallVec::new(),
            blocks: SmallVec::new(),
            edges: SmallVec::new(),
            sent_bytes: 0.0,
            received_bytes: 0.0,
            internal_bytes: 0.0,
        }
    }

    /// The same objects, for one destination alone: what they say to others is summed and forgotten, so that
    /// further bundles can join them at little cost.
    #[must_use]
    pub fn narrowed(&self, to: RankId) -> Self {
        let ends = [self.from.min(to), self.from.max(to)];
        let edges = ends.map(|rank| self.edges_with(rank).copied().unwrap_or(Edges::none(rank)));
        Bundle {
            from: self.from,
            objects: self.objects.clone(),
            hashed: self.hashed.clone(),
            working: self.working.clone(),
            blocks: self.blocks.clone(),
            edges: SmallVec::from_buf(edges),
            ..*self
        }
    }

    /// Joins other objects of the same rank to a [`narrowed`](Bundle::narrowed) bundle, which still speaks of its
    /// one destination alone. O(1), or O(degree of the others) if some of both talk to something on their rank.
    pub fn join(&mut self, view: &(impl View + ?Sized), others: &Bundle) {
        debug_assert_eq!(self.from, others.from);
        let (bytes, count) = self.between(view, others);
        for edges in &mut self.edges {
            let more = others.edges_with(edges.rank).copied().unwrap_or(Edges::none(edges.rank));
            edges.sent_bytes += more.sent_bytes;
            edges.received_bytes += more.received_bytes;
            edges.count += more.count;
            if edges.rank == self.from {
                // Counted from both ends so far, as something between the objects and others of their rank.
                edges.sent_bytes = (edges.sent_bytes - bytes).max(0.0);
                edges.received_bytes = (edges.received_bytes - bytes).max(0.0);
                edges.count -= 2 * count;
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
        for &(key, count) in &others.working {
            self.count_working(key, count);
        }
        for &(block, count) in &others.blocks {
            self.count_block(block, count);
        }
    }

    /// Bytes and number of the edges between the objects and others of the same rank, in either direction.
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

    /// The rank that has the objects.
    pub fn rank(&self) -> RankId {
        self.from
    }

    /// The objects.
    pub fn objects(&self) -> &[Slot] {
        &self.objects
    }

    /// Whether an object is one of them.
    pub fn has_object(&self, slot: Slot) -> bool {
        self.has(Vertex::Object(slot))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// Their load in seconds.
    pub fn load(&self) -> f64 {
        self.load
    }

    /// Whether an object talks to something that is on its rank and no part of this.
    pub fn talks_on_its_rank(&self) -> bool {
        self.edges_with(self.from).is_some_and(|edges| edges.count > 0)
    }

    /// Bytes sent to and received from what is on a rank.
    pub(crate) fn volumes_with(&self, rank: RankId) -> (f64, f64) {
        self.edges_with(rank).map_or((0.0, 0.0), |edges| (edges.sent_bytes, edges.received_bytes))
    }

    pub(crate) fn edges_with(&self, rank: RankId) -> Option<&Edges> {
        self.edges.binary_search_by_key(&rank, |edges| edges.rank).ok().map(|at| &self.edges[at])
    }

    /// How many of the objects work on a block.
    pub(crate) fn n_on(&self, block: BlockIdx) -> u32 {
        self.blocks.binary_search_by_key(&block, |&(block, _)| block).map_or(0, |at| self.blocks[at].1)
    }

    /// The largest working memory as ordered bits.
    pub(crate) fn largest_working(&self) -> Option<u64> {
        self.working.first().map(|&(key, _)| key)
    }

    /// How many of the objects have a working memory.
    pub(crate) fn n_working(&self, key: u64) -> u32 {
        self.working.iter().find(|&&(other, _)| other == key).map_or(0, |&(_, count)| count)
    }

    /// Takes sums and edges from the totals of the rank that has them.
    pub(crate) fn leave(&self, totals: &mut RankTotals) {
        totals.load -= self.load;
        totals.migratable_load -= self.migratable_load;
        totals.footprint_bytes -= self.footprint_bytes;
        totals.n_objects -= self.objects.len() as u32;
        totals.n_migratable -= self.n_migratable;
        let (to_rank, from_rank) = self.volumes_with(self.from);
        totals.sent_bytes += from_rank - (self.sent_bytes - to_rank);
        totals.received_bytes += to_rank - (self.received_bytes - from_rank);
        totals.on_rank_bytes -= to_rank + from_rank + self.internal_bytes;
        not_negative(totals);
    }

    /// Adds sums and edges to the totals of a rank, which they send `to_rank` bytes and get `from_rank` from.
    pub(crate) fn arrive(&self, totals: &mut RankTotals, to_rank: f64, from_rank: f64) {
        totals.load += self.load;
        totals.migratable_load += self.migratable_load;
        totals.footprint_bytes += self.footprint_bytes;
        totals.n_objects += self.objects.len() as u32;
        totals.n_migratable += self.n_migratable;
        totals.sent_bytes += self.sent_bytes - to_rank - from_rank;
        totals.received_bytes += self.received_bytes - from_rank - to_rank;
        totals.on_rank_bytes += to_rank + from_rank + self.internal_bytes;
        not_negative(totals);
    }

    /// Whether a vertex of the communication graph is one of the objects.
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
        self.count_working(working_key(memory.working_bytes), 1);
        if let Some(block) = memory.block {
            self.count_block(block, 1);
        }
    }

    fn count_working(&mut self, key: u64, count: u32) {
        match self.working.binary_search_by(|&(other, _)| key.cmp(&other)) {
            Ok(at) => self.working[at].1 += count,
            Err(at) => self.working.insert(at, (key, count)),
        }
    }

    fn count_block(&mut self, block: BlockIdx, count: u32) {
        match self.blocks.binary_search_by_key(&block, |&(block, _)| block) {
            Ok(at) => self.blocks[at].1 += count,
            Err(at) => self.blocks.insert(at, (block, count)),
        }
    }

    /// All edges of the objects at once, in the order of objects.
    fn count_edges(&mut self, view: &(impl View + ?Sized)) {
        let graph = view.phase().communication();
        let mut edges: SmallVec<[Edges; 2]> = SmallVec::new();
        for &slot in &self.objects {
            let (outgoing, incoming) = (graph.outgoing(slot), graph.incoming(slot));
            edges.reserve(outgoing.size_hint().0 + incoming.size_hint().0);
            for (other, volume) in outgoing {
                if self.has(other) {
                    self.internal_bytes += volume.bytes;
                } else {
                    let rank = view.rank_of_vertex(other);
                    edges.push(Edges { rank, sent_bytes: volume.bytes, received_bytes: 0.0, count: 1 });
                    self.sent_bytes += volume.bytes;
                }
            }
            for (other, volume) in incoming {
                if !self.has(other) {
                    let rank = view.rank_of_vertex(other);
                    edges.push(Edges { rank, sent_bytes: 0.0, received_bytes: volume.bytes, count: 1 });
                    self.received_bytes += volume.bytes;
                }
            }
        }
        edges.sort_unstable_by_key(|edges| edges.rank);
        edges.dedup_by(|next, kept| {
            let same = next.rank == kept.rank;
            if same {
                kept.sent_bytes += next.sent_bytes;
                kept.received_bytes += next.received_bytes;
                kept.count += 1;
            }
            same
        });
        self.edges = edges;
    }
}

impl Edges {
    fn none(rank: RankId) -> Self {
        Edges { rank, sent_bytes: 0.0, received_bytes: 0.0, count: 0 }
    }
}

/// Differences of sums may end a little below nothing.
fn not_negative(totals: &mut RankTotals) {
    for bytes in [&mut totals.sent_bytes, &mut totals.received_bytes, &mut totals.on_rank_bytes] {
        *bytes = bytes.max(0.0);
    }
}

/// Bits of a working memory; those of numbers that are not negative order like the numbers.
pub(crate) fn working_key(working_bytes: f64) -> u64 {
    // Adding zero turns -0 into 0.
    (working_bytes + 0.0).to_bits()
}
