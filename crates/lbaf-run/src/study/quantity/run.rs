// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quantities of a balanced phase, and of iterations.

use crate::summary::{Iteration, PhaseResult};

use super::{LEAST, QuantityKind, StudyQuantity, named, quantity};
use crate::study::bounds::{Bounds, with_whole_blocks};
use crate::study::cell_result::{ResultRow, Step, Values};

/// Largest excess of a rank: sum of its excesses relative to the upper bounds of the work model. Results are compared
/// by it first, then by the objective.
pub(in super::super) const LARGEST_EXCESS: StudyQuantity =
    quantity("largest_excess", "largest excess over bounds", QuantityKind::Share, LEAST);

/// Quantities of a balanced phase.
pub(super) const OF_PHASE: [StudyQuantity; 22] = [
    quantity("n_ranks", "ranks", QuantityKind::Count, None),
    quantity("n_objects", "objects", QuantityKind::Count, None),
    quantity("load_imbalance_before", "load imbalance before", QuantityKind::Number, None),
    quantity("load_imbalance", "load imbalance", QuantityKind::Number, LEAST),
    quantity("min_load", "min load", QuantityKind::Seconds, None),
    quantity("max_load_before", "max load before", QuantityKind::Seconds, None),
    quantity("max_load", "max load", QuantityKind::Seconds, LEAST),
    quantity("max_work_before", "max work before", QuantityKind::Work, None),
    quantity("max_work", "max work", QuantityKind::Work, LEAST),
    quantity("work_imbalance", "work imbalance", QuantityKind::Number, LEAST),
    quantity("lower_bound", "lower bound", QuantityKind::Work, None),
    quantity("above_bound", "above bound", QuantityKind::Share, LEAST),
    quantity("whole_blocks_bound", "lower bound with whole blocks", QuantityKind::Work, None),
    quantity("off_rank_bytes", "off-rank volume", QuantityKind::Bytes, LEAST),
    quantity("homing_bytes", "homing volume", QuantityKind::Bytes, LEAST),
    quantity("max_memory", "max memory", QuantityKind::Bytes, LEAST),
    quantity("ranks_over_bounds", "ranks over bounds", QuantityKind::Count, LEAST),
    LARGEST_EXCESS,
    quantity("migrations", "migrations", QuantityKind::Count, LEAST),
    quantity("migrated_load", "migrated load", QuantityKind::Seconds, LEAST),
    quantity("migrated_bytes", "migrated volume", QuantityKind::Bytes, LEAST),
    quantity("messages", "messages", QuantityKind::Count, LEAST),
];

/// Quantities of an iteration of a strategy.
pub(super) const OF_ITERATION: [StudyQuantity; 6] = [
    quantity("load_imbalance", "load imbalance", QuantityKind::Number, LEAST),
    quantity("max_work", "max work", QuantityKind::Work, LEAST),
    quantity("transfers", "transfers", QuantityKind::Count, None),
    quantity("rejections", "rejections", QuantityKind::Count, None),
    quantity("messages", "messages", QuantityKind::Count, None),
    quantity("knowledge", "knowledge", QuantityKind::Share, None),
];

/// Returns the row of a balanced phase.
pub(in super::super) fn row_of_phase(phase: &PhaseResult, strategy: Option<String>) -> ResultRow {
    let start = Step { number: 0, values: values_of_start(phase) };
    let iterations = phase
        .iterations
        .iter()
        .map(|iteration| Step { number: iteration.number as u64, values: values_of_iteration(iteration) });
    let is_course = !phase.iterations.is_empty();
    let steps = is_course.then_some(start).into_iter().chain(iterations).collect();
    ResultRow {
        phase: Some(phase.phase),
        strategy,
        values: values_of(phase),
        start: before(phase),
        bounds: Some(Bounds::of(phase)),
        steps,
    }
}

/// Returns the values of a phase. Lower bound and gap follow once all results are known.
fn values_of(phase: &PhaseResult) -> Values {
    let PhaseResult { before, after, migrations, .. } = phase;
    let values = [
        Some(phase.rank_loads.before.len() as f64),
        Some(phase.n_objects as f64),
        Some(before.load.imbalance),
        Some(after.load.imbalance),
        Some(after.load.min),
        Some(before.load.max),
        Some(after.load.max),
        Some(before.work.max),
        Some(after.work.max),
        Some(after.work.imbalance),
        None,
        None,
        with_whole_blocks(phase),
        Some(after.sent_volume.sum),
        Some(after.homing.sum),
        Some(after.memory.max),
        Some(after.n_ranks_over_bounds as f64),
        Some(after.largest_excess),
        Some(migrations.count as f64),
        Some(migrations.load),
        Some(migrations.bytes),
        Some(phase.messages() as f64),
    ];
    named(&OF_PHASE, values)
}

/// Returns the quantities of a phase before balancing.
fn before(phase: &PhaseResult) -> Values {
    let before = &phase.before;
    let values = [
        ("load_imbalance", before.load.imbalance),
        ("max_load", before.load.max),
        ("max_work", before.work.max),
        ("work_imbalance", before.work.imbalance),
        ("off_rank_bytes", before.sent_volume.sum),
        ("homing_bytes", before.homing.sum),
        ("max_memory", before.memory.max),
        ("ranks_over_bounds", before.n_ranks_over_bounds as f64),
        ("largest_excess", before.largest_excess),
    ];
    values.map(|(name, value)| (name.to_owned(), value)).into()
}

/// Returns the values of an iteration.
fn values_of_iteration(iteration: &Iteration) -> Values {
    let values = [
        Some(iteration.load_imbalance),
        Some(iteration.max_work),
        Some(iteration.transfers as f64),
        Some(iteration.rejections as f64),
        Some(iteration.messages as f64),
        iteration.knowledge,
    ];
    named(&OF_ITERATION, values)
}

/// Returns the values of the start as an iteration, without counts and knowledge.
fn values_of_start(phase: &PhaseResult) -> Values {
    let start = [Some(phase.before.load.imbalance), Some(phase.before.work.max), None, None, None, None];
    named(&OF_ITERATION, start)
}
