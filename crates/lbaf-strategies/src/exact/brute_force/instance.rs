// SPDX-License-Identifier: MIT OR Apache-2.0
//! Problem prepared for the search.

use lbaf_model::{
    Aspects, Assignment, BoundScope, RankQuantity, Slot, UpperBound, Vertex, Work, rank_totals,
    ranks_by_node, works,
};

use super::comparison::largest;
use super::remaining_load::{LoadAhead, load_ahead};
use super::unit::{End, Unit, units};
use crate::Problem;
use crate::primitives::works::bounds_nodes;

/// Problem prepared for the search: units in the order of placement, and properties of the remaining units by depth,
/// which is the number of units already placed.
pub(super) struct Instance<'a> {
    pub(super) problem: Problem<'a>,
    pub(super) aspects: Aspects,
    pub(super) units: Vec<Unit>,
    /// Ranks of each node if there are bounds on nodes, otherwise empty.
    pub(super) nodes: Vec<Vec<usize>>,
    /// Number of `nodes` with ranks if all of these have the same number of ranks, otherwise 0.
    pub(super) n_even_nodes: usize,
    /// Node of each rank, and its position in the node; (0, 0) without bounds on nodes.
    pub(super) node_of: Vec<(usize, usize)>,
    /// True if no quantity with a bound on ranks can fall when a rank receives a unit. The work of a rank in a
    /// partial placement is then a lower bound on its work in every completion.
    pub(super) all_grow: bool,
    /// Bounds on quantities that never fall when a rank receives a unit.
    pub(super) growing: Vec<Need>,
    /// Remaining load, by depth.
    pub(super) load_ahead: Vec<LoadAhead>,
    /// Number of 64-bit words of a set of blocks; 0 if no unit has a block.
    pub(super) n_words: usize,
    /// Set of blocks of the remaining units, by depth, in words of bits.
    pub(super) blocks_ahead: Vec<u64>,
    /// For each rank, the depth from which no remaining unit has a block with this home; 0 if homing does not count.
    pub(super) home_until: Vec<usize>,
}

/// Bound on a quantity that never falls when a rank receives a unit, with the least growth of the sum of this
/// quantity over all ranks.
pub(super) struct Need {
    pub(super) bound: UpperBound,
    /// Least growth by the remaining units, by depth; empty if unknown.
    pub(super) ahead: Vec<f64>,
    /// By depth, the number of blocks that no rank has yet and their smallest size; empty if the sizes of blocks do not
    /// count.
    pub(super) new_blocks: Vec<(f64, f64)>,
}

impl<'a> Instance<'a> {
    pub(super) fn new(problem: Problem<'a>, whole_clusters: bool) -> Self {
        let phase = problem.phase;
        let bounds = problem.model.bounds();
        let aspects = problem.model.aspects();
        let units = units(&problem, aspects, whole_clusters);
        let nodes = if bounds_nodes(problem.model) { ranks_by_node(phase) } else { Vec::new() };
        let mut node_of = vec![(0, 0); phase.n_ranks()];
        for (node, members) in nodes.iter().enumerate() {
            for (place, &rank) in members.iter().enumerate() {
                node_of[rank] = (node, place);
            }
        }
        let grows = |bound: &&UpperBound| bound.quantity.grows();
        let growing = bounds.iter().filter(grows).map(|&bound| Need::new(&problem, &units, bound)).collect();
        let n_words =
            if units.iter().any(|unit| unit.block.is_some()) { phase.blocks().len().div_ceil(64) } else { 0 };
        Instance {
            problem,
            aspects,
            n_even_nodes: n_even(&nodes),
            nodes,
            node_of,
            all_grow: bounds.iter().all(|bound| bound.scope == BoundScope::Node || bound.quantity.grows()),
            growing,
            load_ahead: load_ahead(&units.iter().map(|unit| unit.load).collect::<Vec<_>>()),
            n_words,
            blocks_ahead: blocks_ahead(&units, n_words),
            home_until: home_until(&problem, aspects, &units),
            units,
        }
    }

    pub(super) fn n_ranks(&self) -> usize {
        self.problem.phase.n_ranks()
    }

    /// Returns the maximum work of an assignment, computed from scratch.
    pub(super) fn max_work(&self, assignment: &Assignment) -> Work {
        let Problem { phase, model, .. } = self.problem;
        largest(works(model, phase, &rank_totals(phase, assignment)).into_iter())
    }

