// SPDX-License-Identifier: MIT OR Apache-2.0
//! Console report of the differences of two data sets.

use std::fmt::Display;

use lbaf_config::named_phases;
use lbaf_text::line;
use lbaf_text::number::{counted, significant, significant_to};

use super::comparison::{Comparison, DataSetFacts};
use super::difference::Difference;
use super::facts::ObjectFacts;
use super::name::Name;
use super::phase::PhaseDifference;
use super::sentences::sentences;
use crate::console::{layout, new_table};

/// Describes all differences in sentences and tables, with at most `limit` objects.
pub(super) fn report(comparison: &Comparison, limit: usize) -> String {
    let Comparison { a, b, .. } = comparison;
    let mut out = format!("A  {}\nB  {}\n\n", data_set(a), data_set(b));
    if comparison.equal {
        return out
            + &format!("No differences in {}.\n{}", named_phases(&a.phases), only_counted(comparison));
    }
    out += &table(comparison);
    for sentence in sentences(comparison) {
        out += &sentence;
        out.push('\n');
    }
    out += &only_counted(comparison);
    out + &examples(comparison, limit)
}

/// Returns a note on communication entries whose contents are not compared; empty without such entries.
fn only_counted(comparison: &Comparison) -> String {
    let n: u64 = comparison.phases.iter().map(|phase| phase.n_only_counted).sum();
    if n == 0 {
        return String::new();
    }
    format!(
        "{n} communication entries are compared only by their number, because they are from an object to itself, have \
         a missing or unknown endpoint, or are of an unknown type.\n"
    )
}

fn data_set(facts: &DataSetFacts) -> String {
    format!(
        "{}.<rank>.{}: {}, {}, {}",
        line(&facts.stem),
        line(&facts.suffix),
        counted(facts.n_ranks, "rank"),
        counted(facts.n_objects, "object"),
        named_phases(&facts.phases),
    )
}

/// Returns a table with a line for each phase that differs. If the numbers of ranks differ, the imbalances differ too,
/// and all phases are listed. Empty if no phase differs.
fn table(comparison: &Comparison) -> String {
    let mut table = new_table(&[
        "\nphase",
        "objects\nin both",
        "only\nin A",
        "only\nin B",
        "\nmoved",
        "load (s)\nmoved",
        "loads\nchanged",
        "memory\nchanged",
        "edges\nchanged",
        "imbalance\nA",
        "of load\nB",
    ]);
    let Comparison { a, b, phases, .. } = comparison;
    let different = phases.iter().filter(|phase| !phase.is_equal() || a.n_ranks != b.n_ranks);
    for phase in different.clone() {
        let totals = &phase.totals;
        table.add_row([
            phase.phase.to_string(),
            totals.in_both.to_string(),
            totals.only_in.a.count.to_string(),
            totals.only_in.b.count.to_string(),
            totals.moved.count.to_string(),
            significant_to(totals.moved.load, 5),
            totals.loads_changed.count.to_string(),
            totals.memory_changed.to_string(),
            totals.n_edges().to_string(),
            significant(phase.load_imbalance.a),
            significant(phase.load_imbalance.b),
        ]);
    }
    if different.count() == 0 { String::new() } else { layout(&table) + "\n\n" }
}

/// Returns a table of the first `limit` objects that differ.
fn examples(comparison: &Comparison, limit: usize) -> String {
    let n_objects: usize = comparison.phases.iter().map(|phase| phase.objects.len()).sum();
    if limit == 0 || n_objects == 0 {
        return String::new();
    }
    let objects =
        comparison.phases.iter().flat_map(|phase| phase.objects.iter().map(move |object| (phase, object)));
    let mut table =
        new_table(&["phase", "object", "rank in A", "in B", "load (s) in A", "in B", "difference"]);
    for (phase, object) in objects.take(limit) {
        table.add_row(example(phase, object));
    }
    let rest = match n_objects.saturating_sub(limit) {
        0 => String::new(),
        rest => format!("and {rest} more (--limit {n_objects} shows them, --json shows all differences)\n"),
    };
    format!("\n{}\n{rest}", layout(&table))
}

fn example(phase: &PhaseDifference, object: &Difference<Name, ObjectFacts>) -> [String; 7] {
    let Difference { key, a, b } = object;
    let (rank_a, rank_b) = (a.map(|a| a.rank), b.map(|b| b.rank));
    let (load_a, load_b) = (a.map(|a| a.load), b.map(|b| b.load));
    let what = match (a, b) {
        (Some(a), Some(b)) => {
            let changes =
                [("rank", a.rank != b.rank), ("load", a.load != b.load), ("memory", a.memory != b.memory)];
            let changes = changes.into_iter().filter(|(_, changed)| *changed).map(|(what, _)| what);
            changes.collect::<Vec<_>>().join(", ")
        }
        (Some(_), None) => "only in A".to_owned(),
        (None, _) => "only in B".to_owned(),
    };
    [
        phase.phase.to_string(),
        key.to_string(),
        or_dash(rank_a),
        or_dash(rank_b),
        or_dash(load_a.map(significant)),
        or_dash(load_b.map(significant)),
        what,
    ]
}

fn or_dash(value: Option<impl Display>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}
