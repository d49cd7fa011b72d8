// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rarity of a share of samples, and the threshold that never falls. A sample is an outlier if its score reaches the
//! threshold.

/// Number added to a share, so that the logarithm of a share of 0 is finite. Smaller than all relevant shares.
const ALPHA: f64 = 78.88e-32;

/// Returns the rarity of a share of samples: its negative binary logarithm, limited to 100 by [`ALPHA`].
pub(super) fn rarity(share: f64) -> f64 {
    -libm::log2(share + ALPHA)
}

/// Highest threshold so far: `internal_global_threshold` of Chimbuko, where the parameter server can lower it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Threshold(f64);

impl Threshold {
    /// Returns the initial threshold.
    pub(super) fn new() -> Self {
        Threshold(libm::log2(1.00001))
    }

    /// Returns the current value.
    pub(super) fn value(self) -> f64 {
        self.0
    }

    /// Raises the threshold to `local` if higher, and returns it.
    pub(super) fn raise(&mut self, local: f64) -> f64 {
        if local >= self.0 {
            self.0 = local;
        }
        self.0
    }
}

/// Range of scores; reversed without scores, as in Chimbuko.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    min: f64,
    max: f64,
}

impl Range {
    /// Computes the range of scores.
    pub(super) fn of(scores: impl Iterator<Item = f64>) -> Self {
        let rarest = rarity(0.0);
        scores.fold(Range { min: rarest, max: -rarest }, |range, score| Range {
            min: range.min.min(score),
            max: range.max.max(score),
        })
    }

    /// Returns the score at a fraction of the range, 0 at its minimum and 1 at its maximum.
    pub(super) fn at(self, part: f64) -> f64 {
        self.min + part * (self.max - self.min)
    }
}
