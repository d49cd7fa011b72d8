// SPDX-License-Identifier: MIT OR Apache-2.0
//! Totals of each rank under an assignment, computed from scratch.

use crate::{Assignment, BlockIdx, Phase, RankId, Slot, Vertex};

/// Load, communication, memory and counts of one rank.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RankTotals {
    /// Seconds of work per second of load on this rank.
    pub alpha: f64,
    /// Measured seconds of its objects.
    pub load: f64,
    /// Load of its migratable objects.
    pub migratable_load: f64,
    /// Bytes sent to other ranks.
    pub sent_bytes: f64,
    /// Bytes received from other ranks.
    pub received_bytes: f64,
    /// Bytes between its objects.
    pub on_rank_bytes: f64,
    /// Bytes that its objects send to the rank itself, which represents senders and receivers other than
    /// objects of the phase.
    pub to_rank_bytes: f64,
    /// Bytes that its objects receive from the rank itself.
    pub from_rank_bytes: f64,
    /// Memory of the rank itself.
    pub rank_working_bytes: f64,
    /// Sum of the footprints of its objects.
    pub footprint_bytes: f64,
    /// Largest working memory of its objects, which run one at a time.
    pub working_bytes: f64,
    /// Largest serialized size of its objects, which leave one at a time.
    pub serialized_bytes: f64,
    /// Total size of the distinct blocks that its objects work on.
    pub block_bytes: f64,
    /// Homing volume: total size of its blocks whose home is another rank.
    pub homing_bytes: f64,
    /// Number of distinct blocks that its objects work on.
    pub n_blocks: u32,
    /// Number of these blocks whose home is this rank.
    pub n_homed_blocks: u32,
    /// Number of objects.
    pub n_objects: u32,
    /// Number of migratable objects.
    pub n_migratable: u32,
}

impl RankTotals {
    /// Returns the memory of the rank: its own, each block once, all footprints, and the largest working
    /// memory.
    pub fn memory_bytes(&self) -> f64 {
        self.rank_working_bytes + self.block_bytes + self.footprint_bytes + self.working_bytes
    }

    /// Adds an on-rank volume.
    pub fn keep(&mut self, from: Vertex, to: Vertex, bytes: f64) {
        match (from, to) {
            (Vertex::Object(_), Vertex::Object(_)) => self.on_rank_bytes += bytes,
            (Vertex::Object(_), Vertex::Rank(_)) => self.to_rank_bytes += bytes,
            (Vertex::Rank(_), Vertex::Object(_)) => self.from_rank_bytes += bytes,
            // A self-edge of the rank involves no objects.
            (Vertex::Rank(_), Vertex::Rank(_)) => {}
        }
    }

    /// Returns the load of the non-migratable objects.
    pub fn sentinel_load(&self) -> f64 {
        self.load - self.migratable_load
    }

    /// Counts a block that appears on rank `this`, or disappears.
    pub(crate) fn count_block(&mut self, this: RankId, size_bytes: f64, home: RankId, appears: bool) {
        let sign = if appears { 1.0 } else { -1.0 };
        let step = |count: u32| if appears { count + 1 } else { count - 1 };
        self.block_bytes += sign * size_bytes;
        self.n_blocks = step(self.n_blocks);
        if home == this {
            self.n_homed_blocks = step(self.n_homed_blocks);
        } else {
            self.homing_bytes += sign * size_bytes;
        }
    }
}

/// Returns the rank of a vertex of the communication graph.
#[inline]
pub(crate) fn rank_of_vertex(assignment: &Assignment, vertex: Vertex) -> RankId {
    match vertex {
        Vertex::Object(slot) => assignment.rank_of(slot),
        Vertex::Rank(rank) => rank,
    }
}

