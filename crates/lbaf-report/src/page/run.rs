// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conversion of a run to its view on the page.

use std::collections::BTreeMap;

use lbaf_run::summary::saved::{MIGRATIONS, RANKS};
use lbaf_run::summary::{self, PhaseResult, Snapshot, Start, bounds};
use lbaf_run::{Messages, RunError};
use lbaf_writer::Inputs;

use super::facts::facts;
use super::migration_table::{self, Migrations};
use super::placements::Placements;
use super::rank_table::RankTable;
use super::size_budget::{PairTables, SizeBudget};
use super::strategy_times;
use super::view::{
    BoundView, FrontPointView, IterationView, KnownBoundView, MigrationTotals, MomentsView, OverBounds,
    OverRanks, PackedNumbers, PhaseView, QuantityLabel, QuantityUnit, RankDistribution, RestrictedBoundView,
    RunView,
};
use super::volume_table::{self, Volumes};
use crate::{ReportError, SavedRun};

/// A quantity of ranks: key in addresses of the page, name, prefix of its columns in `ranks.csv`, unit and statistics.
struct Known {
    key: &'static str,
    name: &'static str,
    column: &'static str,
    unit: QuantityUnit,
    moments: Option<fn(&Snapshot) -> &summary::Moments>,
}

const fn known(
    key: &'static str,
    name: &'static str,
    column: &'static str,
    unit: QuantityUnit,
    moments: Option<fn(&Snapshot) -> &summary::Moments>,
) -> Known {
    Known { key, name, column, unit, moments }
}

/// All quantities. Those of the summary come first, in the order of the console.
const QUANTITIES: [Known; 11] = [
    known("load", "load", "load_s", QuantityUnit::Seconds, Some(|of| &of.load)),
    known("work", "work", "work", QuantityUnit::Work, Some(|of| &of.work)),
    known("sent", "sent off-rank", "sent_bytes", QuantityUnit::Bytes, Some(|of| &of.sent_volume)),
    known("received", "received", "received_bytes", QuantityUnit::Bytes, Some(|of| &of.received_volume)),
    known("memory", "memory", "memory_bytes", QuantityUnit::Bytes, Some(|of| &of.memory)),
    known("homing", "homing", "homing_bytes", QuantityUnit::Bytes, Some(|of| &of.homing)),
    known("objects", "objects", "objects", QuantityUnit::Count, Some(|of| &of.num_objects)),
    known("work_load", "work from load", "work_load", QuantityUnit::Work, None),
    known("work_communication", "work from communication", "work_communication", QuantityUnit::Work, None),
    known("work_homing", "work from homing", "work_homing", QuantityUnit::Work, None),
    known("excess", "excess over bounds", "excess_over_bounds", QuantityUnit::Count, None),
];

/// Small results of a run: summary, tables and strategy times.
pub(super) struct SmallResults<'a> {
    run: &'a SavedRun,
    table: Option<RankTable>,
    migrations: Option<Migrations>,
    volumes: Option<Volumes>,
    /// Seconds by number of the phase.
    strategy_times: BTreeMap<u64, f64>,
}

impl<'a> SmallResults<'a> {
    /// Reads the tables of ranks, migrations and volumes, and the times, if they exist.
    pub(super) fn read(run: &'a SavedRun, inputs: &mut Inputs) -> Result<Self, ReportError> {
        let columns: Vec<String> = QUANTITIES
            .iter()
            .flat_map(|known| ["before", "after"].map(|when| format!("{}_{when}", known.column)))
            .collect();
        let table = RankTable::read(&run.directory, &columns, inputs)?;
        let migrations = migration_table::read(&run.directory, inputs)?;
        let volumes = volume_table::read(&run.directory, inputs)?;
        let strategy_times = strategy_times::read(&run.directory, inputs);
        Ok(SmallResults { run, table, migrations, volumes, strategy_times })
    }

    /// Returns the view of the run, with as much data on ranks and objects as the budget allows. Errors of data files
    /// are added to `unread`.
    pub(super) fn view(
        &self,
        name: String,
        budget: &mut SizeBudget,
        unread: &mut Vec<RunError>,
        inputs: &mut Inputs,
        messages: &dyn Messages,
    ) -> Result<RunView, ReportError> {
        let summary = &self.run.summary;
        let known = self.quantities();
        let phases = summary.phases.iter().map(|result| self.phase(result, &known));
        let mut run = RunView {
            name,
            facts: facts(summary),
            sentences: summary.sentences.clone(),
            notes: summary.notes.clone(),
            warnings: summary.warnings.clone(),
            left_out: Vec::new(),
            n_ranks: summary.input.n_ranks,
            quantities: known.iter().map(|known| quantity(known)).collect(),
            phases: phases.collect::<Result<_, _>>()?,
        };
        let placements = match &self.migrations {
            Some(migrations) => Placements::of(self.run, migrations, unread, inputs, messages),
            None => Err(format!(
                "The run has no {MIGRATIONS}, so objects, neighbours and matrices of ranks are not on this page; run it again."
            )),
        };
        if self.table.is_none() {
            run.left_out.push(format!("The run has no {RANKS}, so only loads of ranks are shown."));
        }
        let tables = PairTables { volumes: self.volumes.as_ref(), migrations: self.migrations.as_ref() };
        budget.fit(&mut run, summary, tables, placements)?;
        Ok(run)
    }

