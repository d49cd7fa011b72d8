// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects that return: the result of a search is reached with fewer migrations, and a little of it given up where that saves
//! many.

use lbaf_model::{
    Assignment, LoadFloor, PhaseId, RankId, Slot, Statistics, Totals, Transfer, View, Work, best_lower_bound,
    rank_totals, works,
};

use crate::primitives::works::{Ends, Works, concerned, keeps_bounds};
use crate::{Cancel, Problem};

mod exchanges;
mod redirection;
mod sorted_objects;
mod substitution;

/// How objects return.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// Whether objects of a block that made the same way return together, or not.
    pub(crate) whole: bool,
    /// Whether none leaves a partner behind.
    pub(crate) localizing: bool,
    /// How much a migration weighs against the largest work; nothing: the largest work does not rise.
    pub(crate) migration_weight: f64,
}

impl Rules {
    /// Any object goes anywhere, by itself, and the largest work does not rise.
    pub(crate) const ANY: Rules = Rules { whole: false, localizing: false, migration_weight: 0.0 };

    /// Whether any object may go anywhere, by itself.
    fn singly(self) -> bool {
        !self.whole && !self.localizing
    }
}

/// Objects that need not be away return to where the problem has them, the lightest first.
///
/// First what may lower the largest work: objects on ranks that have much go elsewhere (see [`redirection`]), and those
/// return that leave neither of the two ranks with more than one of them had, or than the mean. Then all return
/// without which no rank has more than a ceiling; where an object has no room at home, another may leave in its
/// stead (see [`substitution`]). The ceiling is the largest work so far, and what exchanges make of it where they gain much
/// (see [`exchanges`]). Then it rises, up to a twentieth of what was gained, and the placement counts whose
/// [price](Cost::price) is least. Clusters, and objects that may leave no partner behind, do nothing but return.
///
/// Nobody can do that who does not know all ranks: it is no part of a distributed balancer, and stands at its end.
///
/// O(objects log objects + ranks log ranks + degree of those that are away) for each pass and each of a few ceilings;
/// passes go on while anything returns. The search looks at some thousand exchanges for each rank at most.
pub(crate) fn homeward(problem: &Problem<'_>, found: Assignment, rules: Rules, cancel: &Cancel) -> Home {
    /// A pass must lower the largest work by this part of it to be followed by another.
    const WORTH: f64 = 1e-6;
    let start = works(problem.model, problem.phase, &rank_totals(problem.phase, problem.initial));
    let start = largest(&start);
    if cancel.is_cancelled() {
        return Home { assignment: found, given_up: None };
    }
    let mut way = Homeward::new(problem, found, rules, cancel);
    while !cancel.is_cancelled() {
        let before = largest(&way.now);
        let mean = Statistics::of(way.now.iter().map(|work| work.cost())).mean();
        way.redirect(mean);
        way.return_all(|ends| ends.0.cost().max(ends.1.cost()).max(mean));
        if largest(&way.now) >= before * (1.0 - WORTH) {
            break;
        }
    }
    way.settle(largest(&way.now));
    let bound = best_lower_bound(problem.phase, problem.model).work;
    let mut way = way.search(bound, start);
    let unweighed = Cost { largest_work: largest(&way.now), n_migrations: way.n_away() };
    let mut best = Home { assignment: way.totals.assignment().clone(), given_up: None };
    if rules.migration_weight == 0.0 || start <= unweighed.largest_work || way.away.is_empty() {
        return best;
    }
    let unit = if bound > 0.0 { bound } else { unweighed.largest_work };
    let price = |cost: Cost| cost.price(unweighed, unit, rules.migration_weight);
    let mut least = price(unweighed);
    for ceiling in ceilings(unweighed.largest_work, start) {
        if cancel.is_cancelled() {
            break;
        }
        way.settle(ceiling);
        let cost = Cost { largest_work: largest(&way.now), n_migrations: way.n_away() };
        if price(cost) < least {
            least = price(cost);
            best = Home { assignment: way.totals.assignment().clone(), given_up: Some((unweighed, cost)) };
        }
    }
    best
}