    /// Returns, for each rank, the depth from which no remaining unit communicates with the rank or its sentinels.
    pub(super) fn tied_until(&self) -> Vec<usize> {
        let mut until = vec![0; self.n_ranks()];
        for (at, unit) in self.units.iter().enumerate() {
            for tie in &unit.ties {
                if let End::Rank(rank) = tie.end {
                    until[rank] = at + 1;
                }
            }
        }
        until
    }

    /// Returns the rank of a vertex that the search does not move, or `None` for a migratable object.
    pub(super) fn fixed_rank(&self, vertex: Vertex) -> Option<usize> {
        let Problem { phase, initial, .. } = self.problem;
        match vertex {
            Vertex::Object(slot) => (!phase.is_migratable(slot)).then(|| initial.rank_of(slot).index()),
            Vertex::Rank(rank) => Some(rank.index()),
        }
    }

    /// Iterates over the objects that the search does not move.
    pub(super) fn sentinels(&self) -> impl Iterator<Item = Slot> + '_ {
        let phase = self.problem.phase;
        phase.slots().filter(|&slot| !phase.is_migratable(slot))
    }
}

impl Need {
    fn new(problem: &Problem<'_>, units: &[Unit], bound: UpperBound) -> Self {
        let phase = problem.phase;
        let mut is_somewhere = vec![false; phase.blocks().len()];
        for slot in phase.slots().filter(|&slot| !phase.is_migratable(slot)) {
            if let Some(block) = phase.memory(slot).block {
                is_somewhere[block.index()] = true;
            }
        }
        let mut adds = Vec::with_capacity(units.len() + 1);
        let mut sizes = Vec::with_capacity(units.len());
        for unit in units {
            // Of the units with the same block, the first adds the block, whichever rank it joins.
            let new = unit.block.filter(|block| !std::mem::replace(&mut is_somewhere[block.index()], true));
            let size = new.map(|block| phase.blocks()[block.index()].size_bytes);
            sizes.push(size);
            adds.push(match bound.quantity {
                RankQuantity::Load | RankQuantity::MigratableLoad => unit.load,
                RankQuantity::NumObjects | RankQuantity::NumMigratableObjects => unit.slots.len() as f64,
                RankQuantity::MaxObjectLevelMemory => unit.footprint_bytes,
                RankQuantity::MaxMemoryUsage | RankQuantity::MemoryWithSerialized => {
                    unit.footprint_bytes + size.unwrap_or(0.0)
                }
                RankQuantity::SharedMemory => size.unwrap_or(0.0),
                RankQuantity::NumSharedBlocks => f64::from(u8::from(new.is_some())),
                _ => return Need { bound, ahead: Vec::new(), new_blocks: Vec::new() },
            });
        }
        adds.push(0.0);
        let mut new_blocks = vec![(0.0, f64::INFINITY); units.len() + 1];
        for at in (0..units.len()).rev() {
            adds[at] += adds[at + 1];
            let (n, least) = new_blocks[at + 1];
            new_blocks[at] = sizes[at].map_or((n, least), |size| (n + 1.0, least.min(size)));
        }
        let has_blocks =
            [RankQuantity::MaxMemoryUsage, RankQuantity::MemoryWithSerialized, RankQuantity::SharedMemory];
        if !has_blocks.contains(&bound.quantity) {
            new_blocks.clear();
        }
        Need { bound, ahead: adds, new_blocks }
    }
}

/// Returns the number of nodes with ranks if all of them have the same number of ranks, otherwise 0.
fn n_even(nodes: &[Vec<usize>]) -> usize {
    let mut sizes = nodes.iter().map(Vec::len).filter(|&n| n > 0);
    let first = sizes.next();
    if sizes.all(|n| Some(n) == first) {
        nodes.iter().filter(|members| !members.is_empty()).count()
    } else {
        0
    }
}

fn blocks_ahead(units: &[Unit], n_words: usize) -> Vec<u64> {
    let mut ahead = vec![0; (units.len() + 1) * n_words];
    for (at, unit) in units.iter().enumerate().rev() {
        ahead.copy_within((at + 1) * n_words..(at + 2) * n_words, at * n_words);
        if let Some(block) = unit.block {
            ahead[at * n_words + block.index() / 64] |= 1 << (block.index() % 64);
        }
    }
    ahead
}

fn home_until(problem: &Problem<'_>, aspects: Aspects, units: &[Unit]) -> Vec<usize> {
    let mut until = vec![0; problem.phase.n_ranks()];
    for (at, unit) in units.iter().enumerate().filter(|_| aspects.homing) {
        if let Some(block) = unit.block {
            until[problem.phase.blocks()[block.index()].home.index()] = at + 1;
        }
    }
    until
}
