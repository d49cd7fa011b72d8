// SPDX-License-Identifier: MIT OR Apache-2.0
//! Proofs that no placement keeps the bounds of the work model.
//!
//! Nearly every quantity of a rank is a sum over its objects and blocks, or the largest of something, so what is
//! certain of one can be summed up: what sentinels need where they are; every object once; every block that
//! somebody works on at least once; of what only the largest of a rank counts, at least the largest of all.

use super::certain::Certain;
use super::fitting::Fitting;
use super::items::Items;
use super::packing::{Rooms, is_overfull};
use crate::{
    BlockIdx, BoundScope, Phase, RankQuantity, RankTotals, Slot, UpperBound, WorkModel, ranks_by_node,
};

/// Sums that differ by less are taken to be equal: what is added up here is added up in another order elsewhere.
const DOUBT: f64 = 1e-9;

/// Why no placement keeps a bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reason {
    /// What may not move exceeds it on a rank or node, by number.
    Fixed(usize),
    /// All that there is exceeds what all places may have together.
    Total {
        /// Number of ranks or nodes.
        n_places: usize,
    },
    /// An object exceeds it wherever it goes, with its block and what is there for certain.
    Object(Slot),
    /// Blocks and objects fit in total, but cannot be packed.
    Packing {
        /// Number of ranks or nodes.
        n_places: usize,
    },
}

/// A proof that no placement keeps the bounds of the work model: what is needed at least, and what is allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Infeasible {
    /// The bound that cannot be kept.
    pub bound: UpperBound,
    /// Why.
    pub reason: Reason,
    /// What is needed at least: on one place, or for [`Reason::Total`] and [`Reason::Packing`] on all together.
    pub needed: f64,
    /// What is allowed there.
    pub available: f64,
}

/// A proof that no placement keeps the bounds of the model, for the first that it is found for. `None` says
/// nothing: a placement may or may not exist. O(bounds x (objects log objects + ranks) + edges).
pub fn infeasibility(phase: &Phase, model: &dyn WorkModel) -> Option<Infeasible> {
    if model.bounds().is_empty() {
        return None;
    }
    infeasibility_of(phase, &demands(phase, model))
}

pub(super) fn infeasibility_of(phase: &Phase, demands: &[Demand]) -> Option<Infeasible> {
    demands.iter().find_map(|demand| demand.infeasible(phase))
}

/// A rank or node of a bound.
pub(super) struct Place {
    /// What is certain of it.
    certain: f64,
    /// The same without what only the largest of a rank counts for.
    taken: f64,
    /// What is left above that for blocks and objects, or a little more.
    pub(super) room: f64,
    /// Number of its ranks.
    pub(super) n_ranks: usize,
    /// Its number.
    number: usize,
}

/// What a bound is asked for.
pub(super) struct Demand {
    bound: UpperBound,
    pub(super) places: Vec<Place>,
    /// Blocks that objects work on and no sentinel has, ascending, and what each counts for.
    pub(super) blocks: Vec<(BlockIdx, f64)>,
    /// What these count for, by block; nothing for the others.
    weights: Vec<Option<f64>>,
    /// What all need that is not certain of a place.
    movable: f64,
}

/// What each bound is asked for; bounds on quantities that may fall when an object comes are left out.
pub(super) fn demands(phase: &Phase, model: &dyn WorkModel) -> Vec<Demand> {
    let certain = Certain::new(phase, model);
    let blocks = free_blocks(phase, &certain);
    let movable = movable(phase, &certain, &blocks);
    let nodes = ranks_by_node(phase);
    let places = |bound: UpperBound| -> Vec<Place> {
        let place = |(number, ranks): (usize, &[usize])| {
            let sum =
                |of: &dyn Fn(&RankTotals) -> f64| ranks.iter().map(|&rank| of(&certain.totals[rank])).sum();
            let certain: f64 = sum(&|totals| bound.quantity.of(totals));
            let taken: f64 = sum(&|totals| {
                bound.quantity.of(&RankTotals { working_bytes: 0.0, serialized_bytes: 0.0, ..totals.clone() })
            });
            Place { certain, taken, room: bound.limit * (1.0 + DOUBT) - taken, n_ranks: ranks.len(), number }
        };
        match bound.scope {
            BoundScope::Rank => (0..phase.n_ranks()).map(|rank| place((rank, &[rank]))).collect(),
            BoundScope::Node => {
                let nodes = nodes.iter().enumerate().filter(|(_, ranks)| !ranks.is_empty());
                nodes.map(|(number, ranks)| place((number, ranks))).collect()
            }
        }
    };
    let demand = |&bound: &UpperBound| {
        let weight = |&block: &BlockIdx| (block, bound.quantity.of(&of_block(phase, block)));
        let is_summed = is_summed(bound.quantity);
        let blocks: Vec<(BlockIdx, f64)> = blocks.iter().filter(|_| is_summed).map(weight).collect();
        let mut weights = vec![None; phase.blocks().len()];
        for &(block, weight) in &blocks {
            weights[block.index()] = Some(weight);
        }
        let movable = if is_summed { bound.quantity.of(&movable) } else { 0.0 };
        Demand { bound, places: places(bound), blocks, weights, movable }
    };
    model.bounds().iter().filter(|bound| bound.quantity.grows()).map(demand).collect()
}

