// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of `simulation.json` that the page shows.

use lbaf_config::Invocation;
use serde::Deserialize;

use super::view::{LoadModelsView, ScenarioTotals};

/// Content of `simulation.json`.
#[derive(Deserialize)]
pub(super) struct SavedSimulation {
    pub(super) lbaf: String,
    pub(super) configuration: Invocation,
    pub(super) seed: u64,
    pub(super) machine: Option<SavedMachine>,
    pub(super) coverage: Option<SavedCoverage>,
    pub(super) objects: SavedChanges,
    pub(super) runs: Vec<SavedScenario>,
    pub(super) sentences: Vec<String>,
    pub(super) load_models: Option<LoadModelsView>,
    pub(super) notes: Vec<String>,
}

/// The assumed machine.
#[derive(Deserialize)]
pub(super) struct SavedMachine {
    pub(super) assumed: Vec<String>,
    pub(super) n_ranks: usize,
    pub(super) n_objects: usize,
}

/// Phases by their treatment.
#[derive(Deserialize)]
pub(super) struct SavedCoverage {
    pub(super) simulated: SavedPhases,
    pub(super) identical: SavedPhases,
    pub(super) skipped: SavedPhases,
    pub(super) left_out: SavedPhases,
    pub(super) missing: SavedPhases,
}

/// Number and list of phases.
#[derive(Deserialize)]
pub(super) struct SavedPhases {
    pub(super) count: u64,
    pub(super) phases: String,
}

/// Changes of objects, summed over phases.
#[derive(Deserialize)]
pub(super) struct SavedChanges {
    pub(super) new: usize,
    pub(super) gone: usize,
}

/// A scenario.
#[derive(Deserialize)]
pub(super) struct SavedScenario {
    pub(super) scenario: String,
    pub(super) n_balancings: usize,
    #[serde(flatten)]
    pub(super) totals: ScenarioTotals,
    pub(super) by_phase: Vec<SavedPhase>,
}

/// A phase of a scenario.
#[derive(Deserialize)]
pub(super) struct SavedPhase {
    pub(super) phase: u64,
    pub(super) time: f64,
    pub(super) bound: f64,
    pub(super) load_imbalance: f64,
    pub(super) work_imbalance: f64,
    pub(super) n_ranks_over_bounds: usize,
    pub(super) evacuation: Option<SavedMigration>,
    pub(super) recorded_migration: Option<SavedMigration>,
    pub(super) balancing: Option<SavedBalancing>,
}

/// Migrations between two phases.
#[derive(Deserialize)]
pub(super) struct SavedMigration {
    pub(super) migration_seconds: f64,
    pub(super) n_migrations: usize,
    pub(super) migrated_bytes: f64,
}

/// A balancing between two phases.
#[derive(Deserialize)]
pub(super) struct SavedBalancing {
    pub(super) predicted_work_imbalance_before: f64,
    pub(super) predicted_work_imbalance_after: f64,
    pub(super) predicted_time: f64,
    pub(super) strategy_seconds: f64,
    pub(super) migration_seconds: f64,
    pub(super) n_migrations: usize,
    pub(super) migrated_bytes: f64,
}
