// SPDX-License-Identifier: MIT OR Apache-2.0
//! A phase as bounds see it: what ranks cost already, and what is to be placed on them.

use super::certain::Certain;
use super::items::Items;
use super::rounding::{Rounding, down};
use super::{Culprit, Limit, LowerBound};
use crate::{LoadFloor, Phase, RankId, WorkModel, WorkTerms};

/// Ranks, and items that are to be placed on them.
///
/// A rank `r` with `l` seconds of items costs at least `base_r + cost_r x l`, beside the constant of the model.
pub(super) struct Instance<'a> {
    pub(super) phase: &'a Phase,
    /// Items that may move.
    pub(super) items: Items,
    /// Work per second of load, by rank.
    pub(super) cost: Vec<f64>,
    /// The least of these.
    pub(super) cheapest: f64,
    /// Seconds of load that may not move, by rank.
    pub(super) sentinels: Vec<f64>,
    /// Work that is certain, by rank, without the constant.
    pub(super) base: Vec<f64>,
    /// Work that every rank has on top.
    pub(super) constant: f64,
    /// Sources of the base beside load, where bytes cost something.
    pub(super) certain: Option<Certain>,
    /// Rounding of the bounds.
    pub(super) rounding: Rounding,
}

impl<'a> Instance<'a> {
    /// O(objects + ranks), and O(edges) where communication costs something.
    pub(super) fn new(phase: &'a Phase, model: &dyn WorkModel, items: Items) -> Self {
        let LoadFloor { slope, constant } = model.load_floor();
        let cost = phase.ranks().iter().map(|rank| slope * rank.alpha).collect();
        let mut instance = Instance { constant, ..Instance::of_cost(phase, items, cost) };
        let costs_bytes =
            |terms: WorkTerms| terms.off_rank > 0.0 || terms.on_rank > 0.0 || terms.homing > 0.0;
        if model.terms().is_some_and(costs_bytes) {
            let certain = Certain::new(phase, model);
            for (base, totals) in instance.base.iter_mut().zip(&certain.totals) {
                *base = base.max(model.work(totals).cost() - constant);
            }
            instance.rounding = instance.rounding.beside(certain.n_terms);
            instance.certain = Some(certain);
        }
        instance
    }

    /// Load alone, on ranks of the same speed.
    pub(super) fn of_load(phase: &'a Phase, items: Items) -> Self {
        Instance::of_cost(phase, items, vec![1.0; phase.n_ranks()])
    }

    fn of_cost(phase: &'a Phase, items: Items, cost: Vec<f64>) -> Self {
        let stays = phase.slots().filter(|&slot| !phase.is_migratable(slot));
        let at = phase.recorded_assignment();
        let sentinels = stays.map(|slot| (at.rank_of(slot), phase.load(slot))).collect::<Vec<_>>();
        Instance::with_sentinels(phase, items, cost, &sentinels)
    }

    /// Load alone, beside what may not move: its ranks and seconds.
    pub(super) fn with_sentinels(
        phase: &'a Phase,
        items: Items,
        cost: Vec<f64>,
        seconds: &[(RankId, f64)],
    ) -> Self {
        let mut sentinels = vec![0.0; phase.n_ranks()];
        let mut n_sentinels = vec![0; phase.n_ranks()];
        for &(rank, seconds) in seconds {
            sentinels[rank.index()] += seconds;
            n_sentinels[rank.index()] += usize::from(seconds > 0.0);
        }
        let most = n_sentinels.into_iter().max().unwrap_or(0);
        Instance {
            phase,
            rounding: Rounding::new(&cost, &items, seconds.iter().map(|&(_, seconds)| seconds), most),
            items,
            cheapest: cost.iter().copied().reduce(f64::min).unwrap_or(0.0),
            base: cost.iter().zip(&sentinels).map(|(cost, load)| cost * load).collect(),
            cost,
            sentinels,
            constant: 0.0,
            certain: None,
        }
    }

    /// Number of ranks.
    pub(super) fn n_ranks(&self) -> usize {
        self.cost.len()
    }

    /// The least that is certain of any rank.
    pub(super) fn least(&self) -> f64 {
        self.base.iter().copied().reduce(f64::min).unwrap_or(0.0)
    }

    /// A bound on work, of which the constant is no part yet.
    pub(super) fn bound(&self, limit: Limit, work: f64, culprit: Option<(Culprit, f64)>) -> LowerBound {
        let unrounded = work + self.constant;
        let work = self.rounding.down(unrounded, &self.items, self.seconds_within(work));
        LowerBound { limit, work, unrounded, culprit, within_bounds: limit == Limit::Memory }
    }

    /// Seconds of items that no rank with so much work exceeds.
    fn seconds_within(&self, work: f64) -> f64 {
        if self.cheapest > 0.0 { work / self.cheapest } else { f64::INFINITY }
    }

    /// Work rounded down by what sums of all objects of a rank, and of `n` more terms, may lose.
    pub(super) fn rounded_down_with(&self, work: f64, n: usize) -> f64 {
        down(work, self.rounding.n_terms(&self.items, self.seconds_within(work)) + n)
    }

    /// Work that is summed up from what is certain and so many volumes, rounded down.
    pub(super) fn rounded_down(&self, work: f64, n_volumes: usize) -> f64 {
        let n_certain = self.certain.as_ref().map_or(0, |certain| certain.n_terms);
        down(work, n_certain + self.rounding.n_sentinels() + n_volumes)
    }

    /// A bound by a part of every work: it holds as it is, because sums round to no less than a term.
    pub(super) fn bound_by_term(
        &self,
        limit: Limit,
        work: f64,
        culprit: Option<(Culprit, f64)>,
    ) -> LowerBound {
        let work = work + self.constant;
        LowerBound { limit, work, unrounded: work, culprit, within_bounds: false }
    }

    /// Seconds of items that a rank takes at most, if it has `work` at most, without the constant. Infinite where
    /// load costs nothing.
    #[inline]
    pub(super) fn room(base: f64, cost: f64, work: f64) -> f64 {
        // Sums in another order may be less by rounding.
        let room = work * (1.0 + super::level::ROUNDING) - base;
        if cost > 0.0 { room.max(0.0) / cost } else { f64::INFINITY }
    }
}
