// SPDX-License-Identifier: MIT OR Apache-2.0
//! The way back: the largest work stays as it is, and is reached with fewer migrations.

use lbaf_model::{Assignment, RankId, Slot, Statistics, Totals, Transfer, View, Work, works};

use super::criterion::{Criterion, Ends};
use super::works::Works;
use crate::Problem;

/// Undoes migrations that turned out to be of no use, the lightest first: objects return to where the problem has
/// them. First those whose return leaves neither of the two ranks with more than one of them had, or than the mean,
/// which may lower the largest work; then all without which no rank has more than that. Objects of a block that made
/// the same way return together, or not, if `whole` says so; if `localizing` does, none leaves a partner behind.
///
/// O(degree of the objects that are away) for each pass, and passes go on while anything returns.
pub(super) fn homeward(
    problem: &Problem<'_>,
    found: Assignment,
    whole: bool,
    localizing: bool,
) -> Assignment {
    let totals = Totals::new(problem.phase, found);
    let now = works(problem.model, problem.phase, totals.ranks());
    let mean = Statistics::of(now.iter().map(|work| work.cost())).mean();
    let mut way = Homeward { problem: *problem, totals, now, localizing };
    let mut away = way.parties(whole);
    way.return_all(&mut away, |before| before.0.cost().max(before.1.cost()).max(mean));
    let most = way.now.iter().map(|work| work.cost()).fold(0.0, f64::max);
    way.return_all(&mut away, |_| most);
    way.totals.into_assignment()
}

/// A placement on its way back.
struct Homeward<'a> {
    problem: Problem<'a>,
    totals: Totals<'a>,
    now: Vec<Work>,
    localizing: bool,
}

/// Objects that left a rank together, and only together return to it.
type Party = Vec<Slot>;

impl Homeward<'_> {
    fn home(&self, slot: Slot) -> RankId {
        self.problem.initial.rank_of(slot)
    }

    fn load(&self, party: &[Slot]) -> f64 {
        party.iter().map(|&slot| self.problem.phase.load(slot)).sum()
    }

    /// What is away, the lightest first.
    fn parties(&self, whole: bool) -> Vec<Party> {
        let phase = self.problem.phase;
        let mut away: Vec<Slot> =
            phase.slots().filter(|&slot| self.totals.rank_of(slot) != self.home(slot)).collect();
        let way = |slot: Slot| (phase.memory(slot).block, self.home(slot), self.totals.rank_of(slot));
        let mut parties: Vec<Party> = if whole {
            away.sort_by_key(|&slot| way(slot));
            let together = |&a: &Slot, &b: &Slot| phase.memory(a).block.is_some() && way(a) == way(b);
            away.chunk_by(together).map(<[Slot]>::to_vec).collect()
        } else {
            away.into_iter().map(|slot| vec![slot]).collect()
        };
        parties.sort_by(|a, b| self.load(a).total_cmp(&self.load(b)));
        parties
    }

    /// All return that can, again and again: whoever returns leaves room behind. `ceiling` says how much the two
    /// ranks may have after a return, given what they have before it.
    fn return_all(&mut self, away: &mut Vec<Party>, ceiling: impl Fn(Ends) -> f64) {
        loop {
            let n_away = away.len();
            away.retain(|party| !self.returns(party, &ceiling));
            if away.len() == n_away {
                break;
            }
        }
    }

    fn returns(&mut self, party: &[Slot], ceiling: impl Fn(Ends) -> f64) -> bool {
        let (from, to) = (self.totals.rank_of(party[0]), self.home(party[0]));
        if self.localizing && self.totals.bundle(from, party).talks_on_its_rank() {
            return false;
        }
        let transfer = Transfer { from, to, objects: party, returned: &[] };
        let model = self.problem.model;
        let before = (self.now[from.index()], self.now[to.index()]);
        let after = self.totals.works_after(model, &transfer);
        let returns =
            after.0.cost().max(after.1.cost()) <= ceiling(before) && Criterion::keeps_bounds(before, after);
        if returns {
            self.totals.apply(&transfer);
            Works::Live(&mut self.now).update(&self.totals, model, [from, to]);
        }
        returns
    }
}
