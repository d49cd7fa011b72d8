// SPDX-License-Identifier: MIT OR Apache-2.0
//! Content of the page of a simulation as plain data. Times are in seconds.

use serde::{Deserialize, Serialize};

use super::assets::SIMULATION;
use crate::error::PageError;
use crate::page::Fact;

/// Content of the page of a simulation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SimulationPage {
    /// Version of lbaf that created the page.
    pub lbaf: String,
    /// Name of the output directory.
    pub title: String,
    /// Sentences on the results.
    pub sentences: Vec<String>,
    /// Notes on data and results.
    pub notes: Vec<String>,
    /// Sentences on data missing from the page.
    pub left_out: Vec<String>,
    /// Settings of the simulation.
    pub facts: Vec<Fact>,
    /// Number of phases of the run.
    pub n_phases: usize,
    /// Numbers of the phases in charts, ascending.
    pub phases: Vec<u64>,
    /// Lower bounds on the times of these phases.
    pub bounds: Vec<f64>,
    /// Scenarios.
    pub scenarios: Vec<ScenarioView>,
    /// Accuracy of load models, if it was examined.
    pub load_models: Option<LoadModelsView>,
}

/// A scenario. Each list except `events` and an empty `over_bounds` has an item for each of [`SimulationPage::phases`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScenarioView {
    /// Name of the scenario in files.
    pub key: String,
    /// Name of the scenario in tables.
    pub name: String,
    /// Number of balancings.
    pub n_balancings: usize,
    /// Totals over all phases.
    #[serde(flatten)]
    pub totals: ScenarioTotals,
    /// Times of the phases.
    pub time: Vec<f64>,
    /// Times from the beginning of the run to the end of each phase, including the costs of balancing.
    pub elapsed: Vec<f64>,
    /// Imbalance of load.
    pub load_imbalance: Vec<f64>,
    /// Imbalance of work.
    pub work_imbalance: Vec<f64>,
    /// Numbers of ranks that exceed upper bounds of the work model; empty if there are none in any phase.
    pub over_bounds: Vec<usize>,
    /// Balancing steps and other migrations between phases; the first of them if there are too many for the page.
    pub events: Vec<EventView>,
}

/// Totals of a scenario, with the keys of `simulation.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScenarioTotals {
    /// Time of the whole run.
    pub total: f64,
    /// Time of all phases.
    pub phase_seconds: f64,
    /// Time of all strategies.
    pub strategy_seconds: f64,
    /// Time of all migrations.
    pub migration_seconds: f64,
    /// Sum of the lower bounds on the time of each phase.
    pub bound: f64,
    /// Time without balancing, divided by the time of this run; `None` if the latter is 0.
    pub speedup: Option<f64>,
    /// `bound / total`; `None` if `total` is 0.
    pub efficiency: Option<f64>,
    /// Number of phases after which the scenario stays ahead of the run that is never balanced; `None` if it is not
    /// ahead at the end.
    pub break_even_after: Option<usize>,
    /// Number of migrations.
    pub n_migrations: usize,
    /// Bytes of these migrations.
    pub migrated_bytes: f64,
    /// Number of phases in which a rank exceeds an upper bound of the work model.
    pub n_phases_over_bounds: usize,
}

/// A balancing step, or other migrations, between two phases.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EventView {
    /// Number of the phase after the migrations.
    pub phase: u64,
    /// `balancing`, `recorded` or `evacuation`.
    pub kind: &'static str,
    /// Time of the strategy.
    pub strategy_seconds: f64,
    /// Time of the migrations.
    pub migration_seconds: f64,
    /// Number of migrations.
    pub n_migrations: usize,
    /// Bytes of the migrations.
    pub migrated_bytes: f64,
    /// Predicted time of the phase; `None` without balancing.
    pub predicted_time: Option<f64>,
    /// Predicted imbalance of work before and after balancing; `None` without balancing.
    pub predicted_imbalance: Option<[f64; 2]>,
}

/// Accuracy of load models, with the keys of `simulation.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoadModelsView {
    /// Strategy that balanced predicted loads, if any.
    pub balanced_with: Option<String>,
    /// Accuracy by load model.
    pub load_models: Vec<LoadModelView>,
}

/// Accuracy of a load model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoadModelView {
    /// Name and parameters.
    pub load_model: String,
    /// Accuracy at each horizon.
    pub horizons: Vec<HorizonView>,
}

/// Accuracy of predictions at a horizon. A number is `None` if no load or phase is suitable to compute it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HorizonView {
    /// Difference of phase numbers between the predicted phase and the last known one.
    pub horizon: u32,
    /// Number of predicted phases.
    pub n_phases: usize,
    /// Mean relative error.
    pub mean_error: Option<f64>,
    /// Relative error of the sum of loads.
    pub bias: Option<f64>,
    /// Rank correlation of predicted and measured loads.
    pub rank_correlation: Option<f64>,
    /// Imbalance after balancing on predicted loads.
    pub imbalance: Option<f64>,
    /// Imbalance after balancing on measured loads.
    pub imbalance_known: Option<f64>,
    /// Difference of the two imbalances.
    pub imbalance_lost: Option<f64>,
}

impl SimulationPage {
    /// Returns the complete HTML document, in UTF-8.
    ///
    /// # Errors
    /// If the data cannot be represented as JSON.
    pub fn to_html(&self) -> Result<String, PageError> {
        Ok(SIMULATION.html(&self.title, &serde_json::to_string(self)?))
    }
}
