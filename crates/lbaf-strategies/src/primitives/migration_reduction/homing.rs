// SPDX-License-Identifier: MIT OR Apache-2.0
//! Return of objects to their initial ranks, to save migrations without raising the maximum work.
//!
//! With a weight of migrations, the maximum work may rise slightly if that saves many migrations.

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

/// Rules for the return of objects.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// Objects of a block that moved between the same ranks return together.
    pub(crate) whole: bool,
    /// Objects with partners on their current rank stay there.
    pub(crate) localizing: bool,
    /// Weight of migrations against the maximum work. With 0, the maximum work does not rise.
    pub(crate) migration_weight: f64,
}

impl Rules {
    /// Every object may go to any rank, and the maximum work does not rise.
    pub(crate) const ANY: Rules = Rules { whole: false, localizing: false, migration_weight: 0.0 };

    /// True if every object may go to any rank independently.
    fn singly(self) -> bool {
        !self.whole && !self.localizing
    }
}

/// Moves objects back to their initial ranks, the lightest first.
///
/// The first stage can lower the maximum work. Migrated objects on ranks above the mean go to other ranks (see
/// [`redirection`]). An object returns if each of the two ranks then has at most the mean, or at most the larger
/// work of the two before.
///
/// In the second stage, objects return as long as no rank exceeds a ceiling. If an object has no room on its
/// initial rank, another object may leave that rank (see [`substitution`]). The ceiling is the maximum work, after
/// exchanges if these gain much (see [`exchanges`]).
///
/// With a weight of migrations, the ceiling then rises step by step, by up to a twentieth of the total gain. The
/// result is the placement with the lowest [price](Cost::price).
///
/// If `rules` set `whole` or `localizing`, objects only return: there is no redirection, substitution or exchange.
///
/// The function requires knowledge of all ranks, so it is a central step even after a distributed balancer.
///
/// O(objects log objects + ranks log ranks + degree of migrated objects) for each pass and each of up to 15 ceilings.
/// Passes continue as long as any object returns. The search evaluates at most some thousand exchanges per rank.
pub(crate) fn homeward(problem: &Problem<'_>, found: Assignment, rules: Rules, cancel: &Cancel) -> Home {
    /// Fraction by which a pass must lower the maximum work to be repeated.
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

/// Result of the return of objects.
pub(crate) struct Home {
    pub(crate) assignment: Assignment,
    /// Costs without and with the weight of migrations, if the weight changed the result.
    given_up: Option<(Cost, Cost)>,
}

impl Home {
    /// Returns a note on the effect of the weight of migrations, if it had one.
    pub(crate) fn note(&self, phase: PhaseId) -> Option<String> {
        let (unweighed, cost) = self.given_up?;
        Some(format!(
            "phase {}: `migration_weight` saves {} of {} migrations; the maximum work is {:.2} % larger than without it",
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

/// Returns ceilings in ascending order, `found + (start - found) / 1280` to `found + (start - found) / 20`.
fn ceilings(found: f64, start: f64) -> impl Iterator<Item = f64> {
    /// Maximum fraction of the gain that may be given up.
    const MOST: f64 = 0.05;
    (0..=12).rev().map(move |halves| found + MOST * (start - found) * libm::pow(0.5, 0.5 * f64::from(halves)))
}

/// Cost of a placement.
#[derive(Clone, Copy)]
struct Cost {
    largest_work: f64,
    n_migrations: usize,
}

impl Cost {
    /// Returns `ln((gap + 0.03) x (ratio + 0.25) ^ weight)`.
    ///
    /// The gap is the relative distance of the maximum work from `unit`, which is a lower bound if one is known.
    /// The ratio is the number of migrations relative to `unweighed`. In a product, only ratios matter: with a
    /// weight of 1, migrations may double if the gap halves. The constants are scales below which differences
    /// hardly matter.
    fn price(self, unweighed: Cost, unit: f64, weight: f64) -> f64 {
        let distance = self.largest_work / unit - 1.0;
        let migrations = self.n_migrations as f64 / unweighed.n_migrations as f64 + 0.25;
        libm::log(distance.max(0.0) + 0.03) + weight * libm::log(migrations)
    }
}

/// State of a placement while objects return.
struct Homeward<'a> {
    problem: Problem<'a>,
    rules: Rules,
    cancel: &'a Cancel,
    totals: Totals<'a>,
    now: Vec<Work>,
    /// Migrated objects in groups that return together, the lightest first.
    away: Vec<Party>,
    /// Migratable objects that are initially on each rank, the lightest first.
    natives: Vec<Vec<Slot>>,
}

/// Objects that return together; often a single object.
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

    /// Moves all objects back that can return while no rank exceeds a ceiling, also by substitution.
    fn settle(&mut self, ceiling: f64) {
        self.return_all(|_| ceiling);
        while !self.cancel.is_cancelled() && self.make_room(ceiling) {
            self.find_away();
            self.return_all(|_| ceiling);
        }
    }

    /// Moves migrated objects back in repeated passes, because every return makes room on another rank.
    ///
    /// `ceiling` returns the largest work allowed for the two ranks of a return, given their works before.
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

    /// Returns an upper limit of the load in seconds that a rank can receive below a ceiling. The limit is exact,
    /// up to rounding, if only load adds to work.
    fn room(&self, rank: RankId, ceiling: f64) -> f64 {
        let LoadFloor { slope, constant } = self.problem.model.load_floor();
        let totals = self.totals.rank(rank);
        let cost = slope * totals.alpha;
        let rounding = 1e-12 * (ceiling.abs() + constant.abs());
        if cost > 0.0 { (ceiling - constant + rounding) / cost - totals.load } else { f64::INFINITY }
    }

    /// Returns the ranks whose work changes when two ranks exchange objects.
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

    /// Returns the final ranks of objects (load, initial rank, migratable, rank before).
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
    fn migrated_objects_leave_a_crowded_rank() {
        let crowded = [(4.0, 0, true, 0), (4.0, 0, true, 1), (3.0, 0, true, 1)];
        assert_eq!(homes(3, &crowded, 0.0), [0, 2, 1]);
    }

    #[test]
    fn one_heavy_object_leaves_instead_of_many() {
        let many = [(3.0, 0, true, 0), (1.0, 0, true, 1), (1.0, 0, true, 1), (1.0, 0, true, 1)];
        assert_eq!(homes(2, &many, 0.0), [1, 0, 0, 0]);
    }

    #[test]
    fn a_guest_makes_room_for_objects_on_their_initial_rank() {
        // The second object is the guest on rank 0.
        let guest = [(2.0, 0, true, 1), (2.0, 2, true, 0), (2.0, 0, true, 0), (4.0, 2, false, 2)];
        assert_eq!(homes(3, &guest, 0.0), [0, 1, 0, 2]);
    }

    /// The maximum work falls from 100 to 50, the lower bound, with three migrations, or to 52 with one. With weight
    /// w, the exponential of the price is `0.03 x (1 + 0.25)^w` for three migrations, or `0.07 x (1/3 + 0.25)^w` for
    /// one.
    #[test]
    fn a_weight_gives_up_quality_to_save_migrations() {
        let small = [(50.0, 0, false, 0), (48.0, 0, true, 1), (1.0, 0, true, 1), (1.0, 0, true, 1)];
        for weight in [0.0, 1.0] {
            assert_eq!(homes(2, &small, weight), [0, 1, 1, 1], "{weight}");
        }
        for weight in [1.5, 2.0, 1e6, 1e300] {
            assert_eq!(homes(2, &small, weight), [0, 1, 0, 0], "{weight}");
        }
    }

    /// Regression: the only receivers tried were the five ranks with the least work, which exceed a bound.
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

    /// Rank 1 could give an object to rank 2, but no exchange lowers the equal work of rank 0.
    #[test]
    fn exchanges_without_gain_are_undone() {
        let stuck = [
            (6.0, 0, false, 0),
            (6.0, 0, true, 0),
            (9.0, 1, false, 1),
            (3.0, 1, true, 1),
            (7.0, 2, false, 2),
        ];
        assert_eq!(homes(3, &stuck, 0.0), [0, 0, 1, 1, 2]);
    }

    /// An exchange gains 2, after a migration that gained 3 or 5: `3 / 2 < 2 < 5 / 2`.
    #[test]
    fn an_exchange_gains_at_least_half_as_much_as_earlier_migrations() {
        for (before, expected) in [(3.0, [0, 1, 1, 1]), (5.0, [0, 1, 0, 1])] {
            let rest = 50.0 - before;
            let found = [(52.0, 0, false, 0), (before, 0, true, 1), (2.0, 0, true, 0), (rest, 1, false, 1)];
            assert_eq!(homes(2, &found, 0.0), expected);
        }
    }

    #[test]
    fn trivial_placements_are_handled() {
        assert_eq!(homes(1, &[(1.0, 0, true, 0)], 1.0), [0]);
        assert_eq!(homes(2, &[(0.0, 0, true, 1)], 1.0), [0]);
        assert!(homes(2, &[], 1.0).is_empty());
    }
}
