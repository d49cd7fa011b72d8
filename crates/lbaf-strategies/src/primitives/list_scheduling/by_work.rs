// SPDX-License-Identifier: MIT OR Apache-2.0
//! List scheduling if communication or homing adds to work.

use std::cmp::Reverse;
use std::iter;
use std::ops::ControlFlow;

use lbaf_model::{Assignment, Bundle, Phase, RankId, RankTotals, Slot, Totals, Transfer, View, WorkModel};
use smallvec::SmallVec;

use super::certain_cost::{Arrival, Certain};
use super::cost_heap::CostHeap;
use super::cost_order::CostOrder;
use super::placing_order::PlacingOrder;
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
    /// The object that is placed next.
    arrival: Arrival,
    costs: CostOrder,
    /// The same costs, for the ranks with the least.
    least_costs: CostHeap,
    /// Totals of all objects, if the model has bounds.
    totals: Option<Totals<'a>>,
    by_fullness: Option<RankOrder<Seconds>>,
    /// Work for a second of load on a rank with alpha 1, and on the fastest rank.
    slope: f64,
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

/// Totals of the current rank without an object.
struct Leave<'t, 'a> {
    totals: &'t Totals<'a>,
    bundle: Bundle,
    without: RankTotals,
}

/// Ranks that are evaluated for an object.
type Ranks = SmallVec<[RankId; 3 * FEW]>;

/// Hands out all migratable objects, longest first, each to the best of a few ranks. An object stays if its current
/// rank is within its bounds and, with the object, has work of at most `stay_within`.
pub(super) fn hand_out(problem: &Problem<'_>, stay_within: f64, cancel: &Cancel) -> Assignment {
    let order = PlacingOrder::new(problem.phase, &Pooled::all(problem).objects);
    let placed = UnderWay::new(problem, &order).place_all(&order, cancel, |under_way, slot| {
        Some(under_way.staying(slot, stay_within).unwrap_or_else(|| under_way.least_worked(slot)))
    });
    placed.unwrap_or_else(|| problem.initial.clone())
}

impl<'a> UnderWay<'a> {
    /// Places the non-migratable objects. O(objects + edges + ranks log ranks).
    pub(crate) fn new(problem: &Problem<'a>, order: &PlacingOrder<'_>) -> Self {
        let Problem { phase, initial, model, .. } = *problem;
        let mut certain = Certain::new(phase, model);
        let mut arrival = Arrival::new(phase.n_ranks());
        order.for_fixed(|next| {
            certain.expect(next, &mut arrival);
            certain.place(&arrival, initial.rank_of(next.slot));
        });
        let costs = CostOrder::new(phase.rank_ids().map(|rank| Seconds(certain.cost(rank))).collect());
        let least_costs = CostHeap::new(costs.costs());
        let totals = (!model.bounds().is_empty()).then(|| Totals::new(phase, initial.clone()));
        let by_fullness = totals.as_ref().and_then(|totals| by_fullness(model, totals));
        let fastest = phase.ranks().iter().map(|rank| rank.alpha).fold(f64::INFINITY, f64::min);
        let slope = model.load_floor().slope;
        UnderWay {
            phase,
            model,
            placement: initial.clone(),
            certain,
            arrival,
            costs,
            least_costs,
            totals,
            by_fullness,
            slope,
            least_slope: slope * fastest,
        }
    }

    /// Places all migratable objects in order, each on the chosen rank. Returns `None` if `choose` does, or if the run
    /// is cancelled.
    pub(crate) fn place_all(
        mut self,
        order: &PlacingOrder<'_>,
        cancel: &Cancel,
        mut choose: impl FnMut(&mut Self, Slot) -> Option<RankId> + Send,
    ) -> Option<Assignment> {
        let flow = order.try_for_migratable(|next| {
            self.certain.expect(next, &mut self.arrival);
            match choose(&mut self, next.slot).filter(|_| !cancel.is_cancelled()) {
                Some(rank) => {
                    self.place(next.slot, rank);
                    ControlFlow::Continue(())
                }
                None => ControlFlow::Break(()),
            }
        });
        flow.is_continue().then_some(self.placement)
    }