/// Computes the totals of every rank under an assignment from scratch: the values that are reported.
///
/// Every sum runs over objects or edges in ascending order, so the result depends only on the phase and the assignment.
/// O(objects + edges + ranks + blocks).
pub fn rank_totals(phase: &Phase, assignment: &Assignment) -> Vec<RankTotals> {
    let columns = phase.columns();
    let mut ranks: Vec<RankTotals> = columns
        .ranks
        .iter()
        .map(|rank| RankTotals {
            alpha: rank.alpha,
            rank_working_bytes: rank.working_bytes,
            ..RankTotals::default()
        })
        .collect();
    for (position, rank) in assignment.as_slice().iter().enumerate() {
        let totals = &mut ranks[rank.index()];
        let load = columns.load[position];
        totals.load += load;
        let memory = &columns.memory[Slot::from(position)];
        totals.footprint_bytes += memory.footprint_bytes;
        totals.working_bytes = totals.working_bytes.max(memory.working_bytes);
        totals.serialized_bytes = totals.serialized_bytes.max(memory.serialized_bytes);
        totals.n_objects += 1;
        if columns.migratable[position] {
            totals.migratable_load += load;
            totals.n_migratable += 1;
        }
    }
    count_blocks(phase, assignment, &mut ranks);
    // Close together in memory, because receivers are in any order.
    let mut received = vec![0.0; ranks.len()];
    for (sender, edges) in columns.communication.senders() {
        let from = rank_of_vertex(assignment, sender);
        let totals = &mut ranks[from.index()];
        for (receiver, volume) in edges {
            let to = rank_of_vertex(assignment, receiver);
            if from == to {
                totals.keep(sender, receiver, volume.bytes);
            } else {
                totals.sent_bytes += volume.bytes;
                received[to.index()] += volume.bytes;
            }
        }
    }
    for (totals, received_bytes) in ranks.iter_mut().zip(received) {
        totals.received_bytes = received_bytes;
    }
    ranks
}

/// Counts each block once on each rank that has an object of the block.
fn count_blocks(phase: &Phase, assignment: &Assignment, ranks: &mut [RankTotals]) {
    /// Above this number of pairs of rank and block, sorting objects by rank is cheaper than a table of
    /// pairs.
    const MOST_PAIRS: usize = 1 << 24;
    let blocks = phase.blocks();
    let memory = &phase.columns().memory;
    let mut count = |rank: RankId, block: BlockIdx| {
        let facts = blocks[block.index()];
        ranks[rank.index()].count_block(rank, facts.size_bytes, facts.home, true);
    };
    if blocks.is_empty() {
        return;
    }
    if phase.n_ranks() * blocks.len() <= MOST_PAIRS {
        let mut counted = vec![false; phase.n_ranks() * blocks.len()];
        for (memory, &rank) in memory.iter().zip(assignment.as_slice()) {
            let Some(block) = memory.block else { continue };
            if !std::mem::replace(&mut counted[rank.index() * blocks.len() + block.index()], true) {
                count(rank, block);
            }
        }
        return;
    }
    // Objects are visited rank by rank; `last_counted` is the last rank on which a block was counted.
    let mut last_counted = vec![None; blocks.len()];
    for slot in slots_by_rank(assignment, phase.n_ranks()) {
        let Some(block) = memory[slot].block else { continue };
        let rank = assignment.rank_of(slot);
        if last_counted[block.index()].replace(rank) != Some(rank) {
            count(rank, block);
        }
    }
}

/// Returns all slots, by rank, then ascending (counting sort).
pub(crate) fn slots_by_rank(assignment: &Assignment, n_ranks: usize) -> Vec<Slot> {
    let mut next = vec![0_u32; n_ranks + 1];
    for rank in assignment.as_slice() {
        next[rank.index() + 1] += 1;
    }
    for rank in 0..n_ranks {
        next[rank + 1] += next[rank];
    }
    let mut slots = vec![Slot(0); assignment.len()];
    for (slot, rank) in assignment.as_slice().iter().enumerate() {
        let place = &mut next[rank.index()];
        slots[*place as usize] = Slot::from(slot);
        *place += 1;
    }
    slots
}
