// SPDX-License-Identifier: MIT OR Apache-2.0
//! Self-contained HTML page of a simulation: times, imbalance and balancing of its scenarios over the phases. The page
//! needs no network, no other file and no server.
//!
//! [`of_simulation`] creates a [`SimulationPage`] from the results file of an output directory, and
//! [`SimulationPage::to_html`] converts the page to HTML. Numbers have all digits of `simulation.json`.

mod assets;
mod facts;
mod saved_simulation;
mod scenario;
mod view;

use lbaf_text::Shown as _;

use self::saved_simulation::SavedSimulation;
pub use self::view::{
    EventView, HorizonView, LoadModelView, LoadModelsView, ScenarioTotals, ScenarioView, SimulationPage,
};
use crate::{ReportError, SavedResults};

/// Name of the page in an output directory.
pub const FILE: &str = "simulation.html";

/// Maximum numbers of phases in charts, and of balancing steps and other migrations of a scenario. They limit the size
/// of the page.
const MOST_PHASES: usize = 10_000;
const MOST_EVENTS: usize = 4_000;

/// Creates the page of a simulation.
///
/// # Errors
/// If the results file is damaged.
pub fn of_simulation(results: &SavedResults) -> Result<SimulationPage, ReportError> {
    let simulation: SavedSimulation = results.content()?;
    let mut left_out = Vec::new();
    let n_phases = simulation.runs.iter().map(|run| run.by_phase.len()).min().unwrap_or(0);
    let step = n_phases.div_ceil(MOST_PHASES).max(1);
    if step > 1 {
        left_out.push(format!("Charts show one phase in {step}; simulation.csv has all phases."));
    }
    // The last phase is always shown, because its elapsed time is the total.
    let shown: Vec<usize> = (0..n_phases).filter(|at| (n_phases - 1 - at) % step == 0).collect();
    if simulation.runs.iter().any(scenario::has_too_many_events) {
        left_out.push(format!(
            "Tables of balancing steps and migrations show only the first {MOST_EVENTS} rows; simulation.csv has all."
        ));
    }
    let phases = simulation.runs.first().map(|run| shown.iter().map(|&at| run.by_phase[at].phase).collect());
    let bounds = shown.iter().map(|&at| {
        // A higher bound of a feasible scenario need not hold for an infeasible scenario.
        simulation.runs.iter().map(|run| run.by_phase[at].bound).fold(f64::INFINITY, f64::min)
    });
    Ok(SimulationPage {
        lbaf: env!("CARGO_PKG_VERSION").to_owned(),
        title: std::path::absolute(&results.directory)
            .ok()
            .and_then(|path| Some(std::path::Path::new(path.file_name()?).shown()))
            .unwrap_or_default(),
        facts: facts::facts(&simulation),
        n_phases,
        phases: phases.unwrap_or_default(),
        bounds: bounds.collect(),
        scenarios: simulation.runs.iter().map(|run| scenario::view(run, &shown)).collect(),
        sentences: simulation.sentences,
        notes: simulation.notes,
        load_models: simulation.load_models,
        left_out,
    })
}
