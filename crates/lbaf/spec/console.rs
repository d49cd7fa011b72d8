// SPDX-License-Identifier: MIT OR Apache-2.0
//! Console report of `lbaf spec`.

use comfy_table::CellAlignment;
use lbaf_text::line;
use lbaf_text::number::counted;

use super::repeated_ranges::{items, range};
use super::{Content, Decided, SpecReport};
use crate::console::{layout, new_table};

/// Largest number of items in a list; further ones are counted.
const MAX_ITEMS: usize = 40;
/// Largest number of intervals in the order of phases; more are grouped by balancer.
const MAX_RUNS: usize = 24;
const WIDTH: usize = 100;

/// Returns the report, which ends with a line feed.
pub(super) fn report(report: &SpecReport) -> String {
    let phases = items(&report.phases).join(", ");
    let noun = if report.n_phases == 1 { "phase" } else { "phases" };
    let (kind, found, n_found, list) = match &report.content {
        Content::Specification { n_lines, n_enabled, enabled } => {
            let kind = format!("specification of {} that enables output", counted(*n_lines, "line"));
            (kind, "enabled in", n_enabled, list(enabled))
        }
        Content::LbConfiguration { n_lines, n_balanced, runs } => {
            let kind = format!("LB configuration of {} that selects balancers", counted(*n_lines, "line"));
            (kind, "a balancer runs in", n_balanced, table(runs))
        }
    };
    let notes: String = report.notes.iter().flat_map(|note| ["note: ", note, "\n"]).collect();
    let blank = if notes.is_empty() { "" } else { "\n" };
    let (file, n_phases) = (line(&report.file), report.n_phases);
    format!("{file}: {kind}\n{noun} {phases}: {found} {n_found} of {n_phases}\n\n{list}\n{blank}{notes}")
}

/// Formats ranges as a list, wrapped at 100 columns.
fn list(ranges: &[(u64, u64)]) -> String {
    let items = shortened(items(ranges), MAX_ITEMS);
    if items.is_empty() {
        return "none".to_owned();
    }
    let mut out = String::new();
    let mut column = 0;
    for (index, item) in items.iter().enumerate() {
        let comma = if index + 1 < items.len() { "," } else { "" };
        let length = item.len() + comma.len();
        let separator = match column {
            0 => "",
            _ if column + 1 + length > WIDTH => "\n",
            _ => " ",
        };
        column = if separator == "\n" { length } else { column + separator.len() + length };
        out += &[separator, item, comma].concat();
    }
    out
}

/// Keeps the first items, and counts the others.
fn shortened(mut items: Vec<String>, most: usize) -> Vec<String> {
    if items.len() > most {
        let more = items.split_off(most - 1).len();
        items.push(format!("and {more} more (--json lists all)"));
    }
    items
}

/// Returns a table of ascending intervals of phases, or one by balancer if there are more than [`MAX_RUNS`].
fn table(runs: &[Decided]) -> String {
    // Merges adjacent intervals with the same balancer and arguments, even from different lines.
    let mut merged: Vec<(u64, u64, String)> = Vec::new();
    for run in runs {
        let choice = choice(run);
        match merged.last_mut() {
            Some(before) if before.2 == choice && before.1 + 1 == run.first => before.1 = run.last,
            _ => merged.push((run.first, run.last, choice)),
        }
    }
    if merged.len() > MAX_RUNS {
        return by_balancer(&merged);
    }
    let mut table = new_table(&["phases", "balancer"]);
    for (first, last, choice) in merged {
        table.add_row([range((first, last)), choice]);
    }
    left(table)
}

fn choice(run: &Decided) -> String {
    let Some(balancer) = run.balancer else { return "no balancer".to_owned() };
    let arguments =
        run.arguments.iter().map(|(key, value)| format!(" {key}={}", value.as_str().unwrap_or_default()));
    balancer.to_owned() + &arguments.collect::<String>()
}

/// Returns a table with a row for each balancer with its arguments, in the order of first phases.
fn by_balancer(runs: &[(u64, u64, String)]) -> String {
    const MAX_ITEMS: usize = 6;
    let mut choices: Vec<(&str, Vec<(u64, u64)>)> = Vec::new();
    for (first, last, choice) in runs {
        match choices.iter_mut().find(|(other, _)| other == choice) {
            Some((_, ranges)) => ranges.push((*first, *last)),
            None => choices.push((choice, vec![(*first, *last)])),
        }
    }
    let mut table = new_table(&["balancer", "number", "phases"]);
    for (choice, ranges) in choices {
        let n: u64 = ranges.iter().map(|(first, last)| last - first + 1).sum();
        table.add_row([choice.to_owned(), n.to_string(), shortened(items(&ranges), MAX_ITEMS).join(", ")]);
    }
    left(table)
}

/// Formats a table with a left-aligned last column.
fn left(mut table: comfy_table::Table) -> String {
    if let Some(column) = table.column_iter_mut().last() {
        column.set_cell_alignment(CellAlignment::Left);
    }
    layout(&table)
}
