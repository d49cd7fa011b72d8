// SPDX-License-Identifier: MIT OR Apache-2.0
//! Edges of a bundle, summed by the rank at their other end.

use smallvec::SmallVec;

use crate::{RankId, Vertex};

/// All edges between a bundle and the vertices on one rank.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edges {
    pub(super) rank: RankId,
    /// Volumes exchanged with objects, without those exchanged with the rank itself.
    pub(super) objects: Volumes,
    pub(super) count: u32,
}

impl Edges {
    pub(super) fn none(rank: RankId) -> Self {
        Edges { rank, objects: Volumes::default(), count: 0 }
    }

    pub(super) fn add(&mut self, others: Edges) {
        self.objects.add(others.objects);
        self.count += others.count;
    }
}

/// Bytes in both directions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Volumes {
    pub(crate) sent_bytes: f64,
    pub(crate) received_bytes: f64,
}

impl Volumes {
    pub(super) fn is_nothing(self) -> bool {
        self.sent_bytes == 0.0 && self.received_bytes == 0.0
    }

    pub(crate) fn add(&mut self, other: Volumes) {
        self.sent_bytes += other.sent_bytes;
        self.received_bytes += other.received_bytes;
    }

    /// Returns the volumes without a part of them, at least 0: rounding may make the part slightly larger
    /// than the whole.
    #[must_use]
    pub(crate) fn without(self, sent_bytes: f64, received_bytes: f64) -> Volumes {
        Volumes {
            sent_bytes: (self.sent_bytes - sent_bytes).max(0.0),
            received_bytes: (self.received_bytes - received_bytes).max(0.0),
        }
    }
}

/// Sums of edges by rank, while edges are added.
pub(super) struct EdgeSums {
    /// Sums by rank, and single edges with further ranks: on the stack for most bundles.
    edges: SmallVec<[Edges; 64]>,
    /// Largest number of sums, which precede single edges.
    most_sums: usize,
    with_ranks: Vec<(RankId, Volumes)>,
}

/// Largest number of ranks whose edges are summed when they are added. Edges with further ranks are sorted first.
const FEW_RANKS: usize = 8;

impl EdgeSums {
    /// Creates empty sums for a bundle of `n_objects` objects. Several objects that move together share partners; the
    /// edges of a single object are only sorted.
    pub(super) fn new(n_objects: usize) -> Self {
        let most_sums = if n_objects > 1 { FEW_RANKS } else { 0 };
        EdgeSums { edges: SmallVec::new(), most_sums, with_ranks: Vec::new() }
    }

    /// Adds an edge to a vertex outside the bundle, on `rank`.
    pub(super) fn add(&mut self, other: Vertex, rank: RankId, volumes: Volumes) {
        let objects = match other {
            Vertex::Object(_) => volumes,
            Vertex::Rank(_) => {
                self.with_ranks.push((rank, volumes));
                Volumes::default()
            }
        };
        let edge = Edges { rank, objects, count: 1 };
        let n_sums = self.edges.len().min(self.most_sums);
        match self.edges[..n_sums].iter_mut().find(|edges| edges.rank == rank) {
            Some(edges) => edges.add(edge),
            None => self.edges.push(edge),
        }
    }

    /// Returns the sums of edges, ascending by rank, and the volumes exchanged with ranks themselves, ascending.
    pub(super) fn finish(mut self) -> (SmallVec<[Edges; 2]>, Vec<(RankId, Volumes)>) {
        // An unstable sort is deterministic, but sums single edges with a rank in an unspecified order.
        self.edges.sort_unstable_by_key(|edges| edges.rank);
        self.edges.dedup_by(|next, kept| {
            let same = next.rank == kept.rank;
            if same {
                kept.add(*next);
            }
            same
        });
        // A stable sort, so that volumes are summed in the order of objects.
        self.with_ranks.sort_by_key(|&(rank, _)| rank);
        self.with_ranks.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1.add(next.1);
            }
            same
        });
        (SmallVec::from_slice(&self.edges), self.with_ranks)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::Slot;

    proptest! {
        /// Up to 20 ranks, of which only the first few are summed at once. Whole numbers, so sums are exact in any
        /// order.
        #[test]
        fn sums_are_those_of_all_edges_with_a_rank(
            n_objects in 1_usize..3,
            edges in prop::collection::vec((0_u32..20, any::<bool>(), any::<bool>(), 1_u8..9), 0..90),
        ) {
            let mut sums = EdgeSums::new(n_objects);
            let mut expected: BTreeMap<u32, ([f64; 2], u32)> = BTreeMap::new();
            let mut expected_with_ranks: BTreeMap<u32, [f64; 2]> = BTreeMap::new();
            for (rank, is_rank, is_sent, bytes) in edges {
                let bytes = f64::from(bytes);
                let [sent_bytes, received_bytes] = if is_sent { [bytes, 0.0] } else { [0.0, bytes] };
                let other = if is_rank { Vertex::Rank(RankId(rank)) } else { Vertex::Object(Slot(7)) };
                sums.add(other, RankId(rank), Volumes { sent_bytes, received_bytes });
                let (of_objects, count) = expected.entry(rank).or_default();
                *count += 1;
                let volumes = if is_rank { expected_with_ranks.entry(rank).or_default() } else { of_objects };
                volumes[0] += sent_bytes;
                volumes[1] += received_bytes;
            }
            let (found, with_ranks) = sums.finish();
            let bytes = |volumes: Volumes| [volumes.sent_bytes, volumes.received_bytes];
            let found: Vec<_> =
                found.iter().map(|edges| (edges.rank.0, (bytes(edges.objects), edges.count))).collect();
            prop_assert_eq!(found, expected.into_iter().collect::<Vec<_>>());
            let with_ranks: Vec<_> =
                with_ranks.into_iter().map(|(rank, volumes)| (rank.0, bytes(volumes))).collect();
            prop_assert_eq!(with_ranks, expected_with_ranks.into_iter().collect::<Vec<_>>());
        }
    }
}
