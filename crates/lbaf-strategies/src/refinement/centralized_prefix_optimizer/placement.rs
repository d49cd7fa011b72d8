// SPDX-License-Identifier: MIT OR Apache-2.0
//! A placement that is being improved: totals, groups of objects, and the ranks in the order of their work.

use lbaf_model::{Phase, RankId, Slot, Totals, Transfer, View, Work, WorkModel};

use super::groups::{Group, Groups, Shared};
use crate::primitives::rank_order::RankOrder;
use crate::primitives::seconds::Seconds;
use crate::primitives::works::works_concerned;
use crate::{Cancel, Problem};

/// Everything that the stages look at, kept up to date under transfers.
pub(super) struct Placement<'a> {
    model: &'a dyn WorkModel,
    totals: Totals<'a>,
    groups: Vec<Groups>,
    /// Work of every rank.
    works: Vec<Work>,
    /// All ranks by the cost of their work.
    ladder: RankOrder<Seconds>,
    /// Work per second of load, of every rank.
    slopes: Vec<f64>,
    /// Seconds of load that all ranks together run in a unit of work, and those that their work stands for.
    speed: f64,
    load: f64,
    /// Objects that changed rank.
    pub(super) n_transfers: usize,
    /// Transfers that were considered and rejected.
    pub(super) n_rejections: usize,
}

impl<'a> Placement<'a> {
    /// The placement to start from, without all groups once a stop is requested. O(objects log objects + edges).
    pub(super) fn new(problem: &Problem<'a>, cancel: &Cancel) -> Self {
        let Problem { phase, initial, model, .. } = *problem;
        let totals = Totals::new(phase, initial.clone());
        let works: Vec<Work> = phase.rank_ids().map(|rank| totals.work(model, rank)).collect();
        let ladder = RankOrder::new(works.iter().map(|work| Seconds(work.cost())));
        let slope = model.load_floor().slope;
        // Where load costs nothing, any slope will do: what counts is decided by the model.
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

    /// The groups of a rank as they are now, the largest load first.
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

    /// The rank of most work, of several the last.
    pub(super) fn most_loaded(&self) -> Option<RankId> {
        self.ladder.highest()
    }

    /// The rank of least work other than one, or the next after a rank. O(log ranks).
    pub(super) fn next_taker(&self, after: Option<RankId>, but: RankId) -> Option<RankId> {
        match after {
            Some(rank) => self.ladder.after(rank).find(|&rank| rank != but),
            None => self.ladder.ascending().find(|&rank| rank != but),
        }
    }

    /// The work that every rank would have if load could be divided at will: the mean over ranks, those that are
    /// faster counting for more.
    pub(super) fn level(&self) -> f64 {
        self.load / self.speed
    }

    /// The load that `from` should give to `to`: what takes one of them to the level and neither beyond. Where
    /// both are above it, what makes them equal.
    pub(super) fn aim(&self, from: RankId, to: RankId, level: f64) -> f64 {
        let [above, below] = [self.cost(from) - level, level - self.cost(to)];
        let [slope_from, slope_to] = [from, to].map(|rank| self.slopes[rank.index()]);
        if below > 0.0 {
            (above / slope_from).min(below / slope_to)
        } else {
            (self.cost(from) - self.cost(to)) / (slope_from + slope_to)
        }
    }

    /// The larger work of both ends after a transfer, if it is below `limit` and neither end exceeds its bounds
    /// by more than before.
    pub(super) fn consider(&mut self, transfer: &Transfer<'_>, limit: f64) -> Option<f64> {
        let after = self.works_after(transfer).map(|(from, to)| from.cost().max(to.cost()));
        let accepted = after.filter(|&cost| cost < limit);
        self.n_rejections += usize::from(accepted.is_none());
        accepted
    }

    /// Whether a transfer leaves the giver less far over its bounds, and both ends below `limit`.
    pub(super) fn relieves(&mut self, transfer: &Transfer<'_>, limit: f64) -> bool {
        let relieved = self.works_after(transfer).is_some_and(|(from, to)| {
            from.excess() < self.excess(transfer.from) && from.cost().max(to.cost()) < limit
        });
        self.n_rejections += usize::from(!relieved);
        relieved
    }

    /// Work of both ends after a transfer that takes neither further over its bounds.
    fn works_after(&self, transfer: &Transfer<'_>) -> Option<(Work, Work)> {
        let (from, to) = self.totals.works_after(self.model, transfer);
        let keeps = from.excess() <= self.excess(transfer.from) && to.excess() <= self.excess(transfer.to);
        keeps.then_some((from, to))
    }

    /// Makes a transfer of objects that share a block, each way.
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

/// The transfer of objects for nothing.
pub(super) fn gift(from: RankId, to: RankId, objects: &[Slot]) -> Transfer<'_> {
    Transfer { from, to, objects, returned: &[] }
}
