// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bound repair: ranks over a bound give objects away before the search starts.

use std::collections::BTreeMap;

use lbaf_model::{RankId, Slot, Transfer, View};

use super::Search;
use crate::primitives::rank_order::{RankOrder, by_fullness, fullness};
use crate::primitives::seconds::Seconds;
use crate::primitives::works::bounds_communication;

/// Receivers of each kind tried for a part (the objects of a block, or one object): ranks with the least work, and
/// least full ranks.
const TAKERS: usize = 64;

/// Maximum number of passes over the ranks that exceed a bound.
const PASSES: usize = 4;

/// Maximum number of parts tried in a pass for each rank that exceeds a bound.
const MOST: usize = 1024;

/// Least full ranks tried for an exchange, and objects tried on either rank.
const EXCHANGED_WITH: usize = 16;
const EXCHANGED: usize = 16;

impl Search<'_> {
    /// Relieves the ranks over a bound. Returns false if `is_late` has ended the repair.
    ///
    /// A rank gives away whole blocks, the largest first, then single objects, the largest memory first. If the
    /// rank is still over a bound, it exchanges objects for objects that need less memory.
    ///
    /// Each of at most four passes evaluates up to 128 receivers for each of up to 1024 parts of every rank over a
    /// bound, then up to 4096 exchanges for each exchange made.
    pub(crate) fn relieve(&mut self, is_late: &dyn Fn() -> bool) -> bool {
        let Some(mut by_fullness) = by_fullness(self.problem.model, &self.totals) else { return true };
        for _ in 0..PASSES {
            let made = self.n_exchanges();
            for from in self.over_bounds() {
                if is_late() {
                    return false;
                }
                for part in self.parts(from).into_iter().take(MOST) {
                    if !self.works[from.index()].is_over_bound() {
                        break;
                    }
                    if let Some(to) = self.relieve_of(from, part, &by_fullness) {
                        self.renew(&mut by_fullness, [from, to]);
                    }
                }
                while !is_late()
                    && let Some(to) = self.relieve_by_exchange(from, &by_fullness)
                {
                    self.renew(&mut by_fullness, [from, to]);
                }
            }
            if self.n_exchanges() == made {
                break;
            }
        }
        true
    }

    fn renew(&self, by_fullness: &mut RankOrder<Seconds>, ranks: [RankId; 2]) {
        for rank in ranks {
            by_fullness.renew(rank, fullness(self.problem.model, self.totals.rank(rank)));
        }
    }

    fn over_bounds(&self) -> Vec<RankId> {
        let ranks = self.problem.phase.rank_ids();
        ranks.filter(|rank| self.works[rank.index()].is_over_bound()).collect()
    }

    /// Gives the objects of a part that are still on `from` to the first rank that can hold them. Returns the
    /// receiver.
    fn relieve_of(
        &mut self,
        from: RankId,
        mut part: Vec<Slot>,
        by_fullness: &RankOrder<Seconds>,
    ) -> Option<RankId> {
        part.retain(|&slot| self.totals.rank_of(slot) == from);
        if part.is_empty() {
            return None;
        }
        let model = self.problem.model;
        let without = self.totals.without(&self.totals.bundle(from, &part));
        // If the excess does not fall without the part, no receiver helps.
        let alone = self.totals.work_if(model, from, &without, &[(from, &without)]);
        if alone.excess() >= self.works[from.index()].excess() && !bounds_communication(model) {
            return None;
        }
        let idle = self.ladder.ascending().take(TAKERS);
        let takers = idle.chain(by_fullness.ascending().take(TAKERS)).filter(|&to| to != from);
        takers.collect::<Vec<_>>().into_iter().find(|&to| {
            let transfer = Transfer { from, to, objects: &part, returned: &[] };
            self.is_relieved_by(&transfer) && self.make_within_bounds(&transfer)
        })
    }

    /// Exchanges an object of a rank over a bound for an object that needs less memory, on one of the least full ranks.
    /// Returns the other rank.
    fn relieve_by_exchange(&mut self, from: RankId, by_fullness: &RankOrder<Seconds>) -> Option<RankId> {
        if !self.works[from.index()].is_over_bound() {
            return None;
        }
        let given = self.by_memory(from);
        let takers: Vec<RankId> =
            by_fullness.ascending().filter(|&to| to != from).take(EXCHANGED_WITH).collect();
        for to in takers {
            let taken = self.by_memory(to);
            for &given in given.iter().take(EXCHANGED) {
                let smaller = taken.iter().filter(|&slot| self.memory(*slot) < self.memory(given));
                for taken in smaller.take(EXCHANGED).copied().collect::<Vec<_>>() {
                    let transfer = Transfer { from, to, objects: &[given], returned: &[taken] };
                    if self.is_relieved_by(&transfer) && self.make_within_bounds(&transfer) {
                        return Some(to);
                    }
                }
            }
        }
        None
    }

    /// True if a transfer reduces the excess of the giver and does not increase the excess of the receiver.
    fn is_relieved_by(&self, transfer: &Transfer<'_>) -> bool {
        let excess = |rank: RankId| self.works[rank.index()].excess();
        let after = self.totals.works_after(self.problem.model, transfer);
        after.0.excess() < excess(transfer.from) && after.1.excess() <= excess(transfer.to)
    }

    /// Returns the migratable objects of a rank, the largest memory first.
    fn by_memory(&self, rank: RankId) -> Vec<Slot> {
        let mut objects = self.objects[rank.index()].clone();
        objects.sort_by(|&a, &b| self.memory(b).total_cmp(&self.memory(a)).then(a.cmp(&b)));
        objects
    }

    /// Returns the footprint plus the working memory of an object, in bytes.
    fn memory(&self, slot: Slot) -> f64 {
        let memory = self.problem.phase.memory(slot);
        memory.footprint_bytes + memory.working_bytes
    }

    /// Returns the parts that may leave a rank: whole blocks, the largest first, then single objects by memory.
    fn parts(&self, rank: RankId) -> Vec<Vec<Slot>> {
        let phase = self.problem.phase;
        let mut blocks: BTreeMap<_, Vec<Slot>> = BTreeMap::new();
        let single = self.by_memory(rank);
        for &slot in &single {
            if let Some(block) = phase.memory(slot).block {
                blocks.entry(block).or_default().push(slot);
            }
        }
        let mut parts: Vec<_> = blocks.into_iter().collect();
        let bytes = |block: &lbaf_model::BlockIdx| phase.blocks()[block.index()].size_bytes;
        parts.sort_by(|a, b| bytes(&b.0).total_cmp(&bytes(&a.0)).then(a.1.len().cmp(&b.1.len())));
        parts.into_iter().map(|(_, part)| part).chain(single.into_iter().map(|slot| vec![slot])).collect()
    }
}
