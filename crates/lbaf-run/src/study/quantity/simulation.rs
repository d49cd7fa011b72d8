// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quantities of a simulated run and of its phases.

use lbaf_study::{PhaseTime, Simulated};

use super::{GREATEST, LEAST, QuantityKind, StudyQuantity, named, quantity};
use crate::simulate::Scenario;
use crate::study::cell_result::{ResultRow, Step};

/// Quantities of a simulated run.
pub(super) const OF_RUN: [StudyQuantity; 15] = [
    quantity("total", "total", QuantityKind::Seconds, LEAST),
    quantity("phase_seconds", "phases", QuantityKind::Seconds, LEAST),
    quantity("strategy_seconds", "strategy", QuantityKind::Seconds, LEAST),
    quantity("migration_seconds", "migration", QuantityKind::Seconds, LEAST),
    quantity("bound", "lower bound", QuantityKind::Seconds, None),
    quantity("never", "never balanced", QuantityKind::Seconds, None),
    quantity("recorded", "as recorded", QuantityKind::Seconds, None),
    quantity("perfect", "perfect knowledge", QuantityKind::Seconds, None),
    quantity("speedup", "speed-up", QuantityKind::Number, GREATEST),
    quantity("efficiency", "efficiency", QuantityKind::Share, GREATEST),
    quantity("balancings", "balancings", QuantityKind::Count, None),
    quantity("migrations", "migrations", QuantityKind::Count, LEAST),
    quantity("migrated_bytes", "migrated volume", QuantityKind::Bytes, LEAST),
    quantity("evacuated", "evacuated", QuantityKind::Count, None),
    quantity("phases_over_bounds", "phases over bounds", QuantityKind::Count, LEAST),
];

/// Quantities of a phase of a simulated run.
pub(super) const OF_PHASE: [StudyQuantity; 8] = [
    quantity("time", "time", QuantityKind::Seconds, LEAST),
    quantity("bound", "lower bound", QuantityKind::Seconds, None),
    quantity("load_imbalance", "load imbalance", QuantityKind::Number, LEAST),
    quantity("work_imbalance", "work imbalance", QuantityKind::Number, LEAST),
    quantity("strategy_seconds", "strategy", QuantityKind::Seconds, None),
    quantity("migration_seconds", "migration", QuantityKind::Seconds, None),
    quantity("migrations", "migrations", QuantityKind::Count, None),
    quantity("evacuated", "evacuated", QuantityKind::Count, None),
];

/// Returns the row of a run from its scenarios; `None` without the configured one.
pub(in super::super) fn row_of_run(
    scenarios: &[(Scenario, Simulated)],
    strategy: Option<String>,
) -> Option<ResultRow> {
    let of = |scenario: Scenario| scenarios.iter().find(|(other, _)| *other == scenario).map(|(_, run)| run);
    let run = of(Scenario::Configured)?;
    let seconds = |scenario: Scenario| of(scenario).map(Simulated::seconds);
    let [phases, balancing, migration] = run.parts();
    let (total, bound) = (run.seconds(), run.bound());
    let ratio = |one: Option<f64>, other: f64| one.filter(|_| other > 0.0).map(|one| one / other);
    let balancings = || run.phases.iter().filter_map(|phase| phase.balancing.as_ref());
    let migrated = || balancings().map(|balancing| balancing.migrated);
    let evacuated = run.phases.iter().filter_map(|phase| phase.evacuation);
    let values = [
        Some(total),
        Some(phases),
        Some(balancing),
        Some(migration),
        Some(bound),
        seconds(Scenario::Never),
        seconds(Scenario::Recorded),
        seconds(Scenario::Perfect),
        ratio(seconds(Scenario::Never), total),
        ratio(Some(bound), total),
        Some(balancings().count() as f64),
        Some(migrated().map(|migrated| migrated.n_objects).sum::<usize>() as f64),
        Some(migrated().map(|migrated| migrated.bytes).fold(0.0, |sum, bytes| sum + bytes)),
        Some(evacuated.map(|migrated| migrated.n_objects).sum::<usize>() as f64),
        Some(run.phases.iter().filter(|phase| phase.n_ranks_over_bounds > 0).count() as f64),
    ];
    // The scenario `never` is the reference of all others.
    let never = seconds(Scenario::Never);
    let start = [
        ("total", never),
        ("speedup", never.map(|_| 1.0)),
        ("efficiency", never.filter(|never| *never > 0.0).map(|never| bound / never)),
    ];
    let start = start.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
    let steps = run.phases.iter().map(step).collect();
    Some(ResultRow { phase: None, strategy, values: named(&OF_RUN, values), start, bounds: None, steps })
}

fn step(phase: &PhaseTime) -> Step {
    let balancing = phase.balancing.as_ref();
    let evacuation = phase.evacuation.unwrap_or_default();
    let migrated = balancing.map(|balancing| balancing.migrated).unwrap_or_default();
    let values = [
        Some(phase.seconds),
        Some(phase.bound),
        Some(phase.load_imbalance),
        Some(phase.work_imbalance),
        Some(balancing.map_or(0.0, |balancing| balancing.strategy_seconds)),
        Some(evacuation.seconds + migrated.seconds),
        Some(migrated.n_objects as f64),
        Some(evacuation.n_objects as f64),
    ];
    Step { number: phase.phase.0, values: named(&OF_PHASE, values) }
}
