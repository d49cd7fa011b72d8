// SPDX-License-Identifier: MIT OR Apache-2.0
//! Table of a run before and after balancing.

use lbaf_config::work_unit;
use lbaf_plot::{Cell, Entry, Layout, Table};
use lbaf_run::summary::Summary;
use lbaf_run::summary::overall::{Overall, Side};
use lbaf_text::number::counted;

use super::columns::{
    above_bound, count, homing_volume, load_imbalance, max_load, max_memory, max_work, mean_load,
    migrated_volume, migrations, off_rank_volume, percent, ranks_over_bounds, real, says_something,
};
use super::{SUMS, restriction};

/// Returns the table of a run before and after balancing, with lower bounds. Several phases are summed.
pub fn before_after(summary: &Summary) -> Table {
    let run = Overall::of(summary);
    let both = |of: fn(&Side) -> f64| [real(of(&run.before)), real(of(&run.after)), Cell::Absent];
    let bounded =
        |of: fn(&Side) -> f64, bound: f64| [real(of(&run.before)), real(of(&run.after)), real(bound)];
    let after = |cell: Cell| [Cell::Absent, cell, Cell::Absent];
    let mut quantities = Vec::new();
    if !run.work_is_load {
        let unit = work_unit(&summary.work_model.parameters);
        quantities.push(max_work(unit, bounded(|side| side.max_work, run.lower_bound.max_work)));
    }
    quantities.extend([
        max_load(bounded(|side| side.max_load, run.lower_bound.max_load)),
        mean_load(both(|side| side.mean_load)),
        load_imbalance(bounded(Side::load_imbalance, run.least_imbalance())),
        above_bound([percent(run.gap_before()), percent(run.gap()), Cell::Absent]),
        off_rank_volume(both(|side| side.off_rank_bytes)),
        max_memory(both(|side| side.max_memory)),
        homing_volume(both(|side| side.homing_bytes)),
        ranks_over_bounds([
            count(run.before.n_ranks_over_bounds),
            count(run.after.n_ranks_over_bounds),
            Cell::Absent,
        ]),
        migrations(after(count(run.migrations.count))),
        migrated_volume(after(real(run.migrations.bytes))),
    ]);
    quantities.retain(says_something);
    let (strategy, ranks) = (summary.strategy_label(), counted(summary.input.n_ranks, "rank"));
    let mut caption = match &summary.phases[..] {
        [phase] => {
            let objects = counted(phase.n_objects, "object");
            format!(
                "Phase {} before and after load balancing with {strategy}: {objects} on {ranks}.",
                phase.phase
            )
        }
        phases => format!(
            "{} before and after load balancing with {strategy} on {ranks}. {SUMS}",
            counted(phases.len(), "phase")
        ),
    };
    caption.extend(restriction(strategy, summary, &run));
    Table {
        caption,
        label: "tab:before-after".to_owned(),
        head: String::new(),
        layout: Layout::QuantitiesDown,
        entries: vec![
            entry("before", &run.before, &run.after),
            entry("after", &run.after, &run.before),
            Entry::reference("lower bound"),
        ],
        quantities,
    }
}

/// Returns the entry of a placement. An infeasible placement does not compete with a feasible one.
fn entry(name: &str, side: &Side, other: &Side) -> Entry {
    let is_out = side.n_ranks_over_bounds > 0 && other.n_ranks_over_bounds == 0;
    if is_out { Entry::reference(name) } else { Entry::compared(name) }
}
