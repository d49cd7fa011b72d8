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
    /// Number of first elements of `edges` that are sums.
    n_sums: usize,
    with_ranks: Vec<(RankId, Volumes)>,
}

/// Largest number of ranks whose edges are summed when they are added. Edges with further ranks are sorted first.
const FEW_RANKS: usize = 8;

impl EdgeSums {
    /// Starts with no edges of a bundle. Several objects that move together share partners; the edges of a single object
    /// are only sorted.
    pub(super) fn new(n_objects: usize) -> Self {
        let n_sums = if n_objects > 1 { FEW_RANKS } else { 0 };
        EdgeSums { edges: SmallVec::new(), n_sums, with_ranks: Vec::new() }
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
        let n_sums = self.edges.len().min(self.n_sums);
        match self.edges[..n_sums].iter_mut().find(|edges| edges.rank == rank) {
            Some(edges) => edges.add(edge),
            None => self.edges.push(edge),
        }
    }

    /// Returns the sums of edges, ascending by rank, and the volumes exchanged with ranks themselves, ascending.
    pub(super) fn finish(mut self) -> (SmallVec<[Edges; 2]>, Vec<(RankId, Volumes)>) {
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
