// SPDX-License-Identifier: MIT OR Apache-2.0
//! Moves of objects to the rank of their communication partners or to the home of their block.

use std::collections::BTreeMap;

use lbaf_model::{RankId, Slot, Transfer, View};

use super::Search;
use super::exchanges::worth;

/// Up to `ASKED` times `RANKS` moves are evaluated, those with the most bytes.
const ASKED: usize = 32;

/// Maximum number of evaluated destination ranks per object.
const RANKS: usize = 2;

impl Search<'_> {
    /// Moves an object of the rank with the most work to a rank with its partners or to the home of its block.
    /// Returns true on success.
    ///
    /// Tries the moves with sufficient gain in descending order of gain per migration. Does nothing if neither
    /// communication nor homing adds to work.
    ///
    /// O(degree) for each object of the rank, and O(degree) for each evaluated move.
    pub(crate) fn join_partners(&mut self, least_gain: f64) -> bool {
        let aspects = self.problem.model.aspects();
        let Some(from) = self.ladder.highest() else { return false };
        if !(aspects.communication || aspects.homing) {
            return false;
        }
        let mut wishes: Vec<(f64, Slot, RankId)> = Vec::new();
        for &slot in &self.objects[from.index()] {
            wishes.extend(self.wishes(slot, from).into_iter().map(|(bytes, to)| (bytes, slot, to)));
        }
        wishes.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        wishes.truncate(ASKED * RANKS);
        let mut found = Vec::new();
        for (_, slot, to) in wishes {
            let objects = [slot];
            let transfer = Transfer { from, to, objects: &objects, returned: &[] };
            let after = self.totals.works_after(self.problem.model, &transfer);
            let gain = self.cost(from) - after.0.cost().max(after.1.cost()).max(self.goal);
            if gain >= least_gain && gain > 0.0 {
                found.push((worth(gain, self.more_away(slot, from, to)), slot, to));
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        found.into_iter().any(|(_, slot, to)| {
            self.attempt(&Transfer { from, to, objects: &[slot], returned: &[] }, least_gain)
        })
    }

    /// Returns the bytes that an object exchanges with up to `RANKS` ranks other than `from`, the most bytes first.
    /// The home of its block counts with the size of the block.
    fn wishes(&self, slot: Slot, from: RankId) -> Vec<(f64, RankId)> {
        let phase = self.problem.phase;
        let mut bytes: BTreeMap<RankId, f64> = BTreeMap::new();
        for (rank, volume) in self.partners(slot) {
            *bytes.entry(rank).or_insert(0.0) += volume;
        }
        if let Some(block) = phase.memory(slot).block {
            let block = phase.blocks()[block.index()];
            *bytes.entry(block.home).or_insert(0.0) += block.size_bytes;
        }
        let mut wishes: Vec<(f64, RankId)> =
            bytes.into_iter().filter(|&(rank, _)| rank != from).map(|(rank, bytes)| (bytes, rank)).collect();
        wishes.sort_by(|a, b| b.0.total_cmp(&a.0));
        wishes.truncate(RANKS);
        wishes
    }
}
