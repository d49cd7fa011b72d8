// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loads of ranks in each subphase, and the rank on which an object makes the phase longer by least.

use lbaf_model::RankId;

use crate::primitives::seconds::Seconds;

/// What an object takes, where it takes something: subphases and seconds.
pub(super) type Times = [(usize, f64)];

/// Ranks in a tree: a node knows the least that a rank below it has in each subphase, so that no rank below it costs an
/// object less than such a rank would.
pub(super) struct RankFills {
    n_ranks: usize,
    n_subphases: usize,
    /// A heap-ordered binary tree: the root is 1, the leaf of rank r is `first_leaf + r`.
    first_leaf: usize,
    /// By node, then by subphase: the least seconds.
    seconds: Vec<f64>,
    /// By node: the least seconds for each second of load.
    alpha: Vec<f64>,
    /// By subphase: what the slowest rank has, or is known to have in the end.
    marks: Vec<f64>,
    /// One over that, as it was known at the start.
    scales: Vec<f64>,
}

/// A rank for an object: by how much the maxima grow, how much fuller the rank gets, and its place among equals.
type Candidate = (Seconds, Seconds, u32);

impl RankFills {
    /// Ranks of these alphas without anything. In no placement is the slowest rank of a subphase below its mark.
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

    /// Gives a rank what an object takes. O(subphases of the object x log ranks).
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
                    // There is nobody to the right of the last rank.
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

    /// The rank on which the sum of the maxima grows least, of equal ones that which gets least full, then `home`, then
    /// the first. Only ranks that can hold the object, and `home` if it may stay there. O(ranks) at worst.
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

    /// By how much the maxima would grow with an object on the rank, and by how much the rank would get fuller: the sum of
    /// the fourth powers of what it has, in parts of what the slowest will have. For a node, what is not more for any rank.
    fn cost(&self, node: usize, times: &Times) -> (Seconds, Seconds) {
        let (mut increase, mut growth) = (0.0, 0.0);
        let has = &self.seconds[node * self.n_subphases..][..self.n_subphases];
        for &(subphase, load) in times {
            let before = has[subphase];
            let after = before + self.alpha[node] * load;
            increase += (after - self.marks[subphase]).max(0.0);
            let fourth = |seconds: f64| (seconds * self.scales[subphase]).powi(4);
            growth += (fourth(after) - fourth(before)) * self.marks[subphase];
        }
        (Seconds(increase), Seconds(growth))
    }

    /// The first rank below a node.
    fn first_rank(&self, node: usize) -> usize {
        (node << (self.first_leaf.ilog2() - node.ilog2())) - self.first_leaf
    }
}

/// An object that looks for a rank.
struct Search<'s, F> {
    fills: &'s RankFills,
    times: &'s Times,
    best: Option<Candidate>,
    can_hold: &'s F,
}

impl<F: Fn(RankId) -> bool> Search<'_, F> {
    /// Looks below a node, the more promising half first.
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

    /// The same by looking at every rank.
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

    /// Powers of two, whose scales are exact.
    #[test]
    fn the_tree_finds_what_a_look_at_every_rank_finds() {
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
    fn an_object_stays_where_it_is_no_worse_off_and_goes_where_it_can() {
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
