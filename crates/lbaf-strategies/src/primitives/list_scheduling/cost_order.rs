// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ranks sorted by a cost that rises while objects are placed.

use std::collections::BTreeSet;

use lbaf_model::RankId;

use crate::primitives::seconds::Seconds;

/// Ranks sorted by cost, with lazy updates.
///
/// Each placed object raises the costs of many ranks, but callers need only a few ranks with the least cost. So the
/// entry of a rank whose cost rose is moved later: when a search reaches it, or by [`settle_all`](Self::settle_all).
#[derive(Clone)]
pub(super) struct CostOrder {
    costs: Vec<Seconds>,
    /// Entry of each rank in `sorted`: its cost, or an earlier, lower cost.
    entries: Vec<Seconds>,
    sorted: BTreeSet<(Seconds, RankId)>,
    /// Ranks whose cost may differ from their entry, each once.
    stale: Vec<RankId>,
    is_listed: Vec<bool>,
}

impl CostOrder {
    /// Sorts all ranks. O(ranks log ranks).
    pub(super) fn new(costs: Vec<Seconds>) -> Self {
        let sorted = costs.iter().copied().zip((0..).map(RankId)).collect();
        let is_listed = vec![false; costs.len()];
        CostOrder { entries: costs.clone(), costs, sorted, stale: Vec::new(), is_listed }
    }

    /// Returns the cost of a rank.
    pub(super) fn cost(&self, rank: RankId) -> f64 {
        self.costs[rank.index()].0
    }

    /// Changes the cost of a rank. O(log ranks) if it falls below the entry of the rank, otherwise O(1).
    pub(super) fn set(&mut self, rank: RankId, cost: Seconds) {
        self.costs[rank.index()] = cost;
        if cost < self.entries[rank.index()] {
            self.settle(rank);
        } else if !std::mem::replace(&mut self.is_listed[rank.index()], true) {
            self.stale.push(rank);
        }
    }

    /// Returns the `n` suitable ranks with the least cost, in ascending order.
    pub(super) fn lowest(&mut self, n: usize, suits: impl Fn(RankId) -> bool) -> Vec<RankId> {
        let (mut lowest, mut stale) = (Vec::with_capacity(n + 1), Vec::new());
        for &(entry, rank) in &self.sorted {
            if lowest.len() == n {
                break;
            }
            if self.costs[rank.index()] != entry {
                stale.push(rank);
            } else if suits(rank) {
                lowest.push((entry, rank));
            }
        }
        for rank in stale {
            self.settle(rank);
            let renewed = (self.costs[rank.index()], rank);
            let at = lowest.partition_point(|other| *other < renewed);
            if at < n && suits(rank) {
                lowest.insert(at, renewed);
                lowest.truncate(n);
            }
        }
        lowest.into_iter().map(|(_, rank)| rank).collect()
    }

    /// Updates the entries of all ranks. O(log ranks) for each rank whose cost changed since the last call.
    pub(super) fn settle_all(&mut self) {
        while let Some(rank) = self.stale.pop() {
            self.is_listed[rank.index()] = false;
            self.settle(rank);
        }
    }

    /// Returns the ranks with this cost or a lower one, in descending order. All entries must be
    /// [settled](Self::settle_all). O(log ranks) for the first.
    pub(super) fn down_from(&self, cost: Seconds) -> impl Iterator<Item = RankId> {
        debug_assert!(self.stale.is_empty(), "invariant: the entries were settled");
        self.sorted.range(..=(cost, RankId(u32::MAX))).rev().map(|&(_, rank)| rank)
    }

    /// Updates the entry of a rank.
    fn settle(&mut self, rank: RankId) {
        let (entry, cost) = (&mut self.entries[rank.index()], self.costs[rank.index()]);
        if *entry != cost {
            self.sorted.remove(&(*entry, rank));
            *entry = cost;
            self.sorted.insert((cost, rank));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Costs rise and fall.
        #[test]
        fn lists_are_those_of_sorted_costs(
            start in prop::collection::vec(0_u8..9, 1..12),
            changes in prop::collection::vec((any::<prop::sample::Index>(), 0_u8..9, 0_usize..4, any::<bool>()), 0..60),
        ) {
            let mut costs: Vec<Seconds> = start.iter().map(|&cost| Seconds(f64::from(cost))).collect();
            let mut order = CostOrder::new(costs.clone());
            for (rank, cost, n, descends) in changes {
                let rank = RankId::from(rank.index(costs.len()));
                costs[rank.index()] = Seconds(f64::from(cost));
                order.set(rank, costs[rank.index()]);
                let mut sorted: Vec<(Seconds, RankId)> = costs.iter().copied().zip((0..).map(RankId)).collect();
                sorted.sort_unstable();
                if descends {
                    let limit = Seconds(4.0);
                    let below = sorted.iter().rev().filter(|&&(cost, _)| cost <= limit);
                    let expected: Vec<RankId> = below.map(|&(_, rank)| rank).collect();
                    order.settle_all();
                    prop_assert_eq!(order.down_from(limit).collect::<Vec<_>>(), expected);
                } else {
                    let suits = |rank: RankId| !rank.index().is_multiple_of(3);
                    let suitable = sorted.iter().map(|&(_, rank)| rank).filter(|&rank| suits(rank));
                    let expected: Vec<RankId> = suitable.take(n).collect();
                    prop_assert_eq!(order.lowest(n, suits), expected);
                }
            }
        }
    }
}
