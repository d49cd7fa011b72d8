// SPDX-License-Identifier: MIT OR Apache-2.0
//! Optimal partition of a chain of objects into consecutive pieces, one for each rank.

use crate::Cancel;
use crate::partitioning::geometry::Capacity;

/// Returns the ends of the pieces that minimize the maximum work. Piece i is for the rank with `capacities[i]`.
pub(super) fn cut(
    weights: impl Iterator<Item = f64>,
    capacities: &[Capacity],
    cancel: &Cancel,
) -> Vec<usize> {
    let mut sums = vec![0.0];
    sums.extend(weights.scan(0.0, |sum, weight| {
        *sum += weight;
        Some(*sum)
    }));
    Chain { sums: &sums, capacities }.cut(cancel)
}

struct Chain<'a> {
    /// Prefix sums of the weights, from 0 to the total weight.
    sums: &'a [f64],
    /// Capacity of the rank of each piece.
    capacities: &'a [Capacity],
}

/// Result of filling the ranks in order up to a limit on their work.
enum Filled {
    /// All objects have a rank. The content is the maximum work.
    All(f64),
    /// Some objects are left over. The content is the smallest larger limit with which a piece can hold another
    /// object.
    Left(f64),
}

impl Chain<'_> {
    fn cut(&self, cancel: &Cancel) -> Vec<usize> {
        let even = self.even();
        let limit = self.best(&even, cancel);
        let first_ends = self.first_ends(limit);
        let mut start = 0;
        let ends = self.capacities.iter().zip(even).zip(first_ends).map(|((capacity, even), first)| {
            start = even.max(first.max(start)).min(self.reach(capacity, start, limit));
            start
        });
        ends.collect()
    }

    fn len(&self) -> usize {
        self.sums.len() - 1
    }

    /// Returns the work of a rank with the objects `from..to`.
    fn work(&self, capacity: &Capacity, from: usize, to: usize) -> f64 {
        capacity.alpha * (capacity.base + (self.sums[to] - self.sums[from]))
    }

    /// Returns ends that divide the weight as closely as possible in proportion to the shares of the ranks.
    fn even(&self) -> Vec<usize> {
        let total: f64 = self.capacities.iter().map(|capacity| capacity.share).sum();
        let whole = self.sums[self.len()];
        let mut share = 0.0;
        let mut ends: Vec<usize> = (self.capacities.iter())
            .map(|capacity| {
                share += capacity.share;
                let ideal = whole * (share / total);
                let after = self.sums.partition_point(|&sum| sum < ideal).min(self.len());
                let before = after.saturating_sub(1);
                if ideal - self.sums[before] <= self.sums[after] - ideal { before } else { after }
            })
            .collect();
        // Trailing objects without weight belong to the last piece.
        if let Some(end) = ends.last_mut() {
            *end = self.len();
        }
        ends
    }

    /// Returns the smallest limit on the work of every rank with which no object is left over.
    ///
    /// Each probe moves the upper end of the interval to an attained maximum work, or the lower end to the next
    /// possible value. So the bisection ends at the exact optimum.
    fn best(&self, even: &[usize], cancel: &Cancel) -> f64 {
        let pieces = || self.capacities.iter().zip(std::iter::once(&0).chain(even)).zip(even);
        let works = || pieces().map(|((capacity, &from), &to)| self.work(capacity, from, to));
        let mut low = self.capacities.iter().map(|capacity| self.work(capacity, 0, 0)).fold(0.0, f64::max);
        let mut high = works().fold(low, f64::max);
        // The optimum is usually near the mean.
        let mut guess = works().sum::<f64>() / self.capacities.len() as f64;
        while low < high && !cancel.is_cancelled() {
            let probed = if guess >= low && guess < high { guess } else { low };
            match self.fill(probed) {
                Filled::All(most) => high = most,
                Filled::Left(next) => low = next,
            }
            guess = low + (high - low) / 2.0;
        }
        high
    }

    /// Fills the ranks in order up to a limit.
    fn fill(&self, limit: f64) -> Filled {
        let (mut most, mut next, mut start) = (0.0_f64, f64::INFINITY, 0);
        for capacity in self.capacities {
            let end = self.reach(capacity, start, limit);
            most = most.max(self.work(capacity, start, end));
            if end < self.len() {
                next = next.min(self.work(capacity, start, end + 1));
            }
            start = end;
        }
        if start == self.len() { Filled::All(most) } else { Filled::Left(next) }
    }

    /// Returns the last position at which a piece that begins at `from` can end. O(log(length of the piece)).
    fn reach(&self, capacity: &Capacity, from: usize, limit: f64) -> usize {
        from + most(self.len() - from, |n| self.work(capacity, from, from + n) <= limit)
    }

    /// Returns, for each piece, the smallest end with which the following ranks can take all later objects.
    fn first_ends(&self, limit: f64) -> Vec<usize> {
        let mut first = self.len();
        let mut ends: Vec<usize> = (self.capacities.iter().rev())
            .map(|capacity| {
                let end = first;
                first = end - most(end, |n| self.work(capacity, end - n, end) <= limit);
                end
            })
            .collect();
        ends.reverse();
        ends
    }
}

