// SPDX-License-Identifier: MIT OR Apache-2.0
//! Set of ranks: a sorted list if it has few members, a bit set otherwise.

use std::cmp::Ordering;

use fixedbitset::FixedBitSet;
use rand::RngExt;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;

/// Subset of `0..n_ranks`.
#[derive(Clone, Debug)]
pub(super) enum RankSet {
    /// Members in ascending order.
    Few(Vec<u32>),
    /// A bit for each rank, and the number of members.
    Many(FixedBitSet, usize),
}

/// Unions with more than `n_ranks / FEW` members become bit sets, which are then smaller than lists of 32 bits per
/// member.
const FEW: usize = 32;

impl RankSet {
    pub(super) fn of(rank: u32) -> Self {
        RankSet::Few(vec![rank])
    }

    pub(super) fn none() -> Self {
        RankSet::Few(Vec::new())
    }

    pub(super) fn len(&self) -> usize {
        match self {
            RankSet::Few(ranks) => ranks.len(),
            RankSet::Many(_, n) => *n,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn contains(&self, rank: u32) -> bool {
        match self {
            RankSet::Few(ranks) => ranks.binary_search(&rank).is_ok(),
            RankSet::Many(bits, _) => bits.contains(rank as usize),
        }
    }

    /// Returns all members in ascending order.
    pub(super) fn ranks(&self) -> Vec<u32> {
        match self {
            RankSet::Few(ranks) => ranks.clone(),
            RankSet::Many(bits, _) => bits.ones().map(|rank| rank as u32).collect(),
        }
    }

    /// Adds all members of `other`.
    pub(super) fn union_with(&mut self, other: &RankSet, n_ranks: usize) {
        match (&mut *self, other) {
            (RankSet::Few(ranks), RankSet::Few(others)) => {
                let both = merged(ranks, others);
                *self = if both.len() * FEW > n_ranks { many(&both, n_ranks) } else { RankSet::Few(both) };
            }
            (RankSet::Few(ranks), RankSet::Many(bits, _)) => {
                let mut bits = bits.clone();
                bits.extend(ranks.iter().map(|&rank| rank as usize));
                *self = counted(bits);
            }
            (RankSet::Many(bits, n), RankSet::Few(others)) => {
                *n += others.iter().filter(|&&rank| !bits.put(rank as usize)).count();
            }
            (RankSet::Many(bits, n), RankSet::Many(others, _)) => {
                bits.union_with(others);
                *n = bits.count_ones(..);
            }
        }
    }

    /// Creates a set from different ranks in ascending order.
    pub(super) fn from_ascending(ranks: Vec<u32>, n_ranks: usize) -> Self {
        if ranks.len() * FEW > n_ranks { many(&ranks, n_ranks) } else { RankSet::Few(ranks) }
    }

    /// Draws `amount` different members other than `but`, or all if there are fewer.
    pub(super) fn sample(&self, amount: usize, but: u32, random: &mut ChaCha8Rng) -> Vec<u32> {
        let n_others = self.len() - usize::from(self.contains(but));
        let amount = amount.min(n_others);
        if let RankSet::Many(bits, n) = self
            && n * 4 > bits.len()
            && amount <= FEW.min(n_others / 2)
        {
            // A draw hits a new member with a probability of about one eighth or more, so few draws are needed.
            let mut drawn: Vec<u32> = Vec::with_capacity(amount);
            while drawn.len() < amount {
                let rank = random.random_range(0..bits.len()) as u32;
                if rank != but && bits.contains(rank as usize) && !drawn.contains(&rank) {
                    drawn.push(rank);
                }
            }
            return drawn;
        }
        let mut others = self.ranks();
        others.retain(|&rank| rank != but);
        index::sample(random, others.len(), amount).into_iter().map(|at| others[at]).collect()
    }

    /// Draws `amount` different ranks from `0..n_ranks` that are neither members nor `but`, or all if there are fewer.
    pub(super) fn sample_others(
        &self,
        amount: usize,
        but: u32,
        n_ranks: usize,
        random: &mut ChaCha8Rng,
    ) -> Vec<u32> {
        if self.is_empty() || (self.len() == 1 && self.contains(but)) {
            let n_others = n_ranks - 1;
            let drawn = index::sample(random, n_others, amount.min(n_others));
            let rank = |other: usize| (other + usize::from(other >= but as usize)) as u32;
            return drawn.into_iter().map(rank).collect();
        }
        let n_others = n_ranks - self.len() - usize::from(!self.contains(but));
        let amount = amount.min(n_others);
        if n_others * 4 > n_ranks && amount <= FEW.min(n_others / 2) {
            // A draw hits a new eligible rank with a probability above one eighth, so few draws are needed.
            let mut drawn: Vec<u32> = Vec::with_capacity(amount);
            while drawn.len() < amount {
                let rank = random.random_range(0..n_ranks) as u32;
                if rank != but && !self.contains(rank) && !drawn.contains(&rank) {
                    drawn.push(rank);
                }
            }
            return drawn;
        }
        let others: Vec<u32> =
            (0..n_ranks as u32).filter(|&rank| rank != but && !self.contains(rank)).collect();
        index::sample(random, others.len(), amount).into_iter().map(|at| others[at]).collect()
    }

    /// Draws a member uniformly. `None` if the set is empty.
    pub(super) fn draw(&self, random: &mut ChaCha8Rng) -> Option<u32> {
        match self {
            RankSet::Few(ranks) if ranks.is_empty() => None,
            RankSet::Few(ranks) => Some(ranks[random.random_range(0..ranks.len())]),
            // More than `n_ranks / FEW` ranks are members, so fewer than `FEW` draws are needed on average.
            RankSet::Many(bits, _) => loop {
                let rank = random.random_range(0..bits.len());
                if bits.contains(rank) {
                    return Some(rank as u32);
                }
            },
        }
    }
}

fn many(ranks: &[u32], n_ranks: usize) -> RankSet {
    let mut bits = FixedBitSet::with_capacity(n_ranks);
    bits.extend(ranks.iter().map(|&rank| rank as usize));
    RankSet::Many(bits, ranks.len())
}

fn counted(bits: FixedBitSet) -> RankSet {
    let n = bits.count_ones(..);
    RankSet::Many(bits, n)
}

fn merged(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut both = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let order = a[i].cmp(&b[j]);
        both.push(a[i].min(b[j]));
        i += usize::from(order != Ordering::Greater);
        j += usize::from(order != Ordering::Less);
    }
    both.extend_from_slice(&a[i..]);
    both.extend_from_slice(&b[j..]);
    both
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;

    proptest! {
        #[test]
        fn unions_and_samples_agree_with_btree_sets(
            parts in proptest::collection::vec(proptest::collection::btree_set(0_u32..90, 1..40), 1..6),
            n_ranks in 90_usize..4000,
            amount in 0_usize..50,
            seed in any::<u64>(),
        ) {
            let mut expected = BTreeSet::new();
            let mut set = RankSet::Few(Vec::new());
            for part in &parts {
                expected.extend(part.iter().copied());
                set.union_with(&RankSet::from_ascending(part.iter().copied().collect(), n_ranks), n_ranks);
            }
            prop_assert_eq!(set.len(), expected.len());
            prop_assert_eq!(set.ranks(), expected.iter().copied().collect::<Vec<_>>());
            let but = parts[0].first().copied().unwrap_or(0);
            let sample = set.sample(amount, but, &mut ChaCha8Rng::seed_from_u64(seed));
            prop_assert_eq!(sample.len(), amount.min(expected.len() - usize::from(expected.contains(&but))));
            prop_assert!(sample.iter().all(|rank| expected.contains(rank) && *rank != but));
            prop_assert_eq!(sample.iter().collect::<BTreeSet<_>>().len(), sample.len());
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let others = set.sample_others(amount, but, n_ranks, &mut random);
            let n_others = n_ranks - expected.len() - usize::from(!expected.contains(&but));
            prop_assert_eq!(others.len(), amount.min(n_others));
            let is_other = |rank: &u32| *rank != but && !expected.contains(rank) && (*rank as usize) < n_ranks;
            prop_assert!(others.iter().all(is_other));
            prop_assert_eq!(others.iter().collect::<BTreeSet<_>>().len(), others.len());
            prop_assert_eq!(set.draw(&mut random).is_some_and(|rank| expected.contains(&rank)), !set.is_empty());
        }
    }
}
