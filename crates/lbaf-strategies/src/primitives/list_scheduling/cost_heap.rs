// SPDX-License-Identifier: MIT OR Apache-2.0
//! Heap of ranks by a cost that rises while objects are placed.

use lbaf_model::RankId;

use crate::primitives::seconds::Seconds;

/// Binary heap of all ranks by cost, with the least cost first.
///
/// The entry of a rank is its cost, or an earlier, lower cost. Each placed object raises the costs of many ranks, but
/// callers need only a few ranks with the least cost. So an entry is renewed when a search reaches it.
#[derive(Clone, Default)]
pub(super) struct CostHeap {
    entries: Vec<Entry>,
    /// Position of the entry of each rank.
    positions: Vec<u32>,
    /// Memory for a search: entries, with their positions, that were not visited although their parents were. The least
    /// entry is the last.
    next: Vec<(Entry, usize)>,
}

/// Cost and rank in one number, because entries are compared often: the order of costs, of equal costs that of ranks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry(u128);

impl Entry {
    fn new(cost: Seconds, rank: RankId) -> Self {
        Entry(u128::from(cost.ordered_bits()) << u32::BITS | u128::from(rank.0))
    }

    fn rank(self) -> RankId {
        RankId(self.0 as u32)
    }
}

impl CostHeap {
    /// Creates a heap of the ranks with these costs. O(ranks log ranks).
    pub(super) fn new(costs: &[Seconds]) -> Self {
        let entries = costs.iter().zip(0..).map(|(&cost, rank)| Entry::new(cost, RankId(rank)));
        let mut entries: Vec<Entry> = entries.collect();
        // A sorted list is a heap.
        entries.sort_unstable();
        let mut positions = vec![0; entries.len()];
        for (position, entry) in (0..).zip(&entries) {
            positions[entry.rank().index()] = position;
        }
        CostHeap { entries, positions, next: Vec::new() }
    }

    /// Lowers the entry of a rank to its new cost if the cost is lower. O(log ranks) if it is, otherwise O(1).
    pub(super) fn lower(&mut self, rank: RankId, cost: Seconds) {
        let entry = Entry::new(cost, rank);
        let mut at = self.positions[rank.index()] as usize;
        if entry >= self.entries[at] {
            return;
        }
        while at > 0 {
            let parent = (at - 1) / 2;
            if self.entries[parent] <= entry {
                break;
            }
            self.put(at, self.entries[parent]);
            at = parent;
        }
        self.put(at, entry);
    }

    /// Returns all ranks in ascending order of their current costs. O(log ranks) for each rank, and for each entry on
    /// the way that is renewed.
    pub(super) fn ascending(&mut self, costs: &[Seconds]) -> impl Iterator<Item = RankId> {
        self.next.clear();
        self.push(0);
        std::iter::from_fn(move || {
            while let Some((entry, at)) = self.next.pop() {
                let rank = entry.rank();
                let current = Entry::new(costs[rank.index()], rank);
                if current == entry {
                    self.push(2 * at + 1);
                    self.push(2 * at + 2);
                    return Some(rank);
                }
                self.raise(at, current);
                self.push(at);
            }
            None
        })
    }

    /// Adds the entry at a position, if any, to those that a search has not visited.
    fn push(&mut self, at: usize) {
        if let Some(&entry) = self.entries.get(at) {
            // There are few, so a sorted list takes less time than a heap, and steps less time than a binary search.
            self.next.push((entry, at));
            let mut place = self.next.len() - 1;
            while place > 0 && self.next[place - 1].0 < entry {
                self.next.swap(place - 1, place);
                place -= 1;
            }
        }
    }

    /// Replaces the entry at a position by a higher entry of the same rank. O(log ranks).
    fn raise(&mut self, mut at: usize, raised: Entry) {
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
        self.positions[entry.rank().index()] = at as u32;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Costs rise and fall, several times between two searches. Some are negative.
        #[test]
        fn ranks_ascend_by_their_current_costs(
            start in prop::collection::vec(-3_i8..9, 1..100),
            changes in prop::collection::vec((any::<prop::sample::Index>(), -3_i8..20, 0_usize..70, 0_u8..4), 0..90),
        ) {
            let mut costs: Vec<Seconds> = start.iter().map(|&cost| Seconds(f64::from(cost))).collect();
            let mut heap = CostHeap::new(&costs);
            for (rank, cost, n, step) in changes {
                let rank = RankId::from(rank.index(costs.len()));
                costs[rank.index()] = Seconds(f64::from(cost));
                heap.lower(rank, costs[rank.index()]);
                if step == 0 {
                    let mut sorted: Vec<(Seconds, RankId)> = costs.iter().copied().zip((0..).map(RankId)).collect();
                    sorted.sort_unstable();
                    let expected: Vec<RankId> = sorted.into_iter().map(|(_, rank)| rank).take(n).collect();
                    prop_assert_eq!(heap.ascending(&costs).take(n).collect::<Vec<_>>(), expected);
                }
            }
        }
    }
}
