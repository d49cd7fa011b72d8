// SPDX-License-Identifier: MIT OR Apache-2.0
//! Best fit decreasing, exactly and in little time.

use std::collections::BinaryHeap;

use lbaf_model::{Assignment, RankId, Slot, Work};

use crate::primitives::pool::Pooled;
use crate::primitives::seconds::Seconds;
use crate::{Cancel, Problem};

/// Objects to be packed into ranks of some capacity, where load alone costs.
pub(super) struct Packing<'a> {
    problem: Problem<'a>,
    pub(super) pool: Pooled,
}

impl<'a> Packing<'a> {
    pub(super) fn new(problem: &Problem<'a>) -> Self {
        Packing { problem: *problem, pool: Pooled::with_load(problem) }
    }

    /// Without those that fit where they are: of each rank the largest first, as long as it needs no more work than
    /// `capacity` for them.
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

    /// Packs all objects, if no rank needs more work than `capacity` for that; the placement and its largest work.
    /// O(n log P).
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

    /// The load that makes a work on a rank.
    fn seconds(&self, rank: RankId, work: f64) -> f64 {
        let floor = self.problem.model.load_floor();
        let slope = floor.slope * self.problem.phase.ranks()[rank.index()].alpha;
        if slope > 0.0 { (work - floor.constant) / slope } else { f64::INFINITY }
    }
}

/// Room that ranks have left, for objects that come in descending order.
///
/// Ranks with room for the object at hand are a stack with the least room on top. What takes an object from the top has
/// less room than all below it, and what gets room for smaller objects later has less than all that had it for larger
/// ones: so the stack stays in order by itself, and a heap has to order only those that wait.
struct Rooms {
    /// Those with room, the most first.
    open: Vec<(Seconds, RankId)>,
    /// Those without, for now.
    waiting: BinaryHeap<(Seconds, RankId)>,
}

impl Rooms {
    fn new(rooms: impl Iterator<Item = (Seconds, RankId)>) -> Self {
        let mut waiting: Vec<(Seconds, RankId)> = rooms.collect();
        waiting.sort_unstable_by(|a, b| b.cmp(a));
        // All wait; in order, of which a heap is made at no cost.
        Rooms { open: Vec::with_capacity(waiting.len()), waiting: waiting.into() }
    }

    /// Takes room for an object, no larger than those before it, where least is left then; of equal ones on the first
    /// rank. O(log ranks).
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
