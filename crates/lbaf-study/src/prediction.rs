// SPDX-License-Identifier: MIT OR Apache-2.0
//! A phase as it is predicted to be.

use lbaf_model::{ModelError, Phase};

use crate::{History, LoadModel};

/// Prediction of a model for each object of a phase, `ahead` phases from the next one. O(objects x what the model looks at);
/// a copy of loads, where those of the last phase are the prediction.
pub(crate) fn predictions(
    model: &LoadModel,
    history: &History<'_>,
    phase: &Phase,
    ahead: u32,
) -> Vec<Option<f64>> {
    match history.last() {
        Some(last) if model.is_naive() && last.phase.columns().objects == phase.columns().objects => {
            last.phase.columns().load.iter().copied().map(Some).collect()
        }
        _ => phase.slots().map(|slot| model.predict(history, phase.object(slot), ahead)).collect(),
    }
}

/// A phase with predicted loads. Objects without a prediction keep their load.
///
/// # Errors
/// If loads or their sums are beyond all numbers.
pub(crate) fn predicted(phase: &Phase, predictions: &[Option<f64>]) -> Result<Phase, ModelError> {
    let load = predictions.iter().zip(&phase.columns().load);
    phase.with_loads(load.map(|(prediction, &load)| prediction.unwrap_or(load)).collect())
}
