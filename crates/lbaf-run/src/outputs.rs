// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files of a run in its output directory.

mod results;
mod warnings;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use lbaf_config::RunConfig;
use lbaf_model::{Assignment, Phase, PhaseId, RankId, Slot, Statistics};
use lbaf_reader::Recorded;
use lbaf_strategies::IterationStats;
use lbaf_text::number::counted;
use lbaf_vom::StatisticsFile;
use lbaf_writer::{Inputs, Placement, Reassigned, Staging};
use serde_json::json;

pub(crate) use self::results::evaluate;
use self::results::summarize;
use crate::RunError;
use crate::annotations::Carried;
use crate::balance::{Balanced, BalancedRun};
use crate::denoise::Noise;
use crate::for_vt;
use crate::input::Input;
use crate::summary::tables::{
    FrontTable, IterationsTable, MigrationsTable, ObjectLoadsTable, RanksTable, VolumesTable,
};
use crate::summary::{self, Summary, saved, statistics_file};

/// Tables of a run. Every run with a phase writes all of them.
const TABLES: [&str; 8] = [
    saved::RANKS,
    saved::MIGRATIONS,
    saved::VOLUMES,
    saved::OBJECT_LOADS,
    "iterations.csv",
    "lb_statistics.json",
    "imbalance.txt",
    "w_max.txt",
];

/// Table of Pareto fronts of cost and migrations, for strategies that report them.
const FRONT: &str = "front.csv";

/// Tables that charts are drawn from, as CSV texts by file name ([`saved`]).
pub type Tables = BTreeMap<&'static str, Vec<u8>>;

/// Subdirectory of the output directory for paper tables.
pub const PAPER_TABLES: &str = "tables";
/// Suffixes of charts, pictures and meshes. No other output has them.
const PICTURES: [&str; 5] = [".svg", ".pdf", ".png", ".apng", ".vtp"];
/// Page that `lbaf report` adds to a run.
const REPORT: &str = "report.html";

/// Clock times of a run.
pub(crate) struct Clock {
    pub(crate) started: Instant,
    pub(crate) read: Duration,
    pub(crate) balance: Duration,
}

/// The data of a run.
#[derive(Clone, Copy)]
pub struct Data<'a> {
    /// Source of the data.
    pub input: &'a Input,
    /// The data; with `denoise`, without noise.
    pub recorded: &'a Recorded,
    /// Noise that was removed; `None` without `denoise`.
    pub noise: Option<&'a Noise>,
}

/// Outputs of a run in the staging directory, complete except for charts and pictures, and not yet published.
pub struct Outputs<'a> {
    /// The configuration.
    pub run: &'a RunConfig,
    /// The data.
    pub data: Data<'a>,
    /// The balanced phases, ascending.
    pub balanced: &'a [Balanced<'a>],
    /// The summary, without the digests of files.
    pub summary: Summary,
    /// Tables that charts are drawn from, as written.
    pub tables: Tables,
    /// The staging directory, to which charts and pictures may be added.
    pub staging: Staging,
    clock: Clock,
    /// Files of the previous run in the output directory that publishing removes.
    stale: Vec<String>,
    begin_files: Instant,
    end_files: Instant,
}

impl<'a> Outputs<'a> {
    /// Writes files and tables into `staging`.
    pub(crate) fn write(
        run: &'a RunConfig,
        data: Data<'a>,
        balanced_run: &'a BalancedRun<'a>,
        staging: Staging,
        clock: Clock,
    ) -> Result<Self, RunError> {
        let balanced = &balanced_run.phases[..];
        let Data { input, recorded, .. } = data;
        let stale = stale_files(run);
        let mut summary = summarize(run, data, balanced);
        summary.notes.splice(..0, balanced_run.notes.iter().cloned());
        let begin_files = Instant::now();
        summary.warnings.extend(write_files(run, data, balanced, &staging)?);
        summary.warnings.extend(for_vt::check(run, input, recorded, &staging)?);
        let tables = write_tables(run, recorded, balanced, &staging)?;
        let end_files = Instant::now();
        Ok(Outputs { run, data, balanced, summary, tables, staging, clock, stale, begin_files, end_files })
    }

