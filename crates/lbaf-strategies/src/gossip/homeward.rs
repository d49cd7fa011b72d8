// SPDX-License-Identifier: MIT OR Apache-2.0
//! The way back: the largest work stays as it is, and is reached with fewer migrations.

use lbaf_model::{Assignment, RankId, Slot, Totals, Transfer, View, Work, works};

use super::criterion::Criterion;
use super::works::Works;
use crate::Problem;

/// Undoes migrations without which no rank has more than the largest work: objects return to where the problem has
/// them, the lightest first. Objects of a block that made the same way return together, or not, if `whole` says so.
///
/// O(degree of the objects that are away) for each pass, and passes go on while anything returns.
pub(super) fn homeward(problem: &Problem<'_>, found: Assignment, whole: bool) -> Assignment {
    let totals = Totals::new(problem.phase, found);
    let now = works(problem.model, problem.phase, totals.ranks());
    let most = now.iter().map(|work| work.cost()).fold(0.0, f64::max);
    let mut way = Homeward { problem: *problem, totals, now, most };
    let mut away = way.parties(whole);
    way.return_all(&mut away);
    way.totals.into_assignment()
}

struct Homeward<'a> {
    problem: Problem<'a>,
    totals: Totals<'a>,
    now: Vec<Work>,
    /// The largest cost, which no rank may exceed.
    most: f64,
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

    /// All return that can, again and again: whoever returns leaves room behind.
    fn return_all(&mut self, away: &mut Vec<Party>) {
        loop {
            let n_away = away.len();
            away.retain(|party| !self.returns(party));
            if away.len() == n_away {
                break;
            }
        }
    }

    fn returns(&mut self, party: &[Slot]) -> bool {
        let (from, to) = (self.totals.rank_of(party[0]), self.home(party[0]));
        self.made(&Transfer { from, to, objects: party, returned: &[] })
    }

    /// Makes a transfer if it keeps the largest work and all bounds.
    fn made(&mut self, transfer: &Transfer<'_>) -> bool {
        let ends = [transfer.from, transfer.to];
        let before = (self.now[ends[0].index()], self.now[ends[1].index()]);
        let after = self.totals.works_after(self.problem.model, transfer);
        let keeps = after.0.cost().max(after.1.cost()) <= self.most && Criterion::keeps_bounds(before, after);
        if keeps {
            self.make(transfer);
        }
        keeps
    }

    fn make(&mut self, transfer: &Transfer<'_>) {
        self.totals.apply(transfer);
        Works::Live(&mut self.now).update(&self.totals, self.problem.model, [transfer.from, transfer.to]);
    }
}
