// SPDX-License-Identifier: MIT OR Apache-2.0
//! Placement that one rank assumes while other ranks make transfers at the same time.

use rustc_hash::FxHashMap;

use crate::sizes::{SizeCounts, size_key, take_one};
use crate::{BlockIdx, Phase, RankId, RankTotals, Slot, Totals, View};

/// The placement of some [`Totals`], plus the transfers of one rank.
///
/// Its memory grows only with these transfers, so many ranks can hold beliefs over the same [`Totals`].
#[derive(Clone, Debug)]
pub struct Belief<'t, 'p> {
    base: &'t Totals<'p>,
    moved: FxHashMap<Slot, RankId>,
    ranks: FxHashMap<RankId, RankTotals>,
    holding: FxHashMap<(BlockIdx, RankId), u32>,
    working: FxHashMap<RankId, SizeCounts>,
    serialized: FxHashMap<RankId, SizeCounts>,
}

impl<'t, 'p> Belief<'t, 'p> {
    /// Creates a belief without transfers.
    pub fn new(base: &'t Totals<'p>) -> Self {
        Belief {
            base,
            moved: FxHashMap::default(),
            ranks: FxHashMap::default(),
            holding: FxHashMap::default(),
            working: FxHashMap::default(),
            serialized: FxHashMap::default(),
        }
    }

    fn working_mut(&mut self, rank: RankId) -> &mut SizeCounts {
        self.working.entry(rank).or_insert_with(|| self.base.working(rank).clone())
    }

    fn serialized_mut(&mut self, rank: RankId) -> &mut SizeCounts {
        self.serialized.entry(rank).or_insert_with(|| self.base.serialized(rank).clone())
    }
}

impl View for Belief<'_, '_> {
    fn phase(&self) -> &Phase {
        self.base.phase()
    }

    fn rank_of(&self, slot: Slot) -> RankId {
        self.moved.get(&slot).copied().unwrap_or_else(|| self.base.rank_of(slot))
    }

    fn rank(&self, rank: RankId) -> &RankTotals {
        self.ranks.get(&rank).unwrap_or_else(|| self.base.rank(rank))
    }

    fn objects(&self, rank: RankId) -> Vec<Slot> {
        let mut objects = self.base.members(rank).to_vec();
        if !self.moved.is_empty() {
            objects.retain(|slot| !self.moved.contains_key(slot));
            #[expect(clippy::iter_over_hash_type, reason = "the objects are sorted afterwards")]
            for (&slot, &owner) in &self.moved {
                if owner == rank {
                    objects.push(slot);
                }
            }
        }
        objects.sort_unstable();
        objects
    }

    fn n_holding(&self, block: BlockIdx, rank: RankId) -> u32 {
        self.holding.get(&(block, rank)).copied().unwrap_or_else(|| self.base.n_holding(block, rank))
    }

    fn working(&self, rank: RankId) -> &SizeCounts {
        self.working.get(&rank).unwrap_or_else(|| self.base.working(rank))
    }

    fn serialized(&self, rank: RankId) -> &SizeCounts {
        self.serialized.get(&rank).unwrap_or_else(|| self.base.serialized(rank))
    }

    fn node_of(&self, rank: RankId) -> &[usize] {
        self.base.node_of(rank)
    }

    fn hand_over(&mut self, slot: Slot, giver: RankId, taker: RankId) {
        self.moved.insert(slot, taker);
        let memory = self.base.phase().memory(slot);
        let key = size_key(memory.working_bytes);
        take_one(self.working_mut(giver), key);
        *self.working_mut(taker).entry(key).or_insert(0) += 1;
        // Most files contain no serialized sizes.
        if memory.serialized_bytes > 0.0 {
            let key = size_key(memory.serialized_bytes);
            take_one(self.serialized_mut(giver), key);
            *self.serialized_mut(taker).entry(key).or_insert(0) += 1;
        }
        if let Some(block) = memory.block {
            let counts =
                [(giver, self.n_holding(block, giver) - 1), (taker, self.n_holding(block, taker) + 1)];
            self.holding.extend(counts.map(|(rank, count)| ((block, rank), count)));
        }
    }

    fn set_totals(&mut self, rank: RankId, totals: RankTotals) {
        self.ranks.insert(rank, totals);
    }
}
