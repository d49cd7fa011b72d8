// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parts of clusters that a rank can give away: their load does not exceed a maximum.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use lbaf_model::Slot;
use rand::RngExt;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;

use super::Gossip;

/// Part of a cluster. Parts are ordered by load; of equal loads, the part found first is the greatest.
#[derive(Clone, Debug)]
pub(super) struct Subcluster {
    load: f64,
    number: u64,
    pub(super) cluster: usize,
    /// Positions in the cluster.
    pub(super) members: Vec<u32>,
}

/// Parts of clusters whose load does not exceed a maximum. Only the largest are remembered.
#[derive(Clone, Debug, Default)]
pub(super) struct Subclusters {
    /// Heap of the remembered parts; its top is the smallest.
    remembered: BinaryHeap<Reverse<Subcluster>>,
    /// Number of parts found whose load does not exceed the maximum.
    n_fitting: u64,
    /// Number of parts that were not considered because of the maximum number, plus the number of parts that fit but
    /// are not remembered.
    pub(super) n_unseen: u64,
}

/// Maximum number of parts considered per cluster. With many clusters, it is `MOST_IN_ALL` divided by their number, but
/// at least `LEAST`.
const MOST: u64 = 1 << 16;
const LEAST: u64 = 1 << 10;
const MOST_IN_ALL: u64 = 1 << 18;
/// Maximum number of parts remembered.
const REMEMBERED: usize = 1 << 12;

/// Returns the parts of clusters with at most `most_objects` objects and a load of at most `room`. Of each cluster, at
/// most 65,536 parts are considered, the parts with the fewest objects first. With more than four clusters, this limit
/// is lower. The 4096 parts with the largest loads are remembered. O(objects of the part) for each part considered.
pub(super) fn all(
    clusters: &[Vec<Slot>],
    load: impl Fn(Slot) -> f64,
    room: f64,
    most_objects: Option<u32>,
) -> Subclusters {
    let mut found = Subclusters::default();
    let most_parts = (MOST_IN_ALL / (clusters.len() as u64).max(1)).clamp(LEAST, MOST);
    for (cluster, objects) in clusters.iter().enumerate() {
        let loads: Vec<f64> = objects.iter().map(|&slot| load(slot)).collect();
        let most = most_objects.map_or(objects.len(), |most| objects.len().min(most as usize));
        let mut n_seen = 0;
        'sizes: for size in 1..=most {
            let mut members: Vec<u32> = (0..size as u32).collect();
            loop {
                if n_seen == most_parts {
                    let n_parts = n_parts(objects.len(), most);
                    found.n_unseen = found.n_unseen.saturating_add(n_parts.saturating_sub(most_parts));
                    break 'sizes;
                }
                n_seen += 1;
                found.keep(cluster, &members, &loads, room);
                if !next_combination(&mut members, objects.len() as u32) {
                    break;
                }
            }
        }
    }
    found
}

/// Returns random parts of clusters with a load of at most `room`. From a cluster of n objects, n parts are drawn, or
/// as many as the smaller of `max_objects_per_transfer` and `max_subclusters` if that is less than n. The number of
/// objects of a part is drawn from a binomial distribution with probability one half; its number of trials is n, or
/// `max_objects_per_transfer` if that is less.
pub(super) fn sampled(
    clusters: &[Vec<Slot>],
    load: impl Fn(Slot) -> f64,
    room: f64,
    parameters: &Gossip,
    random: &mut ChaCha8Rng,
) -> Subclusters {
    let mut found = Subclusters::default();
    for (cluster, objects) in clusters.iter().enumerate() {
        let loads: Vec<f64> = objects.iter().map(|&slot| load(slot)).collect();
        let n = objects.len() as u32;
        let most = parameters.max_objects_per_transfer.map_or(n, |most| n.min(most));
        for _ in 0..parameters.max_subclusters.map_or(most, |samples| most.min(samples)) {
            let size = binomial_half(most, random);
            let mut members: Vec<u32> =
                index::sample(random, objects.len(), size as usize).into_iter().map(|at| at as u32).collect();
            members.sort_unstable();
            found.keep(cluster, &members, &loads, room);
        }
    }
    found
}

