// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sorted loads of all small subsets of some objects.

use std::sync::Arc;

use lbaf_model::{RankId, Slot};
use rustc_hash::FxHashMap;

/// Maximum number of objects, one for each bit of a subset.
const MOST_OBJECTS: usize = 64;

/// Subsets of objects by number of objects, each list in ascending order of load.
pub(super) struct SubsetSums {
    objects: Vec<Slot>,
    by_size: Vec<Vec<Subset>>,
}

/// Subset of objects, as a bit set of positions.
#[derive(Clone, Copy)]
pub(super) struct Subset {
    pub(super) load: f64,
    members: u64,
}

impl SubsetSums {
    /// Lists all subsets of 0, 1, 2, ... objects, up to `most` subsets in total.
    ///
    /// Subsets of up to two objects are always listed. `objects` must be in ascending order of load. More than 64
    /// objects are represented by an even selection that includes the heaviest object.
    pub(super) fn new(objects: &[Slot], most: usize, load: impl Fn(Slot) -> f64) -> Self {
        let n = objects.len().min(MOST_OBJECTS);
        let objects: Vec<Slot> = (1..=n).map(|at| objects[at * objects.len() / n - 1]).collect();
        let mut by_size = vec![vec![Subset { load: 0.0, members: 0 }]];
        let (mut n_subsets, mut n_larger) = (1, n);
        while by_size.len() <= n && (n_subsets + n_larger <= most || by_size.len() < 3) {
            let smaller = &by_size[by_size.len() - 1];
            let mut subsets = Vec::with_capacity(n_larger);
            for subset in smaller {
                let first = u64::BITS - subset.members.leading_zeros();
                subsets.extend((first as usize..n).map(|at| Subset {
                    load: subset.load + load(objects[at]),
                    members: subset.members | 1 << at,
                }));
            }
            subsets.sort_by(|a, b| a.load.total_cmp(&b.load).then(a.members.cmp(&b.members)));
            n_subsets += n_larger;
            by_size.push(subsets);
            // Next binomial coefficient.
            n_larger = n_larger * (n + 1 - by_size.len()) / by_size.len();
        }
        SubsetSums { objects, by_size }
    }

    /// Returns the lists of subsets, by number of objects from 0.
    pub(super) fn by_size(&self) -> &[Vec<Subset>] {
        &self.by_size
    }

    /// Returns the objects of a subset.
    pub(super) fn members(&self, subset: Subset) -> Vec<Slot> {
        let is_in = |at: &usize| subset.members >> at & 1 == 1;
        (0..self.objects.len()).filter(is_in).map(|at| self.objects[at]).collect()
    }
}

/// Cache of the subsets of ranks. A search mostly needs the subsets of the same ranks again.
#[derive(Default)]
pub(super) struct KeptSums(FxHashMap<RankId, (usize, Arc<SubsetSums>)>);

/// Maximum number of ranks whose subsets are kept. A full cache is cleared.
const MOST_KEPT: usize = 512;

impl KeptSums {
    /// Returns the kept subsets of a rank for the same `most`.
    pub(super) fn of(&self, rank: RankId, most: usize) -> Option<Arc<SubsetSums>> {
        self.0.get(&rank).filter(|&&(kept, _)| kept == most).map(|(_, sums)| Arc::clone(sums))
    }

    /// Keeps the subsets of ranks.
    pub(super) fn keep(&mut self, ranks: &[RankId], most: usize, sums: &[Arc<SubsetSums>]) {
        if self.0.len() + ranks.len() > MOST_KEPT {
            self.0.clear();
        }
        self.0.extend(ranks.iter().zip(sums).map(|(&rank, sums)| (rank, (most, Arc::clone(sums)))));
    }

    /// Drops the subsets of a rank.
    pub(super) fn drop_rank(&mut self, rank: RankId) {
        self.0.remove(&rank);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(n: u32, most: usize) -> SubsetSums {
        let objects: Vec<Slot> = (0..n).map(Slot).collect();
        SubsetSums::new(&objects, most, |slot| f64::from(slot.0))
    }

    #[test]
    fn few_objects_yield_all_subsets() {
        let sums = sums(6, 64);
        let n: Vec<usize> = sums.by_size().iter().map(Vec::len).collect();
        assert_eq!(n, [1, 6, 15, 20, 15, 6, 1]);
        for (size, list) in sums.by_size().iter().enumerate() {
            assert!(list.is_sorted_by(|a, b| a.load <= b.load));
            for &subset in list {
                let members = sums.members(subset);
                assert_eq!(members.len(), size);
                assert_eq!(members.iter().map(|slot| f64::from(slot.0)).sum::<f64>(), subset.load);
            }
        }
    }

    #[test]
    fn many_objects_are_represented_by_a_selection() {
        let sums = sums(1000, 512);
        assert_eq!(sums.by_size().len(), 3);
        assert_eq!(sums.by_size()[1].len(), 64);
        assert_eq!(sums.members(sums.by_size()[1][63]), [Slot(999)]);
        assert!(sums_of_none().by_size()[0].len() == 1);
    }

    fn sums_of_none() -> SubsetSums {
        sums(0, 10)
    }
}
