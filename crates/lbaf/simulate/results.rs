// SPDX-License-Identifier: MIT OR Apache-2.0
//! What simulations came to, for files.

use std::collections::BTreeMap;
use std::fmt::Write;

use lbaf_config::RunConfig;
use lbaf_model::{Changes, DataSet};
use lbaf_reader::Recorded;
use lbaf_run::changes_in_words;
use lbaf_run::summary::FileDigest;
use lbaf_study::{Balancing, Migrated, PhaseTime, Simulated};
use serde::Serialize;

use super::Way;
use super::coverage::Coverage;
use super::examination::Examined;
use super::machine::Machine;

/// All ways of a run.
#[derive(Debug, Serialize)]
pub(super) struct Results {
    schema: &'static str,
    version: u32,
    lbaf: &'static str,
    configuration: lbaf_config::Invocation,
    seed: u64,
    /// What was assumed of the machine, if it is not the recorded one.
    pub(super) machine: Option<Machine>,
    pub(super) n_phases: usize,
    /// Which phases these are, and which are not among them.
    pub(super) coverage: Option<Coverage>,
    /// Objects that came and went from phase to phase.
    objects: Objects,
    pub(super) runs: Vec<RunInTime>,
    /// How well load models would have predicted.
    pub(super) load_models: Option<Examined>,
    /// What else is to be known, a sentence each.
    pub(super) notes: Vec<String>,
    /// Whether the detector of `denoise` was tried on enough to say what chasing noise costs.
    #[serde(skip)]
    pub(super) is_noise_known: bool,
    /// Every other file.
    pub(super) outputs: BTreeMap<String, FileDigest>,
}

/// Objects of which two phases one after the other do not say the same.
#[derive(Debug, Default, Serialize)]
struct Objects {
    new: usize,
    gone: usize,
    /// That may migrate from a phase on, or may not.
    freed: usize,
    fixed: usize,
}

/// A run in one of the ways. Times are in seconds, or in the unit of the work model.
#[derive(Debug, Serialize)]
pub(super) struct RunInTime {
    pub(super) way: Way,
    /// Of all phases, strategies and migrations together.
    pub(super) total: f64,
    pub(super) phase_seconds: f64,
    pub(super) strategy_seconds: f64,
    pub(super) migration_seconds: f64,
    /// What no placements can beat.
    pub(super) bound: f64,
    /// How many times as fast as the run that is never balanced.
    pub(super) speedup: Option<f64>,
    /// The bound in parts of the time.
    pub(super) efficiency: Option<f64>,
    pub(super) n_balancings: usize,
    /// Where the schedule is the best one: true if none is better, false if it is but the best found.
    pub(super) is_proven: Option<bool>,
    /// How often the schedule asked for balancing and nothing was done: no strategy for the phase, or it was even enough.
    pub(super) n_left_alone: usize,
    /// After how many phases this run is ahead of the one that is never balanced, and stays so.
    pub(super) break_even_after: Option<usize>,
    /// Without objects that left lost ranks; of the recorded run those that migrated then.
    pub(super) n_migrations: usize,
    pub(super) migrated_bytes: f64,
    /// What ranks exchange to find placements, objects on their way not among it.
    pub(super) n_messages: u64,
    pub(super) message_bytes: f64,
    /// Objects that left ranks that were lost; `migration_seconds` is the time of these too.
    pub(super) n_evacuated: usize,
    pub(super) n_phases_over_bounds: usize,
    by_phase: Vec<PhaseOfRun>,
}

#[derive(Debug, Serialize)]
struct PhaseOfRun {
    phase: u64,
    time: f64,
    bound: f64,
    load_imbalance: f64,
    /// That which schedules decide on.
    work_imbalance: f64,
    n_ranks_over_bounds: usize,
    /// What left ranks that were lost before it, if some were.
    evacuation: Option<MigrationOfRun>,
    /// What had migrated before it when it was recorded, in the run as it was recorded.
    recorded_migration: Option<MigrationOfRun>,
    balancing: Option<BalancingOfRun>,
}

#[derive(Debug, Serialize)]
struct MigrationOfRun {
    migration_seconds: f64,
    n_migrations: usize,
    migrated_bytes: f64,
}

#[derive(Debug, Serialize)]
struct BalancingOfRun {
    predicted_imbalance_before: f64,
    predicted_imbalance_after: f64,
    predicted_work_imbalance_before: f64,
    predicted_work_imbalance_after: f64,
    predicted_time: f64,
    strategy_seconds: f64,
    n_messages: u64,
    message_bytes: f64,
    migration_seconds: f64,
    n_migrations: usize,
    migrated_bytes: f64,
}

