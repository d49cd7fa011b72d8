// SPDX-License-Identifier: MIT OR Apache-2.0
//! Local search by exchanges that can be undone.
//!
//! The rank with the most work gives objects to other ranks or exchanges objects, as long as its work falls.

use std::slice;

use lbaf_model::{Assignment, RankId, Slot, Totals, Transfer, View, Work};

mod affinity;
mod block_exchanges;
mod bound_repair;
mod ejection_chains;
mod exchanges;
mod fill_exchanges;
mod perturbation;
mod subset_exchanges;
mod subset_sums;

use block_exchanges::Parts;
pub(crate) use block_exchanges::has_bounded_blocks;
pub(crate) use subset_exchanges::Reach;
use subset_sums::KeptSums;

use crate::Problem;
use crate::primitives::rank_order::RankOrder;
use crate::primitives::seconds::Seconds;
use crate::primitives::works::{concerned, gets_over, works_concerned};

/// Number of looks (evaluations by load alone) in the time of one evaluation with the complete work model.
const LOOKS_TO_ASK: usize = 16;

/// State of a local search.
pub(crate) struct Search<'a> {
    pub(crate) problem: Problem<'a>,
    pub(crate) totals: Totals<'a>,
    works: Vec<Work>,
    ladder: RankOrder<Seconds>,
    /// Migratable objects of every rank, the lightest first.
    objects: Vec<Vec<Slot>>,
    /// Work that a second of load adds, for every rank.
    slopes: Vec<f64>,
    /// Number of objects that are not on their initial rank.
    n_away: usize,
    /// Measure of time, see [`n_looks`](Self::n_looks).
    n_looks: usize,
    /// Exchanges made, in order.
    made: Vec<Swap>,
    /// Migratable objects of every rank by block; `None` if not computed since the last change.
    parts: Vec<Option<Parts>>,
    kept_sums: KeptSums,
    /// Work that is low enough. In gains, a work below the goal counts as the goal.
    pub(crate) goal: f64,
    /// Maximum number of migrated objects. An exchange must not raise the number above this maximum, or at all if it
    /// is already above it.
    pub(crate) most_away: usize,
    /// Minimum gain for each additional migrated object.
    pub(crate) price: f64,
}

/// Exchange of two ranks: `given` goes from `from` to `to`, and `taken` goes back.
struct Swap {
    from: RankId,
    to: RankId,
    given: Vec<Slot>,
    taken: Vec<Slot>,
}

impl Swap {
    fn transfer(&self) -> Transfer<'_> {
        Transfer { from: self.from, to: self.to, objects: &self.given, returned: &self.taken }
    }

    fn back(&self) -> Transfer<'_> {
        Transfer { from: self.from, to: self.to, objects: &self.taken, returned: &self.given }
    }
}

impl<'a> Search<'a> {
    /// Starts a search from the placement in `totals`, given the work of every rank. O(objects log objects).
    pub(crate) fn new(problem: &Problem<'a>, totals: Totals<'a>, works: Vec<Work>) -> Self {
        let phase = problem.phase;
        let mut objects = vec![Vec::new(); phase.n_ranks()];
        for slot in phase.slots().filter(|&slot| phase.is_migratable(slot)) {
            objects[totals.rank_of(slot).index()].push(slot);
        }
        for of_rank in &mut objects {
            of_rank.sort_by(|&a, &b| phase.load(a).total_cmp(&phase.load(b)));
        }
        let n_away = totals.assignment().migrations_from(problem.initial).count();
        let ladder = RankOrder::new(works.iter().map(|work| Seconds(work.cost())));
        let slope = problem.model.load_floor().slope;
        let slopes = phase.ranks().iter().map(|rank| slope * rank.alpha).collect();
        Search {
            problem: *problem,
            totals,
            works,
            ladder,
            objects,
            slopes,
            n_away,
            n_looks: 0,
            made: Vec::new(),
            parts: std::iter::repeat_with(|| None).take(phase.n_ranks()).collect(),
            kept_sums: KeptSums::default(),
            goal: f64::NEG_INFINITY,
            most_away: usize::MAX,
            price: 0.0,
        }
    }

