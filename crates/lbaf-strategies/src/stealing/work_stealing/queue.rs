// SPDX-License-Identifier: MIT OR Apache-2.0
//! Queues of waiting units on ranks.

use std::cmp::Reverse;
use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;

use lbaf_model::{Assignment, Phase, RankId, Slot};

use super::{Granularity, QueueOrder};
use crate::primitives::seconds::Seconds;

/// Unit of stealing: an object or a cluster.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    /// Range of its objects in `Queues.objects`.
    objects: Range<usize>,
    /// Load in seconds.
    pub(super) load: f64,
}

/// Rank with its waiting seconds of work. Of equal seconds, the lowest rank is last.
pub(super) type Rank = (Seconds, Reverse<RankId>);

/// Queues of all ranks. A rank takes units from the front of its queue, thieves from the back.
pub(super) struct Queues {
    /// All migratable objects. The objects of a unit are contiguous.
    objects: Vec<Slot>,
    units: Vec<VecDeque<Unit>>,
    /// Waiting load of each rank.
    waiting: Vec<f64>,
    alpha: Vec<f64>,
    n_units: usize,
    /// Ranks on which a unit waits.
    ranked: BTreeSet<Rank>,
}

impl Queues {
    /// Returns the queues of migratable objects, and the load of the non-migratable objects of each rank.
    pub(super) fn new(
        phase: &Phase,
        initial: &Assignment,
        steal: Granularity,
        order: QueueOrder,
    ) -> (Self, Vec<f64>) {
        let mut sentinel_loads = vec![0.0; phase.n_ranks()];
        let mut objects = Vec::with_capacity(phase.n_objects());
        for slot in phase.slots() {
            if phase.is_migratable(slot) {
                objects.push(slot);
            } else {
                sentinel_loads[initial.rank_of(slot).index()] += phase.load(slot);
            }
        }
        // Objects without a block are clusters of their own.
        let cluster = |slot: &Slot| {
            let block = phase.memory(*slot).block;
            (
                initial.rank_of(*slot),
                block.map_or(u64::from(u32::MAX) + 1 + u64::from(slot.0), |block| block.0.into()),
            )
        };
        let load = |slot: &Slot| order.key(phase.load(*slot));
        objects.sort_by_key(|slot| (cluster(slot), load(slot), *slot));
        let mut clusters: Vec<(RankId, Seconds, Slot, Range<usize>)> = Vec::new();
        let mut start = 0;
        for chunk in objects.chunk_by(|a, b| cluster(a) == cluster(b)) {
            let end = start + chunk.len();
            let load = chunk.iter().map(|&slot| phase.load(slot)).sum();
            let first = chunk.iter().copied().min().unwrap_or_default();
            clusters.push((initial.rank_of(chunk[0]), order.key(load), first, start..end));
            start = end;
        }
        clusters.sort_by_key(|&(rank, load, first, _)| (rank, load, first));
        let n_ranks = phase.n_ranks();
        let mut queues = Queues {
            objects,
            units: vec![VecDeque::new(); n_ranks],
            waiting: vec![0.0; n_ranks],
            alpha: phase.ranks().iter().map(|rank| rank.alpha).collect(),
            n_units: 0,
            ranked: BTreeSet::new(),
        };
        for (rank, _, _, range) in clusters {
            let step = if steal == Granularity::Object { 1 } else { range.len() };
            for start in range.step_by(step) {
                let objects = start..start + step;
                let load = queues.objects[objects.clone()].iter().map(|&slot| phase.load(slot)).sum();
                queues.push(rank, Unit { objects, load });
            }
        }
        (queues, sentinel_loads)
    }

    /// Returns the objects of a unit.
    pub(super) fn objects(&self, unit: &Unit) -> &[Slot] {
        &self.objects[unit.objects.clone()]
    }

    /// Returns the number of waiting units of all ranks.
    pub(super) fn n_units(&self) -> usize {
        self.n_units
    }

    /// Returns the number of waiting units of a rank.
    pub(super) fn len(&self, rank: RankId) -> usize {
        self.units[rank.index()].len()
    }

    /// Returns the unit at a position of a rank's queue.
    pub(super) fn unit(&self, rank: RankId, at: usize) -> &Unit {
        &self.units[rank.index()][at]
    }

    /// Returns the waiting load of a rank.
    pub(super) fn waiting(&self, rank: RankId) -> f64 {
        self.waiting[rank.index()]
    }

    /// Returns the rank with the most waiting seconds, among ranks sorted before `below` if given. Returns `None`
    /// if no unit waits there.
    pub(super) fn most_loaded(&self, below: Option<Rank>) -> Option<Rank> {
        match below {
            None => self.ranked.last().copied(),
            Some(below) => self.ranked.range(..below).next_back().copied(),
        }
    }

    /// Adds a unit at the back of a rank's queue.
    pub(super) fn push(&mut self, rank: RankId, unit: Unit) {
        self.change(rank, |queue, waiting| {
            *waiting += unit.load;
            queue.push_back(unit);
        });
        self.n_units += 1;
    }

    /// Takes the unit at the front of a rank's queue, if any.
    pub(super) fn pop(&mut self, rank: RankId) -> Option<Unit> {
        (self.len(rank) > 0).then(|| self.remove(rank, 0))
    }

    /// Takes the unit at a position of a rank's queue.
    pub(super) fn remove(&mut self, rank: RankId, at: usize) -> Unit {
        self.n_units -= 1;
        self.change(rank, |queue, waiting| {
            let unit = queue.remove(at).expect("invariant: `at` is the position of a unit in the queue");
            // Discards the rounding errors of an empty queue.
            *waiting = if queue.is_empty() { 0.0 } else { (*waiting - unit.load).max(0.0) };
            unit
        })
    }

    fn change<T>(&mut self, rank: RankId, change: impl FnOnce(&mut VecDeque<Unit>, &mut f64) -> T) -> T {
        self.ranked.remove(&self.key(rank));
        let changed = change(&mut self.units[rank.index()], &mut self.waiting[rank.index()]);
        if !self.units[rank.index()].is_empty() {
            self.ranked.insert(self.key(rank));
        }
        changed
    }

    /// Returns the key by which ranks are ordered.
    fn key(&self, rank: RankId) -> Rank {
        (Seconds(self.alpha[rank.index()] * self.waiting[rank.index()]), Reverse(rank))
    }
}