impl Results {
    pub(super) fn new(run: &RunConfig, machine: Option<Machine>, simulated: &[(Way, Simulated)]) -> Self {
        let never = simulated.iter().find(|(way, _)| *way == Way::Never).map(|(_, run)| run);
        let changes = never.map(|run| run.changes).unwrap_or_default();
        let Changes { n_new: new, n_gone: gone, n_freed: freed, n_fixed: fixed } = changes;
        Results {
            schema: "lbaf-simulation",
            version: 2,
            lbaf: env!("CARGO_PKG_VERSION"),
            configuration: run.invocation.clone(),
            seed: run.seed,
            machine,
            n_phases: simulated.first().map_or(0, |(_, run)| run.phases.len()),
            coverage: None,
            objects: Objects { new, gone, freed, fixed },
            runs: simulated.iter().map(|(way, run)| RunInTime::new(*way, run, never)).collect(),
            load_models: None,
            notes: changes_in_words(changes),
            is_noise_known: false,
            outputs: BTreeMap::new(),
        }
    }

    /// Adds what is to be known of the data.
    pub(super) fn add_data(&mut self, run: &RunConfig, recorded: &Recorded, data: &DataSet) {
        let coverage = Coverage::new(run, recorded);
        self.notes.extend(recorded.findings.warnings.iter().cloned());
        self.notes.extend(coverage.sentences());
        self.notes.extend(run.simulation.collections_without_objects(data));
        self.coverage = Some(coverage);
    }

    /// A line for each phase of each way.
    pub(super) fn to_csv(&self) -> String {
        let mut csv = String::from(
            "way,phase,time,bound,load_imbalance,ranks_over_bounds,strategy_seconds,migration_seconds,migrations,migrated_bytes,\
             predicted_time,predicted_imbalance_before,predicted_imbalance_after,evacuation_seconds,evacuated,\
             work_imbalance,predicted_work_imbalance_before,predicted_work_imbalance_after,messages,message_bytes\n",
        );
        for run in &self.runs {
            let way = run.way.key();
            for phase in &run.by_phase {
                let PhaseOfRun {
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
                let _ = write!(csv, "{way},{phase},{time},{bound},{load_imbalance},{n_ranks_over_bounds}");
                let _ = match (balancing, recorded_migration) {
                    (None, None) => write!(csv, ",,,,,,,"),
                    (None, Some(moved)) => {
                        let MigrationOfRun { migration_seconds, n_migrations, migrated_bytes } = moved;
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

impl RunInTime {
    fn new(way: Way, run: &Simulated, never: Option<&Simulated>) -> Self {
        let [phase_seconds, strategy_seconds, migration_seconds] = run.parts();
        let balancings = || run.phases.iter().filter_map(|phase| phase.balancing.as_ref());
        let recorded = || run.phases.iter().filter_map(|phase| phase.recorded);
        let migrated = || balancings().map(|done| done.migrated).chain(recorded());
        let exchanged = || balancings().map(|done| done.communication);
        let total = run.seconds();
        let ratio = |one: f64, other: f64| (other > 0.0).then(|| one / other);
        RunInTime {
            way,
            total,
            phase_seconds,
            strategy_seconds,
            migration_seconds,
            bound: run.bound(),
            speedup: never.and_then(|never| ratio(never.seconds(), total)),
            efficiency: ratio(run.bound(), total),
            n_balancings: balancings().count(),
            is_proven: run.is_proven,
            n_left_alone: run.n_left_alone,
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
            by_phase: run.phases.iter().map(PhaseOfRun::new).collect(),
        }
    }
}

impl PhaseOfRun {
    fn new(phase: &PhaseTime) -> Self {
        PhaseOfRun {
            phase: phase.phase.0,
            time: phase.seconds,
            bound: phase.bound,
            load_imbalance: phase.load_imbalance,
            work_imbalance: phase.work_imbalance,
            n_ranks_over_bounds: phase.n_ranks_over_bounds,
            evacuation: phase.evacuation.map(MigrationOfRun::new),
            recorded_migration: phase.recorded.map(MigrationOfRun::new),
            balancing: phase.balancing.as_ref().map(BalancingOfRun::new),
        }
    }
}

impl MigrationOfRun {
    fn new(migrated: Migrated) -> Self {
        let Migrated { n_objects: n_migrations, bytes: migrated_bytes, seconds: migration_seconds } =
            migrated;
        MigrationOfRun { migration_seconds, n_migrations, migrated_bytes }
    }
}

impl BalancingOfRun {
    fn new(done: &Balancing) -> Self {
        let [predicted_imbalance_before, predicted_imbalance_after] = done.predicted_load_imbalance;
        let [predicted_work_imbalance_before, predicted_work_imbalance_after] = done.predicted_work_imbalance;
        BalancingOfRun {
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
