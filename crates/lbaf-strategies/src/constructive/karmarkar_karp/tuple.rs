// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tuples of parts; empty parts are not stored.

use std::collections::BTreeSet;

use lbaf_model::{RankId, Slot};

use crate::primitives::seconds::Seconds;

/// All parts: chains of objects, joined in constant time.
pub(super) struct Parts {
    chains: Vec<Chain>,
    /// Successor of each object in its chain.
    next: Vec<Option<Slot>>,
}

/// Objects of a part.
#[derive(Clone, Copy)]
struct Chain {
    /// First and last object; `None` for a part without objects.
    ends: Option<(Slot, Slot)>,
    /// Rank to which the part is bound, because it includes the existing load of this rank.
    rank: Option<RankId>,
}

/// Part: its load, and its number in [`Parts`].
type Part = (Seconds, u32);

/// Tuple with as many parts as there are ranks. Only non-empty parts are stored, in ascending order of load.
pub(super) struct Tuple {
    parts: BTreeSet<Part>,
    n_ranks: usize,
}

impl Parts {
    pub(super) fn of(n_objects: usize) -> Self {
        Parts { chains: Vec::new(), next: vec![None; n_objects] }
    }

    /// Adds a part.
    fn add(&mut self, load: f64, ends: Option<(Slot, Slot)>, rank: Option<RankId>) -> Part {
        self.chains.push(Chain { ends, rank });
        (Seconds(load), self.chains.len() as u32 - 1)
    }

    /// Joins two parts into one.
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

    /// Returns the objects of a part.
    pub(super) fn objects(&self, part: u32) -> impl Iterator<Item = Slot> + '_ {
        let first = self.chains[part as usize].ends.map(|(first, _)| first);
        std::iter::successors(first, |slot| self.next[slot.index()])
    }

    /// Returns the rank to which a part is bound, if any.
    pub(super) fn rank(&self, part: u32) -> Option<RankId> {
        self.chains[part as usize].rank
    }
}

impl Tuple {
    /// Creates a tuple with one non-empty part that holds one object.
    pub(super) fn of(parts: &mut Parts, slot: Slot, load: f64, n_ranks: usize) -> Self {
        Tuple { parts: BTreeSet::from([parts.add(load, Some((slot, slot)), None)]), n_ranks }
    }

    /// Creates a tuple of the existing loads of ranks. The part of a rank with load is bound to this rank.
    pub(super) fn of_ranks(parts: &mut Parts, loads: &[f64]) -> Self {
        let ranks = (0..).map(RankId).zip(loads);
        let loaded =
            ranks.filter(|&(_, &load)| load > 0.0).map(|(rank, &load)| parts.add(load, None, Some(rank)));
        Tuple { parts: loaded.collect(), n_ranks: loads.len() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Returns the numbers of the stored parts, the least loaded first.
    pub(super) fn parts(&self) -> impl Iterator<Item = u32> {
        self.parts.iter().map(|&(_, part)| part)
    }

    /// Returns the largest part minus the smallest.
    pub(super) fn difference(&self) -> Seconds {
        let largest = self.parts.last().map_or(0.0, |part| part.0.0);
        let is_full = self.parts.len() == self.n_ranks;
        let smallest = self.parts.first().filter(|_| is_full).map_or(0.0, |part| part.0.0);
        Seconds(largest - smallest)
    }

    /// Merges two tuples: the largest part of one joins the smallest part of the other, the second largest joins the
    /// second smallest, and so on. O(k log P) if the tuple with fewer non-empty parts has k of them.
    pub(super) fn join(self, other: Tuple, parts: &mut Parts) -> Tuple {
        let is_larger = self.parts.len() >= other.parts.len();
        let (mut large, small) = if is_larger { (self, other) } else { (other, self) };
        // `small` has at most as many non-empty parts as `large`. The largest parts of `small` join the empty parts of
        // `large`. The other parts of `small` join the smallest non-empty parts of `large`.
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
