// SPDX-License-Identifier: MIT OR Apache-2.0
//! Items: units that are placed as a whole, either migratable objects or clusters of migratable objects of a
//! block.

use super::Culprit;
use crate::{Assignment, Phase, Slot};

/// Units of a placement. The objects of a unit stay together.
#[derive(Clone, Copy, Debug)]
pub enum Units<'a> {
    /// Every migratable object is a unit.
    Objects,
    /// The migratable objects of one block that this placement has on one rank form a unit; so does each
    /// migratable object without a block.
    Clusters(&'a Assignment),
}

/// Loads of all migratable items, and their sums.
pub(super) struct Items {
    /// Loads, descending.
    pub(super) loads: Vec<f64>,
    /// Sums of the `k` largest loads, by `k`, accurate to an ulp or two.
    pub(super) sums: Vec<f64>,
    /// Load of all items.
    pub(super) total: f64,
    /// The first of the largest items; `None` if no item has load, or if only loads are known.
    pub(super) largest: Option<Culprit>,
    /// The single objects of the items; `None` if items are objects.
    objects: Option<Box<Items>>,
}

impl Items {
    /// Returns the migratable items of a phase. O(objects log objects).
    pub(super) fn new(phase: &Phase, units: Units<'_>) -> Self {
        match units {
            Units::Objects => Items::of_objects(phase),
            Units::Clusters(at) => Items::of_clusters(phase, at),
        }
    }

    fn of_objects(phase: &Phase) -> Self {
        let movable = || phase.slots().filter(|&slot| phase.is_migratable(slot));
        let mut largest = (None, 0.0);
        for slot in movable() {
            if phase.load(slot) > largest.1 {
                largest = (Some(Culprit::Object(slot)), phase.load(slot));
            }
        }
        Items { largest: largest.0, ..Items::of_loads(movable().map(|slot| phase.load(slot)).collect()) }
    }

    fn of_clusters(phase: &Phase, at: &Assignment) -> Self {
        let mut loads = Vec::new();
        let mut largest = (None, 0.0);
        let mut add = |load: f64, culprit: Culprit| {
            loads.push(load);
            if load > largest.1 {
                largest = (Some(culprit), load);
            }
        };
        let mut in_blocks = Vec::new();
        for slot in phase.slots().filter(|&slot| phase.is_migratable(slot)) {
            match phase.memory(slot).block {
                Some(block) => in_blocks.push((block, at.rank_of(slot), slot)),
                None => add(phase.load(slot), Culprit::Object(slot)),
            }
        }
        in_blocks.sort_unstable();
        for cluster in in_blocks.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let load = cluster.iter().map(|&(_, _, slot)| phase.load(slot)).collect::<Sum>();
            add(
                load.value(),
                if let [(_, _, slot)] = *cluster {
                    Culprit::Object(slot)
                } else {
                    Culprit::Block(cluster[0].0)
                },
            );
        }
        let objects = Some(Box::new(Items::of_objects(phase)));
        Items { largest: largest.0, objects, ..Items::of_loads(loads) }
    }

    /// Creates items from their loads only.
    pub(super) fn of_loads(mut loads: Vec<f64>) -> Self {
        // Non-negative numbers order as their bit patterns. Adding 0 turns -0 into 0.
        loads.sort_unstable_by_key(|load| std::cmp::Reverse((load + 0.0).to_bits()));
        let sums = sums(&loads);
        let total = sums[loads.len()];
        Items { loads, sums, total, largest: None, objects: None }
    }

    /// True if items are clusters.
    pub(super) fn are_clusters(&self) -> bool {
        self.objects.is_some()
    }

    /// Returns the single objects of the items, which are the terms of all sums of load.
    pub(super) fn objects(&self) -> &Items {
        self.objects.as_deref().unwrap_or(self)
    }

    /// Returns the number of items.
    pub(super) fn len(&self) -> usize {
        self.loads.len()
    }

    /// Returns the number of items with more than `load`.
    pub(super) fn n_above(&self, load: f64) -> usize {
        self.loads.partition_point(|&item| item > load)
    }

    /// Returns the number of items with at least `load`.
    pub(super) fn n_from(&self, load: f64) -> usize {
        self.loads.partition_point(|&item| item >= load)
    }

    /// Returns the largest number of items with load whose sum is at most `capacity`, with a tolerance for
    /// rounding.
    pub(super) fn most_within(&self, capacity: f64) -> usize {
        let n = self.n_above(0.0);
        // Ranks with more items exceed the capacity by more than the rounding error of their sum.
        let capacity = capacity * (1.0 + 4.0 * f64::EPSILON * (n as f64 + 1.0));
        n - self.sums[..n].partition_point(|larger| self.total - larger > capacity)
    }

    /// Returns the sum of the `n` smallest of the `among` largest items, item by item, because a difference
    /// of prefix sums may cancel.
    pub(super) fn smallest(&self, n: usize, among: usize) -> f64 {
        self.loads[among - n..among].iter().sum()
    }
}

/// Returns prefix sums, by number of terms.
fn sums(descending: &[f64]) -> Vec<f64> {
    let mut sum = Sum::default();
    let after = |&number: &f64| {
        sum.add(number);
        sum.value()
    };
    let mut sums = vec![0.0];
    sums.extend(descending.iter().map(after));
    sums
}

/// Compensated sum, accurate to an ulp or two (A. Neumaier, Rounding error analysis of some methods for
/// summing finite sums, 1974, doi:10.1002/zamm.19740540106).
#[derive(Clone, Copy, Default)]
struct Sum {
    rounded: f64,
    lost: f64,
}

impl Sum {
    fn add(&mut self, number: f64) {
        let (sum, next) = (self.rounded, self.rounded + number);
        self.lost += if sum >= number { (sum - next) + number } else { (number - next) + sum };
        self.rounded = next;
    }

    fn value(self) -> f64 {
        self.rounded + self.lost
    }
}

impl FromIterator<f64> for Sum {
    fn from_iter<I: IntoIterator<Item = f64>>(numbers: I) -> Self {
        let mut sum = Sum::default();
        numbers.into_iter().for_each(|number| sum.add(number));
        sum
    }
}

/// Returns the migratable load of each block. O(objects + blocks).
pub(super) fn movable_by_block(phase: &Phase) -> Vec<f64> {
    let mut loads = vec![Sum::default(); phase.blocks().len()];
    let movable = |&slot: &Slot| phase.is_migratable(slot);
    for slot in phase.slots().filter(movable) {
        if let Some(block) = phase.memory(slot).block {
            loads[block.index()].add(phase.load(slot));
        }
    }
    loads.into_iter().map(Sum::value).collect()
}
