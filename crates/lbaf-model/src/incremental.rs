// SPDX-License-Identifier: MIT OR Apache-2.0
//! Totals that follow an assignment as it changes, and answer what-if without changing.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use crate::totals::{rank_of_vertex, slots_by_rank};
use crate::work::ranks_by_node;
use crate::{
    Assignment, BlockIdx, BoundScope, Phase, RankId, RankTotals, Slot, Vertex, Work, WorkModel, node_excess,
    rank_totals,
};

/// A proposed exchange of objects between two ranks; a gift when nothing is `returned`.
#[derive(Clone, Copy, Debug)]
pub struct Transfer<'a> {
    /// The rank that gives `objects`.
    pub from: RankId,
    /// The rank that gets them.
    pub to: RankId,
    /// Objects of `from`, each once.
    pub objects: &'a [Slot],
    /// Objects of `to` that go the other way, each once.
    pub returned: &'a [Slot],
}

/// An assignment with the totals of every rank, kept up to date under transfers.
///
/// Asking and applying cost O(degree of the objects that move) plus a logarithm for memory; nothing is ever
/// computed anew from all objects of a rank. Sums drift by rounding, so what is reported at the end comes
/// from [`rank_totals`].
#[derive(Clone, Debug)]
pub struct Totals<'p> {
    phase: &'p Phase,
    assignment: Assignment,
    ranks: Vec<RankTotals>,
    /// For each block, the ranks that own objects of it, and how many.
    holders: Vec<BTreeMap<RankId, u32>>,
    /// For each rank, the working memories of its objects (as ordered bits), and how often each occurs.
    working: Vec<BTreeMap<u64, u32>>,
    nodes: Vec<Vec<usize>>,
}

impl<'p> Totals<'p> {
    /// Totals of an assignment. O(objects x log + edges).
    pub fn new(phase: &'p Phase, assignment: Assignment) -> Self {
        let ranks = rank_totals(phase, &assignment);
        let mut holders = vec![BTreeMap::new(); phase.blocks().len()];
        let mut working = vec![BTreeMap::new(); phase.n_ranks()];
        for slot in slots_by_rank(&assignment, phase.n_ranks()) {
            let rank = assignment.rank_of(slot);
            *working[rank.index()].entry(working_key(phase, slot)).or_insert(0) += 1;
            if let Some(block) = phase.memory(slot).block {
                *holders[block.index()].entry(rank).or_insert(0) += 1;
            }
        }
        Totals { phase, assignment, ranks, holders, working, nodes: ranks_by_node(phase) }
    }

