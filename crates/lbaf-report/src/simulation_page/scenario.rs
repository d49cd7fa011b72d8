// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conversion of a scenario to its view on the page.

use lbaf_run::simulate::Scenario;

use super::MOST_EVENTS;
use super::saved_simulation::{SavedBalancing, SavedMigration, SavedPhase, SavedScenario};
use super::view::{EventView, ScenarioView};

/// Returns the view of a scenario with the phases at the positions in `shown`.
pub(super) fn view(run: &SavedScenario, shown: &[usize]) -> ScenarioView {
    let mut elapsed = 0.0;
    let elapsed: Vec<f64> = (run.by_phase.iter())
        .map(|phase| {
            elapsed += cost(phase) + phase.time;
            elapsed
        })
        .collect();
    let phases = || shown.iter().map(|&at| &run.by_phase[at]);
    let name = Scenario::ALL.into_iter().find(|scenario| scenario.key() == run.scenario);
    let is_over = run.totals.n_phases_over_bounds > 0;
    ScenarioView {
        name: name.map_or_else(|| run.scenario.clone(), |scenario| scenario.name().to_owned()),
        key: run.scenario.clone(),
        n_balancings: run.n_balancings,
        totals: run.totals.clone(),
        time: phases().map(|phase| phase.time).collect(),
        elapsed: shown.iter().map(|&at| elapsed[at]).collect(),
        load_imbalance: phases().map(|phase| phase.load_imbalance).collect(),
        work_imbalance: phases().map(|phase| phase.work_imbalance).collect(),
        over_bounds: phases().filter(|_| is_over).map(|phase| phase.n_ranks_over_bounds).collect(),
        events: run.by_phase.iter().flat_map(events).take(MOST_EVENTS).collect(),
    }
}

/// True if a scenario has more balancing steps and other migrations than the page shows.
pub(super) fn has_too_many_events(run: &SavedScenario) -> bool {
    run.by_phase.iter().flat_map(events).count() > MOST_EVENTS
}

/// Returns the seconds between the end of the previous phase and the start of a phase.
fn cost(phase: &SavedPhase) -> f64 {
    let moved = [&phase.evacuation, &phase.recorded_migration].into_iter().flatten();
    let balanced = phase.balancing.as_ref();
    moved.map(|moved| moved.migration_seconds).sum::<f64>()
        + balanced.map_or(0.0, |done| done.strategy_seconds + done.migration_seconds)
}

/// Returns the migrations and the balancing before a phase.
fn events(phase: &SavedPhase) -> impl Iterator<Item = EventView> {
    let moved = |kind, moved: &SavedMigration| EventView {
        phase: phase.phase,
        kind,
        strategy_seconds: 0.0,
        migration_seconds: moved.migration_seconds,
        n_migrations: moved.n_migrations,
        migrated_bytes: moved.migrated_bytes,
        predicted_time: None,
        predicted_imbalance: None,
    };
    let balanced = |done: &SavedBalancing| EventView {
        phase: phase.phase,
        kind: "balancing",
        strategy_seconds: done.strategy_seconds,
        migration_seconds: done.migration_seconds,
        n_migrations: done.n_migrations,
        migrated_bytes: done.migrated_bytes,
        predicted_time: Some(done.predicted_time),
        predicted_imbalance: Some([
            done.predicted_work_imbalance_before,
            done.predicted_work_imbalance_after,
        ]),
    };
    // Most recorded placements equal the placement of the previous phase, so there are no migrations to show.
    let recorded = phase.recorded_migration.as_ref().filter(|moved| moved.n_migrations > 0);
    let events = [
        phase.evacuation.as_ref().map(|left| moved("evacuation", left)),
        recorded.map(|left| moved("recorded", left)),
        phase.balancing.as_ref().map(balanced),
    ];
    events.into_iter().flatten()
}
