// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ranks in the order of their work.

use std::collections::BTreeSet;

use lbaf_model::{RankId, Work};

use crate::seconds::Seconds;

/// Ranks by what they cost, kept up to date in O(log ranks).
pub(crate) struct Ladder {
    rungs: Vec<Seconds>,
    sorted: BTreeSet<(Seconds, RankId)>,
}

impl Ladder {
    /// All ranks. O(ranks log ranks).
    pub(crate) fn new(works: &[Work]) -> Self {
        let rungs: Vec<Seconds> = works.iter().map(|work| Seconds(work.cost())).collect();
        let sorted = rungs.iter().copied().zip((0..).map(RankId)).collect();
        Ladder { rungs, sorted }
    }

    /// The rank that costs most, the last of equal ones.
    pub(crate) fn highest(&self) -> Option<RankId> {
        self.sorted.last().map(|&(_, rank)| rank)
    }

    /// The ranks from the one that costs least.
    pub(crate) fn ascending(&self) -> impl Iterator<Item = RankId> {
        self.sorted.iter().map(|&(_, rank)| rank)
    }

    /// A rank has other work than it had.
    pub(crate) fn renew(&mut self, rank: RankId, work: Work) {
        let rung = &mut self.rungs[rank.index()];
        self.sorted.remove(&(*rung, rank));
        *rung = Seconds(work.cost());
        self.sorted.insert((*rung, rank));
    }
}
