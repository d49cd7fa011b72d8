// SPDX-License-Identifier: MIT OR Apache-2.0
//! What ranks over a bound give away before anything else.

use std::collections::BTreeMap;

use lbaf_model::{RankId, Slot, Transfer, View, Work};

use super::search::Search;
use crate::works::concerned;

/// So many ranks are asked for each thing that might leave: those with least work, and those with least memory.
const TAKERS: usize = 64;

impl Search<'_> {
    /// Takes objects off ranks that are over a bound, whole blocks and the largest first, to ranks that can hold them,
    /// as long as the excess gets less.
    ///
    /// O(objects of the rank) what-ifs at most for each that leaves.
    pub(super) fn relieve(&mut self) {
        let over: Vec<RankId> =
            self.problem.phase.rank_ids().filter(|&rank| self.works[rank.index()].is_over_bound()).collect();
        if over.is_empty() {
            return;
        }
        let mut by_memory: Vec<RankId> = self.problem.phase.rank_ids().collect();
        let memory = |rank: &RankId| self.totals.ranks()[rank.index()].memory_bytes();
        by_memory.sort_by(|a, b| memory(a).total_cmp(&memory(b)));
        by_memory.truncate(TAKERS);
        for from in over {
            while self.works[from.index()].is_over_bound() && self.relieve_once(from, &by_memory) {}
        }
    }

    /// Makes the first transfer that brings a rank closer to its bounds; whether there was one.
    fn relieve_once(&mut self, from: RankId, by_memory: &[RankId]) -> bool {
        let idle = self.ladder.ascending().take(TAKERS);
        let takers: Vec<RankId> = idle.chain(by_memory.iter().copied()).filter(|&to| to != from).collect();
        let parts = self.parts(from);
        parts.iter().any(|part| {
            let bundle = self.totals.bundle(from, part);
            let without = self.totals.without(&bundle);
            // What helps nowhere helps on none of them.
            let alone = self.totals.work_if(self.problem.model, from, &without, &[(from, &without)]);
            alone.excess() < self.works[from.index()].excess()
                && takers.iter().any(|&to| self.attempt_relief(from, to, part))
        })
    }

    /// What may leave a rank: all objects of a block, the largest block first, then objects by their memory.
    fn parts(&self, rank: RankId) -> Vec<Vec<Slot>> {
        let phase = self.problem.phase;
        let mut blocks: BTreeMap<_, Vec<Slot>> = BTreeMap::new();
        let mut single = self.objects[rank.index()].clone();
        for &slot in &single {
            if let Some(block) = phase.memory(slot).block {
                blocks.entry(block).or_default().push(slot);
            }
        }
        let mut parts: Vec<_> = blocks.into_iter().collect();
        let bytes = |block: &lbaf_model::BlockIdx| phase.blocks()[block.index()].size_bytes;
        parts.sort_by(|a, b| bytes(&b.0).total_cmp(&bytes(&a.0)).then(a.1.len().cmp(&b.1.len())));
        let memory = |slot: &Slot| phase.memory(*slot).footprint_bytes + phase.memory(*slot).working_bytes;
        single.sort_by(|a, b| memory(b).total_cmp(&memory(a)).then(a.cmp(b)));
        parts.into_iter().map(|(_, part)| part).chain(single.into_iter().map(|slot| vec![slot])).collect()
    }

    /// Makes a gift if all ranks that it concerns are less over their bounds after it, and none is further over than
    /// the worst of them was.
    fn attempt_relief(&mut self, from: RankId, to: RankId, part: &[Slot]) -> bool {
        let transfer = Transfer { from, to, objects: part, returned: &[] };
        let ranks = concerned(&self.totals, self.problem.model, [from, to]);
        let excess = |works: &[Work]| -> (f64, f64) {
            let of = ranks.iter().map(|rank| works[rank.index()].excess());
            (of.clone().sum(), of.fold(0.0, f64::max))
        };
        let (before, n_away) = (excess(&self.works), self.n_away());
        self.make(&transfer);
        let after = excess(&self.works);
        let helps = after.0 < before.0 * (1.0 - 1e-12) && after.1 <= before.1 && after.1 < before.0;
        if helps && self.n_away() <= self.most_away.max(n_away) {
            self.record(&[transfer]);
            return true;
        }
        self.make(&Transfer { from, to, objects: &[], returned: part });
        false
    }
}
