// SPDX-License-Identifier: MIT OR Apache-2.0
//! Units of placement: an object, or all migratable objects of a block.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use lbaf_model::{Aspects, BlockIdx, RankId, RankTotals, Slot, Vertex};

use crate::Problem;

/// Objects placed together, and their contribution to a rank.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    /// Objects of the unit, ascending.
    pub(super) slots: Vec<Slot>,
    pub(super) load: f64,
    pub(super) footprint_bytes: f64,
    /// Largest working memory of an object, in bytes.
    pub(super) working_bytes: f64,
    /// Largest serialized size of an object, in bytes.
    pub(super) serialized_bytes: f64,
    pub(super) block: Option<BlockIdx>,
    /// Communication between objects of the unit, in bytes.
    pub(super) inner_bytes: f64,
    /// Communication with other units and ranks, one entry for each partner.
    pub(super) ties: Vec<Tie>,
    /// Last earlier unit that is interchangeable with this one. `None` for units with ties.
    pub(super) twin: Option<usize>,
}

/// Communication of a unit with one partner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tie {
    pub(super) end: End,
    pub(super) volumes: Volumes,
}

/// Bytes exchanged with a partner: with its objects, and with a rank itself.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Volumes {
    pub(super) to_objects: f64,
    pub(super) from_objects: f64,
    pub(super) to_rank: f64,
    pub(super) from_rank: f64,
}

impl Volumes {
    pub(super) fn sent(&self) -> f64 {
        self.to_objects + self.to_rank
    }

    pub(super) fn received(&self) -> f64 {
        self.from_objects + self.from_rank
    }
}

/// Partner in communication: another unit by its position in the order of placement, or a rank with its sentinels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum End {
    Unit(usize),
    Rank(usize),
}

/// Returns all units, in the order in which the search places them.
pub(super) fn units(problem: &Problem<'_>, aspects: Aspects, whole_clusters: bool) -> Vec<Unit> {
    let mut units = gathered(problem, aspects, whole_clusters);
    if aspects.communication {
        tie(problem, &mut units);
    }
    let order = if units.iter().all(|unit| unit.ties.is_empty()) {
        by_size(&units)
    } else {
        by_communication(problem, &units)
    };
    let mut place = vec![0; units.len()];
    for (at, &unit) in order.iter().enumerate() {
        place[unit] = at;
    }
    let mut ordered: Vec<Unit> = order.iter().map(|&unit| units[unit].clone()).collect();
    for tie in ordered.iter_mut().flat_map(|unit| &mut unit.ties) {
        if let End::Unit(other) = &mut tie.end {
            *other = place[*other];
        }
    }
    find_twins(problem, aspects, &mut ordered);
    ordered
}

/// Returns the units in the order of their first objects, without ties and twins. Memory that the work model ignores
/// stays 0.
fn gathered(problem: &Problem<'_>, aspects: Aspects, whole_clusters: bool) -> Vec<Unit> {
    let phase = problem.phase;
    let mut units: Vec<Unit> = Vec::new();
    let mut of_block: BTreeMap<BlockIdx, usize> = BTreeMap::new();
    for slot in phase.slots().filter(|&slot| phase.is_migratable(slot)) {
        let memory = phase.memory(slot);
        let cluster = memory.block.filter(|_| whole_clusters);
        let at = cluster.and_then(|block| of_block.get(&block).copied()).unwrap_or(units.len());
        if at == units.len() {
            of_block.extend(cluster.map(|block| (block, at)));
            units.push(Unit {
                slots: Vec::new(),
                load: 0.0,
                footprint_bytes: 0.0,
                working_bytes: 0.0,
                serialized_bytes: 0.0,
                block: memory.block.filter(|_| aspects.memory || aspects.homing),
                inner_bytes: 0.0,
                ties: Vec::new(),
                twin: None,
            });
        }
        let unit = &mut units[at];
        unit.slots.push(slot);
        unit.load += phase.load(slot);
        if aspects.memory {
            unit.footprint_bytes += memory.footprint_bytes;
            unit.working_bytes = unit.working_bytes.max(memory.working_bytes);
        }
        if aspects.serialized {
            unit.serialized_bytes = unit.serialized_bytes.max(memory.serialized_bytes);
        }
    }
    units
}

/// Collects the communication of each unit. Partners are positions in `units`.
fn tie(problem: &Problem<'_>, units: &mut [Unit]) {
    let Problem { phase, initial, .. } = *problem;
    let mut ends: Vec<End> = initial.as_slice().iter().map(|rank| End::Rank(rank.index())).collect();
    for (at, unit) in units.iter().enumerate() {
        for &slot in &unit.slots {
            ends[slot.index()] = End::Unit(at);
        }
    }
    let end = |vertex: Vertex| match vertex {
        Vertex::Object(slot) => ends[slot.index()],
        Vertex::Rank(rank) => End::Rank(rank.index()),
    };
    let is_rank = |vertex: Vertex| matches!(vertex, Vertex::Rank(_));
    let mut volumes: Vec<BTreeMap<End, Volumes>> = vec![BTreeMap::new(); units.len()];
    for (source, target, volume) in phase.communication().edges() {
        let (from, to) = (end(source), end(target));
        if let End::Unit(sender) = from {
            if from == to {
                units[sender].inner_bytes += volume.bytes;
                continue;
            }
            let volumes = volumes[sender].entry(to).or_default();
            let bytes = if is_rank(target) { &mut volumes.to_rank } else { &mut volumes.to_objects };
            *bytes += volume.bytes;
        }
        if let End::Unit(receiver) = to {
            let volumes = volumes[receiver].entry(from).or_default();
            let bytes = if is_rank(source) { &mut volumes.from_rank } else { &mut volumes.from_objects };
            *bytes += volume.bytes;
        }
    }
    for (unit, volumes) in units.iter_mut().zip(volumes) {
        unit.ties = volumes.into_iter().map(|(end, volumes)| Tie { end, volumes }).collect();
    }
}

