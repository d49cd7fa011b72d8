// SPDX-License-Identifier: MIT OR Apache-2.0
//! Times of ranks by subphase, and the search for the rank on which an object lengthens the phase least.

use lbaf_model::RankId;

use crate::primitives::seconds::Seconds;

/// Subphases in which an object runs, with seconds.
pub(super) type Times = [(usize, f64)];

/// Ranks in a binary tree. A node holds the minimum time of its ranks in each subphase. From these minima, `cost`
/// computes a lower bound on the cost of an object on any rank below the node.
pub(super) struct RankFills {
    n_ranks: usize,
    n_subphases: usize,
    /// Heap-ordered binary tree: the root is 1, the leaf of rank r is `first_leaf + r`.
    first_leaf: usize,
    /// Minimum seconds, by node, then by subphase.
    seconds: Vec<f64>,
    /// Minimum `alpha` (seconds of work for a second of load), by node.
    alpha: Vec<f64>,
    /// Time of the slowest rank, by subphase; at least the lower bound of the subphase.
    marks: Vec<f64>,
    /// Inverse of the lower bound of each subphase; 0 if the lower bound is 0.
    scales: Vec<f64>,
}

/// Candidate rank, as three values that are compared in order: growth of the sum of maxima (time of the slowest rank,
/// summed over subphases), growth of fullness (see `cost`), and 0 for the initial rank of the object or r + 1 for
/// rank r.
type Candidate = (Seconds, Seconds, u32);

impl RankFills {
    /// Creates the tree for ranks without objects. `marks` are lower bounds on the time of the slowest rank, by
    /// subphase.
    pub(super) fn new(alphas: impl ExactSizeIterator<Item = f64>, marks: Vec<f64>) -> Self {
        let (n_ranks, n_subphases) = (alphas.len(), marks.len());
        let first_leaf = n_ranks.next_power_of_two();
        let mut alpha = vec![f64::INFINITY; 2 * first_leaf];
        for (leaf, of_rank) in alpha[first_leaf..].iter_mut().zip(alphas) {
            *leaf = of_rank;
        }
        for node in (1..first_leaf).rev() {
            alpha[node] = alpha[2 * node].min(alpha[2 * node + 1]);
        }
        let seconds = vec![0.0; 2 * first_leaf * n_subphases];
        let scales = marks.iter().map(|&mark| if mark > 0.0 { 1.0 / mark } else { 0.0 }).collect();
        RankFills { n_ranks, n_subphases, first_leaf, seconds, alpha, marks, scales }
    }

    /// Adds the times of an object to a rank. O(subphases of the object x log ranks).
    pub(super) fn add(&mut self, rank: RankId, times: &Times) {
        let leaf = self.first_leaf + rank.index();
        for &(subphase, load) in times {
            let at = |node: usize| node * self.n_subphases + subphase;
            let mut node = leaf;
            self.seconds[at(node)] += self.alpha[node] * load;
            self.marks[subphase] = self.marks[subphase].max(self.seconds[at(node)]);
            while node > 1 {
                node /= 2;
                let least = |child: usize| {
                    // There are no ranks to the right of the last one.
                    if self.first_rank(child) < self.n_ranks {
                        self.seconds[at(child)]
                    } else {
                        f64::INFINITY
                    }
                };
                self.seconds[at(node)] = least(2 * node).min(least(2 * node + 1));
            }
        }
    }

    /// Returns the rank on which the sum of maxima grows least; in a tie, the rank whose fullness grows least, then
    /// `home`, then the first. Considers only ranks that can hold the object, and `home` if the object may stay. `None`
    /// if there are no such ranks. O(ranks) in the worst case.
    pub(super) fn best(
        &self,
        times: &Times,
        (home, may_stay): (RankId, bool),
        can_hold: &impl Fn(RankId) -> bool,
    ) -> Option<RankId> {
        let at_home = may_stay.then(|| {
            let (increase, growth) = self.cost(self.first_leaf + home.index(), times);
            (increase, growth, 0)
        });
        let mut search = Search { fills: self, times, best: at_home, can_hold };
        search.visit(1, self.cost(1, times));
        search.best.map(|(_, _, place)| place.checked_sub(1).map_or(home, RankId))
    }

    /// Returns the growth of the sum of maxima and of fullness if a rank receives an object. Fullness is a sum over
    /// subphases: (time of the rank / lower bound)^4 times the time of the slowest rank. For an inner node, both values
    /// are lower bounds for all its ranks.
    fn cost(&self, node: usize, times: &Times) -> (Seconds, Seconds) {
        let (mut increase, mut growth) = (0.0, 0.0);
        let has = &self.seconds[node * self.n_subphases..][..self.n_subphases];
        for &(subphase, load) in times {
            let before = has[subphase];
            let after = before + self.alpha[node] * load;
            increase += (after - self.marks[subphase]).max(0.0);
            let square = |x: f64| x * x;
            let fourth = |seconds: f64| square(square(seconds * self.scales[subphase]));
            growth += (fourth(after) - fourth(before)) * self.marks[subphase];
        }
        (Seconds(increase), Seconds(growth))
    }

