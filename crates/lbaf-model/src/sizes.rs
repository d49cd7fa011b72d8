// SPDX-License-Identifier: MIT OR Apache-2.0
//! Multisets of sizes, which give the maximum after any removal.

use std::collections::BTreeMap;

use smallvec::SmallVec;

/// Number of occurrences of each size on a rank, for working memories or serialized sizes. The key is the bit
/// pattern of the size, which has the same order.
pub type SizeCounts = BTreeMap<u64, u32>;

/// Multiset of the sizes of few objects.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sizes {
    /// Bit pattern of each size, descending, and the number of its occurrences. Sizes of 0 are left out.
    counts: SmallVec<[(u64, u32); 1]>,
}

impl Sizes {
    pub(crate) fn count(&mut self, bytes: f64, count: u32) {
        if bytes > 0.0 {
            self.count_key(size_key(bytes), count);
        }
    }

    pub(crate) fn join(&mut self, others: &Sizes) {
        for &(key, count) in &others.counts {
            self.count_key(key, count);
        }
    }

    fn count_key(&mut self, key: u64, count: u32) {
        match self.counts.binary_search_by(|&(other, _)| key.cmp(&other)) {
            Ok(at) => self.counts[at].1 += count,
            Err(at) => self.counts.insert(at, (key, count)),
        }
    }

    fn largest(&self) -> Option<u64> {
        self.counts.first().map(|&(key, _)| key)
    }

    /// Returns the number of occurrences of a size.
    fn n_of(&self, key: u64) -> u32 {
        self.counts.iter().find(|&&(other, _)| other == key).map_or(0, |&(_, count)| count)
    }
}

/// Returns the largest size of a rank after `leaving` sizes are removed and `arriving` ones are added; `now`
/// is the largest size before. `of_rank` returns all sizes of the rank; it is called only if the largest one
/// may be leaving.
pub(crate) fn largest<'a>(
    now: f64,
    leaving: Option<&Sizes>,
    arriving: Option<&Sizes>,
    of_rank: impl FnOnce() -> &'a SizeCounts,
) -> f64 {
    let arriving = arriving.and_then(Sizes::largest);
    // In most cases the largest size stays.
    if leaving.and_then(Sizes::largest).is_none_or(|largest| largest < size_key(now)) {
        return now.max(arriving.map_or(0.0, f64::from_bits));
    }
    let staying = of_rank().iter().rev().find(|&(&value, &count)| {
        Some(value) <= arriving || leaving.map_or(0, |sizes| sizes.n_of(value)) < count
    });
    let staying = staying.map(|(&value, _)| value);
    staying.max(arriving).map_or(0.0, f64::from_bits)
}

/// Decrements the count of a key, and removes the key at 0.
pub(crate) fn take_one<K: Ord>(counts: &mut BTreeMap<K, u32>, key: K) {
    if let std::collections::btree_map::Entry::Occupied(mut entry) = counts.entry(key) {
        *entry.get_mut() -= 1;
        if *entry.get() == 0 {
            entry.remove();
        }
    }
}

/// Returns the bits of a size, which order as the sizes.
pub(crate) fn size_key(bytes: f64) -> u64 {
    // Adding zero turns -0 into 0.
    (bytes + 0.0).to_bits()
}