    /// The phase.
    pub fn phase(&self) -> &'p Phase {
        self.phase
    }

    /// The assignment as it stands.
    pub fn assignment(&self) -> &Assignment {
        &self.assignment
    }

    /// The assignment as it stands, at the end.
    pub fn into_assignment(self) -> Assignment {
        self.assignment
    }

    /// Totals of a rank.
    #[inline]
    pub fn rank(&self, rank: RankId) -> &RankTotals {
        &self.ranks[rank.index()]
    }

    /// Totals of all ranks.
    pub fn ranks(&self) -> &[RankTotals] {
        &self.ranks
    }

    /// The ranks that own objects of a block, ascending, and how many.
    pub fn holders(&self, block: BlockIdx) -> impl Iterator<Item = (RankId, u32)> + '_ {
        self.holders[block.index()].iter().map(|(&rank, &count)| (rank, count))
    }

    /// Whether a rank owns an object of a block.
    pub fn holds(&self, rank: RankId, block: BlockIdx) -> bool {
        self.holders[block.index()].contains_key(&rank)
    }

    /// Work of a rank, with the excess of its node.
    pub fn work(&self, model: &dyn WorkModel, rank: RankId) -> Work {
        self.work_with(model, rank, self.rank(rank), &[])
    }

    /// Work of source and destination if the transfer were made.
    pub fn works_after(&self, model: &dyn WorkModel, transfer: &Transfer<'_>) -> (Work, Work) {
        let (from, to) = self.after(transfer);
        let changed = [(transfer.from, &from), (transfer.to, &to)];
        (
            self.work_with(model, transfer.from, &from, &changed),
            self.work_with(model, transfer.to, &to, &changed),
        )
    }

    fn work_with(
        &self,
        model: &dyn WorkModel,
        rank: RankId,
        totals: &RankTotals,
        changed: &[(RankId, &RankTotals)],
    ) -> Work {
        let work = model.work(totals);
        if model.bounds().iter().all(|bound| bound.scope == BoundScope::Rank) {
            return work;
        }
        let node = self.phase.ranks()[rank.index()].node;
        let members = self.nodes[node.index()].iter().map(|&member| {
            let replaced = changed.iter().find(|(rank, _)| rank.index() == member);
            replaced.map_or(&self.ranks[member], |&(_, totals)| totals)
        });
        Work::with_excess(work.cost(), work.excess() + node_excess(model, &members))
    }

    /// Totals of source and destination if the transfer were made. No other rank's totals change, because an
    /// edge to a third rank stays off-rank for that rank wherever its other end goes.
    ///
    /// # Panics
    /// If the ranks are the same, or (in debug builds) an object is not on the rank that gives it.
    pub fn after(&self, transfer: &Transfer<'_>) -> (RankTotals, RankTotals) {
        let Transfer { from, to, objects, returned } = *transfer;
        assert_ne!(from, to, "a transfer needs two ranks");
        debug_assert!(objects.iter().all(|&slot| self.assignment.rank_of(slot) == from));
        debug_assert!(returned.iter().all(|&slot| self.assignment.rank_of(slot) == to));
        let mut source = self.rank(from).clone();
        let mut target = self.rank(to).clone();
        self.move_sums(objects, &mut source, &mut target);
        self.move_sums(returned, &mut target, &mut source);
        self.move_edges(transfer, &mut source, &mut target);
        self.move_blocks(transfer, &mut source, &mut target);
        source.working_bytes = self.largest_working(from, objects, returned);
        target.working_bytes = self.largest_working(to, returned, objects);
        (source, target)
    }

    /// Makes a transfer.
    ///
    /// # Panics
    /// As [`Totals::after`].
    pub fn apply(&mut self, transfer: &Transfer<'_>) {
        let (source, target) = self.after(transfer);
        let Transfer { from, to, objects, returned } = *transfer;
        for (slots, giver, taker) in [(objects, from, to), (returned, to, from)] {
            for &slot in slots {
                self.assignment.set(slot, taker);
                let key = working_key(self.phase, slot);
                take_one(&mut self.working[giver.index()], key);
                *self.working[taker.index()].entry(key).or_insert(0) += 1;
                if let Some(block) = self.phase.memory(slot).block {
                    let holders = &mut self.holders[block.index()];
                    take_one(holders, giver);
                    *holders.entry(taker).or_insert(0) += 1;
                }
            }
        }
        self.ranks[from.index()] = source;
        self.ranks[to.index()] = target;
    }

    fn move_sums(&self, slots: &[Slot], giver: &mut RankTotals, taker: &mut RankTotals) {
        let columns = self.phase.columns();
        for &slot in slots {
            let position = slot.index();
            let (load, footprint) = (columns.load[position], self.phase.memory(slot).footprint_bytes);
            giver.load -= load;
            taker.load += load;
            giver.footprint_bytes -= footprint;
            taker.footprint_bytes += footprint;
            giver.n_objects -= 1;
            taker.n_objects += 1;
            if columns.migratable[position] {
                giver.migratable_load -= load;
                taker.migratable_load += load;
                giver.n_migratable -= 1;
                taker.n_migratable += 1;
            }
        }
    }

    fn move_edges(&self, transfer: &Transfer<'_>, source: &mut RankTotals, target: &mut RankTotals) {
        let graph = self.phase.communication();
        if graph.n_edges() == 0 {
            return;
        }
        let Transfer { from, to, .. } = *transfer;
        let moving = Moving::new(transfer);
        let mut recount = |sender: (RankId, RankId), receiver: (RankId, RankId), bytes: f64| {
            for (this, totals) in [(from, &mut *source), (to, &mut *target)] {
                totals.count_edge(this, sender.0, receiver.0, -bytes);
                totals.count_edge(this, sender.1, receiver.1, bytes);
            }
        };
        // Where a vertex is before and after the transfer.
        let places = |vertex: Vertex| {
            let before = rank_of_vertex(&self.assignment, vertex);
            let moves = matches!(vertex, Vertex::Object(slot) if moving.contains(slot));
            (
                before,
                if !moves {
                    before
                } else if before == from {
                    to
                } else {
                    from
                },
            )
        };
        for &slot in transfer.objects.iter().chain(transfer.returned) {
            let mover = places(Vertex::Object(slot));
            for (other, volume) in graph.outgoing(slot) {
                recount(mover, places(other), volume.bytes);
            }
            for (other, volume) in graph.incoming(slot) {
                // An edge between two movers was counted from its sender.
                if !matches!(other, Vertex::Object(sender) if moving.contains(sender)) {
                    recount(places(other), mover, volume.bytes);
                }
            }
        }
        for totals in [source, target] {
            for bytes in [&mut totals.sent_bytes, &mut totals.received_bytes, &mut totals.on_rank_bytes] {
                *bytes = bytes.max(0.0);
            }
        }
    }

    fn move_blocks(&self, transfer: &Transfer<'_>, source: &mut RankTotals, target: &mut RankTotals) {
        if self.holders.is_empty() {
            return;
        }
        // Net number of objects of each block that go from source to target.
        let mut net: BTreeMap<BlockIdx, i64> = BTreeMap::new();
        for (slots, direction) in [(transfer.objects, 1), (transfer.returned, -1)] {
            for block in slots.iter().filter_map(|&slot| self.phase.memory(slot).block) {
                *net.entry(block).or_insert(0) += direction;
            }
        }
        for (block, gained) in net {
            let facts = self.phase.blocks()[block.index()];
            let ends = [(transfer.from, source as &mut RankTotals, -gained), (transfer.to, target, gained)];
            for (rank, totals, change) in ends {
                let before = self.holders[block.index()].get(&rank).map_or(0, |&count| i64::from(count));
                let (had, has) = (before > 0, before + change > 0);
                if had != has {
                    totals.count_block(rank, facts.size_bytes, facts.home, has);
                }
            }
        }
    }

    /// The largest working memory of a rank without `leaving` and with `arriving`.
    fn largest_working(&self, rank: RankId, leaving: &[Slot], arriving: &[Slot]) -> f64 {
        let key = |slot: &Slot| working_key(self.phase, *slot);
        let arriving = arriving.iter().map(key).max();
        let staying = self.working[rank.index()].iter().rev().find(|&(&value, &count)| {
            Some(value) <= arriving
                || leaving.iter().filter(|slot| key(slot) == value).count() < count as usize
        });
        let staying = staying.map(|(&value, _)| value);
        staying.max(arriving).map_or(0.0, f64::from_bits)
    }
}

