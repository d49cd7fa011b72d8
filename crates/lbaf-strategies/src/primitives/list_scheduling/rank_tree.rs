// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tournament tree that finds the best rank for an object without evaluating most ranks.

use std::ops::Range;

use lbaf_model::RankId;

use crate::primitives::seconds::Seconds;

/// Finishing time of an object on a rank, and the rank. Smaller is better.
pub(crate) type Candidate = (Seconds, RankId);

/// Tournament tree over ranks.
///
/// A search takes O(log P) if all ranks are equally fast and the first rank tried can hold the object.
pub(crate) struct RankTree {
    alpha: Vec<f64>,
    loads: Vec<f64>,
    room_bytes: Vec<f64>,
    /// Binary tree in the layout of a heap: the root is 1, the leaf of rank r is `first_leaf + r`.
    nodes: Vec<Summary>,
    first_leaf: usize,
}

/// Summary of the ranks below a node.
#[derive(Clone, Copy, PartialEq)]
struct Summary {
    least_work: f64,
    least_load: f64,
    least_alpha: f64,
    most_room_bytes: f64,
}

impl Summary {
    const NOBODY: Summary = Summary {
        least_work: f64::INFINITY,
        least_load: f64::INFINITY,
        least_alpha: f64::INFINITY,
        most_room_bytes: f64::NEG_INFINITY,
    };

    fn or(self, other: Summary) -> Summary {
        Summary {
            least_work: self.least_work.min(other.least_work),
            least_load: self.least_load.min(other.least_load),
            least_alpha: self.least_alpha.min(other.least_alpha),
            most_room_bytes: self.most_room_bytes.max(other.most_room_bytes),
        }
    }

    /// Returns a lower bound on the finishing time of a load on any rank below the node, also for rounded times.
    fn soonest(self, load: f64) -> Seconds {
        // Exact if all ranks are equally fast: the same operations as for a candidate.
        let alike = self.least_alpha * (self.least_load + load);
        // Tighter if speeds differ, with a margin for rounding.
        let apart = (self.least_work + self.least_alpha * load) * (1.0 - 4.0 * f64::EPSILON);
        Seconds(alike.max(apart))
    }
}

impl RankTree {
    /// Creates a tree of ranks with unlimited room.
    pub(crate) fn new(alpha: Vec<f64>, loads: Vec<f64>) -> Self {
        let n_ranks = loads.len();
        let room_bytes = vec![f64::INFINITY; n_ranks];
        let first_leaf = n_ranks.next_power_of_two();
        let nodes = vec![Summary::NOBODY; 2 * first_leaf];
        let mut tree = RankTree { alpha, loads, room_bytes, nodes, first_leaf };
        for rank in 0..n_ranks {
            tree.nodes[first_leaf + rank] = tree.summary(rank);
        }
        for node in (1..first_leaf).rev() {
            tree.nodes[node] = tree.nodes[2 * node].or(tree.nodes[2 * node + 1]);
        }
        tree
    }

    /// Returns a rank as a candidate for a load.
    pub(crate) fn candidate(&self, rank: RankId, load: f64) -> Candidate {
        (Seconds(self.alpha[rank.index()] * (self.loads[rank.index()] + load)), rank)
    }

    /// Returns the best rank for a load, ignoring room.
    pub(crate) fn soonest(&self, load: f64) -> Candidate {
        self.search(&(0..self.loads.len()), load, f64::NEG_INFINITY, None, |_| true)
            .expect("invariant: the object was recorded on a rank, so at least one rank exists")
    }

    /// Gives a load to the rank that finishes it first, ignoring room.
    pub(crate) fn take(&mut self, load: f64) -> RankId {
        let (_, rank) = self.soonest(load);
        self.add_load(rank, load);
        rank
    }

    /// Adds load to a rank.
    pub(crate) fn add_load(&mut self, rank: RankId, load: f64) {
        self.loads[rank.index()] += load;
        self.update(rank.index());
    }

    /// Sets the number of additional bytes that a rank can hold.
    pub(super) fn set_room(&mut self, rank: RankId, room_bytes: f64) {
        self.room_bytes[rank.index()] = room_bytes;
        self.update(rank.index());
    }

