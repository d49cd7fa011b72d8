// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run as the page has it.

use std::path::Path;

use lbaf_page::{
    Bound, Column, FrontPoint, Iteration, KnownBound, Moments, OverBounds, OverRanks, Phase, Quantity, Run,
    Side, Unit,
};
use lbaf_run::summary::bounds;
use lbaf_run::summary::{self, PhaseResult, Snapshot, Start, Summary};

use super::facts::facts;
use super::migration_table::{self, FILE as MIGRATIONS, Migrations};
use super::placements::Placements;
use super::rank_table::{FILE as TABLE, RankTable};
use super::room::Room;
use crate::error::Error;
use crate::progress::Messages;

/// A quantity of ranks: what it is called in addresses, to people and in the table; its unit; and its statistics.
struct Known {
    key: &'static str,
    name: &'static str,
    column: &'static str,
    unit: Unit,
    moments: Option<fn(&Snapshot) -> &summary::Moments>,
}

const fn known(
    key: &'static str,
    name: &'static str,
    column: &'static str,
    unit: Unit,
    moments: Option<fn(&Snapshot) -> &summary::Moments>,
) -> Known {
    Known { key, name, column, unit, moments }
}

/// Those that summaries have are first, in the order in which the console shows them.
const QUANTITIES: [Known; 11] = [
    known("load", "load", "load_s", Unit::Seconds, Some(|of| &of.load)),
    known("work", "work", "work", Unit::Work, Some(|of| &of.work)),
    known("sent", "sent off-rank", "sent_bytes", Unit::Bytes, Some(|of| &of.sent_volume)),
    known("received", "received", "received_bytes", Unit::Bytes, Some(|of| &of.received_volume)),
    known("memory", "memory", "memory_bytes", Unit::Bytes, Some(|of| &of.memory)),
    known("homing", "homing", "homing_bytes", Unit::Bytes, Some(|of| &of.homing)),
    known("objects", "objects", "objects", Unit::Count, Some(|of| &of.num_objects)),
    known("work_load", "work from load", "work_load", Unit::Work, None),
    known("work_communication", "work from communication", "work_communication", Unit::Work, None),
    known("work_homing", "work from homing", "work_homing", Unit::Work, None),
    known("excess", "excess over bounds", "excess_over_bounds", Unit::Count, None),
];

/// What a run left, as far as it is small.
pub(super) struct Left<'a> {
    pub(super) summary: &'a Summary,
    run_dir: &'a Path,
    table: Option<RankTable>,
    migrations: Option<Migrations>,
}

impl<'a> Left<'a> {
    /// Reads the tables of ranks and migrations, as far as they are there.
    pub(super) fn read(summary: &'a Summary, run_dir: &'a Path) -> Result<Self, Error> {
        let columns: Vec<String> = QUANTITIES
            .iter()
            .flat_map(|known| ["before", "after"].map(|when| format!("{}_{when}", known.column)))
            .collect();
        let table = RankTable::read(run_dir, &columns)?;
        Ok(Left { summary, run_dir, table, migrations: migration_table::read(run_dir)? })
    }

    /// All of it, with as much of ranks and their objects as there is room for.
    pub(super) fn to_page(&self, name: String, room: &mut Room, messages: Messages) -> Result<Run, Error> {
        let summary = self.summary;
        let known = self.quantities();
        let phases = summary.phases.iter().map(|result| self.phase(result, &known));
        let mut run = Run {
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
            Some(migrations) => Placements::of(summary, self.run_dir, migrations, messages),
            None => Err(format!(
                "The run has no {MIGRATIONS}, so objects and neighbours of ranks are not in this page; run it again."
            )),
        };
        if self.table.is_none() {
            run.left_out.push(format!("The run has no {TABLE}, so ranks are shown by their loads alone."));
        }
        room.furnish(&mut run, summary, placements)?;
        Ok(run)
    }

    /// Quantities that are not zero everywhere; load and work always.
    fn quantities(&self) -> Vec<&'static Known> {
        let is_said = |known: &&Known| {
            let in_summary = known.moments.is_some_and(|of| {
                self.summary
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

    fn phase(&self, result: &PhaseResult, known: &[&Known]) -> Result<Phase, Error> {
        let bound = &result.lower_bound;
        let violations = result.violations.iter().map(|violation| format!("Exceeded bound: {violation}."));
        let proof = result.infeasibility.iter().map(|proof| format!("Proven: {proof}."));
        let summary::Migrations { count, load, bytes } = result.migrations;
        Ok(Phase {
            number: result.phase,
            strategy: result.strategy.clone(),
            left_alone: result.left_alone,
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
            bound: Bound {
                work: bound.work,
                limit: bound.culprit(result.n_migratable < result.n_objects),
                max_load: bound.max_load,
                load_limit: bound.load_limit.to_string(),
                load_imbalance: bound.load_imbalance,
            },
            restricted: result.restricted_bound.as_ref().map(|restricted| lbaf_page::RestrictedBound {
                keeps: restricted.in_words(),
                condition: restricted.condition(),
                work: restricted.bound.work,
                limit: restricted.bound.culprit(result.n_migratable < result.n_objects),
            }),
            bounds: result.lower_bounds.iter().map(known_bound).collect(),
            migrations: lbaf_page::Migrations { count, load, bytes },
            best_iteration: result.best_iteration,
            n_iterations: result.iterations.len(),
            iterations: result.iterations.iter().map(iteration).collect(),
            front: result.front.iter().map(front_point).collect(),
            detail: None,
        })
    }

    fn over_ranks(&self, result: &PhaseResult, known: &Known) -> Result<OverRanks, Error> {
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
    ) -> Result<Side, Error> {
        let n_ranks = self.summary.input.n_ranks;
        let column = format!("{}_{when}", known.column);
        let values = match &self.table {
            // The summary has the loads in any case.
            _ if known.key == "load" => Some(loads),
            Some(table) => table.column(result.phase, &column, n_ranks),
            None => None,
        };
        let moments = known.moments.map(|of| moments(of(snapshot)));
        let of_values = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
        Ok(Side {
            moments,
            mean: moments.map_or_else(|| values.map_or(0.0, of_values), |moments| moments.mean),
            values: values.map(|values| Column::of_floats(values, &column)).transpose()?,
        })
    }
}

fn quantity(known: &Known) -> Quantity {
    Quantity { key: known.key.to_owned(), name: known.name.to_owned(), unit: known.unit }
}

fn moments(of: &summary::Moments) -> Moments {
    let summary::Moments { sum, min, mean, max, imbalance, deviation, skewness, kurtosis } = *of;
    Moments { sum, min, mean, max, imbalance, deviation, skewness, kurtosis }
}

fn known_bound(bound: &bounds::KnownBound) -> KnownBound {
    let restriction = bound.restriction.map(|restriction| restriction.condition(false));
    let within = bound.within_bounds.then_some("within the upper bounds of the model");
    let holds_for: Vec<String> = restriction.into_iter().chain(within.map(str::to_owned)).collect();
    KnownBound {
        limit: bound.limit.to_string(),
        work: bound.work,
        holds_for: if holds_for.is_empty() { "any".to_owned() } else { holds_for.join(", ") },
    }
}

fn iteration(of: &summary::Iteration) -> Iteration {
    Iteration {
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

fn front_point(of: &summary::FrontPoint) -> FrontPoint {
    FrontPoint { migrations: of.migrations, max_work: of.max_work }
}
