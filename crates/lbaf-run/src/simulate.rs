// SPDX-License-Identifier: MIT OR Apache-2.0
//! Simulation over time of the configured run and of other scenarios.
//!
//! [`Simulations`] is a configuration on its assumed machine, [`SimulatedRun`] the results of all [`Scenario`]s,
//! and [`SimulationOutputs`] their files before they are published.
//!
//! ```
//! use lbaf_config::{Layers, Overrides, resolve};
//! use lbaf_run::simulate::{Scenario, Simulations};
//! use lbaf_run::{Prepared, Silent, staging};
//! use lbaf_strategies::Cancel;
//! use lbaf_writer::Inputs;
//!
//! let directory = tempfile::tempdir()?;
//! let file = directory.path().join("run.yaml");
//! std::fs::write(&file, "
//! from_samplers:
//!   n_ranks: 4
//!   n_objects: 100
//!   n_mapped_ranks: 2
//!   n_phases: 3
//!   load_sampler: {name: uniform, parameters: [0.5, 1.5]}
//! algorithm: {name: Greedy}
//! simulation: {schedule: {every: 2}}
//! output_dir: output
//! ")?;
//! let overrides = Overrides::default();
//! let layers = Layers::read(&[file], &overrides.set)?;
//! let config = resolve(&layers, &overrides)?;
//! let prepared = Prepared::new(config, layers, &overrides, false, &Silent)?;
//!
//! let simulated = Simulations::new(&prepared)?.run(&Silent, &Cancel::new())?;
//! let total = |scenario| simulated.summary.scenario(scenario).map(|result| result.total);
//! assert!(total(Scenario::Configured) < total(Scenario::Never));
//!
//! // Files that are read are never replaced.
//! let mut inputs = Inputs::none();
//! prepared.files().iter().for_each(|file| inputs.add(file));
//! let staging = staging(&prepared.run.output_dir, &Silent)?;
//! let summary = simulated.write(&prepared.run.output_dir, staging)?.publish(&inputs)?;
//! assert_eq!(summary.n_phases, 3);
//! assert!(directory.path().join("output/simulation.csv").is_file());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assumed_machine;
mod coverage;
mod load_models;
mod outputs;
mod phases;
mod scenario;
mod scenarios;
mod schedule;
mod sentences;
mod summary;

use lbaf_config::{Layers, RunConfig};
use lbaf_reader::Recorded;
use lbaf_strategies::Cancel;
use lbaf_study::{Simulated, StrategyCost};

use crate::{Messages, Noise, Prepared, RunError, Silent};
use phases::ScenarioPhases;

pub use assumed_machine::{AssumedMachine, LostRanks, RegroupedObjects};
pub use coverage::{Coverage, PhaseCount};
pub use load_models::{HorizonAccuracy, LoadModelAccuracy, LoadModelResults};
pub use outputs::{FILE, SimulationOutputs};
pub use scenario::Scenario;
pub use summary::{
    ObjectChanges, SCHEMA, ScenarioBalancing, ScenarioMigration, ScenarioPhase, ScenarioResult,
    SimulationSummary,
};

/// A configuration with its data on the assumed machine, ready to be simulated.
pub struct Simulations<'a> {
    run: &'a RunConfig,
    layers: &'a Layers,
    recorded: &'a Recorded,
    noise: Option<&'a Noise>,
    phases: ScenarioPhases<'a>,
    machine: Option<AssumedMachine>,
}

/// Results of all scenarios.
pub struct SimulatedRun {
    /// The scenarios, in the order of [`Scenario::ALL`].
    pub scenarios: Vec<(Scenario, Simulated)>,
    /// The summary, without the digests of files.
    pub summary: SimulationSummary,
}

impl<'a> Simulations<'a> {
    /// Derives the data of the assumed machine.
    ///
    /// # Errors
    /// If an assumption does not apply to the data.
    pub fn new(prepared: &'a Prepared) -> Result<Self, RunError> {
        let Prepared { run, layers, recorded, noise, .. } = prepared;
        Simulations::of(run, layers, recorded, noise.as_ref())
    }

    fn of(
        run: &'a RunConfig,
        layers: &'a Layers,
        recorded: &'a Recorded,
        noise: Option<&'a Noise>,
    ) -> Result<Self, RunError> {
        let (phases, machine) = ScenarioPhases::new(run, layers, recorded, noise)?;
        Ok(Simulations { run, layers, recorded, noise, phases, machine })
    }

    /// Simulates all scenarios, in parallel unless strategies are timed. Examines load models if configured.
    ///
    /// # Errors
    /// If the configuration does not fit the data, a strategy rejects a phase, or the run was cancelled.
    pub fn run(self, messages: &dyn Messages, cancel: &Cancel) -> Result<SimulatedRun, RunError> {
        let Simulations { run, layers, recorded, noise, phases, machine } = self;
        schedule::check_schedule(run, recorded, layers)?;
        let scenarios = scenarios::simulate(run, &phases, layers, messages, cancel)?;
        let mut summary = SimulationSummary::new(run, machine, &scenarios);
        summary.add_data(run, recorded, &phases.data);
        summary.notes.extend(noise.map(|noise| noise.findings.simulated.clone()));
        summary.is_noise_known = noise.is_some_and(|noise| noise.findings.no_estimate_reason.is_none());
        summary.sentences = sentences::sentences(&summary);
        summary.load_models = load_models::examine(run, &phases.data, layers, cancel)?;
        Ok(SimulatedRun { scenarios, summary })
    }
}

/// Scenarios with their results, and notes on the data.
pub(crate) type CellScenarios = (Vec<(Scenario, Simulated)>, Vec<String>);

/// Simulates all scenarios for a cell of a study, with results that do not depend on the computer.
///
/// # Errors
/// If costs include measured times of strategies, and as [`Simulations::run`].
pub(crate) fn simulate_cell(
    run: &RunConfig,
    (recorded, noise): (&Recorded, Option<&Noise>),
    layers: &Layers,
    cancel: &Cancel,
) -> Result<CellScenarios, RunError> {
    if run.simulation.costs.strategy == StrategyCost::Measured {
        let message = "measured times of strategies differ between executions; in a study, set a number of seconds or \
                       `message_latency`";
        let at = layers.tree.error_at("simulation.costs.strategy_seconds", message);
        return Err(layers.error(&at).into());
    }
    schedule::check_schedule(run, recorded, layers)?;
    let Simulations { phases, .. } = Simulations::of(run, layers, recorded, noise)?;
    let mut sentences = recorded.findings.warnings.clone();
    sentences.extend(Coverage::new(run, recorded).sentences());
    sentences.extend(run.simulation.collections_without_objects(&phases.data));
    sentences.extend(noise.map(|noise| noise.findings.simulated.clone()));
    Ok((scenarios::simulate(run, &phases, layers, &Silent, cancel)?, sentences))
}
