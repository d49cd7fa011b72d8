// SPDX-License-Identifier: MIT OR Apache-2.0
//! Start of a line: a phase, or a period.

use std::fmt;
use std::num::NonZeroU64;

/// Largest phase, period and offset in a file. Sums of two such numbers do not overflow.
pub const LAST_PHASE: u64 = 1 << 62;

/// Phases to which a line applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Anchor {
    /// One phase.
    Phase(u64),
    /// All multiples of a period, including 0.
    Every(NonZeroU64),
}

impl Anchor {
    /// Every phase.
    pub(crate) const ALWAYS: Anchor = Anchor::Every(NonZeroU64::MIN);

    /// True for the phase, or a multiple of the period.
    pub fn matches(self, phase: u64) -> bool {
        match self {
            Anchor::Phase(own) => phase == own,
            Anchor::Every(period) => phase.is_multiple_of(period.get()),
        }
    }

    /// Returns the first matching phase from `phase` on, if it is below 2^64.
    pub fn first_from(self, phase: u64) -> Option<u64> {
        match self {
            Anchor::Phase(own) => Some(own).filter(|&own| own >= phase),
            Anchor::Every(period) => phase.checked_next_multiple_of(period.get()),
        }
    }
}

impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Anchor::Phase(phase) => write!(f, "phase {phase}"),
            Anchor::Every(NonZeroU64::MIN) => f.write_str("every phase (`%1`)"),
            Anchor::Every(period) => write!(f, "`%{period}`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_phase_is_the_next_multiple() {
        let every = |period| Anchor::Every(NonZeroU64::new(period).unwrap());
        let cases = [
            (Anchor::Phase(5), 5, Some(5)),
            (Anchor::Phase(5), 6, None),
            (every(10), 0, Some(0)),
            (every(10), 1, Some(10)),
            (every(10), 10, Some(10)),
            (every(10), 11, Some(20)),
            (every(1), u64::MAX, Some(u64::MAX)),
            (every(2), u64::MAX, None),
        ];
        for (anchor, phase, expected) in cases {
            assert_eq!(anchor.first_from(phase), expected, "{anchor} from {phase}");
        }
    }
}
