// SPDX-License-Identifier: MIT OR Apache-2.0
//! State of the placement during optimization.

use lbaf_model::{Phase, RankId, Slot, Totals, Transfer, View, Work, WorkModel};

use super::groups::{Group, Groups, Shared};
use crate::primitives::rank_order::RankOrder;
use crate::primitives::seconds::Seconds;
use crate::primitives::works::works_concerned;
use crate::{Cancel, Problem};

/// Placement with its totals, groups of objects and sorted ranks.
pub(super) struct Placement<'a> {
    model: &'a dyn WorkModel,
    totals: Totals<'a>,
    groups: Vec<Groups>,
    /// Work of every rank.
    works: Vec<Work>,
    /// All ranks sorted by the cost of their work.
    ladder: RankOrder<Seconds>,
    /// Work per second of load, for every rank.
    slopes: Vec<f64>,
    /// Seconds of load per unit of work, summed over ranks.
    speed: f64,
    /// Seconds of load that correspond to the work of all ranks.
    load: f64,
    /// Number of objects moved in the current stage. Repeated moves of an object count each time.
    pub(super) n_transfers: usize,
    /// Number of transfers that were evaluated and rejected in the current stage.
    pub(super) n_rejections: usize,
}

impl<'a> Placement<'a> {
    /// Creates the initial state. O(objects log objects + edges).
    pub(super) fn new(problem: &Problem<'a>, cancel: &Cancel) -> Self {
        let Problem { phase, initial, model, .. } = *problem;
        let totals = Totals::new(phase, initial.clone());
        let works: Vec<Work> = phase.rank_ids().map(|rank| totals.work(model, rank)).collect();
        let ladder = RankOrder::new(works.iter().map(|work| Seconds(work.cost())));
        let slope = model.load_floor().slope;
        // If load adds nothing to work, any slope is suitable.
        let slopes = phase.ranks().iter().map(|rank| slope * rank.alpha);
        let slopes: Vec<f64> = slopes.map(|slope| if slope > 0.0 { slope } else { 1.0 }).collect();
        let groups = Groups::of_ranks(phase, initial, cancel);
        Placement {
            model,
            totals,
            groups,
            ladder,
            speed: slopes.iter().map(|slope| 1.0 / slope).sum(),
            load: works.iter().zip(&slopes).map(|(work, slope)| work.cost() / slope).sum(),
            works,
            slopes,
            n_transfers: 0,
            n_rejections: 0,
        }
    }

    pub(super) fn phase(&self) -> &'a Phase {
        self.totals.phase()
    }

    pub(super) fn totals(&self) -> &Totals<'a> {
        &self.totals
    }

    /// Returns the current groups of a rank, the largest load first.
    pub(super) fn groups_of(&self, rank: RankId) -> Vec<(Shared, Group)> {
        let groups = self.groups[rank.index()].by_load();
        groups.into_iter().map(|(shared, group)| (shared, group.clone())).collect()
    }

    pub(super) fn has_bounds(&self) -> bool {
        !self.model.bounds().is_empty()
    }

    pub(super) fn cost(&self, rank: RankId) -> f64 {
        self.works[rank.index()].cost()
    }

    pub(super) fn excess(&self, rank: RankId) -> f64 {
        self.works[rank.index()].excess()
    }

    /// Returns the rank with the most work; of equal works, the last rank.
    pub(super) fn most_loaded(&self) -> Option<RankId> {
        self.ladder.highest()
    }

    /// Returns the first rank other than `but` in ascending order of work, starting after the rank `after`. O(log
    /// ranks).
    pub(super) fn next_taker(&self, after: Option<RankId>, but: RankId) -> Option<RankId> {
        match after {
            Some(rank) => self.ladder.after(rank).find(|&rank| rank != but),
            None => self.ladder.ascending().find(|&rank| rank != but),
        }
    }

    /// Returns the work of every rank if load were divisible: the mean over ranks, weighted by speed.
    pub(super) fn level(&self) -> f64 {
        self.load / self.speed
    }

    /// Returns the load that `from` should give to `to`.
    ///
    /// The load brings one rank to the level, and neither rank beyond. If both ranks are above the level, the load
    /// makes them equal.
    pub(super) fn aim(&self, from: RankId, to: RankId, level: f64) -> f64 {
        let [above, below] = [self.cost(from) - level, level - self.cost(to)];
        let [slope_from, slope_to] = [from, to].map(|rank| self.slopes[rank.index()]);
        if below > 0.0 {
            (above / slope_from).min(below / slope_to)
        } else {
            (self.cost(from) - self.cost(to)) / (slope_from + slope_to)
        }
    }

    /// Returns the larger work of both ranks after a transfer, if it is below `limit` and no excess over a bound
    /// grows.
    pub(super) fn consider(&mut self, transfer: &Transfer<'_>, limit: f64) -> Option<f64> {
        let after = self.works_after(transfer).map(|(from, to)| from.cost().max(to.cost()));
        let accepted = after.filter(|&cost| cost < limit);
        self.n_rejections += usize::from(accepted.is_none());
        accepted
    }

    /// True if a transfer reduces the giver's excess over its bounds and leaves both ranks below `limit`.
    pub(super) fn relieves(&mut self, transfer: &Transfer<'_>, limit: f64) -> bool {
        let relieved = self.works_after(transfer).is_some_and(|(from, to)| {
            from.excess() < self.excess(transfer.from) && from.cost().max(to.cost()) < limit
        });
        self.n_rejections += usize::from(!relieved);
        relieved
    }

    /// Returns the work of both ranks after a transfer, if no excess over a bound grows.
    fn works_after(&self, transfer: &Transfer<'_>) -> Option<(Work, Work)> {
        let (from, to) = self.totals.works_after(self.model, transfer);
        let keeps = from.excess() <= self.excess(transfer.from) && to.excess() <= self.excess(transfer.to);
        keeps.then_some((from, to))
    }

    /// Makes a transfer. The objects of each direction must belong to one group.
    pub(super) fn apply(&mut self, transfer: &Transfer<'_>) {
        let phase = self.phase();
        self.totals.apply(transfer);
        let Transfer { from, to, objects, returned } = *transfer;
        for (slots, giver, taker) in [(objects, from, to), (returned, to, from)] {
            self.groups[giver.index()].remove(phase, slots);
            self.groups[taker.index()].add(phase, slots);
        }
        self.n_transfers += objects.len() + returned.len();
        for (rank, work) in works_concerned(&self.totals, self.model, [from, to]) {
            self.load += (work.cost() - self.cost(rank)) / self.slopes[rank.index()];
            self.works[rank.index()] = work;
            self.ladder.renew(rank, Seconds(work.cost()));
        }
    }

    pub(super) fn into_totals(self) -> Totals<'a> {
        self.totals
    }
}

/// Returns a transfer without return.
pub(super) fn gift(from: RankId, to: RankId, objects: &[Slot]) -> Transfer<'_> {
    Transfer { from, to, objects, returned: &[] }
}
