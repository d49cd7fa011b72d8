// SPDX-License-Identifier: MIT OR Apache-2.0
//! Outliers in rare bins.

use super::threshold::{Range, Threshold, rarity};
use crate::histogram::{Bin, Histogram};
use crate::{Hbos, Judgement, Label};

/// A sample outside of all bins counts in the nearest bin if its distance is at most this number of bin widths.
const TOLERANCE: f64 = 0.05;

/// Model of HBOS.
#[derive(Clone, Debug)]
pub(super) struct HbosModel {
    pub(super) parameters: Hbos,
    pub(super) histogram: Histogram,
    pub(super) threshold: Threshold,
}

impl HbosModel {
    /// Creates an empty model.
    pub(super) fn new(parameters: Hbos) -> Self {
        HbosModel { parameters, histogram: Histogram::default(), threshold: Threshold::new() }
    }

    /// Judges samples by the counts of their bins. The model must contain samples.
    pub(super) fn judge(&mut self, values: &[f64], out: &mut Vec<Judgement>) {
        let total = self.histogram.total() as f64;
        let counts = self.histogram.counts();
        let score = |count: u64| rarity(count as f64 / total);
        let range = Range::of(counts.iter().filter(|count| **count > 0).map(|count| score(*count)));
        let local = range.at(self.parameters.threshold);
        let threshold = if self.parameters.global { self.threshold.raise(local) } else { local };
        out.extend(values.iter().map(|value| {
            let score = match self.histogram.bin(*value, TOLERANCE) {
                Bin::Inside(bin) => score(counts[bin]),
                Bin::Left | Bin::Right => rarity(0.0),
            };
            let label = if score >= threshold { Label::Outlier } else { Label::Normal };
            Judgement { score, label }
        }));
    }
}
