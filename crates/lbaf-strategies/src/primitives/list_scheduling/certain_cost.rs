// SPDX-License-Identifier: MIT OR Apache-2.0
//! Costs of ranks that are certain while objects are handed out.

use lbaf_model::{BlockIdx, Phase, RankId, RankTotals, Slot, Vertex, WorkModel};
use rustc_hash::FxHashSet;

/// Load, communication and homing of the objects that have their place, as if there were no others.
#[derive(Clone)]
pub(super) struct Certain<'a> {
    phase: &'a Phase,
    model: &'a dyn WorkModel,
    ranks: Vec<RankTotals>,
    /// Where objects have their place.
    places: Vec<Option<RankId>>,
    /// Blocks that a rank has.
    held: FxHashSet<(RankId, BlockIdx)>,
}

impl<'a> Certain<'a> {
    /// No object has a place. O(objects + ranks).
    pub(super) fn new(phase: &'a Phase, model: &'a dyn WorkModel) -> Self {
        let ranks =
            phase.ranks().iter().map(|rank| RankTotals { alpha: rank.alpha, ..RankTotals::default() });
        let places = vec![None; phase.n_objects()];
        Certain { phase, model, ranks: ranks.collect(), places, held: FxHashSet::default() }
    }

    /// What a rank costs.
    pub(super) fn cost(&self, rank: RankId) -> f64 {
        self.model.work(&self.ranks[rank.index()]).cost()
    }

    /// What a rank would cost with one more object. O(degree).
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

    /// Where the partners of an object are and how many bytes go between, in the order of edges.
    pub(super) fn partners(&self, slot: Slot) -> Vec<(RankId, f64)> {
        let mut partners = Vec::new();
        self.for_edges(slot, |_, _, bytes, other| partners.push((other, bytes)));
        partners
    }

    /// Gives an object its place; the ranks whose cost that changes. O(degree).
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

    /// Counts what an object has by itself.
    fn count(&self, slot: Slot, rank: RankId, totals: &mut RankTotals) {
        totals.load += self.phase.load(slot);
        let Some(block) = self.phase.memory(slot).block else { return };
        let facts = self.phase.blocks()[block.index()];
        if facts.home != rank && !self.held.contains(&(rank, block)) {
            totals.homing_bytes += facts.size_bytes;
        }
    }

    /// The edges of an object to what has its place: from, to, bytes, and where the other end is.
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
