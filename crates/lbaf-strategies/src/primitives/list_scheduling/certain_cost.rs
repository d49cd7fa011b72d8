// SPDX-License-Identifier: MIT OR Apache-2.0
//! Costs of ranks with the objects placed so far.

use lbaf_model::{BlockIdx, Phase, RankId, RankTotals, Slot, Vertex, WorkModel, WorkTerms};
use rustc_hash::FxHashSet;

use super::placing_order::Next;

/// Load, communication and homing of the placed objects on every rank.
#[derive(Clone)]
pub(super) struct Certain<'a> {
    phase: &'a Phase,
    model: &'a dyn WorkModel,
    /// Terms of the model, which take less time to sum than a call of the model.
    terms: Option<WorkTerms>,
    ranks: Vec<RankTotals>,
    /// Rank of each placed object.
    places: Vec<RankId>,
    /// Blocks that each rank holds.
    held: FxHashSet<(RankId, BlockIdx)>,
}

/// Load and block of the object that is placed next, and volumes between it and the placed endpoints of its edges, in
/// bytes.
#[derive(Clone)]
pub(super) struct Arrival {
    pub(super) slot: Slot,
    pub(super) load: f64,
    pub(super) block: Option<BlockIdx>,
    sent_bytes: f64,
    received_bytes: f64,
    with_ranks: Vec<WithRank>,
    /// Position of each rank in `with_ranks`, if it is there.
    positions: Vec<u32>,
}

/// Volumes between an object and one rank, in bytes.
#[derive(Clone, Copy, Default)]
struct WithRank {
    rank: RankId,
    /// Volumes to and from the objects on the rank.
    sent_bytes: f64,
    received_bytes: f64,
    /// Volumes to and from the rank itself.
    to_rank_bytes: f64,
    from_rank_bytes: f64,
}

impl Arrival {
    /// Creates an arrival without load and volumes.
    pub(super) fn new(n_ranks: usize) -> Self {
        Arrival {
            slot: Slot(0),
            load: 0.0,
            block: None,
            sent_bytes: 0.0,
            received_bytes: 0.0,
            with_ranks: Vec::new(),
            positions: vec![0; n_ranks],
        }
    }

    /// Iterates over the ranks of the placed partners with the exchanged bytes.
    pub(super) fn partners(&self) -> impl ExactSizeIterator<Item = (RankId, f64)> {
        let bytes = |with: &WithRank| {
            with.sent_bytes + with.received_bytes + with.to_rank_bytes + with.from_rank_bytes
        };
        self.with_ranks.iter().map(move |with| (with.rank, bytes(with)))
    }

    /// Adds the load and the volumes to the totals of a rank that receives the object.
    fn add_to(&self, rank: RankId, totals: &mut RankTotals) {
        totals.load += self.load;
        let on_rank = self.position(rank).map(|at| self.with_ranks[at]).unwrap_or_default();
        totals.on_rank_bytes += on_rank.sent_bytes + on_rank.received_bytes;
        totals.to_rank_bytes += on_rank.to_rank_bytes;
        totals.from_rank_bytes += on_rank.from_rank_bytes;
        totals.sent_bytes += self.sent_bytes - (on_rank.sent_bytes + on_rank.to_rank_bytes);
        totals.received_bytes += self.received_bytes - (on_rank.received_bytes + on_rank.from_rank_bytes);
    }

    /// Returns the volumes with a rank.
    fn with(&mut self, rank: RankId) -> &mut WithRank {
        let at = self.position(rank).unwrap_or_else(|| {
            self.positions[rank.index()] = self.with_ranks.len() as u32;
            self.with_ranks.push(WithRank { rank, ..WithRank::default() });
            self.with_ranks.len() - 1
        });
        &mut self.with_ranks[at]
    }

    fn position(&self, rank: RankId) -> Option<usize> {
        let at = self.positions[rank.index()] as usize;
        self.with_ranks.get(at).is_some_and(|with| with.rank == rank).then_some(at)
    }
}

impl<'a> Certain<'a> {
    /// Creates totals without any placed object. O(objects + ranks).
    pub(super) fn new(phase: &'a Phase, model: &'a dyn WorkModel) -> Self {
        let ranks =
            phase.ranks().iter().map(|rank| RankTotals { alpha: rank.alpha, ..RankTotals::default() });
        let places = vec![RankId::default(); phase.n_objects()];
        Certain {
            phase,
            model,
            terms: model.terms(),
            ranks: ranks.collect(),
            places,
            held: FxHashSet::default(),
        }
    }

    /// Returns the cost of a rank.
    pub(super) fn cost(&self, rank: RankId) -> f64 {
        self.cost_of(&self.ranks[rank.index()])
    }

    /// Sums the volumes of the next object by the rank of the other endpoint. Edges are added in the given order.
    /// O(degree).
    pub(super) fn expect(&self, next: Next<'_>, arrival: &mut Arrival) {
        let Next { slot, load, block, outgoing, incoming } = next;
        (arrival.slot, arrival.load, arrival.block) = (slot, load, block);
        (arrival.sent_bytes, arrival.received_bytes) = (0.0, 0.0);
        arrival.with_ranks.clear();
        for &(to, bytes) in outgoing {
            arrival.sent_bytes += bytes;
            match to {
                Vertex::Object(slot) => arrival.with(self.places[slot.index()]).sent_bytes += bytes,
                Vertex::Rank(rank) => arrival.with(rank).to_rank_bytes += bytes,
            }
        }
        for &(from, bytes) in incoming {
            arrival.received_bytes += bytes;
            match from {
                Vertex::Object(slot) => arrival.with(self.places[slot.index()]).received_bytes += bytes,
                Vertex::Rank(rank) => arrival.with(rank).from_rank_bytes += bytes,
            }
        }
    }

    /// Returns the cost of a rank with the next object. O(1).
    pub(super) fn cost_with(&self, arrival: &Arrival, rank: RankId) -> f64 {
        let mut totals = self.ranks[rank.index()].clone();
        totals.homing_bytes += self.homing_bytes(arrival, rank);
        arrival.add_to(rank, &mut totals);
        self.cost_of(&totals)
    }

    fn cost_of(&self, totals: &RankTotals) -> f64 {
        self.terms.map_or_else(|| self.model.work(totals).cost(), |terms| terms.cost(totals))
    }

    /// Places the next object. The costs of its rank and of the ranks of its partners change. O(degree).
    pub(super) fn place(&mut self, arrival: &Arrival, rank: RankId) {
        let homing_bytes = self.homing_bytes(arrival, rank);
        let totals = &mut self.ranks[rank.index()];
        totals.homing_bytes += homing_bytes;
        arrival.add_to(rank, totals);
        if let Some(block) = arrival.block {
            self.held.insert((rank, block));
        }
        self.places[arrival.slot.index()] = rank;
        for with in arrival.with_ranks.iter().filter(|with| with.rank != rank) {
            let other = &mut self.ranks[with.rank.index()];
            other.sent_bytes += with.received_bytes + with.from_rank_bytes;
            other.received_bytes += with.sent_bytes + with.to_rank_bytes;
        }
    }

    /// Returns the homing volume that the next object adds to a rank.
    fn homing_bytes(&self, arrival: &Arrival, rank: RankId) -> f64 {
        let Some(block) = arrival.block else { return 0.0 };
        let facts = self.phase.blocks()[block.index()];
        let adds = facts.home != rank && !self.held.contains(&(rank, block));
        if adds { facts.size_bytes } else { 0.0 }
    }
}
