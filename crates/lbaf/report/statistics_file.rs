// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lb_statistics.json`: the statistics that vt writes about its own balancing, of type `LBStatsfile`.

use lbaf_model::{Phase, RankTotals, Statistics, Work};
use lbaf_vom::{StatisticsGroup, StatisticsGroups, StatisticsPhase};

use super::tables::RankState;

/// The entry of a phase.
///
/// Loads are raw seconds and modeled work; communication of objects is the bytes of each edge, of ranks the
/// bytes sent to other ranks. The modeled load of an object is its load times the alpha of its rank.
pub(crate) fn phase(
    phase: &Phase,
    migrations: usize,
    before: (RankState<'_>, &[f64]),
    after: (RankState<'_>, &[f64]),
) -> StatisticsPhase {
    StatisticsPhase {
        id: phase.id().0,
        migration_count: Some(migrations as u64),
        post_lb: Some(groups(phase, after)),
        pre_lb: groups(phase, before),
    }
}

fn groups(phase: &Phase, ((totals, works), object_work): (RankState<'_>, &[f64])) -> StatisticsGroups {
    let ranks = |value: fn(&RankTotals) -> f64| group(Statistics::of(totals.iter().map(value)));
    let volumes: Vec<f64> = phase.communication().edges().map(|(_, _, volume)| volume.bytes).collect();
    StatisticsGroups {
        object_comm: group(Statistics::of(volumes)),
        object_load_modeled: group(Statistics::of(object_work.iter().copied())),
        object_load_raw: group(Statistics::of(phase.columns().load.iter().copied())),
        object_strategy_specific: None,
        rank_comm: ranks(|rank| rank.sent_bytes),
        rank_load_modeled: group(Statistics::of(works.iter().map(|work: &Work| work.cost()))),
        rank_load_raw: ranks(|rank| rank.load),
        rank_strategy_specific: None,
    }
}

fn group(statistics: Statistics) -> StatisticsGroup {
    StatisticsGroup {
        avg: statistics.mean(),
        car: statistics.n as f64,
        imb: statistics.imbalance(),
        kur: statistics.sample_kurtosis(),
        max: statistics.max,
        min: statistics.min,
        npr: statistics.n_nonzero as f64,
        skw: statistics.sample_skewness(),
        std: statistics.deviation(),
        sum: statistics.sum,
        var: statistics.variance(),
    }
}