    /// Returns load, work, and all other quantities that are not zero everywhere.
    fn quantities(&self) -> Vec<&'static Known> {
        let is_said = |known: &&Known| {
            let in_summary = known.moments.is_some_and(|of| {
                self.run
                    .summary
                    .phases
                    .iter()
                    .any(|phase| of(&phase.before).max > 0.0 || of(&phase.after).max > 0.0)
            });
            let says = |when: &str| {
                self.table.as_ref().is_some_and(|table| table.says(&format!("{}_{when}", known.column)))
            };
            matches!(known.key, "load" | "work") || in_summary || says("before") || says("after")
        };
        QUANTITIES.iter().filter(is_said).collect()
    }

    fn phase(&self, result: &PhaseResult, known: &[&Known]) -> Result<PhaseView, ReportError> {
        let bound = &result.lower_bound;
        let violations =
            result.violations.iter().map(|violation| format!("Exceeded upper bound: {violation}."));
        let proof = result.infeasibility.iter().map(|proof| format!("Proven: {proof}."));
        let summary::Migrations { count, load, bytes } = result.migrations;
        Ok(PhaseView {
            number: result.phase,
            strategy: result.strategy.clone(),
            strategy_seconds: self.strategy_times.get(&result.phase).copied(),
            already_balanced: result.already_balanced,
            carried_from: match result.start {
                Start::Recorded => None,
                Start::Carried { from } => Some(from),
            },
            n_objects: result.n_objects,
            n_migratable: result.n_migratable,
            n_edges: result.n_edges,
            statements: violations.chain(proof).collect(),
            over_bounds: OverBounds {
                before: result.before.n_ranks_over_bounds,
                after: result.after.n_ranks_over_bounds,
            },
            quantities: known.iter().map(|known| self.over_ranks(result, known)).collect::<Result<_, _>>()?,
            bound: BoundView {
                work: bound.work,
                limit: bound.culprit(result.n_migratable < result.n_objects),
                max_load: bound.max_load,
                load_limit: bound.load_limit.to_string(),
                load_imbalance: bound.load_imbalance,
            },
            restricted: result.restricted_bound.as_ref().map(|restricted| RestrictedBoundView {
                keeps: restricted.in_words(),
                condition: restricted.condition(),
                work: restricted.bound.work,
                limit: restricted.bound.culprit(result.n_migratable < result.n_objects),
            }),
            bounds: result.lower_bounds.iter().map(known_bound).collect(),
            migrations: MigrationTotals { count, load, bytes },
            best_iteration: result.best_iteration,
            n_iterations: result.iterations.len(),
            iterations: result.iterations.iter().map(iteration).collect(),
            front: result.front.iter().map(front_point).collect(),
            pairs: None,
            detail: None,
        })
    }

    fn over_ranks(&self, result: &PhaseResult, known: &Known) -> Result<OverRanks, ReportError> {
        let before = self.side(result, known, "before", &result.before, &result.rank_loads.before)?;
        let after = self.side(result, known, "after", &result.after, &result.rank_loads.after)?;
        Ok(OverRanks { before, after })
    }

    fn side(
        &self,
        result: &PhaseResult,
        known: &Known,
        when: &str,
        snapshot: &Snapshot,
        loads: &[f64],
    ) -> Result<RankDistribution, ReportError> {
        let n_ranks = self.run.summary.input.n_ranks;
        let column = format!("{}_{when}", known.column);
        let values = match &self.table {
            // The summary has the loads even if the table is missing.
            _ if known.key == "load" => Some(loads),
            Some(table) => table.column(result.phase, &column, n_ranks),
            None => None,
        };
        let moments = known.moments.map(|of| moments(of(snapshot)));
        let of_values = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
        Ok(RankDistribution {
            moments,
            mean: moments.map_or_else(|| values.map_or(0.0, of_values), |moments| moments.mean),
            values: values.map(|values| PackedNumbers::of_floats(values, &column)).transpose()?,
        })
    }
}

fn quantity(known: &Known) -> QuantityLabel {
    QuantityLabel { key: known.key.to_owned(), name: known.name.to_owned(), unit: known.unit }
}

fn moments(of: &summary::Moments) -> MomentsView {
    let summary::Moments { sum, min, mean, max, imbalance, deviation, skewness, kurtosis } = *of;
    MomentsView { sum, min, mean, max, imbalance, deviation, skewness, kurtosis }
}

fn known_bound(bound: &bounds::KnownBound) -> KnownBoundView {
    let restriction = bound.restriction.map(|restriction| restriction.condition(false));
    let within = bound.within_bounds.then_some("within the upper bounds of the model");
    let holds_for: Vec<String> = restriction.into_iter().chain(within.map(str::to_owned)).collect();
    KnownBoundView {
        limit: bound.limit.to_string(),
        work: bound.work,
        holds_for: if holds_for.is_empty() { "any".to_owned() } else { holds_for.join(", ") },
    }
}

fn iteration(of: &summary::Iteration) -> IterationView {
    IterationView {
        number: of.number,
        max_work: of.max_work,
        load_imbalance: of.load_imbalance,
        largest_excess: of.largest_excess,
        transfers: of.transfers,
        rejections: of.rejections,
        messages: of.messages,
        knowledge: of.knowledge,
    }
}

fn front_point(of: &summary::FrontPoint) -> FrontPointView {
    FrontPointView { migrations: of.migrations, max_work: of.max_work }
}
