// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `lbaf spec` says to a person.

use comfy_table::CellAlignment;
use lbaf_text::line;
use lbaf_text::number::counted;

use super::repeated_ranges::{items, range};
use super::{Content, Decided, Told};
use crate::console::{layout, new_table};

/// Lists longer than this say how much more there is.
const MAX_ITEMS: usize = 40;
/// Files with no more runs of phases are told from the first phase to the last, others balancer by balancer.
const MAX_RUNS: usize = 24;
const WIDTH: usize = 100;

/// The report, with a line feed at its end.
pub(super) fn report(told: &Told) -> String {
    let phases = items(&told.phases).join(", ");
    let noun = if told.n_phases == 1 { "phase" } else { "phases" };
    let (kind, found, n_found, list) = match &told.content {
        Content::Specification { n_lines, n_enabled, enabled } => {
            let kind = format!("a specification of {}, when output is enabled", counted(*n_lines, "line"));
            (kind, "enabled in", n_enabled, list(enabled))
        }
        Content::LbConfiguration { n_lines, n_balanced, runs } => {
            let kind =
                format!("an LB configuration of {}, which balancer runs when", counted(*n_lines, "line"));
            (kind, "a balancer runs in", n_balanced, table(runs))
        }
    };
    let notes: String = told.notes.iter().flat_map(|note| ["note: ", note, "\n"]).collect();
    let blank = if notes.is_empty() { "" } else { "\n" };
    let (file, n_phases) = (line(&told.file), told.n_phases);
    format!("{file}: {kind}\n{noun} {phases}: {found} {n_found} of {n_phases}\n\n{list}\n{blank}{notes}")
}

/// Ranges one after the other, in lines that a terminal shows.
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

/// The first items, and how many are left out.
fn shortened(mut items: Vec<String>, most: usize) -> Vec<String> {
    if items.len() > most {
        let more = items.split_off(most - 1).len();
        items.push(format!("and {more} more (--json lists all)"));
    }
    items
}

/// Runs from the first phase to the last, or, if they are many, what each balancer has.
fn table(runs: &[Decided]) -> String {
    // What happens counts, not which line says so.
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

/// A row for each balancer with its arguments, in the order of their first phases.
fn by_balancer(runs: &[(u64, u64, String)]) -> String {
    const MAX_ITEMS: usize = 6;
    let mut choices: Vec<(&str, Vec<(u64, u64)>)> = Vec::new();
    for (first, last, choice) in runs {
        match choices.iter_mut().find(|(other, _)| other == choice) {
            Some((_, ranges)) => ranges.push((*first, *last)),
            None => choices.push((choice, vec![(*first, *last)])),
        }
    }
    let mut table = new_table(&["balancer", "of phases", "which"]);
    for (choice, ranges) in choices {
        let n: u64 = ranges.iter().map(|(first, last)| last - first + 1).sum();
        table.add_row([choice.to_owned(), n.to_string(), shortened(items(&ranges), MAX_ITEMS).join(", ")]);
    }
    left(table)
}

/// A table whose last column is words.
fn left(mut table: comfy_table::Table) -> String {
    if let Some(column) = table.column_iter_mut().last() {
        column.set_cell_alignment(CellAlignment::Left);
    }
    layout(&table)
}
