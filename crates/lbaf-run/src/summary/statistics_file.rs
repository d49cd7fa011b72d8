// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lb_statistics.json`: statistics of balancing in vt's format, of type `LBStatsfile`.

use lbaf_model::{Assignment, CommGraph, Phase, RankTotals, Statistics, Vertex, Work};
use lbaf_vom::{StatisticsGroup, StatisticsGroups, StatisticsPhase};

use super::tables::RankState;

/// Returns the entry of a phase.
///
/// Raw loads are in seconds. Modeled loads are work: the modeled load of an object is the work that its load causes
/// on its rank. The communication of objects has the bytes of each edge, the communication of ranks the bytes that
/// each rank sends to other ranks.
///
/// As in vt, a rank without objects adds an object load of 0, and a rank that sends nothing an object communication of
/// 0. Only `sends`, the edges of `SendRecv`, count as communication of objects.
///
/// Edges belong to the initial rank of the sender. The communication of objects and of ranks is the same before and
/// after balancing, because recorded communication does not move. `after` is `None` if no strategy can move objects;
/// the entry then has no values after balancing.
pub fn phase(
    phase: &Phase,
    sends: &CommGraph,
    initial: &Assignment,
    before: (RankState<'_>, &[f64]),
    after: Option<After<'_>>,
) -> StatisticsPhase {
    let ((totals, _), _) = before;
    let communication = Communication {
        objects: object_comm(sends, initial, phase.n_ranks()),
        ranks: group(Statistics::of(totals.iter().map(|rank| rank.sent_bytes))),
    };
    StatisticsPhase {
        id: phase.id().0,
        migration_count: after.map(|after| after.migrations as u64),
        post_lb: after.map(|after| groups(phase, communication, after.state)),
        pre_lb: groups(phase, communication, before),
    }
}

/// Result of a balancer.
#[derive(Clone, Copy)]
pub struct After<'a> {
    /// Number of objects that changed rank.
    pub migrations: usize,
    /// Totals and work of ranks, and modeled loads of objects by slot.
    pub state: (RankState<'a>, &'a [f64]),
}

#[derive(Clone, Copy)]
struct Communication {
    objects: StatisticsGroup,
    ranks: StatisticsGroup,
}

fn object_comm(sends: &CommGraph, initial: &Assignment, n_ranks: usize) -> StatisticsGroup {
    let mut is_silent = vec![true; n_ranks];
    let mut volumes = Vec::with_capacity(sends.n_edges());
    for (from, _, volume) in sends.edges() {
        let rank = match from {
            Vertex::Object(slot) => initial.rank_of(slot),
            Vertex::Rank(rank) => rank,
        };
        is_silent[rank.index()] = false;
        volumes.push(volume.bytes);
    }
    let n_silent = is_silent.into_iter().filter(|&is_silent| is_silent).count();
    group(Statistics::of(with_zeros(&volumes, n_silent)))
}

/// Returns the numbers, then zeros.
fn with_zeros(numbers: &[f64], n_zeros: usize) -> impl Iterator<Item = f64> + Clone {
    numbers.iter().copied().chain(std::iter::repeat_n(0.0, n_zeros))
}

fn groups(
    phase: &Phase,
    communication: Communication,
    ((totals, works), object_work): (RankState<'_>, &[f64]),
) -> StatisticsGroups {
    let ranks = |value: fn(&RankTotals) -> f64| group(Statistics::of(totals.iter().map(value)));
    let n_empty = totals.iter().filter(|rank| rank.n_objects == 0).count();
    let objects = |loads: &[f64]| group(Statistics::of(with_zeros(loads, n_empty)));
    StatisticsGroups {
        object_comm: communication.objects,
        object_load_modeled: objects(object_work),
        object_load_raw: objects(&phase.columns().load),
        object_strategy_specific: None,
        rank_comm: communication.ranks,
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