    /// Places the next object. O(degree).
    fn place(&mut self, slot: Slot, rank: RankId) {
        let current = self.placement.rank_of(slot);
        if let Some(totals) = self.totals.as_mut().filter(|_| rank != current) {
            totals.apply(&Transfer { from: current, to: rank, objects: &[slot], returned: &[] });
            for rank in [current, rank] {
                let full = fullness(self.model, totals.rank(rank));
                self.by_fullness.iter_mut().for_each(|by_fullness| by_fullness.renew(rank, full));
            }
        }
        self.placement.set(slot, rank);
        self.certain.place(&self.arrival, rank);
        let partners = self.arrival.partners().map(|(partner, _)| partner).filter(|&partner| partner != rank);
        for changed in iter::once(rank).chain(partners) {
            let cost = Seconds(self.certain.cost(changed));
            self.costs.set(changed, cost);
            self.least_costs.lower(changed, cost);
        }
    }

    /// Returns the candidate rank with the lowest cost including the object; in a tie, the lowest [extra](Offer::extra)
    /// cost.
    ///
    /// Candidates are the ranks with the least work, the current rank if it is within its bounds, the ranks of
    /// partners, the home of the block and, with bounds, ranks that hold the block. The object stays if no other rank
    /// can hold it.
    pub(crate) fn least_worked(&mut self, slot: Slot) -> RankId {
        let current = self.placement.rank_of(slot);
        let mut least_costs = std::mem::take(&mut self.least_costs);
        let lowest = least_costs.ascending(self.costs.costs());
        let candidates = self.candidates(slot, self.concerned(slot), lowest);
        self.least_costs = least_costs;
        let mut best: Option<(Seconds, Seconds, RankId)> = None;
        for rank in candidates {
            if best.is_none_or(|(cost, ..)| self.least_cost(rank) <= cost.0) {
                let Offer { cost, extra, .. } = self.offer(rank);
                let offer = (Seconds(cost), Seconds(extra), rank);
                best = Some(best.map_or(offer, |best| best.min(offer)));
            }
        }
        best.map_or(current, |(_, _, rank)| rank)
    }

    /// Returns the best candidate rank whose cost with the object is at most `capacity`, or `None` if there is none.
    ///
    /// The best rank has the smallest [extra](Offer::extra) cost. Of equal extra costs, `wished` is best, or else the
    /// rank with the least remaining room. Candidates are `wished` and the candidates of
    /// [`least_worked`](Self::least_worked), with the least room instead of the least work.
    pub(crate) fn best_fit(&mut self, slot: Slot, capacity: f64, wished: Option<RankId>) -> Option<RankId> {
        let highest = Seconds(capacity - self.least_slope * self.arrival.load);
        self.costs.settle_all();
        let others = wished.into_iter().chain(self.costs.down_from(highest));
        // Sums in a different order differ by rounding.
        let rounding = 1e-12 * capacity.abs();
        let candidates = self.candidates(slot, self.concerned(slot), others).into_iter();
        let conceivable = candidates.filter(|&rank| self.least_cost(rank) <= capacity + rounding);
        let offers = conceivable.map(|rank| self.offer(rank));
        let fitting = offers.filter(|offer| offer.cost <= capacity + rounding);
        let best = fitting.min_by_key(|offer| {
            let extra = if offer.extra.abs() <= rounding { 0.0 } else { offer.extra };
            (Seconds(extra), Some(offer.rank) != wished, Reverse(Seconds(offer.cost)), offer.rank)
        });
        best.map(|offer| offer.rank)
    }

    /// Returns the current rank of the next object if it is within its bounds and costs at most `cost` with the object.
    fn staying(&self, slot: Slot, cost: f64) -> Option<RankId> {
        let rank = self.placement.rank_of(slot);
        let stays = cost > f64::NEG_INFINITY && self.may_stay(slot) && self.offer(rank).cost <= cost;
        stays.then_some(rank)
    }