/// Where a way home ends.
pub(crate) struct Home {
    pub(crate) assignment: Assignment,
    /// What it would cost without a weight of migrations and what it costs, if that is something else.
    given_up: Option<(Cost, Cost)>,
}

impl Home {
    /// What the weight of migrations gave up, in words.
    pub(crate) fn note(&self, phase: PhaseId) -> Option<String> {
        let (unweighed, cost) = self.given_up?;
        Some(format!(
            "phase {}: with `migration_weight` {} of {} migrations are saved on the way home, and the largest work \
             is {:.2} % larger than without it",
            phase.0,
            unweighed.n_migrations - cost.n_migrations,
            unweighed.n_migrations,
            100.0 * (cost.largest_work / unweighed.largest_work - 1.0),
        ))
    }
}

fn largest(works: &[Work]) -> f64 {
    works.iter().map(|work| work.cost()).fold(0.0, f64::max)
}

/// From a 1280th part of what was gained to a twentieth of it.
fn ceilings(found: f64, start: f64) -> impl Iterator<Item = f64> {
    /// Of what was gained, this much may be given up.
    const MOST: f64 = 0.05;
    (0..=12).rev().map(move |halves| found + MOST * (start - found) * 0.5_f64.powf(0.5 * f64::from(halves)))
}

/// What a placement costs.
#[derive(Clone, Copy)]
struct Cost {
    largest_work: f64,
    n_migrations: usize,
}

impl Cost {
    /// `(largest work above the best possible + 3 %) x (migrations + a quarter of those without weight) ^ weight`, as
    /// a logarithm. A product, so that it is all about ratios: with a weight of 1, whoever halves the distance to the
    /// best possible may double migrations. The constants are the scales below which differences hardly matter.
    /// `unit` is the best possible work, as far as is known: what distances are a part of.
    fn price(self, unweighed: Cost, unit: f64, weight: f64) -> f64 {
        let distance = self.largest_work / unit - 1.0;
        let migrations = self.n_migrations as f64 / unweighed.n_migrations as f64 + 0.25;
        (distance.max(0.0) + 0.03).ln() + weight * migrations.ln()
    }
}

/// A placement on its way home.
struct Homeward<'a> {
    problem: Problem<'a>,
    rules: Rules,
    cancel: &'a Cancel,
    totals: Totals<'a>,
    now: Vec<Work>,
    /// What is away, the lightest first.
    away: Vec<Party>,
    /// Of every rank the objects that are at home there and may leave, the lightest first.
    natives: Vec<Vec<Slot>>,
}

/// Objects that left a rank together, and only together return to it.
type Party = Vec<Slot>;

impl<'a> Homeward<'a> {
    fn new(problem: &Problem<'a>, found: Assignment, rules: Rules, cancel: &'a Cancel) -> Self {
        let phase = problem.phase;
        let totals = Totals::new(phase, found);
        let now = works(problem.model, phase, totals.ranks());
        let mut natives = vec![Vec::new(); phase.n_ranks()];
        for slot in cancel.polled(phase.slots().filter(|&slot| phase.is_migratable(slot))) {
            natives[problem.initial.rank_of(slot).index()].push(slot);
        }
        for objects in cancel.polled(&mut natives) {
            objects.sort_by(|&a, &b| phase.load(a).total_cmp(&phase.load(b)));
        }
        let mut way = Homeward { problem: *problem, rules, cancel, totals, now, away: Vec::new(), natives };
        way.find_away();
        way
    }

    fn home(&self, slot: Slot) -> RankId {
        self.problem.initial.rank_of(slot)
    }

    fn load(&self, party: &[Slot]) -> f64 {
        party.iter().map(|&slot| self.problem.phase.load(slot)).sum()
    }

    fn n_away(&self) -> usize {
        self.away.iter().map(Vec::len).sum()
    }

