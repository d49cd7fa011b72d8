// SPDX-License-Identifier: MIT OR Apache-2.0
//! Heap of ranks by a cost that rises while objects are placed.

use lbaf_model::RankId;
use smallvec::SmallVec;

use crate::primitives::seconds::Seconds;

/// Binary heap of all ranks by cost, with the least cost first.
///
/// The entry of a rank is its cost, or an earlier, lower cost. Each placed object raises the costs of many ranks, but
/// callers need only a few ranks with the least cost. So an entry is renewed when a search reaches it.
#[derive(Clone)]
pub(super) struct CostHeap {
    entries: Vec<Entry>,
    /// Position of the entry of each rank.
    positions: Vec<u32>,
}

type Entry = (Seconds, RankId);

impl CostHeap {
    /// Creates a heap of the ranks with these costs. O(ranks log ranks).
    pub(super) fn new(costs: &[Seconds]) -> Self {
        let mut entries: Vec<Entry> = costs.iter().copied().zip((0..).map(RankId)).collect();
        // A sorted list is a heap.
        entries.sort_unstable();
        let mut positions = vec![0; entries.len()];
        for (position, (_, rank)) in (0..).zip(&entries) {
            positions[rank.index()] = position;
        }
        CostHeap { entries, positions }
    }

    /// Lowers the entry of a rank to its new cost if the cost is lower. O(log ranks) if it is, otherwise O(1).
    pub(super) fn lower(&mut self, rank: RankId, cost: Seconds) {
        let mut at = self.positions[rank.index()] as usize;
        if cost >= self.entries[at].0 {
            return;
        }
        while at > 0 {
            let parent = (at - 1) / 2;
            if self.entries[parent] <= (cost, rank) {
                break;
            }
            self.put(at, self.entries[parent]);
            at = parent;
        }
        self.put(at, (cost, rank));
    }

    /// Returns the `n` suitable ranks with the least cost, in ascending order, for the current costs of all ranks.
    pub(super) fn lowest(
        &mut self,
        n: usize,
        costs: &[Seconds],
        suits: impl Fn(RankId) -> bool,
    ) -> SmallVec<[RankId; 8]> {
        let mut lowest = SmallVec::new();
        // Positions whose parents were visited; entries below them are not less than theirs.
        let mut next: SmallVec<[(Entry, usize); 32]> = SmallVec::new();
        next.extend(self.entries.first().map(|&entry| (entry, 0)));
        while lowest.len() < n
            && let Some(least) = (0..next.len()).min_by_key(|&at| next[at].0)
        {
            let ((entry, rank), at) = next[least];
            if costs[rank.index()] != entry {
                self.raise(at, costs[rank.index()]);
                next[least].0 = self.entries[at];
                continue;
            }
            next.swap_remove(least);
            next.extend(
                [2 * at + 1, 2 * at + 2]
                    .into_iter()
                    .filter_map(|below| Some((*self.entries.get(below)?, below))),
            );
            if suits(rank) {
                lowest.push(rank);
            }
        }
        lowest
    }

    /// Raises the cost of the entry at a position. O(log ranks).
    fn raise(&mut self, mut at: usize, cost: Seconds) {
        let raised = (cost, self.entries[at].1);
        loop {
            let left = 2 * at + 1;
            let right = (left + 1).min(self.entries.len() - 1);
            if left >= self.entries.len() {
                break;
            }
            let least = if self.entries[right] < self.entries[left] { right } else { left };
            if raised <= self.entries[least] {
                break;
            }
            self.put(at, self.entries[least]);
            at = least;
        }
        self.put(at, raised);
    }

    fn put(&mut self, at: usize, entry: Entry) {
        self.entries[at] = entry;
        self.positions[entry.1.index()] = at as u32;
    }
}
