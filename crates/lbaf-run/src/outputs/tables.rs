// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables of a run.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use lbaf_config::RunConfig;
use lbaf_model::{Assignment, ObjectKey, Phase, RankId, Statistics, WorkModel};
use lbaf_reader::Recorded;
use lbaf_strategies::IterationStats;
use lbaf_vom::StatisticsFile;

use super::worst_balanced;
use crate::balance::Balanced;
use crate::summary::tables::{
    FrontTable, IterationsTable, MigrationsTable, ObjectLoadsTable, RanksTable, VolumesTable,
};
use crate::summary::{saved, statistics_file};

/// Tables of every run with a phase.
pub(super) const NAMES: [&str; 8] = [
    saved::RANKS,
    saved::MIGRATIONS,
    saved::VOLUMES,
    saved::OBJECT_LOADS,
    "iterations.csv",
    "lb_statistics.json",
    "imbalance.txt",
    "w_max.txt",
];

/// Table of Pareto fronts, for strategies that report them.
pub(super) const FRONT: &str = "front.csv";

/// Contents of tables by file name.
pub type Tables = BTreeMap<&'static str, Vec<u8>>;

/// Returns the CSV tables that charts are drawn from, named in [`saved`], with all details of every phase. `keys` are
/// those of all objects of the data set.
///
/// # Panics
/// Never: rows are written to memory.
pub fn tables(model: &dyn WorkModel, keys: &[ObjectKey], balanced: &[Balanced<'_>]) -> Tables {
    let mut tables = tables_with(model, balanced, |_| true);
    let migrations = write_migrations(Vec::new(), keys, balanced);
    tables.insert(saved::MIGRATIONS, migrations.expect("invariant: writing to memory does not fail"));
    tables
}

/// Returns the tables that charts are drawn from, except that of migrations, with details of the phases that may have
/// their own charts.
pub(super) fn tables_of_run(run: &RunConfig, balanced: &[Balanced<'_>]) -> Tables {
    let detailed = detailed(run, balanced);
    tables_with(&*run.model, balanced, |phase| detailed.contains(&phase))
}

/// Writes the table of migrations of all phases, and returns the writer.
pub(super) fn write_migrations<W: Write>(
    writer: W,
    keys: &[ObjectKey],
    balanced: &[Balanced<'_>],
) -> io::Result<W> {
    let mut migrations = MigrationsTable::new(writer)?;
    for Balanced { phase, initial, after, .. } in balanced {
        migrations.add(phase, keys, initial, &after.outcome.assignment)?;
    }
    migrations.finish()
}

/// Returns the tables that charts are drawn from, except that of migrations. The detailed tables, of volumes and
/// object loads, have the phases that `is_detailed` accepts.
fn tables_with(
    model: &dyn WorkModel,
    balanced: &[Balanced<'_>],
    is_detailed: impl Fn(u64) -> bool,
) -> Tables {
    let mut ranks = RanksTable::new(model.terms());
    let (mut volumes, mut object_loads) = (VolumesTable::default(), ObjectLoadsTable::default());
    for Balanced { phase, initial, totals, works, after, .. } in balanced {
        let last = &after.outcome.assignment;
        if is_detailed(phase.id().0) {
            volumes.add(phase, initial, last);
            object_loads.add(phase);
        }
        ranks.add(phase, (totals, works), (&after.totals, &after.works));
    }
    Tables::from([
        (saved::RANKS, ranks.into_bytes()),
        (saved::VOLUMES, volumes.into_bytes()),
        (saved::OBJECT_LOADS, object_loads.into_bytes()),
    ])
}

/// Returns the other tables of a run: iterations, Pareto fronts if any, and statistics and results in the forms of vt
/// and LBAF.
pub(super) fn tables_without_charts(
    run: &RunConfig,
    recorded: &Recorded,
    balanced: &[Balanced<'_>],
) -> Tables {
    let (mut iterations, mut front) = (IterationsTable::default(), FrontTable::default());
    let mut statistics = Vec::with_capacity(balanced.len());
    for balanced in balanced {
        let Balanced { phase, strategy: balancer, initial, totals, works, after, bounds, .. } = balanced;
        let last = &after.outcome.assignment;
        let (before, now) = ((&totals[..], &works[..]), (&after.totals[..], &after.works[..]));
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
    let mut tables = Tables::from([
        ("iterations.csv", iterations.into_bytes()),
        ("lb_statistics.json", StatisticsFile::new(statistics).to_bytes()),
    ]);
    if balanced.iter().any(|phase| !phase.after.outcome.front.is_empty()) {
        tables.insert(FRONT, front.into_bytes());
    }
    let ran = |phase: &&Balanced<'_>| phase.strategy.is_some();
    if let Some(last) = balanced.iter().rfind(ran).or(balanced.last()) {
        let imbalance = Statistics::of(last.after.totals.iter().map(|rank| rank.load)).imbalance();
        let max_work = last.after.works.iter().map(|work| work.cost()).fold(0.0, f64::max);
        tables.insert("imbalance.txt", format!("{imbalance}\n").into_bytes());
        tables.insert("w_max.txt", format!("{max_work}\n").into_bytes());
    }
    tables
}

/// Maximum number of phases of a short run, whose detailed tables have all phases.
const MOST_PHASES: usize = 16;

/// Returns the phases in the detailed tables, which may have their own charts: all in a short run, otherwise those with
/// charts by default, the first, the last, and those that the configuration selects for charts.
fn detailed(run: &RunConfig, balanced: &[Balanced<'_>]) -> BTreeSet<u64> {
    let id = |balanced: &Balanced<'_>| balanced.phase.id().0;
    let asked = run.plots.as_ref().and_then(|plots| plots.phases.as_ref());
    let is_asked = |phase: u64| asked.is_some_and(|phases| phases.contains(phase));
    let is_short = balanced.len() <= MOST_PHASES;
    let mut detailed: BTreeSet<u64> = worst_balanced(balanced).into_iter().map(id).collect();
    detailed.extend([balanced.first(), balanced.last()].into_iter().flatten().map(id));
    detailed.extend(balanced.iter().map(id).filter(|&phase| is_short || is_asked(phase)));
    detailed
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
