// SPDX-License-Identifier: MIT OR Apache-2.0
//! `simulation.json` and `simulation.csv`: results of all scenarios. Fields of [`SimulationSummary`] are keys of the
//! file.

use std::collections::BTreeMap;
use std::fmt::Write;

use lbaf_config::RunConfig;
use lbaf_model::{Changes, DataSet};
use lbaf_reader::Recorded;
use lbaf_study::{BalancingStep, Migrated, PhaseTime, Simulated};
use serde::Serialize;

use super::assumed_machine::AssumedMachine;
use super::coverage::Coverage;
use super::load_models::LoadModelResults;
use super::scenario::Scenario;
use crate::changes_in_words;
use crate::summary::FileDigest;

/// Value of [`SimulationSummary::schema`].
pub const SCHEMA: &str = "lbaf-simulation";

/// The content of `simulation.json`.
#[derive(Debug, Serialize)]
pub struct SimulationSummary {
    /// Always [`SCHEMA`].
    pub schema: &'static str,
    /// Version of the keys.
    pub version: u32,
    /// Version of the program.
    pub lbaf: &'static str,
    /// Configuration files and overrides.
    pub configuration: lbaf_config::Invocation,
    /// Seed of all random streams.
    pub seed: u64,
    /// The assumed machine; `None` for the recorded machine.
    pub machine: Option<AssumedMachine>,
    /// Number of phases of the run.
    pub n_phases: usize,
    /// Simulated phases, and phases that are not simulated. `None` only before the data are added.
    pub coverage: Option<Coverage>,
    /// Changes of objects between phases.
    pub objects: ObjectChanges,
    /// Results of the scenarios, in the order of [`Scenario::ALL`].
    pub runs: Vec<ScenarioResult>,
    /// Sentences on the results, as on the console.
    pub sentences: Vec<String>,
    /// Accuracy of load models, if configured.
    pub load_models: Option<LoadModelResults>,
    /// Notes on data and results, one sentence each.
    pub notes: Vec<String>,
    /// True if the noise is known: `denoise` is configured, and the data suffice.
    #[serde(skip)]
    pub is_noise_known: bool,
    /// Digests of all other files of the simulation.
    pub outputs: BTreeMap<String, FileDigest>,
}

/// Objects that differ between consecutive phases, in total.
#[derive(Debug, Default, Serialize)]
pub struct ObjectChanges {
    /// Migratable objects missing from the previous phase.
    pub new: usize,
    /// Migratable objects missing from the next phase.
    pub gone: usize,
    /// Objects that become migratable.
    pub freed: usize,
    /// Objects that become non-migratable.
    pub fixed: usize,
}

/// Results of a scenario. Times are in seconds, or in the unit of the work model.
#[derive(Debug, Serialize)]
pub struct ScenarioResult {
    /// The scenario.
    pub scenario: Scenario,
    /// Time of the run: phases, strategies and migrations.
    pub total: f64,
    /// Time of all phases.
    pub phase_seconds: f64,
    /// Time of all strategies.
    pub strategy_seconds: f64,
    /// Time of all migrations.
    pub migration_seconds: f64,
    /// Sum of the lower bounds on the times of phases.
    pub bound: f64,
    /// Time of the scenario `never`, divided by the time of this scenario; `None` if the latter is 0.
    pub speedup: Option<f64>,
    /// `bound / total`; `None` if `total` is 0.
    pub efficiency: Option<f64>,
    /// Number of balancings.
    pub n_balancings: usize,
    /// With the schedule `best`, true if it is proven optimal, false if a better one may exist.
    pub is_proven: Option<bool>,
    /// Number of balancings that the schedule requested but that were skipped, because the phase has no strategy or
    /// work was even enough.
    pub n_skipped: usize,
    /// Number of phases after which this scenario stays ahead of the scenario `never`; `None` if it is not ahead at the
    /// end.
    pub break_even_after: Option<usize>,
    /// Number of migrations; in the scenario `recorded`, the recorded ones. Objects that left lost ranks do not count.
    pub n_migrations: usize,
    /// Bytes of these migrations.
    pub migrated_bytes: f64,
    /// Number of messages that strategies send to find placements; messages that migrate objects do not count.
    pub n_messages: u64,
    /// Bytes of these messages.
    pub message_bytes: f64,
    /// Objects that left lost ranks; `migration_seconds` contains their time.
    pub n_evacuated: usize,
    /// Number of phases in which a rank exceeds an upper bound of the work model.
    pub n_phases_over_bounds: usize,
    /// Results by phase.
    pub by_phase: Vec<ScenarioPhase>,
}

