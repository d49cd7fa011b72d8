// SPDX-License-Identifier: MIT OR Apache-2.0
//! List scheduling if ranks or nodes have upper bounds.

use std::ops::Range;

use lbaf_model::{
    BoundScope, RankId, RankQuantity, Slot, Totals, Transfer, UpperBound, View, WorkModel, ranks_by_node,
};

use super::rank_tree::{Candidate, RankTree};
use crate::Cancel;
use crate::primitives::pool::Pooled;
use crate::primitives::works::bounds_communication;

/// Implements [`hand_out_within_bounds`](super::hand_out_within_bounds).
pub(super) fn hand_out<R: Iterator<Item = Range<usize>>>(
    pool: &Pooled,
    model: &dyn WorkModel,
    totals: &mut Totals<'_>,
    stay_within: f64,
    among: impl Fn(usize) -> R,
    cancel: &Cancel,
) {
    let phase = totals.phase();
    let limits = Limits::new(model, totals);
    let alpha = phase.ranks().iter().map(|rank| rank.alpha).collect();
    let mut ranks = RankTree::new(alpha, pool.loads.clone());
    for first in limits.members.iter().filter_map(|members| members.first()) {
        for (rank, bytes) in limits.rooms(RankId::from(*first), totals) {
            ranks.set_room(rank, bytes);
        }
    }
    for (position, &slot) in pool.objects.iter().enumerate() {
        if cancel.is_cancelled() {
            return;
        }
        let current = totals.assignment().rank_of(slot);
        let search = Search { slot, current, ranks: &ranks, limits: &limits, model, totals };
        let stays = search.may_stay() && ranks.candidate(current, phase.load(slot)).0.0 <= stay_within;
        let found = || among(position).find_map(|among| search.best_rank(&among));
        let rank = if stays { current } else { found().map_or(current, |(_, rank)| rank) };
        ranks.add_load(rank, phase.load(slot));
        if rank != current {
            totals.apply(&gift(current, rank, &[slot]));
            for (changed, bytes) in [current, rank].into_iter().flat_map(|rank| limits.rooms(rank, totals)) {
                ranks.set_room(changed, bytes);
            }
        }
    }
}

/// Search for the rank of one object.
struct Search<'s, 'p> {
    slot: Slot,
    current: RankId,
    ranks: &'s RankTree,
    limits: &'s Limits,
    model: &'s dyn WorkModel,
    totals: &'s Totals<'p>,
}

impl Search<'_, '_> {
    fn may_stay(&self) -> bool {
        !self.totals.work(self.model, self.current).is_over_bound()
    }

    /// Returns the rank that finishes the object first among the ranks that can hold it. If the current rank is
    /// over a bound, ranks that reduce the excess come first.
    fn best_rank(&self, among: &Range<usize>) -> Option<Candidate> {
        let Search { slot, current, model, totals, .. } = *self;
        let excess = totals.work(model, current).excess();
        let may_help = || {
            let without = totals.without(&totals.bundle(current, &[slot]));
            let alone = totals.work_if(model, current, &without, &[(current, &without)]);
            bounds_communication(model) || alone.excess() < excess
        };
        let relieved = (excess > 0.0 && may_help()).then(|| self.best_of(among, |from| from < excess));
        relieved.flatten().or_else(|| self.best_of(among, |from| from <= excess))
    }

