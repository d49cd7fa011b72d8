// SPDX-License-Identifier: MIT OR Apache-2.0
//! What every rank has for certain: its sentinels, their blocks, and communication between what is fixed.

use crate::totals::rank_of_vertex;
use crate::{BlockIdx, Phase, RankId, RankTotals, Vertex, WorkModel};

/// What is certain of a phase.
pub(super) struct Certain {
    /// Of every rank, what it has without any object that may move.
    pub(super) totals: Vec<RankTotals>,
    /// Blocks that sentinels have on a rank, each pair once, ascending.
    pub(super) blocks: Vec<(BlockIdx, RankId)>,
    /// Number of volumes and blocks in these totals.
    pub(super) n_terms: usize,
}

impl Certain {
    /// O(objects + ranks + edges), the latter only where the model looks at communication.
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
        Certain { totals, blocks, n_terms }
    }
}

/// Whether a vertex is on the same rank in every placement.
pub(super) fn is_fixed(phase: &Phase, vertex: Vertex) -> bool {
    match vertex {
        Vertex::Object(slot) => !phase.is_migratable(slot),
        Vertex::Rank(_) => true,
    }
}
