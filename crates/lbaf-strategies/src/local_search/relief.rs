// SPDX-License-Identifier: MIT OR Apache-2.0
//! What ranks over a bound give away before anything else.

use std::collections::BTreeMap;
use std::slice;

use lbaf_model::{RankId, Slot, Transfer, View};

use super::search::Search;
use crate::handout::relieved;
use crate::ladder::Ladder;
use crate::seconds::Seconds;

/// So many ranks are asked for each thing that might leave: those with least work, and those with least memory.
const TAKERS: usize = 64;

/// So often ranks over a bound look at all that they have.
const PASSES: usize = 4;

impl Search<'_> {
    /// Takes objects off ranks that are over a bound, whole blocks and the largest first, to ranks that can hold them.
    /// Where that is not enough, they hand out what they have as Greedy does, with more migrations.
    ///
    /// What-ifs for about a hundred ranks for each object of ranks over a bound.
    pub(super) fn relieve(&mut self) {
        if self.over_bounds().is_empty() {
            return;
        }
        let memory = |search: &Self, rank: RankId| Seconds(search.totals.rank(rank).memory_bytes());
        let mut by_memory = Ladder::new(self.problem.phase.rank_ids().map(|rank| memory(self, rank)));
        for _ in 0..PASSES {
            let made = self.n_exchanges();
            for from in self.over_bounds() {
                for part in self.parts(from) {
                    if !self.works[from.index()].is_over_bound() {
                        break;
                    }
                    if let Some(to) = self.relieve_of(from, part, &by_memory) {
                        for rank in [from, to] {
                            by_memory.renew(rank, memory(self, rank));
                        }
                    }
                }
            }
            if self.n_exchanges() == made {
                break;
            }
        }
        self.hand_out_excess();
    }

    fn over_bounds(&self) -> Vec<RankId> {
        let ranks = self.problem.phase.rank_ids();
        ranks.filter(|rank| self.works[rank.index()].is_over_bound()).collect()
    }

    /// Gives what is left of a part to the first rank that can hold it, if the giver is less over its bounds then.
    fn relieve_of(
        &mut self,
        from: RankId,
        mut part: Vec<Slot>,
        by_memory: &Ladder<Seconds>,
    ) -> Option<RankId> {
        part.retain(|&slot| self.totals.rank_of(slot) == from);
        if part.is_empty() {
            return None;
        }
        let bundle = self.totals.bundle(from, &part);
        let without = self.totals.without(&bundle);
        // What helps nowhere helps on none of them.
        let alone = self.totals.work_if(self.problem.model, from, &without, &[(from, &without)]);
        if alone.excess() >= self.works[from.index()].excess() {
            return None;
        }
        let idle = self.ladder.ascending().take(TAKERS);
        let takers: Vec<RankId> =
            idle.chain(by_memory.ascending().take(TAKERS)).filter(|&to| to != from).collect();
        takers
            .into_iter()
            .find(|&to| self.make_within_bounds(&Transfer { from, to, objects: &part, returned: &[] }))
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

    /// The last resort, if it helps and no more objects migrate than may.
    fn hand_out_excess(&mut self) {
        let worst = |search: &Self| search.works.iter().map(|work| work.excess()).fold(0.0, f64::max);
        let (before, made) = (worst(self), self.n_exchanges());
        if before == 0.0 {
            return;
        }
        let now = self.placement().clone();
        let wanted = relieved(&self.problem, &now);
        for moved in wanted.migrations_from(&now) {
            let objects = slice::from_ref(&moved.slot);
            let transfer = Transfer { from: moved.from, to: moved.to, objects, returned: &[] };
            self.make(&transfer);
            self.record(&[transfer]);
        }
        if worst(self) >= before || self.n_away() > self.most_away {
            self.back_to(made);
        }
    }
}
