// SPDX-License-Identifier: MIT OR Apache-2.0
//! Outliers in the tails of a distribution.

use super::threshold::{Range, Threshold, rarity};
use crate::histogram::{Cumulative, Histogram};
use crate::{Copod, Judgement, Label};

/// Model of COPOD.
#[derive(Clone, Debug)]
pub(super) struct CopodModel {
    pub(super) parameters: Copod,
    pub(super) histogram: Histogram,
    pub(super) threshold: Threshold,
}

/// Both tails of a histogram, and their weights.
struct Tails {
    below: Cumulative,
    above: Cumulative,
    left_weight: f64,
    right_weight: f64,
}

impl CopodModel {
    /// Creates an empty model.
    pub(super) fn new(parameters: Copod) -> Self {
        CopodModel { parameters, histogram: Histogram::default(), threshold: Threshold::new() }
    }

    /// Judges samples by the share of learnt samples beyond them. The model must contain samples.
    pub(super) fn judge(&mut self, values: &[f64], out: &mut Vec<Judgement>) {
        // The skewness of equal samples is rounding noise, which would move the threshold for good.
        if self.histogram.is_point() {
            out.resize(values.len(), Judgement { score: 0.0, label: Label::Normal });
            return;
        }
        let tails = Tails::of(&self.histogram);
        let middles = (0..self.histogram.counts().len()).map(|bin| self.histogram.midpoint(bin));
        // Chimbuko has another formula for negative scores, which cannot occur: a share is at most 1.
        let range = Range::of(middles.map(|middle| tails.score(middle)));
        let threshold = self.threshold.raise(range.at(self.parameters.threshold));
        out.extend(values.iter().map(|value| {
            let score = tails.score(*value);
            let label = if score >= threshold { Label::Outlier } else { Label::Normal };
            Judgement { score, label }
        }));
    }
}

impl Tails {
    fn of(histogram: &Histogram) -> Self {
        let skewness = skewness(histogram);
        Tails {
            below: Cumulative::from_below(histogram),
            above: Cumulative::from_above(histogram),
            left_weight: -sign(skewness - 1.0),
            right_weight: sign(skewness + 1.0),
        }
    }

    /// Returns the score of a value from its rarities in both tails. If the absolute skewness is below 1, the score is
    /// the sum of both. Otherwise it is the rarity in the long tail minus that in the short tail, but at least the mean
    /// of both.
    fn score(&self, value: f64) -> f64 {
        let left = rarity(self.below.share(value));
        let right = rarity(self.above.share(-value));
        f64::midpoint(left, right).max(left * self.left_weight + right * self.right_weight)
    }
}

/// Returns the skewness of the values, each at the middle of its bin. A single bin gives NaN or rounding noise.
fn skewness(histogram: &Histogram) -> f64 {
    let n = histogram.total() as f64;
    let (mut mean, mut squares, mut cubes) = (0.0, 0.0, 0.0);
    for (bin, count) in histogram.counts().iter().enumerate() {
        let (count, middle) = (*count as f64, histogram.midpoint(bin));
        mean += count * middle;
        squares += count * middle * middle;
        cubes += count * middle * middle * middle;
    }
    (mean, squares, cubes) = (mean / n, squares / n, cubes / n);
    let variance = squares - mean * mean;
    n / (n - 1.0) * (cubes - 3.0 * squares * mean + 2.0 * mean * mean * mean) / libm::pow(variance, 1.5)
}

/// Returns the sign, 0 for zero and NaN, unlike `signum`.
fn sign(value: f64) -> f64 {
    if value > 0.0 {
        1.0
    } else if value < 0.0 {
        -1.0
    } else {
        0.0
    }
}
