// SPDX-License-Identifier: MIT OR Apache-2.0
//! Partial placements, and lower bounds on the work of each rank.

use lbaf_model::{Assignment, BlockIdx, BoundScope, RankId, RankTotals, Work, node_excess};

use super::comparison::largest;
use super::instance::Instance;
use super::unit::End;

/// Sentinels and the first units on their ranks. Taking back a unit restores every bit, so sums do not drift.
#[derive(Clone)]
pub(super) struct Partial {
    /// Ranks of the units placed so far.
    placed: Vec<usize>,
    pub(super) ranks: Vec<Side>,
    /// Set of blocks on each rank, in words of bits.
    pub(super) blocks: Vec<u64>,
    /// Earlier states of changed ranks.
    changed: Vec<(usize, Side)>,
    /// For each placed unit, the position of its first entry in `changed`, and true if its block was new on its rank.
    marks: Vec<(usize, bool)>,
}

/// State of a rank.
#[derive(Clone)]
pub(super) struct Side {
    /// Totals, restricted to the aspects of the work model.
    pub(super) totals: RankTotals,
    /// Lower bound on the work in every completion, without the excess of the node.
    pub(super) least: Work,
    /// Depth from which no remaining unit communicates with this rank or the objects placed on it so far.
    pub(super) tied_until: usize,
}

impl Partial {
    /// Creates the placement of sentinels alone.
    pub(super) fn new(instance: &Instance<'_>) -> Self {
        let totals = fixed_totals(instance);
        let least = |totals: &RankTotals| least(instance, totals);
        let ranks = totals.into_iter().zip(instance.tied_until()).map(|(totals, tied_until)| Side {
            least: least(&totals),
            totals,
            tied_until,
        });
        let mut partial = Partial {
            placed: Vec::with_capacity(instance.units.len()),
            ranks: ranks.collect(),
            blocks: vec![0; instance.n_ranks() * instance.n_words],
            changed: Vec::new(),
            marks: Vec::with_capacity(instance.units.len()),
        };
        for slot in instance.sentinels().filter(|_| instance.n_words > 0) {
            let rank = instance.problem.initial.rank_of(slot).index();
            if let Some(block) = instance.problem.phase.memory(slot).block {
                partial.put_block(instance, rank, block);
            }
        }
        partial
    }

    /// Returns the number of units placed.
    pub(super) fn depth(&self) -> usize {
        self.placed.len()
    }

    /// Returns the rank of a placed unit.
    pub(super) fn rank_of(&self, unit: usize) -> usize {
        self.placed[unit]
    }

    /// Places the next unit on a rank. O(t^2) for a unit with t communication partners.
    pub(super) fn place(&mut self, instance: &Instance<'_>, rank: usize) {
        let at = self.placed.len();
        let unit = &instance.units[at];
        let mark = self.changed.len();
        self.remember(mark, rank);
        let side = &mut self.ranks[rank];
        side.totals.load += unit.load;
        if instance.aspects.objects {
            side.totals.migratable_load += unit.load;
            side.totals.n_objects += unit.slots.len() as u32;
            side.totals.n_migratable += unit.slots.len() as u32;
        }
        side.totals.footprint_bytes += unit.footprint_bytes;
        side.totals.working_bytes = side.totals.working_bytes.max(unit.working_bytes);
        side.totals.serialized_bytes = side.totals.serialized_bytes.max(unit.serialized_bytes);
        side.totals.on_rank_bytes += unit.inner_bytes;
        let brings = unit.block.is_some_and(|block| self.put_block(instance, rank, block));
        if let Some(block) = unit.block.filter(|_| brings) {
            let facts = &instance.problem.phase.blocks()[block.index()];
            let is_home = facts.home.index() == rank;
            count_block(instance, &mut self.ranks[rank].totals, facts.size_bytes, is_home);
        }
        for tie in &unit.ties {
            let other = match tie.end {
                End::Rank(other) => other,
                End::Unit(other) if other < at => self.placed[other],
                End::Unit(later) => {
                    let until = &mut self.ranks[rank].tied_until;
                    *until = (*until).max(later + 1);
                    continue;
                }
            };
            if other == rank {
                let totals = &mut self.ranks[rank].totals;
                totals.on_rank_bytes += tie.volumes.to_objects + tie.volumes.from_objects;
                totals.to_rank_bytes += tie.volumes.to_rank;
                totals.from_rank_bytes += tie.volumes.from_rank;
                continue;
            }
            self.remember(mark, other);
            let (sent, received) = (tie.volumes.sent(), tie.volumes.received());
            for (rank, sent, received) in [(rank, sent, received), (other, received, sent)] {
                self.ranks[rank].totals.sent_bytes += sent;
                self.ranks[rank].totals.received_bytes += received;
            }
        }
        for changed in mark..self.changed.len() {
            let rank = self.changed[changed].0;
            self.ranks[rank].least = least(instance, &self.ranks[rank].totals);
        }
        self.placed.push(rank);
        self.marks.push((mark, brings));
    }

