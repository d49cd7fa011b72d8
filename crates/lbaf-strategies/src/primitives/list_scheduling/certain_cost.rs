// SPDX-License-Identifier: MIT OR Apache-2.0
//! Costs of ranks with the objects placed so far.

use std::iter;

use lbaf_model::{BlockIdx, Phase, RankId, RankTotals, Slot, Vertex, WorkModel};
use rustc_hash::FxHashSet;

/// Load, communication and homing of the placed objects on every rank.
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

/// Volumes between an object and the placed endpoints of its edges, in bytes.
#[derive(Default)]
pub(super) struct Volumes {
    sent_bytes: f64,
    received_bytes: f64,
    /// Volumes by rank, ascending.
    with_ranks: Vec<WithRank>,
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

impl WithRank {
    fn add(&mut self, other: &WithRank) {
        self.sent_bytes += other.sent_bytes;
        self.received_bytes += other.received_bytes;
        self.to_rank_bytes += other.to_rank_bytes;
        self.from_rank_bytes += other.from_rank_bytes;
    }
}

impl Volumes {
    /// Iterates over the ranks of the placed partners, ascending, with the exchanged bytes.
    pub(super) fn partners(&self) -> impl Iterator<Item = (RankId, f64)> {
        let bytes = |with: &WithRank| {
            with.sent_bytes + with.received_bytes + with.to_rank_bytes + with.from_rank_bytes
        };
        self.with_ranks.iter().map(move |with| (with.rank, bytes(with)))
    }

    /// Adds the volumes to the totals of a rank that receives the object.
    fn arrive(&self, rank: RankId, totals: &mut RankTotals) {
        let found = self.with_ranks.binary_search_by_key(&rank, |with| with.rank);
        let on_rank = found.map(|at| self.with_ranks[at]).unwrap_or_default();
        totals.on_rank_bytes += on_rank.sent_bytes + on_rank.received_bytes;
        totals.to_rank_bytes += on_rank.to_rank_bytes;
        totals.from_rank_bytes += on_rank.from_rank_bytes;
        totals.sent_bytes += self.sent_bytes - (on_rank.sent_bytes + on_rank.to_rank_bytes);
        totals.received_bytes += self.received_bytes - (on_rank.received_bytes + on_rank.from_rank_bytes);
    }
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

    /// Sums the volumes between an object and the placed endpoints by rank. O(degree x log degree).
    pub(super) fn volumes(&self, slot: Slot) -> Volumes {
        let mut volumes = Volumes::default();
        self.for_edges(slot, |from, to, bytes, rank| {
            let itself = matches!((from, to), (Vertex::Rank(_), _) | (_, Vertex::Rank(_)));
            let mut with = WithRank { rank, ..WithRank::default() };
            if from == Vertex::Object(slot) {
                volumes.sent_bytes += bytes;
                *(if itself { &mut with.to_rank_bytes } else { &mut with.sent_bytes }) = bytes;
            } else {
                volumes.received_bytes += bytes;
                *(if itself { &mut with.from_rank_bytes } else { &mut with.received_bytes }) = bytes;
            }
            volumes.with_ranks.push(with);
        });
        // A stable sort keeps the order of additions.
        volumes.with_ranks.sort_by_key(|with| with.rank);
        volumes.with_ranks.dedup_by(|next, kept| {
            let same = next.rank == kept.rank;
            if same {
                kept.add(next);
            }
            same
        });
        volumes
    }

    /// Returns the cost of a rank with one more object, given the [volumes](Self::volumes) of the object. O(log
    /// degree).
    pub(super) fn cost_with(&self, slot: Slot, volumes: &Volumes, rank: RankId) -> f64 {
        let mut totals = self.ranks[rank.index()].clone();
        self.count(slot, rank, &mut totals);
        volumes.arrive(rank, &mut totals);
        self.model.work(&totals).cost()
    }

    /// Places an object, given its [volumes](Self::volumes), and returns the ranks whose cost changes. O(degree).
    pub(super) fn place(&mut self, slot: Slot, rank: RankId, volumes: &Volumes) -> Vec<RankId> {
        let mut totals = std::mem::take(&mut self.ranks[rank.index()]);
        self.count(slot, rank, &mut totals);
        volumes.arrive(rank, &mut totals);
        self.ranks[rank.index()] = totals;
        if let Some(block) = self.phase.memory(slot).block {
            self.held.insert((rank, block));
        }
        self.places[slot.index()] = Some(rank);
        let others = volumes.with_ranks.iter().filter(|with| with.rank != rank);
        for with in others.clone() {
            let other = &mut self.ranks[with.rank.index()];
            other.sent_bytes += with.received_bytes + with.from_rank_bytes;
            other.received_bytes += with.sent_bytes + with.to_rank_bytes;
        }
        iter::once(rank).chain(others.map(|with| with.rank)).collect()
    }

    /// Adds the load and the homing volume of an object on `rank` to `totals`.
    fn count(&self, slot: Slot, rank: RankId, totals: &mut RankTotals) {
        totals.load += self.phase.load(slot);
        let Some(block) = self.phase.memory(slot).block else { return };
        let facts = self.phase.blocks()[block.index()];
        if facts.home != rank && !self.held.contains(&(rank, block)) {
            totals.homing_bytes += facts.size_bytes;
        }
    }

    /// Calls `take` for each edge to a placed endpoint: sender, receiver, bytes, and rank of the other endpoint.
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
