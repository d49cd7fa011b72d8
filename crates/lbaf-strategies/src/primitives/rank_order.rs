// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ranks sorted by a key that changes.

use std::collections::BTreeSet;
use std::ops::Bound::{Excluded, Unbounded};

use lbaf_model::{RankId, RankTotals, Totals, UpperBound, WorkModel};

use crate::primitives::seconds::Seconds;

/// Ranks sorted by a key such as their work. A change of a key takes O(log ranks).
#[derive(Clone)]
pub(crate) struct RankOrder<K> {
    keys: Vec<K>,
    sorted: BTreeSet<(K, RankId)>,
}

/// Returns ranks in ascending order of [fullness](fullness), or `None` if the model has no bounds.
pub(crate) fn by_fullness(model: &dyn WorkModel, totals: &Totals<'_>) -> Option<RankOrder<Seconds>> {
    let of_ranks = || totals.ranks().iter().map(|rank| fullness(model, rank));
    (!model.bounds().is_empty()).then(|| RankOrder::new(of_ranks()))
}

/// Returns the largest fraction of a bound that a rank uses.
pub(crate) fn fullness(model: &dyn WorkModel, rank: &RankTotals) -> Seconds {
    let part = |bound: &UpperBound| bound.quantity.of(rank) / bound.limit.max(f64::MIN_POSITIVE);
    Seconds(model.bounds().iter().map(part).fold(0.0, f64::max))
}

impl<K: Copy + Ord> RankOrder<K> {
    /// Sorts all ranks by their keys. O(ranks log ranks).
    pub(crate) fn new(keys: impl IntoIterator<Item = K>) -> Self {
        let keys: Vec<K> = keys.into_iter().collect();
        let sorted = keys.iter().copied().zip((0..).map(RankId)).collect();
        RankOrder { keys, sorted }
    }

    /// Returns the rank with the largest key; of equal keys, the last rank.
    pub(crate) fn highest(&self) -> Option<RankId> {
        self.sorted.last().map(|&(_, rank)| rank)
    }

    /// Returns all ranks, the smallest key first.
    pub(crate) fn ascending(&self) -> impl Iterator<Item = RankId> {
        self.sorted.iter().map(|&(_, rank)| rank)
    }

    /// Returns the ranks after a rank in ascending order of keys. O(log ranks) for the first.
    pub(crate) fn after(&self, rank: RankId) -> impl Iterator<Item = RankId> {
        self.sorted.range((Excluded((self.key(rank), rank)), Unbounded)).map(|&(_, rank)| rank)
    }

    /// Returns the ranks with this key or a larger one, in ascending order. O(log ranks) for the first.
    pub(crate) fn from(&self, key: K) -> impl Iterator<Item = RankId> {
        self.sorted.range((key, RankId(0))..).map(|&(_, rank)| rank)
    }

    /// Returns the ranks with this key or a smaller one, in descending order. O(log ranks) for the first.
    pub(crate) fn down_from(&self, key: K) -> impl Iterator<Item = RankId> {
        self.sorted.range(..=(key, RankId(u32::MAX))).rev().map(|&(_, rank)| rank)
    }

    /// Returns the key of a rank.
    pub(crate) fn key(&self, rank: RankId) -> K {
        self.keys[rank.index()]
    }

    /// Changes the key of a rank. O(log ranks).
    pub(crate) fn renew(&mut self, rank: RankId, key: K) {
        let key_of_rank = &mut self.keys[rank.index()];
        self.sorted.remove(&(*key_of_rank, rank));
        *key_of_rank = key;
        self.sorted.insert((key, rank));
    }
}
