// SPDX-License-Identifier: MIT OR Apache-2.0
//! Everything that a run leaves in its output directory.

mod warnings;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use lbaf_model::{Assignment, LowerBound, ObjectKey, Phase, PhaseId, RankId, Slot, Statistics};
use lbaf_reader::{CommunicationCounts, Recorded};
use lbaf_strategies::{IterationStats, Strategy};
use lbaf_vom::StatisticsFile;
use lbaf_writer::{Placement, Reassigned, Staging};
use serde_json::json;

use super::annotations::Carried;
use super::balance::{Balanced, imbalance_at};
use super::denoise::Noise;
use super::for_vt;
use super::input::Input;
use super::pictures::Drawing;
use crate::error::Error;
use crate::inputs;
use crate::progress::Messages;
use crate::report::bounds::{Bound, Infeasibility, KnownBound, RestrictedBound};
use crate::report::charts::Shown;
use crate::report::number::{counted, significant};
use crate::report::saved::{self, Tables};
use crate::report::sentences::Objective;
use crate::report::subphases::Subphases;
use crate::report::summary::{
    self, BalancerRuns, BeforeAfter, Migrations, Named, PhaseResult, Snapshot, Summary, VERSION,
};
use crate::report::tables::{
    FrontTable, IterationsTable, MigrationsTable, ObjectLoadsTable, RanksTable, VolumesTable,
};
use crate::report::{charts, paper_tables, sentences, statistics_file};
use lbaf_config::{Plots, RunConfig, Strategies, ranges};

/// What every run writes.
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

/// What those write whose strategy knows what fewer migrations come to.
const FRONT: &str = "front.csv";

/// Tables that charts are made from, as they were written.
type Written = BTreeMap<&'static str, Vec<u8>>;
/// What the names of charts, pictures and meshes end in, and of nothing else that a run writes.
const PICTURES: [&str; 5] = [".svg", ".pdf", ".png", ".apng", ".vtp"];
/// What `lbaf report` adds to a run, which is of that run alone.
const REPORT: &str = "report.html";

/// When things happened.
pub(super) struct Clock {
    pub(super) started: Instant,
    pub(super) read: Duration,
    pub(super) balance: Duration,
}

/// What a run was made from.
#[derive(Clone, Copy)]
pub(super) struct Data<'a> {
    pub(super) input: &'a Input,
    pub(super) recorded: &'a Recorded,
    pub(super) noise: Option<&'a Noise>,
}