    /// True if the current rank of an object is within its bounds.
    fn may_stay(&self, slot: Slot) -> bool {
        let rank = self.placement.rank_of(slot);
        !self.totals.as_ref().is_some_and(|totals| totals.work(self.model, rank).is_over_bound())
    }

    /// Returns the offer of a rank for the next object.
    fn offer(&self, rank: RankId) -> Offer {
        let cost = self.certain.cost_with(&self.arrival, rank);
        Offer { rank, cost, extra: cost - self.costs.cost(rank) - self.load_cost(rank) }
    }

    /// Returns a lower limit of the cost of a rank with the next object: volumes never lower the cost.
    fn least_cost(&self, rank: RankId) -> f64 {
        let cost = self.costs.cost(rank) + self.load_cost(rank);
        // Sums in a different order differ by rounding.
        cost - 1e-9 * cost.abs()
    }

    /// Returns the work of the load of the next object on a rank.
    fn load_cost(&self, rank: RankId) -> f64 {
        self.slope * self.phase.ranks()[rank.index()].alpha * self.arrival.load
    }

    /// Returns candidates that can hold an object: the first of `others`, the current rank if it is within its bounds,
    /// and the [concerned](Self::concerned) ranks. If none of `others` has room, the least full ranks are used instead.
    fn candidates(&self, slot: Slot, concerned: Ranks, others: impl Iterator<Item = RankId>) -> Ranks {
        let current = self.placement.rank_of(slot);
        let leave = self.totals.as_ref().map(|totals| {
            let bundle = totals.bundle(current, &[slot]);
            let without = totals.without(&bundle);
            Leave { totals, bundle, without }
        });
        let can_hold = |rank: RankId| leave.as_ref().is_none_or(|leave| self.can_hold(leave, rank));
        let few = |ranks: &mut dyn Iterator<Item = RankId>| -> Ranks {
            let asked = ranks.filter(|&rank| rank != current && !concerned.contains(&rank)).take(MANY);
            asked.filter(|&rank| can_hold(rank)).take(FEW).collect()
        };
        let mut candidates = few(&mut { others });
        if let Some(by_fullness) = self.by_fullness.as_ref().filter(|_| candidates.is_empty()) {
            candidates = few(&mut by_fullness.ascending());
        }
        candidates.extend(self.may_stay(slot).then_some(current));
        candidates.extend(concerned.into_iter().filter(|&rank| can_hold(rank)));
        candidates
    }

    /// Returns the ranks of the partners with the largest volume, the home of the block and, with bounds, ranks that
    /// hold the block, except the current rank.
    fn concerned(&self, slot: Slot) -> Ranks {
        // Of equal volumes, the lowest rank comes first. Volumes are not negative, so their bits have the same order.
        let key =
            |(rank, bytes): (RankId, f64)| u128::from(!bytes.to_bits()) << u32::BITS | u128::from(rank.0);
        let mut partners: SmallVec<[u128; 32]> = self.arrival.partners().map(key).collect();
        if partners.len() > FEW {
            partners.select_nth_unstable(FEW);
        }
        let mut ranks: Ranks = partners.into_iter().map(|key| RankId(key as u32)).take(FEW).collect();
        if let Some(block) = self.arrival.block {
            let holders = self.totals.iter().flat_map(|totals| totals.holders(block));
            ranks.extend(holders.map(|(rank, _)| rank).take(FEW));
            ranks.push(self.phase.blocks()[block.index()].home);
        }
        ranks.sort_unstable();
        ranks.dedup();
        ranks.retain(|rank| *rank != self.placement.rank_of(slot));
        ranks
    }

    /// True if no excess over bounds grows when `rank` receives the object.
    fn can_hold(&self, leave: &Leave<'_, '_>, rank: RankId) -> bool {
        let Leave { totals, bundle, without } = leave;
        let with = totals.with(rank, bundle);
        let excess = |rank| totals.work(self.model, rank).excess();
        let (from, to) = totals.works_if(self.model, (bundle.rank(), without), (rank, &with));
        to.excess() <= excess(rank) && from.excess() <= excess(bundle.rank())
    }
}
