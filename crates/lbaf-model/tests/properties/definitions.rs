// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quantities of a rank, computed from their definitions by the simplest possible code.

use std::collections::{BTreeMap, BTreeSet};

use lbaf_model::{
    AffineParameters, Assignment, BoundScope, CcmParameters, OnRankVolume, RankId, RankQuantity, Slot,
    UpperBound, Vertex, Work,
};

use crate::random_phase::RandomPhase;

/// Returns every quantity of a rank by its user-visible name, and three on-rank volumes: `on_rank` between
/// objects, and `to_rank` and `from_rank` between objects and the rank itself.
pub(crate) fn quantities(
    random: &RandomPhase,
    assignment: &Assignment,
    rank: RankId,
) -> BTreeMap<&'static str, f64> {
    let columns = random.phase.columns();
    let here: Vec<usize> =
        (0..columns.load.len()).filter(|&position| assignment.as_slice()[position] == rank).collect();
    let sum = |column: &[f64]| here.iter().map(|&position| column[position]).sum::<f64>();
    let movable: Vec<usize> = here.iter().copied().filter(|&position| columns.migratable[position]).collect();
    let load = sum(&columns.load);
    let migratable_load: f64 = movable.iter().map(|&position| columns.load[position]).sum();
    let memory = || here.iter().map(|&position| random.phase.memory(Slot::from(position)));
    let largest_working = memory().map(|memory| memory.working_bytes).fold(0.0, f64::max);
    let largest_serialized = memory().map(|memory| memory.serialized_bytes).fold(0.0, f64::max);
    let object_level = memory().map(|memory| memory.footprint_bytes).sum::<f64>() + largest_working;

    let blocks: BTreeSet<usize> =
        memory().filter_map(|memory| memory.block).map(lbaf_model::BlockIdx::index).collect();
    let size_of = |block: &usize| columns.blocks[*block].size_bytes;
    let (homed, uprooted): (Vec<usize>, Vec<usize>) =
        blocks.iter().partition(|&&block| columns.blocks[block].home == rank);
    let block_bytes: f64 = blocks.iter().map(size_of).sum();
    let own_bytes = columns.ranks[rank.index()].working_bytes;
    let homed_ratio = if blocks.is_empty() { 1.0 } else { homed.len() as f64 / blocks.len() as f64 };

    let (mut sent, mut received, mut on_rank, mut to_rank, mut from_rank) = (0.0, 0.0, 0.0, 0.0, 0.0);
    let is_rank = |vertex: Vertex| vertex == Vertex::Rank(rank);
    let place = |vertex: Vertex| match vertex {
        Vertex::Object(slot) => assignment.rank_of(slot),
        Vertex::Rank(rank) => rank,
    };
    for edge in random.communications.iter().filter(|edge| edge.from != edge.to) {
        match (place(edge.from) == rank, place(edge.to) == rank) {
            (true, true) if is_rank(edge.to) => to_rank += edge.volume.bytes,
            (true, true) if is_rank(edge.from) => from_rank += edge.volume.bytes,
            (true, true) => on_rank += edge.volume.bytes,
            (true, false) => sent += edge.volume.bytes,
            (false, true) => received += edge.volume.bytes,
            (false, false) => {}
        }
    }
    BTreeMap::from([
        ("load", load),
        ("migratable_load", migratable_load),
        ("sentinel_load", load - migratable_load),
        ("num_objects", here.len() as f64),
        ("num_migratable_objects", movable.len() as f64),
        ("num_sentinel_objects", (here.len() - movable.len()) as f64),
        ("received_volume", received),
        ("sent_volume", sent),
        ("on_rank", on_rank),
        ("to_rank", to_rank),
        ("from_rank", from_rank),
        ("size", own_bytes),
        ("shared_memory", block_bytes),
        ("max_object_level_memory", object_level),
        ("max_memory_usage", own_bytes + block_bytes + object_level),
        ("serialized_size", largest_serialized),
        ("memory_with_serialized", own_bytes + block_bytes + object_level + largest_serialized),
        ("num_shared_blocks", blocks.len() as f64),
        ("num_homed_blocks", homed.len() as f64),
        ("num_uprooted_blocks", uprooted.len() as f64),
        ("homed_blocks_ratio", homed_ratio),
        ("homing", uprooted.iter().map(size_of).sum()),
        ("alpha", columns.ranks[rank.index()].alpha),
    ])
}

