// SPDX-License-Identifier: MIT OR Apache-2.0
//! Seconds as keys of heaps and sorted sets.

use std::cmp::Ordering;

/// Seconds, or another number, with a total order for heaps and sorts; never NaN.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seconds(pub(crate) f64);

impl Seconds {
    /// Returns a number with the same order as the seconds.
    pub(crate) fn ordered_bits(self) -> u64 {
        let bits = self.0.to_bits();
        if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
    }
}

impl PartialEq for Seconds {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Seconds {}

impl PartialOrd for Seconds {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Seconds {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}