/// Writes everything into `staging` and publishes it.
pub(super) fn write(
    run: &RunConfig,
    data: Data<'_>,
    (balanced, notes): (&[Balanced<'_>], Vec<String>),
    staging: Staging,
    clock: &mut Clock,
    messages: Messages,
) -> Result<Summary, Error> {
    let Data { input, recorded, noise } = data;
    let stale = stale_files(run);
    let mut summary = summarize(run, data, balanced);
    summary.notes.splice(..0, notes);
    let begin_files = Instant::now();
    summary.warnings.extend(write_files(run, data, balanced, &staging)?);
    summary.warnings.extend(for_vt::check(run, input, recorded, &staging)?);
    let written = write_tables(run, recorded, balanced, &staging)?;
    let begin_plots = Instant::now();
    if let Some(plots) = &run.plots {
        draw(&mut summary, plots, &written, &staging)?;
        for (name, bytes) in paper_tables::files(&summary)? {
            staging.put(&name, &bytes)?;
        }
    }
    if let Some(visualization) = &run.visualization {
        let drawing = Drawing::new(run, visualization, (recorded, noise), balanced);
        summary.warnings.extend(drawing.draw(&staging, messages)?);
    }
    let drawn = begin_plots.elapsed();
    summary.files = summary::digests(&staging);
    let seconds = |duration: Duration| duration.as_secs_f64();
    let timings = json!({
        "host": host_name(),
        "output_dir": absolute(&run.output_dir),
        "stem": input.stem().map(absolute),
        "threads": rayon::current_num_threads(),
        "wall_seconds": {
            "read": seconds(clock.read),
            "balance": seconds(clock.balance),
            "write": seconds(begin_plots.duration_since(begin_files)),
            "draw": seconds(drawn),
            "all": seconds(clock.started.elapsed()),
        },
    });
    staging.put(summary::TIMINGS, &summary::pretty(&timings))?;
    staging.put(summary::FILE, &summary::pretty(&summary))?;
    staging.publish(Some(summary::FILE), &inputs::all(), &stale)?;
    Ok(summary)
}

/// Draws charts, from what was written as whoever draws them later will.
fn draw(summary: &mut Summary, plots: &Plots, written: &Written, staging: &Staging) -> Result<(), Error> {
    let mut tables = Tables::default();
    for name in charts::tables(plots) {
        if let Some(bytes) = written.get(name) {
            tables.add(name, bytes).expect("invariant: tables are read as they are written");
        }
    }
    let name = summary.strategy.label().to_owned();
    let drawn = charts::draw(&[Shown { name, summary, tables }], plots)?;
    for (name, bytes) in &drawn.files {
        staging.put(name, bytes)?;
    }
    summary.warnings.extend(drawn.refused);
    if !drawn.empty.is_empty() {
        summary.notes.push(format!("charts that have nothing to show: {}", drawn.empty.join(", ")));
    }
    Ok(())
}

fn host_name() -> String {
    let read = lbaf_reader::read_file(Path::new("/etc/hostname")).unwrap_or_default();
    String::from_utf8_lossy(&read).trim().to_owned()
}

fn absolute(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()).display().to_string()
}

/// Files that the last run here left and that would be taken for this one's: its tables, charts, pictures and meshes, and
/// files of ranks under the same stem, also if this one writes none. Only those that nobody changed since.
fn stale_files(run: &RunConfig) -> Vec<String> {
    let Ok(bytes) = lbaf_reader::read_file(&run.output_dir.join(summary::FILE)) else { return Vec::new() };
    let Ok(previous) = serde_json::from_slice::<Summary>(&bytes) else { return Vec::new() };
    let stem = format!("{}.", run.output_file_stem);
    let ours = |name: &str| {
        let is_picture = PICTURES.iter().any(|extension| name.ends_with(extension));
        let drawn =
            Path::new(name).starts_with("plots") || Path::new(name).starts_with(paper_tables::DIRECTORY);
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
) -> Result<Vec<String>, Error> {
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
    // A runtime leaves objects where the last balancer put them, and a replay begins where it began.
    let is_told = |phase: &&Balanced<'_>| {
        !options.offline_lb_compatible || phase.is_rebalanced || run.balancing.carry && !nothing_moves
    };
    let placements: Vec<Placement> = balanced.iter().filter(is_told).map(placement).collect();
    let mut warnings = Vec::new();
    if options.offline_lb_compatible && nothing_moves {
        warnings.push(format!(
            "no phase was rebalanced, so the files for OfflineLB hold {} as recorded and no phase after them",
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
) -> Result<Written, Error> {
    let (mut ranks, mut migrations) = (RanksTable::new(run.model.terms()), MigrationsTable::new());
    let (mut volumes, mut object_loads) = (VolumesTable::new(), ObjectLoadsTable::new());
    let (mut iterations, mut front) = (IterationsTable::new(), FrontTable::new());
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
    let written = Written::from([
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

/// Phases of which tables have what is many times as much as their ranks: those that charts may be of.
fn detailed(run: &RunConfig, balanced: &[Balanced<'_>]) -> BTreeSet<u64> {
    let imbalance =
        |&at: &usize| Statistics::of(balanced[at].totals.iter().map(|rank| rank.load)).imbalance();
    let charted = charts::charted_of(&(0..balanced.len()).collect::<Vec<_>>(), imbalance);
    let id = |at: usize| balanced[at].phase.id().0;
    let asked = run.plots.as_ref().and_then(|plots| plots.phases.as_ref());
    let is_asked = |&phase: &u64| asked.is_some_and(|phases| phases.contains(phase));
    charted.into_iter().map(id).chain((0..balanced.len()).map(id).filter(is_asked)).collect()
}

/// Work that the load of each object causes on the rank it is on.
fn object_work(phase: &Phase, assignment: &Assignment, slope: f64) -> Vec<f64> {
    let alpha = |rank: &lbaf_model::RankId| phase.ranks()[rank.index()].alpha;
    phase
        .columns()
        .load
        .iter()
        .zip(assignment.as_slice())
        .map(|(load, rank)| slope * alpha(rank) * load)
        .collect()
}

/// What came of each phase, and what is odd about it.
pub(super) fn judge(
    run: &RunConfig,
    recorded: &Recorded,
    balanced: &[Balanced<'_>],
) -> (Vec<PhaseResult>, Vec<String>) {
    let phases: Vec<PhaseResult> =
        balanced.iter().map(|phase| phase_result(phase, recorded.data.keys())).collect();
    let warnings = warnings::warnings(run, recorded, &communications(recorded), &phases);
    (phases, warnings)
}

/// Communication entries of all phases.
fn communications(recorded: &Recorded) -> CommunicationCounts {
    let mut counts = CommunicationCounts::default();
    for phase in recorded.findings.communications.values() {
        counts.add(phase);
    }
    counts
}

fn summarize(run: &RunConfig, data: Data<'_>, balanced: &[Balanced<'_>]) -> Summary {
    let Data { input, recorded, noise } = data;
    let (phases, warnings) = judge(run, recorded, balanced);
    let (strategy, balancers) = strategies(&run.strategies, &phases);
    Summary {
        schema: summary::SCHEMA.to_owned(),
        version: VERSION,
        lbaf: env!("CARGO_PKG_VERSION").to_owned(),
        configuration: run.told.clone(),
        input: summary::Input {
            stem: input.as_written().to_owned(),
            suffix: input.suffix().map(str::to_owned),
            n_ranks: recorded.data.n_ranks(),
            n_objects: recorded.data.n_objects(),
            phases_read: recorded.data.phases().iter().map(|phase| phase.id().0).collect(),
            document_bytes: recorded.findings.document_bytes,
            communications: (&communications(recorded)).into(),
        },
        work_model: Named {
            name: run.model.name().to_owned(),
            label: None,
            parameters: run.model_parameters.clone(),
        },
        strategy,
        balancers,
        denoise: noise.map(|noise| noise.told.clone()),
        seed: run.seed,
        plots: run.plots.as_ref().map(Plots::settings),
        sentences: sentences::sentences(&phases, &Objective::new(&*run.model)),
        notes: notes(run, balanced),
        warnings,
        phases,
        files: BTreeMap::new(),
    }
}

/// The strategy of the summary, and of an LB configuration file what each rule ran.
fn strategies(strategies: &Strategies, phases: &[PhaseResult]) -> (Named, Vec<BalancerRuns>) {
    let named = |strategy: &dyn Strategy| Named {
        name: strategy.name().to_owned(),
        label: Some(strategy.label()).filter(|_| !strategy.additions().is_empty()),
        parameters: strategy.parameters(),
    };
    let balancers = match strategies {
        Strategies::Same { strategy, .. } => return (named(&**strategy), Vec::new()),
        Strategies::ByPhase(balancers) => balancers,
    };
    let decided_by = |line: Option<usize>| {
        let is_decided = |phase: &&PhaseResult| {
            let rule = balancers.rule_at(phase.phase);
            // Else the phase is not balanced whatever the rule says.
            let obeyed =
                phase.strategy.is_some() == rule.is_some_and(|rule| balancers.strategy(rule).is_some());
            obeyed && rule.map(|rule| rule.line) == line
        };
        phases.iter().filter(is_decided).map(|phase| phase.phase).collect::<Vec<u64>>()
    };
    let mut runs: Vec<BalancerRuns> = Vec::new();
    for rule in balancers.rules() {
        runs.push(BalancerRuns {
            line: Some(rule.line),
            balancer: Some(rule.choice.to_string()),
            strategy: balancers.strategy(rule).map(named),
            phases: decided_by(Some(rule.line)),
        });
    }
    let (line, balancer, strategy) = (None, None, None);
    runs.push(BalancerRuns { line, balancer, strategy, phases: decided_by(None) });
    runs.retain(|run| !run.phases.is_empty());
    let parameters = json!({ "lb_config": balancers.as_written });
    (Named { name: summary::LB_CONFIG.to_owned(), label: None, parameters }, runs)
}

/// Which phases were left alone or have no balancer, and what the strategy says; the same of many phases is worth one
/// sentence.
fn notes(run: &RunConfig, balanced: &[Balanced<'_>]) -> Vec<String> {
    let mut notes = run.foreknown.clone();
    let left_alone = balanced.iter().filter(|phase| phase.left_alone).map(|phase| phase.phase.id().0);
    let left_alone: Vec<u64> = left_alone.collect();
    if !left_alone.is_empty() {
        notes.push(format!(
            "phases whose imbalance is at most {} (`algorithm.min_imbalance`) are left alone ({}: {})",
            significant(run.balancing.min_imbalance),
            left_alone.len(),
            ranges(&left_alone)
        ));
    }
    let lacks = |phase: &&Balanced<'_>| run.strategy_at(phase.phase.id()).is_none();
    let kept = balanced.iter().filter(lacks);
    let kept: Vec<u64> = kept.map(|phase| phase.phase.id().0).collect();
    if let (false, Some(balancers)) = (kept.is_empty(), run.strategies.balancers()) {
        let (file, phases) = (&balancers.as_written, ranges(&kept));
        notes.push(format!(
            "{file} runs no balancer in {} ({phases}), where every object stays",
            counted(kept.len(), "phase")
        ));
    }
    for note in balanced.iter().flat_map(|phase| &phase.after.outcome.notes) {
        if !notes.contains(note) {
            notes.push(note.clone());
        }
    }
    notes
}

fn phase_result(balanced: &Balanced<'_>, keys: &[ObjectKey]) -> PhaseResult {
    let Balanced { phase, initial, totals, works, after, bounds, .. } = balanced;
    let last = &after.outcome.assignment;
    let mut migrations = Migrations::default();
    for migration in last.migrations_from(initial) {
        migrations.count += 1;
        migrations.load += phase.load(migration.slot);
        migrations.bytes += phase.memory(migration.slot).migration_bytes();
    }
    let loads = |totals: &[lbaf_model::RankTotals]| totals.iter().map(|rank| rank.load).collect::<Vec<f64>>();
    let rank_loads = BeforeAfter { before: loads(totals), after: loads(&after.totals) };
    let loads_after = Statistics::of(rank_loads.after.iter().copied());
    let bound = |work: &LowerBound, load: &LowerBound| {
        Bound::new(phase, keys, work, load, imbalance_at(load.work, &loads_after))
    };
    let restricted = bounds.restricted.as_ref();
    let restricted_bounds = restricted.iter().flat_map(|restricted| &restricted.all);
    PhaseResult {
        phase: phase.id().0,
        digest: format!("{:016x}", phase.digest()),
        strategy: balanced.strategy.map(str::to_owned),
        n_objects: phase.n_objects(),
        n_migratable: phase.slots().filter(|&slot| phase.is_migratable(slot)).count(),
        n_edges: phase.communication().n_edges(),
        start: balanced.start,
        left_alone: balanced.left_alone,
        before: Snapshot::new(totals, works),
        after: Snapshot::new(&after.totals, &after.works),
        lower_bound: bound(bounds.best(), &bounds.load),
        restricted_bound: restricted.map(|restricted| {
            let (best, restriction) = restricted.best();
            let within_bounds = best.within_bounds;
            RestrictedBound { restriction, within_bounds, bound: bound(&best, &restricted.load) }
        }),
        lower_bounds: (bounds.all.iter().map(|bound| KnownBound::new(bound, None)))
            .chain(restricted_bounds.map(|(bound, restriction)| KnownBound::new(bound, Some(*restriction))))
            .collect(),
        infeasibility: bounds.infeasible.as_ref().map(|proof| Infeasibility::new(phase, keys, proof)),
        ideal_work: bounds.ideal_work(),
        migrations,
        iterations: after.outcome.iterations.iter().map(Into::into).collect(),
        best_iteration: after.outcome.best_iteration,
        front: after.outcome.front.iter().map(Into::into).collect(),
        proven: after.outcome.is_proven,
        infeasible: after.infeasible,
        violations: balanced.violations.iter().map(Into::into).collect(),
        rank_loads,
        subphases: Subphases::new(phase, initial, last),
    }
}