    /// Returns the best rank that can hold the object, if the remaining excess of the current rank satisfies `is_good`.
    fn best_of(&self, among: &Range<usize>, is_good: impl Fn(f64) -> bool) -> Option<Candidate> {
        let Search { slot, current, ranks, limits, model, totals } = *self;
        let phase = totals.phase();
        let load = phase.load(slot);
        let excess = |rank| totals.work(model, rank).excess();
        // A rank within its bounds stays within them.
        let can_hold = |rank: RankId| {
            let (from, to) = totals.works_after(model, &gift(current, rank, &[slot]));
            to.excess() <= excess(rank) && is_good(from.excess())
        };
        let may_stay = excess(current) == 0.0 && among.contains(&current.index());
        let mut best = may_stay.then(|| ranks.candidate(current, load));
        let block = phase.memory(slot).block;
        // Ranks that hold the block, or are on the same node, need less room than the tree assumes.
        let holders = block.into_iter().flat_map(|block| totals.holders(block)).map(|(rank, _)| rank);
        let others = holders.chain(limits.sharing(current)).filter(|&rank| rank != current);
        for rank in others.filter(|rank| among.contains(&rank.index())) {
            let candidate = ranks.candidate(rank, load);
            if best.is_none_or(|best| candidate < best) && can_hold(rank) {
                best = Some(candidate);
            }
        }
        let block_bytes = block.map_or(0.0, |block| phase.blocks()[block.index()].size_bytes);
        let bytes = phase.memory(slot).footprint_bytes + block_bytes;
        ranks.search(among, load, bytes, best, |rank| rank != current && can_hold(rank))
    }
}

/// Limits on memory and on numbers of objects. Without a bound, a limit on memory is infinite.
struct Limits {
    rank_limit: f64,
    node_limit: f64,
    /// Bounds on numbers of objects of a rank.
    counts: Vec<UpperBound>,
    /// Node of each rank. Without a limit on the memory of nodes, each rank is its own node.
    node: Vec<usize>,
    /// Ranks of each node.
    members: Vec<Vec<usize>>,
}

impl Limits {
    fn new(model: &dyn WorkModel, totals: &Totals<'_>) -> Self {
        let limit = |scope| {
            let bounds = model.bounds().iter();
            let memory =
                bounds.filter(|bound| bound.quantity == RankQuantity::MaxMemoryUsage && bound.scope == scope);
            memory.map(|bound| bound.limit).fold(f64::INFINITY, f64::min)
        };
        let phase = totals.phase();
        let node_limit = limit(BoundScope::Node);
        let (node, members) = if node_limit.is_finite() {
            (phase.ranks().iter().map(|rank| rank.node.index()).collect(), ranks_by_node(phase))
        } else {
            ((0..phase.n_ranks()).collect(), (0..phase.n_ranks()).map(|rank| vec![rank]).collect())
        };
        let counted = [RankQuantity::NumObjects, RankQuantity::NumMigratableObjects];
        let counts = model.bounds().iter().copied();
        let counts =
            counts.filter(|bound| bound.scope == BoundScope::Rank && counted.contains(&bound.quantity));
        Limits { rank_limit: limit(BoundScope::Rank), node_limit, counts: counts.collect(), node, members }
    }

    /// True if a rank holds as many objects as its bounds allow.
    fn is_full(&self, rank: RankId, totals: &Totals<'_>) -> bool {
        self.counts.iter().any(|bound| bound.quantity.of(totals.rank(rank)) + 1.0 > bound.limit)
    }

    /// Iterates over the ranks of the node of a rank.
    fn sharing(&self, rank: RankId) -> impl Iterator<Item = RankId> + '_ {
        self.members[self.node[rank.index()]].iter().map(|&rank| RankId::from(rank))
    }

    /// Returns each rank that shares a limit with `rank`, and the bytes that it can receive from other nodes.
    ///
    /// A rank over its limit still accepts objects without memory, unless it holds as many objects as its bounds
    /// allow.
    fn rooms<'a>(&'a self, rank: RankId, totals: &'a Totals<'_>) -> impl Iterator<Item = (RankId, f64)> + 'a {
        const ROUNDING: f64 = 1.0 + 1e-12;
        let memory = |rank: RankId| totals.rank(rank).memory_bytes();
        let on_node = self.node_limit * ROUNDING - self.sharing(rank).map(memory).sum::<f64>();
        self.sharing(rank).map(move |rank| {
            let on_rank = self.rank_limit * ROUNDING - memory(rank);
            let is_full = self.is_full(rank, totals);
            (rank, if is_full { f64::NEG_INFINITY } else { on_rank.min(on_node).max(0.0) })
        })
    }
}

/// Returns a transfer without return.
fn gift(from: RankId, to: RankId, objects: &[Slot]) -> Transfer<'_> {
    Transfer { from, to, objects, returned: &[] }
}
