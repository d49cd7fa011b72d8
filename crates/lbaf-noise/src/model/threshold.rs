// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scores of shares, and the threshold that never falls.

/// A share below all that matter, whose logarithm is a number.
const ALPHA: f64 = 78.88e-32;

/// How unlikely a share of samples is: its negative binary logarithm, at most that of [`ALPHA`], which is 100.
pub(super) fn rarity(share: f64) -> f64 {
    -(share + ALPHA).log2()
}

/// The highest threshold so far: `internal_global_threshold` of Chimbuko, where a server in between lets it fall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Threshold(f64);

impl Threshold {
    /// The one of no samples.
    pub(super) fn new() -> Self {
        Threshold(1.00001_f64.log2())
    }

    /// The value so far.
    pub(super) fn value(self) -> f64 {
        self.0
    }

    /// The one at a part of a range of scores, or the highest so far.
    pub(super) fn raise(&mut self, local: f64) -> f64 {
        if local >= self.0 {
            self.0 = local;
        }
        self.0
    }
}

/// Range of scores; of none it is reversed, as in Chimbuko.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    min: f64,
    max: f64,
}

impl Range {
    /// That of scores.
    pub(super) fn of(scores: impl Iterator<Item = f64>) -> Self {
        let rarest = rarity(0.0);
        scores.fold(Range { min: rarest, max: -rarest }, |range, score| Range {
            min: range.min.min(score),
            max: range.max.max(score),
        })
    }

    /// The score that is a part of the way up.
    pub(super) fn at(self, part: f64) -> f64 {
        self.min + part * (self.max - self.min)
    }
}
