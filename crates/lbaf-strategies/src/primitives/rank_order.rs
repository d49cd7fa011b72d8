// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ranks in the order of a key that changes.

use std::collections::BTreeSet;
use std::ops::Bound::{Excluded, Unbounded};

use lbaf_model::{RankId, RankTotals, Totals, UpperBound, WorkModel};

use crate::primitives::seconds::Seconds;

/// Ranks by a key, as their work or what it costs, kept up to date in O(log ranks).
#[derive(Clone)]
pub(crate) struct RankOrder<K> {
    keys: Vec<K>,
    sorted: BTreeSet<(K, RankId)>,
}

/// Ranks by how [full](fullness) they are, where anything is bounded: the first can most likely hold more.
pub(crate) fn by_fullness(model: &dyn WorkModel, totals: &Totals<'_>) -> Option<RankOrder<Seconds>> {
    let of_ranks = || totals.ranks().iter().map(|rank| fullness(model, rank));
    (!model.bounds().is_empty()).then(|| RankOrder::new(of_ranks()))
}

/// The largest part of a bound that a rank has.
pub(crate) fn fullness(model: &dyn WorkModel, rank: &RankTotals) -> Seconds {
    let part = |bound: &UpperBound| bound.quantity.of(rank) / bound.limit.max(f64::MIN_POSITIVE);
    Seconds(model.bounds().iter().map(part).fold(0.0, f64::max))
}

impl<K: Copy + Ord> RankOrder<K> {
    /// All ranks, each with its key. O(ranks log ranks).
    pub(crate) fn new(keys: impl IntoIterator<Item = K>) -> Self {
        let keys: Vec<K> = keys.into_iter().collect();
        let sorted = keys.iter().copied().zip((0..).map(RankId)).collect();
        RankOrder { keys, sorted }
    }

    /// The rank with the largest key, of equal ones the last.
    pub(crate) fn highest(&self) -> Option<RankId> {
        self.sorted.last().map(|&(_, rank)| rank)
    }

    /// The ranks from the one with the smallest key.
    pub(crate) fn ascending(&self) -> impl Iterator<Item = RankId> {
        self.sorted.iter().map(|&(_, rank)| rank)
    }

    /// The ranks that come after one. O(log ranks) for the first.
    pub(crate) fn after(&self, rank: RankId) -> impl Iterator<Item = RankId> {
        self.sorted.range((Excluded((self.key(rank), rank)), Unbounded)).map(|&(_, rank)| rank)
    }

    /// The ranks with this key or a larger one. O(log ranks) for the first.
    pub(crate) fn from(&self, key: K) -> impl Iterator<Item = RankId> {
        self.sorted.range((key, RankId(0))..).map(|&(_, rank)| rank)
    }

    /// The ranks with this key or a smaller one, from the one with the largest. O(log ranks) for the first.
    pub(crate) fn down_from(&self, key: K) -> impl Iterator<Item = RankId> {
        self.sorted.range(..=(key, RankId(u32::MAX))).rev().map(|&(_, rank)| rank)
    }

    /// The key of a rank.
    pub(crate) fn key(&self, rank: RankId) -> K {
        self.keys[rank.index()]
    }

    /// A rank has another key than it had.
    pub(crate) fn renew(&mut self, rank: RankId, key: K) {
        let key_of_rank = &mut self.keys[rank.index()];
        self.sorted.remove(&(*key_of_rank, rank));
        *key_of_rank = key;
        self.sorted.insert((key, rank));
    }
}
