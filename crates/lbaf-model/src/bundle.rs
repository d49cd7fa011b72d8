// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects of one rank, taken together.

use rustc_hash::FxHashSet;

use crate::{BlockIdx, RankId, RankTotals, Slot, Vertex, View};

/// Objects of one rank, and everything about them that a what-if needs to know.
///
/// Made once in O(degree of the objects), it then answers for every destination without a look at the objects:
/// see [`View::with`], [`View::without`] and [`View::exchange`]. It holds for the placement that it was made in,
/// and is out of date as soon as one of its objects or of their partners moves.
#[derive(Clone, Debug)]
pub struct Bundle {
    pub(crate) from: RankId,
    pub(crate) objects: Vec<Slot>,
    load: f64,
    migratable_load: f64,
    footprint_bytes: f64,
    n_migratable: u32,
    /// Working memories as ordered bits, descending, and how often each occurs.
    working: Vec<(u64, u32)>,
    /// Blocks, ascending, and how many of the objects work on each.
    pub(crate) blocks: Vec<(BlockIdx, u32)>,
    /// Edges to and from everything outside, by the rank of the other end, ascending.
    pub(crate) edges: Vec<Edges>,
    sent_bytes: f64,
    received_bytes: f64,
    internal_bytes: f64,
}

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
        bundle.objects = objects.to_vec();
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
            objects: Vec::new(),
            load: 0.0,
            migratable_load: 0.0,
            footprint_bytes: 0.0,
            n_migratable: 0,
            working: Vec::new(),
            blocks: Vec::new(),
            edges: Vec::new(),
            sent_bytes: 0.0,
            received_bytes: 0.0,
            internal_bytes: 0.0,
        }
    }

    /// Adds another object of the same rank. O(degree of the object), times the logarithm of the ranks that the
    /// bundle talks to.
    pub fn push(&mut self, view: &(impl View + ?Sized), slot: Slot) {
        debug_assert_eq!(view.rank_of(slot), self.from);
        let graph = view.phase().communication();
        if graph.n_edges() > 0 {
            for (other, volume) in graph.outgoing(slot) {
                if self.has(other) {
                    // Counted so far as what the other one receives from the rank of both.
                    self.take_edge(0.0, volume.bytes);
                } else {
                    self.add_edge(view.rank_of_vertex(other), volume.bytes, 0.0);
                }
            }
            for (other, volume) in graph.incoming(slot) {
                if self.has(other) {
                    self.take_edge(volume.bytes, 0.0);
                } else {
                    self.add_edge(view.rank_of_vertex(other), 0.0, volume.bytes);
                }
            }
        }
        self.objects.push(slot);
        self.count_object(view, slot);
    }

    /// The rank that has the objects.
    pub fn rank(&self) -> RankId {
        self.from
    }

    /// The objects.
    pub fn objects(&self) -> &[Slot] {
        &self.objects
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
        let key = working_key(memory.working_bytes);
        match self.working.binary_search_by(|&(other, _)| key.cmp(&other)) {
            Ok(at) => self.working[at].1 += 1,
            Err(at) => self.working.insert(at, (key, 1)),
        }
        if let Some(block) = memory.block {
            match self.blocks.binary_search_by_key(&block, |&(block, _)| block) {
                Ok(at) => self.blocks[at].1 += 1,
                Err(at) => self.blocks.insert(at, (block, 1)),
            }
        }
    }

    /// All edges of the objects at once, in the order of objects.
    fn count_edges(&mut self, view: &(impl View + ?Sized)) {
        let graph = view.phase().communication();
        let members = Members::new(&self.objects);
        let mut edges = Vec::new();
        for &slot in &self.objects {
            for (other, volume) in graph.outgoing(slot) {
                if members.contains(other) {
                    self.internal_bytes += volume.bytes;
                } else {
                    let rank = view.rank_of_vertex(other);
                    edges.push(Edges { rank, sent_bytes: volume.bytes, received_bytes: 0.0, count: 1 });
                    self.sent_bytes += volume.bytes;
                }
            }
            for (other, volume) in graph.incoming(slot) {
                if !members.contains(other) {
                    let rank = view.rank_of_vertex(other);
                    edges.push(Edges { rank, sent_bytes: 0.0, received_bytes: volume.bytes, count: 1 });
                    self.received_bytes += volume.bytes;
                }
            }
        }
        edges.sort_by_key(|edges| edges.rank);
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

    fn has(&self, vertex: Vertex) -> bool {
        matches!(vertex, Vertex::Object(slot) if self.objects.contains(&slot))
    }

    fn add_edge(&mut self, rank: RankId, sent_bytes: f64, received_bytes: f64) {
        self.sent_bytes += sent_bytes;
        self.received_bytes += received_bytes;
        match self.edges.binary_search_by_key(&rank, |edges| edges.rank) {
            Ok(at) => {
                let edges = &mut self.edges[at];
                edges.sent_bytes += sent_bytes;
                edges.received_bytes += received_bytes;
                edges.count += 1;
            }
            Err(at) => self.edges.insert(at, Edges { rank, sent_bytes, received_bytes, count: 1 }),
        }
    }

    /// An edge with the rank itself turns out to be one between two of the objects.
    fn take_edge(&mut self, sent_bytes: f64, received_bytes: f64) {
        let own = self.edges.binary_search_by_key(&self.from, |edges| edges.rank);
        let edges = &mut self.edges[own.expect("invariant: the edge was counted from its other end")];
        edges.sent_bytes = (edges.sent_bytes - sent_bytes).max(0.0);
        edges.received_bytes = (edges.received_bytes - received_bytes).max(0.0);
        edges.count -= 1;
        self.sent_bytes -= sent_bytes;
        self.received_bytes -= received_bytes;
        self.internal_bytes += sent_bytes + received_bytes;
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

/// Membership of objects: few are searched, many are hashed.
pub(crate) enum Members<'a> {
    Few(&'a [Slot]),
    Many(FxHashSet<Slot>),
}

impl<'a> Members<'a> {
    const FEW: usize = 8;

    pub(crate) fn new(objects: &'a [Slot]) -> Self {
        if objects.len() <= Self::FEW {
            Members::Few(objects)
        } else {
            Members::Many(objects.iter().copied().collect())
        }
    }

    pub(crate) fn contains(&self, vertex: Vertex) -> bool {
        let Vertex::Object(slot) = vertex else { return false };
        match self {
            Members::Few(objects) => objects.contains(&slot),
            Members::Many(objects) => objects.contains(&slot),
        }
    }
}
