// SPDX-License-Identifier: MIT OR Apache-2.0
//! Largest differencing: merges the two tuples with the largest differences.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use lbaf_model::{Phase, RankId, Slot};

use super::tuple::{Parts, Tuple};
use crate::Cancel;
use crate::primitives::seconds::Seconds;

/// Tuples that are still to be merged: single objects, the tuple of the existing loads of ranks, and merged tuples.
struct Rest<'a> {
    phase: &'a Phase,
    parts: Parts,
    /// Single objects in descending order of load. The difference of the tuple of an object is its load, so the tuple
    /// is created only when the object is merged, and few tuples exist at a time.
    objects: std::slice::Iter<'a, Slot>,
    /// Indices of tuples by difference; in a tie, the earlier tuple first.
    heap: BinaryHeap<(Seconds, Reverse<usize>)>,
    tuples: Vec<Option<Tuple>>,
}

/// Returns a rank for each of `objects`, which are in descending order of load. `loads` has, for each rank, the load of
/// objects that stay and the additional load of a slower rank. The result is empty after a cancellation.
pub(super) fn difference(
    phase: &Phase,
    objects: &[Slot],
    loads: &[f64],
    cancel: &Cancel,
) -> Vec<(Slot, RankId)> {
    let mut parts = Parts::of(phase.n_objects());
    let of_ranks = Tuple::of_ranks(&mut parts, loads);
    let mut rest =
        Rest { phase, parts, objects: objects.iter(), heap: BinaryHeap::new(), tuples: Vec::new() };
    if !of_ranks.is_empty() {
        rest.put(of_ranks);
    }
    let mut last = rest.largest();
    while let Some(first) = last.take() {
        if cancel.is_cancelled() {
            return Vec::new();
        }
        let Some(second) = rest.largest() else {
            last = Some(first);
            break;
        };
        let joined = first.join(second, &mut rest.parts);
        rest.put(joined);
        last = rest.largest();
    }
    last.map_or_else(Vec::new, |tuple| rest.ranks(&tuple, loads))
}

impl Rest<'_> {
    fn put(&mut self, tuple: Tuple) {
        self.heap.push((tuple.difference(), Reverse(self.tuples.len())));
        self.tuples.push(Some(tuple));
    }

    /// Removes and returns the tuple with the largest difference; in a tie, single objects come last. `None` if no
    /// tuple is left.
    fn largest(&mut self) -> Option<Tuple> {
        let single = self.objects.as_slice().first().map(|&slot| (slot, self.phase.load(slot)));
        let joined = self.heap.peek().map(|top| top.0);
        if let Some((slot, load)) =
            single.filter(|&(_, load)| joined.is_none_or(|joined| Seconds(load) > joined))
        {
            self.objects.next();
            return Some(Tuple::of(&mut self.parts, slot, load, self.phase.n_ranks()));
        }
        let (_, Reverse(at)) = self.heap.pop()?;
        self.tuples[at].take()
    }

    /// Returns the rank of every object of a tuple. A part not bound to a rank gets the next rank with `loads` of 0.
    fn ranks(&self, tuple: &Tuple, loads: &[f64]) -> Vec<(Slot, RankId)> {
        let mut free = (0..).map(RankId).zip(loads).filter(|&(_, &load)| load <= 0.0).map(|(rank, _)| rank);
        let mut found = Vec::new();
        for part in tuple.parts() {
            let rank = self.parts.rank(part).or_else(|| free.next());
            let rank = rank.expect("invariant: a tuple has as many parts as there are ranks");
            found.extend(self.parts.objects(part).map(|slot| (slot, rank)));
        }
        found
    }
}