    fn find_away(&mut self) {
        let phase = self.problem.phase;
        let is_away = |&slot: &Slot| self.totals.rank_of(slot) != self.home(slot);
        let mut away: Vec<Slot> = self.cancel.polled(phase.slots().filter(is_away)).collect();
        let way = |slot: Slot| (phase.memory(slot).block, self.home(slot), self.totals.rank_of(slot));
        let mut parties: Vec<Party> = if self.rules.whole {
            away.sort_by_key(|&slot| way(slot));
            let together = |&a: &Slot, &b: &Slot| phase.memory(a).block.is_some() && way(a) == way(b);
            away.chunk_by(together).map(<[Slot]>::to_vec).collect()
        } else {
            away.into_iter().map(|slot| vec![slot]).collect()
        };
        parties.sort_by(|a, b| self.load(a).total_cmp(&self.load(b)));
        self.away = parties;
    }

    /// All return that can under a ceiling, also in exchange for others.
    fn settle(&mut self, ceiling: f64) {
        self.return_all(|_| ceiling);
        while !self.cancel.is_cancelled() && self.make_room(ceiling) {
            self.find_away();
            self.return_all(|_| ceiling);
        }
    }

    /// All return that can, again and again: whoever returns leaves room behind. `ceiling` says how much the two
    /// ranks may have after a return, given what they have before it.
    fn return_all(&mut self, ceiling: impl Fn(Ends) -> f64) {
        let mut away = std::mem::take(&mut self.away);
        loop {
            let n_away = away.len();
            away.retain(|party| self.cancel.is_cancelled() || !self.returns(party, &ceiling));
            if away.len() == n_away || self.cancel.is_cancelled() {
                break;
            }
        }
        self.away = away;
    }

    fn returns(&mut self, party: &[Slot], ceiling: impl Fn(Ends) -> f64) -> bool {
        let (from, to) = (self.totals.rank_of(party[0]), self.home(party[0]));
        let before = (self.now[from.index()], self.now[to.index()]);
        let ceiling = ceiling(before);
        if self.room(to, ceiling) < self.load(party) {
            return false;
        }
        if self.rules.localizing && self.totals.bundle(from, party).talks_on_its_rank() {
            return false;
        }
        let transfer = Transfer { from, to, objects: party, returned: &[] };
        let after = self.totals.works_after(self.problem.model, &transfer);
        let returns = after.0.cost().max(after.1.cost()) <= ceiling && keeps_bounds(before, after);
        if returns {
            self.make(&transfer);
        }
        returns
    }

    /// Seconds of load that a rank could get under a ceiling if load were all that counted: it never has room for
    /// more. Sums that are kept up to date differ by rounding.
    fn room(&self, rank: RankId, ceiling: f64) -> f64 {
        let LoadFloor { slope, constant } = self.problem.model.load_floor();
        let totals = self.totals.rank(rank);
        let cost = slope * totals.alpha;
        let rounding = 1e-12 * (ceiling.abs() + constant.abs());
        if cost > 0.0 { (ceiling - constant + rounding) / cost - totals.load } else { f64::INFINITY }
    }

    /// The ranks whose work changes when two exchange something.
    fn concerned(&self, ends: [RankId; 2]) -> Vec<RankId> {
        concerned(&self.totals, self.problem.model, ends)
    }

    fn make(&mut self, transfer: &Transfer<'_>) {
        self.totals.apply(transfer);
        Works::Live(&mut self.now).update(&self.totals, self.problem.model, [transfer.from, transfer.to]);
    }
}

#[cfg(test)]
mod tests {
    use lbaf_model::{BoundScope, LoadOnly};

    use super::*;
    use crate::test_phase::{self, Object};

    /// Where objects end that are found on ranks: load, home, whether it may migrate, where it is found.
    fn homes(n_ranks: usize, objects: &[(f64, u32, bool, u32)], migration_weight: f64) -> Vec<u32> {
        let homes = objects.iter().map(|&(load, home, migratable, _)| Object {
            load,
            home,
            migratable,
            ..Object::default()
        });
        let phase = test_phase::phase(n_ranks, &homes.collect::<Vec<_>>());
        let found = objects.iter().map(|object| RankId(object.3)).collect();
        let model = LoadOnly::default();
        let rules = Rules { whole: false, localizing: false, migration_weight };
        let home =
            homeward(&test_phase::problem(&phase, &model), Assignment::new(found), rules, &Cancel::new());
        home.assignment.as_slice().iter().map(|rank| rank.0).collect()
    }

