// SPDX-License-Identifier: MIT OR Apache-2.0
//! The statistics that LBAF logs of a run: objects of every phase, ranks of the first and of each rebalanced phase.

use std::collections::BTreeMap;

use lbaf_model::{Assignment, NodeId, Phase, RankQuantity, RankTotals, Work, largest_volumes, rank_totals};
use lbaf_reader::Recorded;
use lbaf_run::Balanced;

use super::descriptive;
use crate::progress::{self, Verbosity};

/// LBAF's names of quantities of ranks.
const OF_RANKS: [(&str, RankQuantity); 5] = [
    ("rank load", RankQuantity::Load),
    ("rank object-level memory", RankQuantity::MaxObjectLevelMemory),
    ("rank working memory", RankQuantity::Size),
    ("rank shared memory", RankQuantity::SharedMemory),
    ("rank maximum memory usage", RankQuantity::MaxMemoryUsage),
];

/// Those that it logs where there are blocks.
const OF_BLOCKS: [(&str, RankQuantity); 3] = [
    ("homing cost", RankQuantity::Homing),
    ("homed blocks ratio", RankQuantity::HomedBlocksRatio),
    ("number of uprooted blocks", RankQuantity::NumUprootedBlocks),
];

/// Logs the statistics of a run, if there is a log at level `info`.
pub(crate) fn log(recorded: &Recorded, balanced: &[Balanced<'_>]) {
    if !progress::is_logged(Verbosity::Normal) {
        return;
    }
    for phase in recorded.data.phases() {
        log_line(&format!("phase {} as recorded", phase.id()));
        log_objects(phase);
    }
    if let Some(first) = recorded.data.phases().first() {
        let placement = first.recorded_assignment();
        log_ranks("initial", first, placement, &rank_totals(first, placement));
    }
    for Balanced { phase, strategy, is_rebalanced, left_alone, works, after, .. } in balanced {
        let id = phase.id();
        if !is_rebalanced {
            log_statistics(&format!("phase {id} rank works"), &costs(works));
            continue;
        }
        let by = strategy.map_or(String::new(), |name| format!("rebalanced by {name}"));
        log_line(&format!("phase {id} {}", if *left_alone { "left alone" } else { &by }));
        log_ranks("rebalanced", phase, &after.outcome.assignment, &after.totals);
        log_statistics("rebalanced rank work", &costs(&after.works));
    }
}

fn log_objects(phase: &Phase) {
    log_statistics("object loads", &phase.columns().load);
    let memory = || phase.slots().map(|slot| phase.memory(slot));
    log_statistics("object sizes", &memory().map(|memory| memory.footprint_bytes).collect::<Vec<f64>>());
    log_statistics("object overheads", &memory().map(|memory| memory.working_bytes).collect::<Vec<f64>>());
}

fn log_ranks(which: &str, phase: &Phase, placement: &Assignment, totals: &[RankTotals]) {
    let of_ranks = |(name, quantity): (&str, RankQuantity)| {
        let values: Vec<f64> = totals.iter().map(|rank| quantity.of(rank)).collect();
        log_statistics(&format!("{which} {name}"), &values);
    };
    OF_RANKS.into_iter().for_each(of_ranks);
    log_statistics(&format!("{which} node maximum memory usage"), &memory_of_nodes(phase, totals));
    if totals.iter().any(|rank| rank.block_bytes > 0.0) {
        OF_BLOCKS.into_iter().for_each(of_ranks);
    }
    log_statistics(&format!("{which} inter-rank sent volumes"), &largest_volumes(phase, placement));
}

/// Memory of each node in bytes; of none where every rank is a node of its own, which LBAF takes for no nodes.
fn memory_of_nodes(phase: &Phase, totals: &[RankTotals]) -> Vec<f64> {
    let mut nodes: BTreeMap<NodeId, f64> = BTreeMap::new();
    for (rank, totals) in phase.ranks().iter().zip(totals) {
        *nodes.entry(rank.node).or_default() += totals.memory_bytes();
    }
    if nodes.len() == totals.len() { Vec::new() } else { nodes.into_values().collect() }
}

fn costs(works: &[Work]) -> Vec<f64> {
    works.iter().map(|work| work.cost()).collect()
}

fn log_statistics(quantity: &str, values: &[f64]) {
    log_line(&descriptive::lines(quantity, values));
}

fn log_line(text: &str) {
    progress::log(Verbosity::Normal, text);
}
