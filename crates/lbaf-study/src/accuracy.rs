// SPDX-License-Identifier: MIT OR Apache-2.0
//! Accuracy of load models.

mod examination;
mod rank_correlation;

pub use examination::{Examination, Trial};
use rank_correlation::rank_correlation;

/// Errors of predicted object loads at a horizon.
///
/// A phase is predicted if the data contain the phase whose number is smaller by `horizon`, and if the model
/// predicts a load from that phase and earlier ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Accuracy {
    /// Phase number of the predicted phase minus that of the last known one: 1 predicts the next phase.
    pub horizon: u32,
    /// Number of predicted phases.
    pub n_phases: usize,
    /// Number of predicted loads: one for each predicted object of each phase.
    pub n_predictions: usize,
    /// Number of loads for which the model has no prediction, for example because the object occurs in no phase
    /// that the model uses.
    pub n_unpredicted: usize,
    /// Mean of `|predicted - measured| / measured` over all predictions of objects with a measured load above
    /// 0 (MAPE). `None` if there are no such predictions.
    pub mean_error: Option<f64>,
    /// Sum of the predicted loads divided by the sum of the measured loads of the same objects, minus 1:
    /// above 0 if predictions are too large. `None` if the sum of measured loads is 0.
    pub bias: Option<f64>,
    /// Spearman's rank correlation of the predicted and the measured loads of a phase, averaged over the
    /// phases in which neither kind of load is constant. `None` if there are no such phases.
    pub rank_correlation: Option<f64>,
    /// Imbalance after balancing with predicted and with measured loads. `None` if no phase was balanced.
    pub loss: Option<PredictionLoss>,
}

/// Imbalances of work under the measured loads, averaged over phases, each balanced from its recorded
/// placement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PredictionLoss {
    /// Imbalance of the placement computed from predicted loads.
    pub predicted: f64,
    /// Imbalance of the placement computed from measured loads, which are not available in advance.
    pub known: f64,
}

impl PredictionLoss {
    /// Returns the increase of the imbalance due to wrong predictions.
    pub fn lost(self) -> f64 {
        self.predicted - self.known
    }
}

/// Sums over the predicted phases.
#[derive(Clone, Debug, Default)]
struct Sums {
    n_phases: usize,
    n_predictions: usize,
    n_unpredicted: usize,
    n_errors: usize,
    errors: f64,
    predicted: f64,
    measured: f64,
    n_correlations: usize,
    correlations: f64,
    n_balanced: usize,
    imbalance: f64,
    known_imbalance: f64,
}

impl Sums {
    /// Adds a phase: the predicted and the measured load of each object.
    fn add(&mut self, predictions: &[Option<f64>], measured: &[f64]) {
        let pairs = predictions.iter().zip(measured);
        let pairs: Vec<(f64, f64)> =
            pairs.filter_map(|(&prediction, &load)| Some((prediction?, load))).collect();
        self.n_unpredicted += predictions.len() - pairs.len();
        if pairs.is_empty() {
            return;
        }
        self.n_phases += 1;
        self.n_predictions += pairs.len();
        for &(predicted, measured) in &pairs {
            self.predicted += predicted;
            self.measured += measured;
            if measured > 0.0 {
                self.n_errors += 1;
                self.errors += (predicted - measured).abs() / measured;
            }
        }
        if let Some(correlation) = rank_correlation(&pairs) {
            self.n_correlations += 1;
            self.correlations += correlation;
        }
    }

    /// Adds the imbalances of a phase balanced with predicted loads, and with measured loads (`known`).
    fn add_balanced(&mut self, imbalance: f64, known: f64) {
        self.n_balanced += 1;
        self.imbalance += imbalance;
        self.known_imbalance += known;
    }

    fn merge(&mut self, other: &Sums) {
        self.n_phases += other.n_phases;
        self.n_predictions += other.n_predictions;
        self.n_unpredicted += other.n_unpredicted;
        self.n_errors += other.n_errors;
        self.errors += other.errors;
        self.predicted += other.predicted;
        self.measured += other.measured;
        self.n_correlations += other.n_correlations;
        self.correlations += other.correlations;
        self.n_balanced += other.n_balanced;
        self.imbalance += other.imbalance;
        self.known_imbalance += other.known_imbalance;
    }

    fn into_accuracy(self, horizon: u32) -> Accuracy {
        let mean = |sum: f64, n: usize| (n > 0).then(|| sum / n as f64);
        let imbalances =
            mean(self.imbalance, self.n_balanced).zip(mean(self.known_imbalance, self.n_balanced));
        Accuracy {
            horizon,
            n_phases: self.n_phases,
            n_predictions: self.n_predictions,
            n_unpredicted: self.n_unpredicted,
            mean_error: mean(self.errors, self.n_errors),
            bias: (self.measured > 0.0).then(|| self.predicted / self.measured - 1.0),
            rank_correlation: mean(self.correlations, self.n_correlations),
            loss: imbalances.map(|(predicted, known)| PredictionLoss { predicted, known }),
        }
    }
}
