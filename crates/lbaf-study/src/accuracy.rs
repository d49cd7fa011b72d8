// SPDX-License-Identifier: MIT OR Apache-2.0
//! How well a load model predicts.

use std::borrow::Cow;

use lbaf_model::{DataSet, Phase};

use crate::{History, LoadModel, Measured};

/// How far predictions of object loads are from what was measured then, so many phases ahead.
///
/// Each phase is predicted from those that many and more before it, for the objects that both have.
#[derive(Clone, Debug, PartialEq)]
pub struct Accuracy {
    /// Phases ahead: 1 is the next one.
    pub horizon: u32,
    /// Phases that could be predicted.
    pub n_phases: usize,
    /// Predictions of an object.
    pub n_predictions: usize,
    /// Mean of `|predicted - measured| / measured` over all predictions of what took time (MAPE).
    pub mean_error: Option<f64>,
    /// Sum of predictions divided by the sum of what was measured, minus 1: above 0 predicts too much.
    pub bias: Option<f64>,
    /// Spearman's rank correlation of the objects of a phase, in the mean over phases in which loads differ.
    pub rank_correlation: Option<f64>,
}

/// Sums over predictions.
#[derive(Default)]
struct Sums {
    n_phases: usize,
    n_predictions: usize,
    n_errors: usize,
    errors: f64,
    predicted: f64,
    measured: f64,
    n_correlations: usize,
    correlations: f64,
}

impl Accuracy {
    /// That of a model on a data set whose objects stay where they were recorded. O(phases x objects x what the model looks
    /// at), and a sort of the objects for each phase.
    pub fn of(model: &LoadModel, data: &DataSet, horizon: u32) -> Self {
        let phases = data.phases();
        let mut sums = Sums::default();
        let mut history = History::default();
        for (at, phase) in phases.iter().enumerate() {
            history.push(Measured { phase, assignment: Cow::Borrowed(phase.recorded_assignment()) });
            if let Some(later) = phases.get(at + horizon.max(1) as usize) {
                sums.add(&pairs(model, &history, phase, later, horizon.max(1) - 1));
            }
        }
        sums.into_accuracy(horizon.max(1))
    }
}

/// What was predicted and what was measured of each object.
fn pairs(
    model: &LoadModel,
    history: &History<'_>,
    now: &Phase,
    later: &Phase,
    ahead: u32,
) -> Vec<(f64, f64)> {
    let pair = |slot| {
        let object = now.object(slot);
        let measured = later.load(later.slot_of(object)?);
        Some((model.predict(history, object, ahead)?, measured))
    };
    now.slots().filter_map(pair).collect()
}

impl Sums {
    fn add(&mut self, pairs: &[(f64, f64)]) {
        if pairs.is_empty() {
            return;
        }
        self.n_phases += 1;
        self.n_predictions += pairs.len();
        for &(predicted, measured) in pairs {
            self.predicted += predicted;
            self.measured += measured;
            if measured > 0.0 {
                self.n_errors += 1;
                self.errors += (predicted - measured).abs() / measured;
            }
        }
        if let Some(correlation) = rank_correlation(pairs) {
            self.n_correlations += 1;
            self.correlations += correlation;
        }
    }

    fn into_accuracy(self, horizon: u32) -> Accuracy {
        let mean = |sum: f64, n: usize| (n > 0).then(|| sum / n as f64);
        Accuracy {
            horizon,
            n_phases: self.n_phases,
            n_predictions: self.n_predictions,
            mean_error: mean(self.errors, self.n_errors),
            bias: (self.measured > 0.0).then(|| self.predicted / self.measured - 1.0),
            rank_correlation: mean(self.correlations, self.n_correlations),
        }
    }
}

/// Spearman's: the correlation of ranks, where equal values share the mean of theirs. Nothing if either does not differ.
fn rank_correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let ranks = [ranks(pairs.iter().map(|pair| pair.0)), ranks(pairs.iter().map(|pair| pair.1))];
    let mean = (pairs.len() as f64 + 1.0) / 2.0;
    let product = |one: &[f64], other: &[f64]| -> f64 {
        one.iter().zip(other).map(|(a, b)| (a - mean) * (b - mean)).sum()
    };
    let [predicted, measured] = &ranks;
    let spread = (product(predicted, predicted) * product(measured, measured)).sqrt();
    (spread > 0.0).then(|| product(predicted, measured) / spread)
}

/// From 1 for the smallest; equal ones share the mean of theirs.
fn ranks(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let values: Vec<f64> = values.collect();
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut first = 0;
    for equal in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let mean = first as f64 + (equal.len() as f64 + 1.0) / 2.0;
        for &at in equal {
            ranks[at] = mean;
        }
        first += equal.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_their_ranks() {
        assert_eq!(ranks([5.0, 1.0, 5.0, 3.0].into_iter()), [3.5, 1.0, 3.5, 2.0]);
    }

    /// Of 1, 2, 3, 4 against 2, 1, 4, 3: 1 - 6 x 4 / (4 x 15).
    #[test]
    fn rank_correlations_are_those_of_the_formula() {
        let pairs = [(1.0, 2.0), (2.0, 1.0), (3.0, 4.0), (4.0, 3.0)];
        let found = rank_correlation(&pairs).unwrap();
        assert!((found - 0.6).abs() < 1e-12, "{found}");
        assert_eq!(rank_correlation(&[(1.0, 1.0), (1.0, 2.0)]), None);
        assert_eq!(rank_correlation(&[(1.0, 9.0), (2.0, 8.0)]), Some(-1.0));
    }
}
