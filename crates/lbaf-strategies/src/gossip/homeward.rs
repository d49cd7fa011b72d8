// SPDX-License-Identifier: MIT OR Apache-2.0
//! The way home: what a search found is reached with fewer migrations, and a little of it given up where that saves
//! many.

use lbaf_model::{
    Assignment, LoadFloor, RankId, Slot, Statistics, Totals, Transfer, View, Work, best_lower_bound,
    rank_totals, works,
};

use super::Gossip;
use super::criterion::{Criterion, Ends};
use super::works::Works;
use crate::Problem;

mod redirect;
mod room;

/// How objects return.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// Whether objects of a block that made the same way return together, or not.
    whole: bool,
    /// Whether none leaves a partner behind.
    localizing: bool,
    /// How much a migration weighs against the largest work; nothing: the largest work does not rise.
    migration_weight: f64,
}

impl Rules {
    pub(super) fn of(parameters: &Gossip) -> Self {
        Rules {
            whole: parameters.moves_clusters(),
            localizing: parameters.criterion == Criterion::StrictLocalizing,
            migration_weight: parameters.migration_weight,
        }
    }
}

/// Objects that need not be away return to where the problem has them, the lightest first.
///
/// First what may lower the largest work: objects on ranks that have much go elsewhere (see [`redirect`]), and those
/// return that leave neither of the two ranks with more than one of them had, or than the mean. Then all return
/// without which no rank has more than a ceiling; where an object has no room at home, another may leave in its
/// stead (see [`room`]). The ceiling is the largest work so far; then it rises, up to a twentieth of what was gained,
/// and the placement counts whose [`Price`] is least. Objects that move as clusters only return.
///
/// O(objects + degree of those that are away) for each pass and each of a few ceilings; passes go on while anything
/// returns.
pub(super) fn homeward(problem: &Problem<'_>, found: Assignment, rules: Rules) -> Assignment {
    let largest = |works: &[Work]| works.iter().map(|work| work.cost()).fold(0.0, f64::max);
    let start = largest(&works(problem.model, problem.phase, &rank_totals(problem.phase, problem.initial)));
    let mut way = Homeward::new(problem, found, rules);
    let mean = Statistics::of(way.now.iter().map(|work| work.cost())).mean();
    let mut found = f64::INFINITY;
    while largest(&way.now) < found {
        found = largest(&way.now);
        way.redirect(mean);
        way.return_all(|before| before.0.cost().max(before.1.cost()).max(mean));
    }
    way.settle(found);
    let found = largest(&way.now);
    if rules.migration_weight == 0.0 || start <= found || way.away.is_empty() {
        return way.totals.into_assignment();
    }
    let price = Price {
        unit: best_lower_bound(problem.phase, problem.model).work.max(mean),
        n_migrations: way.n_away(),
        weight: rules.migration_weight,
    };
    let mut best = (price.of(found, way.n_away()), way.totals.assignment().clone());
    for ceiling in ceilings(found, start) {
        way.settle(ceiling);
        let price = price.of(largest(&way.now), way.n_away());
        if price < best.0 {
            best = (price, way.totals.assignment().clone());
        }
    }
    best.1
}

/// From a 1280th part of what was gained to a twentieth of it.
fn ceilings(found: f64, start: f64) -> impl Iterator<Item = f64> {
    /// Of what was gained, this much may be given up.
    const MOST: f64 = 0.05;
    (0..=12).rev().map(move |halves| found + MOST * (start - found) * 0.5_f64.powf(0.5 * f64::from(halves)))
}

/// What a placement costs: `(largest work above the best possible + 3 %) x (migrations + a quarter of those that the
/// largest work found takes) ^ weight`. A product, so that it is all about ratios: whoever halves the distance to
/// the best possible may double migrations, with a weight of 1. The constants are the scales below which
/// differences hardly matter.
struct Price {
    /// The best possible work, as far as is known: what distances are a part of.
    unit: f64,
    /// Migrations that the largest work found takes.
    n_migrations: usize,
    weight: f64,
}

impl Price {
    fn of(&self, largest_work: f64, n_migrations: usize) -> f64 {
        let distance = largest_work / self.unit - 1.0;
        let migrations = n_migrations as f64 + 0.25 * self.n_migrations as f64;
        (distance.max(0.0) + 0.03) * migrations.powf(self.weight)
    }
}

/// A placement on its way home.
struct Homeward<'a> {
    problem: Problem<'a>,
    rules: Rules,
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
    fn new(problem: &Problem<'a>, found: Assignment, rules: Rules) -> Self {
        let phase = problem.phase;
        let totals = Totals::new(phase, found);
        let now = works(problem.model, phase, totals.ranks());
        let mut natives = vec![Vec::new(); phase.n_ranks()];
        for slot in phase.slots().filter(|&slot| phase.is_migratable(slot)) {
            natives[problem.initial.rank_of(slot).index()].push(slot);
        }
        for objects in &mut natives {
            objects.sort_by(|&a, &b| phase.load(a).total_cmp(&phase.load(b)));
        }
        let mut way = Homeward { problem: *problem, rules, totals, now, away: Vec::new(), natives };
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
        let mut away: Vec<Slot> =
            phase.slots().filter(|&slot| self.totals.rank_of(slot) != self.home(slot)).collect();
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
        while self.make_room(ceiling) {
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
            away.retain(|party| !self.returns(party, &ceiling));
            if away.len() == n_away {
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
        let returns = after.0.cost().max(after.1.cost()) <= ceiling && Criterion::keeps_bounds(before, after);
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
        if cost > 0.0 { (ceiling - constant) / cost * (1.0 + 1e-12) - totals.load } else { f64::INFINITY }
    }

    fn make(&mut self, transfer: &Transfer<'_>) {
        self.totals.apply(transfer);
        Works::Live(&mut self.now).update(&self.totals, self.problem.model, [transfer.from, transfer.to]);
    }
}
