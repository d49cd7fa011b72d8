// SPDX-License-Identifier: MIT OR Apache-2.0
//! Redirection: migrated objects go to ranks with less work.
//!
//! In a distributed balancer, several ranks can send objects to the same receiver at the same time. Such a receiver
//! can end with too much work.

use std::cmp::Reverse;

use lbaf_model::{RankId, Slot, Transfer, View};

use super::Homeward;
use crate::primitives::rank_order::RankOrder;
use crate::primitives::works::keeps_bounds;

/// Number of ranks with the least work that are tried as receivers. The first may lack memory, for instance.
const FEW: usize = 4;

impl Homeward<'_> {
    /// Moves migrated objects from ranks with more work than `mean` to one of the few ranks with the least work.
    ///
    /// The rank with the most work comes first, and of each rank the heaviest object. Both ranks must then have
    /// less work than the sender had, within bounds. O(migrated objects x log ranks).
    pub(super) fn redirect(&mut self, mean: f64) {
        if !self.rules.singly() {
            return;
        }
        let mut ladder = RankOrder::new(self.now.iter().copied());
        let mut away: Vec<(RankId, Slot)> =
            self.away.iter().rev().flatten().map(|&slot| (self.totals.rank_of(slot), slot)).collect();
        away.sort_by_key(|&(rank, _)| (Reverse(self.now[rank.index()]), rank));
        for (from, object) in away {
            let before = self.now[from.index()];
            if before.cost() <= mean || self.cancel.is_cancelled() {
                continue;
            }
            for to in ladder.ascending().take(FEW).filter(|&to| to != from).collect::<Vec<_>>() {
                if self.room(to, before.cost()) < self.problem.phase.load(object) {
                    continue;
                }
                let transfer = Transfer { from, to, objects: &[object], returned: &[] };
                let after = self.totals.works_after(self.problem.model, &transfer);
                if after.0.cost().max(after.1.cost()) < before.cost()
                    && keeps_bounds((before, self.now[to.index()]), after)
                {
                    self.make(&transfer);
                    for rank in self.concerned([from, to]) {
                        ladder.renew(rank, self.now[rank.index()]);
                    }
                    break;
                }
            }
        }
        self.find_away();
    }
}
