// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables of anomalies as CSV.

use std::fmt::Write;

use lbaf_noise::{SlowSpell, Tally, worst_anomalies};
use lbaf_text::cell;

use super::Findings;
use super::results::AnomalyOf;

/// Returns every table with its file name.
pub(super) fn tables(findings: &Findings<'_>) -> [(&'static str, String); 6] {
    [
        ("anomalies.csv", anomalies(findings)),
        ("anomalies_by_object.csv", by_object(findings)),
        ("anomalies_by_phase.csv", by_phase(findings)),
        ("anomalies_by_rank.csv", by_rank(findings)),
        ("anomalies_by_node.csv", by_node(findings)),
        ("slow_spells.csv", slow_spells(findings)),
    ]
}

/// Columns of every table that counts anomalies.
const COUNTS: &str = "tasks,anomalies,rate,anomalous_s,excess_s,largest_score";

fn counts(tally: &Tally) -> String {
    format!(
        "{},{},{},{},{},{}",
        tally.n_tasks,
        tally.n_anomalies,
        tally.rate(),
        tally.anomalous_seconds,
        tally.excess_seconds,
        tally.largest_score
    )
}

/// Formats the name of a host as a quoted cell.
fn name(host: &str) -> String {
    let cell = cell(host);
    if cell.starts_with('"') { cell.into_owned() } else { format!("\"{cell}\"") }
}

fn optional(number: Option<f64>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

/// Returns the table of all anomalies, by descending excess.
fn anomalies(findings: &Findings<'_>) -> String {
    let mut csv = String::from("phase,rank,object,seconds,typical_s,excess_s,score\n");
    for anomaly in worst_anomalies(&findings.labels, usize::MAX) {
        let AnomalyOf { phase, rank, object, seconds, typical_seconds, excess_seconds, score } =
            AnomalyOf::new(&anomaly, findings);
        let typical = optional(typical_seconds);
        // The object is quoted, because names of pieces of objects contain commas. Writing to memory does not fail.
        let _ = writeln!(csv, "{phase},{rank},\"{object}\",{seconds},{typical},{excess_seconds},{score}");
    }
    csv
}

fn by_object(findings: &Findings<'_>) -> String {
    let mut csv = format!("object,typical_s,changes,{COUNTS}\n");
    let data = &findings.recorded.data;
    for ((object, tally), key) in (0..).zip(&findings.summary.objects).zip(data.keys()) {
        let object = lbaf_model::ObjectIdx(object);
        let (typical, changes) =
            (optional(findings.labels.typical_time(object)), findings.labels.n_changes(object));
        let _ = writeln!(csv, "\"{key}\",{typical},{changes},{}", counts(tally));
    }
    csv
}

fn by_phase(findings: &Findings<'_>) -> String {
    let mut csv = format!(
        "phase,{COUNTS},imbalance,denoised,noise,persistent,jitter,max_load_s,denoised_max_load_s,critical_rank,\
         denoised_critical_rank,critical_noise_s\n"
    );
    for (of, tally) in findings.decomposition.phases.iter().zip(&findings.summary.phases) {
        let parts = of.parts;
        let _ = writeln!(
            csv,
            "{},{},{},{},{},{},{},{},{},{},{},{}",
            of.phase,
            counts(tally),
            parts.imbalance,
            parts.denoised,
            parts.noise,
            parts.persistent,
            parts.residual,
            of.seconds,
            of.denoised_seconds,
            of.critical_rank,
            of.denoised_critical_rank,
            of.critical_noise_seconds
        );
    }
    csv
}

fn by_rank(findings: &Findings<'_>) -> String {
    let mut csv = format!(
        "rank,host,{COUNTS},slowness,slowness_error,compared_objects,migrated_tasks,sibling_slowness,sibling_tasks,\
         slow,may_be_slow\n"
    );
    let ranks = findings.slowness.ranks.iter().zip(&findings.summary.ranks);
    for (rank, tally) in ranks {
        let _ = writeln!(
            csv,
            "{},{},{},{},{},{},{},{},{},{},{}",
            rank.rank,
            name(&findings.hosts[rank.rank.index()]),
            counts(tally),
            optional(rank.factor),
            optional(rank.error),
            rank.n_objects,
            rank.n_migrated,
            optional(rank.sibling_factor),
            rank.n_siblings,
            rank.is_slow,
            rank.may_be_slow
        );
    }
    csv
}

fn by_node(findings: &Findings<'_>) -> String {
    let mut csv = format!("node,host,ranks,slow_ranks,{COUNTS},slowness,slow\n");
    for node in &findings.slowness.nodes {
        let rank = findings.slowness.ranks.iter().position(|rank| rank.node == node.node).unwrap_or(0);
        let tally = findings.summary.nodes.get(&node.node).copied().unwrap_or_default();
        let _ = writeln!(
            csv,
            "{},{},{},{},{},{},{}",
            node.node,
            name(&findings.hosts[rank]),
            node.n_ranks,
            node.n_slow_ranks,
            counts(&tally),
            optional(node.factor),
            node.is_slow
        );
    }
    csv
}

fn slow_spells(findings: &Findings<'_>) -> String {
    let mut csv = "rank,host,first_phase,last_phase,factor,objects\n".to_owned();
    for spell in &findings.slow_spells {
        let SlowSpell { rank, first, last, factor, n_objects } = spell;
        let host = name(&findings.hosts[rank.index()]);
        let _ = writeln!(csv, "{rank},{host},{first},{last},{factor},{n_objects}");
    }
    csv
}