/// Whether what is certain of objects and blocks wherever they are can be summed up. How many blocks are at home
/// depends on where they are.
fn is_summed(quantity: RankQuantity) -> bool {
    !matches!(quantity, RankQuantity::NumHomedBlocks | RankQuantity::HomedBlocksRatio)
}

/// Blocks that objects which may move work on, and no sentinel has.
fn free_blocks(phase: &Phase, certain: &Certain) -> Vec<BlockIdx> {
    let mut is_used = vec![false; phase.blocks().len()];
    for slot in phase.slots().filter(|&slot| phase.is_migratable(slot)) {
        if let Some(block) = phase.memory(slot).block {
            is_used[block.index()] = true;
        }
    }
    for &(block, _) in &certain.blocks {
        is_used[block.index()] = false;
    }
    (0..is_used.len()).filter(|&block| is_used[block]).map(BlockIdx::from).collect()
}

/// A block that is at home.
fn of_block(phase: &Phase, block: BlockIdx) -> RankTotals {
    let block_bytes = phase.blocks()[block.index()].size_bytes;
    RankTotals { block_bytes, n_blocks: 1, n_homed_blocks: 1, ..RankTotals::default() }
}

/// An object without its block.
fn of_object(phase: &Phase, slot: Slot) -> RankTotals {
    let (load, memory) = (phase.load(slot), phase.memory(slot));
    RankTotals {
        load,
        migratable_load: load,
        footprint_bytes: memory.footprint_bytes,
        working_bytes: memory.working_bytes,
        serialized_bytes: memory.serialized_bytes,
        n_objects: 1,
        n_migratable: 1,
        ..RankTotals::default()
    }
}

/// What all that may move need together, beside what is certain.
fn movable(phase: &Phase, certain: &Certain, blocks: &[BlockIdx]) -> RankTotals {
    let mut all = RankTotals::default();
    for slot in phase.slots().filter(|&slot| phase.is_migratable(slot)) {
        let object = of_object(phase, slot);
        all.load += object.load;
        all.migratable_load += object.load;
        all.footprint_bytes += object.footprint_bytes;
        all.working_bytes = all.working_bytes.max(object.working_bytes);
        all.serialized_bytes = all.serialized_bytes.max(object.serialized_bytes);
        all.n_objects += 1;
        all.n_migratable += 1;
    }
    // The largest is on some rank, where it is in the place of what was the largest there.
    let above = |largest: f64, of: fn(&RankTotals) -> f64| {
        (largest - certain.totals.iter().map(of).fold(0.0, f64::max)).max(0.0)
    };
    all.working_bytes = above(all.working_bytes, |rank| rank.working_bytes);
    all.serialized_bytes = above(all.serialized_bytes, |rank| rank.serialized_bytes);
    for &block in blocks {
        all.block_bytes += phase.blocks()[block.index()].size_bytes;
        all.n_blocks += 1;
        all.n_homed_blocks += 1;
    }
    all
}

impl Demand {
    /// What all places may have together.
    fn available(&self) -> f64 {
        self.places.len() as f64 * self.bound.limit
    }

    /// What is needed at least.
    fn needed(&self) -> f64 {
        self.places.iter().map(|place| place.certain).sum::<f64>() + self.movable
    }

    /// What is left if every block is there once.
    pub(super) fn spare(&self) -> f64 {
        self.available() * (1.0 + DOUBT) - self.needed()
    }

