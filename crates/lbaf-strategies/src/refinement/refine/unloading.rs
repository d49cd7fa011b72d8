// SPDX-License-Identifier: MIT OR Apache-2.0
//! Transfers from overloaded ranks to light ranks.

use std::collections::BTreeSet;

use lbaf_model::{Assignment, RankId, Slot, Totals, Transfer, View, Work};
use rustc_hash::FxHashMap;

use super::Light;
use crate::primitives::rank_order::{RankOrder, by_fullness, fullness};
use crate::primitives::seconds::Seconds;
use crate::primitives::works::{gets_over, works_concerned};
use crate::{Cancel, Problem};

/// Maximum number of objects evaluated for one transfer, the largest that fit by load.
const OBJECTS: usize = 8;

/// Maximum number of light ranks evaluated for each object. The lightest rank is added if it is not among them. With
/// bounds, as many least full ranks are added.
const RANKS: usize = 16;

/// Objects sorted by load.
type Loads = BTreeSet<(Seconds, Slot)>;

/// Placement in which overloaded ranks give objects away.
pub(super) struct Unloading<'a> {
    problem: Problem<'a>,
    light: Light,
    totals: Totals<'a>,
    works: Vec<Work>,
    costs: RankOrder<Seconds>,
    /// Ranks by fullness, if the model has bounds.
    by_fullness: Option<RankOrder<Seconds>>,
    /// Moved objects with their previous ranks, in the order of transfers.
    left: Vec<(Slot, RankId)>,
}

impl<'a> Unloading<'a> {
    pub(super) fn new(problem: &Problem<'a>, totals: Totals<'a>, works: Vec<Work>, light: Light) -> Self {
        let costs = RankOrder::new(works.iter().map(|work| Seconds(work.cost())));
        let by_fullness = by_fullness(problem.model, &totals);
        Unloading { problem: *problem, light, totals, works, costs, by_fullness, left: Vec::new() }
    }

    pub(super) fn placement(&self) -> Assignment {
        self.totals.assignment().clone()
    }

    /// Moves objects from the rank with the most work to ranks that stay within `threshold`. Returns true once no
    /// rank is above `threshold`, or false if the rank with the most work cannot give an object or if cancelled.
    pub(super) fn unload(&mut self, threshold: f64, cancel: &Cancel) -> bool {
        let mut objects: FxHashMap<RankId, Loads> = FxHashMap::default();
        while let Some(heavy) = self.costs.highest().filter(|&rank| self.cost(rank) > threshold) {
            if cancel.is_cancelled() {
                return false;
            }
            let objects = objects.entry(heavy).or_insert_with(|| self.objects(heavy));
            let Some(slot) = self.give(heavy, objects, threshold) else { return false };
            objects.remove(&(Seconds(self.problem.phase.load(slot)), slot));
        }
        true
    }

    /// Undoes the transfers, the last transfer first.
    pub(super) fn undo(&mut self, cancel: &Cancel) {
        while !cancel.is_cancelled()
            && let Some((slot, home)) = self.left.pop()
        {
            let from = self.totals.rank_of(slot);
            self.make(&Transfer { from, to: home, objects: &[slot], returned: &[] });
        }
    }

    fn cost(&self, rank: RankId) -> f64 {
        self.costs.key(rank).0
    }

    /// Returns the migratable objects of a rank, by load.
    fn objects(&self, rank: RankId) -> Loads {
        let phase = self.problem.phase;
        let may_leave = self.totals.members(rank).iter().filter(|&&slot| phase.is_migratable(slot));
        may_leave.map(|&slot| (Seconds(phase.load(slot)), slot)).collect()
    }

    /// Gives a light rank the largest object that fits there, and returns the object. Returns `None` if none is found.
    fn give(&mut self, from: RankId, objects: &Loads, threshold: f64) -> Option<Slot> {
        // A slow rank may have less room than a fast rank with more work.
        let rooms = self.costs.ascending().take(RANKS).map(|rank| Seconds(self.room(rank, threshold)));
        let most = (rooms.max()?, Slot(u32::MAX));
        let fitting = objects.range(..=most).rev().take(OBJECTS);
        for slot in fitting.map(|&(_, slot)| slot).collect::<Vec<_>>() {
            for to in self.light(slot, threshold).into_iter().filter(|&to| to != from) {
                let transfer = Transfer { from, to, objects: &[slot], returned: &[] };
                let after = self.totals.works_after(self.problem.model, &transfer);
                let gets_over = |after: Work, rank: RankId| gets_over(self.works[rank.index()], after);
                let falls = after.0.cost() < self.cost(from) && after.1.cost() <= threshold;
                if falls && !gets_over(after.0, from) && !gets_over(after.1, to) {
                    self.make(&transfer);
                    self.left.push((slot, from));
                    return Some(slot);
                }
            }
        }
        None
    }

    /// Returns a few candidate ranks for an object, the best first.
    fn light(&self, slot: Slot, threshold: f64) -> Vec<RankId> {
        let mut ranks: Vec<RankId> = match self.light {
            Light::Lightest => self.costs.ascending().take(RANKS).collect(),
            Light::Any => {
                let floor = self.problem.model.load_floor();
                let load = floor.slope * self.problem.phase.load(slot);
                // The limit `threshold - load` assumes alpha 1, so the lightest rank is added.
                let fitting = self.costs.down_from(Seconds(threshold - load)).take(RANKS);
                fitting.chain(self.costs.ascending().take(1)).collect()
            }
        };
        let roomy = self.by_fullness.iter().flat_map(RankOrder::ascending).take(RANKS);
        ranks.extend(roomy.filter(|&rank| self.cost(rank) < threshold));
        ranks
    }

    /// Returns the load in seconds that a rank can receive within the threshold, if only load adds to work.
    fn room(&self, rank: RankId, threshold: f64) -> f64 {
        let slope = self.problem.model.load_floor().slope * self.problem.phase.ranks()[rank.index()].alpha;
        let rounding = 1e-12 * threshold.abs();
        if slope > 0.0 { (threshold + rounding - self.cost(rank)) / slope } else { f64::INFINITY }
    }

    fn make(&mut self, transfer: &Transfer<'_>) {
        self.totals.apply(transfer);
        let ends = [transfer.from, transfer.to];
        for (rank, work) in works_concerned(&self.totals, self.problem.model, ends) {
            self.works[rank.index()] = work;
            self.costs.renew(rank, Seconds(work.cost()));
        }
        if let Some(by_fullness) = &mut self.by_fullness {
            for rank in ends {
                by_fullness.renew(rank, fullness(self.problem.model, self.totals.rank(rank)));
            }
        }
    }
}