    #[test]
    fn what_crowds_on_a_rank_goes_elsewhere() {
        let crowded = [(4.0, 0, true, 0), (4.0, 0, true, 1), (3.0, 0, true, 1)];
        assert_eq!(homes(3, &crowded, 0.0), [0, 2, 1]);
    }

    #[test]
    fn one_heavy_object_leaves_in_the_stead_of_many() {
        let many = [(3.0, 0, true, 0), (1.0, 0, true, 1), (1.0, 0, true, 1), (1.0, 0, true, 1)];
        assert_eq!(homes(2, &many, 0.0), [1, 0, 0, 0]);
    }

    #[test]
    fn a_guest_makes_room_for_what_is_at_home() {
        // Rank 2 has no room for the guest of rank 0, whose home it is.
        let guest = [(2.0, 0, true, 1), (2.0, 2, true, 0), (2.0, 0, true, 0), (4.0, 2, false, 2)];
        assert_eq!(homes(3, &guest, 0.0), [0, 1, 0, 2]);
    }

    /// From 100 to 50 with three migrations, or to 52 with one: 0.03 x 3.75^w or 0.07 x 1.75^w.
    #[test]
    fn a_weight_gives_up_what_saves_migrations() {
        let small = [(50.0, 0, false, 0), (48.0, 0, true, 1), (1.0, 0, true, 1), (1.0, 0, true, 1)];
        for weight in [0.0, 1.0] {
            assert_eq!(homes(2, &small, weight), [0, 1, 1, 1], "{weight}");
        }
        for weight in [1.5, 2.0, 1e6, 1e300] {
            assert_eq!(homes(2, &small, weight), [0, 1, 0, 0], "{weight}");
        }
    }

    /// Five ranks have little to do and too much in memory; they were once the only ones that were asked.
    #[test]
    fn ranks_over_a_bound_do_not_stand_in_the_way_of_one_with_room() {
        let object = |(load, home, bytes)| Object { load, home, bytes, ..Object::default() };
        let mut objects: Vec<Object> = (0..5).map(|rank| object((0.5, rank, 10.0))).collect();
        objects.extend([(4.0, 5, 1.0), (4.0, 7, 1.0), (6.0, 7, 1.0), (1.0, 6, 1.0)].map(object));
        let phase = test_phase::phase(8, &objects);
        let model = test_phase::within(5.0, BoundScope::Rank);
        let mut found = phase.recorded_assignment().clone();
        found.set(Slot(6), RankId(5));
        let rules = Rules { whole: false, localizing: false, migration_weight: 0.0 };
        let (problem, cancel) = (test_phase::problem(&phase, &model), Cancel::new());
        let mut way = Homeward::new(&problem, found, rules, &cancel);
        way.redirect(2.0);
        assert_eq!(way.totals.rank_of(Slot(6)), RankId(6));
    }

    /// Rank 1 might give to rank 2, but rank 0 has as much, and nobody can take anything off it.
    #[test]
    fn exchanges_that_gain_nothing_are_taken_back() {
        let stuck = [
            (6.0, 0, false, 0),
            (6.0, 0, true, 0),
            (9.0, 1, false, 1),
            (3.0, 1, true, 1),
            (7.0, 2, false, 2),
        ];
        assert_eq!(homes(3, &stuck, 0.0), [0, 0, 1, 1, 2]);
    }

    /// From 54 to 52 with one migration, after one that took 3 or 5 off: more than half of it, or less.
    #[test]
    fn an_exchange_takes_about_as_much_off_as_migrations_did() {
        for (before, expected) in [(3.0, [0, 1, 1, 1]), (5.0, [0, 1, 0, 1])] {
            let rest = 50.0 - before;
            let found = [(52.0, 0, false, 0), (before, 0, true, 1), (2.0, 0, true, 0), (rest, 1, false, 1)];
            assert_eq!(homes(2, &found, 0.0), expected);
        }
    }

    #[test]
    fn nothing_to_do_is_done() {
        assert_eq!(homes(1, &[(1.0, 0, true, 0)], 1.0), [0]);
        assert_eq!(homes(2, &[(0.0, 0, true, 1)], 1.0), [0]);
        assert!(homes(2, &[], 1.0).is_empty());
    }
}