    /// A proof that no placement keeps the bound, from the simplest on.
    fn infeasible(&self, phase: &Phase) -> Option<Infeasible> {
        let limit = self.bound.limit;
        let infeasible =
            |reason, needed, available| Infeasible { bound: self.bound, reason, needed, available };
        let exceeds = |needed: f64, available: f64| needed > available + DOUBT * needed.abs();
        if let Some(place) = self.places.iter().find(|place| exceeds(place.certain, limit)) {
            return Some(infeasible(Reason::Fixed(place.number), place.certain, limit));
        }
        if !is_summed(self.bound.quantity) || self.places.is_empty() {
            return None;
        }
        if let Some((slot, needed)) = self.dearest_object(phase).filter(|&(_, needed)| exceeds(needed, limit))
        {
            return Some(infeasible(Reason::Object(slot), needed, limit));
        }
        let (needed, available) = (self.needed(), self.available());
        let n_places = self.places.len();
        if exceeds(needed, available) {
            return Some(infeasible(Reason::Total { n_places }, needed, available));
        }
        let items = self.items(phase);
        let mut rooms: Vec<f64> = self.places.iter().map(|place| place.room).collect();
        rooms.sort_unstable_by(f64::total_cmp);
        let rooms: Rooms = rooms.chunk_by(|a, b| a == b).map(|alike| (alike[0], alike.len())).collect();
        if is_overfull(&items, &rooms) || self.too_many_blocks() {
            let room = self.places.iter().map(|place| limit - place.taken).sum();
            return Some(infeasible(Reason::Packing { n_places }, items.total, room));
        }
        None
    }

    /// The object that needs most beside what is certain where least is, and what the place then has.
    fn dearest_object(&self, phase: &Phase) -> Option<(Slot, f64)> {
        let mut dearest: Option<(Slot, f64)> = None;
        for slot in phase.slots().filter(|&slot| phase.is_migratable(slot)) {
            let needed = self.bound.quantity.of(&of_object(phase, slot)) + self.block_of(phase, slot);
            if dearest.is_none_or(|(_, most)| needed > most) {
                dearest = Some((slot, needed));
            }
        }
        let least = self.places.iter().map(|place| place.taken).reduce(f64::min)?;
        dearest.map(|(slot, needed)| (slot, least + needed))
    }

    /// What the block of an object counts for, if it has one that no sentinel has.
    fn block_of(&self, phase: &Phase, slot: Slot) -> f64 {
        phase.memory(slot).block.and_then(|block| self.weights[block.index()]).unwrap_or(0.0)
    }

    /// What is to be packed: each block together with the dearest of its objects, which is with it wherever it is,
    /// and each other object.
    fn items(&self, phase: &Phase) -> Items {
        let own = |slot: Slot| {
            let whole = of_object(phase, slot);
            self.bound.quantity.of(&RankTotals { working_bytes: 0.0, serialized_bytes: 0.0, ..whole })
        };
        let mut dearest: Vec<Option<f64>> = vec![None; self.weights.len()];
        let mut items = Vec::new();
        for slot in phase.slots().filter(|&slot| phase.is_migratable(slot)) {
            let block = phase.memory(slot).block.filter(|block| self.weights[block.index()].is_some());
            let mut own = own(slot);
            if let Some(block) = block {
                // What is left over is by itself.
                let most = dearest[block.index()].replace(own).unwrap_or(0.0);
                if most > own {
                    dearest[block.index()] = Some(most);
                } else {
                    own = most;
                }
            }
            items.push(own);
        }
        items.extend(
            self.blocks.iter().map(|&(block, weight)| weight + dearest[block.index()].unwrap_or(0.0)),
        );
        items.retain(|&item| item > 0.0);
        Items::of_loads(items)
    }

    /// Whether even the smallest blocks do not fit in number.
    fn too_many_blocks(&self) -> bool {
        // One that needs nothing fits anywhere, any number of times.
        if self.blocks.is_empty() || self.blocks.iter().any(|block| block.1 <= 0.0) {
            return false;
        }
        let fitting = Fitting::new(self.blocks.iter().map(|block| block.1).collect());
        let n = self.places.iter().map(|place| fitting.n_in(place.n_ranks, place.room));
        n.fold(0, usize::saturating_add) < self.blocks.len()
    }
}
