// SPDX-License-Identifier: MIT OR Apache-2.0
//! A placement in which ranks exchange objects: the rank with most work gives an object away, or exchanges it for
//! another one, as long as that takes something off it.

use std::cmp::Ordering;
use std::ops::Range;
use std::slice;

use lbaf_model::{Assignment, RankId, Slot, Totals, Transfer, View, Work};

use super::parcels::Parts;
use crate::Problem;
use crate::ladder::Ladder;
use crate::seconds::Seconds;
use crate::works::{concerned, gets_over, works_concerned};

/// Of the most loaded rank so many of the heaviest objects may leave, and those that fit best.
const HEAVIEST: usize = 16;

/// So many of the ranks with least work may take one; and if none of them does, so many after them.
const FEW: usize = 16;
const VERY_FEW: usize = 3;
const MANY: usize = 1024;

/// With each of them so many exchanges, those worth most by load alone, are asked for all that they change: a rank may
/// be short of something else. One that is asked takes the time of so many looks.
const ASKED_OF_RANK: usize = 2;
const LOOKS_TO_ASK: usize = 16;

/// A placement that gets better from exchange to exchange.
pub(crate) struct Search<'a> {
    pub(super) problem: Problem<'a>,
    pub(super) totals: Totals<'a>,
    pub(super) works: Vec<Work>,
    pub(super) ladder: Ladder<Seconds>,
    /// Of every rank the objects that may leave it, the lightest first.
    pub(super) objects: Vec<Vec<Slot>>,
    /// Work for a second of load, of every rank.
    pub(super) slopes: Vec<f64>,
    /// Objects that are not where the problem has them.
    n_away: usize,
    /// Exchanges looked at.
    n_looks: usize,
    /// Exchanges made, in order.
    made: Vec<Parcels>,
    /// Of some ranks the objects by block, as long as they do not change.
    pub(super) parts: Vec<Option<Parts>>,
    /// A work that is good enough: nothing is gained below it.
    pub(super) goal: f64,
    /// So many objects may be away.
    pub(super) most_away: usize,
    /// What is to be gained for each object more that is.
    pub(super) price: f64,
}

/// Objects that leave a rank, and those that come in their stead.
pub(super) struct Parcels {
    pub(super) from: RankId,
    pub(super) to: RankId,
    pub(super) given: Vec<Slot>,
    pub(super) taken: Vec<Slot>,
}

impl Parcels {
    pub(super) fn transfer(&self) -> Transfer<'_> {
        Transfer { from: self.from, to: self.to, objects: &self.given, returned: &self.taken }
    }

    fn back(&self) -> Transfer<'_> {
        Transfer { from: self.from, to: self.to, objects: &self.taken, returned: &self.given }
    }
}

/// An object that leaves a rank, for another one or none.
#[derive(Clone, Copy)]
struct Exchange {
    from: RankId,
    to: RankId,
    given: Slot,
    taken: Option<Slot>,
    /// By how many more objects are not where the problem has them.
    more_away: isize,
    /// What it takes off the larger work of the two by load alone, for each of them.
    worth: f64,
}

impl Exchange {
    /// The one that is worth most first, of equal ones the one that makes fewer migrations.
    fn order(&self, other: &Self) -> Ordering {
        other.worth.total_cmp(&self.worth).then(self.more_away.cmp(&other.more_away))
    }

    fn transfer(&self) -> Transfer<'_> {
        let Exchange { from, to, given, taken, .. } = self;
        Transfer { from: *from, to: *to, objects: slice::from_ref(given), returned: taken.as_slice() }
    }
}

/// The gain for each object more that is away; where none is, for a quarter of one: what costs nothing is worth
/// much, but not anything.
pub(super) fn worth(gain: f64, more_away: isize) -> f64 {
    gain / (more_away.max(0) as f64).max(0.25)
}

