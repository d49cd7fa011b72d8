// SPDX-License-Identifier: MIT OR Apache-2.0
//! Upper bound on the work of any placement, to check that no computation overflows.

use crate::{ModelError, Phase, RankTotals, WorkModel};

/// Number of phases over which the sum of works must stay finite.
const MOST_PHASES: f64 = 1_048_576.0;

/// Checks that, under any placement of a phase, neither the work of a rank nor its sum over all ranks and a
/// million phases overflows. Strategies rely on this check. O(objects + edges + blocks).
///
/// # Errors
/// If such a sum overflows for the work of a rank that has all objects, blocks and volumes and the speed of
/// the slowest rank.
pub fn check_work(phase: &Phase, model: &dyn WorkModel) -> Result<(), ModelError> {
    let most = model.work(&everything(phase)).cost();
    // Work that overflows was clamped to the largest number, so this product is infinite.
    if (most * phase.n_ranks() as f64 * MOST_PHASES).is_finite() {
        return Ok(());
    }
    let message = format!(
        "the work of a rank may reach {most:.3e} s under {}, which is too large for sums of floating-point numbers; \
         choose smaller coefficients, or smaller units of loads and bytes",
        model.name()
    );
    Err(ModelError::Phase { phase: phase.id(), message })
}

/// Returns an upper bound on each total under any placement. Cost never falls when a total grows, as
/// [`WorkModel`] requires, so these totals cost at least as much as any rank.
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
