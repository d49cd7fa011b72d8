// SPDX-License-Identifier: MIT OR Apache-2.0
//! Exact best fit decreasing in O(n log P).

use std::collections::BinaryHeap;

use lbaf_model::{Assignment, RankId, Slot, Work};

use crate::primitives::pool::Pooled;
use crate::primitives::seconds::Seconds;
use crate::{Cancel, Problem};

/// Bin packing of objects into ranks, for work models in which only load adds to work.
pub(super) struct Packing<'a> {
    problem: Problem<'a>,
    pub(super) pool: Pooled,
}

impl<'a> Packing<'a> {
    pub(super) fn new(problem: &Problem<'a>) -> Self {
        Packing { problem: *problem, pool: Pooled::with_load(problem) }
    }

    /// Returns a packing whose pool has only the objects that do not fit on their initial rank. Objects are
    /// considered in descending order of load; an object stays if the work of its rank with the object does not
    /// exceed `capacity`.
    pub(super) fn keeping(&self, capacity: f64) -> Self {
        let mut loads = self.pool.loads.clone();
        let leaves = |&(slot, load): &(Slot, f64)| {
            let rank = self.problem.initial.rank_of(slot);
            let with_it = loads[rank.index()] + load;
            let stays = with_it <= self.seconds(rank, capacity);
            if stays {
                loads[rank.index()] = with_it;
            }
            !stays
        };
        let (objects, object_loads) = self.pool.iter().filter(leaves).unzip();
        Packing { pool: Pooled { objects, object_loads, loads }, problem: self.problem }
    }

    /// Packs all objects of the pool so that no rank that receives objects has more work than `capacity`. Returns the
    /// placement and its maximum work, or `None` if an object fits on no rank. O(n log P).
    pub(super) fn pack(&self, capacity: f64, cancel: &Cancel) -> Option<(Assignment, Work)> {
        let mut loads = self.pool.loads.clone();
        let mut rooms = Rooms::new((0..).map(RankId).zip(&loads).map(|(rank, &load)| {
            let seconds = self.seconds(rank, capacity);
            (Seconds(seconds - load), rank)
        }));
        let mut ranks: Vec<RankId> = Vec::with_capacity(self.pool.objects.len());
        for &load in cancel.polled(&self.pool.object_loads) {
            ranks.push(rooms.take(load)?);
        }
        let mut placement = self.problem.initial.clone();
        for ((slot, load), &rank) in self.pool.iter().zip(&ranks) {
            placement.set(slot, rank);
            loads[rank.index()] += load;
        }
        let largest =
            (0..).map(RankId).zip(&loads).map(|(rank, &load)| self.work(rank, load)).fold(0.0, f64::max);
        Some((placement, Work::within(largest)))
    }

    fn work(&self, rank: RankId, load: f64) -> f64 {
        let floor = self.problem.model.load_floor();
        floor.slope * self.problem.phase.ranks()[rank.index()].alpha * load + floor.constant
    }

    /// Returns the load that causes a given work on a rank; infinity if load does not add to its work.
    fn seconds(&self, rank: RankId, work: f64) -> f64 {
        let floor = self.problem.model.load_floor();
        let slope = floor.slope * self.problem.phase.ranks()[rank.index()].alpha;
        if slope > 0.0 { (work - floor.constant) / slope } else { f64::INFINITY }
    }
}

/// Remaining room of ranks, for objects that arrive in descending order.
///
/// Ranks with room for the current object form a stack, with the least room on top. The top rank takes the object and
/// keeps the least room, or waits if it has too little room for another object of this size. A waiting rank joins the
/// stack once objects are small enough for it; no rank of the stack then has less room. The stack therefore stays
/// sorted, and only waiting ranks need a heap.
struct Rooms {
    /// Ranks with room for the current object, the most room first.
    open: Vec<(Seconds, RankId)>,
    /// Ranks with too little room for the current object.
    waiting: BinaryHeap<(Seconds, RankId)>,
}

impl Rooms {
    fn new(rooms: impl Iterator<Item = (Seconds, RankId)>) -> Self {
        let mut waiting: Vec<(Seconds, RankId)> = rooms.collect();
        waiting.sort_unstable_by(|a, b| b.cmp(a));
        // At first, all ranks wait. A list in descending order is already a heap.
        Rooms { open: Vec::with_capacity(waiting.len()), waiting: waiting.into() }
    }

    /// Takes room for an object on the rank with the least sufficient room, and returns this rank, or `None` if no rank
    /// has enough. No object may be larger than the previous one. O(log ranks), amortized.
    fn take(&mut self, load: f64) -> Option<RankId> {
        while let Some(largest) = self.waiting.peek().copied()
            && largest.0.0 >= load
        {
            self.waiting.pop();
            self.open.push(largest);
        }
        let (room, rank) = self.open.pop()?;
        let left = (Seconds(room.0 - load), rank);
        if left.0.0 >= load {
            self.open.push(left);
        } else {
            self.waiting.push(left);
        }
        Some(rank)
    }
}
