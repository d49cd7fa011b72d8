// SPDX-License-Identifier: MIT OR Apache-2.0
//! Console report of a study.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use comfy_table::CellAlignment;
use lbaf_config::StudyConfig;
use lbaf_report::study::MOST_PROBLEMS;
use lbaf_run::study::{
    CellCounts, CompetitorMarks, FAILED, Group, QuantityKind, ReportedQuantities, Shard, StudyQuantity,
    StudyResults, meaning,
};
use lbaf_study::Median;
use lbaf_text::number::{bytes, counted, percent, significant_to};
use lbaf_text::{Shown as _, line};

use crate::console::{layout, new_table};

/// Largest number of errors and of warnings printed; `study.json` contains all.
const MOST_SHOWN: usize = 5;
/// Significant digits, enough to distinguish competitors.
const DIGITS: u8 = 4;
/// Largest number of groups shown. A group has the results of a competitor on a problem.
const MOST_GROUPS: usize = 40;

/// Returns the report on all cells, which starts with `head`.
pub(super) fn report(results: &StudyResults<'_>, head: &str, notes: &[String]) -> String {
    let reported = results.reported;
    let study = results.study;
    let mut out = head.to_owned();
    out += &groups(results, reported);
    if results.competitors.len() > 1 {
        out += &ranking(results);
    }
    for (error, cells) in failures(results).into_iter().take(MOST_SHOWN) {
        let labels = study.labels(&study.cells[cells[0]]).join(", ");
        let _ = match cells.len() {
            1 => writeln!(out, "Cell {} ({labels}) failed: {error}", cells[0]),
            n => writeln!(out, "{n} cells failed, the first is cell {} ({labels}): {error}", cells[0]),
        };
    }
    let of_cells = results.cells.iter().map(|cell| &cell.warnings[..]);
    for (warning, n) in alike(of_cells).into_iter().take(MOST_SHOWN) {
        let such = if n > 1 {
            format!("warning in {}, first: ", counted(n, "cell"))
        } else {
            "warning: ".to_owned()
        };
        let _ = writeln!(out, "{such}{}", line(warning));
    }
    for sentence in notes {
        let _ = writeln!(out, "warning: {}", line(sentence));
    }
    if results.problems.len() > MOST_PROBLEMS {
        let _ = writeln!(
            out,
            "Only the first {MOST_PROBLEMS} of {} have tables and charts; the CSV files contain all.",
            counted(results.problems.len(), "problem")
        );
    }
    out + &format!("Results are in {}\n", study.output_dir.shown())
}

/// Returns the different errors, each with its cells, in the order of the first cells.
fn failures<'r>(results: &'r StudyResults<'_>) -> Vec<(&'r str, Vec<usize>)> {
    let mut failures: Vec<(&str, Vec<usize>)> = Vec::new();
    let mut places = BTreeMap::new();
    for (number, error) in results.failed() {
        let place = *places.entry(error).or_insert(failures.len());
        if place == failures.len() {
            failures.push((error, Vec::new()));
        }
        failures[place].1.push(number);
    }
    failures
}

/// Groups warnings of cells that differ only in digits. Returns the first warning, in alphabetical order, and the number
/// of cells of each group.
fn alike<'w>(of_cells: impl Iterator<Item = &'w [String]>) -> Vec<(&'w str, usize)> {
    let mut kinds: BTreeMap<String, (&str, BTreeSet<usize>)> = BTreeMap::new();
    for (cell, warnings) in of_cells.enumerate() {
        for warning in warnings {
            let kind = warning.replace(|letter: char| letter.is_ascii_digit(), "");
            let (first, cells) = kinds.entry(kind).or_insert((warning, BTreeSet::new()));
            *first = (*first).min(warning);
            cells.insert(cell);
        }
    }
    kinds.into_values().map(|(first, cells)| (first, cells.len())).collect()
}

/// Returns the report on a shard.
pub(super) fn shard(study: &StudyConfig, shard: Shard, counts: CellCounts) -> String {
    format!(
        "Part {} of {}: {}\n`lbaf study merge` combines the parts.\n",
        shard.number(),
        shard.of(),
        head(study, counts).trim_end()
    )
}

