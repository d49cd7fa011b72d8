// SPDX-License-Identifier: MIT OR Apache-2.0
//! Table of the phases of a run.

use lbaf_config::work_unit;
use lbaf_plot::{Cell, Entry, Layout, Quantity, Table};
use lbaf_run::summary::overall::Overall;
use lbaf_run::summary::{PhaseResult, Summary};
use lbaf_text::number::counted;

use super::columns::{
    count, load_imbalance, max_load, max_work, migrations, off_rank_volume, quantity, real,
};

/// Maximum number of phases in the table, which must fit on a page.
const MOST_PHASES: usize = 40;

/// Returns the table of the phases of a run, with totals. Of many phases, only every n-th has a row.
pub fn phases(summary: &Summary) -> Table {
    let run = Overall::of(summary);
    let all = &summary.phases;
    let stride = all.len().div_ceil(MOST_PHASES).max(1);
    let shown: Vec<&PhaseResult> = all.iter().step_by(stride).collect();
    let cells = |of: &dyn Fn(&PhaseResult) -> Cell, total: Cell| -> Vec<Cell> {
        shown.iter().map(|phase| of(phase)).chain([total]).collect()
    };
    let grouped = |group: &str, name: &str, like: Quantity| Quantity {
        group: group.to_owned(),
        name: name.to_owned(),
        best: None,
        ..like
    };
    let longest = |name: &str, of: fn(&PhaseResult) -> f64, total: f64| {
        let cells = cells(&|phase| real(of(phase)), real(total));
        if run.work_is_load {
            grouped("max load", name, max_load(cells))
        } else {
            grouped("max work", name, max_work(work_unit(&summary.work_model.parameters), cells))
        }
    };
    let imbalance = |name: &str, of: fn(&PhaseResult) -> f64| {
        grouped("load imbalance", name, load_imbalance(cells(&|phase| real(of(phase)), Cell::Absent)))
    };
    let volume = |name: &str, of: fn(&PhaseResult) -> f64, total: f64| {
        grouped("off-rank volume", name, off_rank_volume(cells(&|phase| real(of(phase)), real(total))))
    };
    let mut quantities = Vec::new();
    if !summary.balancers.is_empty() {
        let strategy =
            |phase: &PhaseResult| Cell::Text(phase.strategy.clone().unwrap_or_else(|| "none".to_owned()));
        quantities
            .push(Quantity { best: None, ..quantity("strategy", "", 1, cells(&strategy, Cell::Absent)) });
    }
    quantities.extend([
        longest("before", |phase| phase.before.work.max, run.before.max_work),
        longest("after", |phase| phase.after.work.max, run.after.max_work),
        longest("bound", |phase| phase.lower_bound.work, run.lower_bound.max_work),
        imbalance("before", |phase| phase.before.load.imbalance),
        imbalance("after", |phase| phase.after.load.imbalance),
    ]);
    if run.before.off_rank_bytes.max(run.after.off_rank_bytes) > 0.0 {
        quantities.push(volume("before", |phase| phase.before.sent_volume.sum, run.before.off_rank_bytes));
        quantities.push(volume("after", |phase| phase.after.sent_volume.sum, run.after.off_rank_bytes));
    }
    let migrated = cells(&|phase| count(phase.migrations.count), count(run.migrations.count));
    quantities.push(Quantity { best: None, ..migrations(migrated) });
    let numbers = shown.iter().map(|phase| Entry::compared(phase.phase.to_string()));
    let some = match stride {
        1 => String::new(),
        _ => format!(" One phase in {stride} is shown; the last row covers all {}.", all.len()),
    };
    let (strategy, ranks) = (summary.strategy_label(), counted(summary.input.n_ranks, "rank"));
    Table {
        caption: format!("Phases before and after load balancing with {strategy} on {ranks}.{some}"),
        label: "tab:phases".to_owned(),
        head: "phase".to_owned(),
        layout: Layout::QuantitiesAcross,
        entries: numbers.chain([Entry::total("all")]).collect(),
        quantities,
    }
}