/// A phase of a scenario.
#[derive(Debug, Serialize)]
pub struct ScenarioPhase {
    /// Number of the phase.
    pub phase: u64,
    /// Time of the phase.
    pub time: f64,
    /// Lower bound on the time of the phase.
    pub bound: f64,
    /// Imbalance of load.
    pub load_imbalance: f64,
    /// Imbalance of work; with synchronized subphases, of load in subphases. Schedules use it.
    pub work_imbalance: f64,
    /// Number of ranks that exceed an upper bound of the work model.
    pub n_ranks_over_bounds: usize,
    /// Migrations of objects that left ranks lost before the phase. `None` if no rank was lost since the previous
    /// phase.
    pub evacuation: Option<ScenarioMigration>,
    /// Recorded migrations before the phase, without those of objects that left lost ranks; `None` for the first phase,
    /// and in scenarios other than `recorded`.
    pub recorded_migration: Option<ScenarioMigration>,
    /// Balancing before the phase, if any.
    pub balancing: Option<ScenarioBalancing>,
}

/// Migrations between two phases.
#[derive(Debug, Serialize)]
pub struct ScenarioMigration {
    /// Time of the migrations.
    pub migration_seconds: f64,
    /// Number of objects.
    pub n_migrations: usize,
    /// Bytes of the objects.
    pub migrated_bytes: f64,
}

/// A balancing between two phases.
#[derive(Debug, Serialize)]
pub struct ScenarioBalancing {
    /// Predicted imbalance of load without the balancing.
    pub predicted_imbalance_before: f64,
    /// Predicted imbalance of load with the balancing.
    pub predicted_imbalance_after: f64,
    /// Predicted imbalance of work without the balancing.
    pub predicted_work_imbalance_before: f64,
    /// Predicted imbalance of work with the balancing.
    pub predicted_work_imbalance_after: f64,
    /// Predicted time of the next phase; with the load model `MultiplePhases`, of all phases predicted at once.
    pub predicted_time: f64,
    /// Time of the strategy.
    pub strategy_seconds: f64,
    /// Messages by which ranks find the placement.
    pub n_messages: u64,
    /// Bytes of these messages.
    pub message_bytes: f64,
    /// Time of the migrations.
    pub migration_seconds: f64,
    /// Number of migrations.
    pub n_migrations: usize,
    /// Bytes of the migrated objects.
    pub migrated_bytes: f64,
}

impl SimulationSummary {
    pub(super) fn new(
        run: &RunConfig,
        machine: Option<AssumedMachine>,
        simulated: &[(Scenario, Simulated)],
    ) -> Self {
        let never = simulated.iter().find(|(scenario, _)| *scenario == Scenario::Never).map(|(_, run)| run);
        let changes = never.map(|run| run.changes).unwrap_or_default();
        let Changes { n_new: new, n_gone: gone, n_freed: freed, n_fixed: fixed } = changes;
        SimulationSummary {
            schema: SCHEMA,
            version: 3,
            lbaf: env!("CARGO_PKG_VERSION"),
            configuration: run.invocation.clone(),
            seed: run.seed,
            machine,
            n_phases: simulated.first().map_or(0, |(_, run)| run.phases.len()),
            coverage: None,
            objects: ObjectChanges { new, gone, freed, fixed },
            runs: simulated
                .iter()
                .map(|(scenario, run)| ScenarioResult::new(*scenario, run, never))
                .collect(),
            sentences: Vec::new(),
            load_models: None,
            notes: changes_in_words(changes),
            is_noise_known: false,
            outputs: BTreeMap::new(),
        }
    }

    /// Adds the coverage, and notes on the data.
    pub(super) fn add_data(&mut self, run: &RunConfig, recorded: &Recorded, data: &DataSet) {
        let coverage = Coverage::new(run, recorded);
        self.notes.extend(recorded.findings.warnings.iter().cloned());
        self.notes.extend(coverage.sentences());
        self.notes.extend(run.simulation.collections_without_objects(data));
        self.coverage = Some(coverage);
    }

    /// Returns the results of a scenario; `None` if it was not simulated.
    pub fn scenario(&self, scenario: Scenario) -> Option<&ScenarioResult> {
        self.runs.iter().find(|run| run.scenario == scenario)
    }

    /// Returns `simulation.json`.
    pub fn to_json(&self) -> Vec<u8> {
        crate::summary::pretty(self)
    }