/// Returns a sentence on the numbers of cells.
pub(super) fn head(
    study: &StudyConfig,
    CellCounts { cells: all, different, missing: computed }: CellCounts,
) -> String {
    let axes: Vec<String> =
        study.axes.iter().map(|axis| format!("{} ({})", axis.name, axis.choices.len())).collect();
    let over = if axes.is_empty() { String::new() } else { format!(" over {}", axes.join(", ")) };
    let alike = if different == all { String::new() } else { format!(", {different} of them different") };
    let kept = match different - computed.min(different) {
        0 => String::new(),
        kept => format!("; {kept} of them were computed before"),
    };
    format!("{}{over}{alike}{kept}\n", counted(all, "cell"))
}

/// Returns a table with a row for each of the first [`MOST_GROUPS`] groups.
fn groups(results: &StudyResults<'_>, reported: &ReportedQuantities) -> String {
    let mut heads = vec!["problem", "competitor", "n"];
    heads.extend(reported.quantities.iter().map(|quantity| quantity.title));
    let is_single = results.problems.len() < 2;
    if is_single {
        heads.remove(0);
    }
    let mut table = new_table(&heads);
    let mut groups: Vec<&Group> = results.groups.iter().collect();
    groups.sort_by_key(|group| (group.problem, group.competitor));
    let mut is_marked = false;
    for group in groups.into_iter().take(MOST_GROUPS) {
        let standing = CompetitorMarks::of(results, [group]);
        is_marked |= standing.worse_on > 0;
        let name = standing.marked(&results.competitors[group.competitor]);
        let mut row = vec![name, group.members.len().to_string()];
        if !is_single {
            row.insert(0, results.problems[group.problem].name.clone());
        }
        if group.members.is_empty() {
            row.push(FAILED.to_owned());
        } else {
            row.extend(reported.quantities.iter().map(|quantity| shown(results, group, quantity)));
        }
        table.add_row(row);
    }
    for column in table.column_iter_mut().take(if is_single { 1 } else { 2 }) {
        column.set_cell_alignment(CellAlignment::Left);
    }
    let more = match results.groups.len().saturating_sub(MOST_GROUPS) {
        0 => String::new(),
        more => format!("{more} more rows are in medians.csv\n"),
    };
    let worse = if is_marked { meaning(results, 1) + "\n" } else { String::new() };
    format!("\n{}\n\n{worse}{more}", layout(&table))
}

fn shown(results: &StudyResults<'_>, group: &Group, quantity: &StudyQuantity) -> String {
    let print = |value: f64| match quantity.kind {
        QuantityKind::Bytes => bytes(value),
        QuantityKind::Share => percent(value),
        _ => significant_to(value, DIGITS),
    };
    let Some(Median { value, low, high, .. }) = results.median(group, quantity.name) else {
        return String::new();
    };
    match [value, low, high].map(print) {
        [value, low, high] if low == high => value,
        [value, low, high] => format!("{value} [{low}, {high}]"),
    }
}

fn ranking(results: &StudyResults<'_>) -> String {
    let placings = results.placings();
    let standing = |at: usize| CompetitorMarks::of(results, results.of_competitor(at));
    let marked = |at: usize| standing(at).marked(&results.competitors[at]);
    let mut order: Vec<(f64, usize)> =
        placings.iter().enumerate().filter_map(|(at, placing)| Some((placing.mean_place?, at))).collect();
    if order.is_empty() {
        return "No problem was solved by all competitors, so there is no ranking.\n".to_owned();
    }
    order.sort_by(|one, other| one.0.total_cmp(&other.0));
    let n_problems = placings[order[0].1].n_problems;
    let place = |&(place, at): &(f64, usize)| {
        let wins = if n_problems > 1 {
            format!(" ({})", counted(placings[at].n_wins, "win"))
        } else {
            String::new()
        };
        format!("{} {}{wins}", significant_to(place, DIGITS), marked(at))
    };
    let places: Vec<String> = order.iter().map(place).collect();
    // Names of competitors contain commas.
    let (objective, places) = (results.reported.objective.title, places.join("; "));
    let mut out = match n_problems {
        1 => format!("Places by {objective}: {places}"),
        n => format!("Mean places by {objective} over {n} problems: {places}"),
    };
    let unplaced = (0..placings.len()).filter(|&at| placings[at].mean_place.is_none());
    let unplaced: Vec<String> = unplaced.map(marked).collect();
    if !unplaced.is_empty() {
        let _ = write!(out, "\nNot placed because of failed cells: {}", unplaced.join("; "));
    }
    out + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_similar_warnings_of_a_cell_count_as_one_cell() {
        let of_cells = [vec!["phase 2".to_owned(), "phase 1".to_owned()], Vec::new()];
        assert_eq!(alike(of_cells.iter().map(|warnings| &warnings[..])), [("phase 1", 1)]);
    }
}