    /// Completes the summary with digests, and moves all files to the output directory. Removes files of an
    /// earlier run that this run does not write. Never replaces `inputs`.
    ///
    /// # Errors
    /// If a file cannot be written, or would replace one of `inputs`.
    pub fn publish(self, inputs: &Inputs) -> Result<Summary, RunError> {
        let Outputs { run, data, mut summary, staging, clock, stale, begin_files, end_files, .. } = self;
        let drawn = end_files.elapsed();
        summary.files = summary::digests(&staging);
        let seconds = |duration: Duration| duration.as_secs_f64();
        let timings = json!({
            "host": host_name(),
            "output_dir": absolute(&run.output_dir),
            "stem": data.input.stem().map(absolute),
            "threads": rayon::current_num_threads(),
            "wall_seconds": {
                "read": seconds(clock.read),
                "balance": seconds(clock.balance),
                "write": seconds(end_files.duration_since(begin_files)),
                "draw": seconds(drawn),
                "all": seconds(clock.started.elapsed()),
            },
        });
        staging.put(summary::TIMINGS, &summary::pretty(&timings))?;
        staging.put(summary::FILE, &summary::pretty(&summary))?;
        staging.publish(Some(summary::FILE), inputs, &stale)?;
        Ok(summary)
    }
}

fn host_name() -> String {
    let read = lbaf_reader::read_file(Path::new("/etc/hostname")).unwrap_or_default();
    String::from_utf8_lossy(&read).trim().to_owned()
}

fn absolute(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()).display().to_string()
}

/// Returns files of an earlier run that could be mistaken for files of this run: tables, charts, pictures,
/// meshes, the page, and files of ranks with the same stem, even if this run writes none. Files that have
/// changed since the earlier run are left out.
fn stale_files(run: &RunConfig) -> Vec<String> {
    let Ok(bytes) = lbaf_reader::read_file(&run.output_dir.join(summary::FILE)) else { return Vec::new() };
    let Ok(previous) = serde_json::from_slice::<Summary>(&bytes) else { return Vec::new() };
    let stem = format!("{}.", run.output_file_stem);
    let ours = |name: &str| {
        let is_picture = PICTURES.iter().any(|extension| name.ends_with(extension));
        let drawn = Path::new(name).starts_with("plots") || Path::new(name).starts_with(PAPER_TABLES);
        let is_table = TABLES.contains(&name) || name == FRONT || name == REPORT;
        is_picture || drawn || is_table || name.starts_with(&stem)
    };
    let files = previous.files.into_iter().filter(|(name, _)| ours(name)).collect();
    summary::unchanged(&run.output_dir, files)
}

fn write_files(
    run: &RunConfig,
    Data { recorded, noise, .. }: Data<'_>,
    balanced: &[Balanced<'_>],
    staging: &Staging,
) -> Result<Vec<String>, RunError> {
    let (Some(options), Some(records)) = (&run.files, &recorded.records) else {
        return Ok(Vec::new());
    };
    let placement = |phase: &Balanced<'_>| Placement {
        phase: phase.phase.id(),
        assignment: phase.after.outcome.assignment.clone(),
        iterations: if options.lb_iterations { phase.iterations.clone() } else { Vec::new() },
    };
    let is_as_recorded = |phase: &Balanced<'_>| {
        !phase.is_rebalanced && phase.after.outcome.assignment == *phase.phase.recorded_assignment()
    };
    let nothing_moves = balanced.iter().all(is_as_recorded);
    // OfflineLB needs only placements of rebalanced phases. With `carry`, objects stay where the last balancer
    // placed them, so the other phases have new placements too as soon as an object has moved.
    let is_written = |phase: &&Balanced<'_>| {
        !options.offline_lb_compatible || phase.is_rebalanced || run.balancing.carry && !nothing_moves
    };
    let placements: Vec<Placement> = balanced.iter().filter(is_written).map(placement).collect();
    let mut warnings = Vec::new();
    if options.offline_lb_compatible && nothing_moves {
        warnings.push(format!(
            "no phase was rebalanced, so the files for OfflineLB contain {} as recorded and no additional phase",
            counted(recorded.data.phases().len(), "phase")
        ));
    }
    let carried = Carried { data: &recorded.data, noise, object_quantities: run.object_quantities };
    let annotate = |phase: PhaseId, slot: Slot, rank: RankId| carried.of_task(phase, slot, rank);
    let reassigned = Reassigned {
        data: &recorded.data,
        records,
        repeats: &recorded.findings.repeats,
        placements: &placements,
        carried: run.balancing.carry,
        annotations: (!carried.is_empty()).then_some(&annotate),
    };
    warnings.extend(lbaf_writer::write(&reassigned, options, staging)?);
    Ok(warnings)
}

