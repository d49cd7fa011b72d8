// SPDX-License-Identifier: MIT OR Apache-2.0
//! Differences of two data sets in sentences.

use std::collections::BTreeMap;

use lbaf_config::named_phases;
use lbaf_text::number::{bytes, counted, percent, significant};

use super::comparison::Comparison;
use super::difference::{Difference, Pair};
use super::facts::{Entries, EntryUse};
use super::phase::PhaseDifference;
use super::totals::{Group, Totals};

/// Returns sentences on the differences, summed over phases.
pub(super) fn sentences(comparison: &Comparison) -> Vec<String> {
    let Comparison { a, b, phases_only_in, nodes, .. } = comparison;
    let mut sentences = Vec::new();
    let equal: Vec<u64> =
        comparison.phases.iter().filter(|phase| phase.is_equal()).map(|phase| phase.phase).collect();
    if !equal.is_empty() && a.n_ranks == b.n_ranks {
        let except = if nodes.is_empty() { "" } else { " except the nodes of ranks" };
        sentences.push(format!("No differences in {}{except}.", named_phases(&equal)));
    }
    for (name, only) in [("A", &phases_only_in.a), ("B", &phases_only_in.b)] {
        if !only.is_empty() {
            sentences.push(format!("Only in {name}: {}.", named_phases(only)));
        }
    }
    if a.n_ranks != b.n_ranks {
        sentences.push(format!("A has {}, B has {}.", counted(a.n_ranks, "rank"), b.n_ranks));
    }
    if !nodes.is_empty() {
        let ranks = counted(nodes.len(), "rank");
        sentences.push(format!("On another node, or with a node in only one data set: {ranks}."));
    }
    let totals = comparison.totals();
    sentences.extend(about_objects(&totals));
    sentences.extend(about_load(comparison, &totals));
    sentences.extend(about_edges(&totals));
    sentences.extend(about_facts(comparison));
    if let (0, Some(kind_of_a), Some(kind_of_b)) = (totals.in_both, a.id_kind, b.id_kind)
        && kind_of_a != kind_of_b
    {
        sentences.push(format!(
            "No object is in both: objects of A have `{kind_of_a}`, those of B have `{kind_of_b}`."
        ));
    }
    sentences
}

fn about_objects(totals: &Totals) -> Vec<String> {
    let size = |what: &str, size: f64| {
        if size > 0.0 { format!(", {} {what}", bytes(size)) } else { String::new() }
    };
    let sentence = |what: &str, group: &Group| {
        format!(
            "{what}: {}, {} s of load{}{}.",
            counted(group.count, "object"),
            significant(group.load),
            size("serialized", group.serialized_bytes),
            size("of footprint", group.footprint_bytes),
        )
    };
    let groups = [
        ("On another rank", &totals.moved),
        ("Only in A", &totals.only_in.a),
        ("Only in B", &totals.only_in.b),
    ];
    groups
        .into_iter()
        .filter(|(_, group)| group.count > 0)
        .map(|(what, group)| sentence(what, group))
        .collect()
}

fn about_load(comparison: &Comparison, totals: &Totals) -> Vec<String> {
    let changes = &totals.loads_changed;
    let mut sentences = Vec::new();
    if changes.count > 0 {
        sentences.push(format!(
            "Changed loads: {}, by up to {} s and by up to {} of the larger load.",
            counted(changes.count, "object"),
            significant(changes.largest),
            percent(changes.largest_relative),
        ));
    }
    let sum_of_a: f64 = comparison.phases.iter().map(|phase| phase.load_sum.a).sum();
    let sum_of_b: f64 = comparison.phases.iter().map(|phase| phase.load_sum.b).sum();
    if !comparison.phases.is_empty() {
        let sums = if changes.count + totals.only_in.a.count + totals.only_in.b.count == 0 {
            format!("{} s in A and in B", significant(sum_of_a))
        } else {
            format!("{} s in A, {} s in B", significant(sum_of_a), significant(sum_of_b))
        };
        let phases = if comparison.phases.len() > 1 { " of all phases in both" } else { "" };
        sentences.push(format!("Sum of loads{phases}: {sums}."));
    }
    sentences
}

fn about_edges(totals: &Totals) -> Option<String> {
    let mut parts = Vec::new();
    for (name, only) in [("A", totals.edges_only_in.a), ("B", totals.edges_only_in.b)] {
        if only.count > 0 {
            parts.push(format!("{} of {} only in {name}", counted(only.count, "edge"), bytes(only.bytes)));
        }
    }
    if totals.edges_changed > 0 {
        parts.push(format!(
            "{} with {} in A and {} in B",
            counted(totals.edges_changed, "changed edge"),
            bytes(totals.changed_bytes.a),
            bytes(totals.changed_bytes.b)
        ));
    }
    (!parts.is_empty()).then(|| format!("Communication: {}.", parts.join("; ")))
}

/// Returns sentences on differences of blocks, ranks and communication entries.
fn about_facts(comparison: &Comparison) -> Vec<String> {
    let count = |of: fn(&PhaseDifference) -> usize| comparison.phases.iter().map(of).sum::<usize>();
    let mut sentences = Vec::new();
    let n_objects = count(|phase| phase.totals.memory_changed);
    if n_objects > 0 {
        sentences.push(format!("Changed sizes or memory block: {}.", counted(n_objects, "object")));
    }
    let n_blocks = count(|phase| phase.blocks.len());
    if n_blocks > 0 {
        sentences.push(format!(
            "Changed size or home, or only in one data set: {}.",
            counted(n_blocks, "memory block")
        ));
    }
    let n_ranks = count(|phase| phase.ranks.len());
    if n_ranks > 0 {
        sentences.push(format!("Changed speed or working memory: {}.", counted(n_ranks, "rank")));
    }
    sentences.extend(about_entries(comparison));
    sentences
}

fn about_entries(comparison: &Comparison) -> Vec<String> {
    let mut numbers: BTreeMap<Entries, Pair<u64>> = BTreeMap::new();
    for Difference { key, a, b } in comparison.phases.iter().flat_map(|phase| &phase.entries) {
        let number = numbers.entry(*key).or_default();
        number.a += a.unwrap_or(0);
        number.b += b.unwrap_or(0);
    }
    let sentence = |(Entries { kind, entry_use }, Pair { a, b }): (Entries, Pair<u64>)| {
        let kind = kind.map_or_else(String::new, |kind| format!(" of type {kind}"));
        let what = match entry_use {
            EntryUse::Edge => "",
            EntryUse::Absent => " with a missing endpoint, not compared",
            EntryUse::Other => " with an unknown endpoint or of an unknown type, not compared",
            EntryUse::SelfEdge => " from an object to itself, bytes not compared",
        };
        format!("Communication entries{kind}{what}: {a} in A, {b} in B.")
    };
    numbers.into_iter().map(sentence).collect()
}
