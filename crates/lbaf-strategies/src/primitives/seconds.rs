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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn bits_have_the_order_of_seconds(
            a in prop::num::f64::ANY,
            b in prop_oneof![Just(0.0), Just(-0.0), Just(f64::MAX), Just(-f64::MAX), prop::num::f64::ANY],
        ) {
            let [a, b] = [a, b].map(Seconds);
            prop_assert_eq!(a.ordered_bits().cmp(&b.ordered_bits()), a.cmp(&b));
        }
    }
}