    /// Returns the maximum work.
    pub(crate) fn largest(&self) -> f64 {
        self.ladder.highest().map_or(0.0, |rank| self.cost(rank))
    }

    /// Returns the largest excess of a rank over bounds. O(ranks).
    pub(crate) fn excess(&self) -> f64 {
        self.works.iter().map(|work| work.excess()).fold(0.0, f64::max)
    }

    /// Returns the number of migrated objects.
    pub(crate) fn n_away(&self) -> usize {
        self.n_away
    }

    /// Returns a measure of time: an evaluation of an exchange of single objects by load alone counts as 1, and an
    /// [attempt](Self::attempt) with the complete work model as 16. Other evaluations do not count.
    pub(crate) fn n_looks(&self) -> usize {
        self.n_looks
    }

    /// Returns the number of exchanges made.
    pub(crate) fn n_exchanges(&self) -> usize {
        self.made.len()
    }

    /// Returns the number of objects moved by the exchanges after the first `n_exchanges`.
    pub(crate) fn n_moved_since(&self, n_exchanges: usize) -> usize {
        let moved = self.made.get(n_exchanges..).unwrap_or_default();
        moved.iter().map(|swap| swap.given.len() + swap.taken.len()).sum()
    }

    /// Undoes all exchanges except the first `n_exchanges`.
    pub(crate) fn back_to(&mut self, n_exchanges: usize) {
        while self.made.len() > n_exchanges {
            let Some(swap) = self.made.pop() else { return };
            self.make(&swap.back());
        }
    }

    /// Returns the current placement.
    pub(crate) fn placement(&self) -> &Assignment {
        self.totals.assignment()
    }

    /// Returns the rank of an object.
    pub(crate) fn rank_of(&self, slot: Slot) -> RankId {
        self.totals.rank_of(slot)
    }

    /// Returns the migratable objects of a rank, the lightest first.
    pub(crate) fn objects(&self, rank: RankId) -> &[Slot] {
        &self.objects[rank.index()]
    }

    /// Returns the number of ranks.
    pub(crate) fn n_ranks(&self) -> usize {
        self.works.len()
    }

    /// Returns all ranks in descending order of work.
    pub(crate) fn descending(&self) -> Vec<RankId> {
        let mut ranks: Vec<RankId> = self.ladder.ascending().collect();
        ranks.reverse();
        ranks
    }

    /// Returns the work that a second of load adds on a rank.
    pub(crate) fn slope(&self, rank: RankId) -> f64 {
        self.slopes[rank.index()]
    }

    /// Iterates over the edges of an object: rank of the partner, and bytes. O(degree).
    pub(crate) fn partners(&self, slot: Slot) -> impl Iterator<Item = (RankId, f64)> {
        let graph = self.problem.phase.communication();
        let edges = graph.outgoing(slot).chain(graph.incoming(slot));
        edges.map(|(other, volume)| (self.totals.rank_of_vertex(other), volume.bytes))
    }

    /// Returns the totals of the final placement, and the works of all ranks.
    pub(crate) fn into_parts(self) -> (Totals<'a>, Vec<Work>) {
        (self.totals, self.works)
    }

    pub(crate) fn cost(&self, rank: RankId) -> f64 {
        self.works[rank.index()].cost()
    }

    pub(crate) fn load(&self, slot: Slot) -> f64 {
        self.problem.phase.load(slot)
    }

    /// Returns the change in the number of migrations if an object moves: -1, 0 or 1.
    fn more_away(&self, slot: Slot, from: RankId, to: RankId) -> isize {
        let home = self.problem.initial.rank_of(slot);
        isize::from(to != home) - isize::from(from != home)
    }

    /// Makes a transfer if the complete work model confirms its gain. Returns true on success.
    ///
    /// The gain is the current work of the sender minus the larger work of both ranks after the transfer. It must be
    /// positive, at least `least_gain`, and at least the price of additional migrations. No excess over bounds may
    /// grow, and above the limit on migrations, their number may not rise.
    pub(crate) fn attempt(&mut self, transfer: &Transfer<'_>, least_gain: f64) -> bool {
        self.n_looks += LOOKS_TO_ASK;
        let after = self.totals.works_after(self.problem.model, transfer);
        let cost = self.cost(transfer.from);
        let end = after.0.cost().max(after.1.cost());
        // A gain can be lost to rounding, so a lower cost is also required.
        if end > cost - least_gain.max(self.price_of(transfer)) || end >= cost {
            return false;
        }
        self.make_within_bounds(transfer)
    }

