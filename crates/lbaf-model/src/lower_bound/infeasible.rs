// SPDX-License-Identifier: MIT OR Apache-2.0
//! Proofs of infeasibility: no placement satisfies the upper bounds of the work model.
//!
//! Nearly every quantity of a rank is a sum over its objects and blocks, or a maximum over its objects. So
//! the amounts that every placement contains can be summed: the needs of sentinels on their ranks, every
//! object once, and every block in use at least once. For a maximum over the objects of a rank, the largest
//! value of all objects counts on at least one rank.

use super::fitting::Fitting;
use super::fixed_part::FixedPart;
use super::items::Items;
use super::packing::{Bins, is_overfull};
use crate::{
    BlockIdx, BoundScope, Phase, RankQuantity, RankTotals, Slot, UpperBound, WorkModel, ranks_by_node,
};

/// Relative tolerance of comparisons, because work models sum the same amounts in another order.
const TOLERANCE: f64 = 1e-9;

/// Reason why no placement satisfies an upper bound. A *place* is a rank or a node, by the scope of the
/// bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reason {
    /// The fixed part of the rank or node with this number exceeds the bound: non-migratable objects, their
    /// blocks, the memory of the ranks themselves, and communication among non-migratable objects and ranks.
    Fixed(usize),
    /// The total of the fixed parts and of all objects and blocks exceeds the total allowed on all places.
    Total {
        /// Number of ranks or nodes.
        n_places: usize,
    },
    /// On every place, the fixed part, this object and its block together exceed the bound.
    Object(Slot),
    /// The total of all blocks and objects is within the total allowed, but they cannot be packed into the
    /// places.
    Packing {
        /// Number of ranks or nodes.
        n_places: usize,
    },
}

/// Proof that no placement satisfies the upper bounds of the work model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Infeasible {
    /// The violated bound.
    pub bound: UpperBound,
    /// Reason of the proof.
    pub reason: Reason,
    /// Least amount needed: on one place, or on all places together for [`Reason::Total`] and
    /// [`Reason::Packing`]. For [`Reason::Packing`], it excludes the fixed parts, and may be less than
    /// `available`.
    pub needed: f64,
    /// Largest amount allowed on this place, or on all places together; for [`Reason::Packing`], the capacity
    /// that the fixed parts leave.
    pub available: f64,
}

/// Returns a proof that no placement satisfies the upper bounds of the model, for the first bound with such a
/// proof. Without a proof (`None`), a feasible placement may or may not exist. O(bounds x (objects log
/// objects + ranks) + edges).
pub fn infeasibility(phase: &Phase, model: &dyn WorkModel) -> Option<Infeasible> {
    if model.bounds().is_empty() {
        return None;
    }
    infeasibility_of(phase, &demands(phase, model))
}

pub(super) fn infeasibility_of(phase: &Phase, demands: &[Demand]) -> Option<Infeasible> {
    demands.iter().find_map(|demand| demand.infeasible(phase))
}

/// A rank or node to which a bound applies.
pub(super) struct Place {
    /// Amount of the fixed part.
    fixed: f64,
    /// The same amount without working memory and serialized sizes, which are maxima over objects.
    taken: f64,
    /// Capacity above `taken` for blocks and objects, with a tolerance for rounding.
    pub(super) capacity: f64,
    /// Number of ranks of the place.
    pub(super) n_ranks: usize,
    /// Number of the rank or node.
    number: usize,
}

/// Amounts allowed under an upper bound, and amounts that objects and blocks need.
pub(super) struct Demand {
    bound: UpperBound,
    pub(super) places: Vec<Place>,
    /// Blocks that migratable objects work on, but no sentinel, ascending, with the amounts that they need
    /// (weights).
    pub(super) blocks: Vec<(BlockIdx, f64)>,
    /// Weight of each block; `None` for blocks that are not in `blocks`.
    weights: Vec<Option<f64>>,
    /// Total amount that migratable objects and `blocks` need.
    movable: f64,
}