/// Bits of a working memory; those of numbers that are not negative order like the numbers.
fn working_key(phase: &Phase, slot: Slot) -> u64 {
    // Adding zero turns -0 into 0.
    (phase.memory(slot).working_bytes + 0.0).to_bits()
}

fn take_one<K: Ord>(counts: &mut BTreeMap<K, u32>, key: K) {
    if let std::collections::btree_map::Entry::Occupied(mut entry) = counts.entry(key) {
        *entry.get_mut() -= 1;
        if *entry.get() == 0 {
            entry.remove();
        }
    }
}

/// Membership of the objects that move: few are searched, many are hashed.
enum Moving<'a> {
    Few(&'a [Slot], &'a [Slot]),
    Many(FxHashSet<Slot>),
}

impl<'a> Moving<'a> {
    const FEW: usize = 8;

    fn new(transfer: &Transfer<'a>) -> Self {
        let Transfer { objects, returned, .. } = *transfer;
        if objects.len() + returned.len() <= Self::FEW {
            Moving::Few(objects, returned)
        } else {
            Moving::Many(objects.iter().chain(returned).copied().collect())
        }
    }

    fn contains(&self, slot: Slot) -> bool {
        match self {
            Moving::Few(objects, returned) => objects.contains(&slot) || returned.contains(&slot),
            Moving::Many(slots) => slots.contains(&slot),
        }
    }
}
