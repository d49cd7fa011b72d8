// SPDX-License-Identifier: MIT OR Apache-2.0
//! Table that compares runs.

use lbaf_config::work_unit;
use lbaf_plot::{Cell, Entry, Layout, Quantity, Table};
use lbaf_run::summary::overall::{Overall, Side};
use lbaf_run::summary::sentences::in_a_row;
use lbaf_run::summary::{PhaseResult, Summary};

use super::columns::{
    above_bound, count, homing_volume, load_imbalance, max_load, max_memory, max_work, migrated_volume,
    migrations, off_rank_volume, percent, ranks_over_bounds, real, says_something,
};
use super::{SUMS, restriction};
use crate::problem::{same_model, same_task};

/// A run that is compared with others.
struct Run<'a> {
    name: &'a str,
    summary: &'a Summary,
    overall: Overall,
}

/// A row of the table: the common start, or the result of a run.
struct Row<'a> {
    side: &'a Side,
    gap: Option<f64>,
    /// The run; `None` for the start, which has no migrations.
    run: Option<&'a Overall>,
}

/// Properties that runs have in common, which determine the comparable quantities.
#[derive(Clone, Copy)]
struct Alike {
    /// True if the runs balance the same phases of the same data.
    task: bool,
    /// True if the runs have the same work model.
    model: bool,
}

/// Returns the table of named runs, with the best value of each column in bold. If all runs have the same start, the
/// start is the first row.
///
/// For different data or phases, only ratios are compared, because absolute values depend on the amount of work.
/// Infeasible runs come last and do not compete with feasible ones.
pub fn comparison(runs: &[(String, &Summary)]) -> Table {
    let runs: Vec<Run<'_>> =
        runs.iter().map(|(name, summary)| Run { name, summary, overall: Overall::of(summary) }).collect();
    let summaries: Vec<&Summary> = runs.iter().map(|run| run.summary).collect();
    let model = summaries.windows(2).all(|pair| same_model(pair[0], pair[1]));
    let alike = Alike { task: same_task(&summaries), model };
    let (over, within): (Vec<&Run<'_>>, Vec<&Run<'_>>) = runs.iter().partition(|run| is_over_bounds(run));
    let mut entries = Vec::new();
    let mut rows = Vec::new();
    if let Some(start) = common_start(&runs) {
        entries.push(Entry::reference("before"));
        rows.push(Row { side: &start.before, gap: start.gap_before(), run: None });
    }
    // Only feasible runs with the same model count, because another model may have other upper bounds.
    let has_kept = |run: &Run<'_>| within.iter().any(|other| same_model(other.summary, run.summary));
    for run in within.iter().chain(&over) {
        let is_match = !is_over_bounds(run) || !has_kept(run);
        entries.push(if is_match { Entry::compared(run.name) } else { Entry::reference(run.name) });
        let gap = run.overall.gap().filter(|_| is_match && !exceeds_what_others_keep(run, &runs));
        rows.push(Row { side: &run.overall.after, gap, run: Some(&run.overall) });
    }
    let is_work_told = alike.model && runs.iter().any(|run| !run.overall.work_is_load);
    Table {
        caption: caption(&runs, alike),
        label: "tab:comparison".to_owned(),
        head: "run".to_owned(),
        layout: Layout::QuantitiesAcross,
        entries,
        quantities: quantities(
            &rows,
            is_work_told.then(|| work_unit(&summaries[0].work_model.parameters)),
            alike,
        ),
    }
}

/// Returns the quantities. If the unit of work is given, the maximum work replaces the maximum load.
fn quantities(rows: &[Row<'_>], work_unit: Option<&str>, alike: Alike) -> Vec<Quantity> {
    let cells = |of: &dyn Fn(&Row<'_>) -> Cell| rows.iter().map(of).collect::<Vec<Cell>>();
    let side = |of: fn(&Side) -> f64| cells(&|row| real(of(row.side)));
    let of_run = |of: fn(&Overall) -> Cell| cells(&|row| row.run.map_or(Cell::Absent, of));
    let compared = |quantity: Quantity, comparable: bool| Quantity {
        best: quantity.best.filter(|_| comparable),
        ..quantity
    };
    let longest = if let Some(unit) = work_unit {
        max_work(unit, side(|side| side.max_work))
    } else {
        max_load(side(|side| side.max_load))
    };
    let mut quantities = vec![
        compared(longest, alike.task),
        compared(above_bound(cells(&|row| percent(row.gap))), alike.model),
        load_imbalance(side(Side::load_imbalance)),
        compared(off_rank_volume(side(|side| side.off_rank_bytes)), alike.task),
        compared(homing_volume(side(|side| side.homing_bytes)), alike.task),
        compared(max_memory(side(|side| side.max_memory)), alike.task),
        compared(ranks_over_bounds(cells(&|row| count(row.side.n_ranks_over_bounds))), alike.model),
        compared(migrations(of_run(|run| count(run.migrations.count))), alike.task),
        compared(migrated_volume(of_run(|run| real(run.migrations.bytes))), alike.task),
    ];
    quantities.retain(says_something);
    quantities
}

fn is_over_bounds(run: &Run<'_>) -> bool {
    run.overall.after.n_ranks_over_bounds > 0
}

/// True if a run is infeasible in a phase in which another run is feasible. The lower bound of that phase need not hold
/// for the infeasible run.
fn exceeds_what_others_keep(run: &Run<'_>, runs: &[Run<'_>]) -> bool {
    let over = run.summary.phases.iter().filter(|phase| phase.after.n_ranks_over_bounds > 0);
    let keeps = |phase: &PhaseResult, other: &Run<'_>| {
        let mut phases = other.summary.phases.iter();
        same_model(other.summary, run.summary)
            && phases.any(|other| other.phase == phase.phase && other.after.n_ranks_over_bounds == 0)
    };
    over.into_iter().any(|phase| runs.iter().any(|other| keeps(phase, other)))
}

/// Returns the first run if all runs have the same start.
fn common_start<'a>(runs: &'a [Run<'_>]) -> Option<&'a Overall> {
    let (first, others) = runs.split_first()?;
    let start = &first.overall;
    others.iter().all(|run| run.overall.before == start.before).then_some(start)
}

fn caption(runs: &[Run<'_>], alike: Alike) -> String {
    let mut caption = "Comparison of load balancing strategies.".to_owned();
    let mut add = |sentence: &str| {
        caption.push(' ');
        caption.push_str(sentence);
    };
    if runs.iter().any(|run| run.summary.phases.len() > 1) {
        add(SUMS);
    }
    if !alike.task {
        add("The runs have different data or phases, so only ratios are comparable.");
    }
    if !alike.model {
        add("Work models differ, so bounds are not comparable.");
    }
    let over: Vec<&str> = runs.iter().filter(|run| is_over_bounds(run)).map(|run| run.name).collect();
    if !over.is_empty() && over.len() < runs.len() {
        let verb = if over.len() == 1 { "exceeds" } else { "exceed" };
        add(&format!("{} {verb} upper bounds of the work model.", in_a_row(&over)));
    }
    caption.extend(runs.iter().filter_map(|run| restriction(run.name, run.summary, &run.overall)));
    caption
}