impl Subclusters {
    /// Returns the remembered parts, the largest first.
    pub(super) fn largest_first(self) -> Vec<Subcluster> {
        self.remembered.into_sorted_vec().into_iter().map(|Reverse(part)| part).collect()
    }

    fn keep(&mut self, cluster: usize, members: &[u32], loads: &[f64], room: f64) {
        let load: f64 = members.iter().map(|&member| loads[member as usize]).sum();
        if members.is_empty() || load > room {
            return;
        }
        self.n_fitting += 1;
        if self.remembered.len() == REMEMBERED {
            // This part was found later and is not larger than the smallest remembered part.
            if self.remembered.peek().is_some_and(|Reverse(smallest)| load <= smallest.load) {
                self.n_unseen += 1;
                return;
            }
            self.remembered.pop();
            self.n_unseen += 1;
        }
        let part = Subcluster { load, number: self.n_fitting, cluster, members: members.to_vec() };
        self.remembered.push(Reverse(part));
    }
}

/// Advances `members` to the next combination of numbers below `n` in lexicographic order. False if there is none.
fn next_combination(members: &mut [u32], n: u32) -> bool {
    let size = members.len() as u32;
    let Some(at) = (0..size).rev().find(|&at| members[at as usize] < n - size + at) else { return false };
    members[at as usize] += 1;
    for after in at + 1..size {
        members[after as usize] = members[after as usize - 1] + 1;
    }
    true
}

/// Returns the number of parts of 1 to `most` of `n` objects, or the largest `u64` on overflow.
fn n_parts(n: usize, most: usize) -> u64 {
    let mut binomial = 1_u128;
    let mut parts = 0_u128;
    for size in 1..=most {
        // Binomial coefficients are integers, so the division has no remainder. The product may overflow.
        let Some(product) = binomial.checked_mul((n + 1 - size) as u128) else { return u64::MAX };
        binomial = product / size as u128;
        parts = parts.saturating_add(binomial);
    }
    u64::try_from(parts).unwrap_or(u64::MAX)
}

impl PartialEq for Subcluster {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Subcluster {}

impl PartialOrd for Subcluster {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Subcluster {
    fn cmp(&self, other: &Self) -> Ordering {
        self.load.total_cmp(&other.load).then(other.number.cmp(&self.number))
    }
}

/// Draws from the binomial distribution of `n` trials with probability one half.
fn binomial_half(n: u32, random: &mut impl rand::Rng) -> u32 {
    let (mut left, mut successes) = (n, 0);
    while left > 0 {
        let bits = left.min(64);
        successes += (random.random::<u64>() >> (64 - bits)).count_ones();
        left -= bits;
    }
    successes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the loads of all parts found, the largest first.
    fn loads(loads: &[f64], room: f64, most: Option<u32>) -> Vec<f64> {
        let slots: Vec<Slot> = (0..loads.len()).map(Slot::from).collect();
        let found = all(&[slots], |slot| loads[slot.index()], room, most);
        found.largest_first().iter().map(|part| part.load).collect()
    }

    #[test]
    fn parts_that_fit_are_sorted_by_descending_load() {
        assert_eq!(loads(&[1.0, 2.0, 4.0], 7.0, None), [7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]);
        assert_eq!(loads(&[1.0, 2.0, 4.0], 5.5, None), [5.0, 4.0, 3.0, 2.0, 1.0]);
        assert_eq!(loads(&[1.0, 2.0, 4.0], 7.0, Some(1)), [4.0, 2.0, 1.0]);
        assert_eq!(loads(&[], 7.0, None), [0.0; 0]);
    }

    #[test]
    fn parts_beyond_the_limit_are_counted() {
        let slots: Vec<Slot> = (0..20_usize).map(Slot::from).collect();
        let found = all(&[slots], |_| 1.0, 100.0, None);
        // 20 objects have 2^20 - 1 parts. All but the remembered parts count as not considered.
        assert_eq!(found.n_unseen, (1 << 20) - 1 - REMEMBERED as u64);
        let largest = found.largest_first();
        assert_eq!(largest.len(), REMEMBERED);
        assert!(largest.is_sorted_by(|a, b| a.load >= b.load));
    }
}
