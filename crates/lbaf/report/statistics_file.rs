// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lb_statistics.json`: the statistics that vt writes about its own balancing, of type `LBStatsfile`.

use lbaf_model::{Phase, RankTotals, Statistics, Work};
use serde_json::{Map, Value, json};

use super::tables::RankState;

/// The file: one entry for each phase.
pub(crate) fn file(phases: &[Value]) -> Vec<u8> {
    let mut bytes = json!({ "phases": phases, "type": "LBStatsfile" }).to_string().into_bytes();
    bytes.push(b'\n');
    bytes
}

/// The entry of a phase.
///
/// Loads are raw seconds and modeled work; communication of objects is the bytes of each edge, of ranks the
/// bytes sent to other ranks. The modeled load of an object is its load times the alpha of its rank.
pub(crate) fn phase(
    phase: &Phase,
    migrations: usize,
    before: (RankState<'_>, &[f64]),
    after: (RankState<'_>, &[f64]),
) -> Value {
    json!({
        "id": phase.id().0,
        "migration count": migrations,
        "post-LB": groups(phase, after),
        "pre-LB": groups(phase, before),
    })
}

fn groups(phase: &Phase, ((totals, works), object_work): (RankState<'_>, &[f64])) -> Value {
    let ranks = |value: fn(&RankTotals) -> f64| Statistics::of(totals.iter().map(value));
    let volumes: Vec<f64> = phase.communication().edges().map(|(_, _, volume)| volume.bytes).collect();
    let groups = [
        ("Object_comm", Statistics::of(volumes)),
        ("Object_load_modeled", Statistics::of(object_work.iter().copied())),
        ("Object_load_raw", Statistics::of(phase.columns().load.iter().copied())),
        ("Rank_comm", ranks(|rank| rank.sent_bytes)),
        ("Rank_load_modeled", Statistics::of(works.iter().map(|work: &Work| work.cost()))),
        ("Rank_load_raw", ranks(|rank| rank.load)),
    ];
    let named = groups.into_iter().map(|(name, statistics)| (name.to_owned(), group(&statistics)));
    Value::Object(named.collect::<Map<String, Value>>())
}

fn group(statistics: &Statistics) -> Value {
    json!({
        "avg": statistics.mean(),
        "car": statistics.n,
        "imb": statistics.imbalance(),
        "kur": statistics.sample_kurtosis(),
        "max": statistics.max,
        "min": statistics.min,
        "npr": statistics.n_nonzero,
        "skw": statistics.sample_skewness(),
        "std": statistics.deviation(),
        "sum": statistics.sum,
        "var": statistics.variance(),
    })
}
