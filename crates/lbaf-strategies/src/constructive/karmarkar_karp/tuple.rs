// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tuples of parts, of which only those with objects are kept.

use std::collections::BTreeSet;

use lbaf_model::{RankId, Slot};

use crate::primitives::seconds::Seconds;

/// All parts that there are: chains of objects, which join at no cost.
pub(super) struct Parts {
    chains: Vec<Chain>,
    /// Of each object the one that follows it.
    next: Vec<Option<Slot>>,
}

/// The objects of a part.
#[derive(Clone, Copy)]
struct Chain {
    /// The first and the last of them, if there are any.
    ends: Option<(Slot, Slot)>,
    /// The rank that they are on, where something there may not move.
    rank: Option<RankId>,
}

/// A part by its number, with its load.
type Part = (Seconds, u32);

/// As many parts as ranks; those that are not here are empty. In ascending order.
pub(super) struct Tuple {
    parts: BTreeSet<Part>,
    n_ranks: usize,
}

impl Parts {
    pub(super) fn of(n_objects: usize) -> Self {
        Parts { chains: Vec::new(), next: vec![None; n_objects] }
    }

    /// A new part.
    fn add(&mut self, load: f64, ends: Option<(Slot, Slot)>, rank: Option<RankId>) -> Part {
        self.chains.push(Chain { ends, rank });
        (Seconds(load), self.chains.len() as u32 - 1)
    }

    /// Two parts as one.
    fn join(&mut self, (load, first): Part, (more, second): Part) -> Part {
        let Chain { ends, rank } = self.chains[second as usize];
        let chain = &mut self.chains[first as usize];
        chain.rank = chain.rank.or(rank);
        chain.ends = match (chain.ends, ends) {
            (Some((head, last)), Some((follower, tail))) => {
                self.next[last.index()] = Some(follower);
                Some((head, tail))
            }
            (own, other) => own.or(other),
        };
        (Seconds(load.0 + more.0), first)
    }

    /// The objects of a part.
    pub(super) fn objects(&self, part: u32) -> impl Iterator<Item = Slot> + '_ {
        let first = self.chains[part as usize].ends.map(|(first, _)| first);
        std::iter::successors(first, |slot| self.next[slot.index()])
    }

    /// The rank of a part that has one.
    pub(super) fn rank(&self, part: u32) -> Option<RankId> {
        self.chains[part as usize].rank
    }
}

impl Tuple {
    /// One object in a part of its own.
    pub(super) fn of(parts: &mut Parts, slot: Slot, load: f64, n_ranks: usize) -> Self {
        Tuple { parts: BTreeSet::from([parts.add(load, Some((slot, slot)), None)]), n_ranks }
    }

    /// What ranks have already.
    pub(super) fn of_ranks(parts: &mut Parts, loads: &[f64]) -> Self {
        let ranks = (0..).map(RankId).zip(loads);
        let loaded =
            ranks.filter(|&(_, &load)| load > 0.0).map(|(rank, &load)| parts.add(load, None, Some(rank)));
        Tuple { parts: loaded.collect(), n_ranks: loads.len() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The numbers of its parts, the least loaded first.
    pub(super) fn parts(&self) -> impl Iterator<Item = u32> {
        self.parts.iter().map(|&(_, part)| part)
    }

    /// The largest part without the smallest.
    pub(super) fn difference(&self) -> Seconds {
        let largest = self.parts.last().map_or(0.0, |part| part.0.0);
        let is_full = self.parts.len() == self.n_ranks;
        let smallest = self.parts.first().filter(|_| is_full).map_or(0.0, |part| part.0.0);
        Seconds(largest - smallest)
    }

    /// Joins two tuples: the largest part of one with the smallest of the other, and so on. O(k log P), if the smaller
    /// one has k parts.
    pub(super) fn join(self, other: Tuple, parts: &mut Parts) -> Tuple {
        let is_larger = self.parts.len() >= other.parts.len();
        let (mut large, small) = if is_larger { (self, other) } else { (other, self) };
        // The largest parts meet empty ones, the others the smallest that have something.
        let n_empty = large.n_ranks - large.parts.len();
        let mut arrived: Vec<Part> = small.parts.into_iter().rev().collect();
        for part in arrived.iter_mut().skip(n_empty) {
            if let Some(met) = large.parts.pop_first() {
                *part = parts.join(met, *part);
            }
        }
        large.parts.extend(arrived);
        large
    }
}