/// Returns LBAF's affine work of a rank, with the excess over the upper bounds of the rank and of its node.
pub(crate) fn affine_work(
    random: &RandomPhase,
    assignment: &Assignment,
    rank: RankId,
    parameters: &AffineParameters,
) -> Work {
    let own = quantities(random, assignment, rank);
    let cost = parameters.alpha * own["alpha"] * own["load"]
        + parameters.beta * own["sent_volume"].max(own["received_volume"])
        + parameters.gamma
        + parameters.delta * own["homing"];
    Work::with_excess(cost, excess(random, assignment, rank, &parameters.bounds))
}

/// Returns the work of a rank by the CCM model with an infinite epsilon, with the excess over the upper
/// bounds of the rank and of its node.
pub(crate) fn ccm_work(
    random: &RandomPhase,
    assignment: &Assignment,
    rank: RankId,
    parameters: &CcmParameters,
) -> Work {
    let own = quantities(random, assignment, rank);
    // By the definition of vt, volume between objects and the rank itself is on-rank volume.
    let on_rank = match parameters.on_rank_volume {
        OnRankVolume::Paper => own["on_rank"],
        OnRankVolume::Vt => {
            let (sent, received) = (own["on_rank"] + own["to_rank"], own["on_rank"] + own["from_rank"]);
            sent.max(received)
        }
    };
    let cost = parameters.alpha * own["alpha"] * own["load"]
        + parameters.beta * own["sent_volume"].max(own["received_volume"])
        + parameters.gamma * on_rank
        + parameters.delta * own["homing"];
    Work::with_excess(cost, excess(random, assignment, rank, &parameters.bounds))
}

/// Returns the excess over the upper bounds of a rank and of its node.
fn excess(random: &RandomPhase, assignment: &Assignment, rank: RankId, bounds: &[UpperBound]) -> f64 {
    let ranks = random.phase.ranks();
    let own = quantities(random, assignment, rank);
    let mut excess = 0.0;
    for bound in bounds {
        let name = bound.quantity.name();
        let value: f64 = match bound.scope {
            BoundScope::Rank => own[name],
            BoundScope::Node => (random.phase.rank_ids())
                .filter(|member| ranks[member.index()].node == ranks[rank.index()].node)
                .map(|member| quantities(random, assignment, member)[name])
                .sum(),
        };
        excess += beyond(bound, value);
    }
    excess
}

/// Returns the number of objects of a rank that work on a block.
pub(crate) fn n_holding(random: &RandomPhase, assignment: &Assignment, rank: RankId, block: usize) -> u32 {
    let phase = &random.phase;
    let holding = phase.slots().filter(|&slot| {
        assignment.rank_of(slot) == rank
            && phase.memory(slot).block.is_some_and(|other| other.index() == block)
    });
    holding.count() as u32
}

/// Asserts that every quantity in `totals` equals its definition.
pub(crate) fn check(
    random: &RandomPhase,
    assignment: &Assignment,
    totals: &[lbaf_model::RankTotals],
) -> Result<(), proptest::test_runner::TestCaseError> {
    proptest::prop_assert_eq!(totals.len(), random.phase.n_ranks());
    for rank in random.phase.rank_ids() {
        let defined = quantities(random, assignment, rank);
        let found = &totals[rank.index()];
        for quantity in RankQuantity::ALL {
            let (value, expected) = (quantity.of(found), defined[quantity.name()]);
            proptest::prop_assert!(
                crate::close(value, expected),
                "{quantity} of rank {rank} is {value}, not {expected}"
            );
        }
        for (value, name) in [
            (found.on_rank_bytes, "on_rank"),
            (found.to_rank_bytes, "to_rank"),
            (found.from_rank_bytes, "from_rank"),
        ] {
            let expected = defined[name];
            proptest::prop_assert!(crate::close(value, expected), "{name} is {value}, not {expected}");
        }
    }
    Ok(())
}

fn beyond(bound: &UpperBound, value: f64) -> f64 {
    match bound.limit {
        _ if value <= bound.limit => 0.0,
        0.0 => value,
        limit => value / limit - 1.0,
    }
}