    /// Returns the first rank below a node.
    fn first_rank(&self, node: usize) -> usize {
        (node << (self.first_leaf.ilog2() - node.ilog2())) - self.first_leaf
    }
}

/// Search for the rank of one object.
struct Search<'s, F> {
    fills: &'s RankFills,
    times: &'s Times,
    best: Option<Candidate>,
    can_hold: &'s F,
}

impl<F: Fn(RankId) -> bool> Search<'_, F> {
    /// Searches below a node, the better half first.
    fn visit(&mut self, node: usize, (increase, growth): (Seconds, Seconds)) {
        let first = self.fills.first_rank(node);
        let candidate = (increase, growth, first as u32 + 1);
        if first >= self.fills.n_ranks || self.best.is_some_and(|best| candidate >= best) {
            return;
        }
        if node >= self.fills.first_leaf {
            if (self.can_hold)(RankId::from(first)) {
                self.best = Some(candidate);
            }
            return;
        }
        let (left, right) = (2 * node, 2 * node + 1);
        let below = (self.fills.cost(left, self.times), self.fills.cost(right, self.times));
        let mut halves = [(left, below.0), (right, below.1)];
        if below.1 < below.0 {
            halves.reverse();
        }
        for (half, cost) in halves {
            self.visit(half, cost);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reference implementation that evaluates every rank.
    fn plainly(
        loads: &[[f64; 2]],
        alphas: &[f64],
        marks: [f64; 2],
        bounds: [f64; 2],
        times: &Times,
    ) -> usize {
        let cost = |rank: usize| {
            let (mut increase, mut growth) = (0.0, 0.0);
            for &(subphase, load) in times {
                let before = loads[rank][subphase];
                let after = before + alphas[rank] * load;
                increase += (after - marks[subphase]).max(0.0);
                let fourth = |seconds: f64| (seconds / bounds[subphase]).powi(4);
                growth += (fourth(after) - fourth(before)) * marks[subphase];
            }
            (increase, growth)
        };
        let ranks = 0..loads.len();
        ranks.min_by(|&a, &b| cost(a).partial_cmp(&cost(b)).unwrap()).unwrap()
    }

    /// The lower bounds are powers of two, so their inverses are exact.
    #[test]
    fn the_tree_finds_the_same_rank_as_an_exhaustive_search() {
        let bounds = [8.0, 4.0];
        for n_ranks in [1, 2, 3, 5, 8, 13] {
            let alphas: Vec<f64> = (0..n_ranks).map(|rank| [1.0, 1.0, 2.0][rank % 3]).collect();
            let mut fills = RankFills::new(alphas.iter().copied(), bounds.to_vec());
            let (mut loads, mut marks) = (vec![[0.0; 2]; n_ranks], bounds);
            for number in 0..40_u32 {
                let first = f64::from(number * 7 % 11) / 4.0;
                let second = f64::from(number * 5 % 13) / 4.0;
                let times = if number % 4 == 0 { vec![(1, second)] } else { vec![(0, first), (1, second)] };
                let found = fills.best(&times, (RankId(0), false), &|_| true).unwrap();
                assert_eq!(
                    found.index(),
                    plainly(&loads, &alphas, marks, bounds, &times),
                    "{n_ranks}, {number}"
                );
                fills.add(found, &times);
                for &(subphase, load) in &times {
                    let now = &mut loads[found.index()][subphase];
                    *now += alphas[found.index()] * load;
                    marks[subphase] = marks[subphase].max(*now);
                }
            }
        }
    }

    #[test]
    fn an_object_stays_unless_another_rank_is_better_and_goes_only_to_ranks_that_can_hold_it() {
        let mut fills = RankFills::new([1.0; 3].into_iter(), vec![1.0]);
        let object = [(0, 1.0)];
        assert_eq!(fills.best(&object, (RankId(2), true), &|_| true), Some(RankId(2)));
        assert_eq!(fills.best(&object, (RankId(2), false), &|_| true), Some(RankId(0)));
        assert_eq!(fills.best(&object, (RankId(2), false), &|rank| rank == RankId(1)), Some(RankId(1)));
        assert_eq!(fills.best(&object, (RankId(2), false), &|_| false), None);
        fills.add(RankId(2), &object);
        assert_eq!(fills.best(&object, (RankId(2), true), &|_| true), Some(RankId(0)));
    }
}
