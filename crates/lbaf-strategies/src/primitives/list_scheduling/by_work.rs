// SPDX-License-Identifier: MIT OR Apache-2.0
//! List scheduling if communication or homing adds to work.

use std::cmp::Reverse;

use lbaf_model::{Assignment, Bundle, Phase, RankId, RankTotals, Slot, Totals, Transfer, View, WorkModel};

use super::certain_cost::{Certain, Volumes};
use super::cost_order::CostOrder;
use crate::primitives::pool::Pooled;
use crate::primitives::rank_order::{RankOrder, by_fullness, fullness};
use crate::primitives::seconds::Seconds;
use crate::{Cancel, Problem};

/// Maximum number of ranks of each kind that are evaluated for an object.
///
/// The kinds are ranks with the least work or the least room, ranks of partners, and ranks that hold the block.
const FEW: usize = 8;

/// Maximum number of ranks that are checked for room until [`FEW`] ranks have room.
const MANY: usize = 64;

/// Placement under construction, with placed and waiting objects.
///
/// The cost of a rank covers only the placed objects. Bounds are checked as if every waiting object were on its
/// initial rank, so a feasible start leads to a feasible placement.
#[derive(Clone)]
pub(crate) struct UnderWay<'a> {
    phase: &'a Phase,
    model: &'a dyn WorkModel,
    placement: Assignment,
    certain: Certain<'a>,
    costs: CostOrder,
    /// Totals of all objects, if the model has bounds.
    totals: Option<Totals<'a>>,
    by_fullness: Option<RankOrder<Seconds>>,
    /// Work for a second of load on the fastest rank.
    least_slope: f64,
}

/// Candidate rank for an object.
#[derive(Clone, Copy)]
pub(crate) struct Offer {
    rank: RankId,
    /// Cost of the rank with the object.
    cost: f64,
    /// Increase in cost beyond the work of the object's load.
    extra: f64,
}

/// Rank chosen for an object, with the volumes of the object for its placement.
pub(crate) struct Choice {
    slot: Slot,
    rank: RankId,
    volumes: Volumes,
}

/// Totals of the current rank without an object.
struct Leave<'t, 'a> {
    totals: &'t Totals<'a>,
    bundle: Bundle,
    without: RankTotals,
}

/// Hands out all migratable objects, longest first, each to the best of a few ranks. An object stays if its current
/// rank is within its bounds and, with the object, has work of at most `stay_within`.
pub(super) fn hand_out(problem: &Problem<'_>, stay_within: f64, cancel: &Cancel) -> Assignment {
    let pool = Pooled::all(problem);
    let mut under_way = UnderWay::new(problem);
    for &slot in &pool.objects {
        if cancel.is_cancelled() {
            break;
        }
        let choice = under_way.staying(slot, stay_within).unwrap_or_else(|| under_way.least_worked(slot));
        under_way.place(choice);
    }
    under_way.into_assignment()
}

impl<'a> UnderWay<'a> {
    /// Places the non-migratable objects. O(objects + edges + ranks log ranks).
    pub(crate) fn new(problem: &Problem<'a>) -> Self {
        let Problem { phase, initial, model, .. } = *problem;
        let mut certain = Certain::new(phase, model);
        for slot in phase.slots().filter(|&slot| !phase.is_migratable(slot)) {
            let volumes = certain.volumes(slot);
            certain.place(slot, initial.rank_of(slot), &volumes);
        }
        let costs = CostOrder::new(phase.rank_ids().map(|rank| Seconds(certain.cost(rank))).collect());
        let totals = (!model.bounds().is_empty()).then(|| Totals::new(phase, initial.clone()));
        let by_fullness = totals.as_ref().and_then(|totals| by_fullness(model, totals));
        let fastest = phase.ranks().iter().map(|rank| rank.alpha).fold(f64::INFINITY, f64::min);
        let least_slope = model.load_floor().slope * fastest;
        UnderWay {
            phase,
            model,
            placement: initial.clone(),
            certain,
            costs,
            totals,
            by_fullness,
            least_slope,
        }
    }

    /// Returns the placement of all objects.
    pub(crate) fn into_assignment(self) -> Assignment {
        self.placement
    }

    /// Places a waiting object on its chosen rank. No other object may have been placed since the choice. O(degree x
    /// log ranks).
    pub(crate) fn place(&mut self, Choice { slot, rank, volumes }: Choice) {
        let current = self.placement.rank_of(slot);
        if let Some(totals) = self.totals.as_mut().filter(|_| rank != current) {
            totals.apply(&Transfer { from: current, to: rank, objects: &[slot], returned: &[] });
            for rank in [current, rank] {
                let full = fullness(self.model, totals.rank(rank));
                self.by_fullness.iter_mut().for_each(|by_fullness| by_fullness.renew(rank, full));
            }
        }
        self.placement.set(slot, rank);
        for changed in self.certain.place(slot, rank, &volumes) {
            self.costs.set(changed, Seconds(self.certain.cost(changed)));
        }
    }

    /// Returns the candidate rank with the lowest cost including the object; in a tie, the lowest [extra](Offer::extra)
    /// cost.
    ///
    /// Candidates are the ranks with the least work, the current rank, the ranks of partners, the home of the block
    /// and, with bounds, ranks that hold the block. The object stays if no other rank can hold it.
    pub(crate) fn least_worked(&mut self, slot: Slot) -> Choice {
        // The current rank and the concerned ranks are left out later.
        let n_others = 2 * FEW + 2 + if self.totals.is_some() { MANY } else { FEW };
        let lowest = self.costs.lowest(n_others);
        let volumes = self.certain.volumes(slot);
        let offers = self.offers(slot, &volumes, lowest.into_iter());
        let best =
            offers.into_iter().min_by_key(|offer| (Seconds(offer.cost), Seconds(offer.extra), offer.rank));
        let rank = best.map_or_else(|| self.placement.rank_of(slot), |offer| offer.rank);
        Choice { slot, rank, volumes }
    }

