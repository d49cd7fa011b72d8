// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fixed part of every rank: its own memory, its sentinels, their blocks, and communication between fixed
//! vertices (sentinels and ranks).

use crate::totals::rank_of_vertex;
use crate::{BlockIdx, Phase, RankId, RankTotals, Vertex, WorkModel};

/// The part of a phase that is the same in every placement.
pub(super) struct FixedPart {
    /// Totals of every rank without migratable objects.
    pub(super) totals: Vec<RankTotals>,
    /// Distinct pairs of a block and a rank with a sentinel that works on the block, ascending.
    pub(super) blocks: Vec<(BlockIdx, RankId)>,
    /// Number of volumes and blocks summed in `totals`.
    pub(super) n_terms: usize,
}

impl FixedPart {
    /// Computes the fixed part from the recorded placement. O(objects log objects + ranks + edges); edges
    /// are visited only if the model uses communication.
    pub(super) fn new(phase: &Phase, model: &dyn WorkModel) -> Self {
        let facts = |rank: &crate::Rank| RankTotals {
            alpha: rank.alpha,
            rank_working_bytes: rank.working_bytes,
            ..RankTotals::default()
        };
        let mut totals: Vec<RankTotals> = phase.ranks().iter().map(facts).collect();
        let at = phase.recorded_assignment();
        let mut blocks = Vec::new();
        for slot in phase.slots().filter(|&slot| !phase.is_migratable(slot)) {
            let rank = at.rank_of(slot);
            let (memory, totals) = (phase.memory(slot), &mut totals[rank.index()]);
            totals.load += phase.load(slot);
            totals.footprint_bytes += memory.footprint_bytes;
            totals.working_bytes = totals.working_bytes.max(memory.working_bytes);
            totals.serialized_bytes = totals.serialized_bytes.max(memory.serialized_bytes);
            totals.n_objects += 1;
            blocks.extend(memory.block.map(|block| (block, rank)));
        }
        blocks.sort_unstable();
        blocks.dedup();
        for &(block, rank) in &blocks {
            let facts = phase.blocks()[block.index()];
            totals[rank.index()].count_block(rank, facts.size_bytes, facts.home, true);
        }
        let mut n_terms = blocks.len();
        if model.aspects().communication {
            for (sender, receiver, volume) in phase.communication().edges() {
                if !is_fixed(phase, sender) || !is_fixed(phase, receiver) {
                    continue;
                }
                n_terms += 1;
                let (from, to) = (rank_of_vertex(at, sender), rank_of_vertex(at, receiver));
                if from == to {
                    totals[from.index()].keep(sender, receiver, volume.bytes);
                } else {
                    totals[from.index()].sent_bytes += volume.bytes;
                    totals[to.index()].received_bytes += volume.bytes;
                }
            }
        }
        FixedPart { totals, blocks, n_terms }
    }
}

/// True if a vertex is on the same rank in every placement.
pub(super) fn is_fixed(phase: &Phase, vertex: Vertex) -> bool {
    match vertex {
        Vertex::Object(slot) => !phase.is_migratable(slot),
        Vertex::Rank(_) => true,
    }
}