/// Orders units by load, the largest first: large units change the maximum work most, and small units fill the gaps.
fn by_size(units: &[Unit]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..units.len()).collect();
    order.sort_by(|&a, &b| smaller_last(&units[a], &units[b]));
    order
}

fn smaller_last(a: &Unit, b: &Unit) -> Ordering {
    let by_load = b.load.total_cmp(&a.load);
    let by_memory = || b.footprint_bytes.total_cmp(&a.footprint_bytes);
    by_load.then_with(by_memory).then(a.block.cmp(&b.block)).then(a.slots.cmp(&b.slots))
}

/// Orders units so that the next unit always has the largest cost of its load and its communication with earlier
/// units, sentinels and ranks; in a tie, the largest cost of its load and all its communication. Communication costs
/// are then known early in the search.
fn by_communication(problem: &Problem<'_>, units: &[Unit]) -> Vec<usize> {
    let cost = |load: f64, sent_bytes: f64, received_bytes: f64| {
        let alone = RankTotals { alpha: 1.0, load, sent_bytes, received_bytes, ..RankTotals::default() };
        problem.model.work(&alone).cost()
    };
    let both = |sums: (f64, f64), tie: &Tie| (sums.0 + tie.volumes.sent(), sums.1 + tie.volumes.received());
    let with_all = |unit: &Unit| {
        let (sent, received) = unit.ties.iter().fold((0.0, 0.0), both);
        cost(unit.load, sent, received)
    };
    let with_all: Vec<f64> = units.iter().map(with_all).collect();
    let with_ranks = |unit: &Unit| {
        let ties = unit.ties.iter().filter(|tie| matches!(tie.end, End::Rank(_)));
        ties.fold((0.0, 0.0), both)
    };
    let mut tied: Vec<(f64, f64)> = units.iter().map(with_ranks).collect();
    let mut left = by_size(units);
    let mut order = Vec::with_capacity(units.len());
    while !left.is_empty() {
        let value = |unit: usize| (cost(units[unit].load, tied[unit].0, tied[unit].1), with_all[unit]);
        // If both costs are equal, the first unit is taken, which has the largest load.
        let next = (1..left.len()).fold(0, |best, at| {
            let (a, b) = (value(left[at]), value(left[best]));
            if a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).is_gt() { at } else { best }
        });
        let next = left.remove(next);
        order.push(next);
        for tie in &units[next].ties {
            if let End::Unit(other) = tie.end {
                let (sent, received) = tied[other];
                tied[other] = (sent + tie.volumes.received(), received + tie.volumes.sent());
            }
        }
    }
    order
}

/// Properties that distinguish units without ties: load, memory, inner communication, number of objects, and block. A
/// shared block is identified by its number, a block of a single unit by its size and home.
type Signature = ([u64; 6], Option<BlockIdx>, Option<(u64, RankId)>);

/// Sets the `twin` of each unit without ties: the last earlier unit with an equal signature.
fn find_twins(problem: &Problem<'_>, aspects: Aspects, units: &mut [Unit]) {
    let phase = problem.phase;
    let mut sharers = vec![0_u32; phase.blocks().len()];
    let sentinels = phase.slots().filter(|&slot| !phase.is_migratable(slot));
    let blocks = sentinels.filter_map(|slot| phase.memory(slot).block);
    for block in blocks.chain(units.iter().filter_map(|unit| unit.block)) {
        sharers[block.index()] += 1;
    }
    let signature = |unit: &Unit| -> Signature {
        let own = unit.block.filter(|block| sharers[block.index()] == 1);
        let facts = own.map(|block| phase.blocks()[block.index()]);
        let n_objects = unit.slots.len() as u64;
        let memory = [unit.footprint_bytes, unit.working_bytes, unit.serialized_bytes];
        let [footprint, working, serialized] = memory.map(|bytes| (bytes + 0.0).to_bits());
        let [load, inner] = [unit.load, unit.inner_bytes].map(|number| (number + 0.0).to_bits());
        let n_objects = if aspects.objects { n_objects } else { 0 };
        (
            [load, footprint, working, serialized, inner, n_objects],
            unit.block.filter(|_| own.is_none()),
            facts.map(|block| {
                (block.size_bytes.to_bits(), if aspects.homing { block.home } else { RankId(0) })
            }),
        )
    };
    let mut last: BTreeMap<Signature, usize> = BTreeMap::new();
    for (at, unit) in units.iter_mut().enumerate().filter(|(_, unit)| unit.ties.is_empty()) {
        unit.twin = last.insert(signature(unit), at);
    }
}