/// Returns the demand for each upper bound, except those on quantities that may fall when an object arrives.
pub(super) fn demands(phase: &Phase, model: &dyn WorkModel) -> Vec<Demand> {
    let fixed = FixedPart::new(phase, model);
    let blocks = free_blocks(phase, &fixed);
    let movable = movable(phase, &fixed, &blocks);
    let nodes = ranks_by_node(phase);
    let places = |bound: UpperBound| -> Vec<Place> {
        let place = |(number, ranks): (usize, &[usize])| {
            let sum =
                |of: &dyn Fn(&RankTotals) -> f64| ranks.iter().map(|&rank| of(&fixed.totals[rank])).sum();
            let fixed: f64 = sum(&|totals| bound.quantity.of(totals));
            let taken: f64 = sum(&|totals| {
                bound.quantity.of(&RankTotals { working_bytes: 0.0, serialized_bytes: 0.0, ..totals.clone() })
            });
            Place {
                fixed,
                taken,
                capacity: bound.limit * (1.0 + TOLERANCE) - taken,
                n_ranks: ranks.len(),
                number,
            }
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

/// True if every placement contains the summed amounts of objects and blocks; false for the number and the
/// share of blocks at home, which depend on the placement.
fn is_summed(quantity: RankQuantity) -> bool {
    !matches!(quantity, RankQuantity::NumHomedBlocks | RankQuantity::HomedBlocksRatio)
}

/// Returns the blocks that migratable objects work on, but no sentinel does.
fn free_blocks(phase: &Phase, fixed: &FixedPart) -> Vec<BlockIdx> {
    let mut is_used = vec![false; phase.blocks().len()];
    for slot in phase.slots().filter(|&slot| phase.is_migratable(slot)) {
        if let Some(block) = phase.memory(slot).block {
            is_used[block.index()] = true;
        }
    }
    for &(block, _) in &fixed.blocks {
        is_used[block.index()] = false;
    }
    (0..is_used.len()).filter(|&block| is_used[block]).map(BlockIdx::from).collect()
}

/// Returns the totals of a rank with only this block, at home.
fn of_block(phase: &Phase, block: BlockIdx) -> RankTotals {
    let block_bytes = phase.blocks()[block.index()].size_bytes;
    RankTotals { block_bytes, n_blocks: 1, n_homed_blocks: 1, ..RankTotals::default() }
}

/// Returns the totals of a rank with only this migratable object, without its block.
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

/// Returns the amounts that migratable objects and `blocks` need in addition to the fixed part.
fn movable(phase: &Phase, fixed: &FixedPart, blocks: &[BlockIdx]) -> RankTotals {
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
    // The rank of the object with the largest value has at least this maximum. Its fixed part alone has at most the
    // largest fixed maximum of all ranks, so the object adds at least the difference.
    let above = |largest: f64, of: fn(&RankTotals) -> f64| {
        (largest - fixed.totals.iter().map(of).fold(0.0, f64::max)).max(0.0)
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
    /// Returns the total amount allowed on all places.
    fn available(&self) -> f64 {
        self.places.len() as f64 * self.bound.limit
    }

    /// Returns the least total amount needed.
    fn needed(&self) -> f64 {
        self.places.iter().map(|place| place.fixed).sum::<f64>() + self.movable
    }

    /// Returns the amount that remains on all places after every object and block is placed once.
    pub(super) fn spare(&self) -> f64 {
        self.available() * (1.0 + TOLERANCE) - self.needed()
    }

    /// Returns a proof that no placement satisfies the bound, trying the simplest proof first.
    fn infeasible(&self, phase: &Phase) -> Option<Infeasible> {
        let limit = self.bound.limit;
        let infeasible =
            |reason, needed, available| Infeasible { bound: self.bound, reason, needed, available };
        let exceeds = |needed: f64, available: f64| needed > available + TOLERANCE * needed.abs();
        if let Some(place) = self.places.iter().find(|place| exceeds(place.fixed, limit)) {
            return Some(infeasible(Reason::Fixed(place.number), place.fixed, limit));
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
        let mut capacities: Vec<f64> = self.places.iter().map(|place| place.capacity).collect();
        capacities.sort_unstable_by(f64::total_cmp);
        let bins: Bins = capacities.chunk_by(|a, b| a == b).map(|alike| (alike[0], alike.len())).collect();
        if is_overfull(&items, &bins) || self.too_many_blocks() {
            let capacity = self.places.iter().map(|place| limit - place.taken).sum();
            return Some(infeasible(Reason::Packing { n_places }, items.total, capacity));
        }
        None
    }

    /// Returns the migratable object that needs most together with its block. Also returns the amount on the place with
    /// the smallest `taken` if this object is placed there.
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

    /// Returns the weight of the block of an object; 0 if it has none, or if a sentinel works on that block.
    fn block_of(&self, phase: &Phase, slot: Slot) -> f64 {
        phase.memory(slot).block.and_then(|block| self.weights[block.index()]).unwrap_or(0.0)
    }

    /// Returns the items to be packed: each block together with the largest of its objects, and each other
    /// object. A place with an object also holds its block, so these two are never apart.
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
                // Of this object and the largest so far, the smaller one is packed separately.
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

    /// True if the places hold fewer blocks than there are, even if they hold only the smallest ones.
    fn too_many_blocks(&self) -> bool {
        // A block without weight fits anywhere, any number of times.
        if self.blocks.is_empty() || self.blocks.iter().any(|block| block.1 <= 0.0) {
            return false;
        }
        let fitting = Fitting::new(self.blocks.iter().map(|block| block.1).collect());
        let n = self.places.iter().map(|place| fitting.n_in(place.n_ranks, place.capacity));
        n.fold(0, usize::saturating_add) < self.blocks.len()
    }
}
