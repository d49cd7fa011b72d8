// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ranks sorted by a cost that rises while objects are placed.

use std::collections::BTreeSet;

use lbaf_model::RankId;

use crate::primitives::seconds::Seconds;

/// Ranks by cost, with lazy updates.
#[derive(Clone)]
pub(super) struct CostOrder {
    costs: Vec<Seconds>,
    /// `None` until first needed.
    sorted: Option<Sorted>,
}

/// Sorted ranks.
#[derive(Clone)]
struct Sorted {
    ranks: BTreeSet<(Seconds, RankId)>,
    /// Cost of each rank in `ranks`.
    entries: Vec<Seconds>,
    /// Ranks whose cost may differ from their entry, each once.
    stale: Vec<RankId>,
    is_listed: Vec<bool>,
}

impl CostOrder {
    pub(super) fn new(costs: Vec<Seconds>) -> Self {
        CostOrder { costs, sorted: None }
    }

    /// Returns the costs of all ranks.
    pub(super) fn costs(&self) -> &[Seconds] {
        &self.costs
    }

    /// Returns the cost of a rank.
    pub(super) fn cost(&self, rank: RankId) -> f64 {
        self.costs[rank.index()].0
    }

    /// Changes the cost of a rank. O(1).
    pub(super) fn set(&mut self, rank: RankId, cost: Seconds) {
        self.costs[rank.index()] = cost;
        if let Some(Sorted { stale, is_listed, .. }) = &mut self.sorted
            && !std::mem::replace(&mut is_listed[rank.index()], true)
        {
            stale.push(rank);
        }
    }

    /// Sorts all ranks for [`down_from`](Self::down_from). O(log ranks) for each rank whose cost changed since the last
    /// call.
    pub(super) fn settle_all(&mut self) {
        self.sorted.get_or_insert_with(|| Sorted::new(&self.costs)).settle(&self.costs);
    }

    /// Returns the ranks with this cost or a lower one, in descending order. All ranks must be
    /// [sorted](Self::settle_all). O(log ranks) for the first.
    pub(super) fn down_from(&self, cost: Seconds) -> impl Iterator<Item = RankId> {
        let sorted = self.sorted.as_ref().expect("invariant: the ranks were sorted");
        debug_assert!(sorted.stale.is_empty(), "invariant: the entries were settled");
        sorted.ranks.range(..=(cost, RankId(u32::MAX))).rev().map(|&(_, rank)| rank)
    }
}

impl Sorted {
    fn new(costs: &[Seconds]) -> Self {
        Sorted {
            ranks: costs.iter().copied().zip((0..).map(RankId)).collect(),
            entries: costs.to_vec(),
            stale: Vec::new(),
            is_listed: vec![false; costs.len()],
        }
    }

    /// Updates the entries of stale ranks.
    fn settle(&mut self, costs: &[Seconds]) {
        for rank in self.stale.drain(..) {
            self.is_listed[rank.index()] = false;
            let (entry, cost) = (&mut self.entries[rank.index()], costs[rank.index()]);
            if *entry != cost {
                self.ranks.remove(&(*entry, rank));
                *entry = cost;
                self.ranks.insert((cost, rank));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Costs rise and fall, several times between two lists.
        #[test]
        fn lists_are_those_of_sorted_costs(
            start in prop::collection::vec(0_u8..9, 1..12),
            changes in prop::collection::vec((any::<prop::sample::Index>(), 0_u8..9, any::<bool>()), 0..60),
        ) {
            let mut costs: Vec<Seconds> = start.iter().map(|&cost| Seconds(f64::from(cost))).collect();
            let mut order = CostOrder::new(costs.clone());
            for (rank, cost, is_listed) in changes {
                let rank = RankId::from(rank.index(costs.len()));
                costs[rank.index()] = Seconds(f64::from(cost));
                order.set(rank, costs[rank.index()]);
                if is_listed {
                    let mut sorted: Vec<(Seconds, RankId)> = costs.iter().copied().zip((0..).map(RankId)).collect();
                    sorted.sort_unstable();
                    let limit = Seconds(4.0);
                    let below = sorted.iter().rev().filter(|&&(cost, _)| cost <= limit);
                    let expected: Vec<RankId> = below.map(|&(_, rank)| rank).collect();
                    order.settle_all();
                    prop_assert_eq!(order.down_from(limit).collect::<Vec<_>>(), expected);
                }
            }
        }
    }
}
