// SPDX-License-Identifier: MIT OR Apache-2.0
//! Input of the lower bounds: fixed work of ranks, and items to be placed on them.

use super::fixed_part::FixedPart;
use super::items::Items;
use super::rounding::{Rounding, down};
use super::{Culprit, Limit, LowerBound};
use crate::{LoadFloor, Phase, RankId, WorkModel, WorkTerms};

/// Ranks, and items to be placed on them.
///
/// With `l` seconds of items, rank `r` has at least the work `base_r + cost_r x l`, plus the constant of the model.
/// The module [`lower_bound`](super) defines items, fixed part and base work.
pub(super) struct Instance<'a> {
    pub(super) phase: &'a Phase,
    /// Items to be placed: migratable objects, or clusters of them.
    pub(super) items: Items,
    /// Work per second of load, by rank.
    pub(super) cost: Vec<f64>,
    /// The smallest of these costs.
    pub(super) cheapest: f64,
    /// Seconds of non-migratable load, by rank.
    pub(super) sentinels: Vec<f64>,
    /// Base work of each rank, without the constant: work of its fixed part or, if `fixed` is `None`, of its
    /// sentinels.
    pub(super) base: Vec<f64>,
    /// Constant work of every rank.
    pub(super) constant: f64,
    /// Fixed part of each rank; `None` if bytes have no cost, or if the terms of the model are unknown.
    pub(super) fixed: Option<FixedPart>,
    /// Rounding of the bounds.
    pub(super) rounding: Rounding,
}

impl<'a> Instance<'a> {
    /// Creates the instance of a phase and a work model. O(objects + ranks), plus O(objects log objects +
    /// edges) if bytes have a cost.
    pub(super) fn new(phase: &'a Phase, model: &dyn WorkModel, items: Items) -> Self {
        let LoadFloor { slope, constant } = model.load_floor();
        let cost = phase.ranks().iter().map(|rank| slope * rank.alpha).collect();
        let mut instance = Instance { constant, ..Instance::of_cost(phase, items, cost) };
        let costs_bytes =
            |terms: WorkTerms| terms.off_rank > 0.0 || terms.on_rank > 0.0 || terms.homing > 0.0;
        if model.terms().is_some_and(costs_bytes) {
            let fixed = FixedPart::new(phase, model);
            for (base, totals) in instance.base.iter_mut().zip(&fixed.totals) {
                *base = base.max(model.work(totals).cost() - constant);
            }
            instance.rounding = instance.rounding.with_fixed_terms(fixed.n_terms);
            instance.fixed = Some(fixed);
        }
        instance
    }

    /// Creates an instance in which only load counts and all ranks have the same speed.
    pub(super) fn of_load(phase: &'a Phase, items: Items) -> Self {
        Instance::of_cost(phase, items, vec![1.0; phase.n_ranks()])
    }

    fn of_cost(phase: &'a Phase, items: Items, cost: Vec<f64>) -> Self {
        let stays = phase.slots().filter(|&slot| !phase.is_migratable(slot));
        let at = phase.recorded_assignment();
        let sentinels = stays.map(|slot| (at.rank_of(slot), phase.load(slot))).collect::<Vec<_>>();
        Instance::with_sentinels(phase, items, cost, &sentinels)
    }

    /// Creates an instance in which only load counts, with rank and load of each sentinel in `seconds`.
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
            fixed: None,
        }
    }

    /// Returns the number of ranks.
    pub(super) fn n_ranks(&self) -> usize {
        self.cost.len()
    }

    /// Returns the least base work of any rank.
    pub(super) fn least(&self) -> f64 {
        self.base.iter().copied().reduce(f64::min).unwrap_or(0.0)
    }

    /// Creates a lower bound: adds the constant to `work` and rounds down.
    pub(super) fn bound(&self, limit: Limit, work: f64, culprit: Option<(Culprit, f64)>) -> LowerBound {
        let unrounded = work + self.constant;
        let work = self.rounding.down(unrounded, &self.items, self.seconds_within(work));
        LowerBound { limit, work, unrounded, culprit, within_bounds: limit == Limit::Memory }
    }

    /// Returns the largest load of items on a rank whose work without the constant is at most `work`. Infinite if
    /// load has no cost on some rank.
    fn seconds_within(&self, work: f64) -> f64 {
        if self.cheapest > 0.0 { work / self.cheapest } else { f64::INFINITY }
    }

    /// Returns `work` minus the largest rounding error of a sum over all objects of a rank and `n` more terms.
    pub(super) fn rounded_down_with(&self, work: f64, n: usize) -> f64 {
        down(work, self.rounding.n_terms(&self.items, self.seconds_within(work)) + n)
    }

    /// Returns `work` minus the largest rounding error of a sum over the fixed part of a rank and `n_volumes`
    /// volumes.
    pub(super) fn rounded_down(&self, work: f64, n_volumes: usize) -> f64 {
        let n_fixed = self.fixed.as_ref().map_or(0, |fixed| fixed.n_terms);
        down(work, n_fixed + self.rounding.n_sentinels() + n_volumes)
    }

    /// Creates a lower bound from a `work` that is a single term of the work of a rank, or the sum of its sentinels.
    /// It is not rounded down: addition of a non-negative number never lowers a floating-point sum, so the computed
    /// work of the rank is at least `work`.
    pub(super) fn bound_by_term(
        &self,
        limit: Limit,
        work: f64,
        culprit: Option<(Culprit, f64)>,
    ) -> LowerBound {
        let work = work + self.constant;
        LowerBound { limit, work, unrounded: work, culprit, within_bounds: false }
    }

    /// Returns the seconds of items that fit on a rank whose work without the constant is at most `work`, given its
    /// base work and its work per second of load (`cost`). Infinite if `cost` is 0.
    #[inline]
    pub(super) fn capacity(base: f64, cost: f64, work: f64) -> f64 {
        // The tolerance is needed because sums in another order may be smaller by rounding.
        let capacity = work * (1.0 + super::level::ROUNDING) - base;
        if cost > 0.0 { capacity.max(0.0) / cost } else { f64::INFINITY }
    }
}
