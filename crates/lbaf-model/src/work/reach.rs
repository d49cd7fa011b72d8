// SPDX-License-Identifier: MIT OR Apache-2.0
//! Work that no placement can exceed, as a check that numbers can hold all that will be computed.

use crate::{ModelError, Phase, RankTotals, WorkModel};

/// Sums of this many phases stay within the numbers there are.
const MOST_PHASES: f64 = 1_048_576.0;

/// Refuses a phase and a work model under which the work of a rank, or its sum over ranks and a million phases, might be more
/// than a floating-point number holds, wherever objects are. Every strategy may rely on it. O(objects + edges + blocks).
///
/// # Errors
/// If the work of a rank that has everything there is, as slow as the slowest, is that large.
pub fn check_work(phase: &Phase, model: &dyn WorkModel) -> Result<(), ModelError> {
    let most = model.work(&everything(phase)).cost();
    // What overflows on the way is the largest number there is.
    if (most * phase.n_ranks() as f64 * MOST_PHASES).is_finite() {
        return Ok(());
    }
    let message = format!(
        "the work of a rank may come to {most:.3e} s under {}, which is too large for sums of floating-point numbers; \
         choose smaller coefficients, or smaller units of loads and bytes",
        model.name()
    );
    Err(ModelError::Phase { phase: phase.id(), message })
}

/// All that a rank can have under any placement. Cost grows with each of these, as [`WorkModel`] promises.
fn everything(phase: &Phase) -> RankTotals {
    let columns = phase.columns();
    let largest = |numbers: &mut dyn Iterator<Item = f64>| numbers.fold(0.0, f64::max);
    let load: f64 = columns.load.iter().sum();
    let volume = columns.communication.total().bytes;
    let block_bytes: f64 = columns.blocks.iter().map(|block| block.size_bytes).sum();
    let n_blocks = columns.blocks.len() as u32;
    let n_objects = phase.n_objects() as u32;
    RankTotals {
        alpha: largest(&mut columns.ranks.iter().map(|rank| rank.alpha)),
        load,
        migratable_load: load,
        sent_bytes: volume,
        received_bytes: volume,
        on_rank_bytes: volume,
        to_rank_bytes: volume,
        from_rank_bytes: volume,
        rank_working_bytes: largest(&mut columns.ranks.iter().map(|rank| rank.working_bytes)),
        footprint_bytes: columns.memory.iter().map(|memory| memory.footprint_bytes).sum(),
        working_bytes: largest(&mut columns.memory.values().iter().map(|memory| memory.working_bytes)),
        serialized_bytes: largest(&mut columns.memory.values().iter().map(|memory| memory.serialized_bytes)),
        block_bytes,
        homing_bytes: block_bytes,
        n_blocks,
        n_homed_blocks: n_blocks,
        n_objects,
        n_migratable: n_objects,
    }
}