    /// Returns the best rank for a load, or `best` if no rank is better. Considers the ranks in `among` that have
    /// room for `bytes` and satisfy `can_hold`.
    pub(super) fn search(
        &self,
        among: &Range<usize>,
        load: f64,
        bytes: f64,
        mut best: Option<Candidate>,
        mut can_hold: impl FnMut(RankId) -> bool,
    ) -> Option<Candidate> {
        // Stack of nodes to visit: one for each level and the root.
        let mut ahead = [0; usize::BITS as usize + 1];
        ahead[0] = 1;
        let mut n_ahead = 1;
        while n_ahead > 0 {
            n_ahead -= 1;
            let node: usize = ahead[n_ahead];
            let summary = self.nodes[node];
            let height = self.first_leaf.ilog2() - node.ilog2();
            let first = (node << height) - self.first_leaf;
            let first_rank = RankId::from(first);
            let soonest = (summary.soonest(load), first_rank);
            if summary.most_room_bytes < bytes
                || summary.least_alpha == f64::INFINITY
                || best.is_some_and(|best| best <= soonest)
                || first >= among.end
                || first + (1 << height) <= among.start
            {
                continue;
            }
            if height == 0 {
                let candidate = self.candidate(first_rank, load);
                if best.is_none_or(|best| candidate < best) && can_hold(first_rank) {
                    best = Some(candidate);
                }
                continue;
            }
            let (left, right) = (2 * node, 2 * node + 1);
            let left_first = self.nodes[left].least_work <= self.nodes[right].least_work;
            (ahead[n_ahead], ahead[n_ahead + 1]) = if left_first { (right, left) } else { (left, right) };
            n_ahead += 2;
        }
        best
    }

    fn summary(&self, rank: usize) -> Summary {
        Summary {
            least_work: self.alpha[rank] * self.loads[rank],
            least_load: self.loads[rank],
            least_alpha: self.alpha[rank],
            most_room_bytes: self.room_bytes[rank],
        }
    }

    fn update(&mut self, rank: usize) {
        let mut node = self.first_leaf + rank;
        self.nodes[node] = self.summary(rank);
        while node > 1 {
            node /= 2;
            let summary = self.nodes[2 * node].or(self.nodes[2 * node + 1]);
            // Nothing changes above this node.
            if summary == self.nodes[node] {
                break;
            }
            self.nodes[node] = summary;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(alpha: &[f64], loads: &[f64], room: &[f64]) -> RankTree {
        let mut tree = RankTree::new(alpha.to_vec(), loads.to_vec());
        for (rank, &bytes) in room.iter().enumerate() {
            tree.set_room(RankId::from(rank), bytes);
        }
        tree
    }

    /// Returns the best rank after an evaluation of every rank.
    fn exhaustive(tree: &RankTree, among: &Range<usize>, load: f64, bytes: f64) -> Option<Candidate> {
        let ranks = among.clone().filter(|&rank| tree.room_bytes[rank] >= bytes);
        ranks.map(|rank| tree.candidate(RankId::from(rank), load)).min()
    }

    #[test]
    fn the_tree_finds_the_same_rank_as_an_exhaustive_search() {
        let mut seed = 1_u32;
        let mut next = |n: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) % n
        };
        for n_ranks in 1..20 {
            let mut draw = |n| (0..n_ranks).map(|_| f64::from(next(n))).collect::<Vec<_>>();
            let (alpha, loads, room) = (draw(3), draw(4), draw(4));
            let mut tree = tree(&alpha, &loads, &room);
            for _ in 0..30 {
                let (load, bytes) = (f64::from(next(5)), f64::from(next(5)));
                let mut ends = [(); 2].map(|()| next(n_ranks + 1) as usize);
                ends.sort_unstable();
                let among = ends[0]..ends[1];
                let found = tree.search(&among, load, bytes, None, |_| true);
                assert_eq!(found, exhaustive(&tree, &among, load, bytes));
                if let Some((_, rank)) = found {
                    tree.add_load(rank, load);
                    tree.set_room(rank, f64::from(next(5)));
                }
            }
        }
    }

    #[test]
    fn a_rank_that_cannot_hold_the_object_is_skipped() {
        let tree = tree(&[1.0; 4], &[0.0, 1.0, 2.0, 3.0], &[9.0, 9.0, 1.0, 9.0]);
        let (_, rank) = tree.search(&(0..4), 1.0, 2.0, None, |rank| rank.0 > 1).expect("rank 3 has room");
        assert_eq!(rank, RankId(3));
        assert_eq!(tree.search(&(0..4), 1.0, 2.0, None, |_| false), None);
        assert_eq!(tree.search(&(2..3), 1.0, 2.0, None, |_| true), None);
    }

    #[test]
    fn of_equal_ranks_the_first_is_found_with_one_check() {
        let tree = tree(&[1.0; 1000], &[0.0; 1000], &[0.0; 1000]);
        let mut n_asked = 0;
        let found = tree.search(&(0..1000), 1.0, 0.0, None, |_| {
            n_asked += 1;
            true
        });
        assert_eq!((found, n_asked), (Some((Seconds(1.0), RankId(0))), 1));
    }
}
