// SPDX-License-Identifier: MIT OR Apache-2.0
//! Costs of ranks that result from the objects placed so far.

use lbaf_model::{BlockIdx, Phase, RankId, RankTotals, Slot, Vertex, WorkModel};
use rustc_hash::FxHashSet;

/// Load, communication and homing of the placed objects on every rank; all other objects are ignored.
#[derive(Clone)]
pub(super) struct Certain<'a> {
    phase: &'a Phase,
    model: &'a dyn WorkModel,
    ranks: Vec<RankTotals>,
    /// Rank of each placed object.
    places: Vec<Option<RankId>>,
    /// Blocks that each rank holds.
    held: FxHashSet<(RankId, BlockIdx)>,
}

impl<'a> Certain<'a> {
    /// Creates totals without any placed object. O(objects + ranks).
    pub(super) fn new(phase: &'a Phase, model: &'a dyn WorkModel) -> Self {
        let ranks =
            phase.ranks().iter().map(|rank| RankTotals { alpha: rank.alpha, ..RankTotals::default() });
        let places = vec![None; phase.n_objects()];
        Certain { phase, model, ranks: ranks.collect(), places, held: FxHashSet::default() }
    }

    /// Returns the cost of a rank.
    pub(super) fn cost(&self, rank: RankId) -> f64 {
        self.model.work(&self.ranks[rank.index()]).cost()
    }

    /// Returns the cost of a rank with one more object. O(degree).
    pub(super) fn cost_with(&self, slot: Slot, rank: RankId) -> f64 {
        let mut totals = self.ranks[rank.index()].clone();
        self.count(slot, rank, &mut totals);
        self.for_edges(slot, |from, to, bytes, other| {
            if other == rank {
                totals.keep(from, to, bytes);
            } else if from == Vertex::Object(slot) {
                totals.sent_bytes += bytes;
            } else {
                totals.received_bytes += bytes;
            }
        });
        self.model.work(&totals).cost()
    }

    /// Returns the ranks of the placed partners of an object with the bytes exchanged, in the order of edges.
    pub(super) fn partners(&self, slot: Slot) -> Vec<(RankId, f64)> {
        let mut partners = Vec::new();
        self.for_edges(slot, |_, _, bytes, other| partners.push((other, bytes)));
        partners
    }

    /// Places an object and returns the ranks whose cost changes. O(degree).
    pub(super) fn place(&mut self, slot: Slot, rank: RankId) -> Vec<RankId> {
        let mut totals = std::mem::take(&mut self.ranks[rank.index()]);
        self.count(slot, rank, &mut totals);
        self.ranks[rank.index()] = totals;
        if let Some(block) = self.phase.memory(slot).block {
            self.held.insert((rank, block));
        }
        let mut edges = Vec::new();
        self.for_edges(slot, |from, to, bytes, other| edges.push((from, to, bytes, other)));
        let mut changed = vec![rank];
        for (from, to, bytes, other) in edges {
            if other == rank {
                self.ranks[rank.index()].keep(from, to, bytes);
                continue;
            }
            let (sender, receiver) = if from == Vertex::Object(slot) { (rank, other) } else { (other, rank) };
            self.ranks[sender.index()].sent_bytes += bytes;
            self.ranks[receiver.index()].received_bytes += bytes;
            changed.push(other);
        }
        changed.sort_unstable();
        changed.dedup();
        self.places[slot.index()] = Some(rank);
        changed
    }

    /// Adds the load of an object, and its homing volume on `rank`, to `totals`.
    fn count(&self, slot: Slot, rank: RankId, totals: &mut RankTotals) {
        totals.load += self.phase.load(slot);
        let Some(block) = self.phase.memory(slot).block else { return };
        let facts = self.phase.blocks()[block.index()];
        if facts.home != rank && !self.held.contains(&(rank, block)) {
            totals.homing_bytes += facts.size_bytes;
        }
    }

    /// Visits the edges between an object and placed endpoints: sender, receiver, bytes, and rank of the other
    /// endpoint.
    fn for_edges(&self, slot: Slot, mut take: impl FnMut(Vertex, Vertex, f64, RankId)) {
        let graph = self.phase.communication();
        if graph.n_edges() == 0 {
            return;
        }
        let here = Vertex::Object(slot);
        let place = |vertex: Vertex| match vertex {
            Vertex::Object(slot) => self.places[slot.index()],
            Vertex::Rank(rank) => Some(rank),
        };
        for (other, volume) in graph.outgoing(slot) {
            if let Some(rank) = place(other) {
                take(here, other, volume.bytes, rank);
            }
        }
        for (other, volume) in graph.incoming(slot) {
            if let Some(rank) = place(other) {
                take(other, here, volume.bytes, rank);
            }
        }
    }
}