    /// Returns the best candidate rank whose cost with the object is at most `capacity`, or `None` if there is none.
    ///
    /// The best rank has the smallest [extra](Offer::extra) cost. Of equal extra costs, `wished` is best, or else the
    /// rank with the least remaining room. Candidates are `wished` and the candidates of
    /// [`least_worked`](Self::least_worked), with the least room instead of the least work.
    pub(crate) fn best_fit(&mut self, slot: Slot, capacity: f64, wished: Option<RankId>) -> Option<Choice> {
        let highest = Seconds(capacity - self.least_slope * self.phase.load(slot));
        self.costs.settle_all();
        let volumes = self.certain.volumes(slot);
        let offers = self.offers(slot, &volumes, wished.into_iter().chain(self.costs.down_from(highest)));
        // Sums in a different order differ by rounding.
        let rounding = 1e-12 * capacity.abs();
        let fitting = offers.into_iter().filter(|offer| offer.cost <= capacity + rounding);
        let best = fitting.min_by_key(|offer| {
            let extra = if offer.extra.abs() <= rounding { 0.0 } else { offer.extra };
            (Seconds(extra), Some(offer.rank) != wished, Reverse(Seconds(offer.cost)), offer.rank)
        });
        best.map(|offer| Choice { slot, rank: offer.rank, volumes })
    }

    /// Returns the current rank of a waiting object if this rank is within its bounds and costs at most `cost` with the
    /// object.
    fn staying(&self, slot: Slot, cost: f64) -> Option<Choice> {
        if cost == f64::NEG_INFINITY {
            return None;
        }
        let volumes = self.certain.volumes(slot);
        let here = self.stay(slot, &volumes)?;
        (here.cost <= cost).then_some(Choice { slot, rank: here.rank, volumes })
    }

    /// Returns the current rank of a waiting object as an offer, or `None` if this rank is over a bound.
    fn stay(&self, slot: Slot, volumes: &Volumes) -> Option<Offer> {
        let rank = self.placement.rank_of(slot);
        let is_over = |totals: &Totals<'_>| totals.work(self.model, rank).is_over_bound();
        (!self.totals.as_ref().is_some_and(is_over)).then(|| self.offer(slot, volumes, rank))
    }

    fn offer(&self, slot: Slot, volumes: &Volumes, rank: RankId) -> Offer {
        let cost = self.certain.cost_with(slot, volumes, rank);
        let slope = self.model.load_floor().slope * self.phase.ranks()[rank.index()].alpha;
        Offer { rank, cost, extra: cost - self.costs.cost(rank) - slope * self.phase.load(slot) }
    }

    /// Returns candidates that can hold an object: the current rank unless it is over a bound, the
    /// [concerned](Self::concerned) ranks, and the first of `others`. If none of `others` has room, the least full
    /// ranks are used instead.
    fn offers(&self, slot: Slot, volumes: &Volumes, others: impl Iterator<Item = RankId>) -> Vec<Offer> {
        let current = self.placement.rank_of(slot);
        let leave = self.totals.as_ref().map(|totals| {
            let bundle = totals.bundle(current, &[slot]);
            let without = totals.without(&bundle);
            Leave { totals, bundle, without }
        });
        let can_hold = |rank: RankId| leave.as_ref().is_none_or(|leave| self.can_hold(leave, rank));
        let concerned = self.concerned(slot, volumes);
        let few = |ranks: &mut dyn Iterator<Item = RankId>| -> Vec<RankId> {
            let asked = ranks.filter(|&rank| rank != current && !concerned.contains(&rank)).take(MANY);
            asked.filter(|&rank| can_hold(rank)).take(FEW).collect()
        };
        let mut others = few(&mut { others });
        if let Some(by_fullness) = self.by_fullness.as_ref().filter(|_| others.is_empty()) {
            others = few(&mut by_fullness.ascending());
        }
        let holding = concerned.iter().copied().filter(|&rank| can_hold(rank)).chain(others);
        let offers = holding.map(|rank| self.offer(slot, volumes, rank));
        self.stay(slot, volumes).into_iter().chain(offers).collect()
    }

    /// Returns the ranks of the partners with the largest volume, the home of the block and, with bounds, ranks that
    /// hold the block, except the current rank.
    fn concerned(&self, slot: Slot, volumes: &Volumes) -> Vec<RankId> {
        let mut partners: Vec<(RankId, f64)> = volumes.partners().collect();
        partners.sort_by_key(|&(rank, bytes)| (Reverse(Seconds(bytes)), rank));
        let mut ranks: Vec<RankId> = partners.into_iter().map(|(rank, _)| rank).take(FEW).collect();
        if let Some(block) = self.phase.memory(slot).block {
            let holders = self.totals.iter().flat_map(|totals| totals.holders(block));
            ranks.extend(holders.map(|(rank, _)| rank).take(FEW));
            ranks.push(self.phase.blocks()[block.index()].home);
        }
        ranks.sort_unstable();
        ranks.dedup();
        ranks.retain(|&rank| rank != self.placement.rank_of(slot));
        ranks
    }

    /// True if neither rank gets further over a bound when `rank` receives the object.
    fn can_hold(&self, leave: &Leave<'_, '_>, rank: RankId) -> bool {
        let Leave { totals, bundle, without } = leave;
        let with = totals.with(rank, bundle);
        let excess = |rank| totals.work(self.model, rank).excess();
        let (from, to) = totals.works_if(self.model, (bundle.rank(), without), (rank, &with));
        to.excess() <= excess(rank) && from.excess() <= excess(bundle.rank())
    }
}