/// Returns the largest number from 1 to n that satisfies a condition, or 0. The condition must be monotonic: true
/// up to some number, then false. O(log(result)).
fn most(n: usize, holds: impl Fn(usize) -> bool) -> usize {
    let mut beyond = 1;
    while beyond <= n && holds(beyond) {
        beyond *= 2;
    }
    let (mut low, mut high) = (beyond / 2, n.min(beyond - 1));
    while low < high {
        let middle = high - (high - low) / 2;
        if holds(middle) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Returns the least maximum work over all ways to cut the chain, by dynamic programming.
    fn least(weights: &[f64], capacities: &[Capacity]) -> f64 {
        let n = weights.len();
        // Entry i: least maximum work of the first i objects on the ranks considered so far.
        let mut best = vec![f64::INFINITY; n + 1];
        best[0] = 0.0;
        for capacity in capacities {
            let work = |from: usize, to: usize| {
                capacity.alpha * (capacity.base + weights[from..to].iter().sum::<f64>())
            };
            let to =
                |to: usize| (0..=to).map(|from| best[from].max(work(from, to))).fold(f64::INFINITY, f64::min);
            best = (0..=n).map(to).collect();
        }
        best[n]
    }

    fn capacities() -> impl Strategy<Value = Vec<Capacity>> {
        let number = || prop_oneof![Just(0_u8), Just(1), 0..9_u8].prop_map(f64::from);
        let capacity = (number(), number(), number());
        vec(capacity.prop_map(|(alpha, base, share)| Capacity { alpha, base, share: share + 0.125 }), 1..7)
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 1000, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(0),
            ..ProptestConfig::default()
        })]

        /// Weights are whole numbers, so sums are exact.
        #[test]
        fn no_cuts_are_better(weights in vec(0..20_u8, 0..12), capacities in capacities()) {
            let weights: Vec<f64> = weights.into_iter().map(f64::from).collect();
            let ends = cut(weights.iter().copied(), &capacities, &Cancel::new());
            prop_assert_eq!(ends.last(), Some(&weights.len()));
            prop_assert!(ends.is_sorted());
            let starts = std::iter::once(0).chain(ends.iter().copied());
            let works = capacities.iter().zip(starts.zip(&ends)).map(|(capacity, (start, &end))| {
                capacity.alpha * (capacity.base + weights[start..end].iter().sum::<f64>())
            });
            prop_assert_eq!(works.fold(0.0, f64::max), least(&weights, &capacities));
        }
    }

    /// Pieces of 3, 3, 3 and 1 objects would also be optimal, but less even.
    #[test]
    fn cuts_near_an_even_division_are_preferred() {
        assert_eq!(cut([1.0; 10].into_iter(), &[Capacity::ALIKE; 4], &Cancel::new()), [2, 5, 7, 10]);
    }

    #[test]
    fn chains_without_objects_or_with_extreme_weights_are_cut() {
        assert_eq!(cut(std::iter::empty(), &[Capacity::ALIKE; 3], &Cancel::new()), [0, 0, 0]);
        assert_eq!(cut([0.0; 4].into_iter(), &[Capacity::ALIKE; 2], &Cancel::new()).last(), Some(&4));
        assert_eq!(cut([f64::MAX / 4.0; 4].into_iter(), &[Capacity::ALIKE; 2], &Cancel::new()), [2, 4]);
        assert_eq!(cut([f64::MIN_POSITIVE; 4].into_iter(), &[Capacity::ALIKE; 2], &Cancel::new()), [2, 4]);
    }
}
