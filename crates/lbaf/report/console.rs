// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tables that a run prints.

use std::path::Path;

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};

use super::number::{counted, significant};
use super::summary::{Moments, PhaseResult, Snapshot, Summary};

/// What a run prints at its end.
pub(crate) fn report(summary: &Summary, output_dir: &Path) -> String {
    let input = &summary.input;
    let mut out = format!(
        "{}: {}, {}, {}; {} on {}\n\n",
        input.stem,
        counted(input.n_ranks, "rank"),
        counted(input.n_objects, "object"),
        counted(input.phases_read.len(), "phase"),
        summary.strategy.name,
        summary.work_model.name,
    );
    match &summary.phases[..] {
        [phase] => out += &one_phase(phase),
        phases => out += &many_phases(phases),
    }
    out.push('\n');
    for sentence in &summary.sentences {
        out += sentence;
        out.push('\n');
    }
    // The summary and the timings are not in the list of files.
    out + &format!("\n{} in {}\n", counted(summary.files.len() + 2, "file"), output_dir.display())
}

/// A quantity over ranks and its name.
type Quantity = (&'static str, fn(&Snapshot) -> &Moments);

/// Quantities over ranks, before and after.
fn one_phase(phase: &PhaseResult) -> String {
    let mut table = new_table(&[
        "over ranks",
        "",
        "min",
        "mean",
        "max",
        "imbalance",
        "deviation",
        "skewness",
        "kurtosis",
    ]);
    let quantities: [Quantity; 7] = [
        ("load (s)", |snapshot| &snapshot.load),
        ("work", |snapshot| &snapshot.work),
        ("sent off-rank (B)", |snapshot| &snapshot.sent_volume),
        ("received off-rank (B)", |snapshot| &snapshot.received_volume),
        ("memory (B)", |snapshot| &snapshot.memory),
        ("homing (B)", |snapshot| &snapshot.homing),
        ("objects", |snapshot| &snapshot.num_objects),
    ];
    for (name, quantity) in quantities {
        let (before, after) = (quantity(&phase.before), quantity(&phase.after));
        // Quantities that the data do not have would only be rows of zeros.
        if before.max == 0.0 && after.max == 0.0 && name != "load (s)" {
            continue;
        }
        table.add_row(row(name, "before", before));
        table.add_row(row("", "after", after));
    }
    let bound = &phase.lower_bound;
    format!(
        "Phase {}\n{}\n\nMigrations: {} of {} ({} s of load). Lower bound of the maximum work: {} ({}).\n",
        phase.phase,
        layout(&table),
        phase.migrations.count,
        counted(phase.n_objects, "object"),
        significant(phase.migrations.load),
        significant(bound.work),
        bound.limit,
    )
}

fn row(name: &str, when: &str, moments: &Moments) -> Vec<String> {
    let mut row = vec![name.to_owned(), when.to_owned()];
    let Moments { min, mean, max, imbalance, deviation, skewness, kurtosis, .. } = *moments;
    row.extend([min, mean, max, imbalance, deviation, skewness, kurtosis].map(significant));
    row
}

/// A line for each phase, and their sum.
fn many_phases(phases: &[PhaseResult]) -> String {
    let mut table = new_table(&[
        "phase",
        "objects",
        "sum of work",
        "max work before",
        "after",
        "lower bound",
        "limit",
        "imbalance of work before",
        "after",
        "imbalance of load before",
        "after",
        "migrations",
    ]);
    for phase in phases {
        table.add_row([
            phase.phase.to_string(),
            phase.n_objects.to_string(),
            significant(phase.after.work.sum),
            significant(phase.before.work.max),
            significant(phase.after.work.max),
            significant(phase.lower_bound.work),
            phase.lower_bound.limit.clone(),
            significant(phase.before.work.imbalance),
            significant(phase.after.work.imbalance),
            significant(phase.before.load.imbalance),
            significant(phase.after.load.imbalance),
            phase.migrations.count.to_string(),
        ]);
    }
    let sum = |value: fn(&PhaseResult) -> f64| significant(phases.iter().map(value).sum());
    let nothing = String::new;
    table.add_row([
        "all".to_owned(),
        nothing(),
        sum(|phase| phase.after.work.sum),
        sum(|phase| phase.before.work.max),
        sum(|phase| phase.after.work.max),
        sum(|phase| phase.lower_bound.work),
        nothing(),
        nothing(),
        nothing(),
        nothing(),
        nothing(),
        phases.iter().map(|phase| phase.migrations.count).sum::<usize>().to_string(),
    ]);
    layout(&table) + "\n"
}

/// A table without lines, its first column left and the rest right.
pub(crate) fn new_table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(header);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// The table as text, without blanks at the ends of lines.
pub(crate) fn layout(table: &Table) -> String {
    table.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}