    /// Returns `simulation.csv`, with one row per phase and scenario.
    pub fn to_csv(&self) -> String {
        let mut csv = String::from(
            "scenario,phase,time,bound,load_imbalance,ranks_over_bounds,strategy_seconds,migration_seconds,migrations,migrated_bytes,\
             predicted_time,predicted_imbalance_before,predicted_imbalance_after,evacuation_seconds,evacuated,\
             work_imbalance,predicted_work_imbalance_before,predicted_work_imbalance_after,messages,message_bytes\n",
        );
        for run in &self.runs {
            let scenario = run.scenario.key();
            for phase in &run.by_phase {
                let ScenarioPhase {
                    phase,
                    time,
                    bound,
                    load_imbalance,
                    work_imbalance,
                    n_ranks_over_bounds,
                    evacuation,
                    recorded_migration,
                    balancing,
                } = phase;
                let _ =
                    write!(csv, "{scenario},{phase},{time},{bound},{load_imbalance},{n_ranks_over_bounds}");
                let _ = match (balancing, recorded_migration) {
                    (None, None) => write!(csv, ",,,,,,,"),
                    (None, Some(moved)) => {
                        let ScenarioMigration { migration_seconds, n_migrations, migrated_bytes } = moved;
                        write!(csv, ",,{migration_seconds},{n_migrations},{migrated_bytes},,,")
                    }
                    (Some(done), _) => write!(
                        csv,
                        ",{},{},{},{},{},{},{}",
                        done.strategy_seconds,
                        done.migration_seconds,
                        done.n_migrations,
                        done.migrated_bytes,
                        done.predicted_time,
                        done.predicted_imbalance_before,
                        done.predicted_imbalance_after
                    ),
                };
                let _ = match evacuation {
                    None => write!(csv, ",,,{work_imbalance}"),
                    Some(left) => {
                        write!(csv, ",{},{},{work_imbalance}", left.migration_seconds, left.n_migrations)
                    }
                };
                let _ = match balancing {
                    None => writeln!(csv, ",,,,"),
                    Some(done) => writeln!(
                        csv,
                        ",{},{},{},{}",
                        done.predicted_work_imbalance_before,
                        done.predicted_work_imbalance_after,
                        done.n_messages,
                        done.message_bytes
                    ),
                };
            }
        }
        csv
    }
}

impl ScenarioResult {
    fn new(scenario: Scenario, run: &Simulated, never: Option<&Simulated>) -> Self {
        let [phase_seconds, strategy_seconds, migration_seconds] = run.parts();
        let balancings = || run.phases.iter().filter_map(|phase| phase.balancing.as_ref());
        let recorded = || run.phases.iter().filter_map(|phase| phase.recorded);
        let migrated = || balancings().map(|done| done.migrated).chain(recorded());
        let exchanged = || balancings().map(|done| done.communication);
        let total = run.seconds();
        let ratio = |one: f64, other: f64| (other > 0.0).then(|| one / other);
        ScenarioResult {
            scenario,
            total,
            phase_seconds,
            strategy_seconds,
            migration_seconds,
            bound: run.bound(),
            speedup: never.and_then(|never| ratio(never.seconds(), total)),
            efficiency: ratio(run.bound(), total),
            n_balancings: balancings().count(),
            is_proven: run.is_proven,
            n_skipped: run.n_skipped,
            break_even_after: never.and_then(|never| run.break_even(never)),
            n_migrations: migrated().map(|migrated| migrated.n_objects).sum(),
            migrated_bytes: migrated().map(|migrated| migrated.bytes).fold(0.0, |sum, bytes| sum + bytes),
            n_messages: exchanged().map(|exchanged| exchanged.n_messages).fold(0, u64::saturating_add),
            message_bytes: exchanged().map(|exchanged| exchanged.bytes).fold(0.0, |sum, bytes| sum + bytes),
            n_evacuated: run
                .phases
                .iter()
                .filter_map(|phase| phase.evacuation)
                .map(|left| left.n_objects)
                .sum(),
            n_phases_over_bounds: run.phases.iter().filter(|phase| phase.n_ranks_over_bounds > 0).count(),
            by_phase: run.phases.iter().map(ScenarioPhase::new).collect(),
        }
    }
}

impl ScenarioPhase {
    fn new(phase: &PhaseTime) -> Self {
        ScenarioPhase {
            phase: phase.phase.0,
            time: phase.seconds,
            bound: phase.bound,
            load_imbalance: phase.load_imbalance,
            work_imbalance: phase.work_imbalance,
            n_ranks_over_bounds: phase.n_ranks_over_bounds,
            evacuation: phase.evacuation.map(ScenarioMigration::new),
            recorded_migration: phase.recorded.map(ScenarioMigration::new),
            balancing: phase.balancing.as_ref().map(ScenarioBalancing::new),
        }
    }
}

impl ScenarioMigration {
    fn new(migrated: Migrated) -> Self {
        let Migrated { n_objects: n_migrations, bytes: migrated_bytes, seconds: migration_seconds } =
            migrated;
        ScenarioMigration { migration_seconds, n_migrations, migrated_bytes }
    }
}

impl ScenarioBalancing {
    fn new(done: &BalancingStep) -> Self {
        let [predicted_imbalance_before, predicted_imbalance_after] = done.predicted_load_imbalance;
        let [predicted_work_imbalance_before, predicted_work_imbalance_after] = done.predicted_work_imbalance;
        ScenarioBalancing {
            predicted_imbalance_before,
            predicted_imbalance_after,
            predicted_work_imbalance_before,
            predicted_work_imbalance_after,
            predicted_time: done.predicted_seconds,
            strategy_seconds: done.strategy_seconds,
            n_messages: done.communication.n_messages,
            message_bytes: done.communication.bytes,
            migration_seconds: done.migrated.seconds,
            n_migrations: done.migrated.n_objects,
            migrated_bytes: done.migrated.bytes,
        }
    }
}
