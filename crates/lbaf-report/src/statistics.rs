// SPDX-License-Identifier: MIT OR Apache-2.0
//! Statistics of a run in the form of LBAF's log: of the objects of every phase, of the ranks of the first phase as
//! recorded, and of the ranks of each rebalanced phase. For the ranks of other phases in the results, there are
//! only statistics of work.

mod descriptive;

use std::collections::BTreeMap;

use lbaf_model::{Assignment, NodeId, Phase, RankQuantity, RankTotals, Work, largest_volumes, rank_totals};
use lbaf_reader::Recorded;
use lbaf_run::Balanced;

/// LBAF's names of quantities of ranks.
const OF_RANKS: [(&str, RankQuantity); 5] = [
    ("rank load", RankQuantity::Load),
    ("rank object-level memory", RankQuantity::MaxObjectLevelMemory),
    ("rank working memory", RankQuantity::Size),
    ("rank shared memory", RankQuantity::SharedMemory),
    ("rank maximum memory usage", RankQuantity::MaxMemoryUsage),
];

/// Quantities that LBAF logs only if there are blocks.
const OF_BLOCKS: [(&str, RankQuantity); 3] = [
    ("homing cost", RankQuantity::Homing),
    ("homed blocks ratio", RankQuantity::HomedBlocksRatio),
    ("number of uprooted blocks", RankQuantity::NumUprootedBlocks),
];

/// Returns the statistics of a run in LBAF's wording, for tools that read LBAF's logs. Each text is a message of the
/// log.
pub fn statistics(recorded: &Recorded, balanced: &[Balanced<'_>]) -> Vec<String> {
    let mut texts = Vec::new();
    for phase in recorded.data.phases() {
        texts.push(format!("phase {} as recorded", phase.id()));
        texts.extend(of_objects(phase));
    }
    if let Some(first) = recorded.data.phases().first() {
        let placement = first.recorded_assignment();
        texts.extend(of_ranks("initial", first, placement, &rank_totals(first, placement)));
    }
    for Balanced { phase, strategy, is_rebalanced, already_balanced, works, after, .. } in balanced {
        let id = phase.id();
        if !is_rebalanced {
            texts.push(descriptive::lines(&format!("phase {id} rank works"), &costs(works)));
            continue;
        }
        let by = strategy.map_or(String::new(), |name| format!("rebalanced by {name}"));
        texts.push(format!("phase {id} {}", if *already_balanced { "already balanced" } else { &by }));
        texts.extend(of_ranks("rebalanced", phase, &after.outcome.assignment, &after.totals));
        texts.push(descriptive::lines("rebalanced rank work", &costs(&after.works)));
    }
    texts
}

fn of_objects(phase: &Phase) -> [String; 3] {
    let memory = || phase.slots().map(|slot| phase.memory(slot));
    let footprints: Vec<f64> = memory().map(|memory| memory.footprint_bytes).collect();
    let overheads: Vec<f64> = memory().map(|memory| memory.working_bytes).collect();
    [
        descriptive::lines("object loads", &phase.columns().load),
        descriptive::lines("object sizes", &footprints),
        descriptive::lines("object overheads", &overheads),
    ]
}

fn of_ranks(which: &str, phase: &Phase, placement: &Assignment, totals: &[RankTotals]) -> Vec<String> {
    let lines = |name: &str, values: &[f64]| descriptive::lines(&format!("{which} {name}"), values);
    let of = |(name, quantity): (&str, RankQuantity)| {
        lines(name, &totals.iter().map(|rank| quantity.of(rank)).collect::<Vec<f64>>())
    };
    let mut texts: Vec<String> = OF_RANKS.into_iter().map(of).collect();
    texts.push(lines("node maximum memory usage", &memory_of_nodes(phase, totals)));
    if totals.iter().any(|rank| rank.block_bytes > 0.0) {
        texts.extend(OF_BLOCKS.into_iter().map(of));
    }
    texts.push(lines("inter-rank sent volumes", &largest_volumes(phase, placement)));
    texts
}

/// Returns the memory of each node in bytes; empty if every rank is its own node, as LBAF then has no nodes.
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