    /// Takes back the last unit.
    pub(super) fn take_back(&mut self, instance: &Instance<'_>) {
        let (Some(rank), Some((mark, brought))) = (self.placed.pop(), self.marks.pop()) else { return };
        if let Some(block) = instance.units[self.placed.len()].block.filter(|_| brought) {
            self.blocks[rank * instance.n_words + block.index() / 64] &= !(1 << (block.index() % 64));
        }
        while self.changed.len() > mark {
            if let Some((rank, side)) = self.changed.pop() {
                self.ranks[rank] = side;
            }
        }
    }

    /// Returns the maximum work of a complete placement, from incremental sums.
    pub(super) fn max_work(&self, instance: &Instance<'_>) -> Work {
        let model = instance.problem.model;
        largest(self.ranks.iter().enumerate().map(|(rank, side)| {
            let work = model.work(&side.totals);
            let members = instance.nodes.get(instance.node_of[rank].0).map_or(&[][..], Vec::as_slice);
            let of_node = members.iter().map(|&member| &self.ranks[member].totals);
            Work::with_excess(work.cost(), work.excess() + node_excess(model, &of_node))
        }))
    }

    /// Returns the assignment of a complete placement.
    pub(super) fn assignment(&self, instance: &Instance<'_>) -> Assignment {
        let mut assignment = instance.problem.initial.clone();
        for (unit, &rank) in instance.units.iter().zip(&self.placed) {
            for &slot in &unit.slots {
                assignment.set(slot, RankId::from(rank));
            }
        }
        assignment
    }

    /// Saves the state of a rank, unless it was saved since `mark`.
    fn remember(&mut self, mark: usize, rank: usize) {
        if self.changed[mark..].iter().all(|&(changed, _)| changed != rank) {
            self.changed.push((rank, self.ranks[rank].clone()));
        }
    }

    /// Puts a block on a rank. Returns true if it was not there.
    fn put_block(&mut self, instance: &Instance<'_>, rank: usize, block: BlockIdx) -> bool {
        let word = &mut self.blocks[rank * instance.n_words + block.index() / 64];
        let bit = 1 << (block.index() % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}

/// Returns a lower bound on the work of a rank with these totals and any further objects. Bounds on nodes, and on
/// quantities that can fall, are ignored.
///
/// Communication counts, as on-rank or off-rank, once both endpoints are placed. Totals therefore never fall, even if
/// an object joins its partners.
fn least(instance: &Instance<'_>, totals: &RankTotals) -> Work {
    let work = instance.problem.model.work(totals);
    if instance.all_grow {
        return work;
    }
    let of_rank =
        instance.growing.iter().map(|need| &need.bound).filter(|bound| bound.scope == BoundScope::Rank);
    Work::with_excess(work.cost(), of_rank.map(|bound| bound.excess(bound.quantity.of(totals))).sum())
}

fn count_block(instance: &Instance<'_>, totals: &mut RankTotals, size_bytes: f64, is_home: bool) {
    if instance.aspects.memory {
        totals.block_bytes += size_bytes;
        totals.n_blocks += 1;
    }
    if instance.aspects.homing {
        totals.n_homed_blocks += u32::from(is_home);
        totals.homing_bytes += if is_home { 0.0 } else { size_bytes };
    }
}

/// Returns the totals of sentinels on each rank, restricted to the aspects of the work model.
fn fixed_totals(instance: &Instance<'_>) -> Vec<RankTotals> {
    let phase = instance.problem.phase;
    let mut ranks: Vec<RankTotals> = (phase.ranks().iter())
        .map(|rank| RankTotals {
            alpha: rank.alpha,
            rank_working_bytes: if instance.aspects.memory { rank.working_bytes } else { 0.0 },
            ..RankTotals::default()
        })
        .collect();
    let mut counted = std::collections::BTreeSet::new();
    for slot in instance.sentinels() {
        let rank = instance.problem.initial.rank_of(slot).index();
        let memory = phase.memory(slot);
        let totals = &mut ranks[rank];
        totals.load += phase.load(slot);
        totals.n_objects += u32::from(instance.aspects.objects);
        if instance.aspects.memory {
            totals.footprint_bytes += memory.footprint_bytes;
            totals.working_bytes = totals.working_bytes.max(memory.working_bytes);
        }
        if instance.aspects.serialized {
            totals.serialized_bytes = totals.serialized_bytes.max(memory.serialized_bytes);
        }
        if let Some(block) = memory.block.filter(|&block| counted.insert((rank, block))) {
            let facts = &phase.blocks()[block.index()];
            count_block(instance, totals, facts.size_bytes, facts.home.index() == rank);
        }
    }
    for (sender, receiver, volume) in phase.communication().edges().filter(|_| instance.aspects.communication)
    {
        let (Some(from), Some(to)) = (instance.fixed_rank(sender), instance.fixed_rank(receiver)) else {
            continue;
        };
        if from == to {
            ranks[from].keep(sender, receiver, volume.bytes);
        } else {
            ranks[from].sent_bytes += volume.bytes;
            ranks[to].received_bytes += volume.bytes;
        }
    }
    ranks
}
