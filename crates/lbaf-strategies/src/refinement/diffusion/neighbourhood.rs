// SPDX-License-Identifier: MIT OR Apache-2.0
//! Neighbours of ranks.

use std::collections::BTreeSet;

use lbaf_model::{RankId, Vertex};

use super::Topology;
use crate::Problem;

/// Pairs of neighbours in ascending order, the lower rank first.
pub(super) struct Neighbourhood {
    pairs: Vec<(RankId, RankId)>,
    /// Number of neighbours of each rank.
    degrees: Vec<u32>,
    /// True if the topology was added, because communication does not connect all ranks.
    has_topology: bool,
}

impl Neighbourhood {
    /// Finds the pairs of ranks whose objects communicate in the initial placement. O(edges log edges + ranks log
    /// ranks).
    ///
    /// If the pairs do not connect all ranks, the neighbours of a topology are added.
    pub(super) fn of(problem: &Problem<'_>, topology: Topology) -> Self {
        let phase = problem.phase;
        let n_ranks = phase.n_ranks();
        let rank_of = |vertex| match vertex {
            Vertex::Object(slot) => problem.initial.rank_of(slot),
            Vertex::Rank(rank) => rank,
        };
        let mut pairs: BTreeSet<(RankId, RankId)> = BTreeSet::new();
        for (sender, receiver, volume) in phase.communication().edges() {
            let (a, b) = (rank_of(sender), rank_of(receiver));
            if a != b && volume.bytes > 0.0 {
                pairs.insert((a.min(b), a.max(b)));
            }
        }
        let has_topology = n_components(n_ranks, &pairs) > 1;
        if has_topology {
            pairs.extend(by_number(n_ranks, topology));
        }
        let mut degrees = vec![0; n_ranks];
        for pair in &pairs {
            degrees[pair.0.index()] += 1;
            degrees[pair.1.index()] += 1;
        }
        Neighbourhood { pairs: pairs.into_iter().collect(), degrees, has_topology }
    }

    pub(super) fn pairs(&self) -> &[(RankId, RankId)] {
        &self.pairs
    }

    /// Returns the number of neighbours of a rank.
    pub(super) fn degree(&self, rank: RankId) -> u32 {
        self.degrees[rank.index()]
    }

    /// Returns a note for the user if the topology was added.
    pub(super) fn note(&self, topology: Topology) -> Option<String> {
        let topology = match topology {
            Topology::Ring => "ring",
            Topology::Hypercube => "hypercube",
        };
        self.has_topology.then(|| {
            format!("communication does not connect all ranks; the neighbours of a {topology} are added")
        })
    }
}

/// Returns pairs of neighbours by rank number, which connect all ranks. The lower rank of each pair comes first.
fn by_number(n_ranks: usize, topology: Topology) -> Vec<(RankId, RankId)> {
    let pair = |a: usize, b: usize| (RankId::from(a.min(b)), RankId::from(a.max(b)));
    match topology {
        Topology::Ring => {
            let pairs = (0..n_ranks).map(|rank| (rank, (rank + 1) % n_ranks));
            pairs.filter(|(a, b)| a != b).map(|(a, b)| pair(a, b)).collect()
        }
        Topology::Hypercube => {
            let bits = (0..usize::BITS).map(|bit| 1_usize << bit).take_while(|&bit| bit < n_ranks);
            let of_bit =
                |bit: usize| (0..n_ranks).filter(move |rank| rank & bit != 0).map(move |rank| (rank, bit));
            bits.flat_map(of_bit).map(|(rank, bit)| pair(rank & !bit, rank)).collect()
        }
    }
}

/// Returns the number of connected components of the ranks, by disjoint sets with path halving.
fn n_components(n_ranks: usize, pairs: &BTreeSet<(RankId, RankId)>) -> usize {
    let mut parent: Vec<usize> = (0..n_ranks).collect();
    let mut n_components = n_ranks;
    for (a, b) in pairs {
        let [a, b] = [a, b].map(|rank| {
            let mut at = rank.index();
            while parent[at] != at {
                parent[at] = parent[parent[at]];
                at = parent[at];
            }
            at
        });
        if a != b {
            parent[a.max(b)] = a.min(b);
            n_components -= 1;
        }
    }
    n_components
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_topology_connects_all_ranks() {
        for topology in [Topology::Ring, Topology::Hypercube] {
            for n_ranks in 1..40 {
                let pairs: BTreeSet<_> = by_number(n_ranks, topology).into_iter().collect();
                assert_eq!(n_components(n_ranks, &pairs), 1, "{topology:?} of {n_ranks}");
                assert!(pairs.iter().all(|(a, b)| a < b && b.index() < n_ranks));
            }
            assert!(by_number(0, topology).is_empty());
        }
        assert_eq!(by_number(8, Topology::Hypercube).len(), 12);
        assert_eq!(by_number(8, Topology::Ring).len(), 8);
    }
}