impl<'a> Search<'a> {
    /// Starts from a placement, of which the works of all ranks are known. O(objects log objects).
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
        let ladder = Ladder::new(works.iter().map(|work| Seconds(work.cost())));
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
            goal: f64::NEG_INFINITY,
            most_away: usize::MAX,
            price: 0.0,
        }
    }

    /// The largest work.
    pub(crate) fn largest(&self) -> f64 {
        self.ladder.highest().map_or(0.0, |rank| self.cost(rank))
    }

    /// By how much the rank that is furthest over a bound is over it. O(ranks).
    pub(super) fn excess(&self) -> f64 {
        self.works.iter().map(|work| work.excess()).fold(0.0, f64::max)
    }

    /// Objects that are not where the problem has them.
    pub(crate) fn n_away(&self) -> usize {
        self.n_away
    }

    /// Exchanges that were looked at, made or not, and more for those that were asked: what the search took.
    pub(crate) fn n_looks(&self) -> usize {
        self.n_looks
    }

    /// Exchanges made.
    pub(crate) fn n_exchanges(&self) -> usize {
        self.made.len()
    }

    /// Makes an exchange that takes at least `least_gain` off the rank with most work, of those that were asked the
    /// one that takes most for each migration more; whether there was one. No rank gets further over a bound, and
    /// none more than the largest work was.
    ///
    /// O(log objects) for about a thousand [looks](Self::n_looks), a hundred thousand where the ranks with least
    /// cannot take anything, and up to two what-ifs for each rank.
    pub(crate) fn exchange(&mut self, least_gain: f64) -> bool {
        self.exchange_with_few(least_gain) || self.exchange_with_many(least_gain)
    }

    /// The same with the very few ranks that have least, if that is enough to come to the goal.
    pub(super) fn exchange_at_once(&mut self, least_gain: f64) -> bool {
        let excess = self.largest() - self.goal;
        excess >= least_gain && self.exchange_with(0..VERY_FEW, excess)
    }

    /// The same with the ranks alone that have least.
    pub(super) fn exchange_with_few(&mut self, least_gain: f64) -> bool {
        self.exchange_with(0..FEW, least_gain)
    }

    /// The same with those that come after them.
    pub(super) fn exchange_with_many(&mut self, least_gain: f64) -> bool {
        self.exchange_with(FEW..FEW + MANY, least_gain)
    }

    fn exchange_with(&mut self, places: Range<usize>, least_gain: f64) -> bool {
        let Some(from) = self.ladder.highest() else { return false };
        let mut exchanges = self.exchanges(from, places, least_gain);
        exchanges.sort_by(Exchange::order);
        exchanges.into_iter().any(|exchange| self.attempt(&exchange.transfer(), least_gain))
    }

    /// Objects that changed rank in the exchanges after the first so many.
    pub(crate) fn n_moved_since(&self, n_exchanges: usize) -> usize {
        let moved = self.made.get(n_exchanges..).unwrap_or_default();
        moved.iter().map(|parcels| parcels.given.len() + parcels.taken.len()).sum()
    }

    /// Takes back all exchanges but the first so many.
    pub(crate) fn back_to(&mut self, n_exchanges: usize) {
        while self.made.len() > n_exchanges {
            let Some(parcels) = self.made.pop() else { return };
            self.make(&parcels.back());
        }
    }

    /// The placement as it stands.
    pub(crate) fn placement(&self) -> &Assignment {
        self.totals.assignment()
    }

    /// The rank that has an object.
    pub(crate) fn rank_of(&self, slot: Slot) -> RankId {
        self.totals.rank_of(slot)
    }

    /// Objects that may leave a rank, the lightest first.
    pub(crate) fn objects(&self, rank: RankId) -> &[Slot] {
        &self.objects[rank.index()]
    }

    /// Number of ranks.
    pub(crate) fn n_ranks(&self) -> usize {
        self.works.len()
    }

    /// All ranks as they stand, that with most work first.
    pub(crate) fn descending(&self) -> Vec<RankId> {
        let mut ranks: Vec<RankId> = self.ladder.ascending().collect();
        ranks.reverse();
        ranks
    }

    /// Work for a second of load on a rank.
    pub(crate) fn slope(&self, rank: RankId) -> f64 {
        self.slopes[rank.index()]
    }

    /// Ranks that an object exchanges bytes with, once for each edge. O(degree).
    pub(crate) fn partners(&self, slot: Slot) -> impl Iterator<Item = (RankId, f64)> {
        let graph = self.problem.phase.communication();
        let edges = graph.outgoing(slot).chain(graph.incoming(slot));
        edges.map(|(other, volume)| (self.totals.rank_of_vertex(other), volume.bytes))
    }

    /// Where it ended, and the works of all ranks.
    pub(crate) fn into_parts(self) -> (Totals<'a>, Vec<Work>) {
        (self.totals, self.works)
    }

    pub(crate) fn cost(&self, rank: RankId) -> f64 {
        self.works[rank.index()].cost()
    }

    pub(crate) fn load(&self, slot: Slot) -> f64 {
        self.problem.phase.load(slot)
    }

    /// The best exchanges with each of the ranks at these places from the one that has least, as far as load alone
    /// tells.
    fn exchanges(&mut self, from: RankId, places: Range<usize>, least_gain: f64) -> Vec<Exchange> {
        let ranks = self.ladder.ascending().filter(|&to| to != from).take(places.end).skip(places.start);
        let (mut found, mut n_looks) = (Vec::new(), 0);
        for to in ranks.take_while(|&to| self.cost(to) < self.cost(from)) {
            let n_found = found.len();
            n_looks += self.exchanges_with(from, to, least_gain, |exchange| {
                // Few are kept, so that they need not be sorted.
                let better = |other: &Exchange| other.order(&exchange).is_le();
                let place = n_found + found[n_found..].partition_point(better);
                if place < n_found + ASKED_OF_RANK {
                    found.truncate(n_found + ASKED_OF_RANK - 1);
                    found.insert(place, exchange);
                }
            });
        }
        self.n_looks += n_looks;
        found
    }

    /// Exchanges of two ranks, each once, that gain so much; how many were looked at.
    fn exchanges_with(
        &self,
        from: RankId,
        to: RankId,
        least_gain: f64,
        mut take: impl FnMut(Exchange),
    ) -> usize {
        let slopes = (self.slopes[from.index()], self.slopes[to.index()]);
        // Seconds of load after whose move both have the same.
        let ideal = (self.cost(from) - self.cost(to)) / (slopes.0 + slopes.1);
        let objects = &self.objects[from.index()];
        let (rest, heaviest) = objects.split_at(objects.len().saturating_sub(HEAVIEST));
        let mut n_looks = 0;
        for &given in heaviest.iter().chain(self.nearest(rest, ideal)) {
            let counterparts = self.nearest(&self.objects[to.index()], self.load(given) - ideal);
            for taken in counterparts.iter().copied().map(Some).chain([None]) {
                n_looks += 1;
                let moved = self.load(given) - taken.map_or(0.0, |slot| self.load(slot));
                let ends = (self.cost(from) - slopes.0 * moved, self.cost(to) + slopes.1 * moved);
                let gain = self.cost(from) - ends.0.max(ends.1).max(self.goal);
                if gain >= least_gain {
                    let more_away = self.more_away(given, from, to)
                        + taken.map_or(0, |slot| self.more_away(slot, to, from));
                    take(Exchange { from, to, given, taken, more_away, worth: worth(gain, more_away) });
                }
            }
        }
        n_looks
    }

    /// Of objects in order those on both sides of a load.
    pub(super) fn nearest<'s>(&self, objects: &'s [Slot], load: f64) -> &'s [Slot] {
        let above = objects.partition_point(|&object| self.load(object) < load);
        &objects[above.saturating_sub(1)..objects.len().min(above + 1)]
    }

    /// By how many more objects are away from where the problem has them when one goes.
    pub(super) fn more_away(&self, slot: Slot, from: RankId, to: RankId) -> isize {
        let home = self.problem.initial.rank_of(slot);
        isize::from(to != home) - isize::from(from != home)
    }

    /// Makes a transfer from the rank with more work if it keeps bounds and takes at least so much off the larger work
    /// of the two, with all that counts.
    pub(crate) fn attempt(&mut self, transfer: &Transfer<'_>, least_gain: f64) -> bool {
        self.n_looks += LOOKS_TO_ASK;
        let after = self.totals.works_after(self.problem.model, transfer);
        let cost = self.cost(transfer.from);
        let end = after.0.cost().max(after.1.cost());
        // Of a gain below rounding nothing is left.
        if end > cost - least_gain.max(self.price_of(transfer)) || end >= cost {
            return false;
        }
        self.make_within_bounds(transfer)
    }

    /// What a transfer has to gain for what it migrates.
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

    /// Makes a transfer if no rank gets further over a bound by it, and no more objects are away than may be.
    pub(super) fn make_within_bounds(&mut self, transfer: &Transfer<'_>) -> bool {
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

    /// Transfers that were made can be taken back.
    pub(super) fn record(&mut self, transfers: &[Transfer<'_>]) {
        self.made.extend(transfers.iter().map(|&Transfer { from, to, objects, returned }| Parcels {
            from,
            to,
            given: objects.to_vec(),
            taken: returned.to_vec(),
        }));
    }

    pub(super) fn make(&mut self, transfer: &Transfer<'_>) {
        let &Transfer { from, to, objects, returned } = transfer;
        self.totals.apply(transfer);
        for rank in [from, to] {
            self.parts[rank.index()] = None;
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

    /// Runs a search over objects (load, home, where they are), all of which may migrate.
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

    /// Rank 2 has 6, Graham's 3 2 2 | 3 2 are on the others: no move takes anything off the 7.
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
    fn what_was_exchanged_can_be_taken_back() {
        let found = searched(&GRAHAM, |search| {
            assert!(search.exchange(0.5));
            search.back_to(0);
            assert_eq!((search.largest(), search.n_away(), search.n_exchanges()), (7.0, 0, 0));
        });
        assert_eq!(found, [0, 0, 0, 1, 1, 2]);
    }

    #[test]
    fn an_object_that_returns_goes_first() {
        // Either of the two on rank 0 may go to either rank.
        let found = searched(&[(2.0, 0, 0), (2.0, 2, 0)], |search| assert!(search.exchange(0.5)));
        assert_eq!(found, [0, 2]);
    }

    #[test]
    fn a_gain_that_is_too_small_is_left() {
        let found = searched(&GRAHAM, |search| assert!(!search.exchange(1.5)));
        assert_eq!(found, [0, 0, 0, 1, 1, 2]);
        assert!(searched(&[], |search| assert!(!search.exchange(0.5))).is_empty());
    }

    /// All exchanges that were asked were once with the idle ranks, which have no memory left.
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

    /// Ranks 0 and 1 are a node that is full, and rank 2 has room.
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