fn write_tables(
    run: &RunConfig,
    recorded: &Recorded,
    balanced: &[Balanced<'_>],
    staging: &Staging,
) -> Result<Tables, RunError> {
    let (mut ranks, mut migrations) = (RanksTable::new(run.model.terms()), MigrationsTable::default());
    let (mut volumes, mut object_loads) = (VolumesTable::default(), ObjectLoadsTable::default());
    let (mut iterations, mut front) = (IterationsTable::default(), FrontTable::default());
    let mut statistics = Vec::with_capacity(balanced.len());
    let detailed = detailed(run, balanced);
    for balanced in balanced {
        let Balanced { phase, strategy: balancer, initial, totals, works, after, bounds, .. } = balanced;
        let last = &after.outcome.assignment;
        if detailed.contains(&phase.id().0) {
            volumes.add(phase, initial, last);
            object_loads.add(phase);
        }
        let (before, now) = ((&totals[..], &works[..]), (&after.totals[..], &after.works[..]));
        ranks.add(phase, before, now);
        migrations.add(phase, recorded.data.keys(), initial, last);
        let strategy = balancer.unwrap_or_default();
        let bound = |stats: &IterationStats| bounds.best_for(stats.largest_excess == 0.0).work;
        iterations.add(phase.id(), strategy, bound, &after.outcome.iterations);
        front.add(phase.id(), &after.outcome.front);
        let slope = run.model.load_floor().slope;
        let work = |assignment| object_work(phase, assignment, slope);
        let (work_before, work_now) = (work(initial), work(last));
        let after = balanced.is_rebalanced.then(|| statistics_file::After {
            migrations: last.migrations_from(initial).count(),
            state: (now, &work_now),
        });
        let sends = recorded.findings.sends.get(&phase.id()).unwrap_or(phase.communication());
        statistics.push(statistics_file::phase(phase, sends, initial, (before, &work_before), after));
    }
    let written = Tables::from([
        (saved::RANKS, ranks.into_bytes()),
        (saved::MIGRATIONS, migrations.into_bytes()),
        (saved::VOLUMES, volumes.into_bytes()),
        (saved::OBJECT_LOADS, object_loads.into_bytes()),
    ]);
    for (name, bytes) in &written {
        staging.put(name, bytes)?;
    }
    staging.put("iterations.csv", &iterations.into_bytes())?;
    if balanced.iter().any(|phase| !phase.after.outcome.front.is_empty()) {
        staging.put(FRONT, &front.into_bytes())?;
    }
    staging.put("lb_statistics.json", &StatisticsFile::new(statistics).to_bytes())?;
    let ran = |phase: &&Balanced<'_>| phase.strategy.is_some();
    if let Some(last) = balanced.iter().rfind(ran).or(balanced.last()) {
        let imbalance = Statistics::of(last.after.totals.iter().map(|rank| rank.load)).imbalance();
        let max_work = last.after.works.iter().map(|work| work.cost()).fold(0.0, f64::max);
        staging.put("imbalance.txt", format!("{imbalance}\n").as_bytes())?;
        staging.put("w_max.txt", format!("{max_work}\n").as_bytes())?;
    }
    Ok(written)
}

/// Returns the phases for which the detailed tables have rows: the phases that may have their own charts.
/// Detailed tables are those of volumes and object loads.
fn detailed(run: &RunConfig, balanced: &[Balanced<'_>]) -> BTreeSet<u64> {
    let imbalance =
        |&at: &usize| Statistics::of(balanced[at].totals.iter().map(|rank| rank.load)).imbalance();
    let charted = phases_in_detail(&(0..balanced.len()).collect::<Vec<_>>(), imbalance);
    let id = |at: usize| balanced[at].phase.id().0;
    let asked = run.plots.as_ref().and_then(|plots| plots.phases.as_ref());
    let is_asked = |&phase: &u64| asked.is_some_and(|phases| phases.contains(phase));
    charted.into_iter().map(id).chain((0..balanced.len()).map(id).filter(is_asked)).collect()
}

/// Maximum number of phases that all have their own charts by default.
const MOST_PHASES: usize = 16;

/// Returns the phases that have their own charts by default: all of them if there are at most 16, otherwise
/// the first, the last and the one with the largest imbalance.
pub fn phases_in_detail<T: Copy>(phases: &[T], imbalance: impl Fn(&T) -> f64) -> Vec<T> {
    if phases.len() <= MOST_PHASES {
        return phases.to_vec();
    }
    let worst = (0..phases.len()).max_by(|&a, &b| imbalance(&phases[a]).total_cmp(&imbalance(&phases[b])));
    let mut chosen: Vec<usize> = worst.into_iter().chain([0, phases.len() - 1]).collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen.into_iter().map(|position| phases[position]).collect()
}

/// Returns the work that the load of each object causes on its rank.
fn object_work(phase: &Phase, assignment: &Assignment, slope: f64) -> Vec<f64> {
    let alpha = |rank: &RankId| phase.ranks()[rank.index()].alpha;
    phase
        .columns()
        .load
        .iter()
        .zip(assignment.as_slice())
        .map(|(load, rank)| slope * alpha(rank) * load)
        .collect()
}