    /// Returns the price of the migrations that a transfer adds.
    fn price_of(&self, transfer: &Transfer<'_>) -> f64 {
        if self.price == 0.0 {
            return 0.0;
        }
        let &Transfer { from, to, objects, returned } = transfer;
        let more = |slots: &[Slot], from, to| -> isize {
            slots.iter().map(|&slot| self.more_away(slot, from, to)).sum()
        };
        self.price * (more(objects, from, to) + more(returned, to, from)).max(0) as f64
    }

    /// Makes a transfer unless an excess over bounds grows or the limit on migrations forbids it. Returns true on
    /// success.
    fn make_within_bounds(&mut self, transfer: &Transfer<'_>) -> bool {
        let &Transfer { from, to, objects, returned } = transfer;
        let ranks = concerned(&self.totals, self.problem.model, [from, to]);
        let before: Vec<Work> = ranks.iter().map(|rank| self.works[rank.index()]).collect();
        let n_away = self.n_away;
        self.make(transfer);
        let is_further_over =
            ranks.iter().zip(before).any(|(rank, before)| gets_over(before, self.works[rank.index()]));
        let is_too_far = self.n_away > self.most_away.max(n_away);
        if is_further_over || is_too_far {
            self.make(&Transfer { from, to, objects: returned, returned: objects });
            return false;
        }
        self.record(slice::from_ref(transfer));
        true
    }

    /// Records transfers for undoing.
    fn record(&mut self, transfers: &[Transfer<'_>]) {
        self.made.extend(transfers.iter().map(|&Transfer { from, to, objects, returned }| Swap {
            from,
            to,
            given: objects.to_vec(),
            taken: returned.to_vec(),
        }));
    }

    fn make(&mut self, transfer: &Transfer<'_>) {
        let &Transfer { from, to, objects, returned } = transfer;
        self.totals.apply(transfer);
        for rank in [from, to] {
            self.parts[rank.index()] = None;
            self.kept_sums.drop_rank(rank);
        }
        for (rank, work) in works_concerned(&self.totals, self.problem.model, [from, to]) {
            self.works[rank.index()] = work;
            self.ladder.renew(rank, Seconds(work.cost()));
        }
        for (slots, from, to) in [(objects, from, to), (returned, to, from)] {
            for &slot in slots {
                self.n_away = self.n_away.strict_add_signed(self.more_away(slot, from, to));
                self.hand_over(slot, from, to);
            }
        }
    }

    fn hand_over(&mut self, slot: Slot, from: RankId, to: RankId) {
        let place = |objects: &[Slot]| {
            objects.partition_point(|&other| {
                (Seconds(self.load(other)), other) < (Seconds(self.load(slot)), slot)
            })
        };
        let at = place(&self.objects[from.index()]);
        let to_at = place(&self.objects[to.index()]);
        self.objects[from.index()].remove(at);
        self.objects[to.index()].insert(to_at, slot);
    }
}

#[cfg(test)]
mod tests {
    use lbaf_model::{BoundScope, LoadOnly};

    use super::*;
    use crate::test_phase::{self, Object};

    fn search<'a>(problem: &Problem<'a>, placement: Assignment) -> Search<'a> {
        let totals = Totals::new(problem.phase, placement);
        let works = lbaf_model::works(problem.model, problem.phase, totals.ranks());
        Search::new(problem, totals, works)
    }

    /// Runs a search over objects (load, initial rank, current rank), and returns the final ranks.
    fn searched(objects: &[(f64, u32, u32)], test: impl FnOnce(&mut Search<'_>)) -> Vec<u32> {
        let homes = objects.iter().map(|&(load, home, _)| Object { load, home, ..Object::default() });
        let phase = test_phase::phase(3, &homes.collect::<Vec<_>>());
        let placement = Assignment::new(objects.iter().map(|object| RankId(object.2)).collect());
        let model = LoadOnly::default();
        let problem = test_phase::problem(&phase, &model);
        let mut search = search(&problem, placement);
        test(&mut search);
        search.into_parts().0.assignment().as_slice().iter().map(|rank| rank.0).collect()
    }

    /// Graham's example: no move of a single object lowers the maximum work 3 + 2 + 2.
    const GRAHAM: [(f64, u32, u32); 6] =
        [(3.0, 0, 0), (2.0, 0, 0), (2.0, 0, 0), (3.0, 1, 1), (2.0, 1, 1), (6.0, 2, 2)];

    #[test]
    fn an_exchange_gains_where_no_move_does() {
        let found = searched(&GRAHAM, |search| {
            assert!(search.exchange(0.5));
            assert_eq!((search.largest(), search.n_away()), (6.0, 2));
            assert!(!search.exchange(0.5) && search.n_exchanges() == 1);
        });
        assert_eq!(found, [1, 0, 0, 1, 0, 2]);
    }

    #[test]
    fn exchanges_can_be_undone() {
        let found = searched(&GRAHAM, |search| {
            assert!(search.exchange(0.5));
            search.back_to(0);
            assert_eq!((search.largest(), search.n_away(), search.n_exchanges()), (7.0, 0, 0));
        });
        assert_eq!(found, [0, 0, 0, 1, 1, 2]);
    }

    #[test]
    fn an_object_that_returns_goes_first() {
        // The second object returns to its initial rank.
        let found = searched(&[(2.0, 0, 0), (2.0, 2, 0)], |search| assert!(search.exchange(0.5)));
        assert_eq!(found, [0, 2]);
    }

    #[test]
    fn a_gain_that_is_too_small_is_rejected() {
        let found = searched(&GRAHAM, |search| assert!(!search.exchange(1.5)));
        assert_eq!(found, [0, 0, 0, 1, 1, 2]);
        assert!(searched(&[], |search| assert!(!search.exchange(0.5))).is_empty());
    }

    /// Regression: exchanges were evaluated only with the least worked ranks, which have no memory left.
    #[test]
    fn full_ranks_do_not_stand_in_the_way_of_one_with_room() {
        for n_full in [0, 1, 8, 15, 16, 17, 40] {
            let idle = |rank| Object { load: 0.01, bytes: 5.0, home: rank, ..Object::default() };
            let mut objects: Vec<Object> = (0..n_full).map(idle).collect();
            objects.push(Object { load: 1.0, bytes: 1.0, home: n_full, ..Object::default() });
            let crowd = Object { load: 1.0, bytes: 0.1, home: n_full + 1, ..Object::default() };
            objects.extend([crowd; 20]);
            let phase = test_phase::phase(n_full as usize + 2, &objects);
            let model = test_phase::within(5.0, BoundScope::Rank);
            let start = phase.recorded_assignment().clone();
            let mut search = search(&test_phase::problem(&phase, &model), start);
            assert!(search.exchange(0.001), "{n_full}");
            assert_eq!(search.largest(), 19.0);
            assert!(search.works.iter().all(|work| !work.is_over_bound()));
        }
    }

    /// The node of ranks 0 and 1 is full, so rank 2 can give objects only to rank 3.
    #[test]
    fn no_rank_of_a_node_gets_further_over_its_bound() {
        let objects = [(1.0, 0, 4.0), (0.0, 1, 4.0), (3.0, 2, 2.0), (2.0, 2, 2.0), (1.0, 3, 1.0)];
        let object = |(load, home, bytes)| Object { load, home, bytes, ..Object::default() };
        let phase = test_phase::phase(4, &objects.map(object));
        let model = test_phase::within(8.0, BoundScope::Node);
        let start = phase.recorded_assignment().clone();
        let mut search = search(&test_phase::problem(&phase, &model), start);
        assert!(search.exchange(0.5));
        assert_eq!(search.into_parts().0.assignment().as_slice(), [0, 1, 2, 3, 3].map(RankId));
    }
}
